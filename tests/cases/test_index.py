"""Every known failure has its tests, every test of one has its number, and what the index names is there."""

import pytest

from tests.cases.index import ELSEWHERE, HERE, ROOT, TABLES, index, names_in

WANTED = [number for numbers in TABLES.values() for number in numbers]


def test_every_known_failure_has_a_test() -> None:
    assert sorted(set(WANTED)) == sorted(WANTED)
    found = index()
    assert [number for number in WANTED if not found.get(number)] == []
    assert sorted(found.keys() - set(WANTED)) == []


@pytest.mark.parametrize("node", sorted({node for nodes in ELSEWHERE.values() for node in nodes}))
def test_what_is_tried_elsewhere_is_there(node: str) -> None:
    path, _, name = node.partition("::")
    assert name in names_in(ROOT / path)


def test_every_test_of_this_folder_has_its_number() -> None:
    numbered = {node for nodes in index().values() for node in nodes}
    for path in sorted(HERE.glob("test_*.py")):
        names = [name for name in names_in(path) if name.rpartition("::")[2].startswith("test_")]
        missing = [name for name in names if f"{path.relative_to(ROOT)}::{name}" not in numbered]
        assert missing == [] or path.name == "test_index.py", path
