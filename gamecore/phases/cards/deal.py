"""The one way of dealing a card: it counts for a hand, and the round moves on.

1. `deal` gives a card to a hand, wherever it comes from: the shoe, a ruling, a Player's choice, cards that were set
   aside. The round moves on the same way each time.
2. A card at its proper place is dealt, and so is one for the hand that is completed before the Dealer's late first card
   (MBS 5.12.1). Any other goes astray: it counts nowhere, and is stated for judgement.
3. The first card of a round closes bets that are still open; a card dealt while an offer is open closes that. Neither
   is an irregularity; both are recorded as implied. A burn closes nothing.
4. In a Player's turn a card laid at the hand whose turn it is means hit; not while a card that was chosen for that
   hand is still on its way, unless one was asked for since.
5. Where places are not sensed, the place that a person tells is believed (`gamecore.phases.cards.told_places`).
"""

from __future__ import annotations

from gamecore.cards import order, whereabouts
from gamecore.cards.difference import is_playing_area, lies_right
from gamecore.cards.queries import at_issue, dealt, next_cards, place_of, replaces_chosen, settled_place, with_role
from gamecore.model.events.facts import CardFact, EarlyCard
from gamecore.model.events.outputs import Implied
from gamecore.model.hands import Hand
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import PullStep
from gamecore.phases import betting, closing, dealer, offers, resume, turns
from gamecore.phases.cards import detectors, shoe, told_places
from gamecore.phases.cards.counting import count, keep_as_dealt, point_to_next

_DEALING = frozenset({State.BETS_CLOSED, State.INITIAL_DEAL})
#: Asked at every card: Python finds a member of an Enum slowly.
_BETS_CLOSED, _INITIAL_DEAL, _OFFERS = State.BETS_CLOSED, State.INITIAL_DEAL, State.OFFERS
_PLAYER_TURN, _DEALER_TURN = State.PLAYER_TURN, State.DEALER_TURN


def next_place(t: TableState) -> Place | None:
    """Where the next card belongs; while bets are open, the first box with a wager."""
    if t.next_place is None and t.machine.state is State.BETTING:
        return min((Place(number) for number, box in t.round.boxes.items() if box.mains), default=None)
    return t.next_place


def lay(t: TableState, record: CardRecord, place: Place, *, exposed: bool = False) -> None:
    """Deal a card where it lies, or let it go astray; no ruling holds the round."""
    if not t.fitting.senses_places and told_places.completes_deal(t, place):
        told_places.complete_deal(t, record, place, exposed=exposed)
        return
    if not proper(t.next_place, place):
        _imply(t, place)
        if not proper(t.next_place, place):
            if not t.fitting.senses_places:
                told_places.count_where_told(t, record, place, exposed=exposed)
            elif _completes_first(t, place):
                deal(t, record, t.round.hand_at(place), place, exposed=exposed)
            else:
                go_astray(t, record, place)
            return
    if t.next_place == BURN:
        burn(t, record)
    elif t.next_hand is None:
        go_astray(t, record, t.next_place or DEALER)
    elif replaces_chosen(t, t.next_hand):
        go_astray(t, record, place)
    else:
        deal(t, record, t.next_hand, t.next_place or place, exposed=exposed)


def proper(due: Place | None, place: Place) -> bool:
    """Whether a card may lie there now; a place without a hand number is the hand whose turn it is."""
    if due is place:
        return True
    return due is not None and place.box == due.box and place.hand in (0, due.hand or 1)


def _completes_first(t: TableState, place: Place) -> bool:
    """Whether the Player who acts completes the hand before the Dealer's late first card (MBS 5.12.1)."""
    turn = t.round.turn
    return t.turn.dealer_owed and turn is not None and proper(turn.place_of(t.round.turn_hand), place)


def _imply(t: TableState, place: Place) -> None:
    """Close what a card closes: bets, for any card but a burn; offers, wherever the card lies."""
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    if t.machine.state is State.BETTING and place.box >= 0 and any(box.mains for box in t.round.boxes.values()):
        t.out.append(Implied("close bets"))
        betting.close_bets(t)


