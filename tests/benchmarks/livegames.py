"""Live rounds played over HTTP, step by step, up to a step that is measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tests.benchmarks import senders
from tests.benchmarks.senders import Client
from tests.benchmarks.world import Dealer, Json

_STREETS = ("preflop", "flop", "river")


@dataclass(frozen=True, slots=True)
class Game:
    """A round that is open, and as it is to end."""

    id: UUID
    played: Json

    @property
    def path(self) -> str:
        return f"/rounds/{self.id}/"


def opened(clients: Sequence[Client], dealer: Dealer, count: int) -> list[Game]:
    """So many rounds, each at a table of its own, with all their bets."""
    games: list[Game] = []
    left = iter(list(dealer.rounds(count)))

    def play(client: Client) -> None:
        for played in left:
            answer = client.send(f"/tables/{played['table']}/rounds/", {"external_id": played["external_id"]})
            game = Game(UUID(answer["id"]), played)
            bets = [{name: box[name] for name in _BETS} for box in played["boxes"]]
            client.send(f"{game.path}boxes/", {"boxes": bets}, method="PUT")
            games.append(game)

    senders.together(clients, play)
    return games


_BETS = ("box", "player", "ante", "trips", "progressive")


def play_to_the_river(clients: Sequence[Client], games: Sequence[Game]) -> None:
    """From the lock-out to the last decision; only the dealer's cards are still covered."""
    left = iter(games)

    def play(client: Client) -> None:
        for game in left:
            played = game.played
            dealt = {"cards": {str(box["box"]): box["cards"] for box in played["boxes"]}}
            boards = {"flop": {"cards": played["flop"]}, "river": {"turn": played["turn"], "river": played["river"]}}
            client.send(f"{game.path}deal/", dealt)
            for street in _STREETS:
                if street in boards:
                    client.send(f"{game.path}{street}/", boards[street])
                if decisions := _decisions(played, street):
                    client.send(f"{game.path}decisions/", {"decisions": decisions})

    senders.together(clients, play)


def _decisions(played: Json, street: str) -> list[Json]:
    made = ((box["box"], box["decision"]) for box in played["boxes"])
    return [
        {"box": number, "action": decision["action"], "multiplier": decision["multiplier"]}
        for number, decision in made
        if decision["street"] == street
    ]
