"""The pace of a shipper: a backlog waits for the table, what has just been written does not."""

from __future__ import annotations

from firmware_bridge.floor.shipping.pace import BETWEEN, IN_ROUND, LEAST, Pace, is_large
from firmware_bridge.floor.wire.batch import ITEMS, Batch
from firmware_bridge.floor.wire.items import EVENT, Item
from firmware_bridge.floor.wire.marks import Mark

SMALL = Batch(b"", Mark(), Mark(), (Item(EVENT, b"x"),))
LARGE = SMALL._replace(items=SMALL.items * ITEMS)
HEAVY = SMALL._replace(items=(Item(EVENT, bytes(200_000)),))


def rate(pace: Pace, now: float, *, in_round: bool) -> float:
    """How many large batches a second go out now, if an answer takes a millisecond."""
    return 1 / (pace.pause_after(LARGE, now, 0.001, in_round=in_round) + 0.001)


def test_a_backlog_is_slow_in_a_round_and_grows_between_rounds() -> None:
    """Two batches a second while cards are dealt; between rounds twice as many each second, up to twenty."""
    pace = Pace()
    assert [IN_ROUND] * 3 == [round(rate(pace, now, in_round=True), 2) for now in (10, 11, 12)]
    found = [round(rate(pace, now, in_round=False), 1) for now in (13, 13.5, 14, 15, 16, 17)]
    assert [4, 4, 8, 16, BETWEEN, BETWEEN] == [round(one) for one in found]
    assert IN_ROUND == round(rate(pace, 18, in_round=True), 2)


def test_a_slow_centre_slows_the_table_down() -> None:
    """At least as long as the last answer took lies between two batches of any size."""
    assert 3.0 == Pace().pause_after(LARGE, 1.0, 3.0, in_round=False)
    assert 3.0 == Pace().pause_after(SMALL, 1.0, 3.0, in_round=True)


def test_what_was_just_written_does_not_wait_for_a_backlog() -> None:
    """A batch of a few rows goes at once; one is large by its items or its bytes."""
    assert LEAST == Pace().pause_after(SMALL, 1.0, 0.001, in_round=True)
    assert (False, True, True) == (is_large(SMALL), is_large(LARGE), is_large(HEAVY))
