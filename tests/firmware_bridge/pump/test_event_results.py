"""Who waits for what came of a device's event, and for how many there is room."""

from __future__ import annotations

from firmware_bridge.pump.event_results import WAITING, Applied
from firmware_bridge.pump.items import Why


def test_who_waits_for_what_never_comes_fills_no_memory() -> None:
    """The first of too many is told so; the others wait on."""
    applied, told = Applied(), list[tuple[int, str | None]]()
    for number in range(1, WAITING + 3):
        applied.when("shoe", number, lambda refused, number=number: told.append((number, refused)))  # type: ignore[misc]
    assert [(1, "too many wait for an answer"), (2, "too many wait for an answer")] == told
    applied.done("shoe", 4, "not now")
    assert [(3, None), (4, "not now")] == told[2:]


def test_who_asks_late_is_answered_at_once() -> None:
    """With the reason, if it was refused."""
    applied, told = Applied(), list[Why | None]()
    applied.done("shoe", 1, "why")
    applied.done("shoe", 2, None)
    for number in (1, 2):
        applied.when("shoe", number, told.append)
    assert ["why", None] == told
