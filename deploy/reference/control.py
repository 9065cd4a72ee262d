"""The requests of the control socket.

1. Names, and whether the reading socket answers, come from `REQUESTS`. The arguments and their types are read from the
   source of what answers a request, and of what that calls in its own module.
2. The names of news come from the source too: a call of ``announce({"NAME": …})``, of a `watcher` for what became of a
   row, or of a connection's `tell` for what concerns it alone.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import firmware_bridge
from deploy.reference.pages import MADE, check_names, table
from firmware_bridge.control import connection, server
from firmware_bridge.control.requests import REQUESTS, Kind
from firmware_bridge.pump.pump import Pump

TELLS = {Pump.announce.__name__, "watcher", "tell"}
TYPES = {"str": "text", "int": "whole number", "bool": "true or false", "": "text"}


class Meaning(NamedTuple):
    """What a request is for, its arguments, who may ask it, and what is answered."""

    does: str
    takes: dict[str, str]
    who: str
    answer: str


_ANYONE = "anyone who may ask at all"
_REASON = "why, 1 to 200 characters"
_OK = "`ok`"

MEANINGS = {
    "table": Meaning(
        "Put another table in place, between rounds.",
        {
            "header": "on an open table: a header of deal notation, without `shoe` and `seed`",
            "abandon": "on an open table: give up the round in play; left out: no",
            "name": "on a table with people: a table that the configuration names; left out: list them",
        },
        "one person proposes a table, another confirms it by the same request; on an open table anyone",
        "`ok`; without a name `tables`, and `proposed` and `by` if one waits to be confirmed",
    ),
    "say": Meaning(
        "Say a statement of deal notation, or `place PLACE [exposed]` where places are not sensed.",
        {"statement": "the statement"},
        "those whom `firmware_bridge/people/permissions.py` names for the statement",
        _OK,
    ),
    "why": Meaning(
        "Ask why a command would be refused now. Nothing is commanded, and nothing is written.",
        {"statement": "the command, in deal notation"},
        _ANYONE,
        "`ok` if it would be taken; else `refused` with the reason, which is not told while a card lies face down",
    ),
    "expect": Meaning(
        "Check a claim about the table.",
        {"claim": "what stands after `expect` in deal notation"},
        "surveillance, pit-manager, shift-manager",
        "`failure`: null, or what is so instead",
    ),
    "report": Meaning(
        "Report the last rounds, 100 at most; after a start those of the segment in use.",
        {},
        _ANYONE,
        "`report`; cards that lie face down are named only to those who may see them",
    ),
    "status": Meaning(
        "Say how the table stands.",
        {},
        _ANYONE,
        "`table` (its name, or null), `game`, `state`, `next` (place of the next card), `links`, `on_table`; with "
        "people `role`, `alarms`, `key`",
    ),
    "scene": Meaning(
        "Say all that the page draws.", {}, _ANYONE, "`scene`, an object of [this type](../shown/scene_type.py)"
    ),
    "watch": Meaning(
        "Hear news on this connection from now on.", {}, _ANYONE, "`ok`, and then news, lines without `id`"
    ),
    "seen": Meaning(
        "Wait until an event of a device is applied.",
        {"device": "its name in the configuration", "number": "the event's number"},
        _ANYONE,
        "`refused`: null, or why the table refused it; `waits` while the shoe is away",
    ),
    "link": Meaning(
        "Wait until a device is there, or away.",
        {"device": "its name in the configuration", "up": "which of the two"},
        _ANYONE,
        _OK,
    ),
    "login": Meaning(
        "Log in over this connection.",
        {
            "name": "staff number or name",
            "pin": "the PIN",
            "new": "a new PIN; left out: none",
            "keep": "refuse rather than end a login of the same person elsewhere; left out: end it",
            "from": "where the person is, as the console knows it; at most 64 characters; left out: here",
        },
        "anyone, within the delays after wrong PINs",
        "`ok`, `name`, `role`, and `warning` where the PIN is old; with `keep` `elsewhere`: where they are logged in",
    ),
    "duty": Meaning(
        "Tell who has logged in here lately.", {}, _ANYONE, "`people`: `initials`, `number`, `role`, the newest first"
    ),
    "logout": Meaning("Log out.", {}, "anyone", _OK),
    "clear": Meaning(
        "Clear alarms.",
        {
            "reason": _REASON,
            "n": "only the alarm of this row; left out: all",
            "code": "only the alarms of this code; left out: all",
        },
        "those whom `firmware_bridge/people/permissions.py` names for the alarm",
        "`ok`, `cleared`: the alarms",
    ),
    "dispute": Meaning(
        "Mark a round as disputed.",
        {"reason": _REASON, "number": "the round; left out: the one in play, or the last"},
        "surveillance",
        _OK,
    ),
    "note": Meaning(
        "Write about a round, or bookmark it; a row that stays.",
        {
            "first": "the first event of the round",
            "text": "at most 500 characters; left out: none",
            "bookmark": "set it or take it off; left out: neither",
        },
        "pit-supervisor or above, surveillance",
        _OK,
    ),
    "document": Meaning(
        "Put a document of the house in force, which lies in the state folder.",
        {"game": "the game", "digest": "the digest of the document"},
        "shift-manager",
        _OK,
    ),
    "accept": Meaning(
        "Accept the program that runs.",
        {"program": "the digest that `truedeal identity` shows"},
        "an engineer and a shift-manager, both",
        "`ok`, `waits`: why no round begins yet, or null",
    ),
    "accept-key": Meaning(
        "Accept a segment of the journal whose key nothing certifies.",
        {"segment": "its number"},
        "two people of pit-manager or above, one of them a shift-manager",
        _OK,
    ),
    "people": Meaning("List the people.", {}, "pit-manager, shift-manager", "`people`, `proposals`"),
    "propose-person": Meaning(
        "Propose to add, change or expire a person.",
        {
            "kind": "`add`, `change` or `expire`",
            "number": "staff number",
            "name": "their name; left out: as it is",
            "role": "their role; left out: as it is",
            "until": "the last day on which they may log in; left out: as it is",
            "pin": "a new PIN; left out: as it is",
        },
        "shift-manager",
        "`ok`, `proposal`: its number",
    ),
    "confirm-person": Meaning(
        "Confirm what another person has proposed.",
        {"proposal": "its number"},
        "pit-manager, shift-manager",
        "`ok`, `person`",
    ),
    "pair": Meaning(
        "Begin to pair a device.",
        {"device": "its name in the configuration"},
        "engineer, pit-manager, shift-manager, between rounds",
        "`ok`, `pairing` (its number), `device`, `shows` (what the device must show), `display`",
    ),
    "confirm-pairing": Meaning(
        "Confirm a pairing that another person has begun.",
        {"pairing": "its number", "shows": "what the device shows"},
        "another person: pit-supervisor or above",
        "`ok`, `fingerprint`, `table`",
    ),
    "set-register-aside": Meaning(
        "Propose to set a device's register aside.",
        {"device": "its name in the configuration"},
        "shift-manager",
        "`ok`, `device`, `number`: the number of the register's head",
    ),
    "confirm-register-aside": Meaning(
        "Confirm that a register is set aside.",
        {"device": "its name in the configuration", "number": "the number of the register's head"},
        "another person: pit-manager, shift-manager",
        _OK,
    ),
    "rounds": Meaning(
        "List past rounds, the newest first.",
        {"count": "how many; left out: 20", "skip": "how many newer ones to pass over; left out: none"},
        _ANYONE,
        "`rounds`, `on` for the one that is on, and `archived` if these are all at hand and older ones are archived",
    ),
    "round": Meaning(
        "Report one round.",
        {
            "number": "the round; left out: the one in play, or the last",
            "first": "the number of its first event, where a number is not unique; left out: any",
        },
        _ANYONE,
        "`round`",
    ),
    "health": Meaning("Say how the daemon is.", {}, _ANYONE, "`health`, an object without keys, PINs and cards"),
}

NEWS = {
    "alarm": "`n`, `code`: a note has raised an alarm",
    "anchor": "`waits`: whether an anchor must still confirm the journal",
    "cleared": "`alarms` (rows), `by`: alarms have ended",
    "ended": "`why`: the login of this connection has ended; `refusal`: the same by its key",
    "fault": "`device`, `code`, `detail`, `remedy`: something went wrong on the way from a device",
    "journal": "`stalled`: why the journal cannot be written, or null",
    "key": "`on`: the supervisor's key switch was turned",
    "link": "`device`, `up`, `fault`, and `remedy` where it was lost",
    "program": "`bars`: why no round begins with this program, or null",
    "seen": "`n`, `device`, `number`, `event` (deal notation), `refused`, and `findings` where there are any",
}


def page() -> str:
    """Return the page."""
    check_names("requests", REQUESTS, MEANINGS)
    check_names("news", set(news_told()), NEWS)
    parts = [_HEAD.format(made=MADE, **_bounds())]
    for name, kind in REQUESTS.items():
        parts.append(_request(name, kind))
    parts.append("\n## News\n\nAfter `watch`, a line for each, an object with one key and no `id`.\n\n")
    parts.append(table(("news", "what it holds"), ([f"`{name}`", NEWS[name]] for name in sorted(NEWS))))
    return "".join(parts)


_HEAD = """# The control socket

