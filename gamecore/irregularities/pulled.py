"""Procedures about several cards drawn in one pull, their order unknown (MBS 5.23, RWS 5.12).

1. Whose card it is: the hand at which the next card was due. On a Player's hand he selects or the disclosed card is
   his; on the Dealer's hand the Pit Manager selects, where both are disclosed the one most detrimental to the Dealer.
2. What remains is dealt as if it were the next card (`next_cards`), except that disclosed cards which nobody chooses
   are burned (5.23.3.1) and the Dealer's other disclosed card is discarded (5.23.4.6).
3. The cards were read by the shoe but are not shown: an undisclosed card is asked for as first, second and so on.
4. Players may withdraw until the next card is dealt (MBS 5.25); at RWS all have the options of 5.7 (5.12.2).
"""

from __future__ import annotations

from gamecore import turns
from gamecore.cards import Card
from gamecore.hands import Hand
from gamecore.irregularities import cards_at_issue, player_options
from gamecore.irregularities.matter import ask, ask_all, asked_place, close, give_right, hold, who
from gamecore.places import DEALER
from gamecore.state import Matter, TableState

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def _whose(t: TableState) -> str:
    """Who is asked: the Player at whose hand the next card is due."""
    place = t.next_place
    box = t.round.boxes.get(place.box) if place is not None else None
    return who(box, box.controller) if box is not None else "pit"


def _deal(t: TableState, matter: Matter, chosen: Card) -> None:
    """The chosen card goes where a card is due; the rest are the next cards."""
    place = t.next_place
    matter.cards.remove(chosen)
    t.returning.append((chosen, place))
    t.next_cards.extend(matter.cards)
    matter.cards = []
    matter.asks.clear()
    close(t, matter)


def _pick(matter: Matter, word: str) -> Card | None:
    """The card that an answer means, by its place in the pull or by its face."""
    if word in ORDINALS and ORDINALS.index(word) < len(matter.cards):
        return matter.cards[ORDINALS.index(word)]
    return next((held for held in matter.cards if word in {str(held), held.face}), None)


def valid(matter: Matter, words: tuple[str, ...]) -> bool:
    """Whether every word of an answer names a card of the pull."""
    return all(_pick(matter, word) is not None for word in words)


# --- a Player's hand -----------------------------------------------------------------------------------------------


def select(t: TableState, matter: Matter) -> None:
    """None disclosed: the Player selects (MBS 5.23.1)."""
    hold(t, matter)
    ask(t, matter, _whose(t), ORDINALS[: len(matter.cards)], matter.finding.clause)
    give_right(t, "5.25")


