"""What the shoe and the table report about cards: where they are, in every state of the round, held or not.

1. A card that leaves the shoe is a record in transit; a report of the table says where it lies. The one that is heard
   first waits for the other.
2. Where a card lies changes with each report, except of a place whose sensor is wrong. What follows depends on the role
   of the card (`gamecore.phases.cards.arrival`).
3. A card drawn between rounds is the burn if one is due, else a card in error, which is the next card dealt. If it lies
   in the discard holder when the next round draws a fresh card, it is out of play.
4. A face that the set does not know, or has too often, is found at once, wherever it appears.
"""

from __future__ import annotations

from gamecore.cards import matching, sensing, whereabouts
from gamecore.cards.queries import at_issue, in_transit, next_cards, settled_place
from gamecore.model.cards import UNREAD
from gamecore.model.events.events import (
    CardDrawn,
    CardLaid,
    CardMoved,
    CardPushedBack,
    CardsPulled,
    CardsTurned,
    SensorWrong,
)
from gamecore.model.events.facts import CardFact, CountedCard, CountFact, DeviceFact, OrderedCards
from gamecore.model.places import DISCARD, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases.cards import deal, shoe
from gamecore.phases.cards.arrival import arrive

SENSOR = "sensor"
"""The case of what no clause covers in which a device is at fault."""
_DUE_FOR_CERTAIN = frozenset({State.BETS_CLOSED, State.INITIAL_DEAL, State.DEALER_TURN})
_ARRIVING = Role.ARRIVING  # asked at every card: Python finds a member of an Enum slowly

# --- from the shoe -------------------------------------------------------------------------------------------------


def card_drawn(t: TableState, event: CardDrawn) -> None:
    """Count a card that left the shoe; where places are not sensed, deal it at once."""
    if t.hold.rights:
        shoe.end_rights_if_dealt(t)
    if event.face_up:
        _deal_what_is_out(t)
    record = _seen_before(t, event) if t.round.out_of_order else None
    early = record is not None
    if record is None:
        record = whereabouts.leave(t, event.card)
    if event.told is not None and not t.fitting.senses_places:
        whereabouts.presume(record, settled_place(t.round, event.told))
    if t.config.watches and not shoe.count_drawn_card(t, record, event.told, face_up=event.face_up):
        whereabouts.put_out(t.round, record)
    elif t.round.out_of_order or t.next_place is None or not t.fitting.senses_places or t.fitting.misread:
        _place_drawn(t, record, event, early=early)


def _place_drawn(t: TableState, record: CardRecord, event: CardDrawn, *, early: bool) -> None:
    """A card left the shoe and does not simply wait for the table's report of where it lies."""
    if not t.round_is_on and t.next_place is None:
        _between_rounds(t, record, record.felt or event.told)
    elif t.round.out_of_order and t.round_is_on and not t.hold.matters and (_set_aside(t) or t.hold.pulls):
        # others were to be dealt before it
        whereabouts.make_next(t.round, record)
        t.suspect(OrderedCards((record,), (event.told,) if event.told is not None else ()))
    elif early and record.felt is not None:
        whereabouts.lay(record, settled_place(t.round, record.felt))  # the box may have been split since
        arrive(t, record, record.felt, exposed=False)
    elif not t.fitting.senses_places or sensing.misread(t, deal.next_place(t)):
        _deal_told(t, record, event)


def _seen_before(t: TableState, event: CardDrawn) -> CardRecord | None:
    """A card that the table has seen on the layout before the shoe named it."""
    for record in t.round.records:
        if not record.from_shoe and record.role is Role.ARRIVING and event.card == record.card:
            whereabouts.dealt_after_all(t, record)
            return record
    if t.fitting.counts_only and not in_transit(t):
        unnamed = [r for r in t.round.records if not r.from_shoe and r.role is Role.ARRIVING and r.card is UNREAD]
        if unnamed:
            whereabouts.dealt_after_all(t, unnamed[0])
            whereabouts.name(unnamed[0], event.card)
            return unnamed[0]
    return None


