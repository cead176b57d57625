"""The guard of `jackpot/migrations/sql/award_begins.sql`: no award begins further than nobody's approval brings it."""

from tests.integration.guards.awards import GUARDED, PAST_GUARDS
from tests.integration.guards.cases import Case, case, copy
from tests.integration.guards.chain import ADVANCED, OWED, TO_AWARDS, award, link
from tests.integration.guards.corrections import SETTLED, version
from tests.integration.guards.ledger import NEW, entry, legs

SMALL = (
    PAST_GUARDS,
    'UPDATE jackpot_policyversion SET document = document || \'{"verify_from": "99999.00"}\'',
    GUARDED,
)
"""As its owner, past the guards: under a policy that pays small hits at once."""


def paying(award_id: str = "%(new)s") -> tuple[str, ...]:
    pay = entry(2, pk=NEW + 1, kind="'award_paid'", source_ref=f"'award:' || {award_id}::text")
    return pay, legs((1, -5), (2, 5), of=NEW + 1, second=OWED)


def hit(state: str, **changes: str | int) -> str:
    return award(amount=5, position=1, state=f"'{state}'", **changes)


def envy(state: str = "pending", **changes: str | int) -> str:
    values: dict[str, str | int] = {"id": "%(new)s", "entry_id": NEW, "position": 1, "state": f"'{state}'"}
    return copy("jackpot_award", "found.id = %(envy)s", **values | changes)


def begins(label: str, *statements: str) -> Case:
    return case("jackpot_award", "award_begins", label, *statements, link(), ADVANCED)


HIT_IS = "UPDATE jackpot_award SET state = '{}' WHERE id = %(award)s"
LATER = version(f"{SETTLED} || ':v2'", pk=NEW)

BEGINNINGS: list[Case] = [
    *(begins(f"a hit, {state}", *TO_AWARDS, hit(state)) for state in ("approved", "disputed", "rejected", "withdrawn")),
    begins("a hit, paid without its payment", *SMALL, *TO_AWARDS, hit("paid")),
    begins("a hit, paid by the payment of another", *SMALL, *TO_AWARDS, *paying("%(award)s"), hit("paid")),
    begins("a hit, paid under a policy that has all verified", *TO_AWARDS, *paying(), hit("paid")),
    begins("a late hit, paid", *SMALL, *TO_AWARDS, *paying(), hit("paid", late="true")),
    begins("a difference, paid", PAST_GUARDS, HIT_IS.format("paid"), *SMALL, *TO_AWARDS, *paying(),
           hit("paid", difference_of_id="%(award)s")),
    *(begins(f"an Envy, {state} under a hit that waits", LATER, envy(state))
      for state in ("approved", "disputed", "paid", "rejected", "withdrawn")),
    begins("an Envy in no version of its round", *TO_AWARDS, envy(amount=5)),
    begins("an Envy of another round", LATER, envy(source_ref="gen_random_uuid()")),
    begins("an Envy in an award's move", version(f"{SETTLED} || ':v2'", pk=NEW, kind="award_move"), envy()),
    begins("an Envy under an Envy", LATER, envy(hit_id="%(envy)s")),
    begins("an Envy under no hit", LATER, envy(hit_id="gen_random_uuid()")),
    *(begins(f"an Envy, {state} as its hit", PAST_GUARDS, HIT_IS.format(state), GUARDED, LATER, envy(state))
      for state in ("rejected", "withdrawn", "paid")),
]  # fmt: skip
