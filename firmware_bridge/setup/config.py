"""The configuration of a table, read from TOML and checked.

1. ``[table]`` says which game is on the table and where the daemon keeps its files: `state`, the folder of the journal,
   and `control`, its socket. `name` is what people call the table, such as T12: it stands on every page, print, export
   and line of the log. `language` is the panel's, `boot` the file with the boot id; for `open` and `two_persons` see 4.
   The other keys are those of a header of deal notation, without those of a scenario.
   ``[[tables]]`` are others that may be put in its place between rounds, each with a `name` and keys of a header.
2. ``[devices.NAME]`` is one for each device. NAME is what the game calls it; a name with a hyphen is another maker's
   device. `driver` names the driver, `port` the address, `serial` the serial number, `usb_backend` another way to a USB
   device; `options` are the driver's own, `patience` is for simulated devices (`device_config`).
   The public key comes by pairing (`links.pairings`). It stands here, as `public`, 64 hexadecimal digits, at open
   tables, which are simulated ones and rigs, and for other makers' devices.
   ``[link]`` has `secret`, the table's own X25519 key.
3. ``edition = 1`` names a device that speaks the first edition of the link, which anyone at its cable can read: it has
   `key` instead, which both ends hold, or ``authenticated = false`` and none. A driver with a link of its own needs no
   edition. The other edition is never tried.
4. Who may act stands in ``people.json`` of the state folder (`people.accounts.people_file`). ``[roles]`` is of an
   earlier edition, ``NAME = {role = "pit-supervisor", pin = "scrypt$…"}``: it is taken over once. ``open = true`` under
   ``[table]`` is for trying out: nobody logs in, and anyone at the control socket may do everything. On any other table
   a second role confirms what gives wagers back and began with a person's word: `confirm` is set in its header. It must
   be another person than the one who said it, unless ``two_persons = false`` says otherwise.
5. Whose programs the table trusts stands in the folder ``makers`` beside the file, a public key in each ``NAME.pub``.
6. Where its signed heads go stands in ``anchors.toml`` beside the file (`anchors.targets`).
7. ``[retention]`` says how much of the journal stays at hand before it is archived: `days` and `megabytes`, whichever
   is reached first. What is not said is as `journal.archive.retention_limits` has it.
8. ``[centre]`` is the table's place on a floor, where it has one (`centre_config`).
9. Every error names the key, the value and what is allowed, but never what may be a device's key or a PIN. A name that
   nobody knows is an error too. All of them are told at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from firmware_bridge.anchors import targets
from firmware_bridge.anchors.targets import Anchors, TargetError
from firmware_bridge.journal.archive.retention_limits import LEAST_MEGABYTES, MOST_DAYS, MOST_MEGABYTES, Retention
from firmware_bridge.people.accounts.roles import PIN_SHAPE, ROLES, Person, Pin, PinError, read_pin
from firmware_bridge.setup.centre_config import CentreConfig, read_centre
from firmware_bridge.setup.device_config import DeviceConfig, read_device
from firmware_bridge.setup.problems import ConfigError, Problems
from firmware_bridge.setup.toml_file import TomlError, read_toml
from firmware_bridge.setup.toml_values import check_known, hex_key_of, optional_text, section_of, text_of, truth_of
from firmware_bridge.texts.languages import ENGLISH, LANGUAGES
from gamecore.notation import words as vocabulary
from gamecore.notation.header import KEYS, read_header
from gamecore.notation.lines import Line
from gamecore.notation.syntax import Header, NotationError
from gamecore.rules.games import GAMES

BOOT = Path("/proc/sys/kernel/random/boot_id")
MAKERS = "makers"
_NOT_OF_A_TABLE = frozenset({"shoe", "seed"})  # of a scenario only: no undealt card is ever known
_HEADER_KEYS = tuple(key for key in KEYS if key not in _NOT_OF_A_TABLE)
_ROLE_KEYS = ("role", "pin")
_NAME_LENGTH = 40
TABLE_NAME = 20
"""Characters of the longest name of a table."""


@dataclass(frozen=True, slots=True)
class Config:
    """The table, its folders and its devices.

    `boot` is the file that tells one start of the computer from another, `makers` the folder of the trusted keys,
    `anchors` where signed heads go, `secret` the table's own key on its links, `file` is where all this stands. `open`:
    nobody logs in, everything is allowed. `two_persons`: what one has said another confirms and clears. `tables`
    may be put in place of the first. `name` is what people call the table, empty where nobody has named it. `language`
    is that of a panel which shows any script.
    """

    header: Header
    state: Path
    control: Path
    devices: tuple[DeviceConfig, ...]
    boot: Path = BOOT
    roles: tuple[Person, ...] = ()
    retention: Retention = field(default_factory=Retention)
    makers: Path = Path(MAKERS)
    anchors: Anchors = field(default_factory=Anchors)
    open: bool = False
    file: Path | None = None
    two_persons: bool = True
    tables: Mapping[str, Header] = field(default_factory=dict)
    secret: bytes | None = field(default=None, repr=False)
    name: str = ""
    language: str = ENGLISH
    centre: CentreConfig | None = None


def load(path: Path) -> Config:
    """Read a configuration.

    Raises:
        ConfigError: something in it is wrong.
        OSError: it cannot be read.
    """
    try:
        values = read_toml(path)
    except TomlError as error:
        message = f"{path}: {error}"
        raise ConfigError(message) from error
    found = Problems()
    try:
        made = _config(values)
    except ConfigError as error:
        found.add(*(f"{path}: {problem}" for problem in error.problems))
        found.of(_anchors, path)
        raise ConfigError(*found.all_found, devices=error.devices) from error
    return replace(made, makers=path.parent / MAKERS, file=path, anchors=_anchors(path))


def _anchors(path: Path) -> Anchors:
    """Where the heads of a table with this configuration go."""
    try:
        return targets.load(path.parent / targets.FILE)
    except TargetError as error:
        raise ConfigError(str(error)) from error


def _config(values: dict[str, Any]) -> Config:
    found = Problems()
    found.of(check_known, values, ("table", "devices", "tables", "link", "roles", "retention", "centre"), "")
    made, tables = found.of(_table, values), found.of(_tables, values)
    devices, secret = _devices(values, found), found.of(_link, values)
    roles, retention = found.of(_roles, values), found.of(_retention, values)
    centre = found.of(read_centre, values)
    if found.read(made) and made.open and roles:
        found.add("table.open: expected false where [roles] names people, or no [roles]")
    needy = [device.name for device in devices if device.edition == 2 and device.authenticated]
    if needy and not (isinstance(values.get("link"), dict) and "secret" in values["link"]):
        found.add(f"link.secret: missing, and {needy[0]} speaks edition 2")
    found.raise_all(devices)
    if not made.open:
        tables = {name: replace(header, confirm=True) for name, header in tables.items()}
    made = replace(made, devices=devices, roles=roles, retention=retention, secret=secret, tables=tables)
    return replace(made, centre=centre)


def _link(values: dict[str, Any]) -> bytes | None:
    """The table's own key."""
    found, link = Problems(), section_of(values, "link", optional=True)
    found.of(check_known, link, ("secret",), "link.")
    secret = found.of(hex_key_of, link, "secret", "link.")
    found.raise_all()
    return secret


