"""Reconstruction: the deal put back in order (MBS 5.6, 5.11, 5.13, 5.21.1; RWS 5.9).

1. Early, the whole initial deal is laid again in the order in which the cards left the shoe. Late, the first card that
   went astray belongs where it was due; the cards that left the shoe after it return as the next cards.
2. A card that was taken off a hand is put back on it, and nothing else changes.
3. The list of moves is the difference that is left on the layout (`gamecore.cards.difference`). When none is left and
   the house says so, the cards count as they lie.
4. Where the places are told, a person says late what was wrong. Cards that were believed and went astray count no more
   until that is decided; what was dealt since to others stays, and so do decisions, split hands, and what earlier
   rulings have left as it was.
"""

from __future__ import annotations

from gamecore.cards import equal_faces, whereabouts
from gamecore.cards.as_dealt import places_as_dealt
from gamecore.cards.difference import list_moves, moved_off, obstacle
from gamecore.cards.order import belongs, broken, counts_at, early, laid_anew, left_out, misplaced, proper
from gamecore.cards.queries import after_next, box_of, dealt, in_transit, strays
from gamecore.irregularities import wager_effects
from gamecore.irregularities.matter import ask, ask_all, go_on, hold
from gamecore.model.events.facts import EarlyCard, OrderedCards, TakenCard
from gamecore.model.hands import Hand
from gamecore.model.matters import Demand, Matter
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Procedure
from gamecore.phases import offers, resume
from gamecore.phases.cards import taken_cards
from gamecore.phases.cards.counting import count_in_hold, keep_as_dealt
from gamecore.standing.decided import dealer_is_done, over

_DEALING = frozenset({State.BETS_CLOSED, State.INITIAL_DEAL})


def reconstruct(t: TableState, matter: Matter) -> None:
    """Hold the round and show the moves."""
    hold(t, matter)
    if not isinstance(matter.fact, TakenCard | EarlyCard):
        _leave_out_passed_over(t)
        _change_places(t)
        set_apart(t, later=True)
        matter.demand = Demand.RECONSTRUCT
        matter.finding.obstacle = obstacle(t)
    list_moves(t, matter)


def reconstructed(t: TableState, matter: Matter) -> None:
    """Let the cards count as they should and now lie; play goes on when nobody is asked any more."""
    matter.done = True
    if matter.demand is Demand.RECONSTRUCT:
        matter.demand = Demand.NOTHING
        _lay_pulled(t, matter)
        _put_back_under_answers(t)
    equal_faces.tell_apart(t)
    if not matter.asks:
        go_on(t, matter)


def cannot_reconstruct(t: TableState, matter: Matter) -> None:
    """Void the round early (MBS 5.2); late no clause says what then, so ask the shift manager (6.1)."""
    void = t.rules.clauses.cannot_reconstruct
    if laid_anew(t) and not t.round.interim:
        matter.finding.clause, matter.finding.ruling = void, "void"
        matter.procedure = Procedure.VOID
        wager_effects.void(t, matter, void, word=True)
        return
    matter.procedure, matter.demand, matter.left_as_laid = Procedure.REFER, Demand.NOTHING, True
    matter.finding.clause, matter.finding.ruling = t.rules.clauses.general, "refer"
    ask(t, matter, "house", ("continue", "void"), t.rules.clauses.general)


def reconstruct_options(t: TableState, matter: Matter) -> None:
    """RWS: reconstruct, and every Player may have the Bet back (5.7, 5.9)."""
    reconstruct(t, matter)
    ask_all(t, matter, t.rules.withdrawal.clause)


def options(t: TableState, matter: Matter) -> None:
    """RWS: after a settlement the cards stay as they lie, and every Player may have the Bet back (5.7.1, 5.10.1)."""
    hold(t, matter)
    if not isinstance(matter.fact, TakenCard):
        set_apart(t, later=False)
    ask_all(t, matter, t.rules.withdrawal.clause)
    leave(t, matter)


def leave(t: TableState, matter: Matter) -> None:
    """Leave the cards as they lie (RWS 5.7.1); they count so when every Player has chosen."""
    matter.left_as_laid, matter.demand = True, Demand.NOTHING
    if isinstance(matter.fact, TakenCard):
        taken_cards.count_as_it_lies(t, t.round.boxes[matter.places[0].box])
    if not matter.asks:
        leave_as_laid(t)
        go_on(t, matter)


# --- the cards ------------------------------------------------------------------------------------------------------


def set_apart(t: TableState, *, later: bool) -> None:
    """Set cards aside that were believed and went astray, now that a person has said so, until that is decided.

    With `later`, neither do those that left the shoe after them: to be put back, they are the next cards.
    """
    if t.fitting.senses_places:
        return
    astray = False
    for record in [record for record in dealt(t) if record.subsequent]:
        astray = misplaced(t, record) or (later and astray)
        if astray and record.role is Role.ON_HAND:
            whereabouts.await_ruling(t.round, record)


