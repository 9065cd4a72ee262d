"""The package in a real systemd: installed, killed, frozen, upgraded, removed.

1. Each test has a container of its own, in which the package is installed and the table configured, and simulated
   devices on the host whose pseudo-terminals are bound in under the names of the udev rules.
2. What a device has acknowledged is in the journal, and only a daemon that runs can acknowledge: an event that is
   acknowledged after a kill was heard by the next daemon.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hal_sim.remote import RemoteDevice
from hal_sim.table import NAMES, SimTable
from tests.deploy.build import built_once
from tests.deploy.container import Container, ContainerError, debian_root, needs

pytestmark = [pytest.mark.root, pytest.mark.skipif(bool(needs()), reason=needs() or "all is there")]

GAME = "mbs-blackjack-v6"
UNIT = "truedeal.service"
CONFIG = "/etc/truedeal/table.toml"
STATE = "/var/lib/truedeal"
PACKAGES = "/packages"
SILENT = 40.0
"""Longer than the watchdog waits, and a restart."""
JOURNAL = f"""
import json, pathlib, sqlite3
numbers = []
for path in sorted(pathlib.Path("{STATE}").glob("journal*.db")):
    chosen = "SELECT number FROM events WHERE device = 'shoe' AND number IS NOT NULL ORDER BY n"
    numbers += [number for number, in sqlite3.connect(path).execute(chosen)]
print(json.dumps(numbers))
"""


class Box:
    """A box with the package installed, and the devices at its table."""

    def __init__(self, container: Container, table: SimTable) -> None:
        self.container = container
        self._table = table

    @property
    def shoe(self) -> RemoteDevice:
        """The shoe."""
        return self._table.device("shoe")

    def happens(self, times: int = 5, seconds: float = SILENT) -> None:
        """Let the shoe's cover be opened and closed; wait until that is in the journal."""
        numbers = self.shoe.events([("Cover", {"open": turn % 2 == 0}) for turn in range(times)])
        self.shoe.wait(numbers[-1], seconds)

    def journal(self) -> list[int]:
        """Return the numbers of the shoe's events in the journal."""
        numbers: list[int] = json.loads(self.container.run("python3", "-c", JOURNAL))
        return numbers

    def install(self, package: Path) -> str:
        """Install a package; return what was written."""
        return self.container.run("dpkg", "--install", f"{PACKAGES}/{package.name}")

    def configure(self) -> None:
        """Give the daemon the table's configuration and the devices, as root and udev would."""
        lines = ["[table]", f'game = "{GAME}"', f'state = "{STATE}"', 'control = "/run/truedeal/control.sock"']
        for name in NAMES:
            lines += [f"[devices.{name}]", f'driver = "{name}"', f'port = "serial:/dev/truedeal/{name}"']
            lines += [f'serial = "{self._table.serial(name)}"', f'key = "{self._table.key(name).hex()}"']
        self.container.write(CONFIG, "\n".join(lines) + "\n")
        self.container.run("chgrp", "truedeal", CONFIG, *(f"/dev/truedeal/{name}" for name in NAMES))
        self.container.run("chmod", "0640", CONFIG)
        self.container.run("chmod", "0660", *(f"/dev/truedeal/{name}" for name in NAMES))

    def start(self) -> None:
        """Start the unit, which returns once it is ready."""
        self.container.run("systemctl", "start", UNIT)
        self._table.wait_up()

    def state(self) -> str:
        """Return whether the unit is active."""
        return self.container.shows(UNIT, "ActiveState")

    def pid(self) -> int:
        """Return the daemon's process id, as the container counts."""
        return int(self.container.shows(UNIT, "MainPID"))


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the package."""
    return built_once(tmp_path_factory, "amd64")


@pytest.fixture(scope="session")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the package that follows it."""
    return built_once(tmp_path_factory, "amd64", revision=2)


@pytest.fixture
def box(first: Path, second: Path, tmp_path_factory: pytest.TempPathFactory, seed: int) -> Iterator[Box]:
    """Return a fresh box, in which the first package is installed and runs."""
    folder = tmp_path_factory.mktemp("box", numbered=True)
    with SimTable(seed=seed, usb=False, daemon=False) as table:
        binds = {first.parent: PACKAGES}
        binds |= {(table.directory / name).resolve(): f"/dev/truedeal/{name}" for name in NAMES}
        try:
            debian_root()
            container = Container(f"truedeal-{os.getpid()}-{time.monotonic_ns()}", folder, binds)
            with container:
                fresh = Box(container, table)
                assert second.parent == first.parent
                fresh.install(first)
                fresh.configure()
                fresh.start()
                yield fresh
        except ContainerError as problem:
            pytest.skip(str(problem))


