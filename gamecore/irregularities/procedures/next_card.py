"""A card dealt in error is the next card; a hand that was skipped (MBS 5.8 to 5.10, 5.17; RWS 5.9).

1. A card dealt in error is offered as the next card, first to the Player whose hand is to be acted upon. Anyone who
   refuses it receives no further card in the round. An absent Player's hand takes it without being asked, if it draws;
   refused by all, it is the Dealer's next card (MBS 5.8 to 5.10, 5.22). A card that leaves the shoe while they are
   asked was due to nobody either: it follows.
2. A hand signal is invisible: the Dealer is asked whether a hand was skipped or stood. Skipped, the cards that were
   dealt past it are the next cards, as if never disclosed (5.17).
"""

from __future__ import annotations

from typing import assert_never

from gamecore.cards import whereabouts
from gamecore.cards.queries import dealt, next_cards, strays, strays_at
from gamecore.irregularities import player_options
from gamecore.irregularities.matter import ask, ask_all, close, go_on, hold
from gamecore.irregularities.procedures import reconstruct
from gamecore.model.events.facts import CardFact, OrderedCards, cards_of
from gamecore.model.hands import Hand
from gamecore.model.matters import Matter
from gamecore.model.places import DEALER
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Procedure, SkippedStep
from gamecore.phases import dealer, offers, resume, turns
from gamecore.phases.cards import detectors
from gamecore.phases.cards.deal import proper
from gamecore.standing.asked import name_at

ACCEPT, REFUSE = "accept", "refuse"
SKIPPED, STOOD = "skipped", "stood"
_WITH_OPTIONS = frozenset({Procedure.SKIPPED_OPTIONS, Procedure.SKIPPED_STAYS})

# --- the next card (MBS 5.8 to 5.10) -------------------------------------------------------------------------------


def next_card(t: TableState, matter: Matter) -> None:
    """Offer the card to the Player whose hand is to be acted upon, or leave it for the next hand."""
    astray = _set_aside(t)
    if matter.places and not astray and not cards_of(matter.fact) and not t.fitting.senses_places:
        reconstruct.take_last(t, matter.places[0])
    if isinstance(matter.fact, OrderedCards):
        return
    if t.machine.state in {State.PLAYER_TURN, State.OFFERS} and t.round.turn is not None:
        hold(t, matter)
        _offer(t, matter)


def _set_aside(t: TableState) -> list[CardRecord]:
    """What lies where it does not count is next, in the order of leaving the shoe."""
    astray = strays(t)
    for record in astray:
        whereabouts.make_next(t.round, record)
    return astray


def _offer(t: TableState, matter: Matter) -> None:
    """Ask the Player whose turn it is; an absent one's hand takes the card."""
    box = t.round.turn
    if box is None:
        return
    if box.hands[t.round.turn_hand].absent:
        _give_to_turn(t, matter)
    else:
        ask(t, matter, name_at(box, box.controller), (ACCEPT, REFUSE), matter.finding.clause)


def _give_to_turn(t: TableState, matter: Matter) -> None:
    """The hand whose turn it is takes the card."""
    box, queue = t.round.turn, next_cards(t)
    if box is not None and queue:
        whereabouts.give(t.round, queue[0], box.place_of(t.round.turn_hand))
    close(t, matter)


