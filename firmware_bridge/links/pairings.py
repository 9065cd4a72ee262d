"""Which public key each device has: what two people have paired, or what the configuration names.

1. A device of edition 2 has the key of its last pairing, if that was of the same serial number and of the table's
   present key; once there is one, it alone counts. Without one it is not listened to: `unpaired`.
2. `public` in the configuration counts where no pairing does, and only at open tables, simulated ones and rigs, where
   nobody stands at a display. What the journal names from there counts nowhere else: a table where people log in must
   have its devices paired. Other makers' devices, which cannot be paired, have it at any table; a key that is not the
   one that the journal names for the device is an alarm, for nobody has confirmed it.
3. A device with ``edition = 1`` has a key that both ends hold, and can be read on its cable: at each start an alarm,
   which stops nothing.
4. The journal itself is where pairings are kept: public keys are no secret, and what stands in a row cannot be changed
   beside it. Each pairing, each start and each archiving of a segment names all of them, under `PAIRINGS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.driver import OWN
from drivers.link.editions.aead import KEY_SIZE
from drivers.link.editions.noise import public
from drivers.link.pairing.exchange import fingerprint
from firmware_bridge.journal.last_named import named
from firmware_bridge.people.permissions import IN_CLEAR, KEYS_CHANGED
from firmware_bridge.setup.config import Config
from firmware_bridge.setup.device_config import DeviceConfig

PAIRINGS = "pairings"
CONFIGURED = "configuration"


@dataclass(frozen=True, slots=True)
class Paired:
    """The key of a device: its serial number, the fingerprint of the table's key then, and who confirmed it."""

    serial: str
    public: bytes
    table: str
    by: str

    @property
    def fingerprint(self) -> str:
        """Its key as people compare it."""
        return fingerprint(self.public)


def load(state: Path) -> dict[str, Paired]:
    """The keys that the journal names last, by device."""
    found = named(state, PAIRINGS)
    read = {name: _read(one) for name, one in found.items()} if isinstance(found, dict) else {}
    return {name: one for name, one in read.items() if one is not None}


def key_rows(pairings: Mapping[str, Paired]) -> dict[str, object]:
    """The keys as a row names them."""
    return {
        name: {"serial": one.serial, "public": one.public.hex(), "table": one.table, "by": one.by}
        for name, one in sorted(pairings.items())
    }


def enter(config: Config) -> tuple[dict[str, Paired], list[dict[str, object]]]:
    """The keys in force at a start, and what the journal must say of them; one with ``alarm`` is an alarm."""
    own = {device.name for device in config.devices if device.driver in OWN}
    known = load(config.state)
    before = {name: one for name, one in known.items() if config.open or name not in own or one.by != CONFIGURED}
    configured = {
        device.name: _configured(device, config)
        for device in config.devices
        if device.public is not None and not _is_paired(device, before.get(device.name), config.secret)
    }
    changed = [name for name, one in configured.items() if name in before and before[name].public != one.public]
    notes = [_changed(name, before[name], configured[name]) for name in changed]
    clear = [device.name for device in config.devices if device.edition == 1]
    if clear:
        notes.append({"alarm": IN_CLEAR, "devices": clear})
    return before | configured, notes


def key_of(device: DeviceConfig, pairings: Mapping[str, Paired], secret: bytes | None) -> bytes | None:
    """The public key of a device, of those that are in force; None if it must be paired first."""
    found = pairings.get(device.name)
    if found is None or secret is None:
        return device.public
    return found.public if found.by == CONFIGURED or _is_paired(device, found, secret) else None


def _is_paired(device: DeviceConfig, found: Paired | None, secret: bytes | None) -> bool:
    """Whether people have paired a device as it is configured, with the table's present key."""
    if found is None or secret is None or found.by == CONFIGURED:
        return False
    return found.serial == device.serial and found.table == table_fingerprint(secret)


def table_fingerprint(secret: bytes) -> str:
    """The table's own key as people compare it."""
    return fingerprint(public(secret))


def shared(pairings: Mapping[str, Paired], name: str, key: bytes) -> Iterable[str]:
    """The other devices that have this key."""
    return [other for other, one in pairings.items() if other != name and one.public == key]


def _configured(device: DeviceConfig, config: Config) -> Paired:
    table = "" if config.secret is None else table_fingerprint(config.secret)
    return Paired(device.serial or "", device.public or b"", table, CONFIGURED)


def _changed(name: str, before: Paired, now: Paired) -> dict[str, object]:
    said = f"the configuration names another key for the {name} than the journal: nobody has confirmed it"
    return {"keys": said, "before": before.fingerprint, "now": now.fingerprint, "alarm": KEYS_CHANGED}


def _read(said: object) -> Paired | None:
    match said:
        case {"serial": str(serial), "public": str(key), "table": str(table), "by": str(by)}:
            try:
                found = bytes.fromhex(key)
            except ValueError:
                return None
            return Paired(serial, found, table, by) if len(found) == KEY_SIZE else None
    return None
