"""Tables without position sensors: a person tells the places and is believed.

1. No error of the order of dealing is raised, and no command refused because of one, until a person makes it known
   (`call`). Then clause and ruling follow from how far the round has come.
2. A card counts where it is told to lie, also on a box without a wager.
3. The initial deal is over when the last wagered box has its second card, when a box is dealt a third one, or when
   somebody says what is said only after it. That holds even if somebody was left out. Until a further card is dealt, a
   card to anyone who was left out still belongs to the initial deal. If a person says that the very card which ended it
   was misdealt, the deal is not over, and what that card seemed to prove is taken back.
4. In a Player's turn a card or a decision at a later hand says that those before it have stood, unless one of them
   asked for a card.
"""

from __future__ import annotations

from copy import copy

from gamecore.cards import order, whereabouts
from gamecore.cards.queries import dealt, with_role
from gamecore.model.events.events import (
    Collect,
    Double,
    EvenMoney,
    Event,
    FreeDouble,
    FreeSplit,
    Hit,
    Insure,
    Interim,
    Offer,
    Pay,
    Split,
    Stand,
    Surrender,
)
from gamecore.model.events.facts import CardFact
from gamecore.model.hands import Hand
from gamecore.model.places import DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Box
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases import closing, dealer, offers, resume, turns
from gamecore.phases.cards import shoe
from gamecore.phases.cards.counting import count
from gamecore.standing import played
from gamecore.standing.decided import over

#: What the first card after the initial deal proves.
_PROVED_BY_FURTHER_CARD = frozenset({"insurance-not-offered", "unsettled-side-wager"})


def count_where_told(t: TableState, record: CardRecord, place: Place, *, exposed: bool = False) -> None:
    """Let a card count where a person says that it lies."""
    game_round = t.round
    if not t.round_is_on or t.machine.state is State.BETTING:
        whereabouts.make_next(game_round, record)
        t.suspect(CardFact("card-in-error", record, (place,)))
        return
    if t.shoe.burn_due:
        game_round.burn_was_due = True
        t.shoe.burn_due = False
    if t.machine.state is State.BETS_CLOSED:
        t.enter("deal_first_card")
        shoe.first_card(t)
    hand = _hand(t, place)
    if hand is None:
        _count_off_hands(t, record)
        return
    passed_over = None
    if t.machine.state is State.INITIAL_DEAL and hand is not game_round.dealer and len(hand.cards) >= 2:
        passed_over = order.intended(t)
        offers.begin(t)
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    if t.machine.state is State.INITIAL_DEAL:
        count(t, record, hand, place, order.intended(t), subsequent=False, exposed=exposed)
        next_of_deal(t, record, place)
        return
    _count_further(t, record, place, hand, exposed=exposed)
    if passed_over is not None:
        whereabouts.set_due(record, passed_over, subsequent=True)


def _count_off_hands(t: TableState, record: CardRecord) -> None:
    """A card is told to lie at no hand: it counts nowhere, wherever it was due."""
    dealing = t.machine.state is State.INITIAL_DEAL
    if not dealing:
        closing.further_card(t)
    due = t.next_place if dealing or t.machine.state is State.DEALER_TURN or _asked_for(t) is not None else None
    whereabouts.await_ruling(t.round, record)
    whereabouts.set_due(record, due, subsequent=not dealing)
    if dealing:
        resume.point_to_short(t)


def _count_further(t: TableState, record: CardRecord, place: Place, hand: Hand, *, exposed: bool) -> None:
    """A card of the subsequent deal: a hand passed over without asking for one has stood, if nothing else is told."""
    game_round = t.round
    pending = _asked_for(t) not in {None, hand}
    due = t.next_place if pending else _due(t, hand, place)
    whereabouts.note_stood(record, hand)
    if t.machine.state is State.PLAYER_TURN and not pending and not t.turn.dealer_owed and _in_order(t, hand):
        _pass_over(t, hand)
    counts = not over(t.rules, game_round, hand)
    closing.further_card(t)
    if counts:
        count(t, record, hand, place, due, subsequent=True, exposed=exposed)
        hand.awaits_card = False
    else:
        whereabouts.await_ruling(game_round, record)
        whereabouts.set_due(record, due, subsequent=True)
    if hand.stakes or hand is game_round.dealer:  # a card at a box without wagers ends nobody's time to decide
        t.turn.last_doubled, t.turn.just_split = None, False
    if hand is game_round.dealer and t.turn.dealer_owed:
        if record.card.readable:  # else it has come when the pit has named it
            resume.dealer_received(t)
    elif t.machine.state is State.PLAYER_TURN and not turns.point_to_first(t):
        turns.finish(t)
    elif t.machine.state is State.DEALER_TURN:
        dealer.after_card(t)


