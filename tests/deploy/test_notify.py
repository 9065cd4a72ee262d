"""What the service manager hears: ready, status, watchdog, stopping; and what it does not hear."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.daemon.systemd_notify import Notifier
from tests.patience import PATIENCE

WATCHDOG = 40_000
"""Microseconds: fed every 20 ms."""


class Manager:
    """The service manager's end of the socket."""

    def __init__(self, address: str | bytes) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)

    async def hears(self) -> dict[str, str]:
        """Return the next message."""
        message = await asyncio.wait_for(asyncio.get_running_loop().sock_recv(self.socket, 4096), PATIENCE)
        return dict(line.partition("=")[::2] for line in message.decode().splitlines())

    def hears_nothing(self) -> bool:
        """Tell whether no message waits."""
        try:
            self.socket.recv(4096)
        except BlockingIOError:
            return True
        return False


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    """Return a manager that listens at a path."""
    listening = Manager(str(tmp_path / "notify"))
    yield listening
    listening.socket.close()


def environment(manager: Manager, **more: str) -> dict[str, str]:
    """Return what the manager puts into the daemon's environment."""
    return {"NOTIFY_SOCKET": manager.socket.getsockname(), **more}


def test_ready_status_and_stopping_are_told(manager: Manager) -> None:
    """Each is one message; a status is one line and is not repeated."""

    async def daemon() -> list[dict[str, str]]:
        notifier = Notifier(asyncio.get_running_loop(), environment(manager))
        notifier.ready()
        notifier.status("held:\nbox 3")
        notifier.status("held: box 3")
        notifier.stopping()
        return [await manager.hears() for _ in range(3)]

    assert [{"READY": "1"}, {"STATUS": "held: box 3"}, {"STOPPING": "1"}] == asyncio.run(daemon())
    assert manager.hears_nothing()


def test_an_abstract_socket_is_reached() -> None:
    """A name that begins with @ is one without a file."""
    name = f"truedeal-test-{os.getpid()}"

    async def daemon() -> dict[str, str]:
        manager = Manager(b"\0" + name.encode())
        notifier = Notifier(asyncio.get_running_loop(), {"NOTIFY_SOCKET": f"@{name}"})
        notifier.ready()
        heard = await manager.hears()
        notifier.close()
        manager.socket.close()
        return heard

    assert {"READY": "1"} == asyncio.run(daemon())


@pytest.mark.parametrize("said", ["", "relative", "vsock:2:1"])
def test_without_a_manager_nothing_is_sent(said: str) -> None:
    """A daemon in a terminal, or under a manager of another kind, runs all the same and wakes for nothing."""

    async def daemon() -> None:
        notifier = Notifier(asyncio.get_running_loop(), {"NOTIFY_SOCKET": said})
        notifier.ready("idle")
        notifier.stopping()

    asyncio.run(daemon())


def test_the_watchdog_is_fed_by_the_loop_until_the_end(manager: Manager) -> None:
    """From ready on it is fed again and again, and no longer after stopping."""

    async def daemon() -> list[dict[str, str]]:
        notifier = Notifier(asyncio.get_running_loop(), environment(manager, WATCHDOG_USEC=str(WATCHDOG)))
        notifier.ready()
        heard = [await manager.hears() for _ in range(4)]
        notifier.stopping()
        heard.append(await manager.hears())
        return heard

    fed = {"WATCHDOG": "1"}
    assert [{"READY": "1"}, fed, fed, fed, {"STOPPING": "1"}] == asyncio.run(daemon())
    assert manager.hears_nothing()


def test_a_loop_that_does_not_turn_feeds_nothing(manager: Manager) -> None:
    """While one call holds the loop for longer than the watchdog waits, no feed goes out."""

    async def daemon() -> bool:
        loop = asyncio.get_running_loop()
        notifier = Notifier(loop, environment(manager, WATCHDOG_USEC=str(WATCHDOG)))
        notifier.ready()
        assert [{"READY": "1"}, {"WATCHDOG": "1"}] == [await manager.hears() for _ in range(2)]
        held = loop.time() + 5 * WATCHDOG / 1e6
        while loop.time() < held:
            pass
        silent = manager.hears_nothing()
        notifier.close()
        return silent

    assert asyncio.run(daemon())


def test_work_that_stands_still_feeds_nothing(manager: Manager) -> None:
    """A loop that turns while its work does not is not alive; it is fed again when the work goes on."""
    answers = [True, False, False, True]

    async def daemon() -> list[dict[str, str]]:
        asked: list[bool] = []

        def alive() -> bool:
            asked.append(answers[min(len(asked), 3)])
            return asked[-1]

        notifier = Notifier(asyncio.get_running_loop(), environment(manager, WATCHDOG_USEC=str(WATCHDOG)), alive=alive)
        notifier.ready()
        heard = [await manager.hears() for _ in range(3)]
        notifier.close()
        assert answers == asked[:4]
        return heard

    assert [{"READY": "1"}, {"WATCHDOG": "1"}, {"WATCHDOG": "1"}] == asyncio.run(daemon())


@pytest.mark.parametrize(
    "watchdog",
    [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": str(WATCHDOG), "WATCHDOG_PID": "1"}],
)
def test_without_a_watchdog_of_its_own_nothing_is_fed(manager: Manager, watchdog: dict[str, str]) -> None:
    """No time, no number, or another process: ready is told and nothing more."""

    async def daemon() -> dict[str, str]:
        notifier = Notifier(asyncio.get_running_loop(), environment(manager, **watchdog))
        notifier.ready()
        heard = await manager.hears()
        notifier.close()
        return heard

    assert {"READY": "1"} == asyncio.run(daemon())
    assert manager.hears_nothing()


def filled(manager: Manager) -> Callable[[], None]:
    """Fill the manager's queue; return what reads it empty."""
    stuffing = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    try:
        while True:
            stuffing.sendto(b"STUFFING=1", manager.socket.getsockname())
    except BlockingIOError:
        stuffing.close()

    def emptied() -> None:
        while not manager.hears_nothing():
            pass

    return emptied


@pytest.mark.parametrize("watchdog", [{}, {"WATCHDOG_USEC": str(WATCHDOG)}], ids=["alone", "with a watchdog"])
def test_what_the_manager_does_not_take_is_sent_again(manager: Manager, watchdog: dict[str, str]) -> None:
    """A full queue does not hold the loop up, and ready is not forgotten; a feed of the past is."""
    emptied = filled(manager)

    async def daemon() -> dict[str, str]:
        notifier = Notifier(asyncio.get_running_loop(), environment(manager, **watchdog))
        notifier.ready("idle")
        emptied()
        heard = await manager.hears()
        notifier.close()
        return heard

    heard = asyncio.run(daemon())
    assert {"READY": "1", "STATUS": "idle"} == {name: heard[name] for name in heard if name != "WATCHDOG"}
