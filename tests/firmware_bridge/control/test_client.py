"""The client of the control socket that asks and waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.control.client import ControlClient
from tests.firmware_bridge.control_socket_rig import AtSocket, SocketRig
from tests.patience import PATIENCE


def test_the_client_waits_for_its_answer_and_keeps_the_news(at_socket: AtSocket) -> None:
    """What a watch sends before the answer is kept in order."""

    def talk(path: Path) -> tuple[object, ...]:
        with ControlClient(path) as client:
            watched = client.ask(do="watch")
            said = client.ask(do="say", statement="place-bets")
            later = client.send(do="status")
            news = [item["seen"]["event"] for item in client.news if "seen" in item] or [client.read()["seen"]["event"]]
            return watched, said, news, client.wait_for_answer(later)["state"]

    async def scene(rig: SocketRig) -> None:
        talked = await asyncio.to_thread(talk, rig.path)
        assert ({"id": 1, "ok": True}, {"id": 2, "ok": True}, ["place-bets"], "betting") == talked

    at_socket(scene)


def test_the_client_says_that_the_daemon_is_gone(at_socket: AtSocket, tmp_path: Path) -> None:
    """Not there at all, or gone while an answer is awaited: a ConnectionError; no answer in time: a TimeoutError."""

    def not_there() -> None:
        ControlClient(tmp_path / "nowhere")

    def watch(path: Path, patience: float, connected: Callable[[], object]) -> None:
        with ControlClient(path, patience) as client:
            client.ask(do="watch")
            connected()
            client.ask(do="seen", device="hub", number=1)

    async def scene(rig: SocketRig) -> None:
        with pytest.raises(ConnectionError):
            await asyncio.to_thread(not_there)
        with pytest.raises(TimeoutError):
            await asyncio.to_thread(watch, rig.path, 0.05, lambda: None)
        loop, connected = asyncio.get_running_loop(), asyncio.Event()
        waiting = asyncio.to_thread(watch, rig.path, PATIENCE, lambda: loop.call_soon_threadsafe(connected.set))
        task = asyncio.create_task(waiting)
        await connected.wait()
        await rig.control.close()
        with pytest.raises(ConnectionError):
            await task

    at_socket(scene)