def _table(values: dict[str, Any]) -> Config:
    """What ``[table]`` says."""
    found, table = Problems(), section_of(values, "table")
    found.of(
        check_known,
        table,
        (*_HEADER_KEYS, "name", "state", "control", "boot", "open", "two_persons", "language"),
        "table.",
    )
    header = found.of(_header, table, "table.")
    state, control = found.of(text_of, table, "state", "table."), found.of(text_of, table, "control", "table.")
    boot, name = found.of(optional_text, table, "boot", "table."), found.of(_table_name, table)
    is_open = found.of(truth_of, table, "open", "table.", otherwise=False)
    two = found.of(truth_of, table, "two_persons", "table.", otherwise=True)
    language = found.of(_language, table)
    found.raise_all()
    if not is_open:
        if table.get("confirm") is False:
            raise ConfigError("table.confirm: expected true, or no such key: only an open table goes without")
        header = replace(header, confirm=True)
    where = (Path(state), Path(control), (), Path(boot or BOOT))
    return Config(header, *where, open=is_open, two_persons=two, name=name, language=language)


def _table_name(table: dict[str, Any]) -> str:
    """What people call the table."""
    name = optional_text(table, "name", "table.")
    if name is not None and not (name.isprintable() and 0 < len(name.strip()) <= TABLE_NAME):
        raise ConfigError(f"table.name: expected 1 to {TABLE_NAME} printable characters")
    return (name or "").strip()


def _language(table: dict[str, Any]) -> str:
    """The language of the panel."""
    language = optional_text(table, "language", "table.") or ENGLISH
    if language not in LANGUAGES:
        raise ConfigError(f"table.language: '{language}' is none: expected one of {', '.join(LANGUAGES)}")
    return language


