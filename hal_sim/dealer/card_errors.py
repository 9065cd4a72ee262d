"""Errors of the cards and of the deal: each function commits one, if it can be committed now.

It returns what happens then, as statements, or None if the round gives no chance for it. An empty list means that it
has prepared the error, which later statements show.
"""

from __future__ import annotations

from collections.abc import Callable

from gamecore.model.cards import JOKER, UNREAD, deck
from gamecore.model.events import events as ev
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.model.states import State
from gamecore.notation.syntax import Draw, Load, Pull, What
from hal_sim.dealer.robot_table import AFTER_DEAL, DEALING, Shadow

Commit = Callable[[Shadow], list[What] | None]

# --- the set of cards ------------------------------------------------------------------------------------------------


def foreign(shadow: Shadow) -> list[What] | None:
    """A card that belongs to no set comes out."""
    place = shadow.card_due()
    return None if place is None else [Draw(place, JOKER)]


def extra(shadow: Shadow) -> list[What] | None:
    """A card comes out that is out as often as the set has it; or the shoe counts one too many."""
    place, cards = shadow.card_due(), shadow.view.cards
    if place is None:
        return None
    faces = deck(shadow.rules.ranks.value)
    spent = [card for card in faces if cards.out.get(card.face, 0) == shadow.header.decks]
    if spent and shadow.header.shuffling != "continuous":
        return [Draw(place, shadow.chance.choice(spent))]
    return [ev.ShoeCounted(shadow.inside + 1)]


def missing(shadow: Shadow) -> list[What] | None:
    """The shoe counts one card too few."""
    dealt = shadow.state in DEALING | AFTER_DEAL
    return [ev.ShoeCounted(shadow.inside - 1)] if dealt and shadow.inside else None


def discard_short(shadow: Shadow) -> list[What] | None:
    """The discard holder counts one card too few."""
    return [ev.DiscardCounted(shadow.out - 1)] if shadow.out else None


def unshuffled(shadow: Shadow) -> list[What] | None:
    """The used cards are loaded as they are."""
    if shadow.view.shuffled or shadow.header.shuffling == "continuous":
        return None
    return [Load()]


def insufficient(shadow: Shadow) -> list[What] | None:
    """The cutting card lies behind the last card, so that the shoe is dealt until it is empty."""
    if shadow.cut_out or shadow.header.shuffling == "continuous":
        return None
    shadow.no_cutting_card = True
    return []


def cut_card(shadow: Shadow) -> list[What] | None:
    """The cutting card comes out, and the next round is dealt all the same."""
    if not shadow.view.played or shadow.view.shuffled or shadow.header.shuffling == "continuous":
        return None
    return [] if shadow.cut_out else [ev.CuttingCardOut()]


def face_up(shadow: Shadow) -> list[What] | None:
    """A card lies face up in the shoe."""
    place = shadow.card_due()
    return None if place is None else [Draw(place, face_up=True)]


def unreadable(shadow: Shadow) -> list[What] | None:
    """The shoe cannot read a card."""
    place = shadow.card_due()
    return None if place is None or not shadow.left else [Draw(place, UNREAD)]


# --- the deal --------------------------------------------------------------------------------------------------------


def no_burn(shadow: Shadow) -> list[What] | None:
    """The card that should be burned is dealt."""
    if shadow.state is not State.BETS_CLOSED or not shadow.view.burn_due:
        return None
    wagered = shadow.wagered()
    return [Draw(shadow.chance.choice((Place(wagered[0]), Place(wagered[-1]), DEALER)))]


def misdealt(shadow: Shadow) -> list[What] | None:
    """A card that is due at one place is laid at another."""
    due, dealing = shadow.table.next_place, shadow.state in DEALING
    if due is None or not shadow.quiet() or not (dealing or shadow.state is State.DEALER_TURN or shadow.asked_for()):
        return None
    passed_over = shadow.wagered()[0] if due == DEALER and dealing else None
    places = [*map(Place, shadow.wagered()), DEALER, BURN]
    wrong = [place for place in places if place.box not in {due.box, passed_over}]
    return [Draw(shadow.chance.choice(wrong))]