def _due(t: TableState, hand: Hand, place: Place) -> Place | None:
    """Where a card belongs that nobody waited for: its hand, the Dealer's in their turn, nowhere if that is played."""
    if hand is t.round.dealer:
        return None if t.machine.state is State.SETTLEMENT else place
    if t.machine.state is State.DEALER_TURN:
        return t.next_place
    return None if played.complete(t.rules, hand) else place


def _asked_for(t: TableState) -> Hand | None:
    """The hand whose turn it is, if a card was asked for there; one that was not dealt out has asked for nothing."""
    turn = t.round.turn
    hand = turn.hands[t.round.turn_hand] if turn is not None else None
    asked = hand is not None and hand.awaits_card and (len(hand.cards) >= 2 or hand.split)
    return hand if asked else None


def later_turn(t: TableState, place: Place) -> tuple[Box, int] | None:
    """The hand that a decision speaks of, if it is later than the one whose turn it is, and nobody waits for a card."""
    turn, box = t.round.turn, t.round.boxes.get(place.box)
    if t.fitting.senses_places or t.turn.dealer_owed or turn is None or box is None or _asked_for(t) is not None:
        return None
    if box not in t.round.order or box.number <= turn.number:
        return None
    if any(hand.split and len(hand.cards) < 2 for hand in turn.hands):  # a split hand is owed its card first
        return None
    hands = [place.hand - 1] if place.hand else range(len(box.hands))
    return next(
        ((box, index) for index in hands if index < len(box.hands) and not played.complete(t.rules, box.hands[index])),
        None,
    )


def prepare(t: TableState, command: Event) -> None:
    """Carry out what a command says about what went before: the deal is over, the hands before this one stood."""
    if type(command) in AFTER_DEAL and presumed_over(t):
        offers.begin(t)
    if isinstance(command, Hit | Stand | Double | FreeDouble | Split | FreeSplit):
        later = later_turn(t, command.place)
        if later is not None and t.machine.state is State.OFFERS and offers.OPEN not in t.round.offers.values():
            offers.leave(t)
            later = later_turn(t, command.place)
        if later is not None:
            box, index = later
            _pass_over(t, box.hands[index])
            t.round.turn, t.round.turn_hand = box, index
            t.expect(box.place_of(index), box.hands[index])


def _in_order(t: TableState, hand: Hand) -> bool:
    """Whether a hand is one of those that are played in turn; the Dealer's is, once it has its first card."""
    if hand is t.round.dealer:
        return bool(hand.cards)
    return any(hand is other for box in t.round.order for other in box.hands)


def _pass_over(t: TableState, until: Hand) -> None:
    """Every hand before this one has stood; one that was not dealt out yet waits."""
    for hand in [hand for box in t.round.order for hand in box.hands]:
        if hand is until:
            return
        if len(hand.cards) >= 2 and not played.complete(t.rules, hand):
            hand.stood = True
    turns.finish(t)


def _hand(t: TableState, place: Place) -> Hand | None:
    """The hand at a told place, made for a box that has none."""
    if place.box < 0:
        return None
    if place.box == DEALER.box:
        return t.round.dealer
    box = t.round.box(place.box)
    if not box.hands:
        box.hands = [Hand()]
    return t.round.hand_at(place)


def next_of_deal(t: TableState, record: CardRecord, place: Place) -> None:
    """Point to the next place of the initial deal, or end it; a card that somebody chose passes nobody over."""
    game_round, given = t.round, with_role(t, Role.GIVEN)
    if game_round.findings and not given:
        resume.skip_invalidated(t)
    last = game_round.order[-1] if game_round.order and not record.chosen else None
    dealt_out = last is not None and place.box == last.number and len(last.hands[0].cards) >= 2
    if dealt_out or not resume.point_to_short(t):
        offers.begin(t)


# --- the end of the initial deal, which nobody tells ---------------------------------------------------------------

