"""A whole simulated table: five devices, each a process, and the daemon, a process too.

1. `with SimTable(seed=7) as table:` makes a folder, keys from the seed and `table.toml`, starts all six processes at
   once, and returns when the daemon is ready and every device has a host. Unless a folder is given it is a temporary
   one, removed at the end; the journal stays if `kept` names a folder for it.
2. A device is of the kind that its name says, unless `kinds` names another: `kinds={"shoe": "angel-eye"}`.
   `table.device("shoe")` plays a device, `table.control` asks the daemon.
3. `noise` and `skew_ms` hold for all links at all times: `all_plugged` brings every link back to them between two
   scenarios.
4. The daemon can be stopped, killed and started again; the devices keep what it has not acknowledged.
5. Whatever happens, at the end every process that was started here is ended, the daemon first (`processes`).
6. `staff` gives the table roles, with two keepers, who should be shift-managers. Our own connection speaks as the
   first, who says what scenarios and the robot say; `second` as the other, who approves and clears: nobody does both.
   Such a table is named in the configuration: `put` writes it there, one keeper proposes it, the other confirms. Its
   devices are paired with it in its journal (`paired_devices`); an open table names their keys in its configuration.

Not modelled: a second host, a hub between computer and devices, what `process` and its parts say they leave out.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from drivers.link.editions.noise import public
from firmware_bridge.control.client import ControlClient
from firmware_bridge.people.accounts.roles import Person
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write_header
from hal_sim.devices.device import TALKER
from hal_sim.devices.process import AND
from hal_sim.devices.remote import RemoteDevice, SimError
from hal_sim.devices.usb.wire import PRODUCT, VENDOR
from hal_sim.table.paired_devices import pair_devices
from hal_sim.table.table_file import table_file
from hal_sim.table.table_processes import Processes

NAMES = ("shoe", "shuffler", "hub", "panel", "meter")
DAEMON, DEVICES = "daemon", "devices"
HOST = "host"
PATIENCE = 10
"""Seconds: so long a device that shares a busy computer may have to wait for its turn."""
# The longest path that a Unix socket can have on Linux.
_LONGEST_PATH = 107


def key_of(seed: int, name: str) -> bytes:
    """Return the secret key of a simulated device, or of the table itself (`HOST`)."""
    return hashlib.blake2s(f"{seed} {name}".encode(), person=b"sim-key").digest()


class Keeper(NamedTuple):
    """Who speaks over our own connection to a table with roles."""

    name: str
    pin: str


class SimTable:
    """Simulated devices and, unless `daemon` is False, the daemon that hears them."""

    def __init__(
        self,
        directory: Path | None = None,
        seed: int = 0,
        usb: bool = True,
        *,
        daemon: bool = True,
        names: Sequence[str] = NAMES,
        noise: float = 0.0,
        skew_ms: float = 0.0,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        self.seed = seed
        self.kept: Path | None = None
        """Where the journal stays; to be changed before the processes start."""
        self.training = False
        """Whether that folder is training's; to be changed before the processes start."""
        self.edition = 2
        """The edition of the links of all devices; to be changed before the processes start."""
        self.patience = PATIENCE
        """For how many seconds the links of all devices bear that nothing arrives; to be changed before they start."""
        self.together = False
        """Whether one process holds all devices, for many tables on one computer; to be changed before they start."""
        self.unpaired: frozenset[str] = frozenset()
        """Devices that nobody has paired yet; to be changed before the processes start."""
        self._people: tuple[Person, ...] = ()
        self._keepers: tuple[Keeper, ...] = ()
        self._tables: list[str] = []
        self.usb = usb
        self.names = tuple(names)
        self.kinds = {name: name for name in names} | dict(kinds or {})
        self.skewed = skew_ms > 0
        self._noise = noise
        self._skew_ms = skew_ms
        self._with_daemon = daemon
        self._given = directory
        self.directory = directory or Path()
        self._temporary: Path | None = None
        self._devices: dict[str, RemoteDevice] = {}
        self._processes = Processes()
        self._control: ControlClient | None = None
        self._second: ControlClient | None = None
        self._boots = 0

    def __enter__(self) -> Self:
        """Start all processes."""
        self._temporary = Path(tempfile.mkdtemp(prefix="truedeal-")) if self._given is None else None
        self.directory = self._given or self._temporary or Path()
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all processes."""
        self.close()

    # The parts.

    def device(self, name: str) -> RemoteDevice:
        """Return the device of this name."""
        try:
            return self._devices[name]
        except KeyError:
            problem = f"no device '{name}' at this table: there are {', '.join(self._devices)}"
            raise SimError(problem) from None

    @property
    def control(self) -> ControlClient:
        """The connection to the daemon's control socket."""
        if self._control is None:
            self._control = self._connected(0)
        return self._control

    @property
    def second(self) -> ControlClient:
        """The connection of the second keeper; on a table without roles the same as `control`."""
        if not self._keepers:
            return self.control
        if self._second is None:
            self._second = self._connected(1)
        return self._second

    def _connected(self, place: int) -> ControlClient:
        """A connection to the daemon; to a table with roles as one of the keepers."""
        control = ControlClient(self.control_path)
        for keeper in self._keepers[place : place + 1]:
            refused = control.ask(do="login", name=keeper.name, pin=keeper.pin).get("refused")
            if refused is not None:
                control.close()
                problem = f"the daemon does not let {keeper.name} in: {refused}"
                raise SimError(problem)
        return control

    @property
    def state_path(self) -> Path:
        """Where the daemon keeps its journal."""
        return self.kept or self.directory / "state"

    @property
    def roles(self) -> bool:
        """Whether somebody must have logged in to command."""
        return bool(self._people)

    @property
    def control_path(self) -> Path:
        """Where the daemon's control socket is."""
        return self.directory / "control.sock"

    @property
    def config_path(self) -> Path:
        """Where the configuration is."""
        return self.directory / "table.toml"

    def pid(self, name: str) -> int:
        """Return the process id of a device, or of the daemon."""
        return self._processes.pid(name)

    def port(self, name: str) -> str:
        """Return the address of a device's port, as the configuration has it."""
        if self.on_usb(name):
            return f"usb:{VENDOR:04x}:{PRODUCT:04x}:{self.serial(name)}"
        return f"pty:{self.directory / name}"

    def serial(self, name: str) -> str:
        """Return the serial number of a device."""
        return f"SIM-{name.upper()}"

    def key(self, name: str) -> bytes:
        """Return the secret key of a device: its own in edition 2 of the link, in edition 1 the daemon has it too."""
        return key_of(self.seed, name)

    @property
    def secret(self) -> bytes:
        """The table's own key on its links."""
        return key_of(self.seed, HOST)

    def proof(self, name: str) -> list[str]:
        """Return what the configuration says of how a device proves what it is."""
        if self.kinds[name] == TALKER:
            return ["authenticated = false"]
        serial = f'serial = "{self.serial(name)}"'
        if self.edition == 1:
            return [serial, "edition = 1", f'key = "{self.key(name).hex()}"']
        if self._people or name in self.unpaired:
            return [serial]
        return [serial, f'public = "{public(self.key(name)).hex()}"']

    # The links.

    def all_plugged(self) -> list[str]:
        """Plug in what is unplugged and undo all damage that goes beyond the table's own; return what had been out."""
        out = []
        for name, device in self._devices.items():
            changed = device.changed
            if device.mend():
                out.append(name)
            if changed:
                self._spoil(device)
        return out

    def wait_up(self) -> None:
        """Wait until every device that is plugged in and paired has a host."""
        for name, device in self._devices.items():
            if device.plugged and name not in self.unpaired:
                device.wait_up()

    def _spoil(self, device: RemoteDevice) -> None:
        """Bring a link to the table's own noise and skew."""
        if self._noise:
            device.noise(self._noise)
        if self._skew_ms:
            device.skew(self._skew_ms)
        device.changed = False

    # The daemon.

    def start_daemon(self) -> None:
        """Start the daemon and wait until it is ready."""
        self._spawn_daemon()
        self._processes.await_ready([DAEMON])

    def stop_daemon(self) -> None:
        """End the daemon as a service manager does."""
        self._forget_control()
        self._processes.end([DAEMON])

    def kill(self) -> None:
        """Kill the daemon at once: it saves nothing more."""
        self._forget_control()
        self._processes.kill(DAEMON)

    def new_boot(self) -> None:
        """Start the computer anew: the next start of the daemon is not that of the software alone."""
        self._boots += 1
        self._boot.write_text(f"boot-{self._boots}\n", encoding="ascii")

    @property
    def _boot(self) -> Path:
        """The file that tells one start of the computer from another."""
        return self.directory / "boot_id"

    def restart(self) -> None:
        """End the daemon if it runs, start it, and wait for the devices."""
        self.stop_daemon()
        self.start_daemon()
        self.wait_up()

    def staff(self, people: Sequence[Person], keepers: Sequence[Keeper]) -> None:
        """Let these people act at the table, anybody if there are none; a daemon that runs starts anew."""
        self._people, self._keepers = tuple(people), tuple(keepers)
        if DAEMON not in self._processes.names:
            return
        self.stop_daemon()
        self._write_configuration()
        self.start_daemon()
        self.wait_up()

    def put(self, header: Header) -> None:
        """Put a table in place where there are roles; the daemon starts anew for one that it does not know."""
        text = write_header(replace(header, shoe=(), seed=0, confirm=False))
        if text not in self._tables:
            self._tables.append(text)
            self.stop_daemon()
            self._write_configuration()
            self.start_daemon()
            self.wait_up()
        for control in (self.control, self.second):
            refused = control.ask(do="table", name=f"table {self._tables.index(text)}").get("refused")
            if refused is not None:
                raise SimError(str(refused))

    def close(self) -> None:
        """End everything that was started here, and remove a temporary folder."""
        self._forget_control()
        for device in self._devices.values():
            device.close()
        self._devices.clear()
        self._processes.end([DAEMON])
        self._processes.end(self._processes.names)
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    # Inside.

    def _start(self) -> None:
        """Write the configuration and start all processes at once."""
        self.directory.mkdir(parents=True, exist_ok=True)
        longest = max((self.directory / f"{name}.usb" for name in (*self.names, "control")), key=lambda p: len(str(p)))
        if len(os.fsencode(longest)) + 1 > _LONGEST_PATH:
            problem = f"the folder's name is too long for the sockets in it: {self.directory}"
            raise SimError(problem)
        self._write_configuration()
        self.new_boot()
        processes = (DEVICES,) if self.together else self.names
        if self.together:
            parts = [[*self._device_arguments(name), AND] for name in self.names]
            self._spawn(DEVICES, ["hal_sim.devices.process", *(word for part in parts for word in part)])
        else:
            for name in self.names:
                self._spawn(name, ["hal_sim.devices.process", *self._device_arguments(name)])
        if self._with_daemon:
            self._spawn_daemon()
        self._processes.await_ready(processes)
        for name in self.names:
            self._devices[name] = RemoteDevice(name, self.directory / f"{name}.ctl")
            self._spoil(self._devices[name])
        if self._with_daemon:
            self._processes.await_ready([DAEMON])
            self.wait_up()

    def _write_configuration(self) -> None:
        """Write table.toml, which nobody else may read: keys stand in it."""
        self.config_path.touch(mode=0o600)
        text = table_file(self, self._boot, self._tables, self._people)
        self.config_path.write_text(text, encoding="utf-8")

    def on_usb(self, name: str) -> bool:
        """Tell whether a device is on USB: of all devices the panel is."""
        return self.usb and name == "panel"

    def _device_arguments(self, name: str) -> list[str]:
        """The arguments of a device's process, tied to this one."""
        proof = ["--secret", self.key(name).hex()]
        proof += [] if name in self.unpaired else ["--host", public(self.secret).hex()]
        if self.edition == 1:
            proof = ["--key", self.key(name).hex()]
        who = [self.kinds[name], "--name", name, "--serial", self.serial(name), *proof]
        fitted = ["--usb"] * self.on_usb(name) + ["--anchors"] * self._with_daemon
        return [*who, "--dir", str(self.directory), "--seed", str(self.seed), "--tied", *fitted]

    def _spawn_daemon(self) -> None:
        """Start the process of the daemon."""
        if self._people and self.edition == 2:
            own = [name for name in self.names if self.kinds[name] != TALKER and name not in self.unpaired]
            pair_devices(self.state_path, self.secret, {n: (self.serial(n), public(self.key(n))) for n in own})
        how = ["--tied", *(["--training"] if self.training else []), "--config", str(self.config_path)]
        self._spawn(DAEMON, ["firmware_bridge.cli", "run", *how])

    def _spawn(self, name: str, module: list[str]) -> None:
        """Start a process of ours."""
        self._processes.start(name, module, self._log(name))

    def _log(self, name: str) -> Path:
        """Where a process writes its stderr."""
        return self.directory / f"{name}.log"

    def _forget_control(self) -> None:
        """Close the connections to the daemon."""
        for control in (self._control, self._second):
            if control is not None:
                with contextlib.suppress(OSError):
                    control.close()
        self._control = self._second = None
