"""The contract of every driver: what `drivers.driver` promises, as functions over a rig.

1. Each function takes a fresh rig whose cable is out and raises AssertionError if the driver breaks its promise.
2. `EVERYWHERE` holds on every line; `ONCE` needs no particular line and is run on the perfect one.
3. Where a device keeps its events (`Bench.keeps`), all must arrive. Where it does not, what arrives must be right and
   in order, and what does not arrive must be reported as a fault.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from drivers.faults import SILENT
from drivers.happenings import Received, Up
from drivers.messages import Message
from tests.drivers.driver_rig import DriverRig

# Long enough for any of the lines, in virtual seconds.
LONG = 60.0
EVENTS = 24
# A device may hold back what happens while this many events wait for their acknowledgement, but not with fewer.
FEW = 4
# A driver that only keeps its link alive wakes for heartbeats, not for polling.
MOST_WAKEUPS_A_SECOND = 5

Clause = Callable[[DriverRig, bool], None]


@dataclass(frozen=True, slots=True)
class Stranger(Message):
    """A command that no device knows."""

    IDENT: ClassVar[int] = 0xFF


def is_part_of(part: list[Message], whole: list[Message]) -> bool:
    """Whether all of `part` is in `whole` in the same order."""
    rest: Iterator[Message] = iter(whole)
    return all(message in rest for message in part)


def up(rig: DriverRig) -> None:
    """Plug in and wait until the device is there."""
    rig.plug()
    assert rig.run(LONG, lambda: bool(rig.ups))


def all_told(rig: DriverRig, *, surely: bool) -> None:
    """All that happened is told, in order and once; or, where the device cannot ensure it, the loss is reported."""
    rig.run(LONG, lambda: len(rig.told) >= len(rig.expected))
    rig.run(3.0)
    if surely:
        assert rig.expected == rig.told
    else:
        assert is_part_of(rig.told, rig.expected)
        assert rig.faults or rig.expected == rig.told
    numbers = [event.number for event in rig.received]
    first = numbers[0] if numbers else 0
    assert list(range(first, first + len(numbers))) == numbers


def comes_up_as_the_device_it_is(rig: DriverRig, _exact: bool) -> None:
    """`Up` comes first, with the serial number that was asked for, and says whether the device proved its key."""
    settings = rig.bench.settings
    up(rig)
    identity = rig.ups[0].identity
    assert settings.kind == rig.driver.kind
    assert (settings.serial, settings.authenticated) == (identity.serial, identity.authenticated)
    rig.happen(3)
    all_told(rig, surely=False)
    assert [Up] == [type(happening) for happening in rig.seen if isinstance(happening, Up | Received)][:1]


def tells_everything_once_and_in_order(rig: DriverRig, exact: bool) -> None:
    """Events arrive as they happened, one by one and in bursts."""
    up(rig)
    rig.happen_in_time(EVENTS)
    rig.happen(EVENTS)
    all_told(rig, surely=rig.bench.keeps or exact)


def acknowledges_what_is_durable(rig: DriverRig, _exact: bool) -> None:
    """The device hears of every event that is durable, and of none that is not."""
    rig.durable = False
    up(rig)
    rig.happen_in_time(FEW)
    all_told(rig, surely=False)
    if not rig.bench.keeps:
        return
    assert rig.expected == rig.told
    assert 0 == rig.bench.acknowledged
    half = rig.received[FEW // 2].number
    rig.driver.acknowledge(half, rig.now)
    rig.run(LONG, lambda: rig.bench.acknowledged == half)
    assert half == rig.bench.acknowledged
    last = rig.received[-1].number
    rig.driver.acknowledge(last, rig.now)
    rig.run(LONG, lambda: rig.bench.acknowledged == last)
    assert last == rig.bench.acknowledged
    assert rig.expected == rig.told


def survives_the_cable(rig: DriverRig, _exact: bool) -> None:
    """The cable is pulled at any moment and put back: nothing is told twice, and what happened meanwhile arrives."""
    up(rig)
    for turn in range(12):
        rig.durable = turn % 3 != 0
        rig.happen(rig.chance.randrange(4))
        rig.run(rig.chance.choice((0.0, 0.001, 0.02, 0.1, 1.0)))
        rig.unplug()
        rig.happen(rig.chance.randrange(3))
        rig.now += rig.chance.choice((0.0, 0.01, 5.0))
        rig.plug()
    rig.catch_up()
    rig.happen()
    all_told(rig, surely=rig.bench.keeps)


def survives_a_restart_of_the_host(rig: DriverRig, _exact: bool) -> None:
    """A new driver is given everything that was not durable, and nothing that was."""
    up(rig)
    rig.happen_in_time(5)
    all_told(rig, surely=False)
    durable = len(rig.received)
    rig.durable = False
    rig.happen_in_time(FEW)
    all_told(rig, surely=False)
    if not rig.bench.keeps:
        return
    following = rig.received[durable - 1].number + 1
    rig.restart_host(following)
    rig.durable = True
    rig.happened = rig.happened[durable:]
    rig.plug()
    rig.happen()
    all_told(rig, surely=True)
    assert following == rig.received[0].number


def carries_commands_once_and_in_order(rig: DriverRig, _exact: bool) -> None:
    """Commands arrive in order, each once; none is taken while the device is not there or does not know it."""
    commands = list(rig.bench.commands)
    assert [False] * len(commands) == [rig.driver.send(command, rig.now) for command in commands]
    up(rig)
    assert not rig.send(Stranger())
    for command in commands:
        while not rig.send(command):
            assert rig.run(LONG, lambda: bool(rig.ups))
            rig.run(0.1)
        rig.run(rig.chance.uniform(0.0, 0.1))
    rig.run(LONG, lambda: len(rig.bench.commanded) >= len(commands))
    rig.run(3.0)
    assert commands == list(rig.bench.commanded)


def drops_commands_with_their_session(rig: DriverRig, _exact: bool) -> None:
    """A command that was not delivered when the port was closed is not delivered later."""
    up(rig)
    rig.to_device.cut = True
    assert all(rig.send(command) for command in rig.bench.commands)
    rig.unplug()
    rig.to_device.cut = False
    rig.plug()
    rig.run(5.0)
    assert [] == list(rig.bench.commanded)


def says_when_the_device_is_silent(rig: DriverRig, _exact: bool) -> None:
    """A device that goes quiet is a fatal fault, in time; when it speaks again so does the driver."""
    rig.reconnect = False
    up(rig)
    rig.happen(2)
    rig.run(3.0)
    rig.to_host.cut = True
    cut_at = rig.now
    patience = rig.bench.patience
    ended = rig.run(LONG if patience is None else patience + 1.0, lambda: not rig.open)
    if patience is None:
        assert not ended
        return
    assert [SILENT] == [fault.code for fault in rig.faults if fault.fatal]
    assert patience - 0.6 <= rig.now - cut_at <= patience + 0.6
    rig.to_host.cut = False
    rig.plug()
    rig.happen(2)
    all_told(rig, surely=True)


def wakes_for_heartbeats_only(rig: DriverRig, _exact: bool) -> None:
    """An idle link lets the host sleep."""
    up(rig)
    rig.run(3.0)
    rig.wakeups = 0
    rig.run(20.0)
    assert rig.wakeups <= 20 * MOST_WAKEUPS_A_SECOND
    assert [] == [fault for fault in rig.faults if fault.fatal]


def is_quiet_while_closed(rig: DriverRig, _exact: bool) -> None:
    """Before `opened` and after `closed`, which may come twice, nothing is due and nothing goes out."""
    driver = rig.driver
    driver.closed()
    assert (b"", None) == (driver.outgoing(), driver.due())
    up(rig)
    rig.unplug()
    driver.closed()
    assert (b"", None) == (driver.outgoing(), driver.due())
    assert not any(driver.send(command, rig.now) for command in rig.bench.commands)
    up(rig)


def bears_any_noise(rig: DriverRig, _exact: bool) -> None:
    """Bytes that mean nothing never raise and are not hoarded, and a session after them works."""
    driver = rig.driver
    plain = bytes(range(1, 256)) * 16
    tracemalloc.start()
    try:
        driver.opened(rig.now)
        for turn in range(120):
            noise = (plain, rig.chance.randbytes(4096), b"\x00" * 512, b"\x05" * 4096)[turn % 4]
            driver.received(noise, rig.now)
            driver.outgoing()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 128 * 1024
    driver.closed()
    up(rig)
    rig.happen(3)
    rig.run(5.0)
    assert rig.expected == rig.told


EVERYWHERE: tuple[Clause, ...] = (
    comes_up_as_the_device_it_is,
    tells_everything_once_and_in_order,
    acknowledges_what_is_durable,
    survives_the_cable,
    survives_a_restart_of_the_host,
    carries_commands_once_and_in_order,
)
ONCE: tuple[Clause, ...] = (
    drops_commands_with_their_session,
    says_when_the_device_is_silent,
    wakes_for_heartbeats_only,
    is_quiet_while_closed,
    bears_any_noise,
)
