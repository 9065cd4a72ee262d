"""Edition 2: what passes, what does not, and what anyone who listens learns."""

from __future__ import annotations

import os
from random import Random

import pytest

from drivers.faults import Fault
from drivers.happenings import Arrived, Commanded, Identity, LinkHappening, Up
from drivers.link import DeviceLink, HostLink
from drivers.link.editions import noise
from drivers.link.editions.edition import TWO
from drivers.link.editions.sealed import SIZE, SealedDevice, SealedHost, Sealer
from drivers.link.frames import Framer, encode
from drivers.link.numbers import MASK, MOST_PAYLOAD
from tests.drivers.link.cable import (
    DEVICE_SECRET,
    HOST_SECRET,
    KEY,
    PAIR,
    Rig,
    a_rig,
    after,
    card,
    device_link,
    device_shake,
    host_link,
    reopen,
)

OTHER = bytes(range(200, 232))


def codes(happenings: list[LinkHappening]) -> list[str]:
    """The codes of faults, the names of other happenings."""
    return [one.code if isinstance(one, Fault) else type(one).__name__ for one in happenings]


def meet(host: HostLink, device: DeviceLink, now: float = 0.0) -> list[LinkHappening]:
    """Both ends on a fresh cable, until nobody has more to say."""
    host.opened(now)
    device.opened(now)
    happenings: list[LinkHappening] = []
    for _ in range(6):
        device.received(host.outgoing(), now)
        happenings += host.received(device.outgoing(), now)
    return happenings


def types(wire: bytes) -> list[int]:
    """The types of the frames in these bytes."""
    return [frame[0] for frame in Framer().feed(wire) if isinstance(frame, bytes)]


def host_with(secret: bytes = HOST_SECRET, device: bytes = DEVICE_SECRET, serial: str = "S1") -> HostLink:
    """A host with these keys."""
    shake = SealedHost(secret, noise.public(device), kind="shoe", serial=serial)
    return HostLink(kind="shoe", serial=serial, shake=shake, expected=1)


def test_two_ends_that_know_each_other_are_up() -> None:
    """The host knows what the device is, and it is proved."""
    expected = Identity("shoe", "S1", "1.2.3", TWO.protocol, 5, True, 7, 7, following=1)
    assert [Up(expected)] == meet(host_link(key=PAIR), device_link(key=PAIR))


@pytest.mark.parametrize(
    "host",
    [
        pytest.param(host_with(secret=OTHER), id="another host"),
        pytest.param(host_with(device=OTHER), id="another device"),
        pytest.param(host_with(serial="S2"), id="another serial number"),
    ],
)
def test_ends_that_do_not_know_each_other_say_nothing(host: HostLink) -> None:
    """The device refuses the first message, keeps its events and tells nothing of itself."""
    device = device_link(key=PAIR)
    device.event(1, b"secret", 0, 0.0)
    host.opened(0.0)
    device.opened(0.0)
    device.received(host.outgoing(), 0.0)
    answer = device.outgoing()
    assert ([0x04], False, 1) == (types(answer), device.up, device.kept)
    assert ["foreign-device"] == codes(host.received(answer, 0.0))
    assert not host.up


@pytest.mark.parametrize(("host", "device"), [(PAIR, KEY), (KEY, PAIR), (PAIR, None), (None, PAIR)])
def test_the_other_edition_is_not_understood(host: bytes | None, device: bytes | None) -> None:
    """Neither end falls back to edition 1 or up to edition 2: there is no session, and no event in clear."""
    rig = Rig(host_link(key=host), device_link(key=device))
    rig.event(card(0))
    rig.run(5.0)
    assert (0, [], False) == (rig.ups, rig.arrived, rig.device.up)
    assert {"silent"} == set(rig.faults)


def test_a_repeated_hello_gets_the_same_bytes() -> None:
    """Whatever has happened since: a key never meets a nonce with two texts."""
    host, device = host_link(key=PAIR), device_link(key=PAIR)
    host.opened(0.0)
    device.opened(0.0)
    hello = host.outgoing()
    device.received(hello, 0.0)
    (first,) = Framer().feed(device.outgoing())
    device.event(1, b"card", 0, 0.1)
    device.received(hello, 0.1)
    (again,) = Framer().feed(device.outgoing())
    assert isinstance(first, bytes)
    assert isinstance(again, bytes)
    assert first[5:-12] == again[5:-12]


