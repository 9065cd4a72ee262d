"""What follows when a card has come to a place, by what it counts for.

1. A card on its way from the shoe is dealt. A next card on a playing area is being dealt. A card that counts for a hand
   and lies elsewhere, or that is out of play and lies on a playing area, is an irregularity.
2. While the round is held, a card from the shoe joins the open matter, and one that lies and is moved joins its list
   of moves. A card that was out already and is laid against its role is a finding of its own.
"""

from __future__ import annotations

from gamecore.cards import equal_faces, whereabouts
from gamecore.cards.difference import lies_right, show_moves
from gamecore.cards.order import counts_at
from gamecore.cards.queries import box_of, next_cards, place_of, put_out_by, strays
from gamecore.model.events.facts import CardFact, OrderedCards, TakenCard, cards_of
from gamecore.model.matters import Demand, Matter
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Procedure
from gamecore.phases.cards import deal, detectors, shoe, taken_cards
from gamecore.phases.cards.counting import count_in_hold


def arrive(t: TableState, record: CardRecord, place: Place, *, exposed: bool, was: Place | None = None) -> None:
    """Carry out what follows from the role of a card that has come to a place."""
    match record.role:
        case Role.ARRIVING if record.from_shoe:
            _arrive_from_shoe(t, record, place, exposed=exposed)
        case Role.NEXT:
            _arrive_next(t, record, place, was, exposed=exposed)
        case Role.ON_HAND:
            _arrive_dealt(t, record, place, was)
        case Role.WAITING:
            deal.lay_pulled(t, record, place, was)
        case Role.OUT | Role.BURNT if t.round_is_on and not lies_right(t, record):
            _against_role(t, record, was, place)
    if t.hold.matters:
        equal_faces.tell_apart(t)
        taken_cards.follow(t)
        show_moves(t)


def _arrive_from_shoe(t: TableState, record: CardRecord, place: Place, *, exposed: bool) -> None:
    if not record.card.readable:
        _place_question(t, record, place)
    if not t.hold.matters:
        deal.lay(t, record, place, exposed=exposed)
        return
    if _judged_beside_its_value(t, record, place):
        deal.lay(t, record, place, exposed=exposed)
        return
    _join(t, record, place, exposed=exposed)


def _place_question(t: TableState, record: CardRecord, place: Place) -> None:
    """The question what an unread card is bites where the card lies."""
    for matter in (*t.hold.matters, *t.hold.beside):
        if record in cards_of(matter.fact) and matter.finding.code == "unreadable-card":
            matter.finding.places = (place,)


def _judged_beside_its_value(t: TableState, record: CardRecord, place: Place) -> bool:
    """An unread card lies where it is discarded whatever it is: its value holds nothing (MBS 5.7, 5.15; RWS 5.10)."""
    only = t.hold.matters[0] if len(t.hold.matters) == 1 else None
    if only is None or only.pending is not None or record.card.readable or record not in cards_of(only.fact):
        return False
    if deal.proper(t.next_place, place) or not detectors.is_discarded(t, place):
        return False
    t.hold.matters.remove(only)
    t.hold.beside.append(only)
    t.enter(f"resume_{t.hold.held_from.name.lower()}")
    return True


def _join(t: TableState, record: CardRecord, place: Place, *, exposed: bool) -> None:
    """A card from the shoe is laid while the round is held: it counts nowhere until that is decided."""
    if t.hold.held_from is State.BETS_CLOSED and place != BURN:
        shoe.first_card(t)
    if t.next_hand is not None and t.next_place is not None and _is_dealt_on(t, place):
        count_in_hold(t, record, t.next_hand, t.next_place, exposed=exposed)
        return
    matter = t.hold.matters[0]
    if t.hold.matters == [matter] and record in cards_of(matter.fact) and deal.proper(t.next_place, place):
        _mean_hit(t)
    due = t.next_place if _first_of_pull(matter, record) else None
    whereabouts.await_ruling(t.round, record)
    whereabouts.set_due(record, due, subsequent=t.round.subsequent)
    if matter.demand is Demand.DISCARD and _goes_with_it(t, matter, place):
        whereabouts.discard(t.round, record, matter.finding)
    show_moves(t, anew=True)


