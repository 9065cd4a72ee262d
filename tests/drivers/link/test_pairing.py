"""Pairing: both ends learn each other's key, and nobody in between gives them another one unnoticed."""

from __future__ import annotations

from random import Random

import pytest

from drivers.link import DeviceLink, frames
from drivers.link.editions import noise
from drivers.link.editions.keys import NO_TAG
from drivers.link.editions.sealed import SealedHost
from drivers.link.editions.tagged import TaggedDevice
from drivers.link.frames import HEAD, TRAILER, Framer, encode
from drivers.link.host import HostLink
from drivers.link.pairing import exchange
from drivers.link.pairing.device import PairingDevice
from drivers.link.pairing.host import PairingHost

SERIAL = "P-1"


class Bench:
    """A host that pairs and a device, and whatever passes between them."""

    def __init__(self, seed: int, kind: str = "panel", *, tries: exchange.Tries | None = None) -> None:
        self.random = Random(f"{seed} {kind}")
        self.kind = kind
        self.now = 100.0
        self.secret = self.random.randbytes(32)
        self.changes = 0
        self.tries = tries or exchange.Tries()
        self.keys = PairingDevice(self.random.randbytes(32), None, kind=kind, serial=SERIAL)
        self.device = device_link(self.keys, kind)
        self.device.opened(self.now)
        self.host = self.begin()

    def begin(self) -> PairingHost:
        """The host begins."""
        self.host = PairingHost(
            self.secret, kind=self.kind, serial=SERIAL, tries=self.tries, changed=self.count, nonce=self.nonce
        )
        self.host.opened(self.now)
        return self.host

    def nonce(self) -> bytes:
        """A nonce of the host's."""
        return self.random.randbytes(16)

    def count(self) -> None:
        """Something has changed."""
        self.changes += 1

    def run(self, seconds: float = 1.0) -> None:
        """Let bytes and time pass."""
        end = self.now + seconds
        while self.now < end:
            self.now += 0.05
            self.device.tick(self.now)
            self.host.tick(self.now)
            self.device.received(self.host.outgoing(), self.now)
            self.host.received(self.device.outgoing(), self.now)

    def hears(self) -> bool:
        """Whether a link comes up with the keys that were exchanged."""
        assert self.host.met is not None
        shake = SealedHost(self.secret, self.host.met.public, kind=self.kind, serial=SERIAL)
        link = HostLink(kind=self.kind, serial=SERIAL, shake=shake, expected=1)
        link.opened(self.now)
        self.device.opened(self.now)
        for _ in range(20):
            self.now += 0.05
            self.device.received(link.outgoing(), self.now)
            link.received(self.device.outgoing(), self.now)
            link.tick(self.now)
        return link.up


def device_link(keys: PairingDevice | TaggedDevice, kind: str) -> DeviceLink:
    """The link of a device."""
    return DeviceLink(kind=kind, serial=SERIAL, firmware="1", capabilities=0, shake=keys, boot=1)


def framed(step: int, body: bytes) -> bytes:
    """A PAIR frame."""
    return encode(HEAD.pack(frames.PAIR, 1) + bytes([step]) + body + NO_TAG)


def bodies(wire: bytes, kind: int = frames.PAIR) -> list[bytes]:
    """The bodies of the frames of a type."""
    return [
        frame[HEAD.size : -TRAILER] for frame in Framer().feed(wire) if isinstance(frame, bytes) and frame[0] == kind
    ]


def test_a_display_shows_the_code_of_the_table(seed: int) -> None:
    """Both ends show the same six digits; after the press they hear each other, with a key that the device drew now."""
    bench = Bench(seed)
    before = bench.keys.pair
    bench.keys.turn_on(bench.now)
    bench.run()
    assert bench.host.met is not None
    assert (bench.host.met.shows, False) == (bench.keys.code, bench.host.taken)
    assert (6, True) == (len(bench.keys.code), bench.keys.code.isdigit())
    assert before == bench.keys.pair
    bench.device.pressed(bench.now, same=True)
    bench.run()
    assert (True, "", 2) == (bench.host.taken, bench.keys.code, bench.changes)
    assert before.secret != bench.keys.pair.secret
    assert bench.hears()


def test_a_label_is_the_fingerprint_of_the_key(seed: int) -> None:
    """A device without a display takes the host at once; the table shows what its label says."""
    bench = Bench(seed, "shoe")
    label = bench.keys.label
    bench.keys.turn_on(bench.now)
    bench.run()
    assert bench.host.met is not None
    assert (label, True) == (bench.host.met.shows, bench.host.taken)
    assert (19, label) == (len(label), bench.keys.label)
    assert bench.hears()


def test_a_device_out_of_pairing_mode_takes_nobody(seed: int) -> None:
    """Before the switch is turned, and a minute after, an offer changes nothing; the host waits for the switch."""
    bench = Bench(seed, "shoe")
    before = bench.keys.pair
    bench.run(5.0)
    assert (before, "") == (bench.keys.pair, bench.host.failed)
    bench.keys.turn_on(bench.now - exchange.MODE)
    bench.run(5.0)
    assert (before, "") == (bench.keys.pair, bench.host.failed)
    bench.run(60.0)
    assert "no device in pairing mode" in bench.host.failed


