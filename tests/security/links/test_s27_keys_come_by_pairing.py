"""S27: no key on paper: a device and its table learn each other's key by pairing, and two people stand for it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
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
from firmware_bridge.cli import main
from firmware_bridge.commands.service import doctor
from firmware_bridge.control.client import ControlClient
from firmware_bridge.journal.segments import segments
from firmware_bridge.journal.writer import Entry, Journal
from firmware_bridge.links import pairings
from firmware_bridge.links.pairings import Paired
from firmware_bridge.setup.config import Config
from firmware_bridge.setup.device_config import DeviceConfig
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from hal_sim.devices.remote import RemoteDevice
from hal_sim.harness.sample_people import DEMO, staff
from hal_sim.table.sim_table import SimTable
from tests.firmware_bridge.control_socket_rig import AT
from tests.firmware_bridge.restarted_daemon import all_rows
from tests.patience import PATIENCE, eventually_on_loop

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
        """Pair a device whole; the answer to the person who confirmed."""
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
        return f"pty:{self.directory / name}-theirs"

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
    await asyncio.wait_for(met.wait(), PATIENCE)
    if kind == "panel":
        await asyncio.sleep(1.0)  # it waits for a press that nobody gives
    else:
        await eventually_on_loop(lambda: driver.taken)
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


def test_a_key_in_the_configuration_is_refused_where_people_log_in(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`check` and `run` name it with the remedy; nothing is opened."""
    table = SimTable(tmp_path, seed, usb=False, names=("shoe",))
    with table:
        table.stop_daemon()
        config = table.config_path.read_text(encoding="utf-8").replace("open = true\n", "")
        people = "".join(f'"{one.name}" = {{role = "{one.role}", pin = "{one.pin.text}"}}\n' for one in staff()[0])
        table.config_path.write_text(f"{config}\n[roles]\n{people}", encoding="utf-8")
        rows = len(list(all_rows(table.state_path)))
        for command, status in (("check", 1), ("run", 78)):
            assert status == main([command, "--config", str(table.config_path)])
            (said,) = (line for line in capsys.readouterr().err.splitlines() if "devices.shoe.public" in line)
            assert "is for open tables alone" in said
            assert "'truedeal pair shoe' takes two people" in said
        assert rows == len(list(all_rows(table.state_path)))


def config_of(state: Path, *devices: DeviceConfig, is_open: bool) -> Config:
    """A configuration with these devices."""
    header = parse("game: mbs-blackjack-v6\n\n", GAMES).header
    return Config(header, state, state / "c", devices, open=is_open, secret=SECRET)


SECRET = bytes(range(50, 82))
KEY_A, KEY_B = bytes([1] * 32), bytes([2] * 32)
SHOE = DeviceConfig("shoe", "shoe", "serial:/dev/x", "S", public=KEY_A)


def keys(config: Config) -> tuple[list[bytes | None], list[dict[str, object]]]:
    """The key of each device that counts, and what is noted."""
    in_force, notes = pairings.enter(config)
    return [pairings.key_of(device, in_force, config.secret) for device in config.devices], notes


def name_pairings(state: Path, **said: Paired) -> None:
    """Let the journal name these."""
    journal = Journal(state, AT)
    journal.append([Entry(AT, "daemon", "note", json.dumps({pairings.PAIRINGS: pairings.key_rows(said)}))])
    journal.close()


def test_a_configured_key_counts_at_an_open_table_until_the_device_is_paired(tmp_path: Path) -> None:
    """After a pairing the paired key alone counts, unless it is of another device or of another key of the table."""
    table = pairings.table_fingerprint(SECRET)
    assert ([KEY_A], []) == keys(config_of(tmp_path, SHOE, is_open=True))
    name_pairings(tmp_path, shoe=Paired("S", KEY_B, table, "Ann, Bea"))
    assert ([KEY_B], []) == keys(config_of(tmp_path, SHOE, is_open=True))
    assert [KEY_A] == keys(config_of(tmp_path, replace(SHOE, serial="T"), is_open=True))[0]
    name_pairings(tmp_path, shoe=Paired("S", KEY_B, "another", "Ann, Bea"))
    assert [KEY_A] == keys(config_of(tmp_path, SHOE, is_open=True))[0]
    assert [None] == keys(config_of(tmp_path, replace(SHOE, public=None), is_open=False))[0]


def test_what_an_open_table_had_configured_counts_for_nothing_where_people_log_in(tmp_path: Path) -> None:
    """The journal names it, and nobody has confirmed it: the device must be paired."""
    name_pairings(tmp_path, shoe=Paired("S", KEY_A, pairings.table_fingerprint(SECRET), pairings.CONFIGURED))
    assert ([None], []) == keys(config_of(tmp_path, replace(SHOE, public=None), is_open=False))


def test_another_configured_key_of_another_makers_device_is_an_alarm(tmp_path: Path) -> None:
    """It cannot be paired, so that its key stands there at any table; another than before was confirmed by nobody."""
    scale = DeviceConfig("acme-scale", "acme", "serial:/dev/x", "S", public=KEY_A)
    assert ([KEY_A], []) == keys(config_of(tmp_path, scale, is_open=False))
    in_force = pairings.enter(config_of(tmp_path, scale, is_open=False))[0]
    name_pairings(tmp_path, **in_force)
    assert ([KEY_A], []) == keys(config_of(tmp_path, scale, is_open=False))
    found, (note,) = keys(config_of(tmp_path, replace(scale, public=KEY_B), is_open=False))
    assert ([KEY_B], "keys-changed") == (found, note["alarm"])