def _is_dealt_on(t: TableState, place: Place) -> bool:
    """Whether the initial deal goes on properly while nothing is open but whether Players go on (MBS 5.29.1, RWS 5.7).

    The card is that hand's then, even if its Player leaves later.
    """
    if t.hold.held_from is not State.INITIAL_DEAL or strays(t) or next_cards(t):
        return False
    asks_only = all(matter.done or matter.procedure is Procedure.WITHDRAW_OPTION for matter in t.hold.matters)
    return asks_only and deal.proper(t.next_place, place)


def _mean_hit(t: TableState) -> None:
    """A card that nobody can read yet lies at the hand whose turn it is: that hand has asked for it."""
    if t.hold.held_from in {State.OFFERS, State.PLAYER_TURN} and t.next_hand is not None:
        t.next_hand.awaits_card = t.next_hand is not t.round.dealer


def _first_of_pull(matter: Matter, record: CardRecord) -> bool:
    """Whether a card is the first of several that were pulled in a known order: it was due, whatever came after."""
    return isinstance(matter.fact, OrderedCards) and matter.fact.records[:1] == (record,)


def _goes_with_it(t: TableState, matter: Matter, place: Place) -> bool:
    """Whether a card is discarded with others: at the same place, or at an area without a wager (MBS 5.7, 5.15)."""
    unwagered = place.box > 0 and not detectors.wagered(t.round, place.box)
    return unwagered or place.box in {there.box for there in matter.places}


def _arrive_next(t: TableState, record: CardRecord, place: Place, was: Place | None, *, exposed: bool) -> None:
    """A next card on a playing area is being dealt, unless it is brought back to where it lay and is not due there.

    During a hold that is looked at when play goes on.
    """
    is_due = t.round_is_on and deal.proper(t.next_place, place)
    in_error = record.finding is not None and not (is_due and next_cards(t)[0] is record)
    if not t.round_is_on or in_error:  # it lies somewhere, and still waits
        whereabouts.let_lie(record)
        whereabouts.name_in(record, None)
        return
    back = was not in {None, record.home} and record.felt == record.home
    being_dealt = is_due or (place.box >= DEALER.box and not back)
    if t.hold.matters or not being_dealt:
        return
    deal.lay_next(t, record, place, exposed=exposed)


def _arrive_dealt(t: TableState, record: CardRecord, place: Place, was: Place | None) -> None:
    """A card that counts for a hand lies at its place, or was taken off it."""
    if lies_right(t, record):
        if record.felt == (place_of(t.round, record.hand) if record.hand is not None else None):
            whereabouts.bring_home(record)
        return
    if not t.round_is_on:
        return
    if was is None:
        deal.laid_elsewhere(t, record, place)
        return
    if t.hold.matters or (
        record.felt is not None and record.felt.box == was.box and not _hands_differ(was, record.felt)
    ):
        return
    if was == record.home and was != counts_at(t, record) and place.box >= DEALER.box:  # not yet come to its hand
        deal.laid_elsewhere(t, record, place)
        return
    box = box_of(t.round, record.hand) if record.hand is not None else None
    code = taken_cards.code_of(t, record, box)
    if code and box is not None:
        t.suspect(TakenCard(code, record, Place(box.number)))
    else:
        t.suspect(CardFact("uncovered", record, (was, place)))


def _hands_differ(one: Place, other: Place) -> bool:
    return one.hand != other.hand


def _against_role(t: TableState, record: CardRecord, was: Place | None, place: Place) -> None:
    """A card that is out of play lies on a playing area."""
    finding = record.finding
    listed = any(m.finding is finding and m.demand is Demand.DISCARD for m in t.hold.matters)
    if finding is not None and listed and record in put_out_by(t, finding):
        return  # it is still to be discarded, and the list of moves says so
    if was is None and not t.hold.matters and detectors.fact_at(t, place)[0] == ("dealer-overdraw", "complete"):
        whereabouts.await_ruling(t.round, record)  # whatever it was, the Dealer needed none (MBS 5.7, RWS 5.10.2)
        t.suspect(CardFact("dealer-overdraw", record, (place,), "complete"))
        return
    t.suspect(CardFact("uncovered", record, (was, place) if was is not None else (place,)))
