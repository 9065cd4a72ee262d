"""Both ends on a cable that flips, drops, inserts, repeats and splices bytes: exactly once, in order, or reported."""

from __future__ import annotations

import os

import pytest

from tests.drivers.link.cable import KEY, PAIR, Rig, after, card, device_link, host_link

IN_SUITE = 50_000
SOAK = int(os.environ.get("TRUEDEAL_FRAMES", "10000000"))


def frames_seen(rig: Rig) -> int:
    """How many frames came out of the cable at both ends, good and bad."""
    ends = (rig.host.stats, rig.device.stats)
    return sum(stats.frames + stats.bad for stats in ends)


class Traffic:
    """Events and commands with damage, checked as they arrive."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        rig.keep_record = False
        self.made = 0
        self.taken = 0
        self.session = 0
        self.sent = 0
        self.last = (0, -1)

    def go(self) -> None:
        """One step with new traffic, and the check of what came."""
        rig = self.rig
        if rig.device.kept < 200:
            for _ in range(rig.random.randrange(6)):
                rig.event(card(self.made), ident=self.made & 0xFF)
                self.made += 1
        if self.session != rig.ups:
            self.session, self.sent = rig.ups, 0
        if rig.random.random() < 0.5 and rig.host.send(
            self.sent & 0xFF, f"{self.session} {self.sent}".encode(), rig.now
        ):
            self.sent += 1
        rig.step()
        self.check()

    def check(self) -> None:
        """Every event once and in order, whole; every command once and in order within its session."""
        rig = self.rig
        for event in rig.arrived:
            expected = (self.taken + 1, self.taken & 0xFF, card(self.taken))
            assert expected == (event.number, event.ident, event.payload)
            self.taken += 1
        rig.arrived.clear()
        for ident, payload in rig.commands:
            session, index = map(int, payload.split())
            assert index & 0xFF == ident
            assert (session, index) == ((session, self.last[1] + 1) if session == self.last[0] else (session, 0))
            assert session >= self.last[0]
            self.last = session, index
        rig.commands.clear()


def play(count: int, seed: int, key: bytes | None, rate: float) -> Traffic:
    """Traffic until this many frames were seen, then what is still due on a healed cable."""
    host, device = host_link(key=key, seed=seed), device_link(key=key)
    traffic = Traffic(Rig(host, device, seed=seed, rate=rate))
    rig = traffic.rig
    while frames_seen(rig) < count:
        for _ in range(50):
            traffic.go()
    rig.run_until_quiet()
    traffic.check()
    return traffic


def verify(traffic: Traffic) -> None:
    """Nothing is missing, nothing is left over, and the damage was noticed."""
    rig = traffic.rig
    assert traffic.made == traffic.taken
    assert 0 == rig.lost
    assert 0 == rig.faults["foreign-device"]
    assert 0 == rig.faults["forgot"]
    assert rig.faults["bad-frame"] > 0
    assert rig.faults["gap"] > 0
    assert rig.device.stats.resent > 0


@pytest.mark.parametrize(
    ("key", "rate", "share"),
    [(KEY, 0.002, 4), (None, 0.002, 6), (KEY, 0.01, 6), (None, 0.0002, 6), (PAIR, 0.0005, 4), (PAIR, 0.003, 8)],
    ids=["key", "no key", "key, worse cable", "no key, better cable", "edition 2", "edition 2, worse cable"],
)
def test_every_event_arrives_once_in_order_over_a_bad_cable(
    seed: int, key: bytes | None, rate: float, share: int
) -> None:
    """On a cable with damage every event and command is delivered exactly once, in order, as it was sent."""
    verify(play(IN_SUITE // share, seed + share, key, rate))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_ten_million_frames_over_a_bad_cable(seed: int, part: int) -> None:
    """The same with ten million frames, or as many as TRUEDEAL_FRAMES says."""
    verify(play(SOAK // 4, seed + part, (KEY, PAIR, None, PAIR)[part], (0.0002, 0.001, 0.002, 0.005)[part]))


@pytest.mark.usefixtures("editions")
def test_reboots_and_hang_ups_in_the_middle_lose_nothing_that_the_device_kept(seed: int) -> None:
    """Reboots that keep the numbers, and ports closed at any time, over a bad cable: still once and in order."""
    traffic = Traffic(Rig(host_link(seed=seed), device_link(), seed=seed, rate=0.001))
    rig = traffic.rig
    for step in range(6000):
        traffic.go()
        match rig.random.randrange(400):
            case 0:
                rig.device.reboot(1000 + step, forget=False)
            case 1:
                rig.host.closed()
                rig.host.opened(rig.now)
            case 2:
                rig.device.closed()
                rig.device.opened(rig.now)
    rig.run_until_quiet()
    traffic.check()
    assert traffic.made == traffic.taken
    assert (0, 0) == (rig.lost, rig.faults["forgot"])


@pytest.mark.usefixtures("editions")
def test_what_a_full_memory_drops_is_reported_to_the_number(seed: int) -> None:
    """With a memory that overflows, events arrived and events reported lost add up to all events, in order."""
    rig = Rig(host_link(seed=seed), device_link(keep=20), seed=seed, rate=0.003)
    made = 0
    for _ in range(5000):
        for _ in range(rig.random.choice([0, 0, 0, 1, 3, 40])):
            rig.event(card(made))
            made += 1
        rig.step()
        if made > 20_000:
            break
    rig.run_until_quiet()
    numbers = rig.numbers
    assert sorted(set(numbers)) == numbers
    assert all(card(event.number - 1) == event.payload for event in rig.arrived)
    assert made == len(numbers) + rig.lost
    assert rig.lost > 0
    assert after(numbers[-1], 1) == [made]