#: What a person says only when the initial deal is over.
AFTER_DEAL = frozenset(
    {Offer, Interim, Collect, Pay, Hit, Stand, Double, FreeDouble, Split, FreeSplit, Surrender, Insure, EvenMoney}
)


def presumed_over(t: TableState) -> bool:
    """Whether the initial deal may be over although somebody was left out."""
    if t.fitting.senses_places or t.machine.state is not State.INITIAL_DEAL:
        return False
    return any(len(hand.cards) >= 2 for box in t.round.order for hand in box.hands)


def if_over(t: TableState) -> TableState:
    """The table as it would stand if the initial deal were over: a copy of what would change, the rest shared."""
    supposed, game_round = copy(t), copy(t.round)
    game_round.boxes = {number: copy(box) for number, box in game_round.boxes.items()}
    for box in game_round.boxes.values():
        box.hands = [copy(hand) for hand in box.hands]
    game_round.order = [game_round.boxes[box.number] for box in game_round.order]
    game_round.offers = dict(game_round.offers)
    supposed.round, supposed.machine, supposed.turn, supposed.out = game_round, copy(t.machine), copy(t.turn), []
    offers.begin(supposed)
    return supposed


def completes_deal(t: TableState, place: Place) -> bool:
    """Whether a card completes the initial deal of a hand that was passed over, before any further card."""
    if (
        t.hold.matters
        or t.turn.dealer_owed
        or t.round.subsequent
        or t.machine.state not in {State.OFFERS, State.PLAYER_TURN}
    ):
        return False
    hand = t.round.hand_at(place)
    if hand is t.round.dealer:
        return not hand.cards
    if hand is None or hand.split:
        return False
    return len(hand.cards) < 2 if hand.stakes else len(hand.cards) == 1


def reopen_deal(t: TableState, place: Place | None, *, missing: bool) -> None:
    """Reopen the initial deal if only the card that a person says was misdealt, or missed, has ended it.

    `missing` says that a card is missing at the place; else the card there was misdealt.
    """
    further = [record for record in dealt(t) if record.subsequent]
    other = any(matter.finding.code not in _PROVED_BY_FURTHER_CARD for matter in t.hold.matters)
    if t.fitting.senses_places or other or len(further) != 1 or place is None:
        return
    last = further[0]
    spoken_of = last.due if missing else last.felt
    here = spoken_of is not None and spoken_of.box == place.box
    if here and _ended_deal(t, last) and not _decided_since(t, last):
        whereabouts.set_due(last, last.due, subsequent=False)
        t.round.subsequent = False
        t.round.findings[:] = [finding for finding in t.round.findings if finding.code not in _PROVED_BY_FURTHER_CARD]
        if t.hold.matters:
            t.hold.matters.clear()
            t.enter(f"resume_{t.hold.held_from.name.lower()}")


def _ended_deal(t: TableState, record: CardRecord) -> bool:
    """Whether a card was dealt past a hand that was due one of the initial deal."""
    hand = t.round.hand_at(record.due) if record.due is not None else None
    initial = 1 if hand is t.round.dealer else 2
    return hand is not None and hand is not record.hand and len(hand.cards) < initial


def _decided_since(t: TableState, record: CardRecord) -> bool:
    """Whether somebody has decided upon a hand since a card was dealt."""
    hands = [hand for box in t.round.order for hand in box.hands]
    at = next((index for index, hand in enumerate(hands) if hand is record.hand), 0)
    acted = any(hand.doubled or hand.split or hand.settled for hand in hands)
    asked = _asked_for(t)
    return acted or (asked is not None and not asked.absent) or any(hand.stood for hand in hands[at:])


def complete_deal(t: TableState, record: CardRecord, place: Place, *, exposed: bool = False) -> None:
    """Count a late card in the initial deal; the offers follow the Dealer's first card, also a late one."""
    hand = t.round.hand_at(place)
    if hand is None:
        return
    count(t, record, hand, place, order.intended(t), subsequent=False, exposed=exposed)
    hand.awaits_card = False
    if hand is t.round.dealer and t.machine.state is State.PLAYER_TURN:
        offers.due(t)
        if t.round.offers:
            t.enter("reopen_offers")
    if t.machine.state is State.OFFERS:
        offers.point(t)
    elif not turns.point_to_first(t):
        turns.finish(t)
