"""Which card a report of the table means.

1. Of equal faces: one from the shoe that is due there now; else the one that was chosen for that hand and that nobody
   has seen arrive, unless the hand asks for another; else the next card that is due there; else the one that is on its
   way to that place; else one that was cleared away from it; else one that is presumed to lie there; else the one that
   lies somewhere and is to be dealt next, where it is due; else the oldest in transit, one from the shoe before any
   other. Else it is one that lies somewhere: first what a reconstruction wants there, then what counts there, then what
   counts for no hand, then any. A face that nothing fits is a card that, for all that is known, no shoe has dealt.
2. If the shoe could read a card and the hub cannot, it is the oldest in transit that is due there, else the oldest. If
   the shoe could not and the hub can, the hub's face names it.
3. Where places only count, an arrival is what was lifted there, or lifted to be laid there as an open matter lists it;
   else the only card that is out, of several from the shoe one that nobody could read, or one chosen for that hand
   which nobody has seen arrive. Of cards that wait to be dealt one after the other it is the first, and in the discard
   holder any that is out of play; elsewhere one of those is meant only if no other card is out. Between rounds it is
   one that lies nowhere yet. With several different ones out, the pit is asked.
4. Cards with a unique code are never taken for each other.
5. A card that has left the place which it was on its way to had arrived there, whether it was seen to be moved or to be
   lifted. Any other that lies nowhere yet comes from nowhere, whatever place the report names.
"""

from __future__ import annotations

from collections.abc import Callable

from gamecore.cards.difference import is_over, lies_right
from gamecore.cards.order import belongs, counts_at
from gamecore.cards.queries import at_issue, next_cards, place_of, replaces_chosen, settled_place
from gamecore.model.cards import UNREAD, Card
from gamecore.model.hands import Hand
from gamecore.model.matters import Demand
from gamecore.model.places import DEALER, DISCARD, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.steps import PullStep

#: Of cards in transit: which role a report is taken to speak of first.
_ON_THE_WAY = (Role.ARRIVING, Role.NEXT, Role.WAITING, Role.BURNT, Role.OUT, Role.ON_HAND, Role.GIVEN)


def laid(t: TableState, card: Card, place: Place) -> CardRecord | None:
    """The card that lies at a place now; None if no record fits."""
    at = settled_place(t.round, place)
    fits = _fits(card)
    records = [record for record in t.round.records if fits(record) and record.role is not Role.BACK]
    transit = [record for record in records if record.felt is None or record.lifted is not None]
    unread = [r for r in transit if r.card is card is UNREAD and (r.role is Role.ARRIVING or r.lifted == at)]
    expected = unread or _due(t, transit, card, at) or [record for record in transit if _expected_at(t, record, at)]
    expected = _chosen_for(t, records, expected, card, at) or expected
    if not expected and not any(record.role is Role.ARRIVING for record in transit):
        expected = [record for record in records if record.card == card and _cleared_from(t, record, at)]
    if not expected and not transit and t.fitting.senses_places:
        expected = [record for record in records if record.presumed and record.felt == at and record.card == card]
    if expected:
        return expected[0]
    if _is_due_next(t, records, at):
        return next_cards(t)[0]
    for role in _ON_THE_WAY:
        found = [record for record in transit if record.role is role]
        if found:
            return min(found, key=lambda record: record.order)
    lying = [record for record in records if record.felt is not None and record.card == card]
    wanted = _wanted_at(t, at) if lying else set[int]()
    return min(lying, key=lambda r: (r.number not in wanted, *_last_resort(t, r, at))) if lying else None


def _due(t: TableState, transit: list[CardRecord], card: Card, place: Place) -> list[CardRecord]:
    """The card that is due at a place now: from the shoe, or the next card."""
    due, hand = t.next_place, t.next_hand
    if due is None or settled_place(t.round, due) != place or (hand is not None and replaces_chosen(t, hand)):
        return []
    same = [record for record in transit if record.felt is None and (record.card == card or not card.readable)]
    fresh = [record for record in same if record.role is Role.ARRIVING]
    return fresh or [record for record in next_cards(t) if record in same]


def _chosen_for(
    t: TableState, records: list[CardRecord], expected: list[CardRecord], card: Card, place: Place
) -> list[CardRecord]:
    """The card that was chosen for the hand at a place, if nobody has seen it there and no other is asked for.

    An equal one that was just lifted, or cleared away from there, is in the Dealer's fingers: it is that one.
    """
    hand = t.round.hand_at(place) if t.round.out_of_order else None
    if hand is None or hand.awaits_card or any(record.role is Role.ARRIVING for record in expected):
        return []
    if any(r.card == card and (r.lifted is not None or _cleared_from(t, r, place)) for r in records):
        return []
    return [record for record in _chosen_unseen(hand, place) if record.card == card]


