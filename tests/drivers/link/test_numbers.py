"""Numbers that go round, and the frames that wait for their acknowledgement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.link.editions.edition import ONE
from drivers.link.numbers import HALF, MASK, MOST_PAYLOAD, PROBE, WINDOW, Outbox, behind, checked_entry, distance

numbers = st.integers(0, MASK)


def filled(count: int, keep: int = 1000, first: int = 1) -> Outbox:
    """An outbox with this many entries."""
    outbox = Outbox(keep, first, edition=ONE)
    for _ in range(count):
        outbox.add(0, 0, b"")
    return outbox


def sent(outbox: Outbox, now: float = 0.0) -> list[int]:
    """The numbers that are sent now."""
    return [int.from_bytes(body[:4], "little") for _, body in outbox.next_to_send(now)[0]]


@given(numbers, st.integers(1, HALF - 1))
def test_the_later_number_is_less_than_half_the_circle_ahead(number: int, step: int) -> None:
    """A number is behind all those less than half the circle ahead of it, and not the other way."""
    later = (number + step) & MASK
    assert (True, False, step) == (behind(number, later), behind(later, number), distance(number, later))


def test_numbers_go_round_and_skip_nothing() -> None:
    """After 2**32 - 1 comes 0."""
    assert [MASK - 1, MASK, 0, 1] == sent(filled(4, first=MASK - 1))


def test_at_most_a_window_is_under_way() -> None:
    """No more than the window is sent; an acknowledgement lets as many follow."""
    outbox = filled(100)
    assert list(range(1, WINDOW + 1)) == sent(outbox)
    assert [] == sent(outbox)
    assert outbox.acknowledge(11, 0.0)
    assert list(range(65, 75)) == sent(outbox)


def test_the_timer_doubles_until_there_is_progress() -> None:
    """Without progress the oldest few are sent again after 60, 120, 240 ms up to a second; progress starts again."""
    outbox, now, waits = filled(10), 0.0, []
    sent(outbox, now)
    for _ in range(7):
        due = outbox.due() or 0.0
        waits.append(round(due - now, 3))
        now = due
        outbox.tick(now)
        assert list(range(1, PROBE + 1)) == sent(outbox, now)
    assert [0.06, 0.12, 0.24, 0.48, 0.96, 1.0, 1.0] == waits
    assert outbox.acknowledge(3, now)
    assert 0.06 == round((outbox.due() or 0.0) - now, 3)
    assert list(range(5, 11)) == sent(outbox, now)
    now = outbox.due() or 0.0
    outbox.tick(now)
    sent(outbox, now)
    assert 0.12 == round((outbox.due() or 0.0) - now, 3)


def test_nothing_under_way_needs_no_timer() -> None:
    """When all is acknowledged nothing is due."""
    outbox = filled(3)
    sent(outbox)
    assert outbox.acknowledge(4, 0.0)
    assert (None, 3, 0) == (outbox.due(), outbox.acknowledged, len(outbox))


@pytest.mark.parametrize(("number", "good"), [(0, True), (1, True), (4, True), (5, False), (HALF - 5, False)])
def test_an_acknowledgement_of_what_does_not_exist_is_refused(number: int, good: bool) -> None:
    """An old acknowledgement is harmless, one from the future is refused; neither drops anything it should not."""
    outbox = filled(3)
    sent(outbox)
    assert good == outbox.acknowledge(number, 0.0)
    assert (0 if number == 4 else 3) == len(outbox)


def test_asking_again_goes_back() -> None:
    """All from the number asked for is sent again; a number that is not kept any more cannot be."""
    outbox = filled(5)
    sent(outbox)
    assert outbox.ask(3)
    bodies, again = outbox.next_to_send(0.0)
    assert (3, 3) == (len(bodies), again)
    outbox.acknowledge(4, 0.0)
    assert not outbox.ask(3)
    assert not outbox.ask(7)


def test_a_full_memory_drops_its_oldest() -> None:
    """The newest are kept; the oldest number kept tells what is missing."""
    outbox = filled(10, keep=4)
    assert (7, 11, 4, False) == (outbox.oldest, outbox.next, len(outbox), outbox.fits(b""))
    assert 0 == outbox.acknowledged


@pytest.mark.parametrize(("ident", "size"), [(-1, 0), (256, 0), (0, MOST_PAYLOAD + 1)])
def test_what_fits_into_no_frame_is_refused(ident: int, size: int) -> None:
    """An ident or a payload that cannot be sent is the caller's mistake."""
    with pytest.raises(ValueError, match="does not fit"):
        checked_entry(ident, bytes(size))
