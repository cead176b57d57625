"""Poker hand evaluation: known failures 2 to 16, each with its smallest round, played over the API."""

from itertools import permutations

import pytest
from django.test import Client

from tests.api.conftest import Clock
from tests.api.floor import BATCH, ROUNDS, Json, rows, send, settled
from tests.api.live import LiveRound
from tests.api.test_problems import problem
from tests.cases.play import best, duel, losing, round_of, seat, wagers
from tests.factories import settle_all

TIE = {"ante": ("push", "5.00"), "blind": ("push", "5.00"), "play": ("push", "20.00")}
WON = {"ante": ("win", "10.00"), "blind": ("push", "5.00"), "play": ("win", "40.00")}
LOST = {"ante": ("lose", "0.00"), "blind": ("lose", "0.00"), "play": ("lose", "0.00")}


class TestCards:
    def test_02_a_ten_written_with_two_digits(self, acme: Client) -> None:
        """King-high straight against a dealer who has no pair: 5.00 back, 10.00, 40.00."""
        part = duel(acme, "9h Ks", "9s Ah", "10s Jd Qc 6d 5c")
        assert (part["hand"], best(part)) == ("straight", "Ks Qc Jd Ts 9h")
        assert part["dealer"] == {"hand": "high_card", "best": ["Ah", "Qc", "Jd", "Ts", "9s"], "qualifies": False}
        assert wagers(part) == {"ante": ("push", "5.00"), "blind": ("win", "10.00"), "play": ("win", "40.00")}

    def test_02_every_spelling_of_a_ten_at_every_place_is_one_card(self, acme: Client) -> None:
        def bodies(ten: str) -> list[Json]:
            shared: Json = {"table": "LIVE-01", "player_cards": ["9h", ten]}
            return [
                round_of(seat("9h Ks"), board=f"{ten} Jd Qc 6d 5c", external_id="flop"),
                round_of(seat(f"9h {ten}"), board="Ks Jd Qc 6d 5c", external_id="hole"),
                round_of(seat("9h Ks"), board=f"6d Jd Qc {ten} 5c", external_id="turn"),
                round_of(seat("9h Ks"), board=f"6d Jd Qc 5c {ten}", external_id="river"),
                round_of(seat("9h Ks"), board="6d Jd Qc 5c 4c", dealer=f"{ten} 2h", external_id="dealer"),
                round_of(seat(None), board="6d Jd Qc 5c 4c", external_id="shared", **shared),
            ]

        first = send(acme, BATCH, {"rounds": bodies("Ts")}).json()["results"]
        assert {item["status"] for item in first} == {202}
        for ten in ("10s", "10S", "ts", "TS", "tS", "T♠", "10♠", "t♠\ufe0f"):
            again = send(acme, BATCH, {"rounds": bodies(ten)}).json()["results"]
            assert again == [item | {"replayed": True} for item in first], ten

    NO_CARDS = (
        "10",
        "1s",
        "0s",
        "T",
        "s",
        "110s",
        "10 s",
        " Ts",
        "Ts ",
        "TTs",
        "10ss",
        "１0s",
        "Ꭲs",
        "Тs",
        "T♤",
        "",
        "*",
    )

    def test_02_what_is_no_card_is_never_guessed(self, acme: Client) -> None:
        before = rows()
        for card in self.NO_CARDS:
            found = problem(send(acme, ROUNDS, losing(turn=card)), 400, "invalid_card")
            assert found["errors"][0]["pointer"] == "/turn"
        assert rows() == before

    @pytest.mark.parametrize("twin", ["6♠", "6♠\ufe0f", "6s", "6S"])
    def test_03_a_suit_symbol_is_the_letter_and_its_twin_a_duplicate(self, twin: str, acme: Client) -> None:
        before = rows()
        body = round_of(seat("6♠ Ks"), board="6d Jd Qc 5c 4c") | {"turn": twin}
        problem(send(acme, ROUNDS, body), 422, "duplicate_card")
        assert rows() == before
        taken = settled(acme, round_of(seat(f"{twin} Ks"), board="6d Jd Qc 5c 4c"))
        assert taken["boxes"][0]["cards"] == ["6s", "Ks"]

    def test_03_other_selectors_and_suits_are_refused_by_name(self, acme: Client) -> None:
        for card in ("6♠\ufe0e", "6♠\ufe0f\ufe0f", "\ufe0f6♠", "6\ufe0f♠", "6♤", "6\u200d♠", "6s\ufe0f"):
            problem(send(acme, ROUNDS, losing(river=card)), 400, "invalid_card")

    def test_03_live_and_whole_take_the_same_spellings(self, acme: Client) -> None:
        live = LiveRound(acme)
        live.bet(1)
        live.go("lock")
        problem(live.call("deal", {"cards": {"1": ["6♠", "6s"]}}), 422, "duplicate_card")
        live.go("deal", {"cards": {"1": ["6♠\ufe0f", "10♦"]}})
        problem(live.call("flop", {"cards": ["6S", "2c", "3c"]}), 422, "duplicate_card")
        live.go("flop", {"cards": ["10s", "2c", "3c"]})
        assert live.go("flop", {"cards": ["T♠", "2C", "3♣"]}) == {"phase": "flop"}
        assert (live.read()["boxes"][0]["cards"], live.read()["flop"]) == (["6s", "Td"], ["Ts", "2c", "3c"])


