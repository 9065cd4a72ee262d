"""Two looks at a table, to be compared: all that can be seen of it, and all that it holds."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from enum import Enum
from typing import Any

from gamecore.table import Table


def fingerprint(value: object, met: dict[int, int] | None = None) -> object:
    """All that a value holds, by value, so that two looks at a table can be compared.

    What was met before (a record is on a hand, and knows its hand) is named by its number.
    """
    met = {} if met is None else met
    match value:
        case str() | int() | None | type() | Enum():
            return value
        case dict():
            return [(fingerprint(key, met), fingerprint(item, met)) for key, item in value.items()]
        case list() | tuple() | set() | frozenset():
            return [fingerprint(item, met) for item in value]
    if id(value) in met:
        return f"number {met[id(value)]}"
    met[id(value)] = len(met)
    names: Iterable[str] = getattr(type(value), "__slots__", ()) or getattr(value, "__dict__", {})
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if field.name != "rules"]
    return [(name, fingerprint(getattr(value, name), met)) for name in names if not callable(getattr(value, name))]


def report_bytes(report: dict[str, Any]) -> bytes:
    """The part of a report that the table decides, as bytes."""
    return json.dumps({key: report[key] for key in ("state", "rounds", "asks")}).encode()


def look(table: Table) -> tuple[bytes, object]:
    """All that can be seen of a table, and all that it holds."""
    return report_bytes(table.report()), fingerprint(table.snapshot())
