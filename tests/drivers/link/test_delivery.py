"""Once, in order, or reported: what happens to events and commands when ends go away, restart, forget or run full."""

from __future__ import annotations

from drivers.faults import Fault
from drivers.happenings import Arrived, Commanded
from drivers.link.channel import SILENT_AFTER
from drivers.link.frames import Framer
from drivers.link.numbers import MASK
from tests.drivers.link.cable import KEY, Rig, after, card, device_link, host_link


def a_rig(*, first: int = 1, expected: int | None = 1, keep: int = 4096, key: bytes | None = KEY) -> Rig:
    """Both ends, up."""
    rig = Rig(host_link(expected=expected, key=key), device_link(first=first, keep=keep, key=key))
    rig.until_up()
    return rig


def reopen(rig: Rig) -> None:
    """The host closes the port and opens it again."""
    rig.host.closed()
    rig.host.opened(rig.now)
    rig.until_up()


def lost(rig: Rig, data: bytes) -> int:
    """Bytes that nobody receives: how many frames they were."""
    assert rig.host.up
    return len(Framer().feed(data))


def test_an_event_arrives_whole() -> None:
    """Number, time, ident and payload arrive as the device gave them, with the frame as it came."""
    rig = a_rig()
    rig.device.event(0x42, b"\0\1\0", 2**32 + 77, rig.now)
    wire = rig.device.outgoing()
    (frame,) = Framer().feed(wire)
    assert isinstance(frame, bytes)
    assert [Arrived(1, 77, 0x42, b"\0\1\0", frame)] == rig.host.received(wire, rig.now)


def test_a_command_arrives_once_and_is_acknowledged() -> None:
    """A command is handed over once, and the host forgets it when the device has it."""
    rig = a_rig()
    assert rig.host.send(0x80, b"lock", rig.now)
    rig.run(3.0)
    assert [Commanded(0x80, b"lock")] == rig.commands
    assert 0 == len(rig.host._channel.outbox)


def test_a_host_that_was_too_busy_to_speak_has_lost_nobody() -> None:
    """The device has ended the session and says so: the next one begins in the same port, and nothing was silent."""
    rig = a_rig()
    for order in range(3):
        rig.event(card(order))
        rig.run(0.1)
        said = b""
        for _ in range(9):  # nobody reads what the device says meanwhile
            rig.now += SILENT_AFTER / 8
            rig.device.tick(rig.now)
            said += rig.device.outgoing()
        assert not rig.device.up
        rig._note(rig.host.received(said, rig.now))
        rig.run(1.0)
        assert rig.host.up
    assert (4, 3, 0) == (rig.ups, rig.faults["session-ended"], rig.faults["silent"])
    assert [card(order) for order in range(3)] == rig.payloads


def test_events_from_while_the_host_was_away_arrive_once_in_order() -> None:
    """What happened while nobody listened comes when the host is back, and nothing comes twice."""
    rig = a_rig()
    rig.event(card(0))
    rig.run(0.1)
    rig.host.closed()
    for order in range(1, 300):
        rig.event(card(order))
    rig.now += 60
    reopen(rig)
    rig.settle()
    assert (after(1, 300), [card(order) for order in range(300)]) == (rig.numbers, rig.payloads)
    assert (300, 0) == (rig.device.acknowledged, rig.lost)


def test_events_before_the_first_host_arrive() -> None:
    """A host that expects nothing in particular takes all that the device has kept."""
    device = device_link()
    for order in range(10):
        device.event(1, card(order), 0, 0.0)
    rig = Rig(host_link(expected=None), device)
    rig.settle()
    assert (after(1, 10), []) == (rig.numbers, rig.all_faults)
    assert 11 == rig.host.expected


def test_only_what_is_durable_is_acknowledged() -> None:
    """The device keeps an event until the owner says that it is durable, whatever the host has received."""
    rig = a_rig()
    rig.acknowledging = False
    for order in range(5):
        rig.event(card(order))
    rig.run(0.02)
    assert (after(1, 5), 5) == (rig.numbers, rig.device.kept)
    rig.host.acknowledge(3, rig.now)
    rig.run(0.02)
    assert (3, 2) == (rig.device.acknowledged, rig.device.kept)


def test_what_was_not_durable_is_kept_over_a_reconnect_and_not_delivered_twice() -> None:
    """After a reconnect the device still has what is not durable; the owner, who has it, does not get it again."""
    rig = a_rig()
    rig.acknowledging = False
    for order in range(5):
        rig.event(card(order))
    rig.run(0.02)
    rig.host.acknowledge(2, rig.now)
    reopen(rig)
    rig.run(0.1)
    assert (after(1, 5), 3) == (rig.numbers, rig.device.kept)
    rig.host.acknowledge(5, rig.now)
    rig.run(0.1)
    assert (0, {"duplicate": 1}) == (rig.device.kept, dict(rig.faults))