class TestStraightsAndFlushes:
    def test_06_a_straight_beside_a_flush_is_no_straight_flush(self, acme: Client) -> None:
        """Seven cards make a king-high flush; the hand of the side bet, two and the flop, makes a straight."""
        part = duel(acme, "9c Th", "2s 2d", "Jh Qh Kh 4h 3h", trips="5.00", progressive="1.00")
        assert (part["hand"], best(part), part["progressive_hand"]) == ("flush", "Kh Qh Jh Th 4h", "straight")
        assert wagers(part)["trips"] == ("win", "40.00")  # 7 to 1
        assert wagers(part)["progressive"] == ("win", "30.00")

    @pytest.mark.parametrize("suit", "shdc")
    def test_07_a_royal_is_a_hand_of_its_own_in_every_suit(self, suit: str, acme: Client) -> None:
        """All of the meter, not a tenth of it; 500 to 1, not 50; and on Trips 50 to 1."""
        other = "h" if suit == "c" else "c"
        flop = " ".join(rank + suit for rank in "QJT")
        part = duel(acme, f"A{suit} K{suit}", f"2{other} 2d" if other != "d" else "2s 2h", f"{flop} 3{other} 7{other}",
                    trips="5.00", progressive="1.00")  # fmt: skip
        assert (part["hand"], part["progressive_hand"]) == ("royal_flush", "royal_flush")
        assert wagers(part) == {
            "ante": ("win", "10.00"), "blind": ("win", "2505.00"), "play": ("win", "40.00"),
            "trips": ("win", "255.00"), "progressive": ("win", "10000.20"),
        }  # fmt: skip

    def test_07_a_royal_on_the_board_is_everybodys(self, acme: Client) -> None:
        """A tie on the main bets; Trips pays for it, the Progressive knows nothing of turn and river."""
        part = duel(acme, "2c 3d", "4c 5d", "As Ks Qs Js Ts", trips="5.00", progressive="1.00")
        assert wagers(part) == TIE | {"trips": ("win", "255.00"), "progressive": ("lose", "0.00")}

    def test_11_the_ace_is_low_in_a_five_high_straight(self, acme: Client) -> None:
        part = duel(acme, "Ah 2c", "9s 9c", "3d 4s 5h Kd Qc")
        assert (part["hand"], best(part)) == ("straight", "5h 4s 3d 2c Ah")
        assert wagers(part) == {"ante": ("win", "10.00"), "blind": ("win", "10.00"), "play": ("win", "40.00")}

    def test_11_it_loses_to_a_six_high_one(self, acme: Client) -> None:
        part = duel(acme, "Ah Kc", "6c 9d", "2s 3d 4s 5h Qc")
        assert (part["hand"], part["dealer"]["best"]) == ("straight", ["6c", "5h", "4s", "3d", "2s"])
        assert wagers(part) == LOST

    @pytest.mark.parametrize("cards", ["Qh Kd As 2d 3c", "Kh As 2d 3c 4s", "Jh Qh Kd As 2d"])
    def test_11_no_straight_goes_round_the_corner(self, cards: str, acme: Client) -> None:
        first, second, *flop = cards.split()
        part = duel(acme, f"{first} {second}", "9s 9c", f"{' '.join(flop)} 7d 8c", progressive="1.00")
        assert (part["hand"], part["progressive_hand"]) == ("high_card", "high_card")

    @pytest.mark.parametrize("low", "shdc")
    def test_11_a_steel_wheel_is_a_straight_flush_and_no_royal(self, low: str, acme: Client) -> None:
        other = "c" if low != "c" else "h"
        board = f"3{low} 4{low} 5{low} K{other} Q{other}"
        part = duel(acme, f"A{low} 2{low}", f"9{other} 8{other}", board, progressive="1.00")
        assert (part["hand"], part["progressive_hand"]) == ("straight_flush", "straight_flush")
        assert wagers(part)["progressive"] == ("win", "1000.02")


