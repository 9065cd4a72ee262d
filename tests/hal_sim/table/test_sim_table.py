"""The simulated table: it starts everything, ends everything, and says why something did not start."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.commands.service.doctor import of_health
from firmware_bridge.shown.health_type import HealthFacts
from hal_sim.devices.remote import SimError
from hal_sim.table.sim_table import DAEMON, NAMES, PATIENCE, SimTable, key_of
from tests.firmware_bridge.shown.shapes import misfit_of
from tests.hal_sim.devices.hosts import Host
from tests.patience import eventually

STUCK = 3.5
"""Seconds for which a device has no turn: longer than a real one may be silent."""


def alive(pid: int) -> bool:
    """Tell whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_five_devices_start_and_end(seed: int) -> None:
    """All devices start, are heard by a host, and have gone with their folder at the end."""
    with SimTable(seed=seed, daemon=False) as table, Host(table, *NAMES) as host:
        host.until(lambda: all(host.identities.values()))
        pids = [table.pid(name) for name in NAMES]
        assert [True] * 5 == [alive(pid) for pid in pids]
        folder = table.directory
    assert [False] * 5 == [alive(pid) for pid in pids]
    assert not folder.exists()


def test_an_exception_ends_everything_too(tmp_path: Path) -> None:
    """A test that fails leaves no process behind; a folder that was given stays."""
    pids = []

    def fail() -> None:
        with SimTable(tmp_path, daemon=False, names=("shoe",)) as table:
            pids.append(table.pid("shoe"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [False] == [alive(pid) for pid in pids]
    assert (tmp_path / "table.toml").exists()


def test_the_table_can_do_without_usb(tmp_path: Path) -> None:
    """With `usb=False` the panel is on a serial line."""
    with SimTable(tmp_path, usb=False, daemon=False, names=("panel",)) as table, Host(table, "panel") as host:
        table.device("panel").wait_acknowledged(table.device("panel").event("Press", button="stand"))
        assert 1 == len(host.events["panel"])
        assert f"pty:{tmp_path / 'panel'}" == table.port("panel")


def test_keys_follow_from_the_seed() -> None:
    """Each device has a key of its own, another with another seed, the same with the same."""
    keys = {key_of(seed, name) for seed in (1, 2) for name in NAMES}
    assert 2 * len(NAMES) == len(keys)
    assert key_of(1, "shoe") in keys
    assert {32} == {len(key) for key in keys}


def test_between_scenarios_everything_is_put_back(tmp_path: Path) -> None:
    """`all_plugged` plugs what was out, ends damage and stuck, and keeps the table's own skew and noise."""
    with SimTable(tmp_path, daemon=False, names=("shoe", "hub"), noise=0.0001, skew_ms=1) as table, Host(table, "shoe"):
        shoe = table.device("shoe")
        assert table.skewed
        shoe.noise("0.9")
        shoe.stick()
        shoe.unplug()
        number = shoe.event("Empty")
        assert ["shoe"] == table.all_plugged()
        assert [] == table.all_plugged()
        shoe.wait_acknowledged(number)


def test_a_device_that_is_not_there_is_named() -> None:
    """Asking for an unknown device says which there are."""
    with (
        SimTable(daemon=False, names=("shoe",)) as table,
        pytest.raises(SimError, match="no device 'roulette' at this table: there are shoe"),
    ):
        table.device("roulette")


def test_a_process_that_does_not_start_says_why(tmp_path: Path) -> None:
    """What the process wrote on stderr is in the error, and nothing is left running."""
    table = SimTable(tmp_path, daemon=False, names=("shoe", "toaster"))
    with pytest.raises(SimError, match=r"toaster did not start \(status 2\)[\s\S]*invalid choice: 'toaster'"), table:
        pass
    assert [] == table._processes.names


def test_a_folder_with_too_long_a_name_is_refused(tmp_path: Path) -> None:
    """The sockets would not fit: the error says so."""
    with pytest.raises(SimError, match="too long"), SimTable(tmp_path / ("x" * 100), daemon=False):
        pass


def test_the_daemon_hears_every_device(tmp_path: Path, seed: int) -> None:
    """With the daemon: an event of each device is acknowledged; killed and started again, it has lost nothing."""
    with SimTable(tmp_path, seed=seed) as table:
        happenings = {
            "shoe": ("CuttingCard", {}),
            "shuffler": ("ShuffleBegun", {}),
            "hub": ("DiscardCount", {"cards": 1}),
            "panel": ("KeySwitch", {"on": True}),
            "meter": ("Multiplier", {"place": [1, 1, 1], "multiplier": 25}),
        }
        for name, (event, fields) in happenings.items():
            table.device(name).wait_acknowledged(table.device(name).event(event, **fields))  # type: ignore[arg-type]
        killed = table.pid(DAEMON)
        table.kill()
        assert not alive(killed)
        numbers = {
            name: table.device(name).event(event, **fields)  # type: ignore[arg-type]
            for name, (event, fields) in happenings.items()
        }
        table.start_daemon()
        for name, number in numbers.items():
            table.device(name).wait_acknowledged(number)
        assert "id" in table.control.ask(do="status")
        table.restart()
        assert "id" in table.control.ask(do="status")
        last = table.pid(DAEMON)
    assert not alive(last)


def test_a_table_whose_devices_speak_edition_1(seed: int) -> None:
    """Where the configuration says so all is as before, and the doctor names each cable that can be read."""
    table = SimTable(seed=seed, names=("shoe", "panel"))
    table.edition = 1
    with table:
        table.device("shoe").wait_acknowledged(table.device("shoe").event("CardOut", card="KD"))
        health = table.control.ask(do="health")["health"]
        assert "" == misfit_of(HealthFacts)(health)
        assert [[1, 1], [1, 1]] == [link["protocol"] for link in health["links"].values()]
        said = [check.name for check in of_health(health) if check.code == "in-clear"]
        assert ["cable of shoe", "cable of panel"] == said


@pytest.mark.parametrize(("patience", "lost"), [(PATIENCE, False), (1, True)])
def test_a_device_without_a_turn_is_borne_for_as_long_as_its_table_has_patience(
    seed: int, patience: int, lost: bool
) -> None:
    """On a busy computer nobody is at a cable. With the patience of a real table the device is lost."""
    table = SimTable(seed=seed, names=("shoe", "panel"))
    table.patience = patience
    with table:
        shoe = table.device("shoe")
        shoe.wait_acknowledged(shoe.event("CardOut", card="KD"))
        shoe.stick()
        number, begun = shoe.event("CardOut", card="QD"), _health(table)["uptime"]
        eventually(lambda: _health(table)["uptime"] > begun + STUCK)
        shoe.unstick()
        shoe.wait_acknowledged(number)
        health = _health(table)
        assert lost == (health["links"]["shoe"]["station"]["downs"] > 0)
        assert "uncovered" not in json.dumps(table.control.ask(do="report"))
        told = [check.name for check in of_health(health) if check.code == "patience"]
        assert told == ([] if lost else ["patience of shoe", "patience of panel"])


def _health(table: SimTable) -> dict[str, Any]:
    found: dict[str, Any] = table.control.ask(do="health")["health"]
    return found