def _chosen_unseen(hand: Hand, place: Place) -> list[CardRecord]:
    """The cards that were chosen for a hand and that nobody has seen arrive."""
    unseen = [r for r in hand.records if r.felt is None or (r.presumed and r.felt == place)]
    return [record for record in unseen if record.chosen]


def _is_due_next(t: TableState, records: list[CardRecord], place: Place) -> bool:
    """Whether the card that is to be dealt next is one of these, and is laid where a card is due."""
    due = t.next_place
    if not t.round.out_of_order or t.hold.matters or due is None or settled_place(t.round, due) != place:
        return False
    queue = next_cards(t)
    if not queue or queue[0] not in records or not queue[0].card.readable:
        return False
    return queue[0].felt != place or not any(record.role is Role.ARRIVING for record in records)


def _fits(card: Card) -> Callable[[CardRecord], bool]:
    if not card.readable:
        return lambda _record: True
    return lambda record: record.card == card or (record.card is UNREAD and record.felt is None)


def lifted(t: TableState, card: Card, place: Place) -> CardRecord | None:
    """The card that was lifted off a place: of equal ones first what does not belong there, then what was laid last."""
    at = settled_place(t.round, place)
    any_face = t.fitting.counts_only and not card.readable
    fits = [r for r in t.round.records if r.lifted is None and (any_face or r.card == card)]
    there = [record for record in fits if record.felt is not None and _at(record.felt, place, at)]
    wanted = _listed_off(t) if any_face else set()
    first = [record for record in there if (record.card, record.felt) in wanted]
    return min(first or there or _unseen_at(t, fits, at), key=lambda record: _lifted_first(t, record), default=None)


def _unseen_at(t: TableState, records: list[CardRecord], place: Place) -> list[CardRecord]:
    """The cards that have been seen on their way to a place."""
    return [record for record in records if record.felt is None and _expected_at(t, record, place)]


def had_arrived(t: TableState, record: CardRecord, place: Place) -> bool:
    """Whether a card that has left a place was on its way there: it had arrived, and nobody saw it."""
    return bool(_unseen_at(t, [record], settled_place(t.round, place)))


def _listed_off(t: TableState) -> set[tuple[Card, Place]]:
    """Which cards the open matters list to be moved, and where they lie."""
    return {(move.card, move.source) for matter in t.hold.matters for move in matter.finding.moves}


def _lifted_first(t: TableState, record: CardRecord) -> tuple[bool, bool, int]:
    """Of equal cards at a place: one that must go to the discard holder, then one that does not count there."""
    discarded = record.role is Role.OUT and record.home is None
    at = counts_at(t, record) if record.role is Role.ON_HAND else None
    stays = at is not None and (record.felt is None or record.felt.box == at.box)
    return (not discarded, stays, -record.order)


def _expected_at(t: TableState, record: CardRecord, place: Place) -> bool:
    """Whether a card is on its way to a place: back to where it was lifted, or by a ruling."""
    if record.lifted is not None:
        return record.lifted == place
    if record.role is Role.GIVEN:
        return record.goes is not None and record.goes.box == place.box
    at = counts_at(t, record)
    return at is not None and at.box == place.box and at.hand in {0, place.hand}


def _cleared_from(t: TableState, record: CardRecord, place: Place) -> bool:
    """Whether a card was cleared away from a place: it counts there for a hand that is over, and is discarded."""
    if record.felt != DISCARD or record.hand is None:
        return False
    return is_over(record.hand) and counts_at(t, record) == place


def _last_resort(t: TableState, record: CardRecord, place: Place) -> tuple[bool, bool, bool, bool, bool, int]:
    """Of cards that lie: one that counts there and lies elsewhere, the next one, one out of play, the burned one."""
    role, lies_there = record.role, record.felt == place
    comes_back = counts_at(t, record) == place and not lies_there
    last = (role is Role.BURNT, record.order)
    return (not comes_back, role is Role.ON_HAND, role is not Role.NEXT, lies_there, *last)


def moved(t: TableState, card: Card, source: Place, target: Place) -> CardRecord | None:
    """The card that was moved from one place to another."""
    start, end = settled_place(t.round, source), settled_place(t.round, target)
    same = [record for record in t.round.records if record.card == card and record.role is not Role.BACK]
    there = [record for record in same if record.felt is not None and _at(record.felt, source, start)]
    if there:
        wanted = _wanted_at(t, end)
        return min(there, key=lambda record: (record.number not in wanted, *_moved_first(t, record, end)))
    transit = [record for record in same if record.felt is None]
    presumed = _unseen_at(t, transit, start)
    return next(iter((*presumed, *transit, *same)), None)


