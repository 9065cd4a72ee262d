"""Beginning again: what the devices are to send next, and what is known of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from drivers import shoe
from gamecore.model.events import events as ev
from tests.firmware_bridge.restarted_daemon import Started, kept, scene


@pytest.mark.parametrize("ends", ["killed", "closed"])
def test_a_device_goes_on_after_what_is_durable(tmp_path: Path, ends: str) -> None:
    """The last number and the numbering it belongs to; none of a numbering that is new."""

    def act() -> list[dict[str, tuple[int, int]]]:
        table = Started(tmp_path)
        found = []
        steps: list[Callable[[], None]] = [lambda: table.up("shoe", 11)]
        steps += [lambda: table.says("shoe", 1, shoe.Jam(present=True))]
        steps += [lambda: table.says("shoe", 2, shoe.Jam(present=False)), lambda: table.up("shoe", 12)]
        steps += [lambda: table.up("hub", 5), lambda: table.says("shoe", 1, shoe.Empty())]
        for step in steps:
            step()
            table.pump.close() if ends == "closed" else table.killed()
            table = Started(tmp_path)
            found.append(dict(table.books.numbers))
        table.killed()
        return found

    shoes = [(0, 11), (1, 11), (2, 11), (0, 12), (0, 12), (1, 12)]
    expected = [{"shoe": at} | ({"hub": (0, 5)} if step >= 4 else {}) for step, at in enumerate(shoes)]
    assert expected == scene(act)


@pytest.mark.parametrize("device", ["shoe", "panel"])
def test_what_a_device_held_before_its_session_is_marked_in_its_rows(tmp_path: Path, device: str) -> None:
    """Nobody heard it when it happened; what comes after that was, also when the link was lost in between."""

    def act() -> list[tuple[object, ...]]:
        table = Started(tmp_path)
        table.up(device, 1, held=3, following=4)
        for number in (1, 2):
            table.says(device, number, shoe.Jam(present=True))
        table.up(device, 1, held=1, following=4)
        for number in (3, 4, 5):
            table.says(device, number, shoe.Jam(present=True))
        found = table.query("SELECT number, how FROM events WHERE number IS NOT NULL ORDER BY n")
        table.killed()
        return found

    assert [(1, "backlog"), (2, "backlog"), (3, "backlog"), (4, "sensed"), (5, "sensed")] == scene(act)


def test_a_long_event_that_a_device_held_has_several_numbers(tmp_path: Path) -> None:
    """What a register says takes two: no event that comes after those that were held is marked in its place."""

    def act() -> list[tuple[object, ...]]:
        table = Started(tmp_path)
        table.up("shoe", 1, held=5, following=1)
        for number in (2**32 - 3, 2**32 - 1, 0, 1, 2):
            table.says("shoe", number, shoe.Jam(present=True))
        found = table.query("SELECT number, how FROM events WHERE number IS NOT NULL ORDER BY n")
        table.killed()
        return found

    rows = [(2**32 - 3, "backlog"), (2**32 - 1, "backlog"), (0, "backlog"), (1, "sensed"), (2, "sensed")]
    assert rows == scene(act)


def test_an_event_of_an_earlier_run_has_been_applied(tmp_path: Path) -> None:
    """A question about it after the restart is answered at once; about a new numbering's first, when it has come."""
    answers: list[str] = []

    def act() -> None:
        table = Started(tmp_path)
        table.up("shoe", 1)
        table.says("shoe", 1, shoe.Empty())
        table.killed()
        again = Started(tmp_path)
        again.pump.applied.when("shoe", 1, lambda _: answers.append("earlier"))
        again.up("shoe", 2)
        again.pump.applied.when("shoe", 1, lambda _: answers.append("anew"))
        assert ["earlier"] == answers
        again.says("shoe", 1, shoe.Empty())
        again.killed()

    scene(act)
    assert ["earlier", "anew"] == answers


def test_a_link_that_was_lost_before_is_back_after(tmp_path: Path) -> None:
    """The game knows of the loss, and hears of the return though another run saw the loss."""

    def act() -> None:
        table = Started(tmp_path)
        table.happen(ev.LinkLost("hub"))
        table.killed()
        again = Started(tmp_path)
        again.up("hub", 1)
        again.killed()

    scene(act)
    assert [ev.LinkLost("hub"), ev.Restarted(), ev.LinkBack("hub")] == kept(tmp_path / "state")