def test_a_repeated_start_does_no_harm() -> None:
    """The device confirms it again; commands go on where they were."""
    host, device = host_link(key=PAIR), device_link(key=PAIR)
    host.opened(0.0)
    device.opened(0.0)
    device.received(host.outgoing(), 0.0)
    host.received(device.outgoing(), 0.0)
    device.received(host.outgoing(), 0.0)
    device.outgoing()  # nobody hears that START was taken
    host.tick(0.25)
    device.received(host.outgoing(), 0.25)
    assert ["Up"] == codes(host.received(device.outgoing(), 0.25))
    host.send(1, b"first", 0.3)
    assert [Commanded(1, b"first")] == device.received(host.outgoing(), 0.3)


def test_what_is_left_of_an_earlier_session_is_not_refused() -> None:
    """Between its ANSWER and START the device ignores frames of an earlier session without a word."""
    host, device = host_link(key=PAIR), device_link(key=PAIR)
    meet(host, device)
    host.send(1, b"late", 0.1)
    late = host.outgoing()
    host.opened(0.1)
    assert [] == device.received(host.outgoing() + late, 0.1)
    assert ([0x06], False) == (types(device.outgoing()), device.up)


@pytest.mark.parametrize("size", [0, 1, 37, 38, 74, 75, MOST_PAYLOAD])
def test_a_message_of_any_size_arrives_whole(size: int) -> None:
    """What is longer than a frame goes in parts, both ways, and has the number of its last part."""
    rig = a_rig(key=PAIR)
    payload = bytes(range(256))[:size]
    rig.event(card(0))
    number = rig.event(payload)
    rig.event(card(1))
    rig.host.send(0x80, payload, rig.now)
    rig.run_until_quiet()
    parts = max(1, -(-size // TWO.room))
    assert ([1, number, number + 1], [card(0), payload, card(1)]) == (rig.numbers, rig.payloads)
    assert (1 + parts, [Commanded(0x80, payload)], []) == (number, rig.commands, rig.all_faults)


def test_a_message_that_a_session_leaves_unfinished_comes_again_whole() -> None:
    """Its first parts are asked for once more."""
    rig = a_rig(key=PAIR)
    rig.event(bytes(100))
    first, *_ = [wire for wire in rig.device.outgoing().split(b"\0") if wire]
    assert [] == rig.host.received(b"\0" + first + b"\0", rig.now)
    reopen(rig)
    rig.run_until_quiet()
    assert ([3], [bytes(100)]) == (rig.numbers, rig.payloads)


def test_a_full_memory_drops_whole_messages() -> None:
    """No part of an event is left without the others, and what is missing is told."""
    rig = a_rig(key=PAIR, keep=7)
    rig.host.closed()
    for order in range(4):
        rig.event(bytes([order]) * 100)
    assert 6 == rig.device.kept
    reopen(rig)
    rig.run_until_quiet()
    assert ([bytes([2]) * 100, bytes([3]) * 100], 6) == (rig.payloads, rig.lost)


def test_numbers_go_round_in_parts() -> None:
    """Past 2**32 - 1 a message goes on at 0."""
    rig = a_rig(key=PAIR, first=MASK, expected=MASK)
    rig.event(bytes(100))
    rig.run_until_quiet()
    assert (after(1, 1), [bytes(100)]) == (rig.numbers, rig.payloads)


def test_keys_are_replaced_where_the_counter_passes_65536() -> None:
    """Frames on both sides of it open, also when many between them were lost; what is farther ahead does not."""
    sending, receiving = Sealer(OTHER), Sealer(OTHER)
    for counter in (1, 65_535, 65_536, 65_537, 131_071, 140_000):
        content = receiving.open(sending.seal(0x10, counter, b"card") + bytes(4))
        assert content is not None
        assert (b"\x10", b"card") == (content[:1], content[5:])
    assert receiving.open(sending.seal(0x10, 4 << 16, b"card") + bytes(4)) is None
    assert receiving.open(Sealer(OTHER).seal(0x10, 1, b"old key") + bytes(4)) is None


def test_every_bit_of_a_frame_counts() -> None:
    """Type, counter, text and tag: nothing of a frame can be changed, and it cannot be shortened."""
    sealed = Sealer(OTHER).seal(0x10, 7, b"card") + bytes(4)
    assert SIZE == len(sealed)
    for bit in range(8 * (SIZE - 4)):
        changed = bytearray(sealed)
        changed[bit // 8] ^= 1 << bit % 8
        assert Sealer(OTHER).open(bytes(changed)) is None
    assert Sealer(OTHER).open(sealed[:-1]) is None


def damaged(sealed: bytes, other: bytes, chance: Random) -> bytes:
    """The wire of a frame with something wrong in it; nine in ten have a CRC that is right again.

    One to four bytes are changed, or it is cut, or longer, or its end is that of another frame.
    """
    frame = bytearray(sealed)
    match chance.randrange(8):
        case 0:
            del frame[chance.randrange(len(frame)) :]
        case 1:
            frame += chance.randbytes(chance.randrange(1, 40))
        case 2:
            at = chance.randrange(1, len(frame))
            frame[at:] = other[at:]
        case _:
            for _ in range(chance.randrange(1, 5)):
                frame[chance.randrange(len(frame))] ^= chance.randrange(1, 256)
    if bytes(frame) in {sealed, other}:
        frame[0] ^= 1
    if chance.randrange(10):
        return encode(bytes(frame))
    wire = bytearray(encode(sealed))
    wire[chance.randrange(1, len(wire) - 1)] ^= chance.randrange(1, 256)
    return bytes(wire)


@pytest.mark.parametrize(
    "count", [20_000, pytest.param(int(os.environ.get("TRUEDEAL_FRAMES", "10000000")), marks=pytest.mark.soak)]
)
def test_no_damaged_frame_is_taken(count: int, seed: int) -> None:
    """However many, whatever was changed, and though the CRC is right; a good one after them is."""
    chance, taken, good = Random(seed), 0, 0
    sending, receiving, framer = Sealer(OTHER), Sealer(OTHER), Framer()
    before = sending.seal(0x10, 0, b"card")
    for turn in range(1, count + 1):
        sealed = sending.seal(0x10, turn, chance.randbytes(20))
        read = framer.feed(damaged(sealed, before, chance))
        taken += sum(isinstance(frame, bytes) and receiving.open(frame) is not None for frame in read)
        if not turn % 1000:
            (frame,) = framer.feed(encode(sealed))
            good += isinstance(frame, bytes) and receiving.open(frame) is not None
        before = sealed
    assert (0, count // 1000) == (taken, good)


def test_a_text_that_says_it_is_longer_than_it_is_means_nothing() -> None:
    """A length beyond the frame is cut off there."""
    rig = a_rig(key=PAIR)
    happenings = rig.host.received(rig.device._channel.seal(0x11, bytes(46)), rig.now)
    assert (["bad-frame"], True) == (codes(happenings), rig.host.up)


def test_a_message_without_an_end_is_bounded() -> None:
    """A device that never sends a last part is given up on its part number six."""
    rig = a_rig(key=PAIR)
    taken: list[LinkHappening] = []
    for number in range(1, 20):
        body = number.to_bytes(4, "little") + bytes(5) + bytes(37)
        taken += rig.host.received(rig.device._channel.seal(0x90, body), rig.now)
    assert [6 * 37] * 3 == [len(one.payload) for one in taken if isinstance(one, Arrived)]


def test_a_device_is_not_made_by_its_host_alone() -> None:
    """With all that the host has, nobody can answer as the device."""
    thief = SealedDevice(HOST_SECRET, noise.public(HOST_SECRET), kind="shoe", serial="S1")
    device = DeviceLink(kind="shoe", serial="S1", firmware="1", capabilities=0, shake=thief, boot=1)
    assert ["foreign-device"] == codes(meet(host_link(key=PAIR), device))
    assert device_shake(PAIR).edition is TWO
