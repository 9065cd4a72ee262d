"""Cards leave the shoe and are laid.

1. Cards are never refused. A card at its proper place moves the round on; any other is an irregularity.
2. The first card of a round closes bets that are still open; a card dealt while an offer is open closes that. Neither
   is an irregularity; both are recorded as implied. A burn closes nothing.
3. A card drawn between rounds is the burn if one is due.
4. In a Player's turn a card laid at the hand whose turn it is means hit.
"""

from __future__ import annotations

from gamecore import betting, dealer, irregular, offers, turns
from gamecore.cards import Card
from gamecore.events import CardDrawn, CardLaid, CardsTurned, Loaded
from gamecore.machine import State
from gamecore.outputs import Implied
from gamecore.places import BURN, Place
from gamecore.state import TableState


def card_drawn(t: TableState, event: CardDrawn) -> None:
    """A card left the shoe; where places are not sensed, it is credited at once."""
    if t.senses_places:
        t.in_hand.append(event.card)
        return
    place = event.told or t.next_place
    if place is None:
        irregular.refer(t, "card-in-error", ())
        return
    lay(t, event.card, place)


def card_laid(t: TableState, event: CardLaid) -> None:
    """A card lies at a place."""
    if event.card in t.in_hand:
        t.in_hand.remove(event.card)
    else:
        irregular.refer(t, "card-in-error", (event.place,))
        return
    lay(t, event.card, event.place, exposed=event.exposed)


def lay(t: TableState, card: Card, place: Place, *, exposed: bool = False) -> None:
    """Credit a card to its place and move the round on."""
    if not _proper(t.next_place, place):
        _imply(t, place)
        if not _proper(t.next_place, place):
            irregular.refer(t, _code(t, place), (place,))
            return
    if t.next_place is BURN:
        _burn(t, card)
        return
    _advance(t, card, exposed=exposed)


def _proper(due: Place | None, place: Place) -> bool:
    """Whether a card may lie there now; a place without a hand number is the hand whose turn it is."""
    if due is place:
        return True
    return due is not None and place.box == due.box and place.hand in (0, due.hand or 1)


def _imply(t: TableState, place: Place) -> None:
    """Close what a card closes: bets, for any card but a burn."""
    if t.machine.state is State.BETTING and place.box >= 0 and any(box.mains for box in t.round.boxes.values()):
        t.out.append(Implied("close bets"))
        betting.close_bets(t)


def _code(t: TableState, place: Place) -> str:
    return "misdealt-card" if t.next_place is not None and place.box >= 0 else "card-in-error"


def _burn(t: TableState, card: Card) -> None:
    """The burn: the first card of a fresh shoe (MBS 5.21)."""
    t.burned.append(card)
    t.burn_due = False
    if t.machine.state is State.BETS_CLOSED:
        t.expect(*t.round.deal[0])
    else:
        t.expect_nothing()


def _advance(t: TableState, card: Card, *, exposed: bool) -> None:
    """Lay a card at the hand that it is due to."""
    state = t.machine.state
    hand = t.next_hand
    if state is State.BETS_CLOSED:
        t.enter("deal_first_card")
        state = State.INITIAL_DEAL
    elif state is State.OFFERS:
        offers.leave(t)
        state = t.machine.state
    if hand is None:
        irregular.refer(t, "card-in-error", ())
        return
    hand.add(card)
    game_round = t.round
    if state is State.INITIAL_DEAL:
        if game_round.squeezed and not exposed:
            box = game_round.boxes.get(game_round.deal[game_round.dealt][0].box)
            if box is not None and box.squeeze:
                hand.face_down.append(card)
        game_round.dealt += 1
        if game_round.dealt < len(game_round.deal):
            t.next_place, t.next_hand = game_round.deal[game_round.dealt]
        else:
            offers.begin(t)
        return
    game_round.subsequent = True
    t.last_doubled = None
    t.just_split = False
    if state is State.DEALER_TURN:
        dealer.after_card(t)
    else:
        if not exposed and game_round.turn is not None and game_round.turn.squeeze:
            hand.face_down.append(card)
        turns.after_card(t, hand)


def cards_turned(t: TableState, event: CardsTurned) -> None:
    """The face-down cards of a box were turned (RWS 3.12)."""
    box = t.round.boxes.get(event.box)
    for hand in box.hands if box is not None else []:
        hand.face_down.clear()


def loaded(t: TableState, _event: Loaded) -> None:
    """A fresh shoe: a burn is due where the table burns."""
    t.burn_due = t.config.burn and t.config.shuffling != "continuous"
    if t.machine.state is State.BETS_CLOSED:
        t.expect(*t.round.deal[0])
    elif t.next_hand is None:
        t.expect_nothing()
