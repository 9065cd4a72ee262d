"""A box under the table: a container with the package, and the simulated devices at its table.

1. The devices run on the host; their pseudo-terminals are bound in under the names of the udev rules, and are given the
   rights that the rules would give them.
2. What a device has acknowledged is in the journal, and only a daemon that runs can acknowledge: an event that is
   acknowledged after a kill was heard by the next daemon.
"""

from __future__ import annotations

import fcntl
import json
import os
import termios
from pathlib import Path

from hal_sim.devices.remote import RemoteDevice
from hal_sim.table.sim_table import NAMES, SimTable
from tests.deploy.boxes.container import Container
from tests.patience import PATIENCE

GAME = "mbs-blackjack-v6"
UNIT = "truedeal.service"
CONSOLE = "truedeal-console.service"
CONFIG = "/etc/truedeal/table.toml"
STATE = "/var/lib/truedeal"
PACKAGES = "/packages"
JOURNAL = """
import json, pathlib, sqlite3
numbers = []
for path in sorted(pathlib.Path("/var/lib/truedeal").glob("journal*.db")):
    chosen = "SELECT number FROM events WHERE device = 'shoe' AND number IS NOT NULL ORDER BY n"
    numbers += [number for number, in sqlite3.connect(path).execute(chosen)]
print(json.dumps(numbers))
"""
PAGE = """
import sys, urllib.error, urllib.request
try:
    with urllib.request.urlopen("http://127.0.0.1:8790" + sys.argv[1], timeout=100) as answer:
        print(answer.status, *(answer.readline().decode().strip() for _ in range(5)), sep="\\n")
except urllib.error.HTTPError as error:
    print(error.code, error.read(2000).decode(), sep="\\n")
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

    def happens(self, times: int = 5, seconds: float = PATIENCE) -> None:
        """Let the shoe's cover be opened and closed; wait until that is in the journal."""
        numbers = self.shoe.events([("Cover", {"open": turn % 2 == 0}) for turn in range(times)])
        self.shoe.wait_acknowledged(numbers[-1], seconds)

    def page(self, path: str) -> tuple[int, str]:
        """Ask the console for something, inside; return the status and the first lines of what came."""
        status, _, text = self.container.run("python3", "-c", PAGE, path).partition("\n")
        return int(status), text

    def journal(self) -> list[int]:
        """Return the numbers of the shoe's events in the journal."""
        numbers: list[int] = json.loads(self.container.run("python3", "-c", JOURNAL))
        return numbers

    def install(self, package: Path) -> str:
        """Install a package; return what was written."""
        return self.container.run("dpkg", "--install", f"{PACKAGES}/{package.name}")

    def configure(self) -> None:
        """Give the daemon the table's configuration and the devices, as root and udev would."""
        lines = [
            "[table]",
            "open = true",
            f'game = "{GAME}"',
            f'state = "{STATE}"',
            'control = "/run/truedeal/control.sock"',
        ]
        lines += ["[link]", f'secret = "{self._table.secret.hex()}"']
        for name in NAMES:
            lines += [f"[devices.{name}]", f'driver = "{name}"', f'port = "serial:/dev/truedeal/{name}"']
            lines += self._table.proof(name)
        self.container.write(CONFIG, "\n".join(lines) + "\n")
        self.container.run("cp", f"{PACKAGES}/test.pub", "/etc/truedeal/makers/test.pub")
        self.container.run("chown", "truedeal", CONFIG)
        self.container.run("chmod", "0600", CONFIG)
        self.container.run("chgrp", "truedeal", *(f"/dev/truedeal/{name}" for name in NAMES))
        self.container.run("chmod", "0660", *(f"/dev/truedeal/{name}" for name in NAMES))

    def start(self) -> None:
        """Start the units, which returns once they are ready."""
        self.container.run("systemctl", "start", UNIT, CONSOLE)
        self._table.wait_up()

    def state(self, unit: str = UNIT) -> str:
        """Return whether a unit is active."""
        return self.container.shows(unit, "ActiveState")

    def signal(self, name: str) -> None:
        """Send the daemon a signal from which it cannot tidy up."""
        self.container.run("sh", "-c", f"kill -{name} {self.pid()}")
        for device in NAMES:
            # A real line is free when its last user has gone. A pseudo-terminal stays exclusive while its master is
            # open, and only root may enter and say otherwise.
            line = os.open(self._table.directory / device, os.O_RDWR | os.O_NOCTTY)
            fcntl.ioctl(line, termios.TIOCNXCL)
            os.close(line)

    def pid(self, unit: str = UNIT) -> int:
        """Return the process id of a unit, the daemon's if none is named, as the container counts."""
        return int(self.container.shows(unit, "MainPID"))