def test_a_press_that_never_comes_takes_nobody(seed: int) -> None:
    """A code at which nobody presses is over with the pairing mode, at both ends; so is one that is not the same."""
    bench = Bench(seed)
    before = bench.keys.pair
    bench.keys.turn_on(bench.now)
    bench.run(62.0)
    bench.device.pressed(bench.now, same=True)
    assert ("nobody pressed at the device within 60 s", before) == (bench.host.failed, bench.keys.pair)
    bench.begin()
    bench.keys.turn_on(bench.now)
    bench.run()
    bench.device.pressed(bench.now, same=False)
    bench.run()
    assert ("the device did not take it", before) == (bench.host.failed, bench.keys.pair)


def test_three_tries_then_ten_minutes(seed: int) -> None:
    """The device counts each key that it told, the host each that it revealed; then both rest."""
    bench = Bench(seed)
    for _ in range(exchange.TRIES):
        assert 0.0 == bench.tries.rests(bench.now)
        bench.keys.turn_on(bench.now)
        bench.begin()
        bench.run()
    assert exchange.REST - 2.0 < bench.tries.rests(bench.now) <= exchange.REST
    bench.keys.turn_on(bench.now)
    bench.begin()
    bench.run()
    assert "rests" in bench.host.failed
    bench.now += exchange.REST
    bench.keys.turn_on(bench.now)
    bench.begin()
    bench.run()
    assert (True, 0.0) == (bool(bench.keys.code), bench.tries.rests(bench.now))


def test_somebody_in_between_shows_another_code(seed: int) -> None:
    """Between both, with keys of their own to each side, somebody cannot make the codes equal."""
    random = Random(seed)
    table, panel = Bench(seed), Bench(seed + 1)
    panel.secret = random.randbytes(32)  # what the panel hears is theirs
    for bench in (table, panel):
        bench.keys.turn_on(bench.now)
        bench.begin()
        bench.run()
    assert table.host.met is not None
    assert table.host.met.shows != panel.keys.code


def test_a_reveal_that_was_not_committed_to_is_not_taken(seed: int) -> None:
    """Somebody who has seen the device's nonce cannot exchange the key, or the nonce, that was offered."""
    random, kind = Random(seed), "shoe"
    for change in range(2):
        keys = PairingDevice(random.randbytes(32), None, kind=kind, serial=SERIAL)
        device, before = device_link(keys, kind), keys.pair
        keys.turn_on(0.0)
        public, nonce = noise.public(random.randbytes(32)), random.randbytes(16)
        device.received(framed(exchange.OFFER, exchange.commitment(public, nonce)), 1.0)
        assert exchange.KEY == bodies(device.outgoing())[0][0]
        other = noise.public(random.randbytes(32)) if change else public
        device.received(framed(exchange.REVEAL, other + random.randbytes(16)), 1.0)
        assert [bytes([exchange.RESULT, exchange.NOT_TAKEN])] == bodies(device.outgoing())
        device.received(framed(exchange.REVEAL, public + nonce), 1.0)
        assert ([], before) == (bodies(device.outgoing()), keys.pair)


def test_another_device_is_not_paired(seed: int) -> None:
    """A device of another serial number, or of another kind, is found before anything is revealed."""
    bench = Bench(seed, "shoe")
    bench.keys = PairingDevice(bench.secret, None, kind="shoe", serial="P-2")
    bench.device = device_link(bench.keys, "shoe")
    bench.keys.turn_on(bench.now)
    bench.run()
    assert "serial number" in bench.host.failed
    assert bench.host.met is None


def test_a_port_that_is_lost_after_the_reveal_ends_it(seed: int) -> None:
    """Before the reveal the same is offered again; after it the code was shown, and another needs another try."""
    bench = Bench(seed)
    bench.host.closed()
    bench.host.opened(bench.now)
    bench.keys.turn_on(bench.now)
    bench.run()
    assert bench.host.met is not None
    bench.host.closed()
    assert "the port was lost" == bench.host.failed


def test_a_device_of_edition_1_is_not_paired(seed: int) -> None:
    """Nobody is taken by a device of edition 1: it does not know what an offer is."""
    bench = Bench(seed, "shoe")
    bench.device = device_link(TaggedDevice(bench.secret), "shoe")
    bench.run(61.0)
    assert "no device in pairing mode" in bench.host.failed


def test_a_session_goes_on_while_somebody_offers(seed: int) -> None:
    """Out of pairing mode an offer does no harm to the session of a device that is paired."""
    bench = Bench(seed, "shoe")
    bench.keys.turn_on(bench.now)
    bench.run()
    assert bench.hears()
    bench.device.received(framed(exchange.OFFER, bytes(32)), bench.now)
    assert bench.device.up
    assert [bytes([exchange.REFUSED_MODE])] == bodies(bench.device.outgoing(), frames.REFUSE)


@pytest.mark.parametrize("body", [b"", b"\1", b"\2" + bytes(48), b"\3" + bytes(47), b"\4\2", b"\x09" + bytes(100)])
def test_what_means_nothing_changes_nothing(seed: int, body: bytes) -> None:
    """Frames of the wrong shape or order are counted as bad."""
    bench = Bench(seed, "shoe")
    before = bench.keys.pair
    bench.keys.turn_on(bench.now)
    bench.device.received(encode(HEAD.pack(frames.PAIR, 1) + body + NO_TAG), bench.now)
    assert (1, before, b"") == (bench.device.stats.bad, bench.keys.pair, bench.device.outgoing())
