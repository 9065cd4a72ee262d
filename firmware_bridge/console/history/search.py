"""Finds past rounds: by number, time, box, finding, card, outcome, clause, person, amount or notes (`wanted`).

1. Newest first, over every segment that can be read: those at hand, those in the archive, those that were set aside.
   One that cannot be read is named in the answer.
2. A page has at most `wanted.MOST` rounds. `next` continues it, and stays right while the journal grows and while
   segments are archived. After `PATIENCE` seconds a search ends at the end of the segment, with what it has found so
   far: the answer says how far back it has looked, and `next` goes on from there. A round is listed once, by its newest
   record.
3. A time means the rounds that were on at some moment from `since` to `until`. A box means that a wager lay on it. A
   card means that it lay open on a hand when the round was over, or was laid before the Dealer or at a box that nobody
   squeezed: a card that nobody saw is not found. A clause means a finding by it or by one under it; if a finding is
   wanted too, that one. A person means that they said something while the round was on or about what was found, by name
   or staff number; capitals do not matter, and edition 1 wrote nobody down beside what was said. An amount means a
   wager of at least that stake.
4. It remembers when the rounds of an archived segment began and ended, so that a search by time unpacks few segments.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware_bridge.audit.exports.csv_cells import key
from firmware_bridge.audit.journal_reader import Part, Reader, UnreadableError, opened, parts
from firmware_bridge.audit.round_filter import is_called
from firmware_bridge.commands.table.report_text import cents_of
from firmware_bridge.console.answers import RoundRow
from firmware_bridge.console.history.note_index import NoteIndex
from firmware_bridge.console.history.wanted import Wanted
from firmware_bridge.journal import event_codec, schema
from firmware_bridge.journal.rounds.round_reader import SHORT
from firmware_bridge.journal.segments import edition, number_of
from gamecore.model.cards import Card
from gamecore.model.events import events as ev
from gamecore.model.money import dollars
from gamecore.model.places import DEALER

PATIENCE = 2.0
REMEMBERED = 4096
"""The most archived segments whose times are remembered."""
_FINDINGS = "(SELECT group_concat(code, ' ') FROM findings WHERE round = rounds.id) AS findings"
_BEFORE = "SELECT first FROM rounds WHERE first < (SELECT min(n) FROM events)"
_WITH_CARD = "EXISTS (SELECT 1 FROM events WHERE n BETWEEN rounds.first AND rounds.last AND body LIKE ?)"
_WITH_FINDING = "EXISTS (SELECT 1 FROM findings WHERE round = rounds.id AND code LIKE ? AND clause || '.' LIKE ?)"
_BY_PERSON = """EXISTS (SELECT 1 FROM events WHERE n BETWEEN rounds.first AND rounds.last AND is_called(person))
    OR EXISTS (SELECT 1 FROM rulings WHERE round = rounds.id AND is_called(person))"""
_LAID = """SELECT kind, body FROM events WHERE n BETWEEN ? AND ?
    AND (body LIKE '{"is":"CardLaid"%' OR body LIKE '{"is":"Squeeze"%')"""


@dataclass(slots=True)
class Page:
    """What was found: rounds in short, what continues it, how far back it has looked, and what cannot be read."""

    rounds: list[RoundRow] = field(default_factory=list)
    next: str | None = None
    back_to: str | None = None
    unread: list[str] = field(default_factory=list)


# --- looking --------------------------------------------------------------------------------------------------------


class Search:
    """Looks through the journal of one state folder; may be asked by several threads."""

    def __init__(
        self, state: Path, clock: Callable[[], float] = time.monotonic, notes: NoteIndex | None = None
    ) -> None:
        self._state = state
        self._notes = notes or NoteIndex(state)
        self._clock = clock
        self._times: dict[tuple[str, int, int], tuple[str, str] | None] = {}

    def page(self, what: Wanted) -> Page:
        """One page of rounds.

        Raises:
            UnreadableError: there is no journal.
        """
        found = Page()
        self._notes.refresh()
        until = self._clock() + PATIENCE
        newest_first = parts(self._state)[::-1]
        left = list(_behind(what, newest_first))
        told = _told_later(newest_first[: newest_first.index(left[0][0])][-1:]) if left else set()
        for at, (part, below) in enumerate(left, start=1):
            if self._is_outside(part, what):
                continue
            try:
                with opened(part) as reader:
                    whole = self._add_rounds(part, reader, what, below, found, told)
                    told |= _of_before(reader)
            except (sqlite3.Error, UnreadableError, UnicodeDecodeError):
                found.unread.append(part.name)
                continue
            if not whole:
                return found
            if self._clock() > until and at < len(left):
                found.next = f"{_name(part)}:0"
                return found
        return found

    def _add_rounds(
        self, part: Part, reader: Reader, what: Wanted, below: int | None, found: Page, told: set[int]
    ) -> bool:
        """Add the rounds of a segment that no later record has; returns whether there was room for all."""
        reader.connection.row_factory = sqlite3.Row
        if part.packed:
            self._remember(part, reader)
        if what.person is not None and not _teach_names(reader, what.person):
            return True
        condition, values = _condition(what, below)
        if what.notes is not None:
            noted = self._notes.noted(bookmarked=what.notes != "any")
            condition += f" AND first IN ({', '.join(map(str, noted)) or 'NULL'})"
        chosen = f"SELECT id, {SHORT}, {_FINDINGS}, report FROM rounds {condition} ORDER BY id DESC"  # noqa: S608  ours
        for row in reader.connection.execute(chosen, values):
            if row["first"] in told or not _fits(reader, row, what):
                continue
            if len(found.rounds) == what.count:
                last = found.rounds[-1]
                found.next = f"{last['segment'].removesuffix('.gz')}:{last['id']}"
                return False
            many, marked = self._notes.in_short(row["first"])
            found.rounds.append({**_short(part, row), "noted": many, "bookmark": marked})
        oldest = reader.connection.execute("SELECT began FROM rounds ORDER BY id LIMIT 1").fetchone()
        found.back_to = oldest["began"] if oldest is not None else found.back_to
        return True

    def _remember(self, part: Part, reader: Reader) -> None:
        """Note when the rounds of an archived segment began and ended."""
        first, last = reader.connection.execute("SELECT min(began), max(ended) FROM rounds").fetchone()
        if len(self._times) >= REMEMBERED:
            self._times.clear()
        self._times[_key(part)] = (first, last) if first is not None else None

    def _is_outside(self, part: Part, what: Wanted) -> bool:
        """Whether an archived segment is known to have no round at the time that is wanted."""
        if not part.packed or (what.since is None and what.until is None):
            return False
        try:
            key = _key(part)
        except OSError:
            return False
        if key not in self._times:
            return False
        times = self._times[key]
        if times is None:
            return True
        return (what.since is not None and times[1] < what.since) or (what.until is not None and times[0] > what.until)


def _told_later(after: list[Part]) -> set[int]:
    """The rounds of which the segment after has a later record, by their first event."""
    for part in after:
        with suppress(sqlite3.Error, UnreadableError, UnicodeDecodeError), opened(part) as reader:
            return _of_before(reader)
    return set()


def _of_before(reader: Reader) -> set[int]:
    """The rounds in the records of a segment that began before it."""
    reader.connection.row_factory = None
    return {first for (first,) in reader.connection.execute(_BEFORE)}


def _behind(what: Wanted, newest_first: list[Part]) -> Iterator[tuple[Part, int | None]]:
    """The segments that are still to be looked at; of the first perhaps only the rounds below an id."""
    reached = what.after is None
    for part in newest_first:
        below: int | None = None
        if not reached and what.after is not None:
            name, id_ = what.after
            same = _name(part) == name
            if not same and part.number >= number_of(Path(name)):
                continue
            reached, below = True, id_ if same else None
        if below != 0:  # 0 stands for one that has been looked at to its end
            yield part, below


def _name(part: Part) -> str:
    """The name of a segment, wherever it lies."""
    return part.name.removesuffix(".gz")


def _key(part: Part) -> tuple[str, int, int]:
    stat = part.path.stat()
    return part.name, stat.st_size, stat.st_mtime_ns


def _condition(what: Wanted, below: int | None) -> tuple[str, list[object]]:
    """What is asked of SQLite."""
    plain: dict[str, object] = {
        "id < ?": below,
        "number = ?": what.number,
        "ended >= ?": what.since,
        "began <= ?": what.until,
        "' ' || boxes || ' ' LIKE ?": None if what.box is None else f"% {what.box} %",
        "outcome = ?": what.outcome,
        _WITH_CARD: None if what.card is None else f'%"{what.card}%',
    }
    asked: list[tuple[str, tuple[object, ...]]] = [(schema.NEWEST, ())]
    asked += [(text, (value,)) for text, value in plain.items() if value is not None]
    if what.finding is not None or what.clause is not None:
        code = "%" if what.finding in {None, "any"} else what.finding
        asked.append((_WITH_FINDING, (code, "%" if what.clause is None else f"{what.clause}.%")))
    if what.person is not None:
        asked.append((_BY_PERSON, ()))
    where = " AND ".join(f"({text})" for text, _ in asked)
    return f"WHERE {where}", [value for _, values in asked for value in values]


def _teach_names(reader: Reader, wanted_person: str) -> bool:
    """Let SQLite know who is wanted; returns whether the segment writes down who said something."""
    named = reader.connection.execute("SELECT 1 FROM pragma_table_info('events') WHERE name = 'person'").fetchone()
    called = lambda person: bool(person) and is_called(str(person), wanted_person)  # noqa: E731
    reader.connection.create_function("is_called", 1, called)
    return named is not None


def _fits(reader: Reader, row: sqlite3.Row, what: Wanted) -> bool:
    """Whether a round is wanted, by the conditions that SQLite does not test."""
    if what.card is not None and not _lay(reader, row, what.card):
        return False
    return what.amount is None or any(stake >= what.amount for stake in _stakes(row["report"]))


def _stakes(report: str) -> list[int]:
    """What was staked on each wager, in cents."""
    try:
        return [cents_of(wager["stake"]) for wager in json.loads(report)["wagers"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


def _lay(reader: Reader, row: sqlite3.Row, wanted_card: Card) -> bool:
    """Whether a card lay open in a round; of equal ones, of which one lies face down, none is known to."""
    shown = _reported_cards(row["report"])
    laid, squeezed = _laid_cards(reader, row["first"], row["last"])
    hidden = {text for box, text in laid if box in squeezed}
    seen = shown | ({text for box, text in laid if box not in squeezed} - hidden)
    return str(wanted_card) in (seen if wanted_card.code else {text.partition("#")[0] for text in seen})


def _reported_cards(report: str) -> set[str]:
    """The cards that a report shows."""
    try:
        told = json.loads(report)
        return {text for hand in (told["dealer"], *told["hands"]) for text in hand["cards"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        return set()


def _laid_cards(reader: Reader, first: int, last: int) -> tuple[set[tuple[int, str]], set[int]]:
    """The cards that were laid at a box or before the Dealer, each with the box; and the boxes that were squeezed."""
    laid: set[tuple[int, str]] = set()
    squeezed: set[int] = set()
    written = edition(reader.connection)
    for kind, body in reader.connection.execute(_LAID, (first, last)).fetchall():
        with suppress(event_codec.CodecError):
            match event_codec.of_row(kind, body, written):
                case ev.CardLaid(face, place) if place.box >= DEALER.box:
                    laid.add((place.box, str(face)))
                case ev.Squeeze(box):
                    squeezed.add(box)
    return laid, squeezed


def _short(part: Part, row: sqlite3.Row) -> RoundRow:
    """A round in short, with what was staked and what the Players won or lost."""
    short: RoundRow = {
        "id": row["id"],
        "key": key(row["began"], row["first"]),
        "number": row["number"],
        "game": row["game"],
        "first": row["first"],
        "last": row["last"],
        "began": row["began"],
        "ended": row["ended"],
        "outcome": row["outcome"],
        "boxes": row["boxes"],
        "findings": (row["findings"] or "").split(),
        "segment": part.name,
        "staked": None,
        "net": None,
        "noted": 0,
        "bookmark": False,
    }
    with suppress(ValueError, KeyError, TypeError, RecursionError):  # a changed record has no sums, or one
        wagers = json.loads(row["report"])["wagers"]
        short["staked"] = dollars(sum(cents_of(wager["stake"]) for wager in wagers))
        short["net"] = dollars(sum(cents_of(wager["net"]) for wager in wagers if wager["net"] is not None))
    return short
