"""S11: wrong PINs delay the place where they are typed, tell nothing of who there is, and raise the alarm."""

from __future__ import annotations

from pathlib import Path

from drivers.panel import KeySwitch
from firmware_bridge.people.login.lockouts import A_USER, Lockouts, Origin
from tests.firmware_bridge.control_socket_rig import Client
from tests.firmware_bridge.table_with_roles import PIN, Post, at_post

NAME = "the shift-manager"


async def tried(client: Client, name: str, pin: str, origin: str) -> str:
    """Try to log in from somewhere; why that was refused."""
    return str((await client.ask("login", name=name, pin=pin, **{"from": origin})).get("refused"))


def test_what_is_tried_elsewhere_delays_nobody_here(tmp_path: Path) -> None:
    """A name is delayed for the place from where it was tried; the alarm and the journal say from where."""

    async def scene(post: Post) -> None:
        client = await post.client()
        for _ in range(5):
            assert "wrong" in await tried(client, NAME, "0000", "10.0.0.66")
            post.now += 60
        post.now -= 60
        assert "wait" in await tried(client, NAME, PIN, "10.0.0.66")
        assert "None" == await tried(client, NAME, PIN, "10.0.0.7")
        assert ["wrong-pins"] == [one["code"] for one in (await client.ask("status"))["alarms"]]
        assert "10.0.0.66" in str(post.notes()[4])

    at_post(tmp_path, scene)


def test_no_delay_tells_which_names_there_are(tmp_path: Path) -> None:
    """A name that nobody has is answered like one that somebody has."""

    async def scene(post: Post) -> None:
        client = await post.client()
        answers = [
            [await tried(client, name, "0000", "10.0.0.66") for name in (one, one, "third " + one)]
            for one in (NAME, "Alice")
        ]
        assert answers[0] == answers[1]

    at_post(tmp_path, scene)


def test_a_stream_of_names_from_one_place_waits(tmp_path: Path) -> None:
    """Ten wrong ones a minute, whatever the names: the checker of PINs is there for everybody."""

    async def scene(post: Post) -> None:
        client = await post.client()
        for number in range(10):
            assert "wrong" in await tried(client, f"name {number}", "0000", "10.0.0.66")
        assert "wait" in await tried(client, "one more", "0000", "10.0.0.66")
        assert "None" == await tried(client, NAME, PIN, "10.0.0.7")

    at_post(tmp_path, scene)


def test_a_name_that_is_tried_from_everywhere_is_let_in_at_the_screen_or_with_the_key(tmp_path: Path) -> None:
    """After thirty wrong tries an hour: no stranger holds a table for want of somebody who may release it."""

    async def scene(post: Post) -> None:
        client = await post.client()
        for number in range(30):
            assert "wrong" in await tried(client, NAME, "0000", f"10.0.0.{number}")
            post.now += 1
        assert "own screen" in await tried(client, NAME, PIN, "10.0.1.1")
        assert "None" == await tried(client, NAME, PIN, "screen")
        await post.says("panel", KeySwitch(on=True))
        assert "None" == await tried(client, NAME, PIN, "10.0.1.1")

    at_post(tmp_path, scene)


def test_addresses_that_are_made_up_get_nobody_further() -> None:
    """Anyone at the control socket may say where they are: all they try counts for their user, and for nobody else."""
    lockouts = Lockouts(lambda: 1000.0)
    looked_at = 0
    for number in range(500):
        origin, name = Origin(4, f"10.0.{number // 250}.{number % 250}"), f"name {number}"
        if lockouts.refuses(name, origin, known=False, key=False) is None:
            looked_at += 1
            lockouts.wrong(name, origin, known=False)
    assert A_USER == looked_at
    new = {"known": True, "key": False}
    assert (True, None) == (
        "wait" in str(lockouts.refuses("Ann", Origin(4, "10.9.9.9"), **new)),
        lockouts.refuses("Ann", Origin(5, "10.9.9.9"), **new),
    )
    assert (None, None) == (
        lockouts.refuses("Ann", Origin(4, "", screen=True), **new),
        lockouts.refuses("Ann", Origin(4, "10.9.9.9"), known=True, key=True),
    )
