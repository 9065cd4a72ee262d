"""Which anchors a table has: ``anchors.toml`` beside its configuration.

1. `targets` lists them. ``file:PATH`` is a file to which a line is added for each head, on another disk or a mount that
   the table's staff cannot reach. ``syslog+tls:HOST:PORT`` is a syslog server that speaks TLS.
2. `ca` is the certificate of the authority that vouches for such servers; without it, any authority counts that the
   system trusts. The server must have the name HOST in its certificate.
3. `centre` is the file in which the shipper of a floor keeps the centre's receipt, `centre_key` the public key of that
   floor, as ``truedeal enrol`` prints it. It is only reported whether the journal agrees with it: nobody waits for it,
   and it holds no table.
4. `status` is where ``truedeal anchor`` says how it is.
5. The file is apart from the table's configuration because it has no secret in it: the process that reaches the network
   need not see the keys of devices.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.setup.toml_file import TomlError, read_toml

FILE = "anchors.toml"
STATUS = Path("/run/truedeal-anchor/status.json")
_MOST_PORT = 65_535
_KEYS = ("targets", "ca", "status", "centre", "centre_key")
_KEY = re.compile(r"[0-9a-f]{64}")


class TargetError(ValueError):
    """What is wrong with the file; the message names the key, the value and what is allowed."""


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A file to which heads are added."""

    path: Path

    def __str__(self) -> str:
        """As it is written."""
        return f"file:{self.path}"


@dataclass(frozen=True, slots=True)
class SyslogTarget:
    """A syslog server that speaks TLS."""

    host: str
    port: int

    def __str__(self) -> str:
        """As it is written."""
        return f"syslog+tls:{self.host}:{self.port}"


Target = FileTarget | SyslogTarget


@dataclass(frozen=True, slots=True)
class Anchors:
    """What the file says; without one there are no anchors."""

    targets: tuple[Target, ...] = ()
    ca: Path | None = None
    status: Path = STATUS
    centre: Path | None = None
    centre_key: bytes = b""

    @property
    def files(self) -> tuple[FileTarget, ...]:
        """Those that can be read at a start."""
        return tuple(target for target in self.targets if isinstance(target, FileTarget))


def load(path: Path) -> Anchors:
    """Read the file; no anchors if there is none.

    Raises:
        TargetError: something in it is wrong.
    """
    try:
        said = read_toml(path)
    except FileNotFoundError:
        return Anchors()
    except (OSError, TomlError) as error:
        raise TargetError(f"{path}: {error}") from error
    try:
        return _anchors(said)
    except TargetError as error:
        raise TargetError(f"{path}: {error}") from None


def _anchors(said: dict[str, Any]) -> Anchors:
    for key in said:
        if key not in _KEYS:
            raise TargetError(f"{key}: no such key, expected one of {', '.join(_KEYS)}")
    listed = said.get("targets", [] if "centre" in said else None)
    if not isinstance(listed, list) or not (listed or "centre" in said):
        raise TargetError(f'targets: expected a list such as ["file:/media/heads"], got {listed!r}')
    targets = tuple(read_target(one) for one in listed)
    if len(set(targets)) < len(targets):
        raise TargetError("targets: one of them is named twice")
    for key in ("ca", "status", "centre"):
        if key in said and not (isinstance(said[key], str) and Path(said[key]).is_absolute()):
            raise TargetError(f"{key}: expected an absolute path in quotes, got {said[key]!r}")
    key = said.get("centre_key", "")
    if ("centre" in said) != bool(key) or not (key == "" or (isinstance(key, str) and _KEY.fullmatch(key))):
        raise TargetError(f"centre_key: expected 64 hexadecimal digits beside centre, got {key!r}")
    ca = Path(said["ca"]) if "ca" in said else None
    centre = Path(said["centre"]) if "centre" in said else None
    return Anchors(targets, ca, Path(said.get("status", STATUS)), centre, bytes.fromhex(key))


def read_target(said: object) -> Target:
    """The target that a text names.

    Raises:
        TargetError: it names none.
    """
    scheme, _, rest = said.partition(":") if isinstance(said, str) else ("", "", "")
    host, _, port = rest.rpartition(":")
    match scheme:
        case "file" if Path(rest).is_absolute():
            return FileTarget(Path(rest))
        case "syslog+tls" if host and port.isdecimal() and port.isascii() and 0 < int(port) <= _MOST_PORT:
            return SyslogTarget(host.removeprefix("[").removesuffix("]"), int(port))
    raise TargetError(f"targets: expected file:/PATH or syslog+tls:HOST:PORT, got {said!r}")
