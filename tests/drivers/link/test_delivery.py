"""Once, in order, or reported: what happens to events and commands that are lost, late, doubled or never durable."""

from __future__ import annotations

import pytest

from drivers.faults import Fault
from drivers.happenings import Arrived, Commanded
from drivers.link.frames import Framer
from drivers.link.numbers import MASK
from tests.drivers.link.cable import Rig, a_rig, after, card, device_link, host_link, reopen

pytestmark = pytest.mark.usefixtures("editions")


def lost(rig: Rig, data: bytes) -> int:
    """Bytes that nobody receives: how many frames they were."""
    assert rig.host.up
    return len(Framer().feed(data))


def test_an_event_arrives_whole() -> None:
    """Number, time, ident and payload arrive as the device gave them, with the message as it was."""
    rig = a_rig()
    rig.device.event(0x42, b"\0\1\0", 2**32 + 77, rig.now)
    wire = rig.device.outgoing()
    counter = rig.device._channel.counter.to_bytes(4, "little")
    raw = b"\x10" + counter + bytes([1, 0, 0, 0, 77, 0, 0, 0, 0x42]) + b"\0\1\0"
    assert [Arrived(1, 77, 0x42, b"\0\1\0", raw)] == rig.host.received(wire, rig.now)


def test_a_command_arrives_once_and_is_acknowledged() -> None:
    """A command is handed over once, and the host forgets it when the device has it."""
    rig = a_rig()
    assert rig.host.send(0x80, b"lock", rig.now)
    rig.run(3.0)
    assert [Commanded(0x80, b"lock")] == rig.commands
    assert 0 == len(rig.host._channel.outbox)


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
    rig.run_until_quiet()
    assert (after(1, 300), [card(order) for order in range(300)]) == (rig.numbers, rig.payloads)
    assert (300, 0) == (rig.device.acknowledged, rig.lost)


def test_events_before_the_first_host_arrive() -> None:
    """A host that expects nothing in particular takes all that the device has kept."""
    device = device_link()
    for order in range(10):
        device.event(1, card(order), 0, 0.0)
    rig = Rig(host_link(expected=None), device)
    rig.run_until_quiet()
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
    second.run_until_quiet()
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
    """When the first frame sent again is lost too, the next ones show it, and it is asked for again."""
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
            rig.run_until_quiet()
            reopen(rig)
    rig.run_until_quiet()
    assert (after(start, 200), [card(order) for order in range(200)]) == (rig.numbers, rig.payloads)
    assert ([], (start + 199) & MASK) == (rig.all_faults, rig.device.acknowledged)


def test_commands_of_an_old_session_are_dropped() -> None:
    """A command that was under way when the port closed is not sent in the next session."""
    rig = a_rig()
    rig.host.send(0x80, b"old", rig.now)
    reopen(rig)
    rig.host.send(0x80, b"new", rig.now)
    rig.run_until_quiet()
    assert [Commanded(0x80, b"new")] == rig.commands


def test_commands_that_wait_are_bounded() -> None:
    """When nobody acknowledges, the host refuses commands instead of storing them without end."""
    rig = a_rig()
    assert 256 == sum(rig.host.send(1, b"", rig.now) for _ in range(1000))


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
    rig.run_until_quiet()
    assert (after(1, 100), [Commanded(1, b"lamp")]) == (rig.numbers, rig.commands)
    assert {"unverified": 1} == dict(rig.faults)
