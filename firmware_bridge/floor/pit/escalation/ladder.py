"""The ladder of an alarm, as rows of the archive: raised, taken up or escalated once and twice, over.

1. An alarm of the *live* lists has a row from its first hearing on. It is due `after` seconds later by the centre's
   clock; if nobody has taken it up then, it is escalated, and once more after `AGAIN` times as long. A backlog of old
   events has no live list, and escalates nothing.
2. Two consoles run the same ladder: the same alarm has the same id in both, and the statement that moves a row names
   the stage it moves from, so that one of them does it. What is to be sent goes into the outbox in the same
   transaction.
3. An alarm that a table no longer lists is over, if this console has heard that table's list. One that comes again
   later has another id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.cleaning import cleaned
from firmware_bridge.floor.pit.tiles import RAISED, TAKEN_UP, AlarmKey, Stage
from firmware_bridge.journal.clock import read, wall_clock

ESCALATED_1, ESCALATED_2, OVER = "escalated-1", "escalated-2", "over"
AGAIN = 5
_NEXT = {RAISED: ESCALATED_1, ESCALATED_1: ESCALATED_2}
_OPEN = """SELECT id, name, journal, n, code, state, due, person, taken FROM escalations
    WHERE casino = ? AND ended IS NULL"""
_MOVE = (
    "UPDATE escalations SET state = ?, due = ? WHERE id = ? AND state = ? AND due <= ? AND ended IS NULL RETURNING id"
)
_TAKE = """UPDATE escalations SET state = ?, person = ?, taken = ? WHERE casino = ? AND name = ? AND journal = ?
    AND n = ? AND code = ? AND ended IS NULL AND state <> ? RETURNING id"""


class Target(NamedTuple):
    """Where news of an alarm go: by which way, and to whom."""

    way: str
    address: str


class Ladder(NamedTuple):
    """How alarms of a casino escalate: after how many seconds, and to whom."""

    casino: str
    after: float
    targets: tuple[Target, ...] = ()


def step(
    archive: Archive, ladder: Ladder, now: float, live: Mapping[AlarmKey, float], heard: frozenset[str]
) -> dict[AlarmKey, Stage]:
    """Bring the rows to what is live now, and escalate what is due; returns the stage of each alarm.

    `heard` are the tables whose list of alarms this console knows.
    """
    stages: dict[AlarmKey, Stage] = {}
    rows = archive.dialect.execute(_OPEN, (ladder.casino,))
    known = {AlarmKey(row[1], row[2], row[3], row[4]): row for row in rows}
    fresh = [key for key in live if key not in known]
    past = [row for key, row in known.items() if key not in live and key.table in heard]
    due = [(key, row) for key, row in known.items() if key in live and row[5] in _NEXT and row[6] <= now]
    if fresh or past or due:
        with archive.dialect.transaction():
            for key in fresh:
                _raise(archive, ladder, key, live[key], now)
            for row in past:
                ended = "UPDATE escalations SET state = ?, ended = ? WHERE id = ? AND ended IS NULL"
                archive.dialect.execute(ended, (OVER, wall_clock(), row[0]))
            for key, row in due:
                _escalate(archive, ladder, key, str(row[0]), str(row[5]), now)
        rows = archive.dialect.execute(_OPEN, (ladder.casino,))
    for _, name, journal, n, code, state, _, person, taken in rows:
        at = 0 if taken is None else read(taken) // 1_000_000
        stages[AlarmKey(name, journal, n, code)] = Stage(str(state), str(person or ""), at)
    return stages


def take_up(archive: Archive, ladder: Ladder, key: AlarmKey, since: float, by: str, now: float) -> bool:
    """Somebody takes up an alarm; returns False if somebody has already."""
    with archive.dialect.transaction():
        _raise(archive, ladder, key, since, now)
        taken = (TAKEN_UP, cleaned(by), wall_clock(), ladder.casino, *key, TAKEN_UP)
        return bool(archive.dialect.execute(_TAKE, taken))


def _raise(archive: Archive, ladder: Ladder, key: AlarmKey, since: float, now: float) -> None:
    """Write the row of an alarm that has none; two consoles that do it at once write the same."""
    mine = "casino = ? AND name = ? AND journal = ? AND n = ? AND code = ?"
    counted = f"SELECT count(ended), count(*) FROM escalations WHERE {mine}"  # noqa: S608  the names are ours
    ((ended, count),) = archive.dialect.execute(counted, (ladder.casino, *key))
    if count > ended:
        return
    said = "\0".join(map(str, (ladder.casino, *key, ended)))
    id_ = blake2b(said.encode("utf-8", "replace"), digest_size=12).hexdigest()
    # What is older than the time in which somebody should have come is due at once, what is fresh when that is over.
    due = min(max(since, now - ladder.after), now) + ladder.after
    name, journal, n, code = key
    named = (cleaned(name), cleaned(journal), n, cleaned(code))
    values = (id_, ladder.casino, *named, "", wall_clock(), now, RAISED, due, None, None, None)
    marks = ", ".join("?" * len(values))
    archive.dialect.execute(f"INSERT INTO escalations VALUES ({marks}) ON CONFLICT DO NOTHING", values)  # noqa: S608


def _escalate(archive: Archive, ladder: Ladder, key: AlarmKey, id_: str, stage: str, now: float) -> None:
    """Move a row that is due, if no other console has, and write what is to be sent."""
    after = _NEXT[stage]
    if not archive.dialect.execute(_MOVE, (after, now + AGAIN * ladder.after, id_, stage, now)):
        return
    body = json.dumps({"casino": ladder.casino, "table": key.table, "code": key.code, "n": key.n, "stage": after})
    insert_letters(archive, [(f"{id_}-{after}", id_, target, body) for target in ladder.targets], now)


def insert_letters(archive: Archive, letters: Iterable[tuple[str, str, Target, str]], now: float) -> None:
    """Write what is to be sent: the beginning of its id, its escalation, its target, what it says."""
    columns = ("id", "escalation", "way", "target", "body", "made", "lease", "tries")
    rows = []
    for begin, escalation, target, body in letters:
        told = blake2b("\0".join(target).encode(), digest_size=6).hexdigest()
        rows.append((f"{begin}-{told}", escalation, target.way, target.address, body, now, 0.0, 0))
    if rows:
        archive.dialect.insert("outbox", columns, rows)
