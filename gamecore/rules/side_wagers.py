"""When a side wager wins: which row of its pay table it reached.

1. Each function takes the round, the box and the wager, and gives the title of the row, or None if the wager lost.
2. "Pair" and its kin look at ranks, so that King and Queen, or King and ten, are no pair (MBS 1.1.8, 3.4.3).
3. The initial two cards of a box are those that the initial deal gave it. That holds after a split too, and when one of
   them was taken off the hand too late to be put back.
4. The Free Bet Markers that count are those of the Player who placed the wager, if they have a main wager on that box;
   otherwise those of the Player who controlled it when its first marker was used (MBS Free Bet 3.15.4.1).
"""

from __future__ import annotations

from gamecore.model.cards import BLACK_SUITS, Card
from gamecore.model.hands import Hand
from gamecore.model.round import Box, Round, SideWager

PAIR = "Pair"
SUITED_ACES = "Ace Pair Suited"
SUITED_PAIR = "Suited Pair"
COLOURED_PAIR = "Coloured Pair"
MIXED_PAIR = "Mixed Pair"
PAIR_OF_ACES = "Pair of Aces"
PAIR_OF_ACES_AFTER_SPLIT = "Pair of Aces after Split"


def initial_cards(box: Box) -> tuple[Card, Card] | None:
    """The initial two cards of a box, once it has them."""
    return (box.initial[0].card, box.initial[1].card) if len(box.initial) >= 2 else None


def _colour(card: Card) -> bool:
    return card.suit in BLACK_SUITS


def _pair_kind(first: Card, second: Card) -> str | None:
    if first.rank != second.rank:
        return None
    if first.suit == second.suit:
        return SUITED_PAIR
    return COLOURED_PAIR if _colour(first) == _colour(second) else MIXED_PAIR


def pair(_round: Round, box: Box, _wager: SideWager) -> str | None:
    """Two cards of the same rank."""
    cards = initial_cards(box)
    return PAIR if cards and cards[0].rank == cards[1].rank else None


def rws_pairs(_round: Round, box: Box, _wager: SideWager) -> str | None:
    """Ace Pair Suited, Suited, Coloured or Mixed Pair (RWS 3.14.1 to 3.14.4)."""
    cards = initial_cards(box)
    kind = _pair_kind(*cards) if cards else None
    return SUITED_ACES if kind == SUITED_PAIR and cards and cards[0].is_ace else kind


def ace_race(_round: Round, box: Box, wager: SideWager) -> str | None:
    """Pair of Aces in any suits, Suited, Coloured or Mixed Pair; on split Aces another Ace (Ace Race 1.1.1, 3.21.1)."""
    if wager.after_split:
        cards = box.hands[wager.hand - 1].cards
        return PAIR_OF_ACES_AFTER_SPLIT if [card.rank for card in cards] == ["A", "A"] else None
    initial = initial_cards(box)
    kind = _pair_kind(*initial) if initial else None
    return PAIR_OF_ACES if kind and initial and initial[0].is_ace else kind


def _dealer_cards(hand: Hand, bust_above: int) -> int:
    return len(hand.cards) if hand.total > bust_above else 0


def busted(game_round: Round, _box: Box, _wager: SideWager) -> str | None:
    """The Dealer exceeds 21, by number of cards (MBS Free Bet 3.15.2, 1.1.2)."""
    cards = _dealer_cards(game_round.dealer, 21)
    return f"{min(cards, 7)} cards" if cards else None


def boom_busted(game_round: Round, _box: Box, _wager: SideWager) -> str | None:
    """The Dealer exceeds 22, by number of cards (RWS 1.4, 3.26)."""
    cards = _dealer_cards(game_round.dealer, 22)
    return f"{min(cards, 8)} cards" if cards else None


def marker_slot(box: Box, wager: SideWager) -> int:
    """Whose Free Bet Markers count: the wager's own Player if they have a main wager here, else the controlling one.

    Once the controlling Player has used a marker, it counts even if another controls the box afterwards.
    """
    return own_main(box, wager) or box.marked_by or box.controller


def own_main(box: Box, wager: SideWager) -> int:
    """The slot of the main wager that the same Player has on the box; 0 if they have none."""
    own = [slot for slot, main in sorted(box.mains.items()) if main.player == wager.player]
    if wager.slot in own:
        return wager.slot
    return own[0] if own and wager.player is not None else 0


def _markers(box: Box, wager: SideWager, most: int) -> str | None:
    markers = box.markers(marker_slot(box, wager))
    return f"{min(markers, most)} markers" if markers else None


def pot_of_gold(_round: Round, box: Box, wager: SideWager) -> str | None:
    """Free Bet Markers used, five or more counting alike (MBS Free Bet 3.15.3, 4.3)."""
    return _markers(box, wager, 5)


def lucky_stash(_round: Round, box: Box, wager: SideWager) -> str | None:
    """Free Bet Markers used, of which there are seven at most (RWS 3.27, 4.1.4)."""
    return _markers(box, wager, 7)


def pandemonium(_round: Round, box: Box, wager: SideWager) -> str | None:
    """The box was dealt a natural: the multiplier that the meter showed for this wager (Pontoon 3.15.2, 4.2)."""
    return f"{wager.multiplier}x" if dealt_natural(box) else None


def dealt_natural(box: Box) -> bool:
    """Whether the initial two cards of a box are an Ace and a ten-point card (Pontoon 1.1.11)."""
    cards = initial_cards(box)
    return cards is not None and {card.points for card in cards} == {1, 10}
