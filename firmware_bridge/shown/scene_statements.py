"""What may be said now, in the words of the notation.

1. It is what `Table.allowed` lists, each command with the hand or box of which it speaks.
2. Of a hand that has a card face down every decision of the game is offered as soon as one is allowed: which of them
   are would tell what the hand is. The table refuses those that may not be.
3. A statement is as short as it can be: the hand is left out where a box has one, the slot where its Player controls
   the box.
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
    """What may be said now, and the hand or box that it speaks of."""
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
    place = getattr(command, "place", None)
    if not isinstance(place, Place):
        return {"statement": write_event(command), "place": None}
    box = view.round.boxes[place.box]
    hand = place.hand if len(box.hands) > 1 else 0
    controls = place.slot == box.controller and not isinstance(command, ev.Jackpot)
    short = Place(place.box, hand, 0 if controls else place.slot)
    worded = write_event(replace(command, place=short))  # type: ignore[arg-type]  # it has a place, as was seen
    return {"statement": worded, "place": str(Place(place.box, hand))}
