"""Named behaviours that the rulesets choose from.

1. Each function answers one question of a document and knows no game by name.
2. They are pure: cards and totals in, an answer out.
"""

from __future__ import annotations

from gamecore.model.cards import PICTURES, Card
from gamecore.model.hands import LIMIT, Hand
from gamecore.model.round import Round

# --- which two cards may be split ----------------------------------------------------------------------------------


def same_point_value(first: Card, second: Card) -> bool:
    """Any two cards of the same point value, King and Queen included."""
    return first.points == second.points


def same_ten_point_value(first: Card, second: Card) -> bool:
    """Two cards with a point value of ten."""
    return first.points == second.points == 10


def same_point_value_below_ten(first: Card, second: Card) -> bool:
    """Two cards of the same point value, which is not ten."""
    return first.points == second.points != 10


def same_point_value_without_picture(first: Card, second: Card) -> bool:
    """Two cards of the same point value, neither of which is a picture: two tens are allowed."""
    return first.points == second.points and first.rank not in PICTURES and second.rank not in PICTURES


def no_two_cards(_first: Card, _second: Card) -> bool:
    """No two cards: the game does not know this."""
    return False


# --- which two-card hands may be doubled ---------------------------------------------------------------------------


def any_two_cards(_hand: Hand) -> bool:
    """Any first two cards."""
    return True


def hard_10_or_11_ace_as_one(hand: Hand) -> bool:
    """A total of 10 or 11 with every Ace counted as 1, so that Ace and nine may be doubled."""
    return hand.hard in {10, 11}


def hard_9_10_or_11(hand: Hand) -> bool:
    """A hard total of 9, 10 or 11; an Ace that counts 11 makes the total soft."""
    return not hand.soft and hand.hard in {9, 10, 11}


def no_hand(_hand: Hand) -> bool:
    """No hand: the game does not know this."""
    return False


# --- when the Dealer draws -----------------------------------------------------------------------------------------


def draws_to_16(total: int, _soft: bool) -> bool:
    """Draws to 16, stands on every 17."""
    return total <= 16


def draws_to_16_and_soft_17(total: int, soft: bool) -> bool:
    """Draws to 16 and to a soft 17, stands on a hard 17 and on every 18 or more."""
    return total <= 16 or (soft and total == 17)


# --- when the Dealer's hand is complete, and takes no card in error ------------------------------------------------


def soft_or_hard_17_or_more(total: int, _soft: bool) -> bool:
    """Every 17 or more."""
    return total >= 17


def hard_17_or_soft_18_or_more(total: int, soft: bool) -> bool:
    """A hard 17, and every 18 or more."""
    return total >= 18 or (total == 17 and not soft)


# --- what the house draws for an absent Player ---------------------------------------------------------------------


def to_12(total: int, _soft: bool) -> bool:
    """Draws until the total is 12 or more."""
    return total < 12


def to_12_or_soft_17(total: int, soft: bool) -> bool:
    """Draws until a hard total exceeds 11, or a soft total is 17 or more."""
    return total < 17 if soft else total < 12


# --- winning hands of 21 with odds of their own (Pontoon 4.1) ------------------------------------------------------


def five_cards(hand: Hand) -> bool:
    """Five cards totalling 21."""
    return len(hand.cards) == 5


def six_cards(hand: Hand) -> bool:
    """Six cards totalling 21."""
    return len(hand.cards) == 6


def seven_or_more_cards(hand: Hand) -> bool:
    """Seven or more cards totalling 21."""
    return len(hand.cards) >= 7


def _ranks(hand: Hand) -> str:
    return "".join(sorted(card.rank for card in hand.cards))


def _suits(hand: Hand) -> set[str]:
    return {card.suit for card in hand.cards}


def six_seven_eight(hand: Hand) -> bool:
    """Six, seven and eight in any order and any suits."""
    return _ranks(hand) == "678"


def six_seven_eight_suited(hand: Hand) -> bool:
    """Six, seven and eight of one suit."""
    return _ranks(hand) == "678" and len(_suits(hand)) == 1


def six_seven_eight_spades(hand: Hand) -> bool:
    """Six, seven and eight of spades."""
    return _ranks(hand) == "678" and _suits(hand) == {"S"}


def three_sevens(hand: Hand) -> bool:
    """Three sevens of any suits."""
    return _ranks(hand) == "777"


def three_sevens_suited(hand: Hand) -> bool:
    """Three sevens of one suit."""
    return _ranks(hand) == "777" and len(_suits(hand)) == 1


def three_sevens_spades(hand: Hand) -> bool:
    """Three sevens of spades."""
    return _ranks(hand) == "777" and _suits(hand) == {"S"}


def suited_sevens_against_seven(game_round: Round, hand: Hand) -> bool:
    """Three sevens of one suit, neither split nor doubled, against a Dealer's first card of 7 (4.1.1.1, 4.1.1.3)."""
    up_card = game_round.up_card
    dealer_seven = up_card is not None and up_card.rank == "7"
    return dealer_seven and hand.total == LIMIT and three_sevens_suited(hand) and not (hand.split or hand.doubled)
