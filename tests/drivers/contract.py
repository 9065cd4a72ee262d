"""The contract of every driver: what `drivers.driver` promises, as functions over a world.

1. Each function takes a fresh world whose cable is out and raises AssertionError if the driver breaks its promise.
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
from tests.drivers.driver_rig import World

# Long enough for any of the lines, in virtual seconds.
LONG = 60.0
EVENTS = 24
# A device may hold back what happens while so many events wait for their acknowledgement, but not with fewer.
FEW = 4
# A driver that only keeps its link alive wakes for heartbeats, not for polling.
MOST_WAKEUPS_A_SECOND = 5

Clause = Callable[[World, bool], None]


@dataclass(frozen=True, slots=True)
class Stranger(Message):
    """A command that no device knows."""

    IDENT: ClassVar[int] = 0xFF


def is_part_of(part: list[Message], whole: list[Message]) -> bool:
    """Whether all of `part` is in `whole` in the same order."""
    rest: Iterator[Message] = iter(whole)
    return all(message in rest for message in part)


def up(world: World) -> None:
    """Plug in and wait until the device is there."""
    world.plug()
    assert world.run(LONG, lambda: bool(world.ups))


def all_told(world: World, *, surely: bool) -> None:
    """All that happened is told, in order and once; or, where the device cannot ensure it, the loss is reported."""
    world.run(LONG, lambda: len(world.told) >= len(world.expected))
    world.run(3.0)
    if surely:
        assert world.expected == world.told
    else:
        assert is_part_of(world.told, world.expected)
        assert world.faults or world.expected == world.told
    numbers = [event.number for event in world.received]
    first = numbers[0] if numbers else 0
    assert list(range(first, first + len(numbers))) == numbers


def comes_up_as_the_device_it_is(world: World, _exact: bool) -> None:
    """`Up` comes first, with the serial number that was asked for, and says whether the device proved its key."""
    settings = world.bench.settings
    up(world)
    identity = world.ups[0].identity
    assert settings.kind == world.driver.kind
    assert (settings.serial, settings.authenticated) == (identity.serial, identity.authenticated)
    world.happen(3)
    all_told(world, surely=False)
    assert [Up] == [type(happening) for happening in world.seen if isinstance(happening, Up | Received)][:1]


def tells_everything_once_and_in_order(world: World, exact: bool) -> None:
    """Events arrive as they happened, one by one and in bursts."""
    up(world)
    world.happen_in_time(EVENTS)
    world.happen(EVENTS)
    all_told(world, surely=world.bench.keeps or exact)


def acknowledges_what_is_durable(world: World, _exact: bool) -> None:
    """The device hears of every event that is durable, and of none that is not."""
    world.durable = False
    up(world)
    world.happen_in_time(FEW)
    all_told(world, surely=False)
    if not world.bench.keeps:
        return
    assert world.expected == world.told
    assert 0 == world.bench.acknowledged
    half = world.received[FEW // 2].number
    world.driver.acknowledge(half, world.now)
    world.run(LONG, lambda: world.bench.acknowledged == half)
    assert half == world.bench.acknowledged
    last = world.received[-1].number
    world.driver.acknowledge(last, world.now)
    world.run(LONG, lambda: world.bench.acknowledged == last)
    assert last == world.bench.acknowledged
    assert world.expected == world.told


def survives_the_cable(world: World, _exact: bool) -> None:
    """The cable is pulled at any moment and put back: nothing is told twice, and what happened meanwhile arrives."""
    up(world)
    for turn in range(12):
        world.durable = turn % 3 != 0
        world.happen(world.chance.randrange(4))
        world.run(world.chance.choice((0.0, 0.001, 0.02, 0.1, 1.0)))
        world.unplug()
        world.happen(world.chance.randrange(3))
        world.now += world.chance.choice((0.0, 0.01, 5.0))
        world.plug()
    world.catch_up()
    world.happen()
    all_told(world, surely=world.bench.keeps)


def survives_a_restart_of_the_host(world: World, _exact: bool) -> None:
    """A driver made anew is told all that was not durable, and nothing that was."""
    up(world)
    world.happen_in_time(5)
    all_told(world, surely=False)
    durable = len(world.received)
    world.durable = False
    world.happen_in_time(FEW)
    all_told(world, surely=False)
    if not world.bench.keeps:
        return
    following = world.received[durable - 1].number + 1
    world.restart_host(following)
    world.durable = True
    world.happened = world.happened[durable:]
    world.plug()
    world.happen()
    all_told(world, surely=True)
    assert following == world.received[0].number


def carries_commands_once_and_in_order(world: World, _exact: bool) -> None:
    """Commands arrive in order, each once; none is taken while the device is not there or does not know it."""
    commands = list(world.bench.commands)
    assert [False] * len(commands) == [world.driver.send(command, world.now) for command in commands]
    up(world)
    assert not world.send(Stranger())
    for command in commands:
        while not world.send(command):
            assert world.run(LONG, lambda: bool(world.ups))
            world.run(0.1)
        world.run(world.chance.uniform(0.0, 0.1))
    world.run(LONG, lambda: len(world.bench.commanded) >= len(commands))
    world.run(3.0)
    assert commands == list(world.bench.commanded)


def drops_commands_with_their_session(world: World, _exact: bool) -> None:
    """A command that was not delivered when the port was closed is not delivered later."""
    up(world)
    world.to_device.cut = True
    assert all(world.send(command) for command in world.bench.commands)
    world.unplug()
    world.to_device.cut = False
    world.plug()
    world.run(5.0)
    assert [] == list(world.bench.commanded)


def says_when_the_device_is_silent(world: World, _exact: bool) -> None:
    """A device that goes quiet is a fatal fault, in time; when it speaks again so does the driver."""
    world.reconnect = False
    up(world)
    world.happen(2)
    world.run(3.0)
    world.to_host.cut = True
    cut_at = world.now
    patience = world.bench.patience
    ended = world.run(LONG if patience is None else patience + 1.0, lambda: not world.open)
    if patience is None:
        assert not ended
        return
    assert [SILENT] == [fault.code for fault in world.faults if fault.fatal]
    assert patience - 0.6 <= world.now - cut_at <= patience + 0.6
    world.to_host.cut = False
    world.plug()
    world.happen(2)
    all_told(world, surely=True)


def wakes_for_heartbeats_only(world: World, _exact: bool) -> None:
    """An idle link lets the host sleep."""
    up(world)
    world.run(3.0)
    world.wakeups = 0
    world.run(20.0)
    assert world.wakeups <= 20 * MOST_WAKEUPS_A_SECOND
    assert [] == [fault for fault in world.faults if fault.fatal]


def is_quiet_while_closed(world: World, _exact: bool) -> None:
    """Before `opened` and after `closed`, which may come twice, nothing is due and nothing goes out."""
    driver = world.driver
    driver.closed()
    assert (b"", None) == (driver.outgoing(), driver.due())
    up(world)
    world.unplug()
    driver.closed()
    assert (b"", None) == (driver.outgoing(), driver.due())
    assert not any(driver.send(command, world.now) for command in world.bench.commands)
    up(world)


def bears_any_noise(world: World, _exact: bool) -> None:
    """Bytes that mean nothing never raise and are not hoarded, and a session after them works."""
    driver = world.driver
    plain = bytes(range(1, 256)) * 16
    tracemalloc.start()
    try:
        driver.opened(world.now)
        for turn in range(120):
            noise = (plain, world.chance.randbytes(4096), b"\x00" * 512, b"\x05" * 4096)[turn % 4]
            driver.received(noise, world.now)
            driver.outgoing()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 128 * 1024
    driver.closed()
    up(world)
    world.happen(3)
    world.run(5.0)
    assert world.expected == world.told


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
