"""How the daemon is, for anyone who asks: one dictionary, made when it is asked for, in the shape of `HealthFacts`.

1. It holds no key, no PIN, and no card: it is shown on any console and goes into a support bundle.
2. Counts are since the daemon began. What the system does not tell is None.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from drivers.link.pairing.exchange import fingerprint
from firmware_bridge import VERSION
from firmware_bridge.anchors import status
from firmware_bridge.journal.archive.compressed_segments import count
from firmware_bridge.journal.segments import segments, size_and_time
from firmware_bridge.journal.signed import signing
from firmware_bridge.links.pairings import key_of
from firmware_bridge.shown.advice import watch_words
from firmware_bridge.shown.health_type import (
    DiskHealth,
    HealthFacts,
    JournalHealth,
    LinkHealth,
    PeopleHealth,
    TableHealth,
)
from firmware_bridge.shown.scene_type import AdmittedProgram
from firmware_bridge.texts.languages import ENGLISH

if TYPE_CHECKING:
    from drivers.driver import Driver
    from drivers.station import StationStats
    from firmware_bridge.daemon.archiver import Archiver
    from firmware_bridge.daemon.daily_shufflers import Judging
    from firmware_bridge.links.pairing import DevicePairing
    from firmware_bridge.people.accounts.people_file import Register
    from firmware_bridge.pump.device_reports import DeviceReports
    from firmware_bridge.setup.config import Config
    from firmware_bridge.setup.device_config import DeviceConfig


class Linked(Protocol):
    """What is asked of a station."""

    up: bool
    stats: StationStats


class Health:
    """Looks at one daemon."""

    def __init__(
        self,
        config: Config,
        reports: DeviceReports,
        stations: Mapping[str, Linked],
        drivers: Mapping[str, Driver],
        program: Callable[[], AdmittedProgram],
        pairing: DevicePairing,
        archiver: Archiver | None = None,
    ) -> None:
        """Count from now; `program` tells what is known of the program, `pairing` the devices' keys."""
        self.judging: Judging | None = None  # it begins later
        self.program = program
        self._archiver = archiver
        self._config = config
        self._pump, self._identities = reports.pump, reports.identities
        self._stations = stations
        self._drivers = drivers
        self._pairing = pairing
        self._began = time.monotonic()

    def __call__(self) -> HealthFacts:
        """How it is now."""
        guard = self._pump.guard
        return {
            "version": VERSION,
            "program": self.program(),
            "boot": self._pump.books.boot,
            "uptime": round(time.monotonic() - self._began, 1),
            "memory": _memory(),
            "latency": self._pump.latency.figures(),
            "table": self._table(),
            "links": {device.name: self._link(device) for device in self._config.devices},
            "journal": self._journal(),
            "anchors": status.anchors_health(self._config.anchors),
            "disk": _disk(self._config.state),
            "open": self._config.open,
            "roles": {} if guard is None else {one.known_as: one.role for one in guard.register.people},
            "people": None if guard is None else self._people(guard.register),
            "shufflers": None if self.judging is None else self.judging.found,
        }

    def _people(self, register: Register) -> PeopleHealth:
        """How many may log in, whether the list can be changed, and whether ``[roles]`` is still configured."""
        return {
            "many": sum(register.is_valid(one) for one in register.people),
            "changeable": register.changeable(register.people),
            "left": bool(self._config.roles),
        }

    def _table(self) -> TableHealth:
        pump = self._pump
        view = pump.table.view()
        guard = pump.guard
        return {
            "name": self._config.name,
            "game": pump.header.game,
            "state": pump.table.state.value,
            "round": view.round.number,
            "sensors": sorted(pump.header.sensors),
            "boxes": pump.header.boxes,
            "open": [{"code": one.finding.code, "clause": one.finding.clause} for one in view.matters],
            "asked": [ask.who for ask in view.asks],
            "watch": [watch_words(watched)[ENGLISH] for watched in view.watch],
            "alarms": [asdict(alarm) for alarm in guard.alarms.open] if guard is not None else [],
        }

    def _link(self, device: DeviceConfig) -> LinkHealth:
        station, identity = self._stations.get(device.name), self._identities.get(device.name)
        stats = getattr(self._drivers.get(device.name), "stats", None)
        said: LinkHealth = {
            "up": station is not None and station.up,
            "driver": device.driver,
            "port": device.port,
            "authenticated": device.authenticated,
            "edition": device.edition,
            "patience": device.patience,
            "station": asdict(station.stats) if station is not None else None,
            "link": asdict(stats) if stats is not None else None,
        }
        if device.edition == 2 and device.authenticated:
            known = self._pairing.pairings
            key, found = key_of(device, known, self._config.secret), known.get(device.name)
            said["fingerprint"] = None if key is None else fingerprint(key)
            said["paired"] = found.by if found and key else None
        if device.name in self._pairing.registers.said:
            verdict, register = self._pairing.registers.said[device.name]
            said["register"] = {"verdict": verdict, "number": register.number, "n": register.n}
        if identity is not None:
            said["serial"], said["firmware"] = identity.serial, identity.firmware
            said["protocol"], said["proved"] = list(identity.protocol), identity.authenticated
        return said

    def _journal(self) -> JournalHealth:
        journal = self._pump.books.journal
        head = signing.published(self._config.state / signing.HEAD)
        files = segments(self._config.state)
        return {
            "state": str(self._config.state.absolute()),
            "n": journal.n,
            "segment": journal.path.name,
            "segments": len(files),
            "size": sum(size_and_time(path)[0] for path in files),
            "archived": count(self._config.state),
            "archiving": (self._archiver.problem or None) if self._archiver is not None else None,
            "signed": None if head is None else head.n,
            "quarantined": len(list(self._config.state.glob("*.quarantined*"))),
            "stalled": self._pump.stalled or None,
        }


def _memory() -> int | None:
    """Bytes of memory in use."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _disk(path: Path) -> DiskHealth | None:
    """Bytes of the disk on which the journal lies."""
    try:
        usage = shutil.disk_usage(path)
    except OSError:
        return None
    return {"free": usage.free, "total": usage.total}
