"""Procedures about cards: dealt in error, skipped, discarded, unreadable, unshuffled, insufficient.

1. A card dealt in error is offered as the next card, first to the Player whose hand is to be acted upon; who refuses it
   receives no further card in the round; refused by all, it is the Dealer's next card (MBS 5.8 to 5.10).
2. `next_cards` are cards out of the shoe that are dealt next, in their order, before any card from the shoe.
3. An unreadable card is named by the pit. If nobody can, MBS refers it (6.1) and RWS voids the round (5.13.2).
4. Insufficient cards with manual shuffling: the round waits for one riffle of the discards and a load (MBS 5.19).
"""

from __future__ import annotations

from gamecore.irregularities import order, repair
from gamecore.irregularities import wagers as touch
from gamecore.irregularities.matter import UNREADABLE, ask, ask_all, close, give_right, hold
from gamecore.model.cards import Card, CardError, card
from gamecore.model.machine import State
from gamecore.model.places import DEALER, DISCARD, Place
from gamecore.model.state import Matter, TableState
from gamecore.phases import dealer, offers, turns
from gamecore.standing.asked import called

ACCEPT, REFUSE = "accept", "refuse"


def go_on(t: TableState, matter: Matter) -> None:
    """Close a matter, and look anew whose turn it is: hands may have changed under it."""
    close(t, matter)
    look_anew(t)


def look_anew(t: TableState) -> None:
    """Where the next card belongs, after hands or wagers have changed."""
    if t.matters or t.machine.state is State.HELD:
        return
    if t.machine.state is State.PLAYER_TURN and not t.returning:
        if not turns.point_to_first(t):
            dealer.begin(t)
    elif t.machine.state is State.DEALER_TURN and not t.returning:
        dealer.reconsider(t)
    elif t.machine.state in {State.BETS_CLOSED, State.INITIAL_DEAL} and not t.returning:
        repair.deal_on(t)
    elif t.machine.state is State.OFFERS and not t.returning:
        offers.point(t)


# --- the next card (MBS 5.8 to 5.10) -------------------------------------------------------------------------------


def next_card(t: TableState, matter: Matter) -> None:
    """Offer the card to the Player whose hand is to be acted upon, or leave it for whoever is next."""
    strays = order.strays(t)
    for stray in strays:
        t.round.draws.remove(stray)
        t.next_cards.append(stray.card)
    if matter.places and not strays and not matter.cards and not t.senses_places:
        repair.take_last(t, matter.places[0])
    if matter.fact.kind == "ordered":
        return
    if t.machine.state in {State.PLAYER_TURN, State.OFFERS} and t.round.turn is not None:
        hold(t, matter)
        _offer(t, matter)
    elif t.machine.state is State.HELD:
        matter.step = "joined"


def _offer(t: TableState, matter: Matter) -> None:
    box = t.round.turn
    if box is not None and box.hands[t.round.turn_hand].absent:  # the Dealer deals to it in turn (MBS 5.22)
        next_card_answered(t, matter, called(box, box.controller), (ACCEPT,))
    elif box is not None:
        ask(t, matter, called(box, box.controller), (ACCEPT, REFUSE), "5.8")