def test_a_new_process_gets_again_what_was_not_durable() -> None:
    """A host that starts with the number from its journal gets everything from there on."""
    rig = a_rig()
    rig.acknowledging = False
    for order in range(5):
        rig.event(card(order))
    rig.run(0.02)
    rig.host.acknowledge(2, rig.now)
    rig.run(0.02)
    second = Rig(host_link(expected=3), rig.device)
    second.settle()
    assert ([3, 4, 5], []) == (second.numbers, second.all_faults)


def test_acknowledging_what_never_came_changes_nothing() -> None:
    """Numbers that were not delivered cannot be acknowledged."""
    rig = a_rig()
    rig.host.acknowledge(1, rig.now)
    rig.host.acknowledge(MASK, rig.now)
    rig.event(card(0))
    rig.acknowledging = False
    rig.run(0.02)
    assert (1, 0) == (rig.device.kept, rig.device.acknowledged)


def test_many_acknowledgements_are_one_frame() -> None:
    """Acknowledgements between two writes are one frame."""
    rig = a_rig()
    rig.acknowledging = False
    for order in range(20):
        rig.event(card(order))
    rig.step()
    rig.host.outgoing()
    for number in rig.numbers:
        rig.host.acknowledge(number, rig.now)
    assert 1 == len(Framer().feed(rig.host.outgoing()))


def test_a_missing_event_is_asked_for_at_once() -> None:
    """A number above the expected one is a gap: nothing is taken out of order, one request brings all of it."""
    rig = a_rig()
    rig.event(card(0))
    assert 1 == lost(rig, rig.device.outgoing())
    for order in range(1, 6):
        rig.event(card(order))
    rig.step()
    assert ([], {"gap": 1}, 5) == (rig.numbers, dict(rig.faults), rig.host.stats.gaps)
    rig.step()
    assert (after(1, 6), 6) == (rig.numbers, rig.device.stats.resent)


def test_a_request_that_finds_its_answer_lost_is_made_again() -> None:
    """When the first frame sent again is lost too, the next ones show it, and it is asked for anew."""
    rig = a_rig()
    for order in range(4):
        rig.event(card(order))
    (_, *others) = [wire for wire in rig.device.outgoing().split(b"\0") if wire]
    rig._note(rig.host.received(b"\0".join([b"", *others, b""]), rig.now))
    rig.device.received(rig.host.outgoing(), rig.now)
    (_, *others) = [wire for wire in rig.device.outgoing().split(b"\0") if wire]
    rig._note(rig.host.received(b"\0".join([b"", *others, b""]), rig.now))
    assert {"gap": 2} == dict(rig.faults)
    rig.run(0.02)
    assert after(1, 4) == rig.numbers


def test_a_lost_last_event_comes_again_by_the_timer() -> None:
    """If nothing follows a lost event, the device sends it again after 60 ms."""
    rig = a_rig()
    rig.event(card(0))
    assert 1 == lost(rig, rig.device.outgoing())
    rig.run(0.05)
    assert [] == rig.numbers
    rig.run(0.03)
    assert ([1], {}) == (rig.numbers, dict(rig.faults))


def test_a_heartbeat_shows_what_is_missing() -> None:
    """A heartbeat that names a number above the expected one is a gap too."""
    rig = a_rig()
    rig.event(card(0))
    assert 1 == lost(rig, rig.device.outgoing())
    rig.device._channel.beat()
    happenings = rig.host.received(rig.device.outgoing(), rig.now)
    assert ["gap"] == [one.code for one in happenings if isinstance(one, Fault)]


def test_a_lost_acknowledgement_is_given_again() -> None:
    """An event that comes again is a duplicate: not delivered, acknowledged again, reported once."""
    rig = a_rig()
    rig.event(card(0))
    rig._note(rig.host.received(rig.device.outgoing(), rig.now))
    assert 1 == lost(rig, rig.host.outgoing())
    rig.run(0.1)
    assert ([1], {"duplicate": 1}, 1, 0) == (
        rig.numbers,
        dict(rig.faults),
        rig.host.stats.duplicates,
        rig.device.kept,
    )


def test_numbers_go_round() -> None:
    """Past 2**32 - 1 the numbers go on at 0, over a reconnect too, with nothing lost and nothing reported."""
    start = MASK - 100
    rig = a_rig(first=start, expected=start)
    for order in range(200):
        rig.event(card(order))
        rig.step()
        if order % 50 == 49:
            rig.settle()
            reopen(rig)
    rig.settle()
    assert (after(start, 200), [card(order) for order in range(200)]) == (rig.numbers, rig.payloads)
    assert ([], (start + 199) & MASK) == (rig.all_faults, rig.device.acknowledged)


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
    rig.settle()
    assert (after(1, 4), 0, 0) == (rig.numbers, rig.lost, rig.faults["forgot"])
    assert rig.host.identity is not None
    assert (8, 7) == (rig.host.identity.boot, rig.host.identity.numbering)


