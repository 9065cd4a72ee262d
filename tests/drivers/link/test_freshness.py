"""How old an event is, and what is withheld: the figures, the clocks, and our own loop."""

from __future__ import annotations

import pytest

from drivers.faults import WITHHELD, Fault
from drivers.link.freshness import PATIENCE, UNKNOWN, Clock, Watch, milliseconds
from drivers.link.numbers import MASK
from tests.drivers.link.cable import KEY, PAIR, Rig, a_rig, card, device_link, host_link, reopen


class Held:
    """A cable on which whatever passes waits for so long, both ways or one."""

    def __init__(self, rig: Rig, up: float, down: float = 0.0) -> None:
        self._rig = rig
        self._up, self._down = up, down
        self._waiting: list[tuple[float, bool, bytes]] = []

    def run(self, seconds: float) -> None:
        """Let time pass."""
        rig, end = self._rig, self._rig.now + seconds
        while rig.now < end:
            rig.now += 0.004
            rig.device.tick(rig.now)
            rig._note(rig.host.tick(rig.now))
            self._waiting.append((rig.now + self._up, True, rig.device.outgoing()))
            self._waiting.append((rig.now + self._down, False, rig.host.outgoing()))
            through = [one for one in self._waiting if one[0] <= rig.now]
            self._waiting = [one for one in self._waiting if one[0] > rig.now]
            for _, upwards, data in through:
                if upwards:
                    rig._note(rig.host.received(data, rig.now))
                else:
                    rig.commands += rig.device.received(data, rig.now)


def test_an_age_is_the_most_that_it_can_be() -> None:
    """The whole trip counts as the way back."""
    clock = Clock()
    assert 0.0 == clock.age(5, 99.0)
    clock.sample(time=500, echo=10_000, held=400, now=10.5)
    assert 0.1 == pytest.approx(clock.age(500, 10.5))
    assert 2.1 == pytest.approx(clock.age(500, 12.5), abs=0.001)
    assert 0.1 == pytest.approx(clock.age(2500, 12.5), abs=0.001)


def test_the_shortest_trip_of_the_last_sixteen_counts() -> None:
    """A slow one tells less; one that is too old is forgotten, because clocks run apart."""
    clock = Clock()
    clock.sample(0, 0, 0, 0.01)
    for beat in range(1, 16):
        clock.sample(1000 * beat, 1000 * beat, 0, beat + 0.3)
    assert 0.01 == pytest.approx(clock.age(15_000, 15.01), abs=0.01)
    clock.sample(16_000, 16_000, 0, 16.3)
    assert 0.3 == pytest.approx(clock.age(16_000, 16.3), abs=0.01)


def test_clocks_go_round_and_may_be_unknown() -> None:
    """Milliseconds modulo 2**32 on both sides; an end that has heard no time says so."""
    clock = Clock()
    clock.sample(0, 0, UNKNOWN, 3.0)
    assert 0.0 == clock.age(7, 3.0)
    clock.sample(MASK - 10, MASK - 100, 40, (MASK - 40) / 1000)
    assert 0.02 == pytest.approx(clock.age(9, (MASK - 20) / 1000), abs=0.02)
    assert 5 == milliseconds((MASK + 6.5) / 1000)


@pytest.mark.parametrize("drift", [-200e-6, 200e-6])
def test_a_crystal_within_its_limits_makes_nothing_old(drift: float) -> None:
    """Over an hour of heartbeats with a clock that runs apart by 200 millionths."""
    clock = Clock()
    for beat in range(7200):
        now = beat / 2
        clock.sample(int(now * (1 + drift) * 1000), int(now * 1000), 0, now + 0.005)
        assert clock.age(int(now * (1 + drift) * 1000), now) < 0.1


@pytest.mark.parametrize("delay", [0.2, 0.6])
def test_a_slow_cable_makes_nothing_old(delay: float) -> None:
    """Events that wait for less than a second in all are not late, and nothing is withheld."""
    rig = Rig(host_link(key=PAIR), device_link(key=PAIR))
    cable = Held(rig, delay / 2, delay / 2)
    cable.run(3.0)
    for order in range(20):
        rig.event(card(order))
        cable.run(0.2)
    cable.run(2.0)
    assert (20, 0, 1) == (len(rig.arrived), rig.faults["late"] + rig.faults["withheld"], rig.ups)


def test_a_cable_that_delays_everything_is_noticed() -> None:
    """Also from before the session began, and one way only: nobody who delays can hide it."""
    rig = Rig(host_link(key=PAIR), device_link(key=PAIR))
    cable = Held(rig, 1.3)
    cable.run(6.0)
    assert rig.host.up
    rig.event(card(0))
    cable.run(2.0)
    assert (1, 1) == (len(rig.arrived), rig.faults["late"])


@pytest.mark.parametrize(("up", "down"), [(1.6, 0.0), (0.0, 1.6), (0.8, 0.8)])
def test_a_cable_that_delays_everything_for_longer_keeps_no_session(up: float, down: float) -> None:
    """Though nothing happens at the table: a heartbeat counts from when it was sent, and the whole trip is its age."""
    rig = Rig(host_link(key=PAIR), device_link(key=PAIR))
    cable = Held(rig, up, down)
    cable.run(8.0)
    assert rig.faults["withheld"] > 0


def test_a_tap_that_begins_to_delay_is_noticed() -> None:
    """A session that was fresh, then every frame of the device comes 1.3 s later."""
    rig = a_rig(key=PAIR)
    rig.run(2.0)
    cable = Held(rig, 1.3)
    cable.run(1.6)
    rig.event(card(0))
    cable.run(2.0)
    assert (1, 1) == (len(rig.arrived), rig.faults["late"])


