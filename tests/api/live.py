"""A live round played over HTTP, step by step."""

from typing import Any

from django.test import Client

from tests.api.floor import Json, send


class LiveRound:
    """A round open at a table: `call` sends one of its steps, `go` one that must be taken."""

    def __init__(self, client: Client, table: str = "UTH-01", **body: str) -> None:
        self.client = client
        answer = send(client, f"/api/v1/tables/{table}/rounds/", body)
        assert answer.status_code == 201, answer.content
        self.opened: Json = answer.json()
        self.address = f"/api/v1/rounds/{self.opened['id']}/"

    def call(self, step: str, body: object = None, method: str = "post") -> Any:
        return send(self.client, f"{self.address}{step}/", {} if body is None else body, method)

    def go(self, step: str, body: object = None, method: str = "post", status: int = 200) -> Json:
        answer = self.call(step, body, method)
        assert answer.status_code == status, answer.content
        taken: Json = answer.json()
        assert taken.pop("id") == self.opened["id"]
        return taken

    def bet(self, number: int = 1, **bets: Any) -> Json:
        return self.go(f"boxes/{number}", {"player": f"P-{number}", "ante": "5.00"} | bets, "put")

    def to_the_flop(self, *pairs: str, flop: str = "Qs Js Ts") -> None:
        """Locked, dealt (one pair a box) and checked to the flop."""
        self.go("lock")
        self.go("deal", {"cards": {str(n): pair.split() for n, pair in enumerate(pairs, start=1)}})
        self.go("flop", {"cards": flop.split()})

    def read(self) -> Json:
        found: Json = self.client.get(self.address).json()
        return found