def dealer_passed_over(shadow: Shadow) -> list[What] | None:
    """In the initial deal the Dealer's card lies at the first box."""
    if shadow.state not in DEALING or shadow.table.next_place != DEALER or not shadow.quiet():
        return None
    return [Draw(Place(shadow.wagered()[0]))]


def empty_box(shadow: Shadow) -> list[What] | None:
    """A card is dealt to a box without a wager."""
    if not shadow.empty() or not shadow.quiet():
        return None
    return [Draw(Place(shadow.chance.choice(shadow.empty())))]


def in_error(shadow: Shadow) -> list[What] | None:
    """A hand that is complete gets a card."""
    turn = shadow.view.round.turn
    if not shadow.quiet() or shadow.state not in {State.PLAYER_TURN, State.SETTLEMENT} or shadow.asked_for():
        return None
    played = [
        number
        for number in shadow.wagered()
        if shadow.boxes[number] is not turn and all(hand.complete for hand in shadow.boxes[number].hands)
    ]
    return [Draw(Place(shadow.chance.choice(played)))] if played else None


def between_rounds(shadow: Shadow) -> list[What] | None:
    """A card comes out while no round is on."""
    if shadow.view.burn_due or not shadow.view.played or not shadow.left:
        return None
    return [Draw(DEALER)]


def ordered_pull(shadow: Shadow) -> list[What] | None:
    """Two cards come out one behind the other."""
    return None if shadow.card_due() is None or shadow.left < 2 else [Pull(2, ordered=True)]


def overdraw(shadow: Shadow) -> list[What] | None:
    """The Dealer takes a card too many."""
    if shadow.state is not State.SETTLEMENT or not shadow.view.round.dealer.cards or not shadow.quiet():
        return None
    return [Draw(DEALER)]


def skipped(shadow: Shadow) -> list[What] | None:
    """A later hand, or the Dealer, gets a card before its turn."""
    turn = shadow.view.round.turn
    if shadow.state is not State.PLAYER_TURN or turn is None or shadow.asked_for() or not shadow.quiet():
        return None
    later = [
        Place(number)
        for number in shadow.wagered()
        if number > turn.number and any(not hand.complete for hand in shadow.boxes[number].hands)
    ]
    return [Draw(shadow.chance.choice([*later, DEALER]))]


def double_draw(shadow: Shadow) -> list[What] | None:
    """Two or three cards come out in one pull, and none, some or all of them are seen."""
    number = shadow.chance.choice((2, 2, 2, 3))
    if shadow.card_due() is None or shadow.left < number:
        return None
    return [Pull(number, shadow.chance.randint(0, number))]


def box_short(shadow: Shadow) -> list[What] | None:
    """One of the two cards of a box is taken off it."""
    return _taken_off(shadow, 2)


def box_not_dealt(shadow: Shadow) -> list[What] | None:
    """The only card of a box is taken off it."""
    return _taken_off(shadow, 1)


def _taken_off(shadow: Shadow, dealt: int) -> list[What] | None:
    """A card of a box that has `dealt` cards, on which nobody has acted yet, is moved elsewhere.

    One that was chosen from a pull is not: nobody has seen it arrive, so no sensor sees it leave.
    """
    pulls = [finding for finding in shadow.view.round.findings if finding.code == "double-draw"]
    chosen = {place.box for finding in pulls for place in finding.places}
    boxes = [number for number in shadow.wagered() if number not in chosen]
    hands = {number: shadow.boxes[number].hands[0] for number in boxes if shadow.boxes[number].hands}
    found = [
        number
        for number, hand in hands.items()
        if len(shadow.boxes[number].hands) == 1
        and len(hand.cards) == dealt
        and hand.in_play
        and not (hand.stood or hand.awaits_card or hand.settled or hand.complete)
    ]
    dealt_to = (DEALING | AFTER_DEAL) - {State.BETS_CLOSED}  # a card that lies there already was laid by a ruling
    if not found or shadow.cards_in_hand() or shadow.state not in dealt_to:
        return None
    box = shadow.chance.choice(found)
    elsewhere = [place for place in (*map(Place, shadow.wagered()), DEALER, DISCARD) if place.box != box]
    return [ev.CardMoved(shadow.chance.choice(hands[box].cards), Place(box), shadow.chance.choice(elsewhere))]
