"""Alarms in the archive: what a table's journal says of them, and what the centre itself has to say.

1. A finding that somebody above the dealer stands behind is an alarm, and so is a note that says so by itself
   (`people.alarms_from_records` has the same rules). What happened before the table had people was none.
2. A clearing is a note. It may come before the record of the round that it speaks of: clearings are kept, and an alarm
   that was cleared is so from its first row on.
3. The centre's own alarms have `CENTRE` for a source: a journal is quarantined, its tail was replaced, rows lie where
   no month was made for them. The release of a journal clears its quarantine.
4. What was told elsewhere (`centre.alarm_syslog`) is marked as told; an alarm that is raised again is told again.
5. If a table goes on after damage, the alarms of the rows that it lost are over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from firmware_bridge.floor.archive.cleaning import cleaned
from firmware_bridge.floor.archive.dialects import Dialect
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.people.authority import needs_pit

if TYPE_CHECKING:
    from firmware_bridge.floor.archive.archive import Place

TABLE, CENTRE = "table", "centre"
"""Who raised an alarm."""
QUARANTINED, TAIL_REPLACED, NO_MONTH = "quarantined", "tail-replaced", "no-month"
"""The codes of the centre's own alarms."""
REPORTED = "report"
"""The ruling of an alarm that a note raises."""
_COLUMNS = "journal, casino, name, line, n, code, clause, places, source, first, at, ruling, detail"
_MARKS = ", ".join("?" * 13)
_RAISE = f"INSERT INTO alarms ({_COLUMNS}) VALUES ({_MARKS}) ON CONFLICT DO NOTHING"  # noqa: S608  ours
_RAISE_AGAIN = f"""INSERT INTO alarms ({_COLUMNS}) VALUES ({_MARKS})
    ON CONFLICT (journal, line, n, code, clause, places)
    DO UPDATE SET at = excluded.at, detail = excluded.detail, cleared = NULL, told = NULL"""  # noqa: S608  ours
_CLEAR = """UPDATE alarms SET cleared = ?, cleared_by = ?, cleared_role = ?, cleared_reason = ?
    WHERE journal = ? AND cleared IS NULL AND """
_CLEARING = (
    *("journal", "line", "n", "place", "alarm", "code", "clause", "often"),
    *("at", "person", "role", "reason"),
)


class Raised(NamedTuple):
    """An alarm of a table: where it stands, when, and what it says."""

    line: int
    n: int
    at: str
    code: str
    clause: str
    ruling: str
    places: str
    first: int | None


def raise_alarm(dialect: Dialect, place: Place, alarm: Raised) -> None:
    """Write an alarm of a table, unless the table had no people then; one that was cleared is so at once."""
    if not (needs_pit(alarm.ruling) and _has_people(dialect, place.journal, alarm.n)):
        return
    key = (alarm.line, alarm.n, alarm.code, alarm.clause, alarm.places)
    dialect.execute(_RAISE, (*place, *key, TABLE, alarm.first, alarm.at, alarm.ruling, ""))
    chosen = """SELECT at, person, role, reason FROM clearings WHERE journal = ? AND code = ? AND clause = ?
        AND (alarm = ? OR (often = 1 AND alarm < ? AND n > ?)) ORDER BY n LIMIT 1"""
    values = (place.journal, alarm.code, alarm.clause, alarm.n, alarm.n, alarm.n)
    for cleared in dialect.execute(chosen, values):
        which = "line = ? AND n = ? AND code = ? AND clause = ? AND places = ?"
        dialect.execute(_CLEAR + which, (*cleared, place.journal, *key))


def forget_round(dialect: Dialect, journal: bytes, line: int, first: int) -> None:
    """Remove the alarms of a round, of which a newer record comes."""
    dialect.execute("DELETE FROM alarms WHERE journal = ? AND line = ? AND first = ?", (journal, line, first))


def clear_alarms(dialect: Dialect, place: Place, line: int, n: int, at: str, said: dict[str, Any]) -> None:
    """Take a note that clears alarms."""
    by, role, reason = (cleaned(str(said.get(key, ""))) for key in ("by", "role", "reason"))
    listed = said.get("cleared")
    rows = []
    for count, one in enumerate(listed if isinstance(listed, list) else (), start=1):
        match one:
            case {"n": int(alarm), "code": str(code), "clause": str(clause)} if 0 <= alarm < n:
                often = int(one.get("times") != 1)
                what = (alarm, cleaned(code), cleaned(clause), often)
                rows.append((place.journal, line, n, count, *what, at, by, role, reason))
                which = "code = ? AND clause = ? AND (n = ? OR (? = 1 AND n > ? AND n < ?))"
                values = (what[1], what[2], alarm, often, alarm, n)
                dialect.execute(_CLEAR + which, (at, by, role, reason, place.journal, *values))
    if rows:
        dialect.insert("clearings", _CLEARING, rows)


def raise_at_centre(dialect: Dialect, place: Place, code: str, n: int, detail: str) -> None:
    """Write an alarm of the centre's own; one that is open is told again."""
    values = (*place, 0, max(0, min(n, 2**62)), code, "", "", CENTRE, None, wall_clock(), REPORTED, cleaned(detail))
    dialect.execute(_RAISE_AGAIN, values)


def clear_at_centre(dialect: Dialect, journal: bytes, code: str, by: str, reason: str) -> None:
    """Clear an alarm of the centre's own."""
    said = (wall_clock(), cleaned(by), "", cleaned(reason), journal, CENTRE, code)
    dialect.execute(f"{_CLEAR}source = ? AND code = ?", said)


def replace_tail(dialect: Dialect, place: Place, line: int, follows: int, rows: int) -> None:
    """A table goes on after damage: the alarms of the rows that it lost are over, and that it lost them is one."""
    reason = (wall_clock(), CENTRE, "", TAIL_REPLACED, place.journal, TABLE, line, follows)
    dialect.execute(f"{_CLEAR}source = ? AND line < ? AND n > ?", reason)
    raise_at_centre(dialect, place, TAIL_REPLACED, follows + 1, f"tail replaced, {rows} rows")


def _has_people(dialect: Dialect, journal: bytes, n: int) -> bool:
    """Whether the table had people at an event, as the start before it says."""
    chosen = "SELECT people FROM starts WHERE journal = ? AND n <= ? ORDER BY line DESC, n DESC LIMIT 1"
    found = dialect.execute(chosen, (journal, n))
    return bool(found and found[0][0])


def untold(dialect: Dialect, many: int) -> list[dict[str, Any]]:
    """Alarms that were not told elsewhere yet, the oldest first."""
    names = ("journal", "casino", "name", "line", "n", "code", "clause", "places", "source", "at", "ruling", "detail")
    chosen = f"SELECT {', '.join(names)} FROM alarms WHERE told IS NULL ORDER BY at LIMIT ?"  # noqa: S608  ours
    return [dict(zip(names, row, strict=True)) for row in dialect.execute(chosen, (many,))]


def mark_told(dialect: Dialect, alarm: dict[str, Any]) -> None:
    """Mark an alarm as told elsewhere."""
    key = tuple(alarm[name] for name in ("journal", "line", "n", "code", "clause", "places"))
    which = "journal = ? AND line = ? AND n = ? AND code = ? AND clause = ? AND places = ?"
    dialect.execute(f"UPDATE alarms SET told = ? WHERE {which}", (wall_clock(), *key))  # noqa: S608  ours
