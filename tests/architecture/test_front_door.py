"""The jackpot's front door offers what the tables use, and its models are handed over, not asked for."""

import ast
from collections.abc import Iterable

import pytest

from jackpot import services
from tests.architecture.test_sources import sources


class Uses(ast.NodeVisitor):
    """What a source takes from `jackpot.services`, and which of it it queries."""

    def __init__(self, source: str) -> None:
        self.names: set[str] = set()
        self.queried: set[str] = set()
        self._doors: set[str] = set()
        self.visit(ast.parse(source))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module == "jackpot":
            self._doors |= {alias.asname or alias.name for alias in node.names if alias.name == "services"}
        if node.module == "jackpot.services":
            self.names |= {alias.name for alias in node.names}

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self._doors:
            self.names.add(node.attr)
        if node.attr in ("objects", "_default_manager"):
            self.queried.add(ast.unparse(node.value).rpartition(".")[2])
        self.generic_visit(node)


def uses() -> Iterable[Uses]:
    return [Uses(path.read_text()) for path in sources("tables")]


def test_it_offers_what_the_tables_use_and_no_more() -> None:
    assert set().union(*(use.names for use in uses())) == set(services.__all__)


def test_its_models_are_not_queried() -> None:
    assert [queried for use in uses() if (queried := use.names & use.queried)] == []


@pytest.mark.parametrize(
    "source",
    [
        "from jackpot import services as jackpot\njackpot.Lane.objects.all()",
        "from jackpot.services import Lane\nLane.objects.all()",
    ],
)
def test_a_query_is_seen(source: str) -> None:
    assert Uses(source).queried & Uses(source).names == {"Lane"}
