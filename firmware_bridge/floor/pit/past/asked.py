"""What of the past a request asks for; it stands in the address, and becomes the conditions of a statement.

1. ``what`` is ``findings`` or ``voids``. Times are from ``from`` on and before ``to``. ``table``, ``code``, ``dealer``,
   ``shuffler``, ``game`` and ``ruling`` are compared as they stand, ``clause`` with all that lies under it. ``words``
   are looked for in table, code, clause, ruling, person and Dealer: each must be somewhere.
2. What cannot be understood is an `AskedError` that says what was expected. A name that is not known here is ignored.
3. Nothing of a request becomes part of a statement: names of columns are ours, what is asked for are values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from firmware_bridge.audit.round_filter import chosen_time
from firmware_bridge.console.history.wanted import WantedError

FINDINGS, VOIDS = KINDS = ("findings", "voids")
PAGE = 100
"""Rows of a page."""
_LONGEST = 100
_CLAUSE = re.compile(r"[0-9]+(\.[0-9]+)*", re.ASCII)
_EQUAL = ("table", "code", "dealer", "shuffler", "game", "ruling")
_COLUMNS = {
    FINDINGS: {
        "table": "f.name",
        "code": "f.code",
        "dealer": "f.dealer",
        "shuffler": "f.shuffler",
        "ruling": "f.ruling",
        "clause": "f.clause",
        "game": "r.game",
        "at": "f.at",
        "words": "coalesce(f.name, '') || ' ' || coalesce(f.code, '') || ' ' || coalesce(f.clause, '') || ' ' || "
        "coalesce(f.ruling, '') || ' ' || coalesce(f.person, '') || ' ' || coalesce(f.dealer, '')",
    },
    VOIDS: {
        "table": "r.name",
        "dealer": "r.dealer",
        "shuffler": "r.shuffler",
        "game": "r.game",
        "at": "r.ended",
        "words": "coalesce(r.name, '') || ' ' || coalesce(r.game, '') || ' ' || coalesce(r.dealer, '')",
    },
}


class AskedError(WantedError):
    """What is asked cannot be understood; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for; `after` is where the page before has ended."""

    what: str = FINDINGS
    since: str = ""
    until: str = ""
    equal: tuple[tuple[str, str], ...] = ()
    clause: str = ""
    words: tuple[str, ...] = ()
    after: tuple[str, bytes, int, int] | None = None

    def conditions(self, casino: str) -> tuple[str, list[object]]:
        """The condition of a statement over ``findings f`` or ``rounds r``, and its values."""
        columns = _COLUMNS[self.what]
        of = "f" if self.what == FINDINGS else "r"
        found: list[tuple[str, list[object]]] = [(f"{of}.casino = ?", [casino])]
        found += [(f"{columns['at']} >= ?", [self.since])] if self.since else []
        found += [(f"{columns['at']} < ?", [self.until])] if self.until else []
        found += [(f"{columns[name]} = ?", [value]) for name, value in self.equal if name in columns]
        if self.clause and "clause" in columns:
            found.append(
                (f"({columns['clause']} = ? OR {columns['clause']} LIKE ?)", [self.clause, f"{self.clause}.%"])
            )
        found += [(f"lower({columns['words']}) LIKE ? ESCAPE '!'", [_like(word)]) for word in self.words]
        return " AND ".join(text for text, _ in found), [value for _, values in found for value in values]


def asked(said: Mapping[str, str]) -> Asked:
    """What a request asks for.

    Raises:
        AskedError: it cannot be understood.
    """
    values = {name: text.strip() for name, text in said.items() if text.strip()}
    long = [name for name, text in values.items() if len(text) > _LONGEST and name != "next"]
    if long:
        raise AskedError(f"{long[0]}: expected at most {_LONGEST} characters")
    what = values.get("what", FINDINGS)
    if what not in KINDS:
        raise AskedError(f"what: expected one of {', '.join(KINDS)}, got {what!r}")
    clause = values.get("clause", "")
    if clause and not _CLAUSE.fullmatch(clause):
        raise AskedError(f"clause: expected a number such as 5.23.1, got {clause!r}")
    return Asked(
        what,
        _time(values, "from"),
        _time(values, "to"),
        tuple((name, values[name]) for name in _EQUAL if name in values),
        clause,
        tuple(values.get("words", "").lower().split()),
        _place(values["next"]) if "next" in values else None,
    )


def place_text(at: str, journal: bytes, n: int, id_: int) -> str:
    """Where a page ends, for the one that follows."""
    return f"{at},{journal.hex()},{n},{id_}"


def _place(text: str) -> tuple[str, bytes, int, int]:
    try:
        at, journal, n, id_ = text.split(",")
        return at, bytes.fromhex(journal), int(n[:18]), int(id_[:18])
    except ValueError as error:
        raise AskedError(f"next: {text[:_LONGEST]!r} continues nothing") from error


def _time(values: Mapping[str, str], name: str) -> str:
    try:
        return chosen_time(values[name]) if name in values else ""
    except ValueError as error:
        raise AskedError(f"{name}: {error}") from error


def _like(word: str) -> str:
    escaped = re.sub("([!%_])", r"!\1", word)
    return f"%{escaped}%"
