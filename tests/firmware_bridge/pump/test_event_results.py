"""Who waits for what came of a device's event, and for how many there is room."""

from __future__ import annotations

from firmware_bridge.pump.event_results import WAITING, EventResults
from firmware_bridge.texts.denials import Ground, Why, deny


def test_who_waits_for_what_never_comes_fills_no_memory() -> None:
    """The first of too many is told so; the others wait on."""
    applied, told = EventResults(), list[tuple[int, Why | None]]()
    for number in range(1, WAITING + 3):
        applied.when("shoe", number, lambda refused, number=number: told.append((number, refused)))  # type: ignore[misc]
    assert [(1, deny(Ground.TOO_MANY_WAIT)), (2, deny(Ground.TOO_MANY_WAIT))] == told
    applied.done("shoe", 4, deny(Ground.NO_ALARM))
    assert [(3, None), (4, deny(Ground.NO_ALARM))] == told[2:]


def test_who_asks_late_is_answered_at_once() -> None:
    """With the reason, if it was refused."""
    applied, told = EventResults(), list[Why | None]()
    applied.done("shoe", 1, deny(Ground.NO_ALARM))
    applied.done("shoe", 2, None)
    for number in (1, 2):
        applied.when("shoe", number, told.append)
    assert [deny(Ground.NO_ALARM), None] == told
