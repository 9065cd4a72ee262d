"""Reconstruction: computing it, following it, ending it.

1. Early, the whole initial deal is laid anew in the order in which the cards left the shoe. Late, the first card that
   went astray belongs where it was due; the cards that left the shoe after it return as the next cards.
2. `remaining` is computed from where the cards lie now, so that after each move the rest of the list is right.
3. When the house says that the cards lie as they should, they are credited that way; what was not seen to be moved is
   believed, but for a card that was seen to be taken off a hand (`taken`).
4. It is not possible where a card that must be placed could not be read; the statement says so.
"""

from __future__ import annotations

from collections.abc import Collection

from gamecore.cards.layout import shortest_moves
from gamecore.irregularities import taken
from gamecore.irregularities.order import broken, early, misplaced, proper, shifted, strays, waiting, wanted
from gamecore.model.cards import Card
from gamecore.model.hands import Hand
from gamecore.model.machine import State
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.model.round import Drawn, Move, Round
from gamecore.model.state import Matter, TableState
from gamecore.phases import dealer, offers, turns
from gamecore.standing.stage import over

ORDERED = "ordered"
_DEALING = frozenset({State.BETS_CLOSED, State.INITIAL_DEAL})
_RECONSTRUCT = ("reconstruct", "reconstruct-options")


def lay_first(t: TableState, matter: Matter, card: Card, place: Place) -> bool:
    """Lay the first of several cards that were pulled in a known order: it was due, whatever came after the pull."""
    laid = any(drawn.due is not None for drawn in strays(t))
    if matter.fact.kind != ORDERED or matter.fact.cards[0] != card or laid:
        return False
    drawn = Drawn(card, place, t.next_place, credited=False, subsequent=t.round.subsequent)
    t.round.draws.insert(len(t.round.draws) - len(waiting(t)), drawn)
    return True


def lay_stray(t: TableState, card: Card, place: Place, behind: int | None = None) -> None:
    """Lay a card that nobody was due: it follows the cards that wait to be dealt, or so many of them."""
    if behind is None and t.next_cards:
        behind = len(t.next_cards) + len(waiting(t))
    drawn = Drawn(card, place, None, credited=False, subsequent=t.round.subsequent, behind=behind)
    t.round.draws.append(drawn)


def next_due(t: TableState) -> Place | None:
    """Where the next card belongs; while the initial deal is to be laid anew, where it will."""
    laid_anew = any(matter.procedure in _RECONSTRUCT and matter.fact.kind != taken.TAKEN for matter in t.matters)
    order = proper(t) if laid_anew and early(t) else []
    return order[len(t.round.draws)] if len(t.round.draws) < len(order) else t.next_place


def queue(t: TableState, drawn: Drawn) -> None:
    """A card is one of the next cards, in the order of leaving the shoe."""
    t.next_cards.insert(len(t.next_cards) if drawn.behind is None else drawn.behind, drawn.card)


def lay_pulled(t: TableState, matter: Matter) -> None:
    """The cards lie as they should, and so does the first of an ordered pull that nobody has seen laid."""
    if matter.fact.kind == ORDERED and t.next_place is not None and matter.fact.cards[0] in t.in_hand:
        t.in_hand.remove(matter.fact.cards[0])
        lay_first(t, matter, matter.fact.cards[0], t.next_place)


def set_apart(t: TableState, *, later: bool) -> None:
    """A person has said what is wrong: cards that were believed and went astray count no more until that is decided.

    With `later`, neither do those that left the shoe after them: to be put back, they are the next cards.
    """
    if t.senses_places:
        return
    astray = False
    for drawn in [drawn for drawn in t.round.draws if drawn.subsequent]:
        astray = misplaced(drawn) or (later and astray)
        if astray and drawn.credited:
            drawn.credited = False
            _take_off(t, drawn)


