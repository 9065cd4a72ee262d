"""The tokens of enrolment in the archive: issued by two people, used once, within a day."""

from __future__ import annotations

import time

from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.cleaning import cleaned
from firmware_bridge.floor.wire.tokens import LASTS, Token
from firmware_bridge.journal.clock import wall_clock


def add_token(archive: Archive, token: Token, table: tuple[str, str], people: tuple[str, str]) -> None:
    """Store what proves a token, for a table, with the two people who issue it.

    Raises:
        ValueError: the two are one.
    """
    person, second = (cleaned(one.strip()) for one in people)
    if not person or not second or person.casefold() == second.casefold():
        raise ValueError("two different people issue a token")
    values = (token.id, *table, token.key, wall_clock(), int(time.time()) + LASTS, person, second, None)
    with archive.dialect.transaction():
        archive.dialect.execute("INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def key_of(archive: Archive, id_: str) -> tuple[bytes, str, str] | None:
    """The key of a token that still counts, and its table; None if there is none."""
    chosen = "SELECT proof, casino, name FROM tokens WHERE id = ? AND used IS NULL AND expires > ?"
    found = archive.dialect.execute(chosen, (id_, int(time.time())))
    return (bytes(found[0][0]), found[0][1], found[0][2]) if found else None


def use_token(archive: Archive, id_: str, table: Enrolled, root: bytes) -> bool:
    """Use up a token and enrol a table by it, both or neither; returns False if the token was used before."""
    with archive.dialect.transaction():
        chosen = f"SELECT id FROM tokens WHERE id = ? AND used IS NULL{archive.dialect.for_update}"  # noqa: S608
        if not archive.dialect.execute(chosen, (id_,)):
            return False
        archive.dialect.execute("UPDATE tokens SET used = ? WHERE id = ?", (wall_clock(), id_))
        archive.add_table_within(table)
        archive.add_journal_within(table.casino, table.name, root)
    return True
