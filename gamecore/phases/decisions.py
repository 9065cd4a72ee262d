"""Hit, stand, double, split, their free forms, and rescue.

1. Decisions are called by the Player who controls the box, for the hand whose turn it is. In the state `offers` they
   are taken too. An open offer, and insurance that is still to be offered, stay so until a card is dealt; where the
   Dealer speaks the offers, a surrender that was not offered is passed over (`offers.go_on`).
2. Once a card is asked for, nothing else is decided on that hand until it has come. Only the other Players on the box
   may join a double or a split with their own wagers.
3. A double or a split that the controlling Player does not make is open to nobody else on the box.
4. A stand on a hand that can take no card is legal and changes nothing.
5. Splitting hand k puts the new hand at k+1. Anyone who does not join has the original wager on the first of the two.
"""

from __future__ import annotations

from typing import NamedTuple

from gamecore.cards import whereabouts
from gamecore.model.events.events import Double, FreeDouble, FreeSplit, Hit, Rescue, Split, Stand
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.hands import LIMIT, Hand, Stake
from gamecore.model.places import Place
from gamecore.model.round import Box
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases import dealer, offers, turns
from gamecore.phases.cards import told_places
from gamecore.rules.ruleset import SILENT
from gamecore.standing import played

_DECIDING = frozenset({State.PLAYER_TURN, State.OFFERS})
_DEALT = frozenset({State.OFFERS, State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT})


class Turn(NamedTuple):
    """The hand that a decision speaks of, and the slot that decides."""

    box: Box
    at: int
    hand: Hand
    slot: int

    @property
    def joining(self) -> bool:
        """Whether another Player than the controlling one decides."""
        return self.slot != self.box.controller


def _turn(t: TableState, place: Place) -> Turn | Refused:
    """The hand whose turn it is, if the decision speaks of it."""
    game_round = t.round
    box = game_round.turn
    if t.machine.state not in _DECIDING or box is None:
        return refuse(Reason.NO_DECISION_NOW, t.rules.clauses.turn_order)
    if t.turn.dealer_owed and box is not t.turn.acting:
        return refuse(Reason.DEALER_DRAWS_FIRST, t.rules.clauses.dealer_first)
    index = game_round.turn_hand
    if place.box != box.number and not t.fitting.senses_places:
        box, index = told_places.later_turn(t, place) or (box, index)
    if place.box != box.number or (place.hand and place.hand != index + 1):
        clause = t.rules.clauses.split_order if place.box == box.number else t.rules.clauses.turn_order
        return refuse(Reason.OTHER_TURN, clause, turn_place=box.place_of(index), place=place)
    hand = box.hands[index]
    slot = place.slot or box.controller
    stake = hand.stakes.get(slot)
    if stake is None or stake.withdrawn:
        return refuse(Reason.NO_WAGER_IN_PLAY, t.rules.clauses.wager_first, place=place)
    absent = offers.refuse_absent(t, box, slot) if t.people.absent else None
    return absent or Turn(box, index, hand, slot)


def _refuse_total(hand: Hand, reason: Reason, hidden: Reason, clause: str, **more: object) -> Refused:
    """A refusal that names the total; of face-down cards nothing is told."""
    if hand.face_down:
        return refuse(hidden, clause, **more)
    return refuse(reason, clause, softness="soft" if hand.soft else "hard", total=hand.total, **more)


def _controlling(t: TableState, turn: Turn) -> Refused | None:
    if turn.joining:
        rule = t.rules.seated_controls if turn.box.seated == turn.box.controller else t.rules.unseated_control
        return refuse(Reason.OTHER_CONTROLS, rule.clause, box=turn.box.number, slot=turn.box.controller)
    if turn.hand.awaits_card:
        return refuse(Reason.CARD_DUE, t.rules.clauses.draw, place=turn.box.place_of(turn.at))
    return None


# --- hit and stand -------------------------------------------------------------------------------------------------


def verify_hit(t: TableState, command: Hit) -> Refused | None:
    """A card for the hand whose turn it is."""
    turn = _turn(t, command.place)
    return turn if isinstance(turn, Refused) else _controlling(t, turn)