def _take_off(t: TableState, drawn: Drawn) -> Hand | None:
    """Take a card off the hand where it lies."""
    box = t.round.boxes.get(drawn.place.box)
    hands = [t.round.hand_at(drawn.place), *(box.hands if box is not None else [])]
    hand = next((hand for hand in hands if hand is not None and drawn.card in hand.cards), None)
    if hand is not None:
        hand.take(drawn.card)
    return hand


def remaining(t: TableState, matter: Matter) -> tuple[Move, ...]:
    """The moves still to be made for a matter."""
    match matter.procedure:
        case "reconstruct" | "reconstruct-options" if matter.fact.kind == taken.TAKEN:
            return taken.moves(t) if matter.step != "leave" else ()
        case "reconstruct" | "reconstruct-options" if matter.step != "cannot":
            return shortest_moves(wanted(t))
        case "discard-overdraw" | "discard-overdraw-options" | "discard-box" | "discard-box-options":
            return tuple(Move(drawn.card, drawn.place, DISCARD) for drawn in to_discard(t, matter, matter.places))
    return ()


def to_discard(t: TableState, matter: Matter, places: Collection[Place]) -> list[Drawn]:
    """The cards of a matter that lie at these places, of equal ones what was laid last."""
    left, found = list(matter.cards), []
    for drawn in reversed(t.round.draws):
        if drawn.place in places and drawn.card in left:
            left.remove(drawn.card)
            found.append(drawn)
    return found[::-1]


def overdrawn(t: TableState) -> list[Drawn]:
    """Cards on the Dealer's hand that came when it needed none, where nobody saw it (MBS 5.7, RWS 5.10.2)."""
    return _dealers(t)[1]


def was_complete(t: TableState) -> bool:
    """Whether the Dealer's hand was complete before the cards that it did not need."""
    hand = _dealers(t)[0]
    return bool(hand.cards) and t.rules.dealer_complete.value(hand.total, hand.soft)


def has_excess(t: TableState) -> bool:
    """Whether the Dealer's hand has cards that it did not need."""
    return bool(_dealers(t)[1])


def _dealers(t: TableState) -> tuple[Hand, list[Drawn]]:
    """The Dealer's hand as it should be, and the cards that came when it was complete or nobody was due one."""
    hand, excess = Hand(), []
    for drawn in t.round.draws:
        if drawn.credited and drawn.place == DEALER:
            complete = hand.cards and t.rules.dealer_complete.value(hand.total, hand.soft)
            if complete or drawn.due is None:
                excess.append(drawn)
            else:
                hand.add(drawn.card)
    return hand, excess


def discard_hand(t: TableState, hand: Hand, place: Place) -> None:
    """The cards of a hand that nobody plays any more go to the discard holder (MBS 5.16.2)."""
    _empty(hand)
    for drawn in [drawn for drawn in t.round.draws if drawn.place.box == place.box]:
        t.round.draws.remove(drawn)


def moved(t: TableState, card: Card, source: Place, target: Place) -> bool:
    """A card of the round was moved by hand, of equal ones first what lies astray; False if none lies there."""
    lying = [
        drawn
        for drawn in t.round.draws
        if drawn.card == card and drawn.place.box == source.box and source.hand in (0, drawn.place.hand, 1)
    ]
    if not lying:
        return False
    drawn = min(lying, key=lambda drawn: (drawn.credited, not misplaced(drawn)))
    put_back = t.matters and all(matter.fact.kind != taken.TAKEN for matter in t.matters)
    if drawn.credited and put_back and not early(t) and _take_off(t, drawn) is not None:
        after = t.round.hand_at(target)
        if after is not None:
            after.add(drawn.card)
    drawn.place = target
    return True


