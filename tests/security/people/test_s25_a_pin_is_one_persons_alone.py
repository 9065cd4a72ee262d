"""S25: PINs that nobody guesses first, one account and one login a person, changed by two while the table runs."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from firmware_bridge.people.accounts.roles import LEAST, Person, make_pin
from tests.firmware_bridge.control_socket_rig import Client
from tests.firmware_bridge.table_with_roles import PEOPLE, PIN, Post, at_post

GOOD, BETTER = "482913", "730582"


async def logged_in(post: Post, name: str, pin: str, **more: str) -> tuple[Client, dict[str, object]]:
    """Connect and try to log in."""
    client = await post.client()
    return client, await client.ask("login", name=name, pin=pin, **more)


def aged(days: int, **more: object) -> Person:
    """Somebody whose PIN is this many days old."""
    set_on = (date(2027, 1, 1) - timedelta(days=days)).isoformat()
    return replace(Person("Ann Lee", "dealer", make_pin(GOOD, LEAST), "1042", "", set_on), **more)  # type: ignore[arg-type]


def at_day(post: Post, day: date = date(2027, 1, 1)) -> None:
    """Let it be a day."""
    assert post.guard is not None
    post.guard.register.today = lambda: day


@pytest.mark.parametrize(
    ("pin", "why"),
    [
        ("0000", "digits"),
        ("1234", "digits"),
        ("aaaa", "digits"),
        ("12345", "digits"),
        ("four digits", "digits"),
        ("१२३४५६", "digits"),
        ("000000", "repeats"),
        ("121212", "repeats"),
        ("482482", "repeats"),
        ("911187", "repeats"),
        ("123406", "count"),
        ("765491", "count"),
        ("789012", "count"),
        ("770421", "staff number"),
        ("007704", "staff number"),
        ("198204", "year"),
        ("052007", "year"),
    ],
)
def test_a_pin_that_is_guessed_first_is_not_taken(tmp_path: Path, pin: str, why: str) -> None:
    """Neither for somebody else nor for oneself; and it is not repeated."""

    async def scene(post: Post) -> None:
        manager = await post.client("shift-manager")
        said = {"kind": "add", "number": "7704", "name": "Ann Lee", "role": "dealer", "pin": pin}
        refused = (await manager.ask("propose-person", **said))["refused"]
        assert (True, False) == (why in refused, pin in refused)
        _, answer = await logged_in(post, "7703", GOOD, new=pin.replace("7704", "7703"))
        assert (True, False) == (why in str(answer["refused"]), pin in str(answer))

    at_post(tmp_path, scene, people=(*PEOPLE, Person("Bo Tan", "dealer", make_pin(GOOD, LEAST), "7703")))


def test_the_second_login_ends_the_first_which_is_told_why(tmp_path: Path) -> None:
    """One login at a time a person; both are rows of the journal."""

    async def scene(post: Post) -> None:
        first, second = await post.client("pit-manager"), await post.client("pit-manager")
        assert "logged in elsewhere" in (await first.read())["ended"]["why"]
        assert "needs a login" in (await first.ask("say", statement="place-bets"))["refused"]
        assert "pit-manager" == (await second.ask("status"))["role"]
        post.pump.process_queue()
        ended = [note for note in post.notes() if "logout" in note]
        assert [("the pit-manager", True)] == [(note["logout"], "elsewhere" in note["why"]) for note in ended]

    at_post(tmp_path, scene)


def test_a_change_needs_two_people_and_no_restart(tmp_path: Path) -> None:
    """A shift manager proposes, another of pit manager or above confirms; the row has both and the list's digest."""

    async def scene(post: Post) -> None:
        shift, pit = await post.client("shift-manager"), await post.client("pit-manager")
        said = {"kind": "add", "number": "1042", "name": "Ann Lee", "role": "pit-manager", "pin": GOOD}
        assert "shift-manager" in (await pit.ask("propose-person", **said))["refused"]
        proposal = (await shift.ask("propose-person", **said))["proposal"]
        assert "wrong" in (await logged_in(post, "1042", GOOD))[1]["refused"]  # type: ignore[operator]
        assert "another person" in (await shift.ask("confirm-person", proposal=proposal))["refused"]
        dealer = await post.client("dealer")
        assert "pit-manager" in (await dealer.ask("confirm-person", proposal=proposal))["refused"]
        assert (await pit.ask("confirm-person", proposal=proposal))["ok"]
        post.now += 60
        _, answer = await logged_in(post, "1042", GOOD)
        assert (True, True) == (answer["renew"], "choose one of your own" in str(answer["refused"]))
        ann, answer = await logged_in(post, "1042", GOOD, new=BETTER)
        assert ("pit-manager", "Ann Lee (1042)") == (answer["role"], answer["name"])
        proposal = (await shift.ask("propose-person", kind="change", number="1042", role="shift-manager"))["proposal"]
        assert "the one it is about" in (await ann.ask("confirm-person", proposal=proposal))["refused"]
        assert (await pit.ask("confirm-person", proposal=proposal))["ok"]
        assert "changed" in (await ann.read())["ended"]["why"]
        proposal = (await shift.ask("propose-person", kind="expire", number="1042"))["proposal"]
        assert (await pit.ask("confirm-person", proposal=proposal))["ok"]
        assert "may not log in" in str((await logged_in(post, "1042", BETTER))[1]["refused"])
        rows = [note for note in post.notes() if "people" in note]
        told = [(row["people"], row["number"], row["role"], row["by"], row["second"]) for row in rows]
        both = ("the shift-manager", "the pit-manager")
        assert told == [
            ("add", "1042", "pit-manager", *both),
            ("PIN chosen", "1042", "pit-manager", "Ann Lee (1042)", None),
            ("change", "1042", "shift-manager", *both),
            ("expire", "1042", "shift-manager", *both),
        ]
        assert post.guard is not None
        assert post.guard.register.digest == rows[-1]["people-digest"]
        kept = post.state / "people.json"
        assert 0o600 == kept.stat().st_mode & 0o777
        assert [] == [pin for pin in (GOOD, BETTER) if pin in kept.read_text() or pin in json.dumps(post.notes())]

    at_post(tmp_path, scene)


