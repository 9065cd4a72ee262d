"""Irregular acts: what somebody may do at a table that the rules do not provide for, or do not expect now.

1. An act looks at the table and gives an event, or None if it cannot be done. It is true to the cards: what is
   moved, lifted or laid is a card that, for all it can tell, is out of the shoe. `arbitrary_events` alone invents.
2. How often each is chosen stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamecore.cards.queries import in_transit, next_cards
from gamecore.model.cards import JOKER, UNREAD, Card
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.model.records import CardRecord, Role
from gamecore.rules.codes import CODES
from tests.gamecore.play import arbitrary_events
from tests.gamecore.properties import regular
from tests.gamecore.properties.tables import Play


def somewhere(play: Play) -> Place:
    """A place of the layout where a card may come to lie."""
    boxes = [box for box in play.state.round.boxes.values() if box.mains]
    if boxes and play.chance.random() < 0.6:
        box = play.chance.choice(boxes)
        return box.place_of(play.chance.randrange(len(box.hands))) if box.hands else Place(box.number)
    return play.chance.choice((DEALER, DEALER, BURN, DISCARD, *(Place(n) for n in range(1, play.header.boxes + 1))))


def _out(play: Play) -> list[CardRecord]:
    return [record for record in play.state.round.records if record.role is not Role.BACK]


def lying(play: Play) -> list[CardRecord]:
    """The cards that lie on the layout."""
    return [record for record in _out(play) if record.felt is not None and record.lifted is None]


def misplaced(play: Play) -> Event | None:
    """The next card, anywhere: laid now, or as soon as it has left the shoe."""
    play.aim = somewhere(play)
    return regular.card(play, play.aim)


def fresh(play: Play) -> Event | None:
    """A card leaves the shoe, whatever else is out."""
    card = play.a_card()
    told = None if play.state.fitting.senses_places else somewhere(play)
    return events.CardDrawn(card, told, face_up=play.chance.random() < 0.1)


def waiting_laid(play: Play) -> Event | None:
    """A card that is out and lies nowhere, or is next, is laid anywhere."""
    records = [r for r in _out(play) if r.felt is None or r.lifted is not None] + next_cards(play.state)
    if not records:
        return None
    place = play.table.next_place if play.chance.random() < 0.3 else somewhere(play)
    return regular.laid(play, play.chance.choice(records).card, place or DEALER)


def moved(play: Play) -> Event | None:
    """A card that lies is moved."""
    records = lying(play)
    if not records:
        return None
    record = play.chance.choice(records)
    assert record.felt is not None
    return events.CardMoved(record.card, record.felt, somewhere(play))


def moved_home(play: Play) -> Event | None:
    """A card that was moved last is moved back."""
    last = play.events[-1] if play.events else None
    if not isinstance(last, events.CardMoved):
        return None
    return events.CardMoved(last.card, last.target, last.source)


def lifted(play: Play) -> Event | None:
    """A card that lies is lifted."""
    records = lying(play)
    if not records:
        return None
    record = play.chance.choice(records)
    assert record.felt is not None
    return events.CardLifted(UNREAD if play.state.fitting.counts_only else record.card, record.felt)


def pulled(play: Play) -> Event | None:
    """Several cards leave the shoe at once."""
    cards = tuple(play.a_card() for _ in range(play.chance.choice((2, 2, 2, 3))))
    shown = tuple(cards[: play.chance.choice((0, 0, 1, 1, 2))])
    return events.CardsPulled(cards, shown, play.chance.random() < 0.15)


def disclosed(play: Play) -> Event | None:
    """Which cards of the last pull are seen."""
    last = play.events[-1] if play.events else None
    if not isinstance(last, events.CardsPulled):
        return None
    return events.CardsDisclosed(last.cards[: play.chance.randint(1, len(last.cards))])


def unread(play: Play) -> Event | None:
    """A card that the shoe cannot read."""
    return _odd(play, UNREAD)


def foreign(play: Play) -> Event | None:
    """A card that is not of the set."""
    return _odd(play, JOKER)


def _odd(play: Play, card: Card) -> Event:
    event = regular.card(play)
    return replace(event, card=card) if isinstance(event, events.CardDrawn) else event


def pushed_back(play: Play) -> Event | None:
    """A card goes back into the shoe."""
    records = in_transit(play.state) or _out(play)
    return events.CardPushedBack(play.chance.choice(records).card) if records else None


def report_of(play: Play) -> Event | None:
    """Somebody reports something, at a place of the layout or of the round before."""
    place = play.chance.choice((None, somewhere(play), play.table.next_place))
    return events.Call(play.chance.choice(sorted(CODES)), place, play.chance.choice((None, None, None, None, 1)))


def corrected(play: Play) -> Event | None:
    """The last command is taken back, or a report retracted."""
    corrections = play.table.corrections()
    return play.chance.choice(corrections) if corrections else None


def answered(play: Play) -> Event | None:
    """A question is answered, also one that holds nothing."""
    asks = play.state.asks
    return regular.answer(play, play.chance.choice(asks)) if asks else None


def word(play: Play) -> Event | None:
    """A word about a ruling, whatever is asked."""
    return play.chance.choice((events.Reconstructed(), events.CannotReconstruct(), events.Approve("shift-manager")))


def said(play: Play) -> Event | None:
    """Something that may be said now, whatever is due."""
    allowed = play.table.allowed()
    options = [*allowed.commands, *allowed.duties]
    return play.chance.choice(options) if options else None


def chips(play: Play) -> Event | None:
    """Chips arrive or leave, whenever that is."""
    spot = Place(play.chance.randint(1, min(3, play.header.boxes)), 0, play.chance.choice((1, 1, 2)))
    kind = play.chance.choice(("main", *play.rules.wager_kinds()))
    if play.chance.random() < 0.4:
        return events.WagerRemoved(spot, kind)
    return events.WagerPlaced(
        spot, kind, play.chance.choice((1_00, 25_00, 100_00, 900_00)), play.chance.choice((None, "ann"))
    )


def device(play: Play) -> Event | None:
    """Power, cables and the software."""
    return play.chance.choice(
        (
            events.PowerCut(),
            events.PowerOn(),
            events.Restarted(),
            events.Restarted(),
            events.LinkLost("hub"),
            events.LinkBack("hub"),
            events.LinkLost("shoe"),
            events.LinkBack("shoe"),
        )
    )


def counted(play: Play) -> Event | None:
    """A count, of the shoe or of the discard holder; the cutting card; the shoe loaded."""
    t = play.state
    right = t.shoe.cards.in_shoe
    return play.chance.choice(
        (
            events.ShoeCounted(right if play.chance.random() < 0.7 else right + 1),
            events.DiscardCounted(t.shoe.cards.size - right),
            events.CuttingCardOut(),
            events.ShoeOpened(),
            events.ShoeEmpty(),
            events.Shuffled("machine"),
            events.Loaded(t.shoe.cards.size),
        )
    )


def sensor(play: Play) -> Event | None:
    """Somebody says that the hub misreads a place."""
    return events.SensorWrong(somewhere(play))


def absent(play: Play) -> Event | None:
    """A Player is not there."""
    boxes = [number for number, box in play.state.round.boxes.items() if box.mains]
    return events.Absent(Place(play.chance.choice(boxes), 0, play.chance.choice((0, 0, 1, 2)))) if boxes else None


def laid_first(play: Play) -> Event | None:
    """The table reports a card before the shoe does."""
    if not play.state.fitting.senses_places:
        return None
    return regular.laid(play, play.a_card(), play.table.next_place or DEALER)


Act = Callable[[Play], Event | None]
ACTS: tuple[tuple[Act, float], ...] = (
    (misplaced, 4),
    (fresh, 2),
    (waiting_laid, 4),
    (moved, 4),
    (moved_home, 2),
    (lifted, 2),
    (pulled, 2.5),
    (disclosed, 1),
    (unread, 2),
    (foreign, 0.2),
    (pushed_back, 0.5),
    (report_of, 1.5),
    (corrected, 0.8),
    (answered, 2),
    (word, 1),
    (said, 2),
    (chips, 1),
    (device, 1),
    (counted, 0.5),
    (sensor, 0.4),
    (absent, 0.8),
    (laid_first, 0.7),
)


MOST_ODD = 4
"""Acts of a round that nobody wants: with more of them somebody stops the game."""


def irregularly(play: Play) -> Event:
    """An irregular act that can be done now."""
    for _ in range(8):
        act = play.chance.choices([act for act, _ in ACTS], [often for _, often in ACTS])[0]
        event = act(play)
        if event is not None:
            return event
    return arbitrary_events.anything(play.chance)


def once(play: Play) -> Event:
    """The one irregular act of a table: mostly a card at another place."""
    event = misplaced(play) if play.chance.random() < 0.6 else None
    return event if event is not None else irregularly(play)


def an_event(play: Play, irregular: float, wild: float) -> Event:
    """What is due, an irregular act, or anything at all; of these two a round has a few and no more."""
    odd = play.chance.random()
    if odd >= wild + irregular or play.odd >= MOST_ODD:
        return regular.due(play)
    play.odd += 1
    return arbitrary_events.anything(play.chance) if odd < wild else irregularly(play)
