"""The request that asks why: the reason of the table, and nothing written."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.shown.discretion import NOT_TOLD
from tests.firmware_bridge.control_socket_rig import AtSocket, SocketRig
from tests.firmware_bridge.positions import table_after
from tests.firmware_bridge.table_with_roles import Post, at_post

RWS = "rws-free-bet-2025"
SQUEEZED = """fresh: no
shoe: 9H 7D 6S KC TD

place-bets
bet 1 main 100
no-more-bets
squeeze 1
draw 1; draw dealer; draw 1
"""


def test_why_is_told_and_nothing_is_written(at_socket: AtSocket) -> None:
    """A command that would be refused, one that would be taken, and what is no command."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        before = rig.journal.n
        refused = await client.ask("why", statement="settle")
        assert "nothing-to-settle" == refused["refusal"]["key"]
        assert {"ok": True} == await client.ask("why", statement="place-bets")
        assert "error" in await client.ask("why", statement="bet 1 main 100")
        assert (before, "idle") == (rig.journal.n, rig.pump.table.state.value)

    at_socket(scene)


def test_why_does_not_tell_what_lies_face_down(tmp_path: Path) -> None:
    """RWS 3.12: that a hand may not be split would tell what it is. A reader who sees every card is told."""

    async def scene(post: Post) -> None:
        dealer, manager = await post.client("dealer"), await post.client("pit-manager")
        post.pump.table = table_after(SQUEEZED, RWS)
        told = [(await client.ask("why", statement="split 1"))["refused"] for client in (dealer, manager)]
        assert [True, False] == [NOT_TOLD == why for why in told]

    at_post(tmp_path, scene)
