"""The configuration of a table as JSON Schema, for editors and for tools that write it.

1. The keys described here are compared with those of the reader: asked about a key that nobody knows, it lists those
   that it knows. Games, sensors, roles, drivers, most bounds and most defaults come from the code.
2. The schema says what can be said of a key by itself. `truedeal check` says what depends on the game (how many decks,
   which wagers) or on other keys.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from deploy.reference.pages import check_names
from drivers.driver import OWN
from firmware_bridge.journal.archive.retention_limits import LEAST_MEGABYTES, MOST_DAYS, MOST_MEGABYTES, Retention
from firmware_bridge.people.accounts.roles import ROLES
from firmware_bridge.setup import config
from firmware_bridge.setup.config import Config
from firmware_bridge.setup.device_config import EDITIONS, MOST_PATIENCE
from firmware_bridge.setup.problems import ConfigError
from firmware_bridge.setup.toml_values import KEY_BYTES
from firmware_bridge.texts.languages import ENGLISH, LANGUAGES
from gamecore.model.config import SENSORS
from gamecore.notation import words
from gamecore.rules.games import GAMES

Schema = dict[str, Any]
_UNKNOWN = "nobody-knows-this"
_LISTED = "expected one of "
_MOST_DECKS = max(rules.decks.value[1] for rules in GAMES.values())
_MOST_BOXES = max(rules.boxes.value[1] for rules in GAMES.values())


def _text(told: str, **more: object) -> Schema:
    return {"type": "string", "description": told, **more}


def _whole(told: str, least: int, most: int | None = None, **more: object) -> Schema:
    bound = {} if most is None else {"maximum": most}
    return {"type": "integer", "minimum": least, **bound, "description": told, **more}


def _truth(told: str, **more: object) -> Schema:
    return {"type": "boolean", "description": told, **more}


def _key(told: str) -> Schema:
    return _text(told, pattern=f"^[0-9A-Fa-f]{{{2 * KEY_BYTES}}}$")


def _one_of(told: str, values: tuple[str, ...], **more: object) -> Schema:
    return _text(told, enum=list(values), **more)


HEADER = {
    "game": _one_of("The game on the table.", tuple(GAMES)),
    "decks": _whole("Decks of the set; as many as the rules allow, at most 8, unless set.", 1, _MOST_DECKS),
    "boxes": _whole("Boxes of the layout; as many as the rules allow unless set.", 1, _MOST_BOXES),
    "limits": {
        "type": ["object", "array", "string"],
        "description": 'Least and most of each kind of wager in dollars, {main = "25-5000"}; no limits unless set.',
        "additionalProperties": {"type": "string"},
        "items": {"type": "string"},
    },
    "left": _whole("Cards in the shoe when the table is set up; the whole set unless set.", 0),
    "fresh": _truth("Whether the shoe is freshly shuffled when the table is set up.", default=True),
    "burn": _truth("Whether a card is burned; as the rules say unless set."),
    "shuffling": _one_of("How cards are shuffled.", words.SHUFFLINGS, default="machine"),
    "sensors": {
        "type": ["array", "string"],
        "description": "What is fitted: some of the words below; as text, with spaces between them, or none.",
        "items": {"enum": list(SENSORS)},
        "default": sorted(words.ALL_FITTED),
    },
    "confirm": _truth("Whether what a word gives back is confirmed; false only on an open table."),
}
TABLE = HEADER | {
    "name": _text(
        "What people call the table, such as T12: on every page, print, export and line of the log.", maxLength=20
    ),
    "state": _text("The folder of the journal."),
    "control": _text("The control socket; read.sock lies beside it."),
    "boot": _text("A file that is another at each start of the computer.", default=str(config.BOOT)),
    "open": _truth(
        "For trying out: nobody logs in, and anyone at the control socket may do everything.", default=False
    ),
    "two_persons": _truth("Whether another person confirms what one has said.", default=True),
    "language": _text("That of a panel which shows any script.", enum=list(LANGUAGES), default=ENGLISH),
}
OTHER_TABLE = {"name": _text("What it is called.", maxLength=40)} | {
    key: value for key, value in HEADER.items() if key != "confirm"
}
DEVICE = {
    "driver": _text("The driver: one of ours, or one that an installed package names.", examples=list(OWN)),
    "port": _text(
        "Its address: serial:PATH, usb:VENDOR:PRODUCT[:SERIAL], or pty:PATH of a simulated device.",
        pattern="^(serial|pty|usb):",
    ),
    "serial": _text("Its serial number; required in edition 2."),
    "edition": {
        "type": "integer",
        "enum": list(EDITIONS),
        "default": 2,
        "description": "The edition of our link that it speaks; 1 can be read on the cable.",
    },
    "public": _key("Its public key, for open tables and other makers' devices; ours are paired elsewhere."),
    "key": _key("In edition 1: the key that both ends hold."),
    "authenticated": _truth("Whether it must prove its key.", default=True),
    "patience": _whole(
        "Seconds for which its link bears that nothing arrives; more than 1 only for a simulated device.",
        1,
        MOST_PATIENCE,
        default=1,
    ),
    "usb_backend": _text(
        "A USB backend other than the system's: the name of an entry point, and its argument after a colon."
    ),
    "options": {"type": "object", "description": "The driver's own options.", "default": {}},
}
PERSON = {
    "role": _one_of("Their role.", tuple(ROLES)),
    "pin": _text("What stands for their PIN.", pattern="^scrypt\\$"),
}
RETENTION = {
    "days": _whole("Days for which the journal stays at hand.", 1, MOST_DAYS, default=Retention().days),
    "megabytes": _whole(
        "Megabytes of it; whichever is reached first.", LEAST_MEGABYTES, MOST_MEGABYTES, default=Retention().megabytes
    ),
}
CENTRE = {
    "table": _text("The table's name there, CASINO/TABLE.", pattern="^[a-z0-9-]{1,32}/[a-z0-9-]{1,32}$"),
    "nkey": _text("The public key of its shipper.", pattern="^U[A-Z2-7]{55}$"),
    "key": _key("The floor's public key."),
    "people": _text("The roster that the shipper keeps, where the floor keeps the people; an absolute path."),
}
LINK = {"secret": _key("The table's own X25519 key.")}


def _section(told: str, keys: dict[str, Schema], *required: str) -> Schema:
    must = {"required": list(required)} if required else {}
    return {"type": "object", "description": told, "properties": keys, "additionalProperties": False, **must}


def schema() -> Schema:
    """Return the schema."""
    device = _section("A device.", DEVICE, "driver", "port")
    sections = {
        "table": _section("The table, its folder and its socket.", TABLE, "game", "state", "control"),
        "tables": {
            "type": "array",
            "description": "Tables that may be put in its place between rounds.",
            "items": _section("Another table.", OTHER_TABLE, "name", "game"),
        },
        "devices": {
            "type": "object",
            "description": "The devices, by what the game calls them; another maker's has a hyphen in its name.",
            "properties": dict.fromkeys(words.DEVICES, device),
            "patternProperties": {words.ANOTHER_MAKERS: device},
            "additionalProperties": False,
        },
        "link": _section("The table's end of its links.", LINK),
        "roles": {
            "type": "object",
            "description": "People of an earlier edition; taken over once into people.json.",
            "additionalProperties": _section("A person, by name.", PERSON, "role", "pin"),
        },
        "retention": _section("How much of the journal stays at hand.", RETENTION),
        "centre": _section("The table's place on a floor, as 'truedeal enrol' prints it.", CENTRE, "table", "nkey"),
    }
    _compare(sections)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The configuration of a truedeal table",
        "description": "Made from the code by python -m deploy.reference. The file itself is TOML.",
        **_section("A table.", sections, "table", "devices"),
    }


def _compare(sections: Schema) -> None:
    """Make sure that these are the keys that the reader knows."""
    wrong = {_UNKNOWN: 1}
    asked: dict[str, tuple[dict[str, Any], Schema]] = {
        "": (wrong, sections),
        "table.": ({"table": wrong}, TABLE),
        "tables.1.": ({"tables": [wrong]}, OTHER_TABLE),
        "devices.shoe.": ({"devices": {"shoe": wrong}}, DEVICE),
        "link.": ({"link": wrong}, LINK),
        "roles.ANN.": ({"roles": {"ANN": wrong}}, PERSON),
        "retention.": ({"retention": wrong}, RETENTION),
        "centre.": ({"centre": wrong}, CENTRE),
    }
    for where, (values, described) in asked.items():
        check_names(f"configuration: {where or 'sections'}", _known(values, where), described)


def _known(values: dict[str, Any], where: str) -> list[str]:
    """Return the keys that the reader lists when it is asked about one that it does not know."""
    for problem in problems(values):
        if problem.startswith(f"{where}{_UNKNOWN}: "):
            return problem.partition(_LISTED)[2].split(", ")
    return []


def problems(values: dict[str, Any]) -> list[str]:
    """Return what the reader says about a configuration."""
    try:
        read(values)
    except ConfigError as error:
        return [problem.partition(": ")[2] for problem in error.problems]
    return []


def read(values: dict[str, Any]) -> Config:
    """Return what the reader makes of a configuration.

    Raises:
        ConfigError: something in it is wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.toml"
        path.write_text(toml(values), encoding="utf-8")
        return replace(config.load(path), file=None, makers=Path())


def toml(values: dict[str, Any]) -> str:
    """Return values as TOML, each section in one line."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in values.items())


def _inline(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)} = {_inline(one)}" for key, one in value.items()) + "}"
        case list():
            return f"[{', '.join(map(_inline, value))}]"
        case _:
            return json.dumps(value)


def page() -> str:
    """Return the schema as a file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
