"""The people of a casino in one document, signed by the key of its floor for two named persons.

1. The document is JSON: ``said``, a text, and its signature. What is said names the casino, a version that rises, when
   it was made, its author and the second person, and the people as ``people.json`` has them.
2. It holds the kept forms of PINs: it travels encrypted, and lies in files for their owner alone.
3. The owner of the host of the floor can forge it, visibly and at every table at once: no person has a key.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from firmware_bridge.people.accounts.people_file import MOST as MOST_PEOPLE
from firmware_bridge.people.accounts.people_file import person_of, written
from firmware_bridge.people.accounts.roles import Person

_BEGIN = b"truedeal roster 1\0"
MOST = 4 * 1024 * 1024
"""Bytes of the longest document."""


class RosterError(ValueError):
    """A document that is no roster of this casino."""


class Roster(NamedTuple):
    """The people of a casino."""

    casino: str
    version: int
    made: str
    author: str
    second: str
    people: tuple[Person, ...]


def sign_roster(roster: Roster, key: SigningKey) -> bytes:
    """The document of a roster."""
    listed = json.loads(written(roster.people))["people"]
    said = json.dumps({**roster._asdict(), "people": listed}, ensure_ascii=False)
    signature = key.sign(_BEGIN + said.encode()).signature
    return json.dumps({"said": said, "signature": signature.hex()}).encode()


def read_roster(document: bytes, floor: bytes, casino: str) -> Roster:
    """The roster that a document holds, if the floor with this public key has signed it.

    Raises:
        RosterError: it has not, or the document is another casino's.
    """
    try:
        if len(document) > MOST:
            raise RosterError("a roster that is too long")
        outer = json.loads(document)
        said = str(outer["said"])
        VerifyKey(floor).verify(_BEGIN + said.encode(), bytes.fromhex(outer["signature"]))
        told = json.loads(said)
        people = tuple(person_of(one) for one in told["people"])
        made, author, second = (str(told[name]) for name in ("made", "author", "second"))
        roster = Roster(str(told["casino"]), int(told["version"]), made, author, second, people)
    except (BadSignatureError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise RosterError("no roster that this floor has signed") from error
    if roster.casino != casino:
        raise RosterError(f"the roster of {roster.casino}, not of {casino}")
    return roster


def two_people(author: str, second: str) -> tuple[str, str]:
    """Two different persons.

    Raises:
        RosterError: they are one, or nobody.
    """
    names = author.strip(), second.strip()
    if not all(names) or names[0].casefold() == names[1].casefold():
        raise RosterError("two different people are needed")
    return names


def unique(people: Sequence[Person]) -> tuple[Person, ...]:
    """People, each staff number once.

    Raises:
        RosterError: there is nobody, a number stands twice, or there are more than a table takes.
    """
    if len(people) > MOST_PEOPLE:
        raise RosterError(f"more than {MOST_PEOPLE} people, which is the most that a table takes")
    if not people or len({one.id.casefold() for one in people}) < len(people):
        raise RosterError("expected people, each staff number once")
    return tuple(people)
