"""Free Bet Blackjack (MBS) Version 3, clause by clause."""

from __future__ import annotations

from gamecore.rules.clauses.mbs_irregularities import Differences, irregularities
from gamecore.rules.clauses.trace import Trace, enforced, outside, recorded

TRACE: tuple[Trace, ...] = (
    # 1. Definitions
    outside("1.1", "heads the clauses below it"),
    enforced("1.1.1", "model.hands.Hand.natural", "A natural has two cards and comes from no split."),
    enforced(
        "1.1.2", "model.hands.Hand.bust rules.side_wagers.busted", "A total over 21, for a Player as for the Dealer."
    ),
    enforced("1.1.3", "rules.side_wagers.busted", "wins when the Dealer exceeds 21, loses otherwise"),
    enforced("1.1.4", "phases.decisions.verify_double", "from the table minimum up to the original wager"),
    enforced(
        "1.1.5",
        "rules.strategies.same_point_value_below_ten phases.decisions.verify_free_split phases.decisions.do_free_split",
        "A pair below ten is split with a marker and no chips.",
    ),
    enforced(
        "1.1.6",
        "rules.strategies.hard_9_10_or_11 phases.decisions.verify_free_double phases.decisions.do_free_double",
        "Two cards of hard 9, 10 or 11 are doubled with a marker and no chips.",
    ),
    enforced("1.1.7", "rules.side_wagers.pot_of_gold", "wins from one marker on"),
    enforced("1.1.8", "model.round.Box.markers", "Markers are counted for each Player on each playing area."),
    enforced(
        "1.1.8.1",
        "model.hands.Stake.plays_for settlement.settle.main_verdict",
        "A marker wins the original wager and loses nothing.",
    ),
    outside("1.1.8.2", "where on the layout the Dealer lays the marker"),
    outside("1.1.9", "gives the cards of a Player or the Dealer their name"),
    enforced("1.1.10", "model.hands.Hand.soft", "Every Ace counts 1."),
    enforced("1.1.11", "phases.betting.close_bets phases.offers.begin", "ends with the second cards of the Players"),
    enforced(
        "1.1.12",
        "phases.offers.verify_insure settlement.settle.settle",
        "against an Ace alone; the second card decides",
    ),
    recorded("1.1.13", "phases.closing.do_interim", "how far the round has come; changes no amount"),
    enforced("1.1.14", "rules.side_wagers.pair", "the same rank: neither King and Queen nor ten and King"),
    enforced(
        "1.1.15",
        "rules.side_wagers.pair rules.side_wagers.initial_cards",
        "the initial two cards alone, also of a split hand",
    ),
    enforced("1.1.16", "model.hands.Hand.total", "The sum of the cards' points."),
    enforced(
        "1.1.17",
        "phases.betting.verify_place_bets phases.closing.verify_settle",
        "from the call for bets to the settlement",
    ),
    enforced("1.1.18", "model.hands.Hand.soft", "An Ace counts 11 within 21."),
    enforced(
        "1.1.19",
        "phases.decisions.verify_split phases.decisions.verify_free_split",
        "two cards of the same point value",
    ),
    enforced("1.1.20", "settlement.settle.main_verdict", "net nothing"),
    enforced("1.1.21", "phases.cards.deal.deal", "begins with the first card after the initial deal"),
    enforced(
        "1.1.22",
        "phases.offers.verify_surrender phases.offers.do_surrender settlement.settle.main_verdict",
        "Half of the original wager is given up.",
    ),
    # 2. Mode of play
    enforced(
        "2.1",
        "rules.games.mbs_free_bet_v3.RULES.decks rules.games.mbs_free_bet_v3.RULES.ranks notation.header.read_header",
        "One to eight decks of 52 cards.",
    ),
    enforced(
        "2.2", "rules.games.mbs_free_bet_v3.RULES.boxes notation.header.read_header", "Up to seven playing areas."
    ),
    enforced("2.2.1", "notation.layout.layout_of phases.betting.wager_placed", "a place for main wagers"),
    enforced("2.2.2", "phases.offers.verify_insure phases.offers.do_insure", "There is a place for Insurance wagers."),
    enforced("2.2.3", "notation.layout.layout_of phases.betting.wager_placed", "a place for Pair wagers"),
    enforced("2.2.4", "notation.layout.layout_of phases.betting.wager_placed", "a place for Busted wagers"),
    enforced("2.2.5", "notation.layout.layout_of phases.betting.wager_placed", "a place for Pot of Gold wagers"),
    # 3. How to play
    enforced(
        "3.1", "phases.betting.verify_place_bets phases.betting.do_place_bets", "the announcement opens the round"
    ),
    enforced("3.2", "phases.betting.verify_no_more_bets phases.betting.close_bets", "the announcement closes bets"),
    outside("3.3", "says what the Players try to achieve"),
    outside("3.4", "heads the clauses below it"),
    enforced("3.4.1", "model.hands.Hand.total", "An Ace counts 11 while the hand stays within 21, else 1."),
    enforced("3.4.2", "model.cards.card model.hands.Hand.add", "Cards from 2 to 10 count their points."),
    enforced(
        "3.4.3",
        "model.cards.card model.hands.Hand.add rules.side_wagers.pair",
        "Pictures count ten points, and by their faces for the Pair wager.",
    ),
    outside("3.5", "what Players must compute for themselves"),
    recorded(
        "3.6",
        "phases.betting.wager_placed",
        "each Player's wager on an area is kept; limits are ruled upon by 5.27 and 5.28",
    ),
    outside("3.7", "who puts the chips down for a Player"),
    recorded("3.8", "phases.betting.wager_placed", "a Player may wager everywhere; free seats are known to the house"),
    outside("3.9", "at the discretion of the Pit Manager"),
    enforced(
        "3.10",
        "rules.games.mbs_free_bet_v3.RULES.slots notation.layout.layout_of",
        "There are three places for wagers on an area.",
    ),
    outside("3.10.1", "at the discretion of the Pit Manager"),
    outside("3.10.2", "whose chips lie where is for the Dealer to see"),
    enforced("3.11", "standing.control.controller", "the seated Player, wherever their wager lies"),
    enforced("3.12", "standing.control.controller", "the wager nearest the Dealer where nobody is seated"),
    outside("3.13", "spoken between Dealer and Players before the round"),
    enforced(
        "3.14", "phases.betting.verify_no_more_bets phases.betting.close_bets", "cards only to areas with a wager"
    ),
    recorded("3.15", "phases.betting.wager_placed", "side wagers are taken while bets are open"),
    enforced("3.15.1", "rules.side_wagers.pair", "by the first two cards, whatever the Dealer has"),
    enforced("3.15.2", "rules.side_wagers.busted", "by the number of the Dealer's cards"),
    enforced(
        "3.15.3",
        "rules.side_wagers.pot_of_gold model.round.Box.markers",
        "The Player's own markers decide, those of bust hands too.",
    ),
    recorded("3.15.4", "phases.betting.wager_placed", "taken from a Player without a main wager on that area"),
    enforced("3.15.4.1", "rules.side_wagers.marker_slot", "the markers of the controlling Player"),
    enforced("3.16", "standing.claims.decide", "the area's own Player before all others"),
    recorded("3.17", "phases.betting.wager_placed", "side wagers on several areas at once"),
    enforced(
        "3.17.1", "standing.claims.decide phases.limits.check", "three of each kind an area: one stands on each spot"
    ),
    outside("3.17.2", "heads the clauses below it"),
    enforced("3.17.2.1", "standing.claims.decide", "wagers on the area, nearest the Dealer first"),
    enforced("3.17.2.2", "standing.claims.decide", "the nearest playing area"),
    enforced("3.17.2.3", "standing.claims.decide", "the lowest total of side wagers"),
    enforced(
        "3.17.2.4", "standing.claims.decide phases.agreements.do_agree", "equal claims without agreement bar everybody"
    ),
    enforced("3.17.2.5", "standing.claims.decide", "without a wager on the round: first placed"),
    enforced("3.18", "phases.betting.close_bets phases.betting.verify_squeeze", "the order of the deal, face up"),
    enforced(
        "3.19",
        "settlement.settle.main_verdict phases.closing.verify_pay",
        "3 to 2, at once where the Dealer can have none",
    ),
    enforced(
        "3.20",
        "phases.offers.verify_even_money phases.offers.do_even_money",
        "even money returns the Player's own insurance",
    ),
    enforced(
        "3.21",
        "rules.strategies.same_point_value_below_ten phases.decisions.verify_free_split",
        "pairs below ten split free",
    ),
    enforced(
        "3.21.1",
        "rules.strategies.same_ten_point_value phases.decisions.verify_split phases.decisions.do_split",
        "Ten-point cards are split for an equal wager.",
    ),
    enforced("3.21.2", "model.hands.Hand.natural", "There is no natural on a split hand."),
    enforced("3.22", "phases.decisions.verify_split phases.decisions.verify_free_split", "four hands at most"),
    enforced("3.22.1", "phases.decisions.verify_free_split standing.played.takes_no_card", "Aces are split once"),
    enforced(
        "3.23",
        "phases.turns.point_to_next phases.decisions.verify_hit phases.decisions.do_free_split",
        "One hand is played before the next gets a card.",
    ),
    enforced("3.23.1", "standing.played.takes_no_card", "one card to each split Ace"),
    enforced(
        "3.23.2", "phases.decisions.verify_split phases.decisions.verify_free_split", "either hand may be split again"
    ),
    enforced(
        "3.24", "phases.decisions.verify_split phases.decisions.verify_free_split", "others join until the next card"
    ),
    enforced(
        "3.24.1",
        "phases.decisions.verify_split phases.decisions.do_split",
        "Ten-point cards are joined with an equal wager of one's own.",
    ),
    enforced(
        "3.24.2",
        "phases.decisions.verify_free_split phases.decisions.do_free_split",
        "Other pairs are joined with a marker of one's own.",
    ),
    enforced(
        "3.24.3",
        "phases.decisions.do_split phases.decisions.do_free_split",
        "who does not join stays on the first hand",
    ),
    enforced("3.24.4", "settlement.settle.main_verdict", "the original wager in all, however often split and doubled"),
    enforced("3.25", "phases.offers.verify_surrender", "half, before the subsequent deal, not against an Ace"),
    enforced(
        "3.25.1",
        "phases.offers.verify_offer phases.offers.verify_close",
        "offered after the second cards, once, and closed",
    ),
    enforced("3.25.1.1", "phases.offers.verify_surrender", "not after a split"),
    enforced(
        "3.25.1.2",
        "phases.offers.verify_surrender phases.offers.do_surrender",
        "Each Player decides for their own wager.",
    ),
    enforced("3.25.1.3", "phases.offers.do_surrender standing.control.controller", "control passes from front to back"),
    enforced("3.26", "phases.decisions.verify_double", "what may be doubled"),
    enforced("3.26.1", "phases.decisions.verify_double rules.strategies.any_two_cards", "any first two cards"),
    enforced("3.26.2", "phases.decisions.verify_double", "the first two cards of a split hand"),
    enforced("3.26.3", "phases.decisions.verify_double phases.decisions.verify_free_double", "never on split Aces"),
    enforced("3.26.4", "standing.played.takes_no_card", "one card"),
    enforced(
        "3.26.5", "phases.decisions.verify_free_double rules.strategies.hard_9_10_or_11", "before and after a split"
    ),
    enforced(
        "3.26.6",
        "phases.decisions.verify_double phases.decisions.verify_free_double",
        "others join, each way, until the card",
    ),
    enforced("3.26.7", "standing.played.takes_no_card", "one card for those who do not join too"),
    enforced(
        "3.26.8",
        "phases.decisions.verify_double phases.decisions.verify_free_double",
        "nobody before the controlling Player",
    ),
    enforced(
        "3.27", "phases.offers.verify_insure settlement.settle.settle", "half at most; a ten-point second card wins"
    ),
    enforced(
        "3.27.1", "phases.offers.verify_offer phases.offers.verify_close", "offered against an Ace, once, and closed"
    ),
    enforced("3.27.2", "phases.offers.verify_insure phases.cards.deal.deal", "the first further card ends it"),
    enforced(
        "3.27.3",
        "phases.offers.verify_insure standing.claims.decide",
        "others up to half of that Player's wager, one on each wager",
    ),
    outside("3.27.4", "heads the clauses below it"),
    enforced("3.27.4.1", "standing.claims.decide", "wagers on the same area, from front to back"),
    enforced("3.27.4.2", "standing.claims.decide", "the nearest wager, from front to back"),
    enforced("3.27.4.3", "standing.claims.decide", "the lowest total of Insurance wagers elsewhere"),
    enforced(
        "3.27.4.4", "standing.claims.decide phases.agreements.do_agree", "equal claims without agreement bar everybody"
    ),
    enforced("3.27.4.5", "standing.claims.decide", "without a wager on the round: first placed"),
    enforced("3.28", "phases.decisions.verify_stand", "on any two cards"),
    enforced("3.29", "phases.turns.point_to_next phases.decisions.verify_hit", "clockwise, under 21, the Dealer last"),
    enforced("3.30", "standing.played.takes_no_card", "no card and no double on 21"),
    recorded("3.31", "phases.cards.deal.deal phases.decisions.do_stand", "a card means hit; standing is told"),
    enforced(
        "3.32",
        "settlement.settle.main_verdict phases.closing.verify_collect",
        "lost at once, whatever the Dealer draws",
    ),
    enforced("3.33", "settlement.settle.settle", "totals for main wagers, their own terms for the others"),
    enforced("3.34", "rules.strategies.draws_to_16_and_soft_17 phases.dealer.must_draw", "draws to 16 and soft 17"),
    enforced("3.35", "phases.dealer.need phases.dealer.must_draw", "no card that can change nothing"),
    # 4. Settlement
    enforced(
        "4.1",
        "rules.games.mbs_free_bet_v3.RULES.natural_pays rules.games.mbs_free_bet_v3.RULES.regular_pays "
        "rules.games.mbs_free_bet_v3.RULES.insurance_pays rules.games.mbs_free_bet_v3.RULES.side_wagers "
        "settlement.settle.settle",
        "The pay table: 3 to 2, 1 to 1, 2 to 1 and 11 to 1.",
    ),
    enforced(
        "4.2",
        "rules.games.mbs_free_bet_v3.RULES.side_wagers rules.side_wagers.busted",
        "Five rows; seven cards and more pay alike.",
    ),
    enforced(
        "4.3",
        "rules.games.mbs_free_bet_v3.RULES.side_wagers rules.side_wagers.pot_of_gold",
        "Five rows; five markers and more pay alike.",
    ),
    enforced("4.4", "settlement.settle.main_verdict", "when a Player wins"),
    enforced("4.4.1", "settlement.settle.main_verdict", "a Blackjack against none"),
    enforced("4.4.2", "settlement.settle.main_verdict", "the greater total"),
    enforced("4.4.3", "settlement.settle.main_verdict", "the Dealer exceeds 22"),
    enforced("4.4.4", "settlement.settle.main_verdict", "a Blackjack against 22"),
    enforced("4.5", "settlement.settle.main_verdict", "when a Player loses"),
    enforced("4.5.1", "settlement.settle.main_verdict", "the lower total"),
    enforced("4.5.2", "settlement.settle.main_verdict", "over 21"),
    enforced("4.5.3", "settlement.settle.main_verdict", "the Dealer's Blackjack against any hand but a Blackjack"),
    enforced("4.6", "settlement.settle.main_verdict", "what a Dealer's Blackjack takes at most"),
    enforced("4.6.1", "settlement.settle.main_verdict", "of a doubled hand the original wager"),
    enforced(
        "4.6.2", "settlement.settle.main_verdict", "of split hands the original wager, what bust hands lost included"
    ),
    enforced("4.7", "settlement.settle.main_verdict", "when a wager stands off"),
    enforced("4.7.1", "settlement.settle.main_verdict", "equal totals"),
    enforced("4.7.2", "settlement.settle.main_verdict", "Blackjack against Blackjack"),
    enforced("4.7.3", "settlement.settle.main_verdict", "the Dealer's 22"),
    # 5. Irregularities, 6. General Provisions
    *irregularities(
        Differences(
            matrix="FREE_BET",
            complete="a hard 17, a soft 18",
            absent="Until the total exceeds 11, soft or hard; no choice is left.",
            late_insurance=True,
        )
    ),
)
