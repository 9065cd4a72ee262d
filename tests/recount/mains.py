"""What the main wagers of a box win and lose.

1. In this order: what goes back; what was given up; even money; a bust hand; the Player's natural; the Dealer's
   natural; the totals.
2. Bust loses everything on the hand at once (MBS 3.32, Pontoon 3.31, RWS 3.19), whatever the Dealer makes afterwards.
3. A Free Bet Marker on a winning hand is worth the original wager; lost, it is worth nothing.
4. The Dealer's natural takes from split and doubled hands the original wager in all (Blackjack 4.4, Free Bet 4.6,
   RWS 3.22.3, 3.23.3). In Pontoon the added part goes back (4.5.1); in Ace Race everything is lost (3.24.3, 3.26.8).
   What split hands lost by going bust counts towards it at MBS and stands beside it at RWS. The first hand shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tests.recount import cards as c
from tests.recount.paytables import ACE_RACE, GAMES, PONTOON, RWS, half, pays
from tests.recount.plain import Area, Main, Money, Outcome, Part, PlainRound, PlayedHand, Spot

RETURNED = "returned"


def main_rows(game: PlainRound, area: Area) -> Money:
    """Every main wager of a box, hand by hand."""
    found: Money = []
    for slot, main in sorted(area.mains.items()):
        left = _takes_at_most(game, area, main)
        for number, hand in enumerate(area.hands, start=1):
            part = hand.parts.get(slot)
            if part is None:
                continue
            outcome = _outcome(game, area, main, hand, part, left)
            if _lost_to_natural(game, area, main, hand, part):
                left += outcome.net
            found.append((Spot(area.box, slot, number, "main", main.player), outcome))
    return found


def hand_total(game: PlainRound, hand: PlayedHand) -> int:
    """The total of a Player's hand."""
    return c.total(hand.cards, low_aces=GAMES[game.game].low_aces_when_doubled and hand.doubled)


def is_natural(area: Area, hand: PlayedHand) -> bool:
    """Whether a Player's hand is a natural: the two cards of the initial deal, not split (1.1.1, RWS 1.2)."""
    return not area.split and c.natural(hand.cards)


# --- what a wager risks and may win --------------------------------------------------------------------------------


def _risk(main: Main, part: Part) -> int:
    """The chips that count on a hand; the added part counts up to what counts of the wager."""
    return min(part.chips, main.counts) + min(part.added, main.counts)


def _prize(main: Main, part: Part) -> int:
    """What the hand plays for: its chips, and the original wager for each marker."""
    return _risk(main, part) + main.counts * (part.free_split + part.free_double)


def _stake(part: Part) -> int:
    return part.chips + part.added


# --- one hand ------------------------------------------------------------------------------------------------------


def _outcome(game: PlainRound, area: Area, main: Main, hand: PlayedHand, part: Part, left: int) -> Outcome:
    stake, risk = _stake(part), _risk(main, part)
    if main.returned:
        return Outcome(stake, RETURNED, 0)
    given_up = _given_up(game, main, part)
    if given_up is not None:
        return given_up
    if main.even_money:
        return Outcome(stake, "win", main.counts)  # MBS 3.20, RWS 3.15.1
    total = hand_total(game, hand)
    if total > 21:
        return Outcome(stake, "lose", -risk)
    if game.game == PONTOON and total == 21:
        return Outcome(stake, "win", _pontoon_win(main, area, hand, part))
    if is_natural(area, hand):
        if c.natural(game.dealer):
            return Outcome(stake, "stand-off", 0)
        return Outcome(stake, "win", pays(risk, GAMES[game.game].natural))
    if c.natural(game.dealer):
        return _against_natural(game, area, main, hand, part, left)
    return _by_totals(game, main, part, total)


def _given_up(game: PlainRound, main: Main, part: Part) -> Outcome | None:
    stake = _stake(part)
    if part.rescued:
        return Outcome(stake, "lose", -min(part.chips, main.counts))  # Pontoon 3.25.8
    if not main.surrendered:
        return None
    if game.game == PONTOON and c.natural(game.dealer):
        return Outcome(stake, "lose", -main.counts)  # Pontoon 3.24.2
    return Outcome(stake, "surrendered", -half(main.counts))


def _by_totals(game: PlainRound, main: Main, part: Part, total: int) -> Outcome:
    stake, dealer = _stake(part), c.total(game.dealer)
    if dealer == 22 and GAMES[game.game].push_22:
        return Outcome(stake, "stand-off", 0)
    if dealer > 21 or total > dealer:
        return Outcome(stake, "win", _prize(main, part))
    return Outcome(stake, "stand-off", 0) if total == dealer else Outcome(stake, "lose", -_risk(main, part))


# --- the Dealer's natural ------------------------------------------------------------------------------------------


def _lost_to_natural(game: PlainRound, area: Area, main: Main, hand: PlayedHand, part: Part) -> bool:
    """Whether the Dealer's natural takes this hand."""
    kept = main.returned or main.surrendered or main.even_money or part.rescued or is_natural(area, hand)
    return c.natural(game.dealer) and not kept and hand_total(game, hand) <= 21


def _takes_at_most(game: PlainRound, area: Area, main: Main) -> int:
    """What the Dealer's natural may take from this Player on this box."""
    bust = sum(
        _risk(main, hand.parts[main.slot])
        for hand in area.hands
        if main.slot in hand.parts and hand_total(game, hand) > 21
    )
    return max(0, main.counts - (bust if area.split and game.game != RWS else 0))


def _against_natural(game: PlainRound, area: Area, main: Main, hand: PlayedHand, part: Part, left: int) -> Outcome:
    stake, risk = _stake(part), _risk(main, part)
    if game.game == RWS and not area.split and not part.doubled and hand_total(game, hand) == 21:
        return Outcome(stake, "stand-off", 0)  # RWS 3.24.4
    if game.game == ACE_RACE:
        return Outcome(stake, "lose", -risk)
    if game.game == PONTOON:
        return Outcome(stake, "lose", -min(part.chips, main.counts))
    taken = min(left, risk)
    return Outcome(stake, "lose" if taken or not stake else RETURNED, -taken)


# --- Pontoon -------------------------------------------------------------------------------------------------------


def _pontoon_win(main: Main, area: Area, hand: PlayedHand, part: Part) -> int:
    """A 21 in Pontoon is paid at once, at the best line of 4.1; a doubled one at even odds (4.1.1.4)."""
    risk = _risk(main, part)
    if part.doubled:
        return risk
    if is_natural(area, hand):
        return pays(risk, GAMES[PONTOON].natural)
    return pays(risk, max(_bonus_odds(hand.cards), default=Fraction(1)))


def _bonus_odds(cards: tuple[str, ...]) -> Iterator[Fraction]:
    number = len(cards)
    if number >= 5:
        yield {5: Fraction(3, 2), 6: Fraction(2)}.get(number, Fraction(3))
    if sorted(card[0] for card in cards) in (["6", "7", "8"], ["7", "7", "7"]):
        suits = {card[1] for card in cards}
        yield Fraction(3, 2) if len(suits) > 1 else Fraction(3) if suits == {"S"} else Fraction(2)