def test_the_package_installs_and_the_unit_becomes_ready(box: Box) -> None:
    """After the installation the unit is enabled, runs as its own user, and hears its devices."""
    box.happens()
    assert "active" == box.state()
    assert "enabled" == box.container.run("systemctl", "is-enabled", UNIT)
    assert "truedeal" == box.container.run("stat", "--format=%U", f"/proc/{box.pid()}")
    assert [1, 2, 3, 4, 5] == box.journal()
    assert GAME in box.container.shows(UNIT, "StatusText")


def test_only_the_group_reaches_configuration_journal_and_socket(box: Box) -> None:
    """Nobody else may read the devices' keys or the journal, or command the table."""
    paths = ["/etc/truedeal", CONFIG, STATE, "/run/truedeal", "/run/truedeal/control.sock"]
    expected = [
        "750 root truedeal",
        "640 root truedeal",
        "750 truedeal truedeal",
        "750 truedeal truedeal",
        "660 truedeal truedeal",
    ]
    assert expected == box.container.run("stat", "--format=%a %U %G", *paths).splitlines()


def test_the_installed_unit_and_rules_are_read_without_a_word(box: Box) -> None:
    """Where everything that they name is installed, systemd and udev have nothing to say about them."""
    assert "" == box.container.run("systemd-analyze", "verify", UNIT)
    said = box.container.run("udevadm", "test", "/sys/class/mem/null", check=False)
    assert "rules.d/60-truedeal.rules" in said
    assert [] == [line for line in said.splitlines() if "60-truedeal.rules:" in line]


def test_a_killed_daemon_is_back_with_its_journal(box: Box, record_property: pytest.RecordProperty) -> None:
    """After kill -9 systemd starts it anew, and it goes on where the journal ends."""
    box.happens()
    before, pid = box.journal(), box.pid()
    killed = time.monotonic()
    box.container.run("sh", "-c", f"kill -KILL {pid}")
    box.happens()
    ready = int(box.container.shows(UNIT, "ActiveEnterTimestampMonotonic")) / 1e6
    record_property("ready_again_seconds", round(ready - killed, 3))
    assert [1, 2, 3, 4, 5] == before
    assert [*range(1, 11)] == box.journal()
    assert pid != box.pid()
    assert "1" == box.container.shows(UNIT, "NRestarts")


def test_a_frozen_daemon_is_replaced_and_keeps_its_journal(box: Box, record_property: pytest.RecordProperty) -> None:
    """A loop that no longer turns feeds no watchdog; systemd ends it, starts it anew, and nothing is lost."""
    box.happens()
    pid = box.pid()
    frozen = time.monotonic()
    box.container.run("sh", "-c", f"kill -STOP {pid}")
    box.happens()
    ready = int(box.container.shows(UNIT, "ActiveEnterTimestampMonotonic")) / 1e6
    record_property("replaced_seconds", round(ready - frozen, 3))
    assert [*range(1, 11)] == box.journal()
    assert pid != box.pid()
    assert "Watchdog timeout" in box.container.run("journalctl", "--no-pager", "--unit", UNIT)


def test_an_upgrade_keeps_configuration_and_journal(box: Box, second: Path) -> None:
    """The next package stops the daemon, replaces it and starts it; events that came meanwhile are not lost."""
    box.happens()
    configuration = box.container.run("cat", CONFIG)
    box.install(second)
    box.happens()
    assert "active" == box.state()
    assert [*range(1, 11)] == box.journal()
    assert configuration == box.container.run("cat", CONFIG)
    assert second.name.split("_")[1] == box.container.run("dpkg-query", "--show", "--showformat=${Version}", "truedeal")


def test_a_rollback_is_the_earlier_package_installed_again(box: Box, first: Path, second: Path) -> None:
    """The package before can be installed over the one after, and runs on the same journal."""
    box.install(second)
    box.happens()
    box.install(first)
    box.happens()
    assert "active" == box.state()
    assert [*range(1, 11)] == box.journal()


def test_removal_stops_the_unit_and_keeps_the_records(box: Box) -> None:
    """Removed, the daemon and its files are gone; configuration and journal stay and serve the next installation."""
    box.happens()
    box.container.run("dpkg", "--remove", "truedeal")
    assert "inactive" == box.state()
    gone = ["/usr/bin/truedeal", "/usr/lib/truedeal", "/usr/share/truedeal", "/lib/systemd/system/truedeal.service"]
    assert [] == [path for path in gone if box.container.succeeds("test", "-e", path)]
    assert [1, 2, 3, 4, 5] == box.journal()
    assert box.container.succeeds("test", "-e", CONFIG)


def test_purging_leaves_nothing(box: Box) -> None:
    """Purged, configuration, journal and user are gone too."""
    box.container.run("dpkg", "--purge", "truedeal")
    left = box.container.run(
        "find", "/etc", "/var/lib", "/usr", "/run", "-xdev", "-name", "*truedeal*", "-not", "-path", "/var/lib/dpkg/*"
    )
    assert "" == left
    assert not box.container.succeeds("getent", "passwd", "truedeal")
    assert "" == box.container.run("systemctl", "list-units", "--all", "--plain", "--no-legend", "truedeal*")
