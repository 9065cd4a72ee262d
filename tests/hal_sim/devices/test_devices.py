"""The contract of a simulated device, on a serial line and on USB: a process of its own, the production host opposite.

Whatever goes wrong on the way, every event arrives once, in order, and is acknowledged.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.panel import Alarm, KeySwitch, Lamps, Text
from drivers.shoe import CardOut, Lock, Unlock
from hal_sim.devices.remote import RemoteDevice, SimError
from hal_sim.table.sim_table import SimTable
from tests.drivers.ports.rigs import descriptors
from tests.hal_sim.devices.hosts import Host

BOTH = pytest.mark.parametrize("name", ["shoe", "panel"])
REPLUGS = 50
CARDS = ("AS", "2H", "3D", "4C", "TD", "KC", "??", "JOKER", "QH#A17")


@pytest.fixture(scope="module")
def running(seed: int) -> Iterator[SimTable]:
    """A shoe on a serial line and a panel on USB, without a daemon."""
    with SimTable(seed=seed, daemon=False, names=("shoe", "panel")) as table:
        yield table


@pytest.fixture
def table(running: SimTable) -> Iterator[SimTable]:
    """The same, with all faults undone and nothing left unacknowledged at the end."""
    yield running
    running.all_plugged()
    for name in running.names:
        device = running.device(name)
        with Host(running, name):
            device.wait_acknowledged(happen(device, 1)[-1])


def happen(device: RemoteDevice, count: int) -> list[int]:
    """Let this many things happen at a device."""
    if device.name == "shoe":
        return device.events(("CardOut", {"card": CARDS[turn % len(CARDS)]}) for turn in range(count))
    return device.events(("Press", {"button": "hit", "place": [turn % 7, 1, 0]}) for turn in range(count))


@BOTH
def test_events_arrive_once_in_order(table: SimTable, name: str) -> None:
    """Events of a device come with rising numbers and times, and are forgotten by it once they are durable."""
    device = table.device(name)
    before = happen(device, 3)
    with Host(table, name) as host:
        numbers = before + [happen(device, 1)[0] for _ in range(20)] + happen(device, 200)
        device.wait_acknowledged(numbers[-1])
        times = [event.time for event in host.events[name]]
        assert numbers == host.numbers(name)
        assert sorted(times) == times
        assert 0 == device.state()["kept"]
        assert (name, table.serial(name)) == (host.identities[name][0].kind, host.identities[name][0].serial)
        assert host.identities[name][0].authenticated
        assert {} == host.faults


def test_the_shoe_says_what_its_sensors_saw(table: SimTable) -> None:
    """A card comes as it was given; what was not said is filled in."""
    with Host(table, "shoe") as host:
        device = table.device("shoe")
        device.event("CardOut", card="KD", gap_ms=7, face_up=True)
        host.until_received("shoe", device.event("CardOut", card="QH#A17"))
        first, second = [event.message for event in host.events["shoe"]][-2:]
        assert CardOut("KD", 7, True) == first
        assert isinstance(second, CardOut)
        assert ("QH#A17", False) == (second.card, second.face_up)
        gap = (host.events["shoe"][-1].time - host.events["shoe"][-2].time) % 2**32
        assert gap == second.gap_ms


def test_commands_show_at_the_device(table: SimTable) -> None:
    """What the host commands is seen in the state of the device, and lost when it reboots."""
    with Host(table, "shoe", "panel") as host:
        table.wait_up()
        host.until(lambda: all(host.identities.values()))
        shoe, panel = table.device("shoe"), table.device("panel")
        assert [True] * 4 == [
            host.send("panel", Lamps((1, 0, 2))),
            host.send("panel", Text("Box 3", "hit or stand")),
            host.send("panel", Alarm(on=True)),
            host.send("shoe", Lock()),
        ]
        # An event's acknowledgement comes after the commands that were sent before it.
        panel.wait_acknowledged(panel.event("KeySwitch", on=True))
        shoe.wait_acknowledged(shoe.event("CuttingCard"))
        state = panel.state()
        assert ([1, 0, 2], ["Box 3", "hit or stand"], True) == (state["lamps"], state["text"], state["alarm"])
        assert shoe.state()["locked"]
        assert host.send("shoe", Unlock())
        shoe.wait_acknowledged(shoe.event("Empty"))
        assert not shoe.state()["locked"]
        assert KeySwitch(on=True) == host.events["panel"][-1].message
        panel.reboot()
        assert ([], ["", ""], False) == tuple(panel.state()[what] for what in ("lamps", "text", "alarm"))


@BOTH
@pytest.mark.parametrize("way", ["host", "device"])
@pytest.mark.parametrize(
    "damage",
    [
        {"flip": 0.0005},
        {"drop": 0.003},
        {"insert": 0.003},
        {"repeat": 0.003},
        {"split": 3},
        {"delay_ms": 15},
        {"skew_ms": 30},
        {"flip": 0.0001, "drop": 0.001, "insert": 0.001, "repeat": 0.001, "split": 20, "skew_ms": 5},
    ],
    ids="+".join,
)
def test_a_damaged_wire_loses_nothing(
    table: SimTable, name: str, way: str, damage: dict[str, float], seed: int
) -> None:
    """With each kind of damage on either wire every event arrives once, in order, unchanged."""
    device = table.device(name)
    device.damage(way=way, seed=seed, **damage)
    with Host(table, name) as host:
        device.wait_up()
        damaged = device.state()["damaged"]
        numbers = [number for _ in range(10) for number in happen(device, 6)]
        device.wait_acknowledged(numbers[-1])
        assert numbers == host.numbers(name)
        if name == "shoe":
            cards = [event.message.card for event in host.events[name] if isinstance(event.message, CardOut)]
            assert [CARDS[turn % len(CARDS)] for turn in range(6)] * 10 == cards
        assert device.state()["damaged"] >= damaged


@BOTH
def test_noise_of_the_issue_is_noticed_and_harmless(table: SimTable, name: str) -> None:
    """At one flipped bit in ten thousand both ways, frames are damaged and nothing is lost."""
    device = table.device(name)
    device.noise("0.0001", seed=1)
    with Host(table, name) as host:
        device.wait_up()
        before = device.state()["damaged"]
        numbers = happen(device, 500)
        device.wait_acknowledged(numbers[-1])
        assert numbers == host.numbers(name)
        assert device.state()["damaged"] > before


@BOTH
def test_a_hang_up_in_the_middle_of_a_frame(table: SimTable, name: str, seed: int) -> None:
    """A cable that breaks after any number of bytes, and is back soon, loses nothing."""
    chance = random.Random(f"{seed} hang-up")
    device = table.device(name)
    numbers = []
    with Host(table, name) as host:
        host.until(lambda: bool(host.identities[name]))
        for turn in range(10):
            device.hang_up(after=chance.randrange(400), ms=chance.choice([0, 10, 60]))
            numbers += happen(device, 20)
            device.wait_acknowledged(numbers[-1])
            host.until(lambda turn=turn: len(host.downs[name]) > turn)  # type: ignore[misc]
        assert numbers == host.numbers(name)
        assert {"unplugged"} == {fault.code for fault in host.downs[name]}


@BOTH
def test_a_stuck_device_is_noticed_and_keeps_its_events(table: SimTable, name: str) -> None:
    """A device that neither reads nor sends goes silent; when it goes on, what it saw meanwhile arrives."""
    device = table.device(name)
    with Host(table, name) as host:
        device.wait_acknowledged(happen(device, 1)[0])
        device.stick()
        numbers = happen(device, 5)
        host.until(lambda: bool(host.downs[name]))
        assert "silent" == host.downs[name][0].code
        assert device.state()["plugged"]
        device.unstick()
        device.wait_acknowledged(numbers[-1])
        assert numbers == host.numbers(name)[-5:]


@BOTH
def test_a_reboot_keeps_the_events(table: SimTable, name: str) -> None:
    """A device that restarts shows another boot and has lost nothing."""
    device = table.device(name)
    with Host(table, name) as host:
        numbers = happen(device, 3)
        device.wait_acknowledged(numbers[-1])
        device.reboot()
        numbers += happen(device, 3)
        device.wait_acknowledged(numbers[-1])
        assert numbers == host.numbers(name)
        first, second = host.identities[name]
        assert first.boot + 1 == second.boot


@BOTH
def test_a_reboot_that_forgets_begins_its_numbers_anew(table: SimTable, name: str) -> None:
    """The host is told that the device has forgotten and takes its new numbers."""
    device = table.device(name)
    with Host(table, name) as host:
        device.wait_acknowledged(happen(device, 30)[-1])
        device.reboot(forget=True)
        number = happen(device, 1)[0]
        device.wait_acknowledged(number)
        assert 1 == number
        assert "forgot" in host.faults


@BOTH
def test_a_host_with_another_key_gets_nothing(table: SimTable, name: str) -> None:
    """A device proves nothing to a host with the wrong key, and gives it no event."""
    device = table.device(name)
    numbers = happen(device, 3)
    with Host(table, name, key=bytes(32)) as host:
        host.until(lambda: "foreign-device" in host.faults)
        assert [] == host.events[name]
    assert device.state()["kept"] >= 3
    with Host(table, name) as host:
        device.wait_acknowledged(numbers[-1])
        assert numbers == host.numbers(name)


@BOTH
def test_unplugging_loses_nothing_and_leaks_nothing(table: SimTable, name: str, seed: int) -> None:
    """Fifty times out and in again, with events before and between: all arrive, no descriptor is left at either end."""
    chance = random.Random(f"{seed} replug")
    device = table.device(name)
    fds = Path(f"/proc/{table.pid(name)}/fd")
    numbers = happen(device, 1)
    theirs = set()
    before = descriptors()
    with Host(table, name) as host:
        device.wait_acknowledged(numbers[-1])
        for turn in range(REPLUGS):
            numbers += happen(device, chance.randrange(5))
            device.unplug()
            theirs.add(len(list(fds.iterdir())))
            numbers += happen(device, 1 + chance.randrange(5))
            host.until(lambda turn=turn: len(host.downs[name]) > turn)  # type: ignore[misc]
            device.plug()
            device.wait_acknowledged(numbers[-1])
        assert numbers == host.numbers(name)
        assert REPLUGS + 1 == len(host.identities[name])
    assert 1 == len(theirs)
    assert before == descriptors()


def test_a_stalled_panel_is_cleared_and_loses_nothing(table: SimTable) -> None:
    """The production port clears a halted endpoint and reads on."""
    device = table.device("panel")
    with Host(table, "panel") as host:
        numbers = happen(device, 1)
        device.wait_acknowledged(numbers[-1])
        for _ in range(5):
            device.stall()
            numbers += happen(device, 3)
            device.wait_acknowledged(numbers[-1])
        assert numbers == host.numbers("panel")
        assert [] == host.downs["panel"]


def test_a_drifting_clock_shows_in_the_time_stamps(table: SimTable) -> None:
    """A clock that runs a thousand times too fast shows it between two events."""
    device = table.device("shoe")
    with Host(table, "shoe") as host:
        device.wait_acknowledged(device.event("Empty"))
        device.drift(999 * 1_000_000)
        device.event("Empty")
        # The acknowledgement takes real time, of which the device's clock makes a thousand times as much.
        device.wait_acknowledged(device.event("CuttingCard"))
        number = device.event("Empty")
        device.wait_acknowledged(number)
        gap = (host.events["shoe"][-1].time - host.events["shoe"][-2].time) % 2**32
        assert gap >= 10
        device.drift(0)


@pytest.mark.parametrize(
    ("name", "fields", "says"),
    [
        ("Press", {"button": "hit"}, "no event 'Press' of the shoe: there are CardOut, "),
        ("Lock", {}, "no event 'Lock' of the shoe"),
        ("CardOut", {}, "CardOut needs 'card'"),
        ("CardOut", {"card": "1S"}, "CardOut.card cannot hold '1S'"),
        ("CardOut", {"card": "KD", "colour": "red"}, "unexpected keyword argument 'colour'"),
    ],
)
def test_what_cannot_happen_is_refused(table: SimTable, name: str, fields: dict[str, str], says: str) -> None:
    """An event that the device does not have is refused with the reason, and takes no number."""
    device = table.device("shoe")
    before = happen(device, 1)[0]
    with pytest.raises(SimError, match=says):
        device.event(name, **fields)
    with pytest.raises(SimError, match=says):
        device.events([("CardOut", {"card": "KD"}), (name, fields)])
    assert before + 1 == happen(device, 1)[0]
