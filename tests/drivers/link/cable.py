"""Two ends of a link on a cable without a wire: a virtual clock, seeded damage, and a record of what must arrive.

1. The cable keeps the order of bytes. Damage is drawn per byte from one seed: a flipped bit, dropped, inserted and
   repeated bytes, and a splice, where bytes that passed earlier replace those that come. Reads are split anywhere.
2. The host's end behaves like a station: after a fatal fault the port is closed and opened. The device notices nothing
   of that but the next CHALLENGE.
3. What an event must carry follows from its place in the order of all events, so a wrong payload cannot pass for
   another one. Every event must arrive once, in order, unless the device was made to forget it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from drivers.faults import Fault
from drivers.happenings import Arrived, LinkHappening, Up
from drivers.link import DeviceLink, HostLink
from drivers.link.editions.edition import DeviceShake, HostShake
from drivers.link.editions.noise import fresh_secret, public
from drivers.link.editions.sealed import SealedDevice, SealedHost
from drivers.link.editions.tagged import TaggedDevice, TaggedHost
from drivers.link.freshness import PATIENCE
from drivers.link.numbers import MASK, Outbox

KEY = bytes(range(100, 132))
"""The key of edition 1 that both ends hold."""
PAIR = b"edition 2"
"""Stands for the keys of edition 2, where every test takes a `key`."""
HOST_SECRET = bytes(range(1, 33))
DEVICE_SECRET = bytes(range(33, 65))
USUAL = b"usual"
"""Stands for the keys of the edition that a module's tests run on now: both in turn, by the fixture `editions`."""
STEP = 0.004
ALL_KEYS = pytest.mark.parametrize("key", [KEY, None, PAIR], ids=["key", "no key", "edition 2"])


class Usual:
    """What `USUAL` stands for."""

    key: bytes = KEY


def usual(key: bytes | None) -> bytes | None:
    """The key that is meant."""
    return Usual.key if key is USUAL else key


def host_shake(key: bytes | None, *, kind: str = "shoe", serial: str = "S1", seed: int | None = None) -> HostShake:
    """The host's handshake, with fresh secrets or those of a seed."""
    key = usual(key)
    if key is not PAIR:
        return TaggedHost(key) if seed is None else TaggedHost(key, chances(seed, 16))
    fresh = fresh_secret if seed is None else chances(seed, 32)
    return SealedHost(HOST_SECRET, public(DEVICE_SECRET), kind=kind, serial=serial, ephemeral=fresh)


def device_shake(key: bytes | None, *, kind: str = "shoe", serial: str = "S1", seed: int = 7) -> DeviceShake:
    """The device's handshake, with the secrets of a seed."""
    key = usual(key)
    if key is not PAIR:
        return TaggedDevice(key, chances(seed, 16))
    return SealedDevice(DEVICE_SECRET, public(HOST_SECRET), kind=kind, serial=serial, ephemeral=chances(seed, 32))


def host_link(
    *,
    key: bytes | None = USUAL,
    expected: int | None = 1,
    serial: str | None = "S1",
    seed: int | None = None,
    patience: float = PATIENCE,
) -> HostLink:
    """A host's end for a shoe."""
    shake = host_shake(key, serial=serial or "S1", seed=seed)
    return HostLink(kind="shoe", serial=serial, shake=shake, expected=expected, patience=patience)


def device_link(
    *, key: bytes | None = USUAL, keep: int = 4096, first: int = 1, serial: str = "S1", boot: int = 7
) -> DeviceLink:
    """A shoe's end."""
    shake = device_shake(key, serial=serial, seed=boot)
    link = DeviceLink(kind="shoe", serial=serial, firmware="1.2.3", capabilities=5, shake=shake, boot=boot, keep=keep)
    link._events = Outbox(keep, first, edition=shake.edition)
    return link


def chances(seed: int, size: int) -> Callable[[], bytes]:
    """Nonces or secret keys from a seed."""
    return partial(Random(seed).randbytes, size)


class Damage:
    """One direction of a cable: `rate` is the chance of damage per byte."""

    def __init__(self, random: Random, rate: float) -> None:
        self._random = random
        self.rate = rate
        self._history = b""
        self.count = 0
        self._next = self._gap()

    def _gap(self) -> int:
        return int(self._random.expovariate(self.rate)) if self.rate else 1 << 60

    def heal(self) -> None:
        """No more damage from now on."""
        self.rate = 0.0
        self._next = self._gap()

    def __call__(self, data: bytes) -> bytes:
        """What comes out at the other end."""
        self._history = (self._history + data)[-400:]
        if self._next >= len(data):
            self._next -= len(data)
            return data
        out, rest = bytearray(), data
        while self._next < len(rest):
            at = self._next
            self.count += 1
            out += rest[:at]
            new, skip = self._harm(rest[at], bytes(out[-40:]))
            out += new
            rest = rest[at + skip :]
            self._next = self._gap()
        self._next -= len(rest)
        return bytes(out + rest)

    def _harm(self, byte: int, before: bytes) -> tuple[bytes, int]:
        """The bytes that come instead of those from here on, and how many of those they replace."""
        random = self._random
        length = random.randrange(1, 40)
        match random.randrange(5):
            case 0:
                return bytes([byte ^ (1 << random.randrange(8))]), 1
            case 1:
                return b"", length
            case 2:
                return random.randbytes(length), 0
            case 3:
                return before[-length:], 0
            case _:
                start = random.randrange(max(1, len(self._history)))
                return self._history[start : start + length], length