def _at(felt: Place, source: Place, start: Place) -> bool:
    return felt.box == source.box and (source.hand == 0 or felt.hand in {0, start.hand})


def _wanted_at(t: TableState, place: Place) -> set[int]:
    """The numbers of the cards that a reconstruction wants at a place."""
    if not any(matter.demand is Demand.RECONSTRUCT for matter in t.hold.matters):
        return set()
    return {record.number for record, at in belongs(t) if at == place}


def _moved_first(t: TableState, record: CardRecord, target: Place) -> tuple[bool, bool, bool, bool, bool, int]:
    """Of equal cards at a place: one that belongs where it goes, one that lay there, one that does not belong here."""
    at = place_of(t.round, record.hand) if record.hand is not None else counts_at(t, record)
    discarded = target.box == DISCARD.box and record.role is Role.OUT and record.home is None
    goes_home = discarded or (at is not None and at.box == target.box)
    stays = at is not None and record.felt is not None and at.box == record.felt.box
    lay_there = record.home is not None and record.home.box == target.box
    elsewhere = at != target and not discarded
    return (elsewhere, not goes_home, lies_right(t, record), not lay_there, stays, -record.order)


def counted(t: TableState, place: Place) -> tuple[CardRecord | None, list[CardRecord]]:
    """Where places only count: the card that has arrived, or the different ones that it can be."""
    at = settled_place(t.round, place)
    out = [record for record in t.round.records if record.felt is None or record.lifted is not None]
    records = [record for record in out if record.role is not Role.BACK]
    back = [record for record in records if record.lifted == at]
    back = back or _lifted_for(t, records, at) or _put_away(t, at)
    if back:
        return back[-1], []
    expected = [record for record in records if _expected_at(t, record, at)]
    arriving = [record for record in records if record.role is Role.ARRIVING and record.lifted is None]
    arriving = [record for record in arriving if record.card is UNREAD][:1] or arriving
    hand = t.round.hand_at(at)
    chosen = _chosen_unseen(hand, at)[:1] if hand is not None and not hand.awaits_card else []
    lifted_last = [record for record in records if record.lifted is not None][-1:]
    out_of_play = [record for record in records if record.role in {Role.OUT, Role.BURNT}]
    discarded = out_of_play[:1] if at == DISCARD else []
    out = arriving or expected or chosen or lifted_last or discarded or _next(t, at) or _pulled(t) or out_of_play[:1]
    faces = list({record.card: record for record in reversed(out)}.values())[::-1]
    if len(faces) == 1:
        return min(out, key=lambda record: (record.felt == at, record.order)), []  # what lies there has not arrived
    return None, faces


def _lifted_for(t: TableState, records: list[CardRecord], place: Place) -> list[CardRecord]:
    """What was lifted to be laid at a place, as an open matter lists it: whatever else is out is not meant."""
    moves = [move for matter in t.hold.matters for move in matter.finding.moves]
    wanted = {(move.card, move.source) for move in moves if move.target == place}
    return [record for record in records if record.lifted is not None and (record.card, record.lifted) in wanted]


def _put_away(t: TableState, place: Place) -> list[CardRecord]:
    """What has left a playing area and is taken to be burned or discarded: that it arrives there is no news."""
    off = place.box < DEALER.box
    return [record for record in t.round.records if off and record.presumed and record.felt == place][:1]


def _next(t: TableState, place: Place) -> list[CardRecord]:
    """What an arrival can be of the next cards: the first while none of them lies anywhere, else any.

    What is put away is one just drawn in error, if there is one.
    Between rounds none is dealt that lies somewhere, and what lies in the discard holder is dealt to nobody.
    """
    queue = next_cards(t)
    drawn = [record for record in queue if record.felt is None and record.finding is not None]
    if drawn and place == DISCARD:
        return drawn[:1]
    queue = [record for record in queue if record.felt is None or (t.round_is_on and record.felt != DISCARD)] or queue
    return queue[:1] if not t.hold.matters and all(record.felt is None for record in queue) else queue


def _pulled(t: TableState) -> list[CardRecord]:
    """What an arrival can be of a pull that is open: the first where nobody chooses (MBS 5.23.2), else any."""
    matter = t.hold.matters[0] if t.hold.matters else None
    if matter is None:
        return []
    waiting = [record for record in at_issue(t, matter.finding) if record.felt is None]
    return waiting[:1] if matter.step is PullStep.LAY else waiting