def next_card_answered(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """Accepted: it is that hand's card. Refused: the hand stands (5.9, 5.24), and the next Player is asked."""
    matter.asks.clear()
    box = t.round.turn
    if box is None or not t.next_cards:
        go_on(t, matter)
        return
    if what == (ACCEPT,):
        place = box.place_of(t.round.turn_hand)
        t.returning.append((t.next_cards.pop(0), place))
        close(t, matter)
        return
    box.hands[t.round.turn_hand].stood = True
    box.hands[t.round.turn_hand].awaits_card = False
    if turns.point_to_next(t):
        _offer(t, matter)
        return
    go_on(t, matter)
    if t.machine.state is State.DEALER_TURN:
        t.returning.append((t.next_cards.pop(0), DEALER))


def done_if_answered(t: TableState, matter: Matter) -> None:
    """The card lies as the ruling says."""
    if not matter.asks:
        go_on(t, matter)


def keep(t: TableState, _matter: Matter) -> None:
    """A card to a Dealer's hand that needs none and is not complete stays there; it changes nothing."""
    for stray in order.strays(t):
        stray.credited = True
        t.round.dealer.add(stray.card)


# --- a skipped hand (MBS 5.17, 5.18) -------------------------------------------------------------------------------


def skipped(t: TableState, matter: Matter) -> None:
    """A hand signal is invisible: the Dealer is asked whether the hand was skipped or stood."""
    hold(t, matter)
    box, least = t.round.turn, t.rules.must_draw_below.value
    low = box is not None and least is not None and box.hands[t.round.turn_hand].total < least  # RWS 3.20
    ask(t, matter, "dealer", ("skipped",) if low else ("skipped", "stood"), matter.finding.clause)


def skipped_answered(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """Stood: the stand is recorded and the finding taken back. Skipped: the cards are removed and dealt as the next."""
    matter.asks.clear()
    if what == ("skipped",):
        matter.step = "skipped"
        return
    t.round.findings.remove(matter.finding)
    if not t.senses_places:  # the place was told and believed: the hand has stood already
        go_on(t, matter)
        return
    box = t.round.turn
    if box is not None:
        box.hands[t.round.turn_hand].stood = True
    strays = order.strays(t)
    for stray in strays:
        t.round.draws.remove(stray)
    close(t, matter)
    if t.machine.state is State.PLAYER_TURN and not turns.point_to_next(t):
        dealer.begin(t)
    due = t.next_place
    if strays and t.machine.state is State.PLAYER_TURN and due is not None and not _lies_at(strays[0].place, due):
        t.round.draws.extend(strays)
        t.suspect("hand-skipped", "next hand", (due,), (strays[0].card,))
        return
    t.relaid.extend((stray.card, stray.place, True) for stray in strays)


def _lies_at(place: Place, due: Place) -> bool:
    """Whether a card lies where one is due; a place without a hand number is the hand whose turn it is."""
    return place.box == due.box and place.hand in {0, due.hand or 1}


def skipped_done(t: TableState, matter: Matter) -> None:
    """The cards are removed: they are the next cards, as if never disclosed."""
    if matter.asks:
        return
    take_back(t, matter)
    go_on(t, matter)


def take_back(t: TableState, matter: Matter) -> None:
    """What was dealt past the skipped hand is out again, to be dealt next."""
    for stray in order.strays(t):
        t.round.draws.remove(stray)
        t.next_cards.append(stray.card)
    _take_back_after(t, matter)


def _take_back_after(t: TableState, matter: Matter) -> None:
    """Where places are told and believed, the cards of the next hand are taken off it again."""
    if not matter.places or t.senses_places:
        return
    skipped_box = matter.places[0].box
    reopen(t, matter)
    after = [d for d in t.round.draws if d.subsequent and (d.place.box > skipped_box or d.place == DEALER)]
    for drawn in [d for d in after if d.due is not None]:
        hand_there = t.round.hand_at(drawn.place)
        if hand_there is not None and drawn.card in hand_there.cards:
            hand_there.take(drawn.card)
            hand_there.stood = False
            hand_there.awaits_card = hand_there.doubled  # its one card is still to come
            t.round.draws.remove(drawn)
            t.next_cards.append(drawn.card)
    t.held_from = State.PLAYER_TURN


def reopen(t: TableState, matter: Matter) -> None:
    """Where places are told, a hand that was passed over was believed to have stood: it has not."""
    box = t.round.boxes.get(matter.places[0].box) if matter.places and not t.senses_places else None
    if box is not None:
        for hand in box.hands:
            hand.stood = False
        repair.turn_back(t)


# --- discards ------------------------------------------------------------------------------------------------------


def discard(t: TableState, matter: Matter) -> None:
    """The card goes to the discard holder; the total before it stands (MBS 5.7, RWS 5.10.2)."""
    hold(t, matter)
    excess = order.strays(t) or repair.overdrawn(t)
    matter.cards = [drawn.card for drawn in excess]
    matter.places = tuple({drawn.place for drawn in excess}) or (DEALER,)
    matter.finding.moves = repair.remaining(t, matter)


def discard_options(t: TableState, matter: Matter) -> None:
    """RWS: until settlement every Player may have the Bet back beside it (5.7, 5.10.2)."""
    discard(t, matter)
    give_right(t, "5.7")


def discard_box(t: TableState, matter: Matter) -> None:
    """The cards of a box without a wager go to the discard holder (MBS 5.15); Players may withdraw (5.25)."""
    _mark_box(t, matter)
    give_right(t, "5.25")


def discard_box_options(t: TableState, matter: Matter) -> None:
    """The cards of a box without a Bet are discarded (RWS 5.10.3); the options of 5.7 stand beside it."""
    _mark_box(t, matter)
    ask_all(t, matter, "5.7")


def _mark_box(t: TableState, matter: Matter) -> None:
    hold(t, matter)
    boxes = {place.box for place in matter.places}
    drawn = [d for d in t.round.draws if d.place.box in boxes]
    matter.cards = [d.card for d in drawn]
    matter.places = tuple({d.place for d in drawn})
    matter.finding.moves = repair.remaining(t, matter)


def discarded(t: TableState, matter: Matter) -> None:
    """The cards are out of play."""
    hands = [t.round.hand_at(place) for place in matter.places]
    for drawn in repair.to_discard(t, matter, (*matter.places, DISCARD)):
        hand = next((hand for hand in hands if hand is not None and drawn.card in hand.cards), None)
        if drawn.credited and hand is not None:
            hand.take(drawn.card)
        t.round.draws.remove(drawn)
    matter.step = "done"
    if not matter.asks:
        go_on(t, matter)


# --- unreadable and unshuffled -------------------------------------------------------------------------------------


def pit_value(t: TableState, matter: Matter) -> None:
    """The pit names the card (MBS 6.1, RWS 5.13.1)."""
    if not t.round_is_on:
        return
    hold(t, matter)
    named = tuple(str(held) for held in matter.cards) if matter.fact.kind == "which" else ("CARD",)
    ask(t, matter, "pit", (*named, "unknown"), matter.finding.clause)


def pit_value_answered(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """Named: the card counts as that. Unknown: MBS refers, RWS voids (5.13.2)."""
    matter.asks.clear()
    if what == ("unknown",):
        if t.rules.final_settlement.value:
            matter.finding.ruling, matter.finding.clause = "void", "5.13.2"
            touch.void(t, "5.13.2")
        else:
            matter.finding.ruling = "refer"
            ask(t, matter, "house", ("continue", "void"), t.rules.clauses.general)
        return
    if what == ("void",):
        touch.void(t, t.rules.clauses.general)
        return
    named = card(what[0]) if what != ("continue",) else None
    if named is None and t.round.dealer.cards:
        t.dealer_owed = False
    if matter.fact.kind == "which":
        if named in t.in_hand:
            t.in_hand.remove(named)
            t.returning.append((named, matter.places[0]))
        close(t, matter)
        return
    if named is not None and _name(t, named):
        proof = t.cards.replaced(named)
        if proof is not None:
            t.suspect(proof, cards=(named,))
    go_on(t, matter)


def _name(t: TableState, named: Card) -> bool:
    """Put a named card in the place of the one that could not be read; False if all are known to the table."""
    for drawn in t.round.draws:
        hand = t.round.hand_at(drawn.place)
        if drawn.card.readable:
            continue
        counts = drawn.credited and hand is not None and drawn.card in hand.cards
        if counts and hand is not None:
            hand.take(drawn.card)
        if counts and hand is not None and not (t.dealer_owed and hand is t.round.dealer):
            hand.add(named)
            drawn.card = named
        elif any(matter.finding.code != UNREADABLE for matter in t.matters):  # another ruling says where it belongs
            drawn.card = named
            _show_moves(t)
        else:
            t.round.draws.remove(drawn)
            t.relaid.append((named, drawn.place, True))
        return True
    if any(not held.readable for held in t.in_hand):
        t.in_hand = [held for held in t.in_hand if held.readable]
        t.returning.append((named, None))
        return True
    return _name_waiting(t, named)


def _name_waiting(t: TableState, named: Card) -> bool:
    """Name a card that lies in no hand yet: pulled with others, next to be dealt, or to be laid anew."""
    pulls = [matter for matter in (*t.matters, *t.pulls) if matter.finding.code != UNREADABLE]
    for cards in (t.next_cards, *(matter.cards for matter in pulls), *(matter.hidden for matter in pulls)):
        for index, held in enumerate(cards):
            if not held.readable:
                cards[index] = named
                return True
    for index, (held, place) in enumerate(t.returning):
        if not held.readable:
            t.returning[index] = (named, place)
            return True
    return False


def _show_moves(t: TableState) -> None:
    """The moves of what is open, as the cards are known now."""
    for matter in t.matters:
        matter.finding.moves = repair.remaining(t, matter) or matter.finding.moves


def is_card(text: str) -> bool:
    """Whether an answer names a card."""
    try:
        return card(text).points > 0
    except CardError:
        return False


def pit_shuffled(t: TableState, matter: Matter) -> None:
    """The order of the cards says that they were not shuffled: the Pit Manager decides."""
    if not t.round_is_on:
        return
    hold(t, matter)
    ask(t, matter, "pit", ("unshuffled", "shuffled"), matter.finding.clause)


def pit_shuffled_answered(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """Unshuffled voids (MBS 5.1.1, RWS 5.5.4); shuffled lets the round go on."""
    matter.asks.clear()
    if what == ("unshuffled",):
        clause = "5.5.4" if t.rules.final_settlement.value else "5.1.1"
        matter.finding.ruling, matter.finding.clause = "void", clause
        t.unshuffled = clause
        touch.void(t, clause)
        return
    if t.matters == [matter]:
        repair.take_up(t)
    go_on(t, matter)


# --- insufficient cards, cutting card ------------------------------------------------------------------------------


def riffle(t: TableState, matter: Matter) -> None:
    """Wait for one riffle of the discards and a load (MBS 5.19)."""
    hold(t, matter)
