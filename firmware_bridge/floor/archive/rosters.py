"""The rosters of a casino in the archive: each version once, signed, with the two people who made it."""

from __future__ import annotations

from collections.abc import Sequence

from nacl.signing import SigningKey

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.cleaning import cleaned
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.people.accounts.roles import Person
from firmware_bridge.people.accounts.roster import Roster, sign_roster, two_people, unique


def add_roster(archive: Archive, casino: str, people: Sequence[Person], by: tuple[str, str], key: SigningKey) -> int:
    """Sign and store the next version of a casino's roster; returns its number.

    Raises:
        RosterError: the two are one, or nobody is listed.
    """
    author, second = two_people(*by)
    listed, made = unique(people), wall_clock()
    with archive.dialect.transaction():
        chosen = "SELECT coalesce(max(version), 0) FROM rosters WHERE casino = ?"
        ((last,),) = archive.dialect.execute(chosen, (casino,))
        version = int(last) + 1
        document = sign_roster(Roster(casino, version, made, author, second, listed), key)
        values = (casino, version, document, cleaned(author), cleaned(second), made)
        archive.dialect.execute("INSERT INTO rosters VALUES (?, ?, ?, ?, ?, ?)", values)
    return version


def newest_roster(archive: Archive, casino: str) -> bytes | None:
    """The newest roster of a casino as it was signed; None if there is none."""
    chosen = "SELECT document FROM rosters WHERE casino = ? ORDER BY version DESC LIMIT 1"
    found = archive.dialect.execute(chosen, (casino,))
    return bytes(found[0][0]) if found else None