def test_the_age_of_a_pin_warns_then_asks_and_keeps_nobody_from_a_round(tmp_path: Path) -> None:
    """After 90 days and after 120."""

    async def scene(post: Post) -> None:
        at_day(post)
        _, answer = await logged_in(post, "Bo", GOOD)
        assert {"ok", "role", "name"} == answer.keys() - {"id"}
        _, answer = await logged_in(post, "Cy", GOOD)
        assert "90 days old" in str(answer["warning"])
        _, answer = await logged_in(post, "1042", GOOD)
        assert (True, True) == (answer["renew"], "120 days old" in str(answer["refused"]))
        dealer = await post.client("dealer")
        assert {"ok": True} == await dealer.ask("say", statement="place-bets")
        _, answer = await logged_in(post, "1042", GOOD)
        assert (True, True) == (answer["ok"], "120 days old" in str(answer["warning"]))
        _, answer = await logged_in(post, "1042", GOOD, new=GOOD)
        assert "the old one" in str(answer["refused"])
        assert (await logged_in(post, "1042", GOOD, new=BETTER))[1]["ok"]
        assert "wrong" in str((await logged_in(post, "1042", GOOD))[1]["refused"])
        post.now += 60
        assert "warning" not in (await logged_in(post, "1042", BETTER))[1]

    some = [aged(89, name="Bo", number="1"), aged(90, name="Cy", number="2"), aged(120)]
    at_post(tmp_path, scene, people=(*PEOPLE, *some))


def test_a_shift_manager_who_logs_in_anew_is_still_one_person(tmp_path: Path) -> None:
    """Two logins of one person are not two people; nor is the PIN of one that of all."""

    async def scene(post: Post) -> None:
        shift = await post.client("shift-manager")
        said = {"kind": "change", "number": "the dealer", "role": "pit-manager"}
        proposal = (await shift.ask("propose-person", **said))["proposal"]
        again = await post.client("shift-manager")
        assert "another person" in (await again.ask("confirm-person", proposal=proposal))["refused"]
        assert PIN not in json.dumps(await again.ask("people"))

    at_post(tmp_path, scene)