def do_hit(t: TableState, _command: Hit) -> None:
    """Let a card be due at that hand."""
    offers.go_on(t)
    _await_card(t)


def _await_card(t: TableState) -> None:
    """A card is due at the hand whose turn it is."""
    box = t.round.turn
    if box is not None:
        hand = box.hands[t.round.turn_hand]
        hand.awaits_card = True
        t.expect(box.place_of(t.round.turn_hand), hand)


def verify_stand(t: TableState, command: Stand) -> Refused | None:
    """The hand whose turn it is, with the total that the document asks for (RWS 3.20)."""
    refusal = _may_not_stand(t, command.place)
    return None if refusal is None or _needs_no_stand(t, command.place) else refusal


def _may_not_stand(t: TableState, place: Place) -> Refused | None:
    turn = _turn(t, place)
    if isinstance(turn, Refused):
        return turn
    refusal = _controlling(t, turn)
    if refusal is not None:
        return refusal
    least = t.rules.must_draw_below.value
    if least is not None and turn.hand.total < least:
        clause = t.rules.must_draw_below.clause
        return _refuse_total(turn.hand, Reason.MUST_DRAW, Reason.HIDDEN_MUST_DRAW, clause, least=least)
    return None


def _needs_no_stand(t: TableState, place: Place) -> bool:
    if t.machine.state not in _DEALT:
        return False
    hand = t.round.hand_at(place)
    if place.box <= 0 or hand is None or (place.slot and place.slot not in hand.stakes):
        return False
    return len(hand.cards) > 1 and played.takes_no_card(t.rules, hand)


def do_stand(t: TableState, command: Stand) -> None:
    """Let the hand stand; the turn passes on."""
    box = t.round.turn
    if box is None or t.round.hand_at(command.place) is not box.hands[t.round.turn_hand]:
        return
    offers.go_on(t)
    box = t.round.turn
    if box is not None:
        box.hands[t.round.turn_hand].stood = True
        if t.machine.state is State.OFFERS:
            offers.point(t)
        else:
            turns.next_turn(t)


# --- double --------------------------------------------------------------------------------------------------------


def _verify_doubling(t: TableState, place: Place) -> Turn | Refused:
    """What every double asks for: two cards, no split Aces, no 21, and the controlling Player first."""
    turn = _turn(t, place)
    if isinstance(turn, Refused):
        return turn
    hand, clauses = turn.hand, t.rules.clauses
    if turn.joining:
        if not (hand.doubled and hand.awaits_card):
            return refuse(Reason.CONTROLLER_NOT_DOUBLED, clauses.double_join)
        if hand.stakes[turn.slot].doubled:
            return refuse(Reason.ALREADY_DOUBLED, clauses.double_one_card)
        return turn
    if hand.split_aces:
        return refuse(Reason.SPLIT_ACES_NOT_DOUBLED, clauses.double_split_aces)
    if hand.awaits_card:
        return refuse(Reason.CARD_DUE, clauses.double_one_card, place=turn.box.place_of(turn.at))
    if not hand.initial:
        return refuse(Reason.DOUBLE_TWO_CARDS, t.rules.doubles.clause)
    return turn


def verify_double(t: TableState, command: Double) -> Refused | None:
    """Up to the original wager, and not less than the table minimum where the document says so."""
    turn = _verify_doubling(t, command.place)
    if isinstance(turn, Refused):
        return turn
    if not turn.joining and not t.rules.doubles.value(turn.hand):
        return _refuse_total(turn.hand, Reason.NO_DOUBLE_ON, Reason.HIDDEN_NO_DOUBLE, t.rules.doubles.clause)
    base = turn.hand.stakes[turn.slot].base
    amount = base if command.amount is None else command.amount
    if amount <= 0:
        return refuse(Reason.DOUBLE_WITHOUT_CHIPS, t.rules.doubles.clause)
    if amount > base:
        return refuse(Reason.DOUBLE_TOO_HIGH, t.rules.doubles.clause)
    least = t.minimum("main") if t.rules.double_least_is_minimum.value else 0
    if amount < least:
        return refuse(Reason.DOUBLE_TOO_LOW, t.rules.double_least_is_minimum.clause)
    return None