def lay_anew(t: TableState) -> None:
    """Take the initial deal up and lay it again in the order of leaving the shoe."""
    game_round, last = t.round, waiting(t)
    cards = [drawn.card for drawn in game_round.draws if drawn not in last]
    burned = [drawn.card for drawn in game_round.draws if drawn.credited and drawn.due == BURN]
    for card in burned:
        if card in t.burned:
            t.burned.remove(card)
    t.burn_due = game_round.burn_was_due
    game_round.draws.clear()
    for number in [number for number, box in game_round.boxes.items() if not box.mains and not box.sides]:
        del game_round.boxes[number]
    for hand in [game_round.dealer, *(hand for box in game_round.boxes.values() for hand in box.hands)]:
        _empty(hand)
    game_round.dealt = 0
    game_round.turn, game_round.turn_hand = None, 0
    game_round.offers.clear()
    if game_round.deal:
        t.held_from = State.BETS_CLOSED
        t.expect(*game_round.deal[0])
    else:  # bets are open still, and no playing area has a wager
        t.expect_nothing()
    places = len(game_round.deal) + game_round.burn_was_due
    t.returning.extend((card, None) for card in cards[:places])
    t.next_cards[:0] = cards[places:]
    for drawn in last:
        queue(t, drawn)


def _empty(hand: Hand) -> None:
    for card in list(hand.cards):
        hand.take(card)
    hand.face_down.clear()
    hand.stood = hand.awaits_card = False


def put_back(t: TableState) -> None:
    """The deal is laid anew. Late, the first stray goes where it was due; the others, or one not due, are next."""
    if early(t) or shifted(t):
        t.round.subsequent = False
        lay_anew(t)
        return
    if broken(t):
        _deal_again(t)
    for index, drawn in enumerate(strays(t)):
        t.round.draws.remove(drawn)
        hand = t.round.hand_at(drawn.place)
        if hand is not None and not t.senses_places:  # it was believed to be his, and he may have acted upon it
            hand.stood = hand.stood and drawn.stood
            hand.awaits_card = hand.awaits_card or hand.doubled
        if index == 0 and drawn.due is not None:
            t.returning.append((drawn.card, drawn.due))
        else:
            queue(t, drawn)
    turn_back(t)


def _deal_again(t: TableState) -> None:
    """Every card of the initial deal goes where the order says, under what was dealt to the hand since."""
    initial = [drawn for drawn in t.round.draws if not drawn.subsequent]
    for drawn in initial:
        _take_off(t, drawn)
    hands = {hand: list(hand.cards) for _, hand in t.round.deal}
    for hand, further in hands.items():
        for card in further:
            hand.take(card)
    for drawn in initial:
        hand_due = t.round.hand_at(drawn.due) if drawn.due is not None else None
        if drawn.due is not None and hand_due is not None:
            drawn.place = drawn.due
            hand_due.add(drawn.card)
    for hand, further in hands.items():
        for card in further:
            hand.add(card)


def turn_back(t: TableState) -> None:
    """Hands have changed: who can act is asked again, though the round had gone further."""
    if t.held_from not in {State.DEALER_TURN, State.SETTLEMENT}:
        return
    if any(not turns.complete(t.rules, hand) for box in t.round.order for hand in box.hands):
        t.held_from = State.PLAYER_TURN
    elif t.held_from is State.SETTLEMENT:
        t.round.dealer_need = dealer.need(t.rules, t.round)
        if dealer.must_draw(t.rules, t.round, t.round.dealer_need):
            t.held_from = State.DEALER_TURN
            t.expect(DEALER, t.round.dealer)


def credit(t: TableState, card: Card, place: Place) -> None:
    """A card that a ruling puts on a hand, in turn or not."""
    hand = t.round.hand_at(place)
    t.round.draws.append(Drawn(card, place, place, subsequent=t.round.subsequent))
    t.ruled.append((card, place.box))
    t.just_split, t.last_doubled = False, None
    if hand is not None:
        hand.add(card)
        hand.awaits_card = False


def take_last(t: TableState, place: Place) -> None:
    """Where places are told and believed, the last card at a place is out again, to be dealt next (MBS 5.8)."""
    hand = t.round.hand_at(place)
    drawn = next((d for d in reversed(t.round.draws) if d.subsequent and d.place.box == place.box), None)
    if drawn is not None and hand is not None and drawn.card in hand.cards:
        hand.take(drawn.card)
        t.round.draws.remove(drawn)
        t.next_cards.append(drawn.card)


