"""Complete rounds through `Table.apply`, every box wagered.

1. The policy is the plainest that all three programs can play: draw below 17, else stand; no side wagers; offers are
   made and closed. Each card is two events, as at a table that senses places.
2. `live` makes each event when it is due and looks at the table to know which. `prepared` replays the events of such
   rounds: nothing but `Table.apply` is in the loop.
3. A hand is one box of one round. Cards come from shuffled shoes of the exact set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gamecore.model.cards import Card, deck
from gamecore.model.config import TableConfig
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.places import DEALER, Place
from gamecore.model.states import State
from gamecore.notation.playing.shoe import shuffled
from gamecore.rules.ruleset import Ruleset
from gamecore.table import Table

DECKS = 8
DRAWS_BELOW = 17
WAGER = 25_00
SENSORS = frozenset({"shoe", "positions", "bets", "discard", "panel"})
OFFERS = (events.Offer("insurance"), events.Offer("surrender"))
NEEDED = 100
"""More cards than a round takes."""


def table_of(rules: Ruleset, *, watches: bool = True) -> Table:
    """A table in mid-use: no burn is due. Without `watches` its detectors are switched off."""
    boxes = rules.boxes.value[1]
    return Table(rules, TableConfig(DECKS, boxes, {}, False, False, "machine", SENSORS, watches=watches))


def shoes(rules: Ruleset, seed: int) -> Iterator[list[Card]]:
    """Shuffled shoes, one after the other."""
    cards = deck(rules.ranks.value) * DECKS
    while True:
        yield shuffled(cards, seed)
        seed += 1


def play(table: Table, apply: Callable[[Event], object], shoe: list[Card], boxes: int) -> None:
    """One round."""
    apply(events.PlaceBets())
    for box in range(1, boxes + 1):
        apply(events.WagerPlaced(Place(box, 0, 1), "main", WAGER))
    apply(events.NoMoreBets())
    while table.state is not State.COMPLETE:
        place = table.next_place
        match table.state:
            case State.OFFERS:
                for offer in OFFERS:
                    if table.can(offer):
                        apply(offer)
                        apply(events.Close(offer.what))
            case State.SETTLEMENT:
                apply(events.Settle())
            case State.PLAYER_TURN if place is not None and _stands(table, place):
                apply(events.Stand(place))
            case _:
                card = shoe.pop()
                apply(events.CardDrawn(card))
                apply(events.CardLaid(card, place if place is not None else DEALER))


def load(apply: Callable[[Event], object], shoe: list[Card]) -> None:
    """A new shoe, shuffled and loaded."""
    apply(events.Shuffled("machine"))
    apply(events.Loaded(len(shoe)))


def _stands(table: Table, place: Place) -> bool:
    total = table.total(place)
    return total is not None and total[0] >= DRAWS_BELOW


def live(rules: Ruleset, rounds: int, seed: int, *, watches: bool = True) -> Callable[[], int]:
    """Return a run of this many rounds with events made on the way; the run returns how many hands were played."""
    boxes = rules.boxes.value[1]
    supply = shoes(rules, seed)
    stock = [next(supply) for _ in range(1 + rounds * NEEDED // (DECKS * len(rules.ranks.value) * 4 - NEEDED))]

    def run() -> int:
        table, left = table_of(rules, watches=watches), [list(cards) for cards in stock]
        shoe = left.pop()
        for _ in range(rounds):
            if len(shoe) < NEEDED:
                shoe = left.pop()
                load(table.apply, shoe)
            play(table, table.apply, shoe, boxes)
        return rounds * boxes

    return run


def prepared(rules: Ruleset, rounds: int, seed: int, *, watches: bool = True) -> Callable[[], int]:
    """Return a run of the same rounds from a record of their events."""
    boxes = rules.boxes.value[1]
    record = record_of(rules, rounds, seed)

    def run() -> int:
        apply = table_of(rules, watches=watches).apply
        for event in record:
            apply(event)
        return rounds * boxes

    return run


def record_of(rules: Ruleset, rounds: int, seed: int) -> list[Event]:
    """The events of this many rounds."""
    record: list[Event] = []
    table, supply = table_of(rules), shoes(rules, seed)
    shoe = next(supply)

    def apply(event: Event) -> None:
        record.append(event)
        table.apply(event)

    for _ in range(rounds):
        if len(shoe) < NEEDED:
            shoe = next(supply)
            load(apply, shoe)
        play(table, apply, shoe, rules.boxes.value[1])
    return record
