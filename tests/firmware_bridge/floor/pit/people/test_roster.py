"""The roster of a casino: signed by the floor for two people, each version once, and proved by the floor's key."""

from __future__ import annotations

import json

import pytest
from nacl.signing import SigningKey

from firmware_bridge.console.login.sessions import Sessions
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.rosters import add_roster, newest_roster
from firmware_bridge.floor.pit.people.staff import Staff
from firmware_bridge.people.accounts.roles import LEAST, PIT_MANAGER, SHIFT_MANAGER, Person, make_pin
from firmware_bridge.people.accounts.roster import RosterError, read_roster
from tests.firmware_bridge.floor.conftest import CASINO

KEY = SigningKey(bytes(32))
FLOOR = bytes(KEY.verify_key)
ANN = Person("Ann", SHIFT_MANAGER, make_pin("4711", LEAST), "12")
BY = ("Ann (12)", "Ben (13)")


def test_versions_rise_and_the_newest_counts(archive: Archive) -> None:
    """What was signed is read as it was."""
    assert newest_roster(archive, CASINO) is None
    assert 1 == add_roster(archive, CASINO, [ANN], BY, KEY)
    assert 2 == add_roster(archive, CASINO, [ANN, Person("Cy", PIT_MANAGER, ANN.pin, "14")], BY, KEY)
    document = newest_roster(archive, CASINO)
    assert document is not None
    roster = read_roster(document, FLOOR, CASINO)
    assert (2, BY, ["12", "14"]) == (roster.version, (roster.author, roster.second), [one.id for one in roster.people])


def test_nobody_makes_a_roster_alone_or_for_another_casino(archive: Archive) -> None:
    """Two names, a list, the floor's own key, its own casino, and not one byte changed."""
    for by in (("Ann", "ann "), ("Ann", "")):
        with pytest.raises(RosterError, match="two different people"):
            add_roster(archive, CASINO, [ANN], by, KEY)
    with pytest.raises(RosterError, match="each staff number once"):
        add_roster(archive, CASINO, [ANN, ANN], BY, KEY)
    add_roster(archive, CASINO, [ANN], BY, KEY)
    document = newest_roster(archive, CASINO)
    assert document is not None
    with pytest.raises(RosterError, match="not of elsewhere"):
        read_roster(document, FLOOR, "elsewhere")
    outer = json.loads(document)
    changed = json.dumps({**outer, "said": outer["said"].replace("shift-manager", "surveillance")}).encode()
    for wrong, key in ((changed, FLOOR), (document, bytes(SigningKey(b"1" * 32).verify_key)), (b"[]", FLOOR)):
        with pytest.raises(RosterError, match="this floor has signed"):
            read_roster(wrong, key, CASINO)


def test_a_lower_version_is_not_taken(archive: Archive) -> None:
    """An archive that was restored cannot bring back somebody who has left."""
    staff = Staff(CASINO, FLOOR, Sessions(lambda: 0.0), lambda: 0.0)
    add_roster(archive, CASINO, [ANN], BY, KEY)
    first = newest_roster(archive, CASINO)
    add_roster(archive, CASINO, [Person("Cy", PIT_MANAGER, ANN.pin, "14")], BY, KEY)
    staff.take_roster(newest_roster(archive, CASINO))
    staff.take_roster(first)
    assert ["14"] == [one.id for one in staff._register.people]
