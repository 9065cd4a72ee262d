"""``truedeal check``: whether a configuration can be run.

1. What cannot be read is reported as ``truedeal run`` would say it. What can be read is examined further: drivers,
   addresses, backends, whether it is safe (`setup.safety`), whether a device carries each sensor, whether the folders
   can be used, whether the program's maker is trusted. Every problem is reported, not only the first. If a
   configuration cannot be read as a whole, those of its devices that can be read are still examined.
2. What is wrong but keeps nothing from running is a warning, and changes no exit status.
3. No device is opened, and nothing is made or changed. Exit status: 0 it can be run, 1 it cannot.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.commands.help_text import examples

if TYPE_CHECKING:
    from firmware_bridge.setup.config import Config
    from firmware_bridge.setup.device_config import DeviceConfig

_LONGEST_SOCKET = 107  # bytes of the path of a Unix socket


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "check",
        help="check a table's configuration",
        description="Checks a configuration without running it; every problem names key, value and what is allowed.",
        epilog=examples(
            ("truedeal check --config /etc/truedeal/table.toml", "before the daemon is started with it"),
            status="Exit status: 0 it can be run, 1 it cannot.",
        ),
    )
    parser.add_argument("--config", required=True, metavar="FILE", type=Path, help="the table's configuration (TOML)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check a configuration; returns the exit status."""
    from firmware_bridge.commands.table.observe import print_json  # noqa: PLC0415
    from firmware_bridge.setup import safety  # noqa: PLC0415
    from firmware_bridge.setup.config import load  # noqa: PLC0415
    from firmware_bridge.setup.problems import ConfigError  # noqa: PLC0415

    said, warned = "", []
    try:
        config = load(args.config)
        found, warned = list(problems(config)), safety.warnings(config)
        said = summary(config)
    except ConfigError as error:
        found = [problem.removeprefix(f"{args.config}: ") for problem in error.problems]
        found += [*(problem for device in error.devices for problem in _device(device)), *_ports(error.devices)]
    if args.json:
        print_json({"file": str(args.config), "problems": found, "warnings": warned})
        return 1 if found else 0
    sys.stderr.write("".join(f"{args.config}: {problem}\n" for problem in found))
    sys.stderr.write("".join(f"{args.config}: warning: {problem}\n" for problem in warned))
    if not found:
        sys.stdout.write(f"{args.config}: can be run\n{said}")
    return 1 if found else 0


def summary(config: Config) -> str:
    """What is configured, in a few lines."""
    header = config.header
    opened = ["open: nobody logs in, and everything is allowed"] if config.open else []
    opened += [] if config.open or config.two_persons else ["two_persons: false, whoever reports may confirm and clear"]
    lines = [
        f"{header.game}, {header.decks} decks, {header.boxes} boxes",
        f"sensors: {', '.join(sorted(header.sensors)) or 'none'}",
        f"devices: {', '.join(device.name for device in config.devices) or 'none'}",
        "roles: " + (", ".join(f"{one.name} ({one.role})" for one in config.roles) or "none"),
        *([f"tables: {', '.join(config.tables)}"] if config.tables else []),
        *opened,
        f"link: {_links(config)}",
        f"anchors: {', '.join(map(str, config.anchors.targets)) or 'none'}",
        *([f"centre: {config.anchors.centre} (reported only)"] if config.anchors.centre is not None else []),
        f"at hand: {config.retention.days} days or {config.retention.megabytes} MB of the journal, then archived",
    ]
    return "".join(f"  {line}\n" for line in lines)


def _links(config: Config) -> str:
    """The table's own key, and which devices can be read on their cables."""
    from firmware_bridge.links.pairings import table_fingerprint  # noqa: PLC0415

    clear = [device.name for device in config.devices if device.edition == 1]
    said = "no key" if config.secret is None else f"key {table_fingerprint(config.secret)}"
    return said + (f"; edition 1, which can be read on the cable: {', '.join(clear)}" if clear else "")


def problems(config: Config) -> Iterator[str]:
    """Everything that would keep this configuration from running."""
    from firmware_bridge.program.running import Running  # noqa: PLC0415  it knows who signs

    yield from unusable(config)
    program = Running(config.makers)
    if program.wrong:
        yield f"{config.makers}: no round would begin with this program: {program.wrong}"
    yield from _sensors(config)
    yield from _ports(config.devices)
    folder = _nearest(config.state)
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        yield f"table.state: {config.state} cannot be written: expected a folder of the daemon's user"
    folder = _nearest(config.control.parent)
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        yield f"table.control: {config.control} cannot be made: expected a path in a folder of the daemon's user"
    if not os.access(config.boot, os.R_OK):
        yield f"table.boot: {config.boot} cannot be read: expected a file that changes at each start of the computer"


def unusable(config: Config) -> Iterator[str]:
    """What ``truedeal run`` refuses before it opens anything: safety, drivers, addresses, the path of the socket."""
    from firmware_bridge.setup import safety  # noqa: PLC0415

    yield from safety.refused(config)
    for device in config.devices:
        yield from _device(device)
    length = len(os.fsencode(config.control))
    if length > _LONGEST_SOCKET:
        yield f"table.control: expected a path of at most {_LONGEST_SOCKET} bytes, got {length}"
    elif config.control.exists() and not config.control.is_socket():  # what is there would be removed
        yield f"table.control: {str(config.control)!r} is there and is no socket, expected a path of its own"


def _device(device: DeviceConfig) -> Iterator[str]:
    from drivers.driver import OWN, available  # noqa: PLC0415
    from drivers.ports.address import AddressError, SerialAddress, parse  # noqa: PLC0415

    where = f"devices.{device.name}."
    if device.driver not in OWN and device.driver not in available():
        yield f"{where}driver: expected one of {', '.join(sorted(available()))}, got {device.driver!r}"
    try:
        serial = isinstance(parse(device.port), SerialAddress)
    except AddressError as error:
        yield f"{where}port: {error}"
        return
    if device.usb_backend is None:
        return
    from importlib.metadata import entry_points  # noqa: PLC0415

    from firmware_bridge.daemon.run import BACKENDS  # noqa: PLC0415

    name = device.usb_backend.partition(":")[0]
    known = sorted(point.name for point in entry_points(group=BACKENDS))
    if serial:
        yield f"{where}usb_backend: expected none, as {device.port!r} is no USB address"
    elif name not in known:
        yield f"{where}usb_backend: expected one of {', '.join(known) or 'none'}, got {name!r}"


def _sensors(config: Config) -> Iterator[str]:
    """Each sensor needs a device that carries it."""
    from firmware_bridge.commands.documents.sensor_coverage import CARRIERS  # noqa: PLC0415

    devices = {device.name for device in config.devices}
    for sensor in sorted(config.header.sensors):
        if not devices.intersection(CARRIERS[sensor]):
            wanted = " or ".join(f"[devices.{name}]" for name in CARRIERS[sensor])
            yield f"table.sensors: {sensor!r} is fitted, expected {wanted} that carries it"


def _ports(devices: Iterable[DeviceConfig]) -> Iterator[str]:
    """No two devices on one port."""
    taken: dict[str, str] = {}
    for device in devices:
        if device.port in taken:
            other = taken[device.port]
            yield f"devices.{device.name}.port: expected a port of its own, {device.port!r} is that of {other}"
        taken.setdefault(device.port, device.name)


def _nearest(path: Path) -> Path:
    """The folder itself, or the nearest one above it that is there."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path
