"""Pontoon Pandemonium (MBS) Version 5, clause by clause."""

from __future__ import annotations

from gamecore.rules.clauses.mbs_irregularities import Differences, irregularities
from gamecore.rules.clauses.trace import Trace, enforced, outside, recorded

TRACE: tuple[Trace, ...] = (
    outside("1.1", "heads the clauses below it"),
    enforced("1.1.1", "phases.decisions.verify_double", "up to the original wager, not below the minimum"),
    enforced(
        "1.1.2", "phases.closing.verify_jackpot rules.side_wagers.pandemonium", "what the meter showed for that wager"
    ),
    enforced("1.1.3", "model.round.Round.hand_at model.hands.Hand.add", "The cards at one place."),
    enforced("1.1.4", "model.hands.Hand.soft", "No Ace counts 11."),
    enforced("1.1.5", "phases.betting.close_bets phases.cards.deal.deal", "two cards each, one to the Dealer"),
    enforced(
        "1.1.6", "phases.offers.verify_insure settlement.settle.settle", "wins on a Jack, Queen or King as second card"
    ),
    recorded("1.1.7", "phases.closing.do_interim", "said by the Dealer, after the initial deal"),
    enforced("1.1.8", "rules.side_wagers.pair", "the same rank"),
    enforced("1.1.9", "rules.side_wagers.pair", "looks at the initial two cards, also of a split hand"),
    enforced("1.1.10", "model.hands.Hand.total", "The sum of the points."),
    enforced(
        "1.1.11", "model.hands.Hand.natural", "An Ace and a ten-point card as the initial cards, never on a split hand."
    ),
    enforced("1.1.12", "rules.side_wagers.pandemonium", "wins with a Pontoon"),
    enforced("1.1.13", "phases.closing.jackpots_due", "a press is due for a Pontoon with such a wager"),
    enforced(
        "1.1.14",
        "phases.betting.verify_place_bets phases.closing.verify_settle",
        "from the call for bets to the settlement",
    ),
    enforced("1.1.15", "model.hands.Hand.soft", "An Ace counts 11 within 21."),
    enforced(
        "1.1.16",
        "phases.decisions.verify_split rules.strategies.same_point_value",
        "the same point value, King and Queen included",
    ),
    enforced("1.1.17", "settlement.settle.main_verdict", "nothing won or lost"),
    enforced("1.1.18", "phases.cards.deal.deal phases.offers.leave", "its first card ends the offers"),
    enforced("1.1.19", "rules.strategies.suited_sevens_against_seven", "three suited sevens against a seven"),
    enforced(
        "1.1.20",
        "phases.offers.verify_surrender phases.offers.do_surrender settlement.settle.main_verdict",
        "Half of the original wager is given up.",
    ),
    enforced(
        "2.1",
        "rules.games.mbs_pontoon_v5.RULES.decks rules.games.mbs_pontoon_v5.RULES.ranks "
        "model.cards.composition notation.header.read_header",
        "Four to eight decks without tens.",
    ),
    enforced(
        "2.2", "rules.games.mbs_pontoon_v5.RULES.boxes notation.header.read_header", "Five to seven playing areas."
    ),
    enforced("2.2.1", "phases.betting.wager_placed", "main wagers"),
    enforced(
        "2.2.2",
        "phases.offers.verify_insure phases.offers.do_insure",
        "There is a place for each Insurance wager, beside the wager that it insures.",
    ),
    enforced("2.2.3", "phases.betting.wager_placed rules.side_wagers.pair", "Pair wagers"),
    enforced("2.2.4", "phases.betting.wager_placed rules.side_wagers.pandemonium", "Pandemonium wagers"),
    enforced(
        "3.1", "phases.betting.verify_place_bets phases.betting.do_place_bets", "The announcement opens the round."
    ),
    enforced(
        "3.2",
        "phases.betting.verify_no_more_bets phases.betting.close_bets",
        "The announcement fixes the wagers and the order of the deal.",
    ),
    outside("3.3", "the aim of the game; 4.3 and 4.4 decide"),
    outside("3.4", "heads the clauses below it"),
    enforced("3.4.1", "model.hands.Hand.total", "An Ace counts 11, or 1 where 11 would exceed 21."),
    enforced(
        "3.4.2",
        "phases.decisions.do_double model.hands.Hand.total",
        "The rule binds the hand, and so every wager on it.",
    ),
    enforced("3.4.3", "model.cards.card model.hands.Hand.add", "The small cards count their points."),
    enforced(
        "3.4.4",
        "model.cards.card model.hands.Hand.add rules.side_wagers.pair",
        "Pictures count ten points, but are told apart for the Pair wager.",
    ),
    outside("3.5", "what Players compute for themselves"),
    enforced(
        "3.6",
        "phases.betting.wager_placed",
        "several Players on one area; departures from the limits are irregularities",
    ),
    outside("3.7", "who lays the chips for a Player does not matter to the table"),
    outside("3.8", "seats and demand on the floor; who controls an area is 3.11 and 3.12"),
    outside("3.9", "a restriction that the Pit Manager speaks out"),
    enforced("3.10", "phases.betting.wager_placed notation.layout.layout_of", "three spots an area"),
    outside("3.10.1", "a restriction that the Pit Manager speaks out"),
    outside("3.10.2", "how chips lie within one spot is not sensed"),
    enforced("3.11", "standing.control.controller", "the seated Player, whatever slot"),
    enforced("3.12", "standing.control.controller", "the slot nearest the Dealer"),
    outside("3.13", "words between Dealer and Players; the table is told by the seat"),
    enforced(
        "3.14",
        "phases.betting.verify_no_more_bets phases.decisions.verify_stand phases.offers.verify_surrender",
        "no card and no decision without it",
    ),
    outside("3.15", "heads the clauses below it"),
    enforced("3.15.1", "rules.side_wagers.pair settlement.settle.settle", "whatever the Dealer has"),
    enforced("3.15.2", "rules.side_wagers.pandemonium", "wins with a Pontoon only"),
    enforced("3.15.3", "phases.betting.wager_placed", "by anybody, beside a main wager of anybody"),
    enforced("3.16", "standing.claims.decide", "own area first"),
    enforced("3.17", "phases.betting.wager_placed", "on any number of areas"),
    enforced(
        "3.17.1", "standing.claims.decide phases.limits.check", "three of each kind an area: one stands on each spot"
    ),
    outside("3.17.2", "heads the clauses below it"),
    enforced("3.17.2.1", "standing.claims.decide", "on that area, nearest the Dealer"),
    enforced("3.17.2.2", "standing.claims.decide", "nearest area"),
    enforced("3.17.2.3", "standing.claims.decide", "lowest total at equal distance"),
    enforced("3.17.2.4", "standing.claims.decide phases.agreements.do_agree", "equal claims without agreement: nobody"),
    enforced("3.17.2.5", "standing.claims.decide", "without a wager on the round: first placed"),
    enforced("3.18", "phases.betting.close_bets phases.turns.point_to_next", "order of the deal and of the turns"),
    enforced("3.19", "settlement.settle.main_verdict standing.played.won_or_lost", "3 to 2, beyond doubt"),
    enforced(
        "3.19.1",
        "phases.closing.jackpots_due phases.closing.verify_settle",
        "settlement waits for every press; listed from the right",
    ),
    outside("3.19.2", "who presses is not sensed; the figure on the meter counts"),
    enforced("3.20", "phases.decisions.verify_split phases.decisions.do_split", "an equal wager on the new hand"),
    enforced("3.20.1", "model.hands.Hand.natural", "A split hand has no Pontoon."),
    enforced("3.21", "phases.decisions.verify_split", "four hands"),
    enforced("3.21.1", "phases.decisions.verify_split", "Aces once"),
    enforced("3.22", "phases.turns.point_to_next", "hand after hand"),
    enforced("3.22.1", "standing.played.takes_no_card", "one card to each Ace"),
    enforced(
        "3.22.2", "phases.decisions.verify_split phases.decisions.do_split", "any of the hands, for the original amount"
    ),
    enforced("3.23", "phases.decisions.verify_split", "the others choose before the next card"),
    enforced(
        "3.23.1",
        "phases.decisions.verify_split phases.decisions.do_split",
        "Another Player joins with an amount of their own.",
    ),
    enforced("3.23.2", "phases.decisions.do_split", "stays on the first of the two hands"),
    enforced(
        "3.24",
        "phases.offers.begin phases.offers.verify_surrender",
        "against Ace, King, Queen and Jack, before any further card",
    ),
    enforced(
        "3.24.1",
        "phases.offers.verify_offer phases.offers.verify_close phases.offers.do_close",
        "It is offered once, then closed.",
    ),
    enforced("3.24.2", "settlement.settle.main_verdict phases.dealer.need", "the whole wager"),
    enforced("3.24.3", "settlement.settle.main_verdict phases.closing.verify_collect", "half, at final settlement"),
    enforced("3.24.3.1", "phases.offers.verify_surrender", "refused on a split area"),
    enforced(
        "3.24.3.2", "phases.offers.verify_surrender phases.offers.do_surrender", "Each wager is surrendered for itself."
    ),
    enforced("3.24.3.3", "standing.control.controller", "the foremost who has not surrendered"),
    enforced("3.25", "phases.decisions.verify_double", "up to the wager, from the minimum"),
    enforced("3.25.1", "phases.decisions.verify_double rules.strategies.any_two_cards", "any total, two cards"),
    enforced("3.25.2", "phases.decisions.verify_double", "split hands too"),
    enforced("3.25.3", "phases.decisions.verify_double", "not on split Aces"),
    enforced("3.25.4", "standing.played.takes_no_card", "complete after its card"),
    enforced("3.25.5", "phases.decisions.verify_double", "joins before the card"),
    enforced("3.25.6", "standing.played.takes_no_card", "one card for all on the hand"),
    enforced("3.25.7", "phases.decisions.verify_double", "never before the controlling Player"),
    enforced("3.25.8", "phases.decisions.verify_rescue phases.decisions.do_rescue", "below 21, before the next card"),
    enforced(
        "3.26", "phases.offers.verify_insure settlement.settle.settle", "half at most; decided by the second card"
    ),
    enforced(
        "3.26.1",
        "phases.offers.verify_offer phases.offers.verify_close phases.offers.do_close",
        "It is offered once, then closed.",
    ),
    enforced("3.26.2", "phases.offers.verify_insure phases.offers.leave", "not after a further card"),
    enforced(
        "3.26.3", "phases.offers.verify_insure standing.claims.decide", "one Insurance wager on each wager, by anybody"
    ),
    outside("3.26.4", "heads the clauses below it"),
    enforced("3.26.4.1", "standing.claims.decide", "same area, front to back"),
    enforced("3.26.4.2", "standing.claims.decide", "nearest area, front to back"),
    enforced("3.26.4.3", "standing.claims.decide", "lowest total at equal distance"),
    enforced("3.26.4.4", "standing.claims.decide phases.agreements.do_agree", "equal claims without agreement: nobody"),
    enforced("3.26.4.5", "standing.claims.decide", "without a wager on the round: first placed"),
    enforced("3.27", "phases.decisions.verify_stand", "on any total"),
    enforced("3.28", "phases.decisions.verify_hit", "on any total below 21"),
    enforced(
        "3.29",
        "standing.played.takes_no_card standing.played.won_or_lost phases.closing.verify_pay",
        "21 ends the hand and has won",
    ),
    enforced("3.29.1", "phases.closing.jackpots_due", "the button as for any Pontoon"),
    outside("3.30", "the signal is for the Dealer; the table hears the decision or sees the card"),
    enforced("3.31", "settlement.settle.main_verdict phases.closing.verify_collect", "lost at once, may be collected"),
    enforced("3.32", "settlement.settle.settle", "side wagers are settled by their own conditions"),
    enforced("3.33", "rules.strategies.draws_to_16_and_soft_17 phases.dealer.must_draw", "to 16 and soft 17"),
    enforced("3.34", "phases.dealer.need phases.dealer.must_draw", "no card that can change nothing"),
    enforced(
        "4.1",
        "rules.games.mbs_pontoon_v5.RULES.bonus_hands rules.games.mbs_pontoon_v5.RULES.natural_pays "
        "rules.games.mbs_pontoon_v5.RULES.regular_pays rules.games.mbs_pontoon_v5.RULES.insurance_pays "
        "rules.games.mbs_pontoon_v5.RULES.side_wagers settlement.settle.settle "
        "settlement.settle.twenty_one_odds",
        "Every row of the pay table.",
    ),
    enforced(
        "4.1.1",
        "rules.games.mbs_pontoon_v5.RULES.super_bonus settlement.settle.settle",
        "The amount of the original wager decides.",
    ),
    enforced("4.1.1.1", "rules.strategies.suited_sevens_against_seven", "one suit, against a seven of any suit"),
    enforced("4.1.1.2", "settlement.settle.settle", "$50 for every other original wager, once"),
    enforced("4.1.1.3", "rules.strategies.suited_sevens_against_seven", "not on split or doubled hands"),
    enforced(
        "4.1.1.4",
        "settlement.settle.twenty_one_odds settlement.settle.settle",
        "a doubled wager wins even money and no bonus",
    ),
    enforced("4.1.1.5", "settlement.settle.settle", "a row of its own beside the odds"),
    enforced(
        "4.2", "phases.closing.verify_jackpot rules.side_wagers.pandemonium", "once, by a multiplier of the table"
    ),
    outside("4.3", "heads the clauses below it"),
    enforced("4.3.1", "settlement.settle.main_verdict standing.played.won_or_lost", "whatever the Dealer has"),
    enforced("4.3.2", "settlement.settle.main_verdict", "the higher total"),
    enforced("4.3.3", "settlement.settle.main_verdict", "the Dealer exceeds 21"),
    outside("4.4", "heads the clauses below it"),
    enforced("4.4.1", "settlement.settle.main_verdict", "the lower total"),
    enforced("4.4.2", "settlement.settle.main_verdict", "over 21"),
    enforced("4.4.3", "settlement.settle.main_verdict", "a Dealer's Pontoon against less than 21"),
    outside("4.5", "heads the clauses below it"),
    enforced("4.5.1", "settlement.settle.main_verdict", "the doubled portion goes back"),
    outside("4.6", "heads the clauses below it"),
    enforced("4.6.1", "settlement.settle.main_verdict", "the same total below 21"),
    # 5. Irregularities, 6. General Provisions
    *irregularities(
        Differences(
            matrix="PONTOON",
            complete="a hard 17, a soft 18",
            absent="To 12, and with a soft total to 17; there is no split and no double.",
            late_insurance=False,
        )
    ),
)
