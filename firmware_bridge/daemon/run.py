"""``truedeal run``: the daemon of one table.

1. One event loop: every device's station, the pump, both sockets. Beside it each USB device has a thread that reads,
   and from the first question on one thread checks PINs and one reads past rounds (`worker_thread`).
2. Slow work is done by child processes, which give way: old segments are archived (`archiver`), the whole journal is
   verified once a day (`daily_verify`), shufflers judged (`daily_shufflers`), file anchors asked (`anchors.asking`).
3. ``ready`` is printed when the sockets listen; then the program itself is checked (`program.running`). TERM and INT,
   and with ``--tied`` the end of the standard input, end it in order: ports closed, journal closed. A row that can
   never be written or applied ends it too, with status 1; a journal that cannot be written for a while does not. A
   journal or socket that cannot be used at the start is status 1 as well. A configuration that is wrong or unsafe
   (`safety`), or a folder of the other domain, is refused with status `REFUSED`: to try again would not help.
4. A guard stands before the table and lets its people act (`people`); an open table has none.
5. It starts fast and small: modules that libraries import where they are installed, and that are not needed here, are
   kept out (`UNWANTED`).
6. A USB device may be reached by another backend than the system's, which an entry point of `BACKENDS` names.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge import VERSION
from firmware_bridge.commands.help_text import examples

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

    from drivers.driver import Driver
    from drivers.station import Station
    from firmware_bridge.anchors.anchoring import Anchoring
    from firmware_bridge.control.requests import Requests
    from firmware_bridge.control.server import Control
    from firmware_bridge.daemon.archiver import Archiver
    from firmware_bridge.daemon.health import Health
    from firmware_bridge.daemon.log import Log
    from firmware_bridge.daemon.startup import Opened
    from firmware_bridge.links.pairing import DevicePairing
    from firmware_bridge.links.pairings import Paired
    from firmware_bridge.people.guard import Guard
    from firmware_bridge.pump.device_reports import DeviceReports
    from firmware_bridge.pump.pump import Pump
    from firmware_bridge.setup.config import Config
    from firmware_bridge.setup.device_config import DeviceConfig

REFUSED = 78
"""The exit status of a configuration that is not run; the service is not started again after it."""
BACKENDS = "truedeal.usb_backends"
UNWANTED = ("ssl", "_hashlib", "rich", "better_exceptions", "colorama", "greenlet")
"""OpenSSL, which asyncio does without as no TLS is spoken here: five megabytes; its digests, which Python has too:
three. Colours for structlog: seven."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "run",
        help="run the daemon of a table",
        description="Runs the daemon of one table until it is told to end: devices, journal, control socket.",
        epilog=examples(
            ("truedeal run --config /etc/truedeal/table.toml", "as the service starts it"),
            status="Exit status: 0 it was told to end, 78 the table is refused and a new start will not help.",
        ),
    )
    parser.add_argument("--config", required=True, metavar="FILE", type=Path, help="the table's configuration (TOML)")
    parser.add_argument("--training", action="store_true", help="go on with the journal of a training table")
    parser.add_argument(
        "--tied", action="store_true", help="end when the standard input ends, with the process that started it"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run until a signal ends it; return the exit status."""
    for name in UNWANTED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # so that importing it fails, as if it were not there
    from firmware_bridge.commands.service.check import unusable  # noqa: PLC0415
    from firmware_bridge.journal.domain import unfit  # noqa: PLC0415
    from firmware_bridge.setup.config import load  # noqa: PLC0415  only when the daemon runs
    from firmware_bridge.setup.problems import ConfigError  # noqa: PLC0415
    from firmware_bridge.setup.safety import warnings  # noqa: PLC0415

    try:
        config = load(args.config)
    except ConfigError as error:
        sys.stderr.write("".join(f"truedeal run: {problem}\n" for problem in error.problems))
        return REFUSED
    wrong = [*unusable(config), *unfit(config.state, training=args.training)]
    if wrong:  # nothing has been opened or written yet
        sys.stderr.write("".join(f"truedeal run: {args.config}: {problem}\n" for problem in wrong))
        return REFUSED
    sys.stderr.write("".join(f"truedeal run: {args.config}: warning: {said}\n" for said in warnings(config)))
    import asyncio  # noqa: PLC0415
    from sqlite3 import OperationalError  # noqa: PLC0415

    from firmware_bridge.control.unix_socket import TakenError  # noqa: PLC0415

    try:
        return asyncio.run(_serve(config, tied=args.tied))
    except TakenError as error:
        sys.stderr.write(f"truedeal run: {error}\n")
        return 1
    except OperationalError as error:  # no room, or another process has it: the service tries again
        from firmware_bridge.journal.folder_lock import is_full  # noqa: PLC0415

        why = f"the disk is full ({error})" if is_full(config.state) else str(error)
        sys.stderr.write(f"truedeal run: the journal in {config.state} cannot be used now: {why}\n")
        return 1


async def _serve(config: Config, *, tied: bool) -> int:
    import asyncio  # noqa: PLC0415

    from firmware_bridge.anchors.anchoring import Anchoring  # noqa: PLC0415
    from firmware_bridge.control.requests import Requests  # noqa: PLC0415
    from firmware_bridge.daemon.health import Health  # noqa: PLC0415
    from firmware_bridge.daemon.log import INFO, WARNING, Log  # noqa: PLC0415
    from firmware_bridge.daemon.startup import open_books  # noqa: PLC0415
    from firmware_bridge.daemon.systemd_notify import Notifier  # noqa: PLC0415
    from firmware_bridge.journal.clock import wall_clock  # noqa: PLC0415
    from firmware_bridge.program.admission import Admission  # noqa: PLC0415
    from firmware_bridge.program.running import Running  # noqa: PLC0415
    from firmware_bridge.pump.device_reports import DeviceReports  # noqa: PLC0415
    from firmware_bridge.pump.pump import Pump  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    if tied:
        loop.add_reader(sys.stdin.fileno(), ended.set)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    log = Log(table=config.name)
    loop.set_exception_handler(log.failed)
    running = Running(config.makers)
    opened = open_books(config, wall_clock(), running.digest)
    stations: dict[str, Station] = {}
    drivers: dict[str, Driver] = {}
    pump = Pump(opened.recovered, opened.books, stations, ended.set, _guard(config, opened))
    reports = DeviceReports(pump, stations)
    admission, anchoring = Admission(running, pump), Anchoring(pump, _to_ask(config, opened))
    _begin(pump, opened, log)
    pairing = _link(config, opened, anchoring, reports, stations, drivers)
    archiver = _archiver(config, pump, loop, pairing)
    health = Health(config, reports, stations, drivers, admission.admitted_program, pairing, archiver)
    control = await _listen(
        config.control,
        Requests(pump, lambda: {name: one.up for name, one in stations.items()}, health, pairing, config.name),
        lambda why: log.say(WARNING, "sockets", why=why),
    )
    for station in stations.values():
        station.start()
    _collect_seldom()
    _say_ready()
    log.say(INFO, "ready", version=VERSION, game=config.header.game, control=str(config.control))
    log.start(loop)
    admission.check(loop)
    archiver.start()
    look_no_more = _look_after(config, anchoring, loop, pump, health)
    notifier = Notifier(loop)
    notifier.ready(config.header.game)
    await ended.wait()
    notifier.stopping()
    log.say(INFO, "ending")
    archiver.close()
    look_no_more()
    for station in stations.values():
        station.stop()
    await control.close()
    pump.close()
    log.close()
    return 1 if pump.broken else 0


def _link(
    config: Config,
    opened: Opened,
    anchoring: Anchoring,
    reports: DeviceReports,
    stations: dict[str, Station],
    drivers: dict[str, Driver],
) -> DevicePairing:
    """Make a station and a driver for every device; return what pairs them."""
    import asyncio  # noqa: PLC0415

    from firmware_bridge.links.pairing import DevicePairing  # noqa: PLC0415
    from firmware_bridge.links.registers import DeviceRegisters  # noqa: PLC0415

    def drive(device: DeviceConfig) -> Driver:
        known = opened.books.numbers.get(device.name)
        drivers[device.name] = _driver(device, config.secret, known, opened.pairings)
        return drivers[device.name]

    reports.pump.show.language = config.language
    for device in config.devices:
        stations[device.name] = _station(device, drive(device), reports, asyncio.get_running_loop())
    registers = DeviceRegisters(anchoring, stations, opened.pairings, opened.aside)
    return DevicePairing(config, stations, registers, drive)


def _begin(pump: Pump, opened: Opened, log: Log) -> None:
    """Let happen what must happen first; the list of people that the journal then names is the one in the file."""
    pump.watch, pump.log = opened.watch, log.row
    pump.listeners.append(log.news)
    for item in opened.first:
        pump.enqueue(item)
    pump.process_queue()
    if opened.register is not None and not pump.stalled:
        opened.register.write_list_in_force()


def _to_ask(config: Config, opened: Opened) -> set[str]:
    """The anchors of which one must confirm a journal that has a past; no device of an open table is waited for."""
    files = {str(target) for target in config.anchors.files} if opened.past else set()
    devices = set() if config.open else {device.name for device in config.devices}
    return files | (opened.books.anchored.keys() & devices)


def _look_after(
    config: Config, anchoring: Anchoring, loop: asyncio.AbstractEventLoop, pump: Pump, health: Health
) -> Callable[[], None]:
    """Begin to wait for anchors, ask the files if there are any, verify the journal, judge shufflers; what ends it."""
    from firmware_bridge.anchors.asking import Asking  # noqa: PLC0415
    from firmware_bridge.anchors.targets import FILE  # noqa: PLC0415
    from firmware_bridge.daemon.daily_shufflers import Judging  # noqa: PLC0415
    from firmware_bridge.daemon.daily_verify import Verifying  # noqa: PLC0415
    from firmware_bridge.pump.items import DAEMON, Item  # noqa: PLC0415

    anchoring.start(loop)
    verifying = Verifying(loop, config.state, lambda note: pump.enqueue(Item(DAEMON, note)))
    verifying.start()
    judging = Judging(loop, config.state, lambda note: pump.enqueue(Item(DAEMON, note)))
    judging.start()
    health.judging = judging
    parts: list[Anchoring | Verifying | Judging | Asking] = [anchoring, verifying, judging]
    if config.file is not None and (config.anchors.files or config.anchors.centre is not None):
        asking = Asking(loop, config.state, config.file.parent / FILE, anchoring)
        asking.start(pump.books.journal.id)
        parts.append(asking)
    _look_at_centre(config, anchoring, loop, pump)

    def end() -> None:
        for part in parts:
            part.close()

    return end


def _look_at_centre(config: Config, anchoring: Anchoring, loop: asyncio.AbstractEventLoop, pump: Pump) -> None:
    """Look at what the shipper of a floor keeps for the table, where there is one: now and after every round."""
    centre, receipt = config.centre, config.anchors.centre
    if receipt is None and (centre is None or centre.people is None):
        return
    from firmware_bridge.daemon.centre_files import CentreFiles, ReceiptFile  # noqa: PLC0415
    from firmware_bridge.journal.schema import ROSTER  # noqa: PLC0415
    from firmware_bridge.people.accounts.central_roster import CentralRoster, version_of  # noqa: PLC0415

    file, roster = None, None
    if receipt is not None:
        file = ReceiptFile(receipt, config.anchors.centre_key, pump.books.journal.id, anchoring)
    if centre is not None and centre.people is not None and centre.key is not None and pump.guard is not None:
        last = version_of(pump.books.documents.get(ROSTER))
        roster = CentralRoster(centre.people, centre.key, centre.casino, pump.guard.register, last)
    CentreFiles(pump, loop.call_soon, file, roster).look_at_files()


async def _listen(path: Path, requests: Requests, warn: Callable[[str], None]) -> Control:
    """Both sockets, which listen."""
    from firmware_bridge.control.server import Control  # noqa: PLC0415

    control = Control(requests, warn)
    path.parent.mkdir(parents=True, exist_ok=True)
    await control.listen(path)
    return control


def _say_ready() -> None:
    """Tell whoever started the daemon that its sockets listen."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def _collect_seldom() -> None:
    """Have Python look for cycles seldom, and never in what was there at the start.

    Hardly anything here is in a cycle, and a look at every few cards is a tenth of a card's way to its ruling.
    """
    import gc  # noqa: PLC0415

    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _archiver(config: Config, pump: Pump, loop: asyncio.AbstractEventLoop, pairing: DevicePairing) -> Archiver:
    """What has old segments archived; those with open alarms stay at hand."""
    from firmware_bridge.daemon.archiver import Archiver  # noqa: PLC0415
    from firmware_bridge.journal.schema import NAMED  # noqa: PLC0415

    held = lambda: [alarm.n for alarm in pump.books.alarms.open]  # noqa: E731  asked later
    named = {NAMED: config.name}
    told = lambda said: archived(pump, said, pairing.in_force() | named | pump.books.documents)  # noqa: E731
    return Archiver(loop, config.state, config.retention, held, told)


def archived(pump: Pump, said: dict[str, object], in_force: dict[str, object]) -> None:
    """Note a segment that went into the archive; of one that is due and stays nothing is noted.

    The journal then names the list of people, and what else is in force, again: the row that did may be archived now.
    It does so too where a segment stays because it alone names something of that.
    """
    import json  # noqa: PLC0415

    from firmware_bridge.people.accounts.journal_digest import DIGEST  # noqa: PLC0415
    from firmware_bridge.pump.items import DAEMON, Item, Note  # noqa: PLC0415

    if "archived" in said:
        pump.enqueue(Item(DAEMON, Note(json.dumps(said))))
    elif not said.get("names"):
        return
    pump.enqueue(Item(DAEMON, Note(json.dumps(in_force, ensure_ascii=False))))
    if pump.guard is not None and pump.guard.register.digest:
        pump.enqueue(Item(DAEMON, Note(json.dumps({DIGEST: pump.guard.register.digest}))))


def _guard(config: Config, opened: Opened) -> Guard | None:
    """The guard of a table with people."""
    if opened.register is None:
        return None
    from firmware_bridge.people.guard import Guard  # noqa: PLC0415
    from firmware_bridge.people.login.login_attempts import tried  # noqa: PLC0415

    guard = Guard(opened.register, opened.books.alarms, two_persons=config.two_persons)
    guard.tables.known = config.tables
    tries = tried(config.state)
    guard.lockouts.remember(tries)
    guard.duty.remember(tries)
    return guard


def _driver(
    device: DeviceConfig, secret: bytes | None, known: tuple[int, int] | None, keys: Mapping[str, Paired]
) -> Driver:
    """The driver of a device, which goes on after the last event that is durable."""
    from drivers.driver import Settings, make  # noqa: PLC0415
    from firmware_bridge.links.pairings import key_of  # noqa: PLC0415

    last, numbering = known if known is not None else (None, None)
    settings = Settings(
        kind=device.driver,
        serial=device.serial,
        key=device.key,
        authenticated=device.authenticated,
        expected=None if last is None else (last + 1) % 2**32,
        numbering=numbering or None,
        options=device.options,
        edition=device.edition,
        secret=secret,
        public=key_of(device, keys, secret),
        patience=device.patience,
    )
    return make(settings)


def _station(device: DeviceConfig, driver: Driver, reports: DeviceReports, loop: asyncio.AbstractEventLoop) -> Station:
    """The station of a device."""
    from drivers.ports import opener  # noqa: PLC0415
    from drivers.station import Station  # noqa: PLC0415

    port = opener(device.port, loop, usb_backend=_backend(device.usb_backend))
    return Station(device.name, driver, port, reports, loop)


def _backend(said: str | None) -> object | None:
    """The USB backend that a configuration names, made with its argument."""
    if said is None:
        return None
    from importlib.metadata import entry_points  # noqa: PLC0415  three megabytes, which real devices do without

    name, _, argument = said.partition(":")
    for entry in entry_points(group=BACKENDS, name=name):
        backend: object = entry.load()(argument)
        return backend
    message = f"usb_backend: no backend is called {name!r}"
    raise LookupError(message)
