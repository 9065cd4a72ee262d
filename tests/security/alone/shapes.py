"""Every shape of statement that a person could say at a table, with the places and words that can matter there.

1. Of each command one for every box that is wagered on, one box beside them, and the Dealer's place; of each code a
   report. The person who is asked answers everything that anybody could be asked for.
2. What sensors would report is said too where none is fitted: chips, and cards that are laid, moved or lifted.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamecore.model.cards import Card, card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command, Event
from gamecore.model.places import DEALER, Place
from gamecore.rules.codes import CODES
from gamecore.table import Table
from gamecore.view.view import TableView

ROLES = ("pit-supervisor", "pit-manager", "shift-manager")
ONCE: tuple[Command, ...] = (
    *(ev.PlaceBets(), ev.NoMoreBets(), ev.Interim(), ev.Settle(), ev.TakeBack()),
    *(ev.Reconstructed(), ev.Reconstructed(told=True), ev.CannotReconstruct(), ev.CardsDisclosed(())),
    *(ev.Offer("insurance"), ev.Offer("surrender"), ev.Close("insurance"), ev.Close("surrender")),
)
AT_A_PLACE = (
    *(ev.Hit, ev.Stand, ev.Double, ev.FreeDouble, ev.Split, ev.FreeSplit, ev.Rescue, ev.Surrender, ev.EvenMoney),
    *(ev.Collect, ev.Pay, ev.Absent, ev.StandUp, ev.SensorWrong, ev.Seat),
)
WORDS = (
    *("continue", "withdraw", "void", "shuffled", "unshuffled", "unknown", "accept", "decline", "reject", "agree"),
    *("yes", "no", "skipped", "refuse", "KD", "first", "second", "discard", "return", "play", "stand", "hit"),
)
OTHER = card("4C")


def shapes(table: Table) -> Iterator[Command]:
    """All of them that the table takes, but no report."""
    view = table.view()
    yield from filter(table.can, ONCE)
    for place in _places(view):
        said = [*(make(place) for make in AT_A_PLACE), ev.Insure(place, 5_00), ev.Squeeze(max(place.box, 1))]
        yield from filter(table.can, said)
    yield from filter(table.can, map(ev.Retract, CODES))
    yield from filter(table.can, _answers(view))
    for role in ROLES:
        codes = dict.fromkeys(("", *(one.code for one in view.pending)))
        yield from filter(table.can, (ev.Approve(role, code) for code in codes))


def reports(table: Table) -> Iterator[Command]:
    """Every report without a place, at a box with a wager and one without; against the sensors where they deny it."""
    wagered, *others = _places(table.view())
    places = (None, wagered, *(place for place in others if place.box > 0 and not place.hand))[:3]
    for code in CODES:
        taken = [call for call in (ev.Call(code, place) for place in places) if table.can(call)]
        yield from taken or filter(table.can, (ev.Call(code, place, told=True) for place in (*places, DEALER)))
        yield from filter(table.can, [ev.Call(code, None, 1)] if table.round_number > 1 else [])


def _places(view: TableView) -> list[Place]:
    """The first box with a wager, one without, the second hand of a box, the Dealer's place."""
    wagered = sorted(number for number, box in view.round.boxes.items() if box.mains or box.sides)
    empty = next(number for number in range(1, view.box_count + 2) if number not in wagered)
    turn = [] if view.round.turn is None else [view.round.turn.number]
    hands = [Place(number, 2) for number in wagered if len(view.round.boxes[number].hands) > 1]
    boxes = dict.fromkeys((*turn, *wagered[:1]))
    return [*map(Place, boxes), Place(empty), *hands[:1], DEALER]


def _answers(view: TableView) -> Iterator[Command]:
    who = dict.fromkeys((*(ask.who for ask in view.asks), "all", "pit", "house", "dealer"))
    options = [word for ask in view.asks for word in ask.options if word != "CARD"]  # which stands for any
    words = dict.fromkeys((*options, *WORDS))
    for name in who:
        yield from (ev.Answer(name, (word,)) for word in words)


def told(table: Table) -> Iterator[Event]:
    """What a person tells where no sensor does."""
    view = table.view()
    for place in _places(view):
        for kind in ("main", "pair"):
            yield ev.WagerPlaced(place._replace(slot=1), kind, 5_00)
            yield ev.WagerRemoved(place._replace(slot=1), kind)
        yield ev.CardLaid(OTHER, place)
        yield from (ev.CardMoved(one, place, other) for one in _lying(view, place) for other in _places(view)[:2])
        yield from (ev.CardLifted(one, place) for one in _lying(view, place))
    yield from (
        ev.Shuffled("riffle", 1),
        ev.ShoeOpened(),
        ev.ShoeCounted(10),
        ev.DiscardCounted(3),
        ev.CuttingCardOut(),
    )


def _lying(view: TableView, place: Place) -> list[Card]:
    if place == DEALER:
        return list(view.round.dealer.cards[:1])
    box = view.round.boxes.get(place.box)
    return [] if box is None or not box.hands else list(box.hands[0].cards[:1])
