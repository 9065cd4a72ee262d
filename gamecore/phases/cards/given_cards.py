"""The cards that a ruling gives back are dealt.

1. Each card goes where it is due, or where the ruling says; one whose Player has left is the next card.
2. It counts as soon as its own ruling is carried out. If nothing is open then but whether Players go on after a power
   failure, it counts before they answer: a wager that it has decided is not withdrawn (MBS 5.29.1).
"""

from __future__ import annotations

from gamecore.cards import order, whereabouts
from gamecore.cards.difference import lies_right
from gamecore.cards.queries import with_role
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Procedure
from gamecore.phases import resume, turns
from gamecore.phases.cards import told_places
from gamecore.phases.cards.deal import burn, deal, laid_elsewhere, proper

_FURTHER = frozenset({State.PLAYER_TURN, State.DEALER_TURN})


def deal_given(t: TableState) -> None:
    """Deal what a ruling has given back, each card where it is due or where the ruling says.

    One whose Player has left is the next card, before those that left the shoe after it.
    """
    _deal_while_asked(t)
    while not t.hold.matters and t.round_is_on:
        given = with_role(t, Role.GIVEN)
        if not given:
            return
        turns.pass_on(t)
        record, due = given[0], t.next_place
        place = record.goes
        target = place if place is not None else due
        hand = t.round.hand_at(place) if place is not None else None
        left = place is not None and hand is not None and not order.is_dealt_to(t, place, hand)
        if target is None or left:
            whereabouts.make_next(t.round, record)
            if t.machine.state is State.PLAYER_TURN and not turns.point_to_first(t):
                turns.finish(t)
            elif t.machine.state is State.INITIAL_DEAL:
                resume.deal_on(t)
            continue
        laid = _laid_before_choice(record, target)
        if due is not None and proper(due, target):
            _deal_due(t, record, target)
        else:
            deal(t, record, t.round.hand_at(target), target)
        if target == DEALER and t.machine.state is State.PLAYER_TURN:  # a hand that has its turn again comes first
            resume.point_to_next_due(t)
        _presume_told(t, record)
        if laid and record.felt is not None and not lies_right(t, record):  # somebody was quicker than the choice
            laid_elsewhere(t, record, record.felt)


def _laid_before_choice(record: CardRecord, target: Place) -> bool:
    """Whether somebody has laid a card elsewhere before it was chosen; any other may lie where it lies until then.

    One that was moved after the ruling had given it away may not.
    """
    if target == record.felt:
        whereabouts.bring_home(record)
        return False
    laid = record.chosen and record.felt not in {None, record.home}
    if not laid and (record.felt == record.home or record.home is None):
        whereabouts.let_lie(record)
    return laid


def _deal_due(t: TableState, record: CardRecord, target: Place) -> None:
    """A card goes where one is due, the burn included."""
    if t.next_place == BURN:
        burn(t, record)
    elif not t.fitting.senses_places and told_places.completes_deal(t, target):
        told_places.complete_deal(t, record, target)
    else:
        deal(t, record, t.next_hand, target)


def _deal_while_asked(t: TableState) -> None:
    """Deal what is given to a hand while Players are asked whether they go on after a power failure."""
    asked_only = all(matter.procedure is Procedure.WITHDRAW_OPTION for matter in t.hold.matters)
    if not t.hold.matters or not asked_only or t.hold.held_from not in _FURTHER:
        return
    for record in with_role(t, Role.GIVEN):
        hand = t.round.hand_at(record.goes) if record.goes is not None else None
        if record.goes is None or hand is None or not order.is_dealt_to(t, record.goes, hand):
            return
        laid = _laid_before_choice(record, record.goes)
        deal(t, record, hand, record.goes)
        _presume_told(t, record)
        if laid and not lies_right(t, record) and record.felt is not None:
            laid_elsewhere(t, record, record.felt)


def _presume_told(t: TableState, record: CardRecord) -> None:
    """Where places are told, a card lies where it counts."""
    at = order.counts_at(t, record)
    if not t.fitting.senses_places and at is not None:
        whereabouts.presume(record, at)
