"""The station: back-off, what the sink hears, timers, and calls from inside the sink.

The driver and the port are scripted here, and so is the clock: no test waits. The real ones run in ports/.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from drivers.faults import Fault
from drivers.happenings import Identity, Received, Up
from drivers.messages import Message
from tests.drivers.scripted import Bench

IDENTITY = Identity("shoe", "S", "1", (1, 0), 0, True, 1)
UP = Up(IDENTITY)
UNPLUGGED = Fault("unplugged", "pulled")
MISSING = Fault("port-missing", "none")
FOREIGN = Fault("foreign-device", "no key")
BAD = Fault("bad-frame", "crc")


def event(number: int) -> Received:
    """Return an event."""
    return Received(number, 0, object(), b"")


@pytest.fixture
def bench() -> Iterator[Bench]:
    """Return a station that was not started."""
    made = Bench()
    yield made
    made.station.stop()
    made.loop.close()


def test_opening_order(bench: Bench) -> None:
    """The driver is told first, then the port is started, then what the driver wants is written."""
    bench.station.start()
    bench.station.start()
    assert ["opened 1000", "start", "write hello"] == bench.news()
    assert not bench.station.up


def test_events_reach_the_sink(bench: Bench) -> None:
    """What the driver says goes to the sink in order, and acknowledgements are written once, at the end."""
    bench.station.start()
    bench.news()
    bench.heard = lambda event: bench.station.acknowledge(event.number)
    bench.bytes_come(UP, event(1), BAD, event(2))
    expected = ["received bytes 1000", "up", "event 1", "fault bad-frame", "event 2", "write a1a2"]
    assert expected == bench.news()
    assert bench.station.up


def test_back_off_doubles_to_a_second(bench: Bench) -> None:
    """The tries come after 20 ms, 40, 80 and so on to a second; the sink hears once."""
    bench.refuses = MISSING
    bench.station.start()
    waits = []
    for _ in range(9):
        (wait,) = bench.loop.waits()
        waits.append(wait)
        bench.loop.forward(wait)
    assert [0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.0, 1.0, 1.0] == waits
    assert 1 == bench.log.count("fault port-missing")
    assert 10 == bench.station.stats.tries == bench.log.count("refused")


def test_back_off_begins_anew_after_up(bench: Bench) -> None:
    """A device that was up is looked for after 20 ms again."""
    bench.refuses = MISSING
    bench.station.start()
    for _ in range(7):
        bench.loop.forward(1)
    bench.refuses = None
    bench.loop.forward(1)
    bench.bytes_come(UP)
    bench.ports[-1].lost(UNPLUGGED)
    assert [0.02] == bench.loop.waits()


def test_opened_but_never_up_backs_off_further(bench: Bench) -> None:
    """A port that opens and is lost before the device is up does not make the station hurry."""
    bench.station.start()
    waits = []
    for _ in range(4):
        bench.ports[-1].lost(UNPLUGGED)
        (wait,) = bench.loop.waits()
        waits.append(wait)
        bench.loop.forward(wait)
    assert [0.02, 0.04, 0.08, 0.16] == waits
    assert 1 == bench.log.count("fault unplugged")
    assert 0 == bench.log.count("down unplugged")


def test_loss_is_told_once_and_the_port_closed_first(bench: Bench) -> None:
    """At a loss the port is closed, the driver told, then the sink; the same is not said again in this outage."""
    bench.station.start()
    bench.bytes_come(UP)
    bench.news()
    bench.ports[-1].lost(UNPLUGGED)
    assert ["close", "closed", "down unplugged", "fault unplugged"] == bench.news()
    bench.refuses = MISSING
    for _ in range(5):
        bench.loop.forward(1)
    assert ["refused", "fault port-missing", *["refused"] * 4] == bench.news()
    bench.refuses = None
    bench.loop.forward(1)
    bench.bytes_come(UP)
    bench.ports[-1].lost(UNPLUGGED)
    assert ["down unplugged", "fault unplugged"] == bench.news()[-2:]
    assert 2 == bench.station.stats.downs


def test_the_first_fault_is_told_at_once_and_the_rest_once_a_minute(bench: Bench) -> None:
    """As one, with their number; a code that was quiet for a minute is told at once again, and others anyway."""
    bench.station.start()
    bench.bytes_come(UP, BAD, BAD, BAD, Fault("gap", "1"))
    assert ["fault bad-frame", "fault gap"] == [said for said in bench.log if said.startswith("fault")]
    bench.loop.forward(60)
    assert ["fault bad-frame 2"] == [said for said in bench.news() if said.startswith("fault")][2:]
    bench.loop.forward(60)
    bench.bytes_come(BAD)
    assert ["fault bad-frame"] == [said for said in bench.news() if said.startswith("fault")]


def test_faults_while_the_device_is_not_up_are_counted_alike(bench: Bench) -> None:
    """A line full of noise, with no device, fills neither journal nor memory; what is left is told at the end."""
    bench.station.start()
    for number in range(500):
        bench.bytes_come(Fault("bad-frame", str(number)))
    assert 1 == bench.log.count("fault bad-frame")
    bench.station.stop()
    assert 1 == bench.log.count("fault bad-frame 499")
    assert 500 == bench.station.stats.faults


def test_lost_events_are_told_each_time(bench: Bench) -> None:
    """They are never only a number in a sum."""
    bench.station.start()
    bench.bytes_come(UP, *[Fault("events-lost", "gone", 3)] * 3, *[Fault("forgot", "anew")] * 2)
    assert (3, 2) == (bench.log.count("fault events-lost"), bench.log.count("fault forgot"))


def test_a_flood_ends_the_session_and_the_port_rests(bench: Bench) -> None:
    """More than 600 faults within a minute, in few bytes: half a minute without this port."""
    bench.station.start()
    bench.bytes_come(UP)
    for _ in range(600):
        bench.bytes_come(BAD)
    assert bench.station.up
    bench.bytes_come(BAD)
    assert (False, 1, 1) == (bench.station.up, bench.log.count("fault flooded"), bench.log.count("down flooded"))
    assert 30.0 in bench.loop.waits()
    bench.loop.forward(30)
    assert bench.ports[-1].open


def test_a_slow_trickle_is_no_flood(bench: Bench) -> None:
    """600 a minute, for many minutes; and noise on a link that carries much."""
    bench.station.start()
    bench.bytes_come(UP)
    for _ in range(5):
        for _ in range(600):
            bench.bytes_come(BAD)
        bench.loop.forward(60)
    bench.station.stats.bytes_in += 2_000_000
    for _ in range(5000):
        bench.bytes_come(BAD)
        bench.station.stats.bytes_in += 300
    bench.loop.forward(60)
    bench.bytes_come(*[Fault("late", "2 s")] * 700)
    assert bench.station.up


@pytest.mark.parametrize("code", ["foreign-device", "wrong-device", "version-mismatch"])
def test_refused_device_is_tried_slowly(bench: Bench, code: str) -> None:
    """A device that is refused ends the session, is tried again every 1.5 s and told once."""
    bench.station.start()
    for _ in range(3):
        bench.bytes_come(Fault(code, "not ours"))
        assert [1.5] == bench.loop.waits()
        bench.loop.forward(1.5)
    assert 1 == bench.log.count(f"fault {code}")
    assert 3 == bench.log.count("close")
    assert 4 == len(bench.ports)


def test_fatal_fault_of_a_tick(bench: Bench) -> None:
    """A device that has gone quiet is closed, after the events that came with the fault."""
    bench.station.start()
    bench.driver.wanted = 1002.0
    bench.bytes_come(UP)
    bench.driver.ticks = [event(1), Fault("silent", "2 s"), event(2)]
    bench.news()
    bench.loop.forward(2)
    assert ["tick 1002", "event 1", "event 2", "close", "closed", "down silent", "fault silent"] == bench.news()


def test_only_timer_is_the_drivers(bench: Bench) -> None:
    """An open port has exactly the driver's timer, moved when the driver moves it, and none when it wants none."""
    bench.driver.wanted = 1000.5
    bench.station.start()
    assert [0.5] == bench.loop.waits()
    bench.driver.wanted = 1000.25
    bench.bytes_come(UP)
    assert [0.25] == bench.loop.waits()
    bench.driver.wanted = 1003.0
    bench.bytes_come()
    assert [3.0] == bench.loop.waits()
    bench.loop.forward(3)
    assert "tick 1003" in bench.news()
    assert [] == bench.loop.waits()