def do_double(t: TableState, command: Double) -> None:
    """Add the chips; one card is due."""
    turn = _doubled(t, command.place)
    stake = turn.hand.stakes[turn.slot]
    stake.added = stake.base if command.amount is None else command.amount


def verify_free_double(t: TableState, command: FreeDouble) -> Refused | None:
    """Two cards with a hard total of 9, 10 or 11, where the game knows it."""
    turn = _verify_doubling(t, command.place)
    if isinstance(turn, Refused):
        return turn
    if not t.rules.free_doubles.value(turn.hand):
        clause = t.rules.free_doubles.clause
        if clause == SILENT:
            return refuse(Reason.GAME_WITHOUT_FREE_DOUBLE, t.rules.doubles.clause)
        return _refuse_total(turn.hand, Reason.NO_FREE_DOUBLE_ON, Reason.HIDDEN_NO_FREE_DOUBLE, clause)
    return None


def do_free_double(t: TableState, command: FreeDouble) -> None:
    """Lay the marker; one card is due."""
    turn = _doubled(t, command.place)
    turn.hand.stakes[turn.slot].free_double = True
    _note_marker(turn)


def _note_marker(turn: Turn) -> None:
    """Note who controls the box at its first marker: others' wagers on markers count those of that Player."""
    if not turn.joining:
        turn.box.marked_by = turn.box.marked_by or turn.slot


def _doubled(t: TableState, place: Place) -> Turn:
    """The hand is doubled: an Ace of its first two cards counts 1 where the document says so (3.4.2)."""
    offers.go_on(t)
    turn = _require_turn(_turn(t, place))
    hand = turn.hand
    hand.doubled = True
    _await_card(t)
    if t.rules.doubled_ace_counts_one.value:
        hand.aces_as_one = hand.aces
    return turn


def _require_turn(turn: Turn | Refused) -> Turn:
    """The turn of a command that was verified."""
    if isinstance(turn, Refused):
        raise AssertionError(turn.why)
    return turn


# --- split ---------------------------------------------------------------------------------------------------------


def _verify_splitting(t: TableState, place: Place) -> Turn | Refused:
    """What every split asks for: two cards, fewer than four hands, Aces once, and the controlling Player first."""
    turn = _turn(t, place)
    if isinstance(turn, Refused):
        return turn
    hand, rules = turn.hand, t.rules
    if turn.joining:
        if not t.turn.just_split:
            return refuse(Reason.CONTROLLER_NOT_SPLIT, rules.clauses.split_join)
        if turn.slot in turn.box.hands[turn.at + 1].stakes:
            return refuse(Reason.ALREADY_SPLIT, rules.clauses.split_join)
        return turn
    if hand.split_aces and rules.split_aces_once.value:
        return refuse(Reason.ACES_SPLIT_ONCE, rules.split_aces_once.clause)
    if hand.awaits_card:
        return refuse(Reason.CARD_DUE, rules.clauses.split_order, place=turn.box.place_of(turn.at))
    if len(turn.box.hands) >= rules.split_hands.value:
        return refuse(Reason.MOST_HANDS, rules.split_hands.clause, most=rules.split_hands.value)
    if not hand.initial:
        return refuse(Reason.SPLIT_TWO_CARDS, rules.splits.clause)
    return turn


def _halves(turn: Turn) -> tuple[Hand, Hand] | None:
    return (turn.hand, turn.box.hands[turn.at + 1]) if turn.joining else None


def verify_split(t: TableState, command: Split) -> Refused | None:
    """Two cards that the document lets a Player split for a further wager."""
    return _verify_pair(t, command.place, free=False)


def verify_free_split(t: TableState, command: FreeSplit) -> Refused | None:
    """Two cards that the document lets a Player split for a marker."""
    return _verify_pair(t, command.place, free=True)


