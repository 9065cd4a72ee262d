"""The request for the scene: what is around the table, alarms with who may clear them, and whom a card is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from drivers.panel import KeySwitch
from drivers.shoe import CardOut
from firmware_bridge.pump.items import Item
from firmware_bridge.shown.scene import scene as scene_of
from firmware_bridge.shown.scene_type import LiveScene
from gamecore.model.events import events as ev
from tests.firmware_bridge.control_socket_rig import AtSocket, Client, SocketRig
from tests.firmware_bridge.shown.shapes import misfit_of
from tests.firmware_bridge.table_with_roles import Post, at_post

AROUND = {"table", "program", "n", "links", "roles", "key", "alarms", "stalled", "role"}


async def seen_by(client: Client) -> dict[str, Any]:
    """Return the scene that somebody is told; it has the shape that the page is promised."""
    answer = await client.ask("scene")
    assert ["scene"] == list(answer)
    found: dict[str, Any] = answer["scene"]
    assert "" == misfit_of(LiveScene)(found)
    return found


def test_a_scene_is_that_of_the_table_and_what_is_around_it(at_socket: AtSocket) -> None:
    """The table's own scene, the journal's last row, the links; without roles nobody has one."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        await client.ask("say", statement="place-bets")
        rig.links["panel"] = False
        told = await seen_by(client)
        table = {key: value for key, value in told.items() if key not in AROUND}
        assert scene_of(rig.pump.table) == table
        around = {"n": rig.journal.n, "links": dict(rig.links), "roles": False, "key": False, "alarms": []}
        assert around | {"table": "", "stalled": None, "role": None, "program": None} == {
            key: told[key] for key in AROUND
        }

    at_socket(scene)


def test_a_journal_that_cannot_be_written_is_told(at_socket: AtSocket) -> None:
    """The reason stands in the scene as long as nothing is applied."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        rig.pump.stalled = "the disk is full"
        assert "the disk is full" == (await seen_by(client))["stalled"]
        rig.pump.stalled = ""

    at_socket(scene)


def test_an_alarm_names_who_may_clear_it(tmp_path: Path) -> None:
    """Once it is cleared the scene has none."""

    async def scene(post: Post) -> None:
        dealer, client = await post.client("dealer"), await post.client("shift-manager")
        for statement in ("place-bets", "call uncovered"):
            assert {"ok": True} == await dealer.ask("say", statement=statement)
        assert {"ok": True} == await client.ask("say", statement="answer house continue")
        told = await seen_by(client)
        alarm = told["alarms"][0]
        assert ("uncovered", "6.1", "refer", [], 1) == tuple(
            alarm[key] for key in ("code", "clause", "ruling", "places", "times")
        )
        assert (["shift-manager"], "betting") == (alarm["roles"], told["state"])
        assert (await client.ask("clear", n=alarm["n"], reason="seen"))["ok"]
        assert [] == (await seen_by(client))["alarms"]

    at_post(tmp_path, scene)


def test_what_a_device_has_caused_an_engineer_may_clear(tmp_path: Path) -> None:
    """Beside the role that stands behind the ruling."""

    async def scene(post: Post) -> None:
        client = await post.client("dealer")
        for statement in ("place-bets", "bet 1 main 50", "no-more-bets"):
            assert {"ok": True} == await client.ask("say", statement=statement)
        for event in (ev.PowerCut(), ev.PowerOn()):
            post.pump.enqueue(Item("daemon", event))
        post.pump.process_queue()
        alarms = (await seen_by(client))["alarms"]
        assert [("power-failure", True)] == [(alarm["code"], "engineer" in alarm["roles"]) for alarm in alarms]

    at_post(tmp_path, scene)


def test_who_reads_needs_no_role_and_is_told_his_own(tmp_path: Path) -> None:
    """The role is that of the connection; the key switch is the table's."""

    async def scene(post: Post) -> None:
        nobody, dealer = await post.reader(), await post.client("dealer")
        await post.says("panel", KeySwitch(on=True))
        told = [await seen_by(client) for client in (nobody, dealer)]
        assert [(True, True, None), (True, True, "dealer")] == [(one["roles"], one["key"], one["role"]) for one in told]

    at_post(tmp_path, scene)


def test_everybody_sees_the_cards_that_lie_open(tmp_path: Path) -> None:
    """A card on the table is no secret from anyone; the status hides what it cannot tell apart."""

    async def scene(post: Post) -> None:
        dealer, nobody = await post.client("dealer"), await post.reader()
        for statement in ("place-bets", "bet 3 main 50", "no-more-bets"):
            assert {"ok": True} == await dealer.ask("say", statement=statement)
        await post.says("shoe", CardOut("KD", 0, face_up=False))
        told = await seen_by(nobody)
        assert ["KD"] == told["boxes"][2]["hands"][0]["cards"]
        assert ["??"] == (await nobody.ask("status"))["on_table"]

    at_post(tmp_path, scene)
