"""Players are references, never people: nothing that is stored or asked for names, dates or reaches one."""

import re

from django.apps import apps
from drf_spectacular.generators import SchemaGenerator

PERSONAL = re.compile(
    r"(first|last|full|given|family|maiden|player|customer)_?name|e?mail|phone|mobile|birth|address|passport|gender"
    r"|nationality|ssn|tax_id|document_number|ip_address|photo",
    re.IGNORECASE,
)
OURS = ("jackpot", "tables")


def test_no_table_of_ours_has_a_column_for_a_person() -> None:
    columns = {
        f"{model._meta.label}.{field.name}"
        for label in OURS
        for model in apps.get_app_config(label).get_models()
        for field in model._meta.get_fields()
        if PERSONAL.search(field.name)
    }
    assert columns == set()


def test_a_player_is_stored_as_one_reference_of_64_characters_and_in_two_tables_alone() -> None:
    holders = {
        model._meta.label: field.max_length
        for label in OURS
        for model in apps.get_app_config(label).get_models()
        for field in model._meta.fields
        if field.name == "player"
    }
    assert holders == {"jackpot.Award": 64, "tables.Box": 64}


def test_no_call_asks_for_or_shows_anything_of_a_person() -> None:
    described = SchemaGenerator().get_schema(request=None, public=True)
    names = set(_names(described))
    assert "player" in names
    assert {name for name in names if PERSONAL.fullmatch(name)} == set()


def _names(part: object) -> list[str]:
    """The names of all properties and parameters in a description."""
    if isinstance(part, list):
        return [name for one in part for name in _names(one)]
    if not isinstance(part, dict):
        return []
    own = [str(name) for name in part.get("properties", {})] if isinstance(part.get("properties"), dict) else []
    own += [str(part["name"])] if "in" in part and "name" in part else []
    return own + [name for one in part.values() for name in _names(one)]
