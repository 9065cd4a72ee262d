"""What `Table.snapshot` gives, as plain data and back: for the journal, which stores it.

1. Plain data is lists, dictionaries, texts and numbers, in one schema with a number. It names the core's classes and
   their fields, never a module or a function: a file that moves changes nothing, and what is read runs nothing.
2. What can change, and every object, is a node of its own and is named by its number, so that what was shared is shared
   again: a card is on a hand, and its record knows the hand. What cannot change stands where it is.
3. A card, a ruleset and a member of an enum are stored by name, a round machine by its state, a watch by what it was
   made of and the cards that it has seen: they are what they are in the software that reads.
4. Data of another schema, or with other fields than a class has now, is not read. Anyone who changes what a field means
   and leaves its name raises `SCHEMA`; so does anyone who changes the fields: tests compare them with a file of that
   number.
5. `plain` is for comparing two values and telling a person where they differ.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from operator import attrgetter
from pkgutil import walk_packages
from typing import Any

from gamecore import history, model
from gamecore.cards.shuffle_test.watch import Watch
from gamecore.model.cards import Card, card
from gamecore.model.machine import RoundMachine, in_state
from gamecore.model.states import State
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset

SCHEMA = 16
"""The number of the schema; the first one was pickled classes."""
_SCHEMA, _CLASSES, _NODES, _VALUE = "schema", "classes", "nodes", "value"


class KeptError(ValueError):
    """Data that is no value of the core."""


class OtherSchemaError(KeptError):
    """Data that other software has kept, in a schema of its own."""


def _names(kind: type) -> tuple[str, ...]:
    """The names of what an object of a class holds."""
    if is_dataclass(kind):
        return tuple(item.name for item in fields(kind))
    return tuple(getattr(kind, "_fields", ()) or _slots(kind))


def _slots(kind: type) -> list[str]:
    """The names of a class that has slots; a compiled class has its attributes instead, in an order of their own."""
    return sorted(getattr(kind, "__slots__", ()) or getattr(kind, "__mypyc_attrs__", ()))


_MODULES = (history, *(import_module(found.name) for found in walk_packages(model.__path__, f"{model.__name__}.")))
_ALL = [
    kind
    for module in _MODULES
    for kind in vars(module).values()
    if isinstance(kind, type) and kind.__module__ == module.__name__
]
#: What is told by its fields; the round machine is told by its state.
_KINDS: dict[str, type] = {
    kind.__name__: kind for kind in _ALL if not issubclass(kind, Enum) and (is_dataclass(kind) or _names(kind))
}
_ENUMS: dict[str, type[Enum]] = {kind.__name__: kind for kind in _ALL if issubclass(kind, Enum)}
_FIELDS: dict[type, tuple[str, ...]] = {kind: _names(kind) for kind in _KINDS.values()}
_TUPLES = frozenset(kind for kind in _KINDS.values() if issubclass(kind, tuple))
_GETTERS = {kind: attrgetter(*names) for kind, names in _FIELDS.items() if len(names) > 1}
_SCALARS = frozenset({type(None), bool, int, str})


# --- written ---------------------------------------------------------------------------------------------------------


class _Writer:
    """Makes the nodes of one value."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self.kinds: dict[str, tuple[str, ...]] = {}
        self._known: dict[int, int] = {}

    def put(self, value: Any) -> Any:
        """A value as it stands in a node: itself, a list that says what it is, or the number of its node."""
        kind = type(value)
        if kind in _SCALARS:
            return value
        if kind is Card:
            return [str(value)]
        if kind is tuple:
            return ["tuple", *map(self.put, value)]
        if kind in _TUPLES:
            self.kinds[kind.__name__] = _FIELDS[kind]
            return [kind.__name__, *map(self.put, value)]
        number = self._known.get(id(value))
        return [self._node(kind, value) if number is None else number]

    def _node(self, kind: type, value: Any) -> int:
        number = self._known[id(value)] = len(self.nodes)
        node: list[Any] = []
        self.nodes.append(node)
        put = self.put
        if kind in _FIELDS:
            names = self.kinds[kind.__name__] = _FIELDS[kind]
            get = _GETTERS.get(kind)
            node.append(kind.__name__)
            node.extend(map(put, get(value) if get is not None else [getattr(value, name) for name in names]))
        elif kind is list:
            node.append("list")
            node.extend(map(put, value))
        elif kind in {dict, Counter}:
            node.append(kind.__name__)
            for key, item in value.items():
                node += (put(key), put(item))
        else:
            node.extend(self._seldom(value))
        return number

    def _seldom(self, value: Any) -> list[Any]:
        match value:
            case Enum() if type(value).__name__ in _ENUMS:
                return [type(value).__name__, value.name]
            case set() | frozenset():
                return [type(value).__name__, *sorted(map(self.put, value), key=repr)]
            case Ruleset():
                return ["Ruleset", value.id]
            case RoundMachine():
                return ["RoundMachine", value.state.name]
            case Watch():
                ranks, decks, previous, seen = value.made_of
                return ["Watch", ranks, decks, " ".join(map(str, previous)), " ".join(map(str, seen))]
        message = f"a table holds no {type(value).__name__}"
        raise TypeError(message)