def selected(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """The selected card is his, the others are next."""
    chosen = _pick(matter, what[0])
    if chosen is not None:
        _deal(t, matter, chosen)


def disclosed(t: TableState, matter: Matter) -> None:
    """One disclosed: it is the next card, the others follow (MBS 5.23.2, 5.23.4.3)."""
    hold(t, matter)
    matter.step = "lay"
    give_right(t, "5.25")


def laid(t: TableState, matter: Matter) -> None:
    """The cards lie as the ruling says: what is due of them is credited."""
    if matter.asks or not matter.cards:
        return
    _deal(t, matter, matter.cards[0])


def choose(t: TableState, matter: Matter) -> None:
    """More than one disclosed: the Player selects the card or cards he wishes (MBS 5.23.3)."""
    hold(t, matter)
    ask(t, matter, _whose(t), (*(str(held) for held in matter.cards), "refuse"), matter.finding.clause)
    give_right(t, "5.25")


def chosen(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """What he takes is his; the rest is offered to the next Player, and burned if he declines (5.23.3.1)."""
    matter.asks.clear()
    takes = [picked for picked in (_pick(matter, word) for word in what if word != "refuse") if picked is not None]
    place = t.next_place if matter.step != "offered on" else asked_place(name)
    for picked in takes:
        matter.cards.remove(picked)
        t.returning.append((picked, place))
    if not takes and matter.step != "offered on":
        _stand_current(t)
    follower = _follower(t, name) if matter.step != "offered on" and matter.cards else None
    if follower is not None:
        matter.step = "offered on"
        ask(t, matter, follower, (*(str(held) for held in matter.cards), "refuse"), "5.23.3.1")
        return
    t.burned.extend(matter.cards)
    matter.cards = []
    cards_at_issue.go_on(t, matter)


def _stand_current(t: TableState) -> None:
    """Who refuses a card stands (MBS 5.24)."""
    if t.round.turn is not None:
        hand = t.round.turn.hands[t.round.turn_hand]
        hand.stood, hand.awaits_card = True, False


def _follower(t: TableState, name: str) -> str | None:
    """The next Player who can take a card, after the one who has chosen."""
    place = asked_place(name)
    for box in t.round.order:
        later = place is not None and box.number > place.box
        if later and any(not turns.complete(t.rules, hand) for hand in box.hands):
            return who(box, box.controller)
    return None


# --- the Dealer's hand ---------------------------------------------------------------------------------------------


def pit_selects(t: TableState, matter: Matter) -> None:
    """None disclosed on the Dealer's hand: the Pit Manager selects (MBS 5.23.4.1)."""
    hold(t, matter)
    ask(t, matter, "pit", ORDINALS[: len(matter.cards)], matter.finding.clause)


def pit_worst(t: TableState, matter: Matter) -> None:
    """Both disclosed: the Pit Manager selects the card most detrimental to the Dealer (MBS 5.23.4.5)."""
    hold(t, matter)
    worst = most_detrimental(t, matter.cards)
    matter.step = "discard rest"
    matter.places = (DEALER,)
    ask(t, matter, "pit", tuple(str(held) for held in worst), matter.finding.clause)


def pit_selected(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """The selected card is the Dealer's; of two disclosed ones the other is discarded (5.23.4.6)."""
    picked = _pick(matter, what[0])
    if picked is None:
        return
    if matter.step == "discard rest":
        matter.cards = [picked]
    _deal(t, matter, picked)


def most_detrimental(t: TableState, cards: list[Card]) -> list[Card]:
    """The disclosed cards that leave the Dealer worst: bust before alive, then the lower standing total."""
    ranked = sorted(cards, key=lambda held: _dealer_strength(t, held))
    best = _dealer_strength(t, ranked[0])
    return [held for held in ranked if _dealer_strength(t, held) == best]


def _dealer_strength(t: TableState, held: Card) -> tuple[int, int]:
    hand = Hand()
    for lying in t.round.dealer.cards:
        hand.add(lying)
    hand.add(held)
    if hand.total > t.rules.dealer_bust_above.value:
        return (0, 0)
    if t.rules.dealer_draws.value(hand.total, hand.soft):
        # A stiff total draws again: the nearer to 16 hard, the likelier it busts; a soft one is better for the Dealer.
        return (1, -hand.total if not hand.soft else hand.total)
    return (2, hand.total)


# --- RWS -----------------------------------------------------------------------------------------------------------


def select_options(t: TableState, matter: Matter) -> None:
    """The Player selects which card to receive first (RWS 5.12), then all have the options of 5.7 (5.12.2)."""
    hold(t, matter)
    shown = [str(held) for held in matter.cards] if matter.fact.kind == "shown" else list(ORDINALS[: len(matter.cards)])
    matter.step = "select"
    ask(t, matter, _whose(t), tuple(shown), matter.finding.clause)


def select_options_answered(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """First the selection, then each Player's option."""
    if matter.step == "select":
        picked = _pick(matter, what[0])
        if picked is None:
            return
        matter.cards.remove(picked)
        matter.cards.insert(0, picked)
        matter.asks.clear()
        matter.step = "options"
        ask_all(t, matter, "5.7")
        return
    place = t.next_place
    player_options.all_answered(t, matter, name, what)
    if not matter.asks and matter in t.matters and matter.cards:
        first, *rest = matter.cards
        matter.cards = []
        t.next_cards.extend(rest)
        t.returning.append((first, place))
        cards_at_issue.go_on(t, matter)


def discard_options(t: TableState, matter: Matter) -> None:
    """On the Dealer's hand the cards are discarded and another is drawn (RWS 5.12.1); all have the options (5.12.2)."""
    hold(t, matter)
    matter.step = "done"
    matter.cards = []
    ask_all(t, matter, "5.7")