class TestFiveCardsAndNoMore:
    def test_10_a_third_pair_is_no_kicker(self, acme: Client) -> None:
        part = duel(acme, "3s 3d", "Td Js", "6c Qc Ad 6s Ac")
        assert best(part) == "Ad Ac 6s 6c Qc"
        assert wagers(part) == TIE
        assert (part["staked"], part["returned"]) == ("30.00", "30.00")

    def test_12_cards_beyond_the_best_five_break_no_tie(self, acme: Client) -> None:
        part = duel(acme, "8c 5h", "8s 2c", "Ah Jd 3c Qs 3d")
        assert best(part) == "3d 3c Ah Qs Jd"
        assert part["dealer"]["qualifies"] is True
        assert wagers(part) == TIE

    def test_13_a_flush_has_five_cards(self, acme: Client) -> None:
        part = duel(acme, "4h 3h", "Ac As", "2h 5h 9h Jh Kh")
        assert (best(part), " ".join(part["dealer"]["best"])) == ("Kh Jh 9h 5h 4h", "Kh Jh 9h 5h 2h")
        assert wagers(part) == {"ante": ("win", "10.00"), "blind": ("win", "12.50"), "play": ("win", "40.00")}

    def test_13_a_flush_on_the_board_is_a_tie_for_those_below_it(self, acme: Client) -> None:
        assert wagers(duel(acme, "2h 3h", "Ac As", "4h 5h 9h Jh Kh")) == TIE

    def test_14_flushes_are_compared_by_all_five_and_not_by_the_hand(self, acme: Client) -> None:
        part = duel(acme, "Qc 7d", "5d Ah", "Qd Jd 9d Kc 6d")
        assert (best(part), " ".join(part["dealer"]["best"])) == ("Qd Jd 9d 7d 6d", "Qd Jd 9d 6d 5d")
        assert wagers(part)["blind"] == ("win", "12.50")

    @pytest.mark.parametrize(
        ("player", "dealer", "board", "hand", "ranks"),
        [
            ("Jh 6d", "2c 3d", "Jd 6c Jc 6s 2h", "full_house", "JJJ66"),
            ("Ts Th", "9d 9h", "2s 3s 2h 3h 3d", "full_house", "333TT"),
            ("7h 2c", "6s 3h", "7s 2h 6h 3s Ac", "two_pair", "7722A"),
        ],
        ids=["two triples", "the pair of a full house", "the higher pair first"],
    )
    def test_15_full_houses_and_two_pairs(
        self, player: str, dealer: str, board: str, hand: str, ranks: str, acme: Client
    ) -> None:
        part = duel(acme, player, dealer, board)
        assert (part["hand"], "".join(card[0] for card in part["best"])) == (hand, ranks)
        assert (wagers(part)["ante"], wagers(part)["play"]) == (WON["ante"], WON["play"])

    @pytest.mark.parametrize(
        ("player", "dealer", "board"),
        [
            ("9h 9c", "8h 8c", "Ks Kh Kd 2s 2c"),  # KKK99 beats KKK88, though the board has KKK22
            ("Kc 2d", "Ah Qd", "Ks Kh Kd 3s 3c"),  # quads of kings beat kings full
            ("Qh 2d", "Jc Th", "Ks Kc Qs Qd 3c"),  # QQQKK beats KKQQJ
            ("Ah 4c", "Kh Qc", "7s 7h 7d 7c 2c"),  # the same quads: the ace beside them decides
            ("Ah 3c", "Ks 2c", "Ad 9d 9s 4h 4d"),  # AA99 beats 9944, whatever the lower pairs are
        ],
    )
    def test_15_rarer_shapes(self, player: str, dealer: str, board: str, acme: Client) -> None:
        assert wagers(duel(acme, player, dealer, board))["play"] == ("win", "40.00")


def test_16_the_order_of_the_cards_changes_nothing(acme: Client, clock: Clock) -> None:
    """Twelve orders of one royal: each is the whole meter, the base and 20% of its own stake."""
    bodies = [
        round_of(
            seat(" ".join(hole), progressive="1.00"), board=f"{' '.join(flop)} 3c 7h",
            external_id="-".join([*hole, *flop]),
        )
        for hole in permutations(["Ts", "As"])
        for flop in permutations(["Ks", "Qs", "Js"])
    ]  # fmt: skip
    taken = send(acme, BATCH, {"rounds": bodies}).json()["results"]
    settle_all()
    found = [acme.get(f"{ROUNDS}{item['round']['id']}/").json()["settlement"] for item in taken]
    assert len(found) == 12
    for settlement in found:
        [part], [award] = settlement["boxes"], settlement["awards"]
        assert (part["hand"], part["best"]) == ("royal_flush", ["As", "Ks", "Qs", "Js", "Ts"])
        assert (part["progressive_hand"], award["hand"], award["amount"]) == ("royal_flush", "royal_flush", "10000.20")
