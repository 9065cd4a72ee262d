"""The difference between where cards lie and what they count for.

1. `lies_right` says where a card may lie. A card on a hand belongs at its place, or where it lay when a ruling gave it
   to the hand; once the hand is over it may also lie in the discard holder or at the burn. A card that is next, out of
   play or burnt may lie anywhere but on a playing area, and where it lay when it got that role.
2. What a ruling demands is a list of moves: a deal put back in order, cards to the discard holder. A card that
   somebody has moved off its hand meanwhile joins the list of whatever is open.
3. The list is computed from where the cards lie now, so that after each move the rest is right. Equal cards are
   interchangeable: a place that holds what it should holds it in any order. The number of moves is the number of cards
   too many, place by place, and no list can be shorter, because one move can mend at most one of them.
4. A card that is to be discarded is done when it has left its place: the discard holder counts and does not name.
5. A card in transit is no difference: it is on its way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gamecore.cards import sensing
from gamecore.cards.order import belongs, counts_at, early, misplaced
from gamecore.cards.queries import dealt, place_of, put_out_by
from gamecore.model.cards import Card
from gamecore.model.events.facts import EarlyCard
from gamecore.model.events.outputs import Move, Obstacle
from gamecore.model.hands import Hand
from gamecore.model.matters import Demand, Matter
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState


@dataclass(frozen=True, slots=True)
class Wanted:
    """A card, where it lies and where it belongs; `belongs` is None for a card that returns as the next card."""

    card: Card
    lies: Place
    belongs: Place | None


def is_over(hand: Hand) -> bool:
    """Whether the cards of a hand may be cleared away: it is bust, settled, given up or left by all."""
    return hand.settled or hand.bust or (bool(hand.stakes) and not hand.in_play)


def lies_right(t: TableState, record: CardRecord) -> bool:
    """Whether a card lies where it may, or is on its way."""
    felt = record.felt
    if felt is None or felt == record.home:
        return True
    if record.role is Role.ON_HAND and record.hand is not None:
        at_hand = felt == place_of(t.round, record.hand)
        return at_hand or (felt.box < DEALER.box and is_over(record.hand))
    if record.hand is not None and felt.box == place_of(t.round, record.hand).box:  # taken off that hand, and back
        return bool(t.hold.matters) or is_over(record.hand)
    return not is_playing_area(t, felt)


def is_playing_area(t: TableState, place: Place) -> bool:
    """Whether a place is the Dealer's hand or a box that plays in the round; while bets are open, any box may."""
    if place.box <= DEALER.box or t.bets_open:
        return place.box >= DEALER.box
    box = t.round.boxes.get(place.box)
    return box is not None and bool(box.mains)


def moved_off(t: TableState) -> list[CardRecord]:
    """Cards that count for a hand and lie where they may not."""
    return [record for record in t.round.records if record.role is Role.ON_HAND and not lies_right(t, record)]


def list_moves(t: TableState, matter: Matter) -> None:
    """Let the finding of a matter list the moves that are still to be made."""
    matter.finding.moves = remaining(t, matter)


def remaining(t: TableState, matter: Matter) -> tuple[Move, ...]:
    """The moves still to be made for a matter, and those that undo what nobody asked for."""
    if matter.demand is Demand.RECONSTRUCT:
        wanted = [_wanted(t, record, place) for record, place in belongs(t) if record.felt is not None]
        return shortest_moves(wanted)
    asked = matter.demand is Demand.DISCARD  # else only what was laid on a playing area against its role
    out = [r for r in put_out_by(t, matter.finding) if r.felt is not None and (asked or r.felt != r.home)]
    discards = [Wanted(r.card, r.felt, DISCARD) for r in out if r.felt is not None and r.felt.box >= DEALER.box]
    others = [wanted for record, wanted in _still_to_discard(t) if record not in out and wanted.lies != record.home]
    return (*shortest_moves([*discards, *others, *_moved_away(t)]), *_laid_early(t, matter))


def _laid_early(t: TableState, matter: Matter) -> tuple[Move, ...]:
    """What was laid before its ruling and belongs on another hand by it; one that belongs on none is listed already."""
    if not isinstance(matter.fact, EarlyCard):
        return ()
    record = matter.fact.record
    goes = record.goes if record.role is Role.GIVEN and record.goes != BURN else None
    if record.felt is None or goes is None or goes.box == record.felt.box or lies_right(t, record):
        return ()
    return (Move(record.card, record.felt, goes),)


def put_back_moves(t: TableState) -> tuple[Move, ...]:
    """The moves that undo what was done against a ruling: a card off its hand, one out of play on a playing area."""
    discards = [wanted for record, wanted in _still_to_discard(t) if wanted.lies != record.home]
    return shortest_moves([*discards, *_moved_away(t)])


