"""A position as a person chooses it: the game, the boxes, wagers, and the cards of each hand.

1. A position knows nothing of the order in which cards are dealt, nor whether it is legal: `arranged` says both.
2. `changed` does to it what hands do at a table, said as a statement: a named card is drawn to a place, carried or
   lifted, chips are placed or taken back. Anything else is no change of a position.
3. `position_of` is the position at a table: what lies there, whatever has led to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from gamecore.model.cards import UNREAD, Card, CardError, card
from gamecore.model.events import events as ev
from gamecore.model.money import MoneyError, cents, dollars
from gamecore.model.places import DEALER, Place
from gamecore.notation.syntax import Draw, What
from gamecore.rules.games import GAMES
from gamecore.table import Table

MOST_CARDS = 22
"""Cards of one hand: more than any game lets a hand have."""


class PositionError(ValueError):
    """This is no position, or no change of one."""


class Chips(NamedTuple):
    """A wager: its box and slot, its kind, its cents."""

    box: int
    slot: int
    kind: str
    amount: int


@dataclass(frozen=True, slots=True)
class Position:
    """What is chosen. `hands` has the cards of each box, and under 0 those of the Dealer."""

    game: str
    boxes: int
    chips: tuple[Chips, ...] = ()
    hands: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """The position as JSON has it."""
        return {
            "game": self.game,
            "boxes": self.boxes,
            "chips": [{**one._asdict(), "amount": dollars(one.amount)} for one in self.chips],
            "hands": {str(box): list(map(str, cards)) for box, cards in sorted(self.hands.items()) if cards},
        }


def read_position(said: object) -> Position:
    """The position that JSON describes.

    Raises:
        PositionError: it describes none.
    """
    if not isinstance(said, dict):
        raise PositionError("this is no position")
    try:
        least, most = GAMES[said["game"]].boxes.value
        boxes = said["boxes"]
        chips = tuple(
            Chips(int(one["box"]), int(one["slot"]), str(one["kind"]), cents(one["amount"]))
            for one in said.get("chips", [])
        )
        hands = {int(box): tuple(card(one) for one in cards) for box, cards in said.get("hands", {}).items()}
    except (AttributeError, LookupError, TypeError, ValueError, MoneyError, CardError) as error:
        raise PositionError(f"this is no position: {error}") from error
    if type(boxes) is not int or not least <= boxes <= most:
        raise PositionError(f"boxes: expected {least} to {most}")
    if any(not 0 <= box <= boxes or len(cards) > MOST_CARDS for box, cards in hands.items()):
        raise PositionError("there is no such hand")
    return Position(str(said["game"]), boxes, chips, hands)


def changed(position: Position, what: What) -> Position:
    """The position after hands have done this.

    Raises:
        PositionError: it is no change of a position.
    """
    match what:
        case Draw(place=Place() as place, card=Card() as drawn):
            return _with_card(position, drawn, place)
        case ev.CardMoved(carried, source, target):
            return _with_card(_without_card(position, carried, source), carried, target)
        case ev.CardLifted(carried, source):
            return _without_card(position, carried, source)
        case ev.WagerPlaced(place, kind, amount, None):
            spot = (place.box, place.slot or 1, kind)
            kept = tuple(one for one in position.chips if one[:3] != spot)
            return replace(position, chips=tuple(sorted((*kept, Chips(*spot, amount)))))
        case ev.WagerRemoved(place, kind):
            kept = tuple(one for one in position.chips if one[:3] != (place.box, place.slot or 1, kind))
            return replace(position, chips=kept)
        case _:
            raise PositionError("only cards and chips are set up by hand: write the rest into the text")


def _box(place: Place) -> int:
    """The hand at a place.

    Raises:
        PositionError: no hand lies there.
    """
    if place == DEALER:
        return 0
    if place.box < 1:
        raise PositionError("only the hands of boxes and Dealer are set up")
    return place.box


def _with_card(position: Position, drawn: Card, place: Place) -> Position:
    box = _box(place)
    if drawn == UNREAD:
        raise PositionError("a card that nobody knows is written into the text")
    cards = (*position.hands.get(box, ()), drawn)
    if len(cards) > MOST_CARDS:
        raise PositionError("no hand has so many cards")
    return replace(position, hands={**position.hands, box: cards})


def _without_card(position: Position, carried: Card, place: Place) -> Position:
    box = _box(place)
    cards = list(position.hands.get(box, ()))
    if carried not in cards:
        raise PositionError(f"{carried} does not lie there")
    del cards[len(cards) - 1 - cards[::-1].index(carried)]
    return replace(position, hands={**position.hands, box: tuple(cards)})


def position_of(table: Table, boxes: int) -> Position:
    """What lies at a table."""
    now = table.view().round
    chips: list[Chips] = []
    hands = {0: now.dealer.cards}
    for number, box in now.boxes.items():
        chips += [Chips(number, main.slot, "main", main.amount) for main in box.mains.values()]
        chips += [Chips(number, side.slot, side.kind, side.amount) for side in box.sides]
        hands[number] = tuple(card for hand in box.hands for card in hand.cards)
    lying = {box: cards for box, cards in hands.items() if cards}
    return Position(table.view().rules.id, boxes, tuple(sorted(chips)), lying)