def test_a_reboot_that_forgets_is_reported_and_numbers_begin_anew() -> None:
    """A device that lost its numbers is reported, and all that it has since is taken."""
    rig = a_rig()
    for order in range(3):
        rig.event(card(order))
    rig.settle()
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
    rig.settle()
    rig.host.closed()
    rig.device.reboot(8, forget=True)
    for order in range(10):
        rig.event(card(100 + order))
    reopen(rig)
    rig.settle()
    assert [card(100 + order) for order in range(10)] == rig.payloads[3:]
    assert 1 == rig.faults["forgot"]


def test_a_journal_that_is_ahead_of_the_device_shows_that_it_forgot() -> None:
    """Where only the number is known from earlier, a device whose numbers are below it forgot."""
    rig = a_rig(expected=500)
    rig.event(card(0))
    rig.settle()
    assert ([1], {"forgot": 1}) == (rig.numbers, dict(rig.faults))


def test_events_that_the_device_no_longer_keeps_are_counted() -> None:
    """A memory that ran full while the host was away costs the oldest events, and the host says how many."""
    rig = a_rig(keep=10)
    rig.host.closed()
    rig.device.closed()
    for order in range(25):
        rig.event(card(order))
    reopen(rig)
    rig.settle()
    assert (after(16, 10), 15, {"events-lost": 1}) == (rig.numbers, rig.lost, dict(rig.faults))


def test_a_memory_that_runs_full_in_a_session_is_reported() -> None:
    """Events dropped while the link is up are found missing, and a new handshake counts them."""
    rig = a_rig(keep=10)
    for order in range(25):
        rig.event(card(order))
    rig.settle()
    assert (after(16, 10), 15, 1) == (rig.numbers, rig.lost, rig.faults["events-lost"])


def test_commands_of_an_old_session_are_dropped() -> None:
    """A command that was under way when the port closed is not sent in the next session."""
    rig = a_rig()
    rig.host.send(0x80, b"old", rig.now)
    reopen(rig)
    rig.host.send(0x80, b"new", rig.now)
    rig.settle()
    assert [Commanded(0x80, b"new")] == rig.commands


def test_commands_that_wait_are_bounded() -> None:
    """When nobody acknowledges, the host refuses commands instead of storing them without end."""
    rig = a_rig()
    assert 256 == sum(rig.host.send(1, b"", rig.now) for _ in range(1000))


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
    """What it sent says that it is there; a quarter of a second later it does answer, and the device never does."""
    rig = a_rig()
    rig.settle()
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
    rig.settle()
    begun, beats = rig.now, 0
    while (due := rig.host.due()) is not None and due < begun + SILENT_AFTER:
        rig.now = due
        assert [] == rig.host.tick(rig.now)
        beats += bool(rig.host.outgoing())
    assert beats >= 3


def test_an_end_that_has_used_up_its_counter_falls_silent() -> None:
    """The counter never wraps: the session ends in silence and the next one begins at 1."""
    rig = a_rig()
    rig.device._channel.counter = MASK - 2
    for order in range(4):
        rig.event(card(order))
    rig.run(6.0)
    rig.settle()
    assert (after(1, 4), 1) == (rig.numbers, rig.faults["silent"])


def test_a_frame_that_means_nothing_is_reported() -> None:
    """Unknown types, wrong sizes, and acknowledgements of what was never sent are bad frames, never taken."""
    for kind, body in [(0x13, b""), (0x10, b"short"), (0x11, bytes(6)), (0x12, bytes(7)), (0x11, b"\x09\0\0\0\0")]:
        rig = a_rig()
        happenings = rig.host.received(rig.device._channel.seal(kind, body), rig.now)
        assert ["bad-frame"] == [one.code for one in happenings if isinstance(one, Fault)]
        assert rig.host.up


def test_a_number_that_was_never_given_ends_the_session() -> None:
    """A device that asks for commands that do not exist has lost track; only a new handshake helps."""
    rig = a_rig()
    rig._note(rig.host.received(rig.device._channel.seal(0x11, b"\x09\0\0\0\x01"), rig.now))
    assert {"silent": 1} == dict(rig.faults)


def test_an_unauthenticated_link_delivers_alike() -> None:
    """Without a key everything is delivered the same way."""
    rig = a_rig(key=None)
    for order in range(100):
        rig.event(card(order))
    rig.host.send(1, b"lamp", rig.now)
    rig.settle()
    assert (after(1, 100), [Commanded(1, b"lamp")]) == (rig.numbers, rig.commands)
    assert {"unverified": 1} == dict(rig.faults)
