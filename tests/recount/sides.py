"""What the wagers beside the main one win and lose, and the Super Bonus of Pontoon.

1. Wagers on the first two cards look at the cards of the initial deal, whatever became of the hand afterwards.
2. Markers are those of the Player whose wager it is, on that box; of the one who controls it where they have no main
   wager there (Free Bet 3.15.4.1), and a marker that was used there counts also when its Player leaves.
3. A Dealer's hand is bust above 21 at MBS and above 22 at RWS (RWS 1.4).
"""

from __future__ import annotations

from collections.abc import Callable

from tests.recount import cards as c
from tests.recount import paytables as pay
from tests.recount.mains import RETURNED, main_rows
from tests.recount.plain import Area, Insurance, Main, Money, Outcome, PlainRound, Side, Spot


def side_rows(game: PlainRound, area: Area) -> Money:
    """Every side wager of a box."""
    return [
        (Spot(area.box, side.slot, side.hand, side.kind, side.player), _side(game, area, side)) for side in area.sides
    ]


def insurance_rows(game: PlainRound, area: Area) -> Money:
    """Every Insurance wager on a box."""
    return [
        (Spot(area.box, wager.slot, 1, "insurance", wager.player), _insurance(game, area, wager))
        for wager in area.insurance
    ]


def _side(game: PlainRound, area: Area, side: Side) -> Outcome:
    if side.returned:
        return Outcome(side.amount, RETURNED, 0)
    odds = ODDS[side.kind](game, area, side)
    if odds:
        return Outcome(side.amount, "win", side.counts * odds)
    return Outcome(side.amount, "lose", -side.counts)


def _insurance(game: PlainRound, area: Area, wager: Insurance) -> Outcome:
    main = area.mains[wager.slot]
    if main.even_money and not wager.others and game.game != pay.RWS:
        return Outcome(wager.amount, RETURNED, 0)  # MBS 3.20
    won = len(game.dealer) > 1 and game.dealer[1][0] in pay.GAMES[game.game].insured_ranks
    return Outcome(wager.amount, "win" if won else "lose", wager.amount * pay.INSURANCE if won else -wager.amount)


# --- the odds at which a wager has won, 0 where it has lost ---------------------------------------------------------


def _pair(_game: PlainRound, area: Area, _side: Side) -> int:
    return pay.PAIR if c.same_face(area.first_two) else 0


def _ace_race(_game: PlainRound, area: Area, side: Side) -> int:
    if side.after_split:
        two = area.hands[side.hand - 1].cards[:2]
        return pay.ACE_RACE_SPLIT_ACES if [card[0] for card in two] == ["A", "A"] else 0
    likeness = c.likeness(area.first_two)
    if likeness and area.first_two[0][0] == "A":
        return pay.ACE_RACE_ACES
    return pay.ACE_RACE_PAIRS.get(likeness, 0)


def _rws_pairs(_game: PlainRound, area: Area, _side: Side) -> int:
    likeness = c.likeness(area.first_two)
    if likeness == "suited" and area.first_two[0][0] == "A":
        return pay.RWS_SUITED_ACES
    return pay.RWS_PAIRS.get(likeness, 0)


def _busted(game: PlainRound, _area: Area, _side: Side) -> int:
    return pay.from_table(pay.BUSTED, len(game.dealer)) if c.total(game.dealer) > 21 else 0


def _boom(game: PlainRound, _area: Area, _side: Side) -> int:
    return pay.from_table(pay.BOOM_BUSTED, len(game.dealer)) if c.total(game.dealer) > 22 else 0


def _pot_of_gold(_game: PlainRound, area: Area, side: Side) -> int:
    return pay.from_table(pay.POT_OF_GOLD, _markers(area, side))


def _lucky_stash(_game: PlainRound, area: Area, side: Side) -> int:
    return pay.from_table(pay.LUCKY_STASH, _markers(area, side))


def _pandemonium(_game: PlainRound, area: Area, side: Side) -> int:
    won = len(area.first_two) == 2 and c.natural(area.first_two)
    return (side.multiplier or 0) if won else 0


ODDS: dict[str, Callable[[PlainRound, Area, Side], int]] = {
    "pair": _pair,
    "ace-race": _ace_race,
    "rws-pairs": _rws_pairs,
    "busted": _busted,
    "boom-busted": _boom,
    "pot-of-gold": _pot_of_gold,
    "lucky-stash": _lucky_stash,
    "pandemonium": _pandemonium,
}


def _markers(area: Area, side: Side) -> int:
    """How many Free Bet Markers count for a wager on them."""
    own = {main.slot for main in area.mains.values() if main.who == side.who}
    counted = own or {area.marked_by or area.controller}
    parts = [part for hand in area.hands for slot, part in hand.parts.items() if slot in counted]
    return sum(part.free_split + part.free_double for part in parts)


# --- Pontoon's Super Bonus -----------------------------------------------------------------------------------------


def super_bonus_rows(game: PlainRound) -> Money:
    """4.1.1: the winners, and $50 for each other main wager of the round where there is one."""
    if game.game != pay.PONTOON or not game.dealer or game.dealer[0][0] != "7":
        return []
    mains = [(area, main) for area in game.areas.values() for main in area.mains.values()]
    won = {id(main): _super_bonus(area, main) for area, main in mains}
    if not any(won.values()):
        return []
    rows: Money = []
    for area, main in mains:
        bonus = won[id(main)] or (0 if _won_doubled(game, area, main) else pay.SUPER_BONUS_OTHERS)
        if bonus:
            rows.append((Spot(area.box, main.slot, 1, "super-bonus", main.player), Outcome(0, "win", bonus)))
    return rows


def _super_bonus(area: Area, main: Main) -> int:
    hand = area.hands[0]
    sevens = len(hand.cards) == 3 and {card[0] for card in hand.cards} == {"7"}
    suited = len({card[1] for card in hand.cards}) == 1
    if not (sevens and suited) or area.split or hand.doubled or main.returned or main.surrendered:
        return 0
    return next((bonus for least, bonus in pay.SUPER_BONUS if main.amount >= least), 0)


def _won_doubled(game: PlainRound, area: Area, main: Main) -> bool:
    """4.1.1.4: the hand on which the original wager lies was doubled by this Player and won."""
    rows = dict(main_rows(game, area))
    part = area.hands[0].parts[main.slot]
    return part.doubled and rows[Spot(area.box, main.slot, 1, "main", main.player)].result == "win"
