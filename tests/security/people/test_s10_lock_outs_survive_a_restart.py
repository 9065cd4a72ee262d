"""S10: a restart, which others may bring about, gives nobody more tries."""

from __future__ import annotations

from pathlib import Path

from tests.firmware_bridge.table_with_roles import PIN, Post, at_post


def test_after_a_restart_the_next_try_waits(tmp_path: Path) -> None:
    """As long as it would have waited at most; and the count goes on, so that the fifth is still the alarm."""

    async def before(post: Post) -> None:
        client = await post.client()
        for _ in range(4):
            assert "wrong" in (await client.ask("login", name="the shift-manager", pin="0000"))["refused"]
            post.now += 60
        post.pump.process_queue()

    async def after(post: Post) -> None:
        client = await post.client()
        assert "wait 60 seconds" in (await client.ask("login", name="the shift-manager", pin=PIN))["refused"]
        post.now += 60
        assert "wrong" in (await client.ask("login", name="the shift-manager", pin="0000"))["refused"]
        post.pump.process_queue()
        status = await (await post.client("engineer")).ask("status")
        assert ["wrong-pins"] == [one["code"] for one in status["alarms"]]

    at_post(tmp_path, before)
    at_post(tmp_path, after)


def test_a_login_before_the_restart_ends_the_count(tmp_path: Path) -> None:
    """People who have proved who they are wait for nothing."""

    async def before(post: Post) -> None:
        client = await post.client()
        await client.ask("login", name="the dealer", pin="0000")
        post.now += 60
        await post.client("dealer")
        post.pump.process_queue()

    async def after(post: Post) -> None:
        await post.client("dealer")

    at_post(tmp_path, before)
    at_post(tmp_path, after)