def _devices(values: dict[str, Any], found: Problems) -> tuple[DeviceConfig, ...]:
    """The devices that can be read; what is wrong with others is taken down."""
    devices = found.of(section_of, values, "devices") or {}
    known = [name for name in devices if name in vocabulary.DEVICES or vocabulary.is_another_makers(name)]
    strange = {name: value for name, value in devices.items() if name not in known}
    found.of(check_known, strange, (*vocabulary.DEVICES, "or a name with a hyphen such as acme-scale"), "devices.")
    made = [found.of(read_device, name, devices) for name in known]
    return tuple(filter(found.read, made))


def _tables(values: dict[str, Any]) -> dict[str, Header]:
    """The tables that may be put in place of the first, by name."""
    found, said, made = Problems(), values.get("tables", []), dict[str, Header]()
    if not isinstance(said, list) or not all(isinstance(one, dict) for one in said):
        raise ConfigError("tables: expected sections [[tables]]")
    for number, one in enumerate(said, start=1):
        where = f"tables.{number}."
        found.of(check_known, one, ("name", *(key for key in _HEADER_KEYS if key != "confirm")), where)
        name, header = found.of(text_of, one, "name", where), found.of(_header, one, where)
        if name in made or (found.fine and not (name.isprintable() and 0 < len(name.strip()) <= _NAME_LENGTH)):
            found.add(f"{where}name: expected another for each, of at most {_NAME_LENGTH} printable characters")
        made[name] = header
    found.raise_all()
    return made


def _header(table: dict[str, Any], where: str) -> Header:
    """The header that these keys would be in a file of deal notation."""
    text_of(table, "game", where)
    said = {key: f"{key}: {_shown_value(table[key])}" for key in _HEADER_KEYS if key in table}
    try:
        return _read_header(where, *said.values())
    except ConfigError as error:
        first, found = error, Problems()
    game = said.pop("game")
    found.of(_read_header, where, game)
    found.raise_all()  # what its keys may say depends on the game
    for line in said.values():
        found.of(_read_header, where, game, line)
    found.raise_all()
    raise first


def _read_header(where: str, *said: str) -> Header:
    try:
        return read_header([Line(number, line) for number, line in enumerate(said, start=1)], GAMES)
    except NotationError as error:
        raise ConfigError(f"{where}{error.message}") from error


def _shown_value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(str(item) for item in value)
        case dict():
            return ", ".join(f"{kind} {limits}" for kind, limits in value.items())
        case _:
            return str(value)


def _roles(values: dict[str, Any]) -> tuple[Person, ...]:
    """Who may log in; nobody where the section is missing."""
    if "roles" not in values:
        return ()
    section = section_of(values, "roles")
    if not section:
        raise ConfigError('roles: names nobody, expected NAME = {role = "…", pin = "…"} for each person')
    found = Problems()
    people = tuple(found.of(_person, name, section) for name in section)
    found.raise_all()
    return people


def _person(name: str, section: dict[str, Any]) -> Person:
    where, found, values = f"roles.{name}.", Problems(), section_of(section, name, "roles.")
    if not name.strip() or len(name) > _NAME_LENGTH or not name.isprintable():
        found.add(f"roles.{name!r}: expected a name of at most {_NAME_LENGTH} printable characters")
    found.of(check_known, values, _ROLE_KEYS, where)
    role: Any = values.get("role")
    if role not in ROLES:  # what holds a digit may be a PIN
        got = repr(role) if isinstance(role, str) and role.replace("-", "").isalpha() else "something else"
        found.add(f"{where}role: expected one of {', '.join(ROLES)}, got {'nothing' if role is None else got}")
    pin = found.of(_pin, values, where)
    found.raise_all()
    return Person(name, role, pin)


def _pin(values: dict[str, Any], where: str) -> Pin:
    said = values.get("pin")
    if not isinstance(said, str):  # a number may be the PIN itself, which is never printed
        raise ConfigError(f"{where}pin: {'is missing' if said is None else 'is no text'}, {PIN_SHAPE}")
    try:
        return read_pin(said)
    except PinError as error:
        raise ConfigError(f"{where}pin: {error}") from error


def _retention(values: dict[str, Any]) -> Retention:
    """How much of the journal stays at hand."""
    found, section = Problems(), section_of(values, "retention", optional=True)
    found.of(check_known, section, Retention._fields, "retention.")
    bounds = {"days": (1, MOST_DAYS), "megabytes": (LEAST_MEGABYTES, MOST_MEGABYTES)}
    for key, (least, most) in bounds.items():
        value = section.get(key, least)
        if type(value) is not int or not least <= value <= most:
            found.add(f"retention.{key}: expected a whole number from {least} to {most}, got {value!r}")
    found.raise_all()
    return Retention(**section)
