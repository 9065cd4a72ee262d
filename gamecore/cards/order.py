"""The intended order: where each card belongs by the order of leaving the shoe (RWS 1.27).

1. In the initial deal the i-th card belongs at the i-th place of the proper order, a burn that was due first. Where the
   house has let a card be out of play, the others stay where they were due.
2. Late, a card belongs where it was due when it was dealt. One that nobody was due is the next card.
3. Where places are told, an error of the initial deal may be said late. If the deal took too many cards or too few,
   every later card belongs elsewhere too, and all is laid again, where the rules put the whole deal back (RWS 5.9). At
   MBS what was passed over has clauses of its own, and only cards at one another's places belong elsewhere
   (`gamecore.cards.as_dealt`). What was dealt since stays where it was due.
4. A hand that all its Players have left is dealt to no more, unless a side wager of somebody else needs its cards.
5. Strays that left the shoe after others which still wait to be dealt follow those.
"""

from __future__ import annotations

from gamecore.cards.queries import after_next, dealt, place_of, settled_place, strays
from gamecore.model.hands import Hand
from gamecore.model.places import BURN, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.rules import side_wagers
from gamecore.rules.ruleset import Decider


def early(t: TableState) -> bool:
    """Whether the initial deal can be laid again as a whole: before the subsequent deal, and before a settlement."""
    return not t.round.subsequent and not t.round.interim


def proper(t: TableState) -> list[Place]:
    """The proper order of the initial deal, with a burn that was due."""
    return ([BURN] if t.round.burn_was_due else []) + [place for place, _ in t.round.deal]


def is_dealt_to(t: TableState, place: Place, hand: Hand) -> bool:
    """Whether a hand gets cards of the initial deal: not one that all its Players have left (RWS 5.7.3, MBS 5.25).

    Somebody else's side wager that needs the first two cards is a wager on that playing area all the same (MBS 3.18).
    """
    if hand.in_play or not hand.stakes:
        return True
    box, on_cards = t.round.boxes[place.box], {Decider.FIRST_TWO_CARDS, Decider.NATURAL}
    waits = [side for side in box.sides if not side.returned_by and not side.after_split]
    return side_wagers.initial_cards(box) is None and any(
        t.rules.side(side.kind).decided_by in on_cards for side in waits
    )


def intended(t: TableState) -> Place | None:
    """Where the next card of the initial deal belongs by the order of leaving the shoe; None beyond the deal."""
    order, index = proper(t), len(dealt(t))
    return order[index] if index < len(order) else None


def counts_at(t: TableState, record: CardRecord) -> Place | None:
    """The place where a card counts; None for a card that counts for no hand."""
    if record.role is Role.ON_HAND and record.hand is not None:
        return place_of(t.round, record.hand)
    return BURN if record.role is Role.BURNT else None


def misplaced(t: TableState, record: CardRecord) -> bool:
    """Whether a card counts nowhere, or elsewhere than where it was due."""
    at = counts_at(t, record)
    due = record.due
    if at is None or due is None or due.box != at.box:
        return True
    return due.hand > 0 and at.hand > 0 and due.hand != at.hand


def broken(t: TableState) -> bool:
    """Whether places are told and cards of the initial deal count elsewhere than where they were due."""
    return not t.fitting.senses_places and any(misplaced(t, record) for record in dealt(t) if not record.subsequent)


def shifted(t: TableState) -> bool:
    """Whether the initial deal took too many cards or too few, so that every later card belongs elsewhere."""
    records = dealt(t)
    if t.fitting.senses_places or not t.rules.whole_deal_put_back_late.value:
        return False
    if not any(misplaced(t, record) for record in records):
        return False
    return len([record for record in records if not record.subsequent]) != len(proper(t))


def laid_anew(t: TableState) -> bool:
    """Whether a reconstruction lays again whatever of the deal is not in order."""
    return early(t) or shifted(t)


def left_out(t: TableState) -> bool:
    """Whether a card of the deal is out of play, and no other lies elsewhere: these stay where they were due."""
    gone = [r for r in t.round.records if r.role in {Role.BACK, Role.OUT} and r.due is not None and not r.subsequent]
    astray = strays(t)
    return bool(gone) and not any(misplaced(t, record) for record in dealt(t) if record not in astray)


def belongs(t: TableState) -> list[tuple[CardRecord, Place | None]]:
    """Every card that a reconstruction speaks of, and where it belongs; None for a card that returns as the next."""
    records = dealt(t)
    if laid_anew(t) and any(misplaced(t, record) for record in records) and not left_out(t):
        last = after_next(t)
        order = proper(t)[: len(records) - len(last)]
        first = [record for record in records if record not in last]
        placed = {id(record): place for record, place in zip(first, order, strict=False)}
        return [(record, _at_hand(t, record, placed.get(id(record)))) for record in records]
    first_stray = next(iter(strays(t)), None)
    return [(record, _late(t, record, first_stray)) for record in records if record.due is not None]


def _at_hand(t: TableState, record: CardRecord, place: Place | None) -> Place | None:
    """A place of the deal as it is called since its box was split: the hand where the card counts, else the first."""
    if place is None:
        return None
    at = counts_at(t, record)
    return at if at is not None and at.box == place.box else settled_place(t.round, place)


def _late(t: TableState, record: CardRecord, first_stray: CardRecord | None) -> Place | None:
    """Where a card belongs after the initial deal: on its hand, or where it was due."""
    if record.role is Role.WAITING:
        return record.due if record is first_stray else None
    return record.due if misplaced(t, record) else counts_at(t, record)
