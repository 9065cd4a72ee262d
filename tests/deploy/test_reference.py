"""The references are made from the code, and the schema of the configuration says what the reader says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.reference import configuration, control
from deploy.reference.__main__ import PAGES
from deploy.reference.pages import NotDescribedError, check_names
from firmware_bridge.control.requests import REQUESTS
from tests.places import ROOT

SAMPLES = sorted((ROOT / "deploy" / "config").glob("*.toml"))
TYPES = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list}
KEY = "00112233445566778899aabbccddeeff" * 2
LEAST: dict[str, Any] = {
    "table": {"game": "mbs-blackjack-v6", "state": "state", "control": "control.sock"},
    "devices": {"shoe": {"driver": "shoe", "port": "serial:/dev/shoe", "serial": "S-1"}},
    "link": {"secret": KEY},
    "retention": {},
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_the_code_says(name: str) -> None:
    """Renew them with `python -m deploy.reference`."""
    assert PAGES[name]() == (ROOT / name).read_text(encoding="utf-8")


def test_a_name_without_a_meaning_is_an_error() -> None:
    """Nothing is left out silently."""
    with pytest.raises(NotDescribedError, match=r"without a meaning \['b'\], no longer there \['c'\]"):
        check_names("letters", "ab", "ac")


def test_arguments_are_found_in_the_source() -> None:
    """In what answers, in what that calls, and where several are read at once."""
    assert {"device": "str", "number": "int"} == control.arguments(REQUESTS["seen"])
    assert {"kind", "number", "name", "role", "until", "pin"} == set(control.arguments(REQUESTS["propose-person"]))


def wrong_with(value: object, schema: dict[str, Any], where: str = "") -> Iterator[str]:
    """Yield where a value does not fit a schema, by the keywords that ours use."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(type(value) is TYPES[kind] for kind in kinds):
        yield where
        return
    if "enum" in schema and value not in schema["enum"]:
        yield where
    if isinstance(value, str) and re.search(schema.get("pattern", ""), value) is None:
        yield where
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield where
    if isinstance(value, list) and "items" in schema:
        for one in value:
            yield from wrong_with(one, schema["items"], where)
    if isinstance(value, dict):
        yield from (f"{where}.{key}" for key in schema.get("required", []) if key not in value)
        for key, one in value.items():
            yield from wrong_with(one, _of_key(schema, key), f"{where}.{key}")


def _of_key(schema: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the schema of a key; one that fits nothing for a key that there is not."""
    if key in schema.get("properties", {}):
        found: dict[str, Any] = schema["properties"][key]
        return found
    for pattern, found in schema.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return dict(found)
    more = schema.get("additionalProperties", True)
    return {"enum": []} if more is False else {} if more is True else dict(more)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_fits_the_schema(path: Path) -> None:
    """Except for the secret, which everybody must make."""
    assert [".link.secret"] == list(wrong_with(tomllib.loads(path.read_text(encoding="utf-8")), configuration.schema()))


def test_the_least_configuration_fits_and_is_read() -> None:
    """What the schema requires is all that the reader does."""
    assert ([], []) == (list(wrong_with(LEAST, configuration.schema())), configuration.problems(LEAST))


def _changed(section: str, key: str, value: object) -> dict[str, Any]:
    """Return the least configuration with another value."""
    changed: dict[str, Any] = {name: dict(values) for name, values in LEAST.items()}
    if section == "devices":
        changed["devices"] = {"shoe": LEAST["devices"]["shoe"] | {key: value}}
    else:
        changed[section] = changed[section] | {key: value}
    return changed


KEYS = [
    (section, key)
    for section, keys in (
        ("table", configuration.TABLE),
        ("devices", configuration.DEVICE),
        ("link", configuration.LINK),
        ("retention", configuration.RETENTION),
    )
    for key in keys
]


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_what_does_not_fit_the_schema_is_not_read(section: str, key: str) -> None:
    """A value of a wrong type is wrong for both, at the same key."""
    changed = _changed(section, key, 1.5)
    (where,) = wrong_with(changed, configuration.schema())
    assert where.endswith(f".{key}")
    assert [problem for problem in configuration.problems(changed) if f".{key}:" in problem]


@pytest.mark.parametrize(("section", "key"), KEYS)
def test_a_default_is_what_counts_where_nothing_is_said(section: str, key: str) -> None:
    """To write a default changes nothing."""
    schema = getattr(configuration, "DEVICE" if section == "devices" else section.upper())[key]
    if "default" in schema:
        changed = _changed(section, key, schema["default"])
        assert ([], []) == (list(wrong_with(changed, configuration.schema())), configuration.problems(changed))
        assert configuration.read(LEAST) == configuration.read(changed)
