"""``truedeal run``: the daemon of one table.

1. One event loop: every device's station, the pump, the control socket. The only thread besides it reads USB.
2. ``ready`` is printed when the control socket listens. TERM and INT end it in order: ports closed, journal closed. A
   journal that cannot be written ends it too, with status 1.
3. A USB device may be reached by another backend than the system's, which an entry point of `BACKENDS` names.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drivers.station import Station
    from firmware_bridge.config import Config, DeviceConfig
    from firmware_bridge.pump import Pump

BACKENDS = "truedeal.usb_backends"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "run",
        help="run the daemon of a table",
        description="Runs the daemon of one table until it is told to end: devices, journal, control socket.",
    )
    parser.add_argument("--config", required=True, metavar="FILE", type=Path, help="the table's configuration (TOML)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run until a signal ends it; the exit status."""
    from firmware_bridge.config import ConfigError, load  # noqa: PLC0415  only when the daemon runs

    try:
        config = load(args.config)
    except ConfigError as error:
        sys.stderr.write(f"truedeal run: {error}\n")
        return 2
    return asyncio.run(_serve(config))


async def _serve(config: Config) -> int:
    from firmware_bridge.control import Control  # noqa: PLC0415
    from firmware_bridge.opening import open_books  # noqa: PLC0415
    from firmware_bridge.pump import Pump, wall_clock  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    opened = open_books(config, wall_clock())
    stations: dict[str, Station] = {}
    pump = Pump(opened.recovered, opened.books, stations, ended.set)
    for item in opened.first:
        pump.submit(item)
    pump.flush()
    for device in config.devices:
        stations[device.name] = _station(device, opened.books.numbers.get(device.name), pump, loop)
    control = Control(pump, lambda: {name: station.up for name, station in stations.items()})
    await control.listen(config.control)
    for station in stations.values():
        station.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await ended.wait()
    for station in stations.values():
        station.stop()
    await control.close()
    pump.close()
    return 1 if pump.broken else 0


def _station(
    device: DeviceConfig, known: tuple[int, int] | None, pump: Pump, loop: asyncio.AbstractEventLoop
) -> Station:
    """The station of a device, which goes on after the last event that is durable."""
    from drivers.driver import Settings, make  # noqa: PLC0415
    from drivers.ports import opener  # noqa: PLC0415
    from drivers.station import Station  # noqa: PLC0415

    last, numbering = known if known is not None else (None, None)
    settings = Settings(
        kind=device.driver,
        serial=device.serial,
        key=device.key,
        authenticated=device.authenticated,
        expected=None if last is None else (last + 1) % 2**32,
        numbering=numbering or None,
        options=device.options,
    )
    port = opener(device.port, loop, usb_backend=_backend(device.usb_backend))
    return Station(device.name, make(settings), port, pump, loop)


def _backend(said: str | None) -> object | None:
    """The USB backend that a configuration names, made with its argument."""
    if said is None:
        return None
    name, _, argument = said.partition(":")
    for entry in entry_points(group=BACKENDS, name=name):
        backend: object = entry.load()(argument)
        return backend
    message = f"usb_backend: no backend is called {name!r}"
    raise LookupError(message)
