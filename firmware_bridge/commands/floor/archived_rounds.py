"""``truedeal rounds ADDRESS``: the last rounds of many tables, from the archive.

1. Newest first, by the time at which they began, of all tables or of one. The same options choose them as at a table.
2. Rounds are read in pages until there are enough of those that are wanted: nothing is left out because it is old.
3. Who said something in a round is asked only where a person is wanted: that reads the rows themselves, which not every
   role of the database may.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firmware_bridge.audit.round_filter import Chosen
    from firmware_bridge.floor.archive.archive import Archive

PAGE = 500
_COLUMNS = "journal, casino, name, line, first, last, number, game, began, ended, outcome, boxes, dealer"
_ROUNDS = f"SELECT {_COLUMNS} FROM rounds"  # noqa: S608  ours
_NEXT = " ORDER BY began DESC, journal, line DESC, first DESC LIMIT ? OFFSET ?"
_FINDINGS = "SELECT code, clause FROM findings WHERE journal = ? AND line = ? AND first = ? ORDER BY id"
_PEOPLE = "SELECT DISTINCT person FROM events WHERE journal = ? AND n BETWEEN ? AND ? AND person <> ''"


def archived_rounds(archive: Archive, table: str | None, chosen: Chosen, count: int) -> list[dict[str, Any]]:
    """The last rounds that are wanted, in short, newest first."""
    found: list[dict[str, Any]] = []
    for one in _each(archive, table):
        told = _in_short(archive, one, people=chosen.person is not None)
        found += [told] if _is_wanted(told, chosen) else []
        if len(found) >= count:
            break
    return found


def _each(archive: Archive, table: str | None) -> Iterator[dict[str, Any]]:
    """Every round, newest first, page by page."""
    casino, _, name = (table or "").partition("/")
    which, values = (" WHERE casino = ? AND name = ?", (casino, name)) if table else ("", ())
    place = 0
    while True:
        rows = archive.dialect.execute(_ROUNDS + which + _NEXT, (*values, PAGE, place))
        yield from (dict(zip(_COLUMNS.split(", "), row, strict=True)) for row in rows)
        if len(rows) < PAGE:
            return
        place += PAGE


def _in_short(archive: Archive, one: dict[str, Any], *, people: bool) -> dict[str, Any]:
    """A round as it is told, with its findings, and with who said something if that is wanted."""
    journal, line, first, last = (one.pop(key) for key in ("journal", "line", "first", "last"))
    findings = archive.dialect.execute(_FINDINGS, (journal, line, first))
    said = archive.dialect.execute(_PEOPLE, (journal, first, last)) if people else []
    casino, name = one.pop("casino"), one.pop("name")
    return {
        "table": f"{casino}/{name}",
        "journal": bytes(journal).hex(),
        **{key: "" if value is None else value for key, value in one.items()},
        "first": first,
        "last": last,
        "findings": " ".join(code for code, _ in findings),
        "clauses": [clause for _, clause in findings],
        "people": [person for (person,) in said],
    }


def _is_wanted(one: dict[str, Any], chosen: Chosen) -> bool:
    from firmware_bridge.audit.round_filter import About  # noqa: PLC0415

    findings = list(zip(one["findings"].split(), one["clauses"], strict=True))
    told = (one["number"], one["began"], one["ended"], one["outcome"], one["boxes"])
    return chosen.takes(About(*told, findings, one["people"]))
