"""Values of a configuration in TOML, each checked to be of its kind.

Every error names the key and what is allowed, but never what may be a device's key or a PIN.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_bridge.setup.problems import ConfigError

KEY_BYTES = 32


def hex_key_of(values: dict[str, Any], name: str, where: str) -> bytes | None:
    """The bytes of a key; None if there is none."""
    text = values.get(name)
    if text is None:
        return None
    try:
        key = bytes.fromhex(text)
    except (TypeError, ValueError):
        key = b""
    if len(key) != KEY_BYTES:  # the key itself is never printed
        raise ConfigError(f"{where}{name}: expected {2 * KEY_BYTES} hexadecimal digits in quotes")
    return key


def check_known(values: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    """Refuse keys that nobody knows."""
    wrong = [key for key in values if key not in known]
    if wrong:
        raise ConfigError(*(f"{where}{key}: no such key, expected one of {', '.join(known)}" for key in wrong))


def section_of(values: dict[str, Any], key: str, where: str = "", *, optional: bool = False) -> dict[str, Any]:
    """A section, empty where it may be missing and is."""
    section = values.get(key, {} if optional else None)
    if not isinstance(section, dict):  # what stands there may hold a key, which is never printed
        got = "nothing" if section is None else type(section).__name__
        raise ConfigError(f"{where}{key}: expected a section [{where}{key}], got {got}")
    return section


def truth_of(values: Mapping[str, object], key: str, where: str, *, otherwise: bool) -> bool:
    """True or false."""
    value = values.get(key, otherwise)
    if not isinstance(value, bool):
        raise ConfigError(f"{where}{key}: expected true or false, got {value!r}")
    return value


def text_of(values: Mapping[str, object], key: str, where: str) -> str:
    """A text that must be there."""
    text = optional_text(values, key, where)
    if text is None:
        raise ConfigError(f"{where}{key}: is missing, expected a text in quotes")
    return text


def optional_text(values: Mapping[str, object], key: str, where: str) -> str | None:
    """A text; None if there is none."""
    text = values.get(key)
    if text is not None and not isinstance(text, str):
        raise ConfigError(f"{where}{key}: expected a text in quotes, got {text!r}")
    return text