def written(value: object) -> dict[str, object]:
    """A value of the core as plain data."""
    writer = _Writer()
    root = writer.put(value)
    return {_SCHEMA: SCHEMA, _CLASSES: writer.kinds, _NODES: writer.nodes, _VALUE: root}


# --- read ------------------------------------------------------------------------------------------------------------


def read(data: object) -> object:
    """The value that plain data describes.

    Raises:
        OtherSchemaError: other software has stored it.
        KeptError: it describes none.
    """
    if not isinstance(data, dict) or not {_SCHEMA, _CLASSES, _NODES, _VALUE} <= data.keys():
        raise KeptError("this is no value of a table")
    if data[_SCHEMA] != SCHEMA:
        message = f"this was kept in schema {data[_SCHEMA]}, and {SCHEMA} is read"
        raise OtherSchemaError(message)
    try:
        return _Reader(data[_CLASSES], data[_NODES]).get(data[_VALUE])
    except KeptError:
        raise
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        message = f"this is no value of a table: {type(error).__name__}: {error}"
        raise KeptError(message) from error


def _kind(name: str, told: list[str]) -> type:
    """A class whose fields are as they were."""
    kind = _KINDS.get(name)
    if kind is None or tuple(told) != _FIELDS[kind]:
        message = f"{name} was kept with other fields"
        raise OtherSchemaError(message)
    return kind


class _Reader:
    """Makes every node, then fills it: a node may name one that comes later."""

    def __init__(self, kinds: dict[str, list[str]], nodes: list[list[Any]]) -> None:
        self._kinds = {name: _kind(name, told) for name, told in kinds.items()}
        self._made = [self._shell(*node) for node in nodes]
        for made, (name, *items) in zip(self._made, nodes, strict=True):
            self._fill(made, name, items)

    def get(self, told: Any) -> Any:
        """The value that stands in a node."""
        match told:
            case [int(number)] if number >= 0:
                return self._made[number]
            case [str(face)]:
                return card(face) if face != "tuple" else ()
            case ["tuple", *items]:
                return tuple(map(self.get, items))
            case [str(name), *items] if self._kinds.get(name) in _TUPLES:
                return self._kinds[name](*map(self.get, items))
            case None | bool() | int() | str():
                return told
        message = f"{told!r} is no value"
        raise KeptError(message)

    def _shell(self, name: str, *items: Any) -> Any:
        if name in self._kinds and self._kinds[name] not in _TUPLES:
            kind = self._kinds[name]
            return kind.__new__(kind)
        if name in _CONTAINERS:
            return _CONTAINERS[name]()
        if name in _ENUMS:
            return _ENUMS[name][items[0]]
        match name, items:
            case "frozenset", _:
                return frozenset(map(self.get, items))
            case "Ruleset", (id_,):
                return GAMES[id_]
            case "RoundMachine", (name_,):
                return in_state(State[name_])
            case "Watch", (ranks, decks, previous, seen):
                return Watch(ranks, decks, _cards(previous), _cards(seen))
        message = f"a table holds no {name}"
        raise KeptError(message)

    def _fill(self, made: Any, name: str, items: list[Any]) -> None:
        if name in self._kinds:
            for field, item in zip(_FIELDS[self._kinds[name]], items, strict=True):
                object.__setattr__(made, field, self.get(item))
        elif name == "list":
            made.extend(map(self.get, items))
        elif name in {"dict", "Counter"}:
            for key, item in zip(items[::2], items[1::2], strict=True):
                made[self.get(key)] = self.get(item)
        elif name == "set":
            made.update(map(self.get, items))


_CONTAINERS: dict[str, Callable[[], Any]] = {"list": list, "dict": dict, "Counter": Counter, "set": set}


def _cards(text: str) -> list[Card]:
    return [card(face) for face in text.split()]


def is_snapshot(value: object) -> bool:
    """Whether a value is what `Table.snapshot` gives."""
    return isinstance(value, history.Snapshot)


# --- compared --------------------------------------------------------------------------------------------------------


def plain(value: object, met: dict[int, int] | None = None) -> object:
    """A value of a snapshot so that two can be compared.

    What was met before (a card is on a hand, and its record knows the hand) is named by its number.
    """
    met = {} if met is None else met
    match value:
        case None | bool() | int() | float() | str() | bytes():
            return value
        case Enum():
            return value.name
        case Card():
            return str(value)
        case Ruleset():
            return value.id
        case RoundMachine():
            return value.state.name
        case dict():
            return {str(plain(key, met)): plain(item, met) for key, item in value.items()}
        case list() | tuple() | deque():
            return [plain(item, met) for item in value]
        case set() | frozenset():
            return sorted(str(plain(item, met)) for item in value)
    if id(value) in met:
        return f"number {met[id(value)]}"
    met[id(value)] = len(met)
    return {name: plain(getattr(value, name), met) for name in _attributes(value)}


def _attributes(value: object) -> list[str]:
    """The names of what an object holds; what a watch has worked out so far is no part of it."""
    if isinstance(value, Watch):
        return ["made_of"]
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    held = [name for name in slots if hasattr(value, name)]
    return [*held, *getattr(value, "__dict__", ())]