def take_up(t: TableState) -> None:
    """Nothing was wrong with the cards that were laid meanwhile: they count where they lie, as if laid now."""
    for drawn in strays(t):
        t.round.draws.remove(drawn)
        t.returning.append((drawn.card, drawn.place))


def leave_as_laid(t: TableState) -> None:
    """The cards are not reconstructed: each counts where it lies, on no hand or on one that is over nowhere."""
    left = strays(t)
    if left and t.held_from in _DEALING:
        t.burn_due = False  # the deal has begun without it
    for drawn in left:
        hand = t.round.hand_at(drawn.place)
        drawn.credited, drawn.due = True, drawn.place
        if hand is t.round.dealer or (hand is not None and hand.stakes and not over(t.rules, t.round, hand)):
            hand.add(drawn.card)
            hand.awaits_card = False
        if t.held_from in _DEALING and drawn.place.box >= DEALER.box:
            _dealt_as_laid(t.round, drawn.place, hand)
    if not t.senses_places:
        for drawn in t.round.draws:
            drawn.due = drawn.place


def _dealt_as_laid(game_round: Round, place: Place, hand: Hand | None) -> None:
    """In the initial deal the order becomes what it was in fact: who had the card early is not dealt it again."""
    deal, now = game_round.deal, game_round.dealt
    later = next((index for index in range(now, len(deal)) if deal[index][1] is hand), None)
    deal.insert(now, (place, hand or Hand()) if later is None else deal.pop(later))
    game_round.dealt += 1


def skip_invalidated(t: TableState) -> None:
    """In the initial deal a hand that all its Players have left gets no further card (RWS 5.7.3, MBS 5.25)."""
    game_round = t.round
    while game_round.dealt < len(game_round.deal):
        hand = game_round.deal[game_round.dealt][1]
        if hand.in_play or not hand.stakes:
            return
        del game_round.deal[game_round.dealt]


def point_to_short(t: TableState) -> bool:
    """Where places are told, the next place of the initial deal is the first that is short; False if none is."""
    game_round = t.round
    for index, (place, hand) in enumerate(game_round.deal):
        second = index > len(game_round.order)
        if len(hand.cards) < (2 if second else 1) and (hand.in_play or not hand.stakes):
            t.next_place, t.next_hand = place, hand
            return True
    return False


def deal_on(t: TableState) -> None:
    """The initial deal goes on where it was left, or is complete."""
    game_round = t.round
    if not t.senses_places:
        if t.machine.state is State.BETS_CLOSED and any(hand.cards for _, hand in game_round.deal):
            t.enter("deal_first_card")
        if t.burn_due:
            t.expect_nothing()
        elif not point_to_short(t):
            _deal_is_over(t)
        return
    skip_invalidated(t)
    if game_round.dealt and t.machine.state is State.BETS_CLOSED:
        t.enter("deal_first_card")
    if game_round.dealt < len(game_round.deal):
        t.expect(*game_round.deal[game_round.dealt])
        return
    _deal_is_over(t)


def _deal_is_over(t: TableState) -> None:
    if t.machine.state is State.BETS_CLOSED:
        t.enter("deal_first_card")
    offers.begin(t)


def obstacle(t: TableState) -> str:
    """Why the cards may not be capable of being put back: a value or an order unknown, a later decision; else nothing.

    The house decides (`cannot-reconstruct`). Then MBS 5.2 voids early and 6.1 refers late; at RWS 5.7.1 applies.
    """
    if any(not drawn.card.readable for drawn in t.round.draws):
        return "the value of a card is unknown"
    if any(matter.finding.code == "double-draw" for matter in (*t.matters, *t.pulls)):
        return "the order of cards drawn together is unknown"
    first = next((drawn for drawn in t.round.draws if misplaced(drawn)), None) if not t.senses_places else None
    hand = t.round.hand_at(first.place) if first is not None and not early(t) else None
    relied = hand is not None and first is not None and ((hand.stood and not first.stood) or hand.doubled or hand.split)
    if relied and hand is not t.round.dealer:
        return "a later decision relied on the cards"
    return ""