def go_astray(t: TableState, record: CardRecord, place: Place) -> None:
    """Let a card that lies where none was due count nowhere, and state it for judgement."""
    state, due, game_round = t.machine.state, t.next_place, t.round
    if not t.round_is_on:
        whereabouts.make_next(game_round, record)
        t.suspect(CardFact("card-in-error", record, (place,)))
        return
    if state is State.BETS_CLOSED:
        shoe.first_card(t)
    if state in {State.BETTING, State.BETS_CLOSED, State.INITIAL_DEAL}:
        game_round.burn_was_due = game_round.burn_was_due or due == BURN
    else:
        closing.further_card(t)
    fact, pending = detectors.fact_at(t, place)
    if t.next_hand is not None and replaces_chosen(t, t.next_hand) and proper(due, place):
        fact = ("misdealt-card", "")
    whereabouts.await_ruling(game_round, record)
    whereabouts.set_due(record, due if pending else None, subsequent=game_round.subsequent)
    bites = (due,) if fact[0] in {"dealer-not-dealt", "hand-skipped"} and due is not None else (place,)
    t.suspect(CardFact(fact[0], record, bites, fact[1]))


def burn(t: TableState, record: CardRecord) -> None:
    """Burn the first card of a fresh shoe (MBS 5.21)."""
    whereabouts.burn(record)
    whereabouts.set_due(record, BURN, subsequent=False)
    t.shoe.burn_due = False
    if t.round_is_on:
        t.round.burn_was_due = True
    if t.machine.state is not State.BETS_CLOSED or not point_to_next(t):
        t.expect_nothing()


def deal(t: TableState, record: CardRecord, hand: Hand | None, place: Place, *, exposed: bool = False) -> None:
    """Let a card count for a hand, and move the round on: the next place of the deal, the next turn or phase."""
    if hand is None:
        go_astray(t, record, place)
        return
    state = t.machine.state
    if state is _BETS_CLOSED:
        t.enter("deal_first_card")
        shoe.first_card(t)
    elif state is _OFFERS:
        offers.leave(t)
    if state is _INITIAL_DEAL or state is _BETS_CLOSED:
        _deal_initial(t, record, hand, exposed=exposed)
    else:
        _deal_further(t, record, hand, exposed=exposed)


def _deal_initial(t: TableState, record: CardRecord, hand: Hand, *, exposed: bool) -> None:
    """A card of the initial deal, to the hand that is due one or, by a ruling, to another one.

    A card that is only told to lie there changes nothing of the order, which shows what was wrong.
    """
    game_round = t.round
    at = t.next_place if hand is t.next_hand and t.next_place is not None else place_of(game_round, hand)
    if not t.fitting.senses_places:
        count(t, record, hand, at, order.intended(t), subsequent=False, exposed=exposed)
        if record.chosen:
            keep_as_dealt(game_round, len(dealt(t)) - game_round.burn_was_due - 1, at, hand)
        told_places.next_of_deal(t, record, at)
        return
    count(t, record, hand, at, at, subsequent=False, exposed=exposed)
    keep_as_dealt(game_round, game_round.dealt - 1, at, hand)
    if game_round.findings and not with_role(t, Role.GIVEN):
        resume.skip_invalidated(t)
    if not point_to_next(t):
        offers.begin(t)


def _deal_further(t: TableState, record: CardRecord, hand: Hand, *, exposed: bool) -> None:
    """A card after the initial deal, to the hand whose turn it is or, by a ruling, to another one."""
    game_round, state, in_turn = t.round, t.machine.state, hand is t.next_hand
    place = t.next_place if in_turn and t.next_place is not None else place_of(game_round, hand)
    count(t, record, hand, place, place, subsequent=True, exposed=exposed)
    if t.turn.dealer_owed and hand is game_round.dealer:
        if record.card.readable:  # else it has come when the pit has named it
            resume.dealer_received(t)
        return
    if game_round.offers or not game_round.subsequent:
        closing.further_card(t)
    t.turn.last_doubled, t.turn.just_split = None, False
    if hand is game_round.dealer:
        if state is _DEALER_TURN:
            dealer.after_card(t)
    elif in_turn and state is _PLAYER_TURN:
        turns.after_card(t, hand)
    else:
        _go_on_out_of_turn(t, hand)


def _go_on_out_of_turn(t: TableState, hand: Hand) -> None:
    """A ruling has dealt a card out of turn: find out again whose turn it is."""
    hand.awaits_card = False
    t.turn.last_doubled = hand if hand.doubled else None
    if hand.bust:
        whereabouts.turn_up(hand)
    resume.point_to_next_due(t)


def laid_elsewhere(t: TableState, record: CardRecord, place: Place) -> None:
    """State that a card which a ruling gave to a hand is laid elsewhere: an error of its own (MBS 5.6.2, RWS 5.9).

    It counts for that hand, also where it lies at a box without a wager.
    """
    t.suspect(CardFact("misdealt-card", record, (place,)))