{made}
Two Unix sockets lie side by side. `table.control` of the configuration names the control socket, for the group
`{control_group}`; `read.sock` beside it is for the group `{read_group}`, only reads, and never names a card that
lies face down. On a table with people the control socket answers `login` and `logout` alone until somebody has logged
in.

A request is one line, a JSON object with `do`, the arguments below, and an `id` of at most {id} characters. The answer
is one line with the same `id`. An answer that must wait may come after later ones. In place of what is listed, an
answer has `refused` with the reason where something may not be, or `error` where it cannot be understood.
What the rules refuse has `refusal` too, for other languages: the `key` of the reason, the `clause`, and the `arguments`
that fill its text. The keys and texts stand in `console/static/texts/refusals.json`.

A line has at most {longest:,} bytes. A connection may have {waiters} requests waiting. On a table with people {reads}
readings and {commands} commands a second are answered at once, more wait. There is room for {connections} connections
at the control socket and for {readers} at the other.

## Requests
"""


def _bounds() -> dict[str, Any]:
    return {
        "control_group": server.CONTROL_GROUP,
        "read_group": server.READ_GROUP,
        "id": connection.ID,
        "longest": connection.LONGEST,
        "waiters": connection.WAITERS,
        "reads": f"{connection.READS:g}",
        "commands": f"{connection.COMMANDS:g}",
        "connections": server.CONNECTIONS,
        "readers": server.READERS,
    }


def _request(name: str, kind: Kind) -> str:
    meaning, found = MEANINGS[name], arguments(kind)
    check_names(f"arguments of {name}", found, meaning.takes)
    where = "both sockets" if kind.reads else "control socket"
    counts = "command" if kind.commands else "reading"
    lines = f"\n### {name}\n\n{meaning.does} *{where}; counts as {counts}*\n\n"
    if found:
        rows = ([f"`{key}`", TYPES[found[key]], told] for key, told in meaning.takes.items())
        lines += table(("argument", "type", "meaning"), rows) + "\n"
    return f"{lines}- Who may: {meaning.who}.\n- Answer: {meaning.answer}.\n"


# --- what the source says --------------------------------------------------------------------------------------------


def arguments(kind: Kind) -> dict[str, str]:
    """Return the arguments that a request reads, each with the name of its type, empty where any is looked at."""
    found: dict[str, str] = {}
    for tree in _reached(_answering(kind)):
        for key, of_type in _keys(tree):
            found[key] = found.get(key) or of_type
    return found


def _answering(kind: Kind) -> Callable[..., object]:
    """Return the function that answers, which some requests have wrapped."""
    wrapped = inspect.getclosurevars(kind.answer).nonlocals.get("answer")
    return wrapped if callable(wrapped) else kind.answer


def _reached(function: Callable[..., object]) -> Iterator[ast.AST]:
    """Yield a function and all that it calls in its own module."""
    module = inspect.getmodule(function)
    assert module is not None  # noqa: S101  it was imported
    defined = _functions(module)
    waiting, done = [function.__name__], set[str]()
    while waiting:
        name = waiting.pop()
        if name in defined and name not in done:
            done.add(name)
            yield defined[name]
            waiting += [called for node in ast.walk(defined[name]) if (called := _name_called(node))]


@lru_cache(16)
def _functions(module: ModuleType) -> dict[str, ast.AST]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(module)))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def _name_called(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return name
    return ""


def _keys(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each key of a request that is read, and the name of its type."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="of"), args=[_, ast.Constant(value=str(key)), ast.Name(id=kind)]):
                yield key, kind
            case ast.DictComp(value=ast.Call(func=ast.Name(id="of"), args=[*_, ast.Name(id=kind)]), generators=[one]):
                yield from ((str(each.value), kind) for each in ast.walk(one.iter) if isinstance(each, ast.Constant))
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[ast.Constant(value=str(key))]) if (
                _is_request(value)
            ):
                yield key, ""


def _is_request(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="request") | ast.Attribute(attr="request"):
            return True
    return False


def news_told() -> Iterator[str]:
    """Yield the name of each news that the daemon tells."""
    folder = Path(firmware_bridge.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=told) | ast.Name(id=told),
                    args=[ast.Dict(keys=[ast.Constant(value=str(name))])],
                ) if told in TELLS:
                    yield name
