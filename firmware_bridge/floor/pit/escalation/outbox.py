"""The outbox: what is to be sent lies in the archive until it was.

1. A console takes a letter for `LEASE` seconds; a letter that nobody holds is taken by whichever console comes first.
   One that dies leaves its letter to the other, or to itself after a restart: a letter is sent at least once, and with
   the same id if twice.
2. A letter that could not be sent is tried again, later each time, up to `SELDOM` seconds apart, `TRIES` times.
"""

from __future__ import annotations

from typing import NamedTuple

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.cleaning import cleaned
from firmware_bridge.floor.pit.escalation.ladder import Target
from firmware_bridge.journal.clock import wall_clock

LEASE, SOON, SELDOM, TRIES = 30.0, 5.0, 300.0, 50
_NEXT = "SELECT id FROM outbox WHERE sent IS NULL AND lease <= ? AND tries < ? ORDER BY made, id LIMIT 1"
_CLAIM = f"""UPDATE outbox SET lease = ?, holder = ?, tries = tries + 1 WHERE id = ({_NEXT}) AND sent IS NULL
    AND lease <= ? RETURNING id, way, target, body, tries"""  # noqa: S608  the names are ours
_PROBLEM = 200


class Letter(NamedTuple):
    """Something to be sent."""

    id: str
    target: Target
    body: str
    tries: int


def claim_letter(archive: Archive, holder: str, now: float) -> Letter | None:
    """Take the oldest letter that nobody holds; None if there is none."""
    with archive.dialect.transaction():
        found = archive.dialect.execute(_CLAIM, (now + LEASE, holder, now, TRIES, now))
    return Letter(found[0][0], Target(found[0][1], found[0][2]), found[0][3], int(found[0][4])) if found else None


def note_sent(archive: Archive, letter: Letter) -> None:
    """A letter was sent."""
    with archive.dialect.transaction():
        said = (wall_clock(), letter.id)
        archive.dialect.execute("UPDATE outbox SET sent = ?, problem = NULL WHERE id = ?", said)


def note_problem(archive: Archive, letter: Letter, problem: str, now: float) -> None:
    """A letter could not be sent: it is tried again later."""
    with archive.dialect.transaction():
        later = now + min(SOON * 2 ** (letter.tries - 1), SELDOM)
        said = (later, cleaned(problem)[:_PROBLEM], letter.id)
        archive.dialect.execute("UPDATE outbox SET lease = ?, holder = NULL, problem = ? WHERE id = ?", said)