def _leave_out_passed_over(t: TableState) -> None:
    """Late, leave those out of the order whom the initial deal passed over: they have clauses of their own."""
    if t.fitting.senses_places or early(t) or t.rules.whole_deal_put_back_late.value:
        return
    initial = [record for record in dealt(t) if not record.subsequent]
    told = [counts_at(t, record) or record.felt or BURN for record in initial]
    belongs_at = places_as_dealt(tuple(Place(place.box) for place in told), tuple(proper(t)))
    for record, place in zip(initial, belongs_at, strict=True):
        whereabouts.set_due(record, place, subsequent=False)


def _change_places(t: TableState) -> None:
    """Late, cards of the initial deal at one another's boxes change places, also where a box has been split since."""
    if t.fitting.senses_places or laid_anew(t):
        return
    astray = _initial_astray(t)
    free: dict[int, list[Place]] = {}
    for record in astray:
        at = counts_at(t, record)
        if at is not None:
            free.setdefault(at.box, []).append(at)
    for record in astray:
        if record.due is not None and free.get(record.due.box):
            whereabouts.set_due(record, free[record.due.box].pop(0), subsequent=False)


def _initial_astray(t: TableState) -> list[CardRecord]:
    """Cards of the initial deal that count at another's place."""
    return [r for r in dealt(t) if not r.subsequent and r.role is Role.ON_HAND and misplaced(t, r)]


def _lay_pulled(t: TableState, matter: Matter) -> None:
    """The first of an ordered pull that nobody has seen laid lies where it was due."""
    for record in matter.fact.records[:1] if isinstance(matter.fact, OrderedCards) else ():
        if record in in_transit(t) and t.next_place is not None:
            whereabouts.await_ruling(t.round, record)
            whereabouts.presume(record, t.next_place)
            whereabouts.set_due(record, t.next_place, subsequent=t.round.subsequent)


def _put_back_under_answers(t: TableState) -> None:
    """Put the cards back; what was answered to an offer on other cards may lapse."""
    hands = [t.round.dealer, *(hand for box in t.round.boxes.values() for hand in box.hands)]
    answered_on = [list(hand.cards) for hand in hands]
    anew = early(t)
    put_back(t)
    others = [hand for hand, cards in zip(hands, answered_on, strict=True) if hand.cards != cards]
    if others:
        dealers = anew and t.round.dealer in others
        offers.lapse(t, hands if dealers else others if anew else ())


def put_back(t: TableState) -> None:
    """Lay the deal again. Late, the first stray goes where it was due; the others, or one not due, are next."""
    if laid_anew(t) and not _in_order(t):
        t.round.subsequent = False
        _lay_in_order(t)
        return
    if laid_anew(t) and not strays(t):
        return
    if broken(t):
        _deal_again(t)
    for index, record in enumerate(strays(t)):
        hand = t.round.hand_at(record.felt) if record.felt is not None else None
        believed = record.due is not None and not t.fitting.senses_places  # one that joined in the hold was not
        if hand is not None and believed:  # they may have acted upon it
            hand.stood = hand.stood and record.stood
            hand.awaits_card = hand.awaits_card or (hand.doubled and hand.initial)
        if index == 0 and record.due is not None:
            whereabouts.give(t.round, record, record.due)
        else:
            whereabouts.make_next(t.round, record)
    resume.turn_back(t)


def _in_order(t: TableState) -> bool:
    """Whether every card of the deal counts where the order says, and nothing is dealt again.

    One was moved and lies there again, or the deal is complete and what went astray came after it; or the house has let
    a card be out of play.
    """
    if left_out(t):
        return True
    astray = strays(t)
    placed = [(record, place) for record, place in belongs(t) if record not in astray]
    in_order = all(counts_at(t, record) == place for record, place in placed)
    return in_order and (not astray or len(placed) == len(proper(t)))


def _lay_in_order(t: TableState) -> None:
    """Take the initial deal up and lay it again in the order of leaving the shoe."""
    game_round, last = t.round, after_next(t)
    records = [record for record in dealt(t) if record not in last]
    for number in [number for number, box in game_round.boxes.items() if not box.mains and not box.sides]:
        del game_round.boxes[number]
    game_round.deal = [entry for entry in game_round.deal if entry[0] == DEALER or box_of(game_round, entry[1])]
    places = proper(t)
    t.shoe.burn_due = game_round.burn_was_due
    for record in (*records, *last):
        whereabouts.make_next(game_round, record)
    for hand in [game_round.dealer, *(hand for box in game_round.boxes.values() for hand in box.hands)]:
        hand.stood = hand.awaits_card = False
    game_round.turn, game_round.turn_hand = None, 0
    game_round.offers.clear()
    game_round.dealt = 0
    for record, place in zip(records, places, strict=False):
        _count_at(t, record, place)
    if game_round.dealt:
        t.hold.held_from = State.INITIAL_DEAL
    elif game_round.deal:
        t.hold.held_from = State.BETS_CLOSED
        t.expect(*game_round.deal[0])
    else:  # bets are open still, and no playing area has a wager
        t.expect_nothing()


