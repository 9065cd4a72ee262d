"""What may be said now, in the words of the notation.

1. It is what `gamecore.view.allowed` lists, found at less cost: only what the state of the round leaves possible is
   put to the table. A stand that would change nothing is left out.
2. A statement is as short as it can be: the hand is left out where a box has one, the slot where its Player controls
   the box.
3. Where places are told, a decision may end the initial deal. What it would be then is supposed once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

from gamecore.model import events as ev
from gamecore.model.machine import State
from gamecore.model.places import Place
from gamecore.model.round import Box
from gamecore.model.state import TableState
from gamecore.notation.writer import write_event
from gamecore.phases import told, turns
from gamecore.phases.closing import jackpots_due
from gamecore.phases.offers import INSURANCE, OPEN, SURRENDER
from gamecore.rules.ruleset import SILENT
from gamecore.table import Table

_DECIDING = frozenset({State.OFFERS, State.PLAYER_TURN})
_DEALT = frozenset({*_DECIDING, State.DEALER_TURN, State.SETTLEMENT})
_SPOKEN: tuple[ev.Command, ...] = (
    ev.PlaceBets(),
    ev.NoMoreBets(),
    ev.Offer(INSURANCE),
    ev.Close(INSURANCE),
    ev.Offer(SURRENDER),
    ev.Close(SURRENDER),
    ev.Interim(),
    ev.Settle(),
)
_DECISIONS = (ev.Hit, ev.Stand, ev.Double, ev.Split)
_FREE = (ev.FreeDouble, ev.FreeSplit)


def can(table: Table) -> list[dict[str, object]]:
    """What may be said now, and the hand or box that it speaks of."""
    return [_worded(table.knows, command) for command in commands(table)]


def commands(table: Table) -> list[ev.Command]:
    """What may be commanded now, less the stands that change nothing."""
    t = table.knows
    if t.matters:
        return []
    if not t.round_is_on:
        return [command for command in _SPOKEN[:1] if table.can(command)]
    boxes = sorted(item for item in t.round.boxes.items() if item[0] <= t.config.boxes)
    found = [command for command in _SPOKEN if table.can(command)]
    if t.rules.squeeze.value:
        found += [squeeze for number, _ in boxes if table.can(squeeze := ev.Squeeze(number))]
    with told.as_if_over(t) if told.presumed_over(t) else nullcontext():
        found += [command for _, box in boxes for command in _after_deal(t, box) if table.can(command)]
    found += [command for command in _late(t) if table.can(command)]
    found += [command for command in _agreements(table) if table.can(command)]
    return found


def _after_deal(t: TableState, box: Box) -> Iterator[ev.Command]:
    """What may be meant for a box once the initial deal is over."""
    if t.machine.state not in _DEALT:
        return
    number = box.number
    knows_free = SILENT not in {t.rules.free_doubles.clause, t.rules.free_splits.clause}
    decisions = (*_DECISIONS, *_FREE) if knows_free else _DECISIONS
    if OPEN in t.round.offers.values():
        for slot, main in sorted(box.mains.items()):
            place = Place(number, 0, slot)
            if main.amount > 1:
                yield ev.Insure(place, main.amount // 2)
            yield ev.EvenMoney(place)
            yield ev.Surrender(place)
    for index, hand in enumerate(box.hands):
        for slot in _deciding(t, box, index):
            yield from (decision(Place(number, index + 1, slot)) for decision in decisions)
        if not hand.settled:
            yield ev.Collect(Place(number, index + 1))
            yield ev.Pay(Place(number, index + 1))


def _deciding(t: TableState, box: Box, index: int) -> list[int]:
    """The slots whose Player may decide on a hand: who controls the box, and who may join him.

    It is the hand whose turn it is; where places are told, a later one can be meant too (`gamecore.phases.told`).
    """
    turn, hand = t.round.turn, box.hands[index]
    if turn is None or t.machine.state not in _DECIDING or turns.takes_no_card(t.rules, hand):
        return []
    if box is turn and index == t.round.turn_hand:
        return list(hand.stakes) if hand.doubled or t.just_split else [box.controller]
    return [box.controller] if not t.senses_places and box.number > turn.number else []


def _late(t: TableState) -> Iterator[ev.Command]:
    """What follows a card: the doubled portion taken back, the button of the jackpot meter pressed."""
    if t.last_doubled is not None:
        for number, box in t.round.boxes.items():
            for index, hand in enumerate(box.hands):
                if hand is t.last_doubled:
                    yield from (ev.Rescue(Place(number, index + 1, slot)) for slot in hand.stakes)
    multipliers = t.rules.jackpot_multipliers.value
    for number, side in jackpots_due(t) if multipliers else ():
        yield from (ev.Jackpot(Place(number, 0, side.slot), multiplier) for multiplier in multipliers)


def _agreements(table: Table) -> Iterator[ev.Command]:
    """Whom Players with equal claims may agree on."""
    for claimed in table.claims():
        others = [player for player in claimed.equal if player != claimed.first]
        yield from (ev.Agree(claimed.place, claimed.kind, player) for player in others)


def _worded(t: TableState, command: ev.Command) -> dict[str, object]:
    """A command in words, and the hand or box of which it speaks."""
    if isinstance(command, ev.Squeeze):
        return {"statement": write_event(command), "place": str(command.box)}
    place = getattr(command, "place", None)
    if not isinstance(place, Place):
        return {"statement": write_event(command), "place": None}
    box = t.round.boxes[place.box]
    hand = place.hand if len(box.hands) > 1 else 0
    controls = place.slot == box.controller and not isinstance(command, ev.Jackpot)
    short = Place(place.box, hand, 0 if controls else place.slot)
    worded = write_event(replace(command, place=short))  # type: ignore[arg-type]  # it has a place, as was seen
    return {"statement": worded, "place": str(Place(place.box, hand))}
