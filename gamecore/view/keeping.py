"""What a journal must know to write a snapshot down, to read it again, and to compare two: never what it means.

1. A snapshot is what `Table.snapshot` and `Table.round_snapshot` give. Its classes are the core's own.
2. `shape` tells the names of these classes, where they stand and what fields they have. What was kept in another shape
   cannot be read in this one: an old state in new classes lacks what they need.
3. An enum is kept by its name (`ENUMS`). Two functions are called on reading (`MAKERS`): a round machine is kept by its
   state alone, a watch by the cards it has seen.
"""

from __future__ import annotations

from collections import deque
from dataclasses import fields, is_dataclass
from enum import Enum

from gamecore import history
from gamecore.cards.shuffle_test.sequential import Order, Verdict
from gamecore.model import cardset, commands, config, facts, hands, matters, outputs, physical, records, round, state  # noqa: A004  the module of the round of play
from gamecore.model.cards import Card
from gamecore.model.machine import RoundMachine
from gamecore.model.matters import Demand
from gamecore.model.places import Place
from gamecore.model.records import Role
from gamecore.model.states import State
from gamecore.model.steps import Procedure, PullStep, ReconstructStep, SkippedStep
from gamecore.rules.ruleset import Ruleset
from gamecore.rules.stages import Stage

ENUMS: tuple[type[Enum], ...] = (
    State,
    Stage,
    Verdict,
    Order,
    Role,
    Demand,
    PullStep,
    SkippedStep,
    ReconstructStep,
    Procedure,
)
_MODULES = (hands, records, round, facts, matters, state, cardset, config, outputs, history, commands, physical)
MAKERS = frozenset({("gamecore.model.machine", "in_state"), ("gamecore.cards.shuffle_test.watch", "watched")})


def is_snapshot(value: object) -> bool:
    """Whether a value is what `Table.snapshot` gives."""
    return isinstance(value, history.Snapshot)


def is_round(value: object) -> bool:
    """Whether a value is what `Table.round_snapshot` gives."""
    return isinstance(value, round.Round)


def shape() -> list[str]:
    """What a snapshot is made of, a line for each class."""
    classes = [
        kind
        for module in (
            hands,
            records,
            round,
            facts,
            matters,
            state,
            cardset,
            config,
            outputs,
            history,
            commands,
            physical,
        )
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    ]
    told = [f"{kind.__module__}.{kind.__name__}: {_names(kind)}" for kind in classes]
    return [*told, f"{Place.__name__}: {Place._fields}"]


def _names(kind: type) -> list[str]:
    """The names of what an object of a class holds."""
    return [field.name for field in fields(kind)] if is_dataclass(kind) else sorted(getattr(kind, "__slots__", ()))


def plain(value: object, met: dict[int, int] | None = None) -> object:
    """A value of a snapshot as lists, dictionaries, texts and numbers, so that two can be compared.

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
    """The names of what an object holds."""
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    held = [name for name in slots if hasattr(value, name)]
    return [*held, *getattr(value, "__dict__", ())]