def test_what_the_device_held_before_the_session_is_not_late() -> None:
    """The lost link explains its age. How much it was is told with the session."""
    rig = a_rig(key=PAIR)
    rig.run(1.0)
    rig.host.closed()
    for order in range(5):
        rig.event(card(order))
    rig.now += 60
    rig.device.tick(rig.now)
    reopen(rig)
    rig.run(2.0)
    rig.event(card(5))
    rig.run_until_quiet()
    assert (6, {}) == (len(rig.arrived), dict(rig.faults))
    assert rig.host.identity is not None
    assert 5 == rig.host.identity.held == rig.host.identity.following - 1


def test_edition_1_has_no_ages() -> None:
    """Its heartbeats do not compare clocks."""
    rig = Rig(host_link(key=KEY), device_link(key=KEY))
    cable = Held(rig, 1.5)
    cable.run(6.0)
    rig.event(card(0))
    cable.run(2.0)
    assert (1, 0) == (len(rig.arrived), rig.faults["late"])


def test_a_command_that_is_not_acknowledged_is_withheld() -> None:
    """The watch counts from when it was given, and each for itself."""
    watch = Watch(10.0)
    watch.sent(1, 10.0)
    watch.sent(2, 10.5)
    assert watch.withheld(10.9) is None
    watch.acknowledged(2)
    assert watch.withheld(11.4) is None
    assert "command 2" in (watch.withheld(11.5) or "")
    watch.acknowledged(3)
    assert watch.withheld(11.9) is None


def test_events_that_were_sent_and_do_not_come_are_withheld() -> None:
    """Whatever follows them, and however often they are announced."""
    watch = Watch(10.0)
    watch.announced(5, 5, 10.0, 10.0)
    assert 12.0 == watch.due()
    watch.announced(8, 5, 10.0, 10.0)
    watch.announced(9, 5, 10.6, 10.6)
    watch.arrived(7)
    assert "before 8" in (watch.withheld(11.0) or "")
    watch.arrived(8)
    assert watch.withheld(11.9) is None


def test_heartbeats_that_do_not_come_are_withheld() -> None:
    """Whatever else passes: without them neither age nor loss would be known."""
    watch = Watch(10.0)
    assert (None, 12.0) == (watch.withheld(11.9), watch.due())
    assert "heartbeat" in (watch.withheld(12.0) or "")
    watch.beaten(12.0)
    watch.woken(20.0, 7.0)
    assert (None, 21.0) == (watch.withheld(20.9), watch.due())


def test_a_link_with_patience_bears_more() -> None:
    """What is withheld for longer than that is, and heartbeats for a second more."""
    watch = Watch(10.0, 5.0)
    watch.sent(1, 10.0)
    assert watch.withheld(14.9) is None
    assert "for 5 s" in (watch.withheld(15.0) or "")
    watch.acknowledged(2)
    watch.announced(8, 5, 15.0, 15.0)
    watch.beaten(15.0)
    assert watch.withheld(19.9) is None
    assert "5 s ago" in (watch.withheld(20.0) or "")
    watch.arrived(8)
    assert (None, 21.0) == (watch.withheld(20.9), watch.due())
    assert "6 s" in (watch.withheld(21.0) or "")


@pytest.mark.parametrize(("patience", "late"), [(1.0, 1), (3.0, 0)])
def test_an_event_is_late_after_the_patience_of_its_link(patience: float, late: int) -> None:
    """A second, unless the device is simulated."""
    rig = Rig(host_link(key=PAIR, patience=patience), device_link(key=PAIR))
    cable = Held(rig, 1.3)
    cable.run(6.0)
    rig.event(card(0))
    cable.run(2.0)
    assert (1, late) == (len(rig.arrived), rig.faults["late"])


@pytest.mark.parametrize(("patience", "silent"), [(1.0, 2.0), (5.0, 6.0)])
def test_a_device_is_silent_a_second_after_the_patience_of_its_link(patience: float, silent: float) -> None:
    """Where nothing at all comes."""
    rig = Rig(host_link(key=PAIR, patience=patience), device_link(key=PAIR))
    rig.host.opened(0.0)
    assert [] == rig.host.tick(silent - 0.1)
    assert ["silent"] == [fault.code for fault in rig.host.tick(silent) if isinstance(fault, Fault)]


def test_time_in_which_our_own_loop_did_not_turn_does_not_count() -> None:
    """A computer that stood still for three seconds finds its devices where it left them."""
    watch = Watch(10.0)
    watch.sent(1, 10.0)
    watch.announced(8, 5, 10.0, 10.0)
    watch.woken(13.1, 3.0)
    assert watch.withheld(13.1) is None
    assert (3.0, 0.0) == (watch.excused(13.2), watch.excused(13.5))
    assert watch.withheld(13.9) is None
    assert watch.withheld(10.0 + 3.0 + PATIENCE) is not None


@pytest.mark.parametrize("late", [0.0, 5.0])
def test_a_host_that_was_kept_waiting_ends_no_session(late: float) -> None:
    """The link sees by itself that it was woken late, by the time at which it had asked to be woken."""
    rig = a_rig(key=PAIR)
    rig.run(2.0)
    rig.host.send(0x80, b"lock", rig.now)
    rig.host.outgoing()  # nobody hears it
    due = rig.host.due()
    assert due is not None
    happenings = rig.host.tick(due)
    for _ in range(8):
        due = rig.host.due()
        assert due is not None
        rig.now = due + late
        rig.device._now = rig.now
        rig.device._channel.beat()
        happenings += rig.host.received(rig.device.outgoing(), rig.now) + rig.host.tick(rig.now)
        rig.host.outgoing()
        late = 0.0
    assert ([], True) == ([one for one in happenings if getattr(one, "code", "") == WITHHELD], rig.host.up)