def discard_moves(t: TableState) -> tuple[Move, ...]:
    """The moves that take away every card that a ruling discards, even where the house has let it lie."""
    return shortest_moves([wanted for _, wanted in _still_to_discard(t)])


def _still_to_discard(t: TableState) -> list[tuple[CardRecord, Wanted]]:
    """Cards that a ruling has put out of play, and that lie on a playing area."""
    if not t.fitting.senses_places or not t.round.findings:
        return []
    out = [record for record in t.round.records if record.role is Role.OUT and record.finding is not None]
    there = [(record, record.felt) for record in out if record.felt is not None and is_playing_area(t, record.felt)]
    return [(record, Wanted(record.card, felt, DISCARD)) for record, felt in there]


def _moved_away(t: TableState) -> list[Wanted]:
    """Every card that was moved off its hand, or from the burn to a playing area, and where it belongs."""
    burnt = [
        Wanted(record.card, record.felt, BURN)
        for record in (t.round.records if t.fitting.senses_places else ())
        if record.role is Role.BURNT or (record.role is Role.GIVEN and record.goes == BURN)
        if record.felt is not None and record.felt != record.home and is_playing_area(t, record.felt)
    ]
    off = [
        Wanted(record.card, record.felt, place_of(t.round, record.hand))
        for record in moved_off(t)
        if record.felt is not None and record.hand is not None
    ]
    return [*off, *burnt]


def moves_not_made(t: TableState, moves: tuple[Move, ...]) -> list[Move]:
    """The moves that have not been made, as the sensors see; where places only count, by a card too many or too few.

    A card that lies where the sensor is right has not been moved, whatever the sensor of its target says.
    """
    if not t.fitting.senses_places or sensing.HUB in t.fitting.away:
        return []
    if t.fitting.counts_only:
        too_many = Counter(move.source for move in moves)
        too_many.subtract(move.target for move in moves)
        moves = tuple(move for move in moves if too_many[move.source] or too_many[move.target])
    return [move for move in moves if not sensing.misread(t, move.source)]


def _wanted(t: TableState, record: CardRecord, place: Place | None) -> Wanted:
    lies = record.felt
    if lies is None or (place is not None and place == counts_at(t, record) and lies_right(t, record)):
        lies = place  # a ruling gave it to the hand, and it may lie where it lies
    return Wanted(record.card, lies or DEALER, place)


def shortest_moves(cards: Iterable[Wanted]) -> tuple[Move, ...]:
    """The shortest list of moves that puts every card where it belongs, in the order of the deal."""
    wanted = [card for card in cards if card.belongs is not None]
    too_many: Counter[tuple[Card, Place]] = Counter()
    too_few: Counter[tuple[Card, Place]] = Counter()
    for item in wanted:
        too_many[item.card, item.lies] += 1
        if item.belongs is not None:
            too_few[item.card, item.belongs] += 1
    common = too_many & too_few
    too_many -= common
    too_few -= common
    moves = []
    for item in wanted:
        if item.belongs is None or too_few[item.card, item.belongs] <= 0:
            continue
        source = next(place for (card, place), count in too_many.items() if card == item.card and count > 0)
        too_few[item.card, item.belongs] -= 1
        too_many[item.card, source] -= 1
        moves.append(Move(item.card, source, item.belongs))
    return tuple(moves)


def show_moves(t: TableState, *, anew: bool = False) -> None:
    """Let the open findings list what is to be moved; a move that was made stays listed until the list changes."""
    for matter in t.hold.matters:
        left = remaining(t, matter)
        if left and (anew or any(move not in matter.finding.moves for move in left)):
            list_moves(t, matter)


def obstacle(t: TableState) -> Obstacle | None:
    """Why the cards may not be capable of being put back: a value or an order unknown, a later decision; else None.

    The house decides (`cannot-reconstruct`). Then MBS 5.2 voids early and 6.1 refers late; at RWS 5.7.1 applies.
    """
    records = dealt(t)
    if any(not record.card.readable for record in records if record.role is not Role.BURNT):
        return Obstacle.VALUE_UNKNOWN
    if any(matter.finding.code == "double-draw" for matter in (*t.hold.matters, *t.hold.pulls)):
        return Obstacle.ORDER_UNKNOWN
    first = next((record for record in records if misplaced(t, record)), None) if not t.fitting.senses_places else None
    hand = t.round.hand_at(first.felt) if first is not None and first.felt is not None and not early(t) else None
    if hand is not None and first is not None and hand is not t.round.dealer and _relied_on(hand, first):
        return Obstacle.RELIED_ON
    return None


def _relied_on(hand: Hand, record: CardRecord) -> bool:
    """Whether a hand was stood, doubled or split after a card that did not belong to it."""
    split = hand.split and (record.due is None or not record.due.hand)  # a hand that is named was split before
    return (hand.stood and not record.stood) or hand.doubled or split