def _set_aside(t: TableState) -> list[CardRecord]:
    """The cards that are to be dealt first. One that was discarded between rounds is out of play with a fresh card."""
    queue = next_cards(t)
    for record in queue:
        if record.felt == DISCARD and record.home == DISCARD and not t.hold.matters:
            whereabouts.put_out(t.round, record)
    return [record for record in queue if record.role is Role.NEXT]


def _between_rounds(t: TableState, record: CardRecord, place: Place | None) -> None:
    if place is not None:
        whereabouts.presume(record, settled_place(t.round, place))
    whereabouts.make_next(t.round, record)
    t.suspect(CardFact("card-in-error", record, (place,) if place is not None else ()))


def _deal_told(t: TableState, record: CardRecord, event: CardDrawn) -> None:
    place = event.told or deal.next_place(t)
    if place is None:  # nobody was due a card, and nobody says where it lies
        whereabouts.make_next(t.round, record)
        t.suspect(CardFact("card-in-error", record))
        return
    whereabouts.presume(record, settled_place(t.round, place))
    arrive(t, record, place, exposed=event.exposed)


def cards_pulled(t: TableState, event: CardsPulled) -> None:
    """Count cards that left the shoe in one pull; a pull of one is a card drawn like any other."""
    if len(event.cards) == 1:
        card_drawn(t, CardDrawn(event.cards[0]))
        return
    _deal_what_is_out(t)
    shoe.cards_pulled(t, event)


def _deal_what_is_out(t: TableState) -> None:
    """A card that left the shoe before what must be judged now, and lies nowhere yet, counts where it was due.

    Only if that is certain: in a Player's turn it may also be a later hand's.
    """
    if not t.fitting.senses_places or not t.round_is_on or t.hold.matters:
        return
    for record in in_transit(t):
        hand, place = t.next_hand, t.next_place
        if hand is None or place is None or not (hand.awaits_card or t.machine.state in _DUE_FOR_CERTAIN):
            return
        t.round.out_of_order = True  # nobody has seen it arrive
        deal.deal(t, record, hand, place)


def card_pushed_back(t: TableState, event: CardPushedBack) -> None:
    """Count a card as in the shoe again, and state it: no clause provides for that."""
    t.shoe.cards.pushed_back(event.card)
    fits = [r for r in t.round.records if r.card == event.card and r.role is not Role.BACK]
    fits.sort(key=lambda record: (record.felt is not None, record.role is Role.ON_HAND, -record.order))
    due = (t.next_place,) if t.next_place is not None else ()
    if not fits:
        t.suspect(CountFact("uncovered", places=due))
        return
    whereabouts.push_back(fits[0])
    t.suspect(CardFact("uncovered", fits[0], due))


# --- from the table ------------------------------------------------------------------------------------------------


def card_laid(t: TableState, event: CardLaid) -> None:
    """Find the card that is reported to lie at a place, and carry out what follows."""
    game_round, due, hand = t.round, t.next_place, t.next_hand
    if hand is not None and not game_round.out_of_order and event.place == due and game_round.records:
        latest = game_round.records[-1]
        fitting = t.fitting
        reads = fitting.senses_places and not fitting.misread and latest.card is not UNREAD
        if latest.role is _ARRIVING and latest.card is event.card and reads and not t.hold.matters:
            whereabouts.lay(latest, due)
            deal.deal(t, latest, hand, due, exposed=event.exposed)
            return
    place = settled_place(game_round, event.place)
    if sensing.misread(t, place) and not _is_awaited(t, event):
        return
    if t.fitting.counts_only and event.card is UNREAD:
        record, faces = matching.counted(t, place)
        if faces and not t.hold.matters:
            t.suspect(CountedCard(event.place, tuple(faces)))
            return
    else:
        record = matching.laid(t, event.card, place)
    if record is None:
        _appear(t, event, place)
        return
    if record.card is UNREAD and event.card is not UNREAD:
        shoe.name_card(t, record, event.card)
    was = record.felt
    put_back = record.lifted == place and not (record.role is Role.NEXT and deal.proper(t.next_place, place))
    whereabouts.lay(record, place)
    if place == DISCARD:
        whereabouts.go_to_holder(t.round, record)
    if not put_back:
        arrive(t, record, event.place, exposed=event.exposed, was=was)