def _verify_pair(t: TableState, place: Place, *, free: bool) -> Refused | None:
    turn = _verify_splitting(t, place)
    if isinstance(turn, Refused):
        return turn
    rule = t.rules.free_splits if free else t.rules.splits
    clause = rule.clause if rule.clause != SILENT else t.rules.splits.clause
    halves = _halves(turn)
    if halves and not all(half.cards for half in halves):
        return refuse(Reason.SPLIT_HAND_EMPTY, clause)
    first, second = (halves[0].cards[0], halves[1].cards[0]) if halves else turn.hand.cards
    if not rule.value(first, second):
        if rule.clause == SILENT:
            return refuse(Reason.GAME_WITHOUT_FREE_SPLIT, clause)
        if turn.hand.face_down:
            return refuse(Reason.HIDDEN_NO_FREE_SPLIT if free else Reason.HIDDEN_NO_SPLIT, clause)
        named = Reason.NO_FREE_SPLIT_OF if free else Reason.NO_SPLIT_OF
        return refuse(named, clause, first_card=first, second_card=second)
    return None


def do_split(t: TableState, command: Split) -> None:
    """Split with a further wager equal to the original one."""
    _split(t, command.place, free=False)


def do_free_split(t: TableState, command: FreeSplit) -> None:
    """Split with a marker."""
    _split(t, command.place, free=True)


def _split(t: TableState, place: Place, *, free: bool) -> None:
    offers.go_on(t)
    turn = _require_turn(_turn(t, place))
    if not turn.joining:
        _part(t, turn)
    stake = turn.hand.stakes[turn.slot]
    stake.split = True
    chips = 0 if free else stake.base
    turn.box.hands[turn.at + 1].stakes[turn.slot] = Stake(stake.base, chips, split=True, free_split=free)
    if free:
        _note_marker(turn)


def _part(t: TableState, turn: Turn) -> None:
    """Lay the second card as a hand of its own, next in the order of play."""
    hand, box = turn.hand, turn.box
    new = Hand()
    whereabouts.turn_up(hand)
    box.hands.insert(turn.at + 1, new)
    whereabouts.part(hand, new, (box.place_of(turn.at), box.place_of(turn.at + 1)))
    if t.round.out_of_order:
        whereabouts.name_first_hand(t.round, box.number)
    for index in range(turn.at + 2, len(box.hands)):
        whereabouts.rename(box.hands[index], box.place_of(index))
    for half in (hand, new):
        half.split = True
        half.split_aces = half.cards[0].is_ace
    hand.awaits_card = True
    t.turn.just_split = True
    t.expect(box.place_of(turn.at), hand)


# --- rescue --------------------------------------------------------------------------------------------------------


def verify_rescue(t: TableState, command: Rescue) -> Refused | None:
    """After a double to less than 21, before the next card (Pontoon 3.25.8)."""
    rule = t.rules.rescue
    if not rule.value:
        return refuse(Reason.GAME_WITHOUT_RESCUE, t.rules.clauses.double_one_card)
    hand, slot = _rescued(t, command.place)
    stake = hand.stakes.get(slot) if hand is not None else None
    if hand is None or hand is not t.turn.last_doubled or not t.round_is_on:
        return refuse(Reason.RESCUE_TOO_LATE, rule.clause)
    if hand.total >= LIMIT:
        return refuse(Reason.RESCUE_NOT_BELOW_21, rule.clause, total=hand.total)
    if stake is None or stake.added == 0 or stake.withdrawn:
        return refuse(Reason.NO_DOUBLED_PORTION, rule.clause)
    return None


def _rescued(t: TableState, place: Place) -> tuple[Hand | None, int]:
    """The hand just doubled, if the place speaks of it."""
    box = t.round.boxes.get(place.box)
    if box is None:
        return None, 0
    for number, hand in enumerate(box.hands, start=1):
        if hand is t.turn.last_doubled and place.hand in {0, number}:
            return hand, place.slot or box.controller
    return None, 0


def do_rescue(t: TableState, command: Rescue) -> None:
    """Return the added chips, and give up the original wager; perhaps the Dealer need not draw any more."""
    hand, slot = _rescued(t, command.place)
    if hand is not None:
        hand.stakes[slot].rescued = True
        hand.stakes[slot].added = 0
    if t.machine.state is State.DEALER_TURN:
        dealer.reconsider(t)
