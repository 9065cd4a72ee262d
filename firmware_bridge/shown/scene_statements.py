"""What may be said now, in the words of the notation.

1. It is what `Table.allowed` lists, each command with the hand or box that it is about.
2. For a hand with a card face down, hit, stand, double and split, and their free forms where the game has them, are all
   offered as soon as one is allowed: which of them are allowed would give away the hand. The table refuses the others.
   Every other command is listed as it is allowed.
3. A statement is as short as it can be: it leaves out the hand if its box has only one, and the slot if its Player
   controls the box. A jackpot always names its slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from firmware_bridge.shown.scene_type import Sayable
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.writer import write_event
from gamecore.rules.ruleset import SILENT
from gamecore.table import Table
from gamecore.view.view import TableView

_PAID = (ev.Hit, ev.Stand, ev.Double, ev.Split)
_DECISIONS = (*_PAID, ev.FreeDouble, ev.FreeSplit)


def can(table: Table) -> list[Sayable]:
    """What may be said now, each with the hand or box that it is about."""
    view = table.view()
    return [_worded(view, command) for command in _offered(view, table.allowed().commands)]


def _offered(view: TableView, allowed: Iterable[ev.Command]) -> Iterator[ev.Command]:
    """What is allowed, and every decision on a hand of which nobody may know more."""
    free = SILENT not in {view.rules.free_doubles.clause, view.rules.free_splits.clause}
    told: set[Place] = set()
    for command in allowed:
        if not isinstance(command, _DECISIONS):
            yield command
            continue
        hand = view.round.hand_at(Place(command.place.box, command.place.hand))
        if hand is None or not hand.face_down:
            yield command
        elif command.place not in told:
            told.add(command.place)
            yield from (kind(command.place) for kind in (_DECISIONS if free else _PAID))


def _worded(view: TableView, command: ev.Command) -> Sayable:
    """A command in words, and the hand or box of which it speaks."""
    if isinstance(command, ev.Squeeze):
        return {"statement": write_event(command), "place": str(command.box)}
    place = _short_place(view, command)
    if place is None:
        return {"statement": write_event(command), "place": None}
    return {"statement": shortly(view, command), "place": str(Place(place.box, place.hand))}


def shortly(view: TableView, command: ev.Command) -> str:
    """A command in words, as short as it can be."""
    place = _short_place(view, command)
    return write_event(command if place is None else replace(command, place=place))  # type: ignore[arg-type]  # it has one


def _short_place(view: TableView, command: ev.Command) -> Place | None:
    """Where a command is about a box of the round, without what goes without saying; None if it is about none."""
    place = getattr(command, "place", None)
    box = view.round.boxes.get(place.box) if isinstance(place, Place) else None
    if not isinstance(place, Place) or box is None:
        return None
    hand = place.hand or 1 if len(box.hands) > 1 else 0
    controls = place.slot == box.controller and not isinstance(command, ev.Jackpot)
    return Place(place.box, hand, 0 if controls else place.slot)
