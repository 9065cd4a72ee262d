"""Which program may begin a round: the accepted one, and a new one when two people have accepted it."""

from __future__ import annotations

import json

from firmware_bridge.program.accepted import Programs
from firmware_bridge.program.running import DEVELOPMENT

ENGINEER, MANAGER = ("Eve", "engineer"), ("Mia", "shift-manager")
OLD, NEW = "a" * 64, "b" * 64


def test_the_first_program_is_taken_as_it_is_and_the_same_again() -> None:
    """Also where starts before it named none."""
    first = Programs().started("0.1.0", "").started("0.1.0", OLD)
    assert first.waits() is None
    assert first == first.started("0.1.0", OLD)


def test_a_new_program_needs_both() -> None:
    """Neither role alone, nor one person in both, whatever name and role their staff number has had since."""
    new = Programs().started("0.1.0", OLD).started("0.2.0", NEW)
    expected = "the program 0.2.0 bbbbbbbbbbbbbbbb is not accepted yet: needs engineer and shift-manager"
    assert expected == str(new.waits())
    half = new.agreed(new.running, *ENGINEER)
    assert str(half.waits()).endswith("needs shift-manager")
    assert half.agreed(new.running, "Eve", "shift-manager").waits() is not None
    ann = new.agreed(new.running, "Ann Lee (12)", "engineer")
    assert "second person" in str(ann.refuses(NEW, "Ann Tan (12)", "shift-manager"))
    assert ann.agreed(new.running, "Ann Tan (12)", "shift-manager").waits() is not None
    assert half.agreed(f"0.1.0 {OLD}", *MANAGER) == half
    assert half.agreed(new.running, *MANAGER).waits() is None


def test_an_earlier_version_waits_and_says_that_it_is_older() -> None:
    """Also one that was accepted before; 0.10 is above 0.9."""
    now = Programs().started("0.9.0", OLD).started("0.10.0", NEW)
    now = now.agreed(now.running, *ENGINEER).agreed(now.running, *MANAGER)
    back = now.started("0.9.0", OLD)
    assert "older than 0.10.0, which has run here," in str(back.waits())
    accepted = back.agreed(back.running, *ENGINEER).agreed(back.running, *MANAGER)
    assert accepted.waits() is None
    assert accepted.started("0.9.0", OLD).waits() is None


def test_a_checkout_in_place_of_the_package_waits_too() -> None:
    """What nobody has signed is another program."""
    assert Programs().started("0.1.0", OLD).started("0.1.0", DEVELOPMENT).waits() is not None


def test_half_an_acceptance_lasts_over_a_restart_of_the_same_program_alone() -> None:
    """Another program begins anew."""
    half = Programs().started("1", OLD).started("2", NEW).agreed(f"2 {NEW}", *ENGINEER)
    assert (ENGINEER,) == half.started("2", NEW).by
    assert () == half.started("3", "c" * 64).by


def test_who_may_accept() -> None:
    """The roles, by the digest, each once, and only while something waits."""
    new = Programs().started("1", OLD).started("2", NEW)
    assert "no program waits to be accepted" == str(Programs().started("1", OLD).refuses(OLD, *ENGINEER))
    assert "needs engineer or shift-manager: logged in as dealer" in str(new.refuses(NEW, "Dan", "dealer"))
    assert "nobody is logged in" in str(new.refuses(NEW, "", ""))
    for said in ("", NEW[:15], OLD, f"{NEW}b"):
        assert f"the program that waits is {NEW[:16]}" == str(new.refuses(said, *ENGINEER))
    assert new.refuses(NEW[:16], *ENGINEER) is None
    half = new.agreed(new.running, *ENGINEER)
    assert "Eve has accepted it already: a second person is needed" == str(half.refuses(NEW, "Eve", "shift-manager"))
    assert "one engineer has accepted it already" == str(half.refuses(NEW, "Emil", "engineer"))


def test_rows_and_snapshots_tell_the_same() -> None:
    """What is kept as plain data, or noted, comes back."""
    half = Programs().started("1", OLD).started("2", NEW).agreed(f"2 {NEW}", *ENGINEER)
    assert half == Programs.resumed(json.loads(json.dumps(half.kept())))
    assert half.agreed(half.running, *MANAGER) == half.noted(json.loads(half.note(*MANAGER)))
    assert half == half.noted({"numbering": 1})
