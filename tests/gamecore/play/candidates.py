"""Every command that could be meant in a position, allowed or not, once for each place it could speak of.

It is listed without regard to the state of the round, so that what `Table.allowed` lists can be compared with it.
"""

from __future__ import annotations

from gamecore.model.events import events
from gamecore.model.events.refusals import Refused
from gamecore.model.places import Place
from gamecore.table import Table

_ANNOUNCEMENTS: tuple[events.Command, ...] = (
    events.PlaceBets(),
    events.NoMoreBets(),
    events.Offer("insurance"),
    events.Close("insurance"),
    events.Offer("surrender"),
    events.Close("surrender"),
    events.Interim(),
    events.Settle(),
)
_DECISIONS = (
    events.Hit,
    events.Stand,
    events.Double,
    events.FreeDouble,
    events.Split,
    events.FreeSplit,
    events.Rescue,
)


def candidates(table: Table) -> list[events.Command]:
    """Every command that could be meant now, allowed or not."""
    found: list[events.Command] = list(_ANNOUNCEMENTS)
    view = table.view()
    for number, box in sorted(view.round.boxes.items()):
        found.append(events.Squeeze(number))
        for slot, main in sorted(box.mains.items()):
            place = Place(number, 0, slot)
            found += [events.Insure(place, main.amount // 2)] if main.amount > 1 else []
            found += [events.EvenMoney(place), events.Surrender(place)]
        for index, hand in enumerate(box.hands):
            for slot in hand.stakes:
                found += [decision(Place(number, index + 1, slot)) for decision in _DECISIONS]
            found += [events.Collect(Place(number, index + 1)), events.Pay(Place(number, index + 1))]
        multipliers = view.rules.jackpot_multipliers.value
        found += [
            events.Jackpot(Place(number, 0, side.slot), multiplier)
            for side in box.sides
            if side.kind == "pandemonium"
            for multiplier in multipliers
        ]
    return found


def commands(table: Table) -> list[events.Command]:
    """What may be commanded now, stands that change nothing among it."""
    return [command for command in candidates(table) if table.can(command)]


def refusals(table: Table) -> list[tuple[events.Command, Refused]]:
    """What may not be commanded now, and why."""
    refused = [(command, table.verify(command)) for command in candidates(table)]
    return [(command, refusal) for command, refusal in refused if refusal is not None]