def _is_awaited(t: TableState, event: CardLaid) -> bool:
    """Whether a card that waits lies where it is due, which needs no sensor."""
    waiting = [*in_transit(t), *next_cards(t), *(at_issue(t, t.hold.matters[0].finding) if t.hold.matters else [])]
    meant = any(record.card == event.card for record in waiting) or (t.fitting.counts_only and bool(waiting))
    return meant and deal.proper(deal.next_place(t), event.place)


def sensor_wrong(t: TableState, command: SensorWrong) -> None:
    """Let what lies at a place be told from now on; a card that was on its way there has arrived."""
    t.fitting.misread.add(command.place.box)
    t.suspect(DeviceFact("uncovered", sensing.HUB, SENSOR, (command.place,)))
    for record in in_transit(t):
        due = deal.next_place(t)
        if due is not None and sensing.misread(t, due):
            whereabouts.presume(record, settled_place(t.round, due))
            arrive(t, record, due, exposed=False)


def _appear(t: TableState, event: CardLaid, place: Place) -> None:
    """A card lies at a place and nothing that left the shoe fits: perhaps the shoe's report comes later."""
    record = whereabouts.appear(t, event.card, place)
    proof = t.shoe.cards.appeared(event.card) if t.config.watches else None
    if proof is not None:
        whereabouts.put_out(t.round, record)
        t.suspect(CardFact(proof, record, (event.place,)))


def match_appeared(t: TableState) -> bool:
    """Join a card that the table reported first with the one that the shoe has named; False if there is none.

    Where places only count, it is the one that an arrival means, once there is only one.
    """
    if t.hold.matters:
        return False
    for seen in [record for record in t.round.records if record.role is Role.ARRIVING and not record.from_shoe]:
        if seen.felt is None:
            continue
        if seen.card is UNREAD and t.fitting.counts_only:
            fits, _ = matching.counted(t, seen.felt)
        else:
            fits = next((record for record in in_transit(t) if record.card == seen.card), None)
        if fits is not None:
            place = seen.felt
            whereabouts.is_another(t.round, seen, fits, place)
            arrive(t, fits, place, exposed=False)
            return True
    return False


def card_moved(t: TableState, event: CardMoved) -> None:
    """Find the card that was moved by hand, and carry out what follows."""
    if sensing.misread(t, event.source) and sensing.misread(t, event.target):
        return
    t.round.out_of_order = True
    if t.fitting.counts_only:
        t.round.moved_by_word |= {event.source.box, event.target.box}
    record = matching.moved(t, event.card, event.source, event.target)
    target = settled_place(t.round, event.target)
    if record is None:
        _appear(t, CardLaid(event.card, event.target), target)
        if t.round_is_on and not t.facts and not t.hold.matters:  # it was seen to be moved, and no shoe has dealt it
            t.suspect(CardFact("uncovered", t.round.records[-1], (event.source, event.target)))
        return
    if matching.had_arrived(t, record, event.source):
        whereabouts.presume(record, settled_place(t.round, event.source))
    was = record.felt
    whereabouts.lay(record, target)
    if target == DISCARD:
        whereabouts.go_to_holder(t.round, record)
    if was != target:
        arrive(t, record, event.target, exposed=False, was=was)


def cards_turned(t: TableState, event: CardsTurned) -> None:
    """Turn up the face-down cards of a box (RWS 3.12)."""
    box = t.round.boxes.get(event.box)
    for hand in box.hands if box is not None else []:
        whereabouts.turn_up(hand)
