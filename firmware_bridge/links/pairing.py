"""How devices are paired: begun by one person, confirmed by another.

1. An engineer, or anyone from pit-manager upwards, begins, between rounds; one device at a time. Its link ends, and the
   exchange takes its place (`drivers.link.pairing.host`). They are told what the device must show: its label, or a code
   on its display, which they confirm there with a press.
2. Another person, from pit-supervisor upwards, confirms with what the *device* shows, read there and typed here. If the
   two differ, the pairing ends: somebody may be in between.
3. Then the row is written, with both names and both fingerprints and all keys that are in force; when it is durable the
   link begins with the new key. A key is changed by pairing again.
4. A pairing that fails, or is not confirmed `LASTS` seconds after it began, is a note; the link goes on with the key
   that it had. Tries are counted as the device counts them (`drivers.link.pairing.exchange`).
5. On an open table there are no people: anyone at the control socket does both.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from drivers.driver import OWN, Driver
from drivers.faults import PAIRING, Fault
from drivers.link.pairing.exchange import DISPLAYS, Tries
from drivers.link.pairing.host import PairingHost
from firmware_bridge.links.pairings import PAIRINGS, Paired, key_rows, shared, table_fingerprint
from firmware_bridge.links.registers import ASIDE, DeviceRegisters, aside_rows
from firmware_bridge.links.registers_set_aside import OPEN, Asides
from firmware_bridge.people.accounts.roles import ENGINEER, PIT_MANAGER, PIT_SUPERVISOR, at_least
from firmware_bridge.people.guard import Session
from firmware_bridge.pump.items import CONSOLE, DAEMON, Item, Note
from firmware_bridge.setup.config import Config
from firmware_bridge.setup.device_config import DeviceConfig
from firmware_bridge.texts.denials import Denial, DeniedError, Ground, Why, deny

LASTS: Final = 120.0


class PairingError(DeniedError):
    """A device cannot be paired now, or not by this person."""


class Drivable(Protocol):
    """What is needed of a station."""

    def drive(self, driver: Driver, fault: Fault) -> None:
        """Go on with another driver."""


class Shown(NamedTuple):
    """What a person who pairs is told: the number of the pairing and what the device must show."""

    number: int
    shows: str
    display: bool


@dataclass(slots=True)
class _Pairing:
    """One pairing under way."""

    number: int
    device: DeviceConfig
    by: str
    person: str
    answer: Callable[[Shown | Denial], None]
    host: PairingHost
    timer: asyncio.TimerHandle
    told: bool = False
    writing: bool = False


def may_begin(role: str) -> bool:
    """Whether a role begins a pairing."""
    return role == ENGINEER or at_least(role, PIT_MANAGER)


def may_confirm(role: str) -> bool:
    """Whether a role confirms one."""
    return at_least(role, PIT_SUPERVISOR)


class DevicePairing:
    """Pairs the devices of one table."""

    def __init__(
        self,
        config: Config,
        stations: Mapping[str, Drivable],
        registers: DeviceRegisters,
        driver: Callable[[DeviceConfig], Driver],
    ) -> None:
        """Pair these devices; `driver` makes the driver of one, with the key that `pairings` has for it."""
        self.registers = registers
        self.pairings = registers.keys
        self.asides = Asides(registers, time.monotonic)
        self._config = config
        self._pump = registers.pump
        self._stations = stations
        self._driver = driver
        self._devices = {device.name: device for device in config.devices}
        self._tries = {device.name: Tries() for device in config.devices}
        self._now: _Pairing | None = None
        self._count = 0

    def in_force(self) -> dict[str, object]:
        """What a row at hand must always name: the keys in force, and the registers that are set aside."""
        return {PAIRINGS: key_rows(self.pairings), ASIDE: aside_rows(self.registers.aside)}

    def begin(self, name: str, session: Session, answer: Callable[[Shown | Denial], None]) -> None:
        """Begin to pair a device; answered with what it must show, or why it failed.

        Raises:
            PairingError: it cannot be begun.
        """
        device = self._checked(name, session)
        loop, secret = asyncio.get_running_loop(), self._config.secret or b""

        def changed() -> None:
            loop.call_soon(self._follow_exchange, host)  # not from within the driver

        host = PairingHost(
            secret,
            kind=device.driver,
            serial=device.serial or "",
            tries=self._tries[name],
            changed=changed,
        )
        self._count += 1
        timer = loop.call_later(LASTS, self._fail, deny(Ground.PAIRING_LATE))
        self._now = _Pairing(self._count, device, session.name or OPEN, session.person, answer, host, timer)
        self._stations[name].drive(host, Fault(PAIRING, "it is being paired"))

    def _checked(self, name: str, session: Session) -> DeviceConfig:
        device, guard = self._devices.get(name), self._pump.guard
        if guard is not None and not may_begin(session.role):
            raise PairingError(deny(Ground.PAIRING_NEEDS, first_role=ENGINEER, second_role=PIT_MANAGER))
        if device is None or device.driver not in OWN:
            raise PairingError(deny(Ground.NO_DEVICE_TO_PAIR, name=name, devices=tuple(self._devices)))
        if device.edition != 2:
            raise PairingError(deny(Ground.KEY_IS_CONFIGURED, device=name))
        if self._pump.table.round_is_on:
            raise PairingError(deny(Ground.PAIRING_IN_ROUND))
        if self._now is not None:
            raise PairingError(deny(Ground.PAIRING_ANOTHER, device=self._now.device.name))
        rests = self._tries[name].rests(asyncio.get_running_loop().time())
        if rests:
            raise PairingError(deny(Ground.PAIRING_RESTS, seconds=round(rests)))
        return device

    def confirm(self, number: int, shows: str, session: Session, done: Callable[[Paired | Why], None]) -> None:
        """Confirm a pairing with what the device shows; answered when it is durable and in force.

        Raises:
            PairingError: it cannot be confirmed, or not by them.
        """
        now, guard = self._now, self._pump.guard
        if guard is not None and not may_confirm(session.role):
            raise PairingError(deny(Ground.PAIRING_CONFIRMING_NEEDS, role=PIT_SUPERVISOR))
        if now is None or now.number != number or now.host.met is None or now.writing:
            raise PairingError(deny(Ground.NO_SUCH_PAIRING))
        if guard is not None and session.person == now.person:
            raise PairingError(deny(Ground.OTHER_CONFIRMS))
        if _plain(shows) != _plain(now.host.met.shows):
            self._fail_with("the device shows something else than the table: somebody may be in between")
            raise PairingError(deny(Ground.SHOWS_ANOTHER_CODE))
        if not now.host.taken:
            raise PairingError(deny(Ground.CODE_NOT_TAKEN))
        twice = shared(self.pairings, now.device.name, now.host.met.public)
        if twice:
            self._fail_with(f"it has the key of the {', '.join(twice)}")
            raise PairingError(deny(Ground.KEY_TWICE, devices=tuple(twice)))
        self._write_pairing(now, now.host.met.public, session, done)

    def _write_pairing(self, now: _Pairing, key: bytes, session: Session, done: Callable[[Paired | Why], None]) -> None:
        """Write the row, then let the key be in force."""
        now.writing = True
        device, second = now.device, session.name or OPEN
        table = table_fingerprint(self._config.secret or b"")
        paired = Paired(device.serial or "", key, table, f"{now.by}, {second}")
        after = self.pairings | {device.name: paired}
        said: dict[str, object] = {"paired": device.name, "serial": device.serial, "by": now.by, "second": second}
        said |= {"device": paired.fingerprint, "table": table, PAIRINGS: key_rows(after)}

        def kept(refused: Why | None) -> None:
            now.writing = False
            if refused is not None:
                done(refused)
                return
            before = self.pairings.get(device.name)
            if before is not None and before.serial != paired.serial:
                self._pump.books.numbers.pop(device.name, None)  # another device has numbers of its own
            self.pairings[device.name] = paired
            if before is None or before.public != key:
                self.registers.paired(device.name)
            self._tries[device.name].succeeded()
            self._end()
            done(paired)

        note = Note(json.dumps(said, ensure_ascii=False))
        self._pump.enqueue(
            Item(CONSOLE, note, reply=kept, person=session.name or None, role=session.role or None),
        )

    def _follow_exchange(self, host: PairingHost) -> None:
        """Something has changed in an exchange."""
        now = self._now
        if now is None or now.host is not host:
            return
        if host.met is not None and not now.told:
            now.told = True
            now.answer(Shown(now.number, host.met.shows, host.kind in DISPLAYS))
        if host.failed:
            self._fail_with(host.failed)

    def _fail_with(self, detail: str) -> None:
        self._fail(deny(Ground.PAIRING_FAILED, detail=detail))

    def _fail(self, why: Denial) -> None:
        """A pairing is over, and the link goes on with the key that it had."""
        now = self._now
        if now is None or now.writing:
            return
        said = {"pairing-failed": now.device.name, "why": str(why), "by": now.by}
        self._pump.enqueue(Item(DAEMON, Note(json.dumps(said, ensure_ascii=False))))
        self._end()
        if not now.told:
            now.answer(why)

    def _end(self) -> None:
        """No pairing any more: the device has its own driver again."""
        now, self._now = self._now, None
        if now is not None:
            now.timer.cancel()
            self._stations[now.device.name].drive(self._driver(now.device), Fault(PAIRING, "it was paired"))


def _plain(shows: str) -> str:
    """A code or a label as it is compared, however somebody groups it."""
    return "".join(shows.split()).replace("-", "").upper()