def _count_at(t: TableState, record: CardRecord, place: Place) -> None:
    """A card of the deal counts where the order says, at once; it may lie where it lies until somebody has moved it."""
    if record.felt is None or not t.fitting.senses_places:
        whereabouts.presume(record, place)
    if record.felt == place:
        whereabouts.bring_home(record)
    else:
        whereabouts.let_lie(record)
    if place == BURN:
        whereabouts.burn(record)
        whereabouts.set_due(record, BURN, subsequent=False)
        t.shoe.burn_due = False
        return
    hand = next(hand for at, hand in t.round.deal if at == place)
    count_in_hold(t, record, hand, place)


def _deal_again(t: TableState) -> None:
    """Cards of the initial deal at another's place go where the order says, under what was dealt to the hand since."""
    astray = _initial_astray(t)
    for record in astray:
        whereabouts.await_ruling(t.round, record)
    for record in astray:
        hand = t.round.hand_at(record.due) if record.due is not None else None
        if record.due is None or hand is None:
            whereabouts.make_next(t.round, record)
            continue
        whereabouts.assign(record, hand, box_of(t.round, hand), record.due, subsequent=record.subsequent)
        whereabouts.presume(record, record.due)


def take_last(t: TableState, place: Place) -> None:
    """Take up the last card at a place that was told and believed, to be dealt next (MBS 5.8)."""
    hand = t.round.hand_at(place)
    record = next(
        (r for r in reversed(dealt(t)) if r.subsequent and r.felt is not None and r.felt.box == place.box), None
    )
    if record is not None and hand is not None and record.hand is hand:
        whereabouts.make_next(t.round, record)


def leave_as_laid(t: TableState) -> None:
    """Leave cards as they lie: each counts there, or nowhere; one that was taken off a hand counts for no other."""
    if t.hold.held_from is State.BETTING:  # nothing was dealt: what has joined is taken up when play goes on
        return
    left = strays(t)
    _let_lie(t)
    if left and t.hold.held_from in _DEALING:
        t.shoe.burn_due = False  # the deal has begun without it
    for record in left:
        place = record.felt or DEALER
        hand = t.round.hand_at(place)
        counts = hand is t.round.dealer or (hand is not None and hand.stakes and not over(t.rules, t.round, hand))
        if counts and hand is not None:
            whereabouts.assign(record, hand, box_of(t.round, hand), place, subsequent=record.subsequent)
            hand.awaits_card = False
        else:
            whereabouts.put_out(t.round, record)
            whereabouts.set_due(record, place, subsequent=record.subsequent)
        if t.fitting.senses_places and t.hold.held_from in _DEALING and place.box >= DEALER.box:
            keep_as_dealt(t.round, t.round.dealt, place, hand or Hand())
            t.round.dealt += 1
    if not t.fitting.senses_places:
        for record in dealt(t):
            whereabouts.set_due(record, record.felt, subsequent=record.subsequent)


def _let_lie(t: TableState) -> None:
    """What was taken off a hand counts for none; it lies where it lies, and so does what is out of play or burnt.

    What was decided before stays decided: a hand that had won or lost for good keeps its cards.
    """
    all_is_decided = dealer_is_done(t)
    for record in moved_off(t):
        if all_is_decided or (record.hand is not None and over(t.rules, t.round, record.hand)):
            whereabouts.leave_lying(record)
        else:
            whereabouts.take_off(record)
    for record in t.round.records:
        if record.role in {Role.OUT, Role.BURNT} and record.felt is not None:
            whereabouts.let_lie(record)


def overdrawn(t: TableState) -> list[CardRecord]:
    """Cards on the Dealer's hand that came when it needed none, where nobody saw it (MBS 5.7, RWS 5.10.2)."""
    return _dealers(t)[1]


def was_complete(t: TableState) -> bool:
    """Whether the Dealer's hand was complete before the cards that it did not need."""
    hand = _dealers(t)[0]
    return bool(hand.cards) and t.rules.dealer_complete.value(hand.total, hand.soft)


def has_excess(t: TableState) -> bool:
    """Whether the Dealer's hand has cards that it did not need."""
    return bool(_dealers(t)[1])


def _dealers(t: TableState) -> tuple[Hand, list[CardRecord]]:
    """The Dealer's hand as it should be, and the cards that came when it was complete or nobody was due one."""
    hand, excess = Hand(), []
    for record in t.round.dealer.records:
        complete = hand.cards and t.rules.dealer_complete.value(hand.total, hand.soft)
        if complete or record.due is None:
            excess.append(record)
        else:
            hand.add(record.card)
    return hand, excess