def test_send_only_when_up(bench: Bench) -> None:
    """A command is sent and written at once when the device is up, and refused otherwise."""
    assert not bench.station.send(Message())
    bench.station.start()
    assert not bench.station.send(Message())
    bench.bytes_come(UP)
    bench.news()
    assert bench.station.send(Message())
    assert ["send 1000", "write !"] == bench.news()
    bench.station.stop()
    assert not bench.station.send(Message())


def test_acknowledged_while_out(bench: Bench) -> None:
    """An event that becomes durable while the device is out is noted by the driver, and nothing is written."""
    bench.station.start()
    bench.bytes_come(UP, event(1))
    bench.ports[-1].lost(UNPLUGGED)
    bench.news()
    bench.station.acknowledge(1)
    assert [] == bench.news()


def test_stop_from_inside_the_sink(bench: Bench) -> None:
    """A sink may stop the station at an event: nothing more is heard, written or tried."""
    bench.station.start()
    bench.heard = lambda _: bench.station.stop()
    bench.news()
    bench.bytes_come(UP, event(1), event(2))
    assert ["received bytes 1000", "up", "event 1", "close", "closed"] == bench.news()
    assert [] == bench.loop.waits()


def test_restart_from_inside_the_sink(bench: Bench) -> None:
    """A sink may stop and start the station at an event: the new port gets its first bytes and its timer."""

    def restart(_: Received) -> None:
        bench.station.stop()
        bench.driver.wanted = 1000.25
        bench.station.start()

    bench.station.start()
    bench.heard = restart
    bench.bytes_come(UP, event(1), event(2))
    assert b"hello" == bench.ports[1].written
    assert [0.25] == bench.loop.waits()


def test_stopped_is_stopped(bench: Bench) -> None:
    """After the stop nothing is tried, and what the old port says is not heard."""
    bench.station.start()
    bench.bytes_come(UP)
    bench.station.stop()
    bench.station.stop()
    bench.news()
    bench.ports[0].received(b"late")
    bench.ports[0].lost(UNPLUGGED)
    bench.loop.forward(10)
    assert [] == bench.news()


def test_old_port_is_not_heard_after_reopening(bench: Bench) -> None:
    """What a port says after it was lost does not reach the new session."""
    bench.station.start()
    bench.ports[0].lost(UNPLUGGED)
    bench.loop.forward(1)
    bench.news()
    bench.ports[0].received(b"late")
    bench.ports[0].lost(UNPLUGGED)
    assert [] == bench.news()
    assert bench.ports[1].open
