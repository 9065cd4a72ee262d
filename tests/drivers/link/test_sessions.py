"""What ends a session and what the next one knows: reboots, a memory that forgets or runs full, silence, heartbeats."""

from __future__ import annotations

import pytest

from drivers.link.freshness import MARGIN, PATIENCE
from drivers.link.numbers import MASK
from tests.drivers.link.cable import KEY, a_rig, after, card, reopen

pytestmark = pytest.mark.usefixtures("editions")


def test_a_reboot_that_keeps_the_numbers_loses_nothing() -> None:
    """A device that restarts with its memory goes on where it was."""
    rig = a_rig()
    rig.acknowledging = False
    for order in range(3):
        rig.event(card(order))
    rig.run(0.02)
    rig.acknowledging = True
    rig.device.reboot(8, forget=False)
    rig.event(card(3))
    rig.run(3.0)
    rig.host.acknowledge(4, rig.now)
    rig.run_until_quiet()
    assert (after(1, 4), 0, 0) == (rig.numbers, rig.lost, rig.faults["forgot"])
    assert rig.host.identity is not None
    assert (8, 7) == (rig.host.identity.boot, rig.host.identity.numbering)


def test_a_reboot_that_forgets_is_reported_and_numbers_begin_anew() -> None:
    """A device that lost its numbers is reported, and all that it has since is taken."""
    rig = a_rig()
    for order in range(3):
        rig.event(card(order))
    rig.run_until_quiet()
    rig.device.reboot(8, forget=True)
    rig.event(b"new")
    rig.run(3.0)
    assert ([1, 2, 3, 1], b"new") == (rig.numbers, rig.payloads[-1])
    assert (1, 0, 1) == (rig.faults["forgot"], rig.faults["events-lost"], rig.device.acknowledged)


def test_a_device_that_forgot_and_went_on_is_not_taken_for_one_that_did_not() -> None:
    """Though its next number is above the expected one again, none of its new events passes for an old one."""
    rig = a_rig()
    for order in range(3):
        rig.event(card(order))
    rig.run_until_quiet()
    rig.host.closed()
    rig.device.reboot(8, forget=True)
    for order in range(10):
        rig.event(card(100 + order))
    reopen(rig)
    rig.run_until_quiet()
    assert [card(100 + order) for order in range(10)] == rig.payloads[3:]
    assert 1 == rig.faults["forgot"]


def test_a_journal_that_is_ahead_of_the_device_shows_that_it_forgot() -> None:
    """Where only the number is known from earlier, a device whose numbers are below it forgot."""
    rig = a_rig(expected=500)
    rig.event(card(0))
    rig.run_until_quiet()
    assert ([1], {"forgot": 1}) == (rig.numbers, dict(rig.faults))


def test_events_that_the_device_no_longer_keeps_are_counted() -> None:
    """A memory that ran full while the host was away costs the oldest events, and the host says how many."""
    rig = a_rig(keep=10)
    rig.host.closed()
    rig.device.closed()
    for order in range(25):
        rig.event(card(order))
    reopen(rig)
    rig.run_until_quiet()
    assert (after(16, 10), 15, {"events-lost": 1}) == (rig.numbers, rig.lost, dict(rig.faults))


def test_a_memory_that_runs_full_in_a_session_is_reported() -> None:
    """Events dropped while the link is up are found missing, and a new handshake counts them."""
    rig = a_rig(keep=10)
    for order in range(25):
        rig.event(card(order))
    rig.run_until_quiet()
    assert (after(16, 10), 15, 1) == (rig.numbers, rig.lost, rig.faults["events-lost"])


def test_a_host_that_was_too_busy_to_speak_has_lost_nobody() -> None:
    """The device has ended the session and says so: the next one begins in the same port, and nothing was silent."""
    rig = a_rig()
    for order in range(3):
        rig.event(card(order))
        rig.run(0.1)
        said = b""
        for _ in range(9):  # nobody reads what the device says meanwhile
            rig.now += (PATIENCE + MARGIN) / 8
            rig.device.tick(rig.now)
            said += rig.device.outgoing()
        assert not rig.device.up
        rig._note(rig.host.received(said, rig.now))
        rig.run(1.0)
        assert rig.host.up
    assert (4, 3, 0) == (rig.ups, rig.faults["session-ended"], rig.faults["silent"])
    assert [card(order) for order in range(3)] == rig.payloads


def test_both_ends_notice_silence() -> None:
    """Two seconds without a valid frame end the session at both ends, noise or not."""
    rig = a_rig()
    for _ in range(30):
        rig.now += 0.1
        rig._note(rig.host.received(b"\0noise\0", rig.now) + rig.host.tick(rig.now))
        rig.device.tick(rig.now)
    assert (1, False) == (rig.faults["silent"], rig.device.up)
    assert rig.device.due() is None


def test_an_idle_link_wakes_for_heartbeats_only() -> None:
    """With nothing to do each end sends two frames a second, and wants to be woken for nothing else.

    The host answers in the turn in which it hears: once the two are in step, its own timer never comes first.
    """
    rig = a_rig()
    start, wakeups, seen = rig.now, 0, (rig.host.stats.frames, rig.host._channel.counter)
    while rig.now < start + 60:
        rig.now = min(due for due in (rig.host.due(), rig.device.due()) if due is not None)
        rig.step(0.0)
        wakeups += 1
    assert wakeups <= 2 * 60 + 2
    assert 118 <= rig.host.stats.frames - seen[0] <= 122
    assert 118 <= rig.host._channel.counter - seen[1] <= 122
    assert [] == rig.all_faults


def test_a_host_that_has_just_sent_does_not_answer_a_heartbeat() -> None:
    """What it sent says that it is there; a quarter of a second later it does answer, and the device never does.

    Only in edition 1: in edition 2 the answer tells the time.
    """
    rig = a_rig(key=KEY)
    rig.run_until_quiet()
    rig.host._channel._sent_at = rig.device._channel._sent_at = rig.now
    for later, answered in ((0.2, False), (0.1, True)):
        rig.now += later
        rig.device._channel.beat()
        assert [] == rig.host.received(rig.device.outgoing(), rig.now)
        beat = rig.host.outgoing()
        assert answered == bool(beat)
        rig.device.received(beat, rig.now)
        assert b"" == rig.device.outgoing()


def test_a_host_without_an_answer_beats_by_itself() -> None:
    """Three times before the device would give it up."""
    rig = a_rig()
    rig.run_until_quiet()
    begun, beats = rig.now, 0
    while (due := rig.host.due()) is not None and due < begun + (PATIENCE + MARGIN):
        rig.now = due
        assert [] == rig.host.tick(rig.now)
        beats += bool(rig.host.outgoing())
    assert beats >= 3


def test_an_end_that_has_used_up_its_counter_falls_silent() -> None:
    """The counter never wraps: the session ends in silence and the next one begins at 1."""
    rig = a_rig(key=KEY)
    rig.device._channel.counter = MASK - 2
    for order in range(4):
        rig.event(card(order))
    rig.run(6.0)
    rig.run_until_quiet()
    assert (after(1, 4), 1) == (rig.numbers, rig.faults["silent"])