def lay_relaid_cards(t: TableState) -> None:
    """Lay cards as they lie, now that play goes on: judged like any other, or as the next cards where none was due.

    One that joined a matter comes after the next cards, which left the shoe before it (RWS 5.12). One that is judged
    was dealt where it first lay; somebody may have moved it since.
    """
    while not t.hold.matters and t.round_is_on and not t.facts:
        relaid = with_role(t, Role.RELAID)
        if not relaid:
            return
        record = relaid[0]
        place = (record.home if record.judged else None) or record.felt or t.next_place
        left = _hand_left(t, record, place)
        if left is not None and place is not None:
            whereabouts.assign(record, left, t.round.boxes[place.box], place, subsequent=True)
        elif place is not None and (record.judged or _takes_joined(t, place)):
            lay(t, record, place)
        else:
            whereabouts.make_next(t.round, record)
        if record.judged and record.role is Role.ON_HAND and record.felt is not None and not lies_right(t, record):
            laid_elsewhere(t, record, record.felt)


def _hand_left(t: TableState, record: CardRecord, place: Place | None) -> Hand | None:
    """The hand that a card was dealt to in its turn, if all its Players have left while others were asked (5.29.1)."""
    hand = t.round.hand_at(place) if place is not None and record.judged else None
    due = t.next_place
    if place is None or hand is None or hand.in_play or not hand.stakes:
        return None
    return hand if due is None or due == DEALER or due.box > place.box else None


def _takes_joined(t: TableState, place: Place) -> bool:
    """Whether a card that joined a matter counts at a place: one is due there, no other goes first, no offer is due."""
    if next_cards(t) or not proper(t.next_place, place):
        return False
    if t.machine.state is State.OFFERS and offers.DUE in t.round.offers.values():
        return False
    return t.next_hand is None or not replaces_chosen(t, t.next_hand)


def lay_next(t: TableState, record: CardRecord, place: Place, *, exposed: bool = False) -> None:
    """Deal a next card that is laid on a playing area; before its turn nobody was due it.

    Of cards that were pulled together in an unknown order, the one that is laid where a card is due is the first.
    """
    queue = next_cards(t)
    if proper(t.next_place, place) and _order_is_unknown(record, queue[0]):
        whereabouts.comes_first(record, queue[0])
        queue = next_cards(t)
    if record is not queue[0] and record.card == queue[0].card:  # no eye can tell them apart: the first is meant
        whereabouts.exchange(record, queue[0])
        whereabouts.let_lie(record)
        record = queue[0]
    if record is queue[0]:
        whereabouts.bring_home(record)
        t.end_rights()
        lay(t, record, place, exposed=exposed)
        return
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    if t.machine.state in {State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT}:
        closing.further_card(t)
    whereabouts.await_ruling(t.round, record)
    whereabouts.set_due(record, None, subsequent=t.round.subsequent)
    t.suspect(CardFact("card-in-error", record, (place,)))


def _order_is_unknown(one: CardRecord, other: CardRecord) -> bool:
    """Whether nobody can say which of two next cards comes first: neither was chosen, nor disclosed alone."""
    return one.pull > 0 and one.pull == other.pull and one.shown == other.shown and not one.chosen and not other.chosen


def lay_pulled(t: TableState, record: CardRecord, place: Place, was: Place | None) -> None:
    """Deal a card of a pull that is laid: where nobody must choose, the first goes where one is due (MBS 5.23.2).

    Any other is laid against its role, unless a card is due there.
    """
    matter = t.hold.matters[0] if t.hold.matters else None
    if matter is None or record.finding is None or not is_playing_area(t, record.felt or place):
        return
    waiting = at_issue(t, record.finding)
    hand, due = t.next_hand, t.next_place
    first = matter.finding is record.finding and matter.step is PullStep.LAY and record is waiting[0]
    if not first or (matter.asks and not proper(due, place)):  # nobody accepts it for the Player who is asked
        if was is None and t.fitting.senses_places and not proper(due, place):
            t.suspect(EarlyCard(record, place))
        return
    for other in waiting[1:]:
        whereabouts.make_next(t.round, other, laid=True)
    t.hold.matters.remove(matter)
    if t.hold.matters:
        whereabouts.give(t.round, record, due)
        return
    resume.take_up_joined(t)
    t.enter(f"resume_{t.hold.held_from.name.lower()}")
    if due is None or proper(due, place):
        lay(t, record, place)
    else:
        deal(t, record, hand, due)
        laid_elsewhere(t, record, place)


def lay_what_was_laid(t: TableState) -> bool:
    """Deal or judge a next card that was laid on a playing area during a hold; False if there is none."""
    if t.hold.matters or not t.round_is_on:
        return False
    for record in next_cards(t):
        if record.felt is not None and record.felt != record.home and record.felt.box >= DEALER.box:
            lay_next(t, record, settled_place(t.round, record.felt))
            return True
    return False