def next_card_answered(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """Accepted: it is that hand's card. Refused: the hand stands (5.9, 5.24), and the next Player is asked."""
    matter.asks.clear()
    _set_aside(t)
    box = t.round.turn
    if box is None or not next_cards(t):
        go_on(t, matter)
        return
    if what == (ACCEPT,):
        _give_to_turn(t, matter)
        return
    box.hands[t.round.turn_hand].stood = True
    box.hands[t.round.turn_hand].awaits_card = False
    _offer_on(t, matter)


def player_left(t: TableState, matter: Matter) -> None:
    """Offer the card again if the Player who was asked has left or gone away: at that hand, or at the next."""
    box = t.round.turn
    if matter.procedure is not Procedure.NEXT_CARD or not matter.asks or box is None:
        return
    hand = box.hands[t.round.turn_hand]
    if hand.absent or not hand.in_play or matter.asks[0].who != name_at(box, box.controller):
        matter.asks.clear()
        _offer_on(t, matter)


def _offer_on(t: TableState, matter: Matter) -> None:
    """Offer the card to the hand that is to be acted upon now; where none is, it is the Dealer's next."""
    if turns.point_to_next(t):
        _offer(t, matter)
        return
    go_on(t, matter)
    queue = next_cards(t)
    if t.machine.state is State.DEALER_TURN and queue:
        whereabouts.give(t.round, queue[0], DEALER)


def done_if_answered(t: TableState, matter: Matter) -> None:
    """Go on if nobody is asked any more: the card lies as the ruling says."""
    if not matter.asks:
        go_on(t, matter)


def leave_on_dealer(t: TableState, _matter: Matter) -> None:
    """Let a card count on a Dealer's hand that needed none and is not complete."""
    for record in strays_at(t, DEALER):
        whereabouts.assign(record, t.round.dealer, None, record.due, subsequent=record.subsequent)


# --- a skipped hand (MBS 5.17, 5.18) -------------------------------------------------------------------------------


def skipped(t: TableState, matter: Matter) -> None:
    """Ask the Dealer whether the hand was skipped or, where it could stand, stood: a hand signal is invisible."""
    hold(t, matter)
    matter.step = SkippedStep.ASKED
    hand, least = _skipped_hand(t, matter), t.rules.must_draw_below.value
    low = hand is not None and (hand.total < (least or 0) or len(hand.cards) < 2)  # RWS 3.20; MBS 3.23
    ask(t, matter, "dealer", (SKIPPED,) if low else (SKIPPED, STOOD), matter.finding.clause)


def answered(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """First the Dealer says whether the hand was skipped; at RWS every Player's option follows."""
    match _step(matter):
        case SkippedStep.ASKED if what == (SKIPPED,):
            matter.asks.clear()
            matter.step = SkippedStep.SKIPPED
            if matter.procedure in _WITH_OPTIONS:
                _ask_options(t, matter)
        case SkippedStep.ASKED:
            matter.asks.clear()
            has_stood(t, matter)
        case SkippedStep.SKIPPED:
            player_options.all_answered(t, matter, name, what)
        case SkippedStep.STOOD:  # nobody is asked any more
            pass
        case step:
            assert_never(step)


def _step(matter: Matter) -> SkippedStep:
    if not isinstance(matter.step, SkippedStep):
        message = f"{matter.finding.code} is at {matter.step}, and about no skipped hand"
        raise TypeError(message)
    return matter.step


def _ask_options(t: TableState, matter: Matter) -> None:
    """RWS: every Player has the options of 5.7; the cards are laid back, or left as they lie after a settlement."""
    reopen(t, matter)
    ask_all(t, matter, t.rules.withdrawal.clause)
    if matter.procedure is Procedure.SKIPPED_STAYS:
        reconstruct.leave(t, matter)


def _skipped_hand(t: TableState, matter: Matter) -> Hand | None:
    """The hand that a person has named, where a told card has passed the turn on; else the one whose turn it is."""
    if matter.places and not t.fitting.senses_places:
        return t.round.hand_at(matter.places[0])
    return t.round.turn.hands[t.round.turn_hand] if t.round.turn is not None else None


def has_stood(t: TableState, matter: Matter) -> None:
    """The hand has stood: the stand is recorded, and what was dealt past it counts where it was dealt."""
    if not t.fitting.senses_places:  # the place was told and believed: the hand has stood already
        t.round.findings.remove(matter.finding)
        go_on(t, matter)
        return
    box = t.round.turn
    if box is not None:
        box.hands[t.round.turn_hand].stood = True
    astray = strays(t)
    for record in astray:
        whereabouts.mark_relaid(t.round, record, judged=True)
    close(t, matter)
    if matter in t.hold.matters:  # cards were moved meanwhile: the finding says which, until they are back
        matter.step = SkippedStep.STOOD
        return
    t.round.findings.remove(matter.finding)
    if t.machine.state is State.OFFERS:
        offers.point(t)
    if t.machine.state is State.PLAYER_TURN and not turns.point_to_next(t):
        dealer.begin(t)
    _ask_of_next_hand(t, astray)


def _ask_of_next_hand(t: TableState, astray: list[CardRecord]) -> None:
    """Ask whether the next hand was skipped as well, if the first card was dealt past that one too."""
    due, first = t.next_place, astray[0].home if astray else None
    if t.machine.state is not State.PLAYER_TURN or due is None or first is None or proper(due, first):
        return
    if detectors.fact_at(t, first)[0][0] == "card-in-error":  # it lies before that hand
        return
    for record in astray:
        whereabouts.await_ruling_again(record)
    t.suspect(CardFact("hand-skipped", astray[0], (due,), "next hand"))


def put_back(t: TableState, matter: Matter) -> None:
    """What was moved lies where it belongs again; of a hand that has stood nothing is found any more."""
    if matter.step is SkippedStep.STOOD:
        t.round.findings.remove(matter.finding)
    go_on(t, matter)


def skipped_done(t: TableState, matter: Matter) -> None:
    """Make the removed cards the next cards, as if never disclosed, and go on."""
    if matter.asks:
        return
    take_back(t, matter)
    go_on(t, matter)


def take_back(t: TableState, matter: Matter) -> None:
    """Take up what was dealt past the skipped hand, to be dealt next."""
    _set_aside(t)
    _take_back_after(t, matter)


def _take_back_after(t: TableState, matter: Matter) -> None:
    """Where places are told and believed, the cards of the next hand are taken off it again."""
    if not matter.places or t.fitting.senses_places:
        return
    skipped_box = matter.places[0].box
    reopen(t, matter)
    for record in dealt(t):
        at = record.felt
        after = at is not None and (at.box > skipped_box or at == DEALER)
        hand = record.hand
        if record.role is not Role.ON_HAND or not record.subsequent or not after or record.due is None or hand is None:
            continue
        whereabouts.make_next(t.round, record)
        hand.stood = False
        hand.awaits_card = hand.doubled  # its one card is still to come
    t.hold.held_from = State.PLAYER_TURN


def reopen(t: TableState, matter: Matter) -> None:
    """Let a hand act again that was passed over, where places are told: it was believed to have stood."""
    box = t.round.boxes.get(matter.places[0].box) if matter.places and not t.fitting.senses_places else None
    if box is not None:
        for hand in box.hands:
            hand.stood = False
        resume.turn_back(t)


def skipped_laid_back(t: TableState, matter: Matter) -> None:
    """RWS: the cards are taken back and are the next cards, whatever the Players still have to say (5.9)."""
    if matter.done or _step(matter) is SkippedStep.ASKED:
        return
    matter.done = True
    take_back(t, matter)
    if not matter.asks:
        go_on(t, matter)
