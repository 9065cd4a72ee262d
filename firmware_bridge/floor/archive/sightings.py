"""What single rows of a journal tell for questions: starts, people, devices, shuffles, alarms and their clearing.

1. Of the rows that come only a few are looked at: starts, notes that are JSON, and shuffles. None of them names a card,
   so that what is made of them may be read before the round is over (`questions` has what may not).
2. What makes no sense is left out; its bytes are still kept.
3. People are seen by their logins and logouts, and by the changes of who may log in. `number` is the staff number, or
   the name of somebody who has none. The Dealer of a round is the one who logged in last in that role, and its shuffler
   is the one that shuffled last; a shuffle by hand has none.
4. A start names the place of its table on the floor. Under a verified head that proves that the owner of the journal's
   key means to be there: the shipper, which cannot read that key, cannot say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firmware_bridge.floor.archive import alarms
from firmware_bridge.floor.archive.alarms import Raised
from firmware_bridge.floor.archive.cleaning import extract
from firmware_bridge.floor.archive.dialects import Dialect
from firmware_bridge.floor.intake.known import Event
from firmware_bridge.journal import schema
from firmware_bridge.people.accounts.roles import DEALER

if TYPE_CHECKING:
    from firmware_bridge.floor.archive.archive import Place

LOGIN, LOGOUT = "login", "logout"
_WHERE = ("journal", "casino", "name", "line", "n", "at")
_START = (*_WHERE, "boot", "version", "program", "called", "people", "enrolled_as", "nkey")
_SEEN = (*_WHERE, "what", "number", "person", "role")
_DEVICE = (*_WHERE, "device", "serial", "firmware")
_SHUFFLE = (*_WHERE, "method", "times", "serial")
_SHUFFLED = '{"is":"Shuffled"'
_MACHINE = "machine"
_CALLED = re.compile(r"(.*) \((\S+)\)", re.DOTALL)
_MOST = 2**31


def write_sightings(dialect: Dialect, place: Place, events: Sequence[Event]) -> None:
    """Write what rows tell, in their order."""
    for event in events:
        row = event.row
        where = (*place, event.line, row.n, extract(row.at))
        if row.kind == schema.START:
            _write_start(dialect, where, _read(row.body))
        elif row.kind == schema.NOTE and (row.body or "").startswith("{"):
            _write_note(dialect, place, where, _read(row.body))
        elif row.kind == schema.EVENT and (row.body or "").startswith(_SHUFFLED):
            _write_shuffle(dialect, where, _read(row.body), row.device)


def dealer_at(dialect: Dialect, journal: bytes, n: int) -> str:
    """The staff number of the Dealer at an event; empty if nobody has logged in as one."""
    chosen = """SELECT number FROM people_seen WHERE journal = ? AND n <= ? AND what = ? AND role = ?
        ORDER BY line DESC, n DESC LIMIT 1"""
    found = dialect.execute(chosen, (journal, n, LOGIN, DEALER))
    return str(found[0][0]) if found else ""


def shuffler_at(dialect: Dialect, journal: bytes, n: int) -> str:
    """The serial number of the shuffler that had shuffled last before an event; empty if it was done by hand."""
    chosen = "SELECT serial FROM shuffles WHERE journal = ? AND n <= ? ORDER BY line DESC, n DESC LIMIT 1"
    found = dialect.execute(chosen, (journal, n))
    return str(found[0][0]) if found else ""


def said_place(dialect: Dialect, journal: bytes) -> tuple[str, str] | None:
    """The table and the shipper's key that a journal itself names, in its last start under a verified head."""
    chosen = """SELECT s.enrolled_as, s.nkey FROM starts s JOIN journals j ON j.id = s.journal
        WHERE s.journal = ? AND s.n <= j.seal_n ORDER BY s.line DESC, s.n DESC LIMIT 1"""
    found = dialect.execute(chosen, (journal,))
    return (str(found[0][0]), str(found[0][1])) if found and found[0][0] else None


def last_version(dialect: Dialect, journal: bytes) -> str:
    """The version of the program that a journal has named last; empty if none has begun."""
    chosen = "SELECT version FROM starts WHERE journal = ? ORDER BY line DESC, n DESC LIMIT 1"
    found = dialect.execute(chosen, (journal,))
    return str(found[0][0]) if found else ""


def _read(body: str | None) -> dict[str, Any]:
    try:
        said = json.loads(body or "")
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _write_start(dialect: Dialect, where: tuple[object, ...], said: dict[str, Any]) -> None:
    texts = (extract(said.get(key)) for key in ("boot", "version", "program", schema.NAMED))
    people, place = said.get("roles"), said.get(schema.ENROLLED)
    named = (place.get("table"), place.get("nkey")) if isinstance(place, dict) else (None, None)
    many = len(people) if isinstance(people, dict) else 0
    dialect.insert("starts", _START, [(*where, *texts, many, *map(extract, named))])


def _write_note(dialect: Dialect, place: Place, where: tuple[Any, ...], said: dict[str, Any]) -> None:
    line, n, at = where[3:]
    match said:
        case {"login": str(called)}:
            _write_person(dialect, where, LOGIN, called, said)
        case {"logout": str(called)}:
            _write_person(dialect, where, LOGOUT, called, said)
        case {"people": str(what), "number": str(number), "name": str(person)}:
            seen = (extract(what), extract(number), extract(person), extract(said.get("role")))
            dialect.insert("people_seen", _SEEN, [(*where, *seen)])
        case {"device": str(device), "serial": str(serial)}:
            known = (extract(device), extract(serial), extract(said.get("firmware")))
            dialect.insert("devices", _DEVICE, [(*where, *known)])
        case {"cleared": list()}:
            alarms.clear_alarms(dialect, place, line, n, at, said)
    if isinstance(code := said.get("alarm"), str):
        alarms.raise_alarm(dialect, place, Raised(line, n, at, extract(code), "", alarms.REPORTED, "", None))


def _write_person(dialect: Dialect, where: tuple[object, ...], what: str, called: str, said: dict[str, Any]) -> None:
    """Somebody as the journal calls them, by name and staff number."""
    match = _CALLED.fullmatch(called)
    person, number = (called, called) if match is None else (match[1], match[2])
    row = (*where, what, extract(number), extract(person), extract(said.get("role")))
    dialect.insert("people_seen", _SEEN, [row])


def _write_shuffle(dialect: Dialect, where: tuple[Any, ...], said: dict[str, Any], device: str) -> None:
    method, times = said.get("method"), said.get("times", 1)
    if not isinstance(method, str) or type(times) is not int or not 0 <= times < _MOST:
        return
    serial = ""
    if method == _MACHINE:
        chosen = """SELECT serial FROM devices WHERE journal = ? AND n <= ? AND device = ?
            ORDER BY line DESC, n DESC LIMIT 1"""
        found = dialect.execute(chosen, (where[0], where[4], extract(device)))
        serial = str(found[0][0]) if found else ""
    dialect.insert("shuffles", _SHUFFLE, [(*where, extract(method), times, serial)])
