"""S27: no key on paper: a device and its table learn each other's key by pairing, and two people stand for it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from drivers.driver import Driver
from drivers.faults import FATAL, UNPAIRED
from drivers.link.editions.noise import fresh_secret, public
from drivers.link.pairing.exchange import Tries, fingerprint
from drivers.link.pairing.host import Met, PairingHost
from drivers.ports import opener
from drivers.station import Station
from firmware_bridge.commands.service import doctor
from firmware_bridge.control.client import ControlClient
from firmware_bridge.journal.segments import segments
from firmware_bridge.setup import safety
from firmware_bridge.setup.config import load
from hal_sim.devices.remote import RemoteDevice
from hal_sim.harness.sample_people import DEMO, staff
from hal_sim.table.sim_table import SimTable

PINS = {demo.role: (demo.name, demo.pin) for demo in DEMO}


class Pit:
    """A table with people whose shoe and panel nobody has paired yet."""

    def __init__(self, table: SimTable) -> None:
        self.table = table
        self.shoe, self.panel = table.device("shoe"), table.device("panel")
        self._clients: dict[str, ControlClient] = {}

    def as_(self, role: str) -> ControlClient:
        """The connection of somebody of this role."""
        if role not in self._clients:
            client = ControlClient(self.table.control_path)
            name, pin = PINS[role]
            assert "role" in client.ask(do="login", name=name, pin=pin, new=None)
            self._clients[role] = client
        return self._clients[role]

    def begin(self, device: RemoteDevice, role: str = "engineer") -> dict[str, Any]:
        """Turn the switch and begin."""
        device.turn_on_pairing()
        return self.as_(role).ask(do="pair", device=device.name)

    def confirm(self, number: int, shows: str, role: str = "pit-supervisor") -> dict[str, Any]:
        """Confirm with what the device shows."""
        return self.as_(role).ask(do="confirm-pairing", pairing=number, shows=shows)

    def pair(self, device: RemoteDevice) -> dict[str, Any]:
        """Pair a device whole; the answer to who confirmed."""
        shown = self.begin(device)
        shows = read_at(device)
        if shown["display"]:
            device.press_pairing(same=True)
        return self.retried(shown["pairing"], shows)

    def retried(self, number: int, shows: str) -> dict[str, Any]:
        """Confirm once the press at the device has come through."""
        answer: dict[str, Any] = {}
        for _ in range(50):
            answer = self.confirm(number, shows)
            if "has not taken it yet" not in str(answer.get("refused")):
                break
            self.panel.ask(do="wait", number=2**31 - 1, ms=50)
        return answer

    def link(self, name: str) -> dict[str, Any]:
        """How a link is."""
        health: dict[str, Any] = self.as_("surveillance").ask(do="health")["health"]
        link: dict[str, Any] = health["links"][name]
        return link

    def close(self) -> None:
        """Nobody is there any more."""
        for client in self._clients.values():
            client.close()
        self._clients.clear()


def read_at(device: RemoteDevice) -> str:
    """What a person reads at a device."""
    for _ in range(100):
        state = device.state()
        if state["code"] or state["label"]:
            return str(state["code"] or state["label"])
        device.ask(do="wait", number=2**31 - 1, ms=50)
    raise AssertionError("the device shows nothing")


@pytest.fixture
def pit(seed: int, tmp_path: Path) -> Iterator[Pit]:
    """Return a table, all of it over serial lines."""
    table = SimTable(tmp_path, seed, usb=False, names=("shoe", "panel"))
    table.unpaired = frozenset({"shoe", "panel"})
    table.staff(*staff())
    with table:
        pit = Pit(table)
        yield pit
        pit.close()


def rows(state: Path, word: str) -> list[dict[str, Any]]:
    """The notes of a journal that say something under a word."""
    found = []
    for path in segments(state):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            query = "SELECT body FROM events WHERE kind = 'note' AND body LIKE ? ORDER BY n"
            found += [json.loads(body) for (body,) in connection.execute(query, (f'{{"{word}"%',))]
    return found


def test_two_people_pair_a_device_by_its_label(pit: Pit) -> None:
    """Unpaired it is not heard. Then it is, also after a restart; both names and fingerprints are in a row."""
    assert (False, None) == (pit.link("shoe")["up"], pit.link("shoe")["fingerprint"])
    label = pit.shoe.state()["label"]
    assert {"fingerprint": label, "table": fingerprint(public(pit.table.secret))}.items() <= pit.pair(pit.shoe).items()
    pit.shoe.wait_up()
    (row,) = rows(pit.table.state_path, "paired")
    assert ("Engineer", "Pit Supervisor") == (row["by"], row["second"])
    assert (label, fingerprint(public(pit.table.secret))) == (row["device"], row["table"])
    assert label == pit.link("shoe")["fingerprint"]
    pit.close()
    pit.table.stop_daemon()
    pit.table.start_daemon()
    pit.as_("surveillance").ask(do="link", device="shoe", up=True)
    said = {check.name: check.said for check in doctor.examine(str(pit.table.control_path))}
    assert f"protocol 2.0, key {label}" in said["device shoe"]
    assert UNPAIRED in said["device panel"]


def test_a_display_shows_the_same_code_and_rotation_is_pairing_again(pit: Pit) -> None:
    """The press at the panel and the code that the second person read there; a second pairing brings another key."""
    first = pit.pair(pit.panel)["fingerprint"]
    pit.as_("surveillance").ask(do="link", device="panel", up=True)
    second = pit.pair(pit.panel)["fingerprint"]
    pit.as_("surveillance").ask(do="link", device="panel", up=True)
    assert first != second == pit.link("panel")["fingerprint"]
    assert [first, second] == [row["device"] for row in rows(pit.table.state_path, "paired")]
    assert pit.link("panel")["station"]["downs"] == 1


def test_one_person_alone_pairs_nothing(pit: Pit) -> None:
    """Not by beginning, not by confirming their own, not in a role that may not, not without the press."""
    assert "to pair needs" in pit.as_("dealer").ask(do="pair", device="shoe")["refused"]
    shown = pit.begin(pit.panel, "pit-manager")
    code = read_at(pit.panel)
    assert "has not taken it yet" in pit.confirm(shown["pairing"], code)["refused"]
    pit.panel.press_pairing(same=True)
    assert "to confirm needs" in pit.confirm(shown["pairing"], code, "dealer")["refused"]
    assert "another person" in pit.confirm(shown["pairing"], code, "pit-manager")["refused"]
    assert "no such pairing" in pit.confirm(shown["pairing"] + 1, code)["refused"]
    assert ([], None) == (rows(pit.table.state_path, "paired"), pit.link("panel")["fingerprint"])
    assert "one at a time" in pit.as_("engineer").ask(do="pair", device="shoe")["refused"]
    assert "ok" in pit.retried(shown["pairing"], code)


def test_what_the_device_shows_is_compared_and_tries_are_counted(pit: Pit) -> None:
    """Another label than the one that the table found ends it; after three tries the table rests for ten minutes."""
    for _ in range(3):
        shown = pit.begin(pit.shoe)
        assert "not what the table shows" in pit.confirm(shown["pairing"], "AAAA-BBBB-CCCC-DDDD")["refused"]
    assert "too often" in pit.begin(pit.shoe)["refused"]
    assert ([], 3) == (rows(pit.table.state_path, "paired"), len(rows(pit.table.state_path, "pairing-failed")))


class Tapped(SimTable):
    """A table between which and its devices somebody sits: what is plugged into the table is theirs."""

    def port(self, name: str) -> str:
        """Return where the table finds a device."""
        return f"serial:{self.directory / name}-theirs"

    def plug_in_theirs(self, name: str) -> RemoteDevice:
        """A device of the same kind and serial number, with a key of its own."""
        who = [self.kinds[name], "--name", f"{name}-theirs", "--serial", self.serial(name)]
        self._spawn(
            "theirs", ["hal_sim.devices.process", *who, "--secret", "ab" * 31 + "cd", "--dir", str(self.directory)]
        )
        self._processes.await_ready(["theirs"])
        return RemoteDevice(name, self.directory / f"{name}-theirs.ctl")


class _Deaf:
    """Hears nothing of a station."""

    def __getattr__(self, _: str) -> Any:
        return lambda *_: None


async def their_host(path: Path, kind: str, serial: str) -> tuple[Met | None, bool]:
    """Pair a device with a host of their own; whom they met, and whether it took them."""
    loop = asyncio.get_running_loop()
    met = asyncio.Event()
    driver = PairingHost(bytes(range(100, 132)), kind=kind, serial=serial, tries=Tries(), changed=met.set)
    theirs: Driver = driver
    station = Station("theirs", theirs, opener(f"serial:{path}", loop), _Deaf(), loop)
    station.start()
    await asyncio.wait_for(met.wait(), 20.0)
    await asyncio.sleep(1.0)
    station.stop()
    return driver.met, driver.taken


@pytest.mark.parametrize("kind", ["shoe", "panel"])
def test_somebody_in_between_is_found(seed: int, tmp_path: Path, kind: str) -> None:
    """With a device of theirs at the table and a host of theirs at the device: what is shown is never the same."""
    table = Tapped(tmp_path, seed, usb=False, names=(kind,))
    table.unpaired = frozenset({kind})
    with table:
        ours, theirs = table.device(kind), table.plug_in_theirs(kind)
        ours.turn_on_pairing()
        met, taken = asyncio.run(their_host(tmp_path / kind, kind, table.serial(kind)))
        assert met is not None
        theirs.turn_on_pairing()
        shown = table.control.ask(do="pair", device=kind)
        read_at_the_device = read_at(ours)
        assert (kind != "panel", True) == (taken, met.shows == read_at_the_device)
        assert shown["shows"] != read_at_the_device
        if kind == "panel":
            read_at(theirs)
            theirs.press_pairing(same=True)
        pressed = table.control.ask(do="confirm-pairing", pairing=shown["pairing"], shows=read_at_the_device)
        assert "refused" in pressed
        theirs.close()
    assert [] == rows(table.state_path, "paired")


def test_an_edition_is_never_tried_in_turn(pit: Pit) -> None:
    """A device whose edition 1 the configuration names is not paired, and an unpaired one not heard in edition 1."""
    config = pit.table.config_path.read_text(encoding="utf-8")
    old = config.replace("[devices.panel]\n", '[devices.panel]\nedition = 1\nkey = "' + fresh_secret().hex() + '"\n')
    pit.close()
    pit.table.stop_daemon()
    pit.table.config_path.write_text(old, encoding="utf-8")
    pit.table.start_daemon()
    assert "configuration names the key" in pit.as_("engineer").ask(do="pair", device="panel")["refused"]
    assert (1, False) == (pit.link("panel")["edition"], pit.link("panel")["up"])
    status = pit.as_("engineer").ask(do="status")
    assert ["in-clear"] == [alarm["code"] for alarm in status["alarms"]]
    assert UNPAIRED in FATAL


def test_another_configured_key_is_an_alarm(seed: int, tmp_path: Path) -> None:
    """A key in the configuration that is not the one of the last start was confirmed by nobody."""
    table = SimTable(tmp_path, seed, usb=False, names=("shoe",))
    table.staff(*staff())
    with table:
        before, after = (public(key).hex() for key in (table.key("shoe"), table.key("another")))
        table.stop_daemon()
        config = table.config_path.read_text(encoding="utf-8").replace(before, after)
        table.config_path.write_text(config, encoding="utf-8")
        assert ["devices.shoe.public"] == [said.split(":")[0] for said in safety.warnings(load(table.config_path))[-1:]]
        table.start_daemon()
        alarms = table.control.ask(do="status")["alarms"]
    assert ["keys-changed"] == [alarm["code"] for alarm in alarms]
