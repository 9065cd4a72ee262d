"""What ``[devices.NAME]`` says of one device.

1. A device has a driver, a port, and what its edition of the link needs as a proof; nothing of the other edition.
2. ``patience`` says for how many seconds its link bears that nothing arrives. It is one second. Only a device that is
   simulated may have more, because it starves where the computer is busy: its port is ``pty:``, which opens nothing but
   a pseudo-terminal, or it has a USB backend of its own, of which a table's package has none. Elsewhere frames could be
   held back on the cable for as long, so more is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from drivers.driver import OWN
from firmware_bridge.setup.problems import ConfigError, Problems
from firmware_bridge.setup.toml_values import check_known, hex_key_of, optional_text, section_of, text_of, truth_of
from gamecore.notation import words as vocabulary

_KEYS = (
    *("driver", "port", "serial", "edition", "public", "key", "authenticated", "patience", "usb_backend", "options"),
)
EDITIONS = (1, 2)
MOST_PATIENCE = 60
"""Seconds."""


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """One device: its driver, where it is, and how it proves who it is."""

    name: str
    driver: str
    port: str
    serial: str | None = None
    key: bytes | None = field(default=None, repr=False)
    authenticated: bool = True
    usb_backend: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    edition: int = 2
    public: bytes | None = None
    patience: int = 1


def read_device(name: str, devices: dict[str, Any]) -> DeviceConfig:
    """Read the section of a device.

    Raises:
        ConfigError: something in it is wrong.
    """
    where, found, values = f"devices.{name}.", Problems(), section_of(devices, name, "devices.")
    found.of(check_known, values, _KEYS, where)
    authenticated = found.of(truth_of, values, "authenticated", where, otherwise=True)
    edition = found.of(_edition, values, where)
    key, public = found.of(hex_key_of, values, "key", where), found.of(hex_key_of, values, "public", where)
    driver, port = found.of(text_of, values, "driver", where), found.of(text_of, values, "port", where)
    serial, backend = (
        found.of(optional_text, values, "serial", where),
        found.of(optional_text, values, "usb_backend", where),
    )
    options = found.of(section_of, values, "options", where, optional=True)
    patience = found.of(_patience, values, where)
    if vocabulary.is_another_makers(name) and driver in OWN:
        found.add(f"{where}driver: {driver!r} is for a device that the game knows, expected another maker's")
    if found.fine:
        found.of(_proof, values, where, edition=edition, authenticated=authenticated)
    found.raise_all()
    told = {option: str(value) for option, value in options.items()}
    return DeviceConfig(name, driver, port, serial, key, authenticated, backend, told, edition, public, patience)


def _edition(values: dict[str, Any], where: str) -> int:
    edition = values.get("edition", 2)
    if type(edition) is not int or edition not in EDITIONS:
        raise ConfigError(f"{where}edition: expected 1 or 2, got {edition!r}")
    return edition


def _patience(values: dict[str, Any], where: str) -> int:
    patience = values.get("patience", 1)
    if type(patience) is not int or not 1 <= patience <= MOST_PATIENCE:
        raise ConfigError(f"{where}patience: expected a whole number from 1 to {MOST_PATIENCE}, got {patience!r}")
    simulated = str(values.get("port")).startswith("pty:") or "usb_backend" in values
    if patience > 1 and not simulated:
        raise ConfigError(f"{where}patience: expected 1, or no such key: only a simulated device may have more")
    return patience


def _proof(values: dict[str, Any], where: str, *, edition: int, authenticated: bool) -> None:
    """ConfigError unless a device has what its edition needs, and nothing of the other one."""
    needs, other = ("public", "key") if edition == 2 else ("key", "public")
    if other in values:
        raise ConfigError(f"{where}{other}: not in edition {edition}, which has {needs}")
    if not authenticated:
        if edition == 2 and values.get("driver") in OWN:
            raise ConfigError(f"{where}edition: a device that proves nothing needs edition = 1")
        return
    if needs not in values and (edition == 1 or values.get("driver") not in OWN):
        raise ConfigError(f"{where}{needs}: a device without a key needs edition = 1 and authenticated = false")
    if edition == 2 and "serial" not in values:
        raise ConfigError(f"{where}serial: missing, and edition 2 needs it")
