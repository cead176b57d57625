"""What a policy's Progressive returns, while it is edited too: worked out from all hands of five cards, not stored."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from jackpot import services as jackpot
from jackpot.admin.base import amount, words
from jackpot.money import PPM, Currency, half_up
from tables.admin.policy_form import PolicyForm
from tables.admin.rule_set_figures import Shown
from tables.domain.hands import HandName
from tables.odds.figures import decimal, percent
from tables.odds.frequencies import hands_of
from tables.odds.progressive import ProgressiveOdds

COLUMNS = ("Hand", "Of 2,598,960", "One in", "Pays")
_NOT_BESIDE = ("reason", "note", "version", "code", "name")
_LACKS = "Put right what is marked: then the figures are here"


def of_form(form: PolicyForm) -> list[Shown]:
    """The figures of a form of its own, as it stands: no field that does not matter for them is asked for."""
    shown = Shown("Progressive", "Of all five cards: two of the player and the flop", columns=COLUMNS)
    for name in _NOT_BESIDE:
        form.fields.pop(name, None)
    document: Mapping[str, Any] = form.was
    if form.is_bound:
        document = form.cleaned_data.get("document", {}) if form.is_valid() else {}
    if not document:
        shown.trouble = _LACKS
        return [shown]
    try:
        policy = jackpot.Policy.from_document(document, currency=form.counted)
        _reckon(policy, form.counted, shown)
    except ValueError as error:
        shown.trouble = str(error)
    return [shown]


def _reckon(policy: jackpot.Policy, currency: Currency, shown: Shown) -> None:
    odds = ProgressiveOdds(policy)
    base = {level.code: level.base for level in policy.levels}
    shown.rows = list(_rows(policy, odds, currency))
    hit = odds.hit
    shown.sums = [
        ("Return with every meter at its base", percent(odds.returned(base))),
        ("Of it fixed prizes", percent(odds.paid().mean / policy.stake)),
        ("Hit frequency", f"{percent(hit)}, 1 in {decimal(1 / hit, 4)}"),
        ("Envy adds for each other player who bets", percent(odds.envy())),
        ("Into meters and reserves of each stake", percent(_rates(policy))),
    ]
    if any(level.limit for level in policy.levels):
        limits = {level.code: level.limit or level.base for level in policy.levels}
        shown.sums.insert(1, ("Return with every meter at its limit", percent(odds.returned(limits))))
    for level in policy.levels:
        even = odds.break_even(level.code, base)
        shown.sums.append((f"Break-even meter of {level.code}", "none" if even is None else _whole(even, currency)))


def _rates(policy: jackpot.Policy) -> Fraction:
    return Fraction(sum(level.increment_ppm + level.reserve_ppm for level in policy.levels), PPM)


def _whole(units: Fraction, currency: Currency) -> str:
    """Rounded half up to the minor unit."""
    return amount(half_up(units.numerator, units.denominator), currency)


def _rows(policy: jackpot.Policy, odds: ProgressiveOdds, currency: Currency) -> Iterator[tuple[str, ...]]:
    counted = hands_of(5)
    for line in policy.lines:
        hand = HandName(line.hand)
        yield words(hand), f"{counted[hand]:,}", decimal(1 / odds.shares[hand], 2), _pays(line, currency)


def _pays(line: Any, currency: Currency) -> str:
    if line.basis is jackpot.Basis.METER_SHARE:
        return f"{line.value / 10_000:g}% of {line.level}"
    return f"{line.value} for one" if line.basis is jackpot.Basis.FOR_ONE else amount(line.value, currency)
