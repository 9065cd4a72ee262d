"""S03: after a void, or what was put before the house, no round begins until somebody has cleared it."""

from __future__ import annotations

from pathlib import Path

from drivers.faults import UNPLUGGED, Fault
from drivers.happenings import Identity
from drivers.panel.messages import Press
from drivers.shoe.messages import CardOut
from drivers.wire import Spot
from tests.firmware_bridge.control_socket_rig import Client
from tests.firmware_bridge.table_with_roles import Post, at_post

OPENED = ("place-bets", "bet 1 main 50")


async def say(client: Client, *statements: str) -> None:
    """Say what must be taken."""
    for statement in statements:
        assert {"ok": True} == await client.ask("say", statement=statement), statement


async def why_not(client: Client) -> str:
    """Say that bets may be placed, which must be refused; why it is."""
    return str((await client.ask("say", statement="place-bets"))["refused"])


def test_a_void_that_was_confirmed_is_cleared_first(tmp_path: Path) -> None:
    """At the console and at the panel, and after a restart too; no manager's role makes a difference."""

    async def begins(post: Post) -> None:
        await say(await post.client("dealer"), *OPENED, "call foreign-card")
        await say(await post.client("pit-manager"), "approve pit-manager")
        assert "void" == post.pump.table.round_report()["outcome"]

    async def goes_on(post: Post) -> None:
        dealer, manager = await post.client("dealer"), await post.client("shift-manager")
        for client in (dealer, manager):
            assert "the alarm foreign-card (event" in await why_not(client)
        assert "needs pit-manager" in str(await post.says("panel", Press(1, "bets", 0, Spot(0), 0)))
        assert (await manager.ask("clear", reason="the card was taken out"))["ok"]
        await say(dealer, "place-bets")

    at_post(tmp_path, begins)
    at_post(tmp_path, goes_on)


def test_what_a_device_has_voided_its_role_clears_alone(tmp_path: Path) -> None:
    """Nobody has reported it; the same person may have dealt."""

    async def scene(post: Post) -> None:
        manager = await post.client("pit-manager")
        await say(manager, *OPENED, "no-more-bets")
        for _ in range(9):  # there are eight of them in eight decks
            await post.says("shoe", CardOut("9H", 0, face_up=False))
        assert "void" == post.pump.table.round_report()["outcome"]
        assert "extra-card" in await why_not(manager) or "foreign-card" in await why_not(manager)
        assert (await manager.ask("clear", reason="the set was counted"))["ok"]

    at_post(tmp_path, scene)


def test_what_the_house_was_asked_is_cleared_first(tmp_path: Path) -> None:
    """That play went on is not the end of it."""

    async def scene(post: Post) -> None:
        dealer, shift = await post.client("dealer"), await post.client("shift-manager")
        await say(dealer, *OPENED, "call uncovered")
        await say(shift, "answer house void")
        await say(await post.client("pit-manager"), "approve pit-manager")
        assert "the alarm uncovered" in await why_not(dealer)
        assert (await shift.ask("clear", reason="seen"))["ok"]
        await say(dealer, "place-bets")

    at_post(tmp_path, scene)


def test_a_loose_cable_stops_the_table_only_while_it_is_out(tmp_path: Path) -> None:
    """The alarm of a lost device stays on; the next round waits for the device alone."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        post.reports.down("shoe", Fault(UNPLUGGED, "gone"))
        post.pump.process_queue()
        assert "the alarm link-lost" in await why_not(dealer)
        post.reports.up("shoe", Identity("shoe", "TD-1", "1", (2, 0), 0, authenticated=True, boot=1))
        post.pump.process_queue()
        assert post.guard is not None
        assert ["link-lost"] == [alarm.code for alarm in post.guard.alarms.open]
        await say(dealer, "place-bets")

    at_post(tmp_path, scene)
