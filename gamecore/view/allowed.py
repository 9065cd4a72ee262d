"""What may be commanded now: the panel's lit buttons, the console's menu, a robot's choices.

1. `candidates` lists every command that could be meant in this position, once for each place it could speak of.
2. `commands` keeps those that the table would take. `refusals` says of the others why not, and by which clause.
3. Amounts are the usual ones: a double of the original wager, insurance of half of it.
"""

from __future__ import annotations

from gamecore.model import events
from gamecore.model.outputs import Refused
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
    knows = table.knows
    for number, box in sorted(knows.round.boxes.items()):
        found.append(events.Squeeze(number))
        for slot, main in sorted(box.mains.items()):
            place = Place(number, 0, slot)
            found += [events.Insure(place, main.amount // 2)] if main.amount > 1 else []
            found += [events.EvenMoney(place), events.Surrender(place)]
        for index, hand in enumerate(box.hands):
            for slot in hand.stakes:
                found += [decision(Place(number, index + 1, slot)) for decision in _DECISIONS]
            found += [events.Collect(Place(number, index + 1)), events.Pay(Place(number, index + 1))]
        multipliers = knows.rules.jackpot_multipliers.value
        found += [
            events.Jackpot(Place(number, 0, side.slot), multiplier)
            for side in box.sides
            if side.kind == "pandemonium"
            for multiplier in multipliers
        ]
    for claimed in table.claims():
        others = [player for player in claimed.equal if player != claimed.first]
        found += [events.Agree(claimed.place, claimed.kind, player) for player in others]
    return found


def commands(table: Table) -> list[events.Command]:
    """What may be commanded now."""
    return [command for command in candidates(table) if table.can(command)]


def refusals(table: Table) -> list[tuple[events.Command, Refused]]:
    """What may not be commanded now, and why."""
    refused = [(command, table.verify(command)) for command in candidates(table)]
    return [(command, refusal) for command, refusal in refused if refusal is not None]