def card(order: int) -> bytes:
    """What the event at this place in the order of all events carries."""
    return (order * 0x9E3779B97F4A7C15 + 1 & (1 << 64) - 1).to_bytes(8, "little") + bytes(order % 7)


class Rig:
    """A host and a device on a cable."""

    def __init__(self, host: HostLink, device: DeviceLink, *, seed: int = 0, rate: float = 0.0) -> None:
        self.host, self.device = host, device
        self.random = Random(seed)
        self.up_cable, self.down_cable = Damage(self.random, rate), Damage(self.random, rate)
        self.now = 0.0
        self.arrived: list[Arrived] = []
        self.commands: list[tuple[int, bytes]] = []
        self.ups = 0
        self.faults: Counter[str] = Counter()
        self.all_faults: list[Fault] = []
        self.lost = 0
        self.acknowledging = True
        self.keep_record = True
        host.opened(self.now)
        device.opened(self.now)

    def step(self, seconds: float = STEP) -> list[LinkHappening]:
        """Let bytes and time pass once."""
        self.now += seconds
        self.device.tick(self.now)
        happenings = self.host.tick(self.now)
        if data := self.device.outgoing():
            for piece in self._split(self.up_cable(data)):
                happenings += self.host.received(piece, self.now)
        self._note(happenings)
        if data := self.host.outgoing():
            for piece in self._split(self.down_cable(data)):
                self.commands += self.device.received(piece, self.now)
        return happenings

    def _split(self, data: bytes) -> list[bytes]:
        if self.random.random() < 0.7:
            return [data]
        cut = self.random.randrange(len(data) + 1)
        return [data[:cut], data[cut:]]

    def _note(self, happenings: list[LinkHappening]) -> None:
        ended = False
        for happening in happenings:
            match happening:
                case Arrived():
                    self.arrived.append(happening)
                    if self.acknowledging:
                        self.host.acknowledge(happening.number, self.now)
                case Up():
                    self.ups += 1
                case Fault():
                    self.faults[happening.code] += 1
                    self.lost += happening.lost
                    ended = ended or happening.fatal
                    if self.keep_record:
                        self.all_faults.append(happening)
        if ended:
            self.host.closed()
            self.host.opened(self.now)

    def run(self, seconds: float) -> None:
        """Let so much time pass."""
        end = self.now + seconds
        while self.now < end:
            self.step()

    def until_up(self) -> None:
        """Let time pass until the link is up."""
        for _ in range(5000):
            if self.host.up:
                return
            self.step()
        raise AssertionError(f"not up: {self.all_faults[-3:]}")

    def event(self, payload: bytes, ident: int = 0x10) -> int:
        """Something happens at the device."""
        return self.device.event(ident, payload, int(self.now * 1000), self.now)

    def run_until_quiet(self) -> None:
        """Heal the cable and let time pass until nothing is kept any more."""
        self.up_cable.heal()
        self.down_cable.heal()
        for _ in range(5000):
            if self.host.up and not self.device.kept and not len(self.host._channel.outbox):
                return
            self.step(0.02)
        raise AssertionError(f"{self.device.kept} events are still kept: {self.all_faults[-3:]}")

    @property
    def numbers(self) -> list[int]:
        """The numbers that arrived."""
        return [event.number for event in self.arrived]

    @property
    def payloads(self) -> list[bytes]:
        """The payloads that arrived."""
        return [event.payload for event in self.arrived]


def after(number: int, count: int) -> list[int]:
    """This many numbers from this one on."""
    return [(number + step) & MASK for step in range(count)]


def a_rig(*, first: int = 1, expected: int | None = 1, keep: int = 4096, key: bytes | None = USUAL) -> Rig:
    """Both ends, up."""
    rig = Rig(host_link(expected=expected, key=key), device_link(first=first, keep=keep, key=key))
    rig.until_up()
    return rig


def reopen(rig: Rig) -> None:
    """The host closes the port and opens it again."""
    rig.host.closed()
    rig.host.opened(rig.now)
    rig.until_up()
