"""How the product stands to each clause of Blackjack Ace Race (MBS) Version 4."""

from __future__ import annotations

from gamecore.rules.clauses.mbs_irregularities import Differences, irregularities
from gamecore.rules.clauses.trace import Trace, enforced, outside, recorded

TRACE: tuple[Trace, ...] = (
    # 1. Definitions
    outside("1.1", "heads the clauses below it"),
    enforced("1.1.1", "rules.side_wagers.ace_race", "before the deal or on split Aces; any other cards lose"),
    enforced("1.1.1.1", "rules.side_wagers.ace_race", "same rank and colour, different suit"),
    enforced("1.1.1.2", "rules.side_wagers.ace_race", "same rank, different colour"),
    enforced("1.1.1.3", "rules.side_wagers.ace_race", "two Aces of any suits"),
    enforced("1.1.1.4", "rules.side_wagers.ace_race", "same rank and suit"),
    enforced(
        "1.1.2", "model.hands.Hand.natural", "An Ace and a ten-point card as the first two cards, not from a split."
    ),
    enforced("1.1.3", "phases.decisions.verify_double", "between table minimum and original wager, on hard 10 or 11"),
    enforced("1.1.4", "model.hands.Hand.add", "The cards at one place in one round."),
    enforced("1.1.5", "model.hands.Hand.soft", "No Ace counts 11."),
    enforced(
        "1.1.6", "phases.betting.close_bets phases.cards.deal.deal", "two cards to each wagered box, one to the Dealer"
    ),
    enforced(
        "1.1.7",
        "phases.offers.verify_insure settlement.settle.settle",
        "against the Dealer's Ace; the second card decides",
    ),
    recorded("1.1.8", "phases.closing.do_interim", "that wagers were paid or taken on the initial deal"),
    enforced("1.1.9", "rules.side_wagers.pair", "same rank; different ten-point cards are no pair"),
    enforced("1.1.10", "rules.side_wagers.pair settlement.settle.settle", "won or lost by the initial two cards"),
    enforced("1.1.11", "model.hands.Hand.total", "The sum of the points of a hand."),
    enforced(
        "1.1.12",
        "phases.betting.verify_place_bets phases.closing.verify_settle",
        "no new round before the outcome is settled",
    ),
    enforced("1.1.13", "model.hands.Hand.soft", "An Ace counts 11 within 21."),
    enforced("1.1.14", "rules.strategies.same_point_value", "by point value, so King and Queen too"),
    enforced("1.1.15", "settlement.settle.main_verdict", "net 0.00"),
    enforced("1.1.16", "phases.cards.deal.deal phases.offers.leave", "its first card ends what belongs before it"),
    enforced(
        "1.1.17",
        "phases.offers.verify_surrender phases.offers.do_surrender settlement.settle.main_verdict",
        "Half of the original wager is given up.",
    ),
    # 2. Mode of Play
    enforced("2.1", "notation.header.read_header notation.playing.shoe.set_size", "two to eight decks of 52"),
    enforced("2.2", "notation.header.read_header", "five to seven boxes"),
    enforced("2.2.1", "notation.layout.layout_of", "main wagers have a place"),
    enforced(
        "2.2.2",
        "phases.offers.verify_insure phases.offers.do_insure",
        "Each main wager has a place for its Insurance wager.",
    ),
    enforced("2.2.3", "notation.layout.layout_of", "Pair wagers have a place"),
    enforced("2.2.4", "notation.layout.layout_of", "Ace Race wagers have a place"),
    # 3. How to Play
    enforced("3.1", "phases.betting.verify_place_bets phases.betting.do_place_bets", "The announcement opens bets."),
    enforced("3.2", "phases.betting.verify_no_more_bets phases.betting.close_bets", "The announcement closes bets."),
    enforced("3.3", "settlement.settle.main_verdict", "the higher total within 21 wins"),
    enforced("3.4", "model.cards.card model.hands.Hand.add", "The points of the cards are summed."),
    enforced("3.4.1", "model.hands.Hand.total", "An Ace counts 11, or 1 where 11 would exceed 21."),
    enforced("3.4.2", "phases.decisions.do_double", "an Ace of the first two cards counts 1 from the double on"),
    enforced("3.4.3", "model.cards.card model.hands.Hand.add", "Cards from 2 to 10 count as printed."),
    enforced(
        "3.4.4",
        "model.cards.card model.hands.Hand.add rules.side_wagers.pair",
        "Pictures count ten points, and by rank for Pair and Ace Race wagers.",
    ),
    outside("3.5", "what Players must compute for themselves"),
    recorded(
        "3.6", "phases.betting.wager_placed", "each Player's wager for itself; the limits are a matter of 5.26 to 5.28"
    ),
    outside("3.7", "who lays down the chips, and whose care that is"),
    recorded(
        "3.8",
        "phases.betting.wager_placed",
        "one Player on many boxes; how full the casino is, the table does not know",
    ),
    outside("3.9", "a Pit Manager's discretion towards a person"),
    enforced("3.10", "notation.layout.layout_of", "three main wagers have a place on a box"),
    outside("3.10.1", "a Pit Manager's discretion"),
    outside("3.10.2", "the Dealer sees whose chips lie where; the table takes each pile as placed"),
    enforced("3.11", "standing.control.controller", "the seated Player decides"),
    enforced("3.12", "standing.control.controller", "nobody seated: the wager nearest the Dealer"),
    recorded("3.13", "phases.betting.do_seat", "what the Dealer found out about who is seated"),
    enforced(
        "3.14", "phases.betting.verify_no_more_bets", "no deal without a main wager; the decisions follow the two cards"
    ),
    enforced("3.15", "phases.betting.wager_placed", "side wagers while bets are open"),
    enforced("3.15.1", "rules.side_wagers.pair settlement.settle.settle", "whatever the Dealer obtains"),
    enforced("3.15.2", "rules.side_wagers.ace_race settlement.settle.settle", "by the first two cards"),
    enforced("3.15.3", "phases.betting.wager_placed", "on another Player's box too, if it has a main wager"),
    enforced("3.16", "standing.claims.decide", "own wager on the box first"),
    enforced("3.17", "phases.betting.wager_placed", "on several boxes at once"),
    enforced(
        "3.17.1", "standing.claims.decide phases.limits.check", "three of each kind a box: one stands on each spot"
    ),
    enforced("3.17.2", "standing.claims.decide", "heads the order below, in that order"),
    enforced("3.17.2.1", "standing.claims.decide", "wagers on the box, nearest the Dealer first"),
    enforced("3.17.2.2", "standing.claims.decide", "then the nearest box"),
    enforced("3.17.2.3", "standing.claims.decide", "then the lowest total of such wagers"),
    enforced("3.17.2.4", "standing.claims.decide phases.agreements.do_agree", "equal claims without agreement: nobody"),
    enforced("3.17.2.5", "standing.claims.decide", "without a wager on the round: first placed"),
    enforced(
        "3.18",
        "phases.betting.close_bets phases.turns.point_to_next",
        "clockwise, the Dealer's one card between the rounds",
    ),
    enforced(
        "3.19",
        "phases.closing.verify_pay settlement.settle.main_verdict",
        "paid by the table, at once where none can match it",
    ),
    enforced(
        "3.20",
        "phases.offers.verify_even_money phases.offers.do_even_money",
        "even money against an Ace, else stand-off",
    ),
    enforced(
        "3.21",
        "phases.decisions.verify_split phases.decisions.do_split",
        "same point value, a second wager like the first",
    ),
    enforced("3.21.1", "phases.betting.wager_placed", "Ace Race on split Aces before the next card"),
    enforced("3.21.2", "model.hands.Hand.natural", "There is no Blackjack after a split."),
    enforced("3.22", "phases.decisions.verify_split", "not more than four hands"),
    enforced("3.22.1", "phases.decisions.verify_split", "Aces once"),
    enforced("3.23", "phases.turns.point_to_next", "first hand first"),
    enforced("3.23.1", "standing.played.takes_no_card", "one card to each Ace"),
    enforced("3.23.2", "phases.decisions.verify_split", "split again, a wager like the first"),
    enforced(
        "3.24", "phases.decisions.verify_split phases.decisions.do_split", "the others join or stay on the first hand"
    ),
    enforced(
        "3.24.1", "phases.decisions.verify_split phases.decisions.do_split", "They join with a wager like their own."
    ),
    enforced("3.24.2", "phases.decisions.do_split", "who does not join stays on the first hand"),
    enforced("3.24.3", "settlement.settle.main_verdict", "all of a split box is lost to a Blackjack"),
    enforced(
        "3.25",
        "phases.offers.verify_surrender settlement.settle.main_verdict",
        "half, not against an Ace, before further cards",
    ),
    enforced(
        "3.25.1", "phases.offers.verify_offer phases.offers.verify_close", "offered and closed by the Dealer's words"
    ),
    enforced("3.25.1.1", "phases.offers.verify_surrender", "not after splitting"),
    enforced(
        "3.25.1.2",
        "phases.offers.verify_surrender phases.offers.do_surrender",
        "Each Player decides for their own wager.",
    ),
    enforced("3.25.1.3", "standing.control.controller", "control passes from front to back"),
    enforced("3.26", "phases.decisions.verify_double", "from the table minimum to the original wager"),
    enforced(
        "3.26.1",
        "rules.strategies.hard_10_or_11_ace_as_one phases.decisions.verify_double",
        "first two cards of hard 10 or 11",
    ),
    enforced("3.26.2", "phases.decisions.verify_double", "the same after a split"),
    enforced("3.26.3", "phases.decisions.verify_double", "split Aces not"),
    enforced("3.26.4", "standing.played.takes_no_card phases.decisions.verify_hit", "one card, no more and no less"),
    enforced("3.26.5", "phases.decisions.verify_double", "the others before the card"),
    enforced("3.26.6", "standing.played.takes_no_card", "one card for all on that hand"),
    enforced("3.26.7", "phases.decisions.verify_double", "not without the controlling Player"),
    enforced("3.26.8", "settlement.settle.main_verdict", "all of a doubled hand is lost to a Blackjack"),
    enforced(
        "3.27", "phases.offers.verify_insure settlement.settle.settle", "up to half; the Dealer's second card decides"
    ),
    enforced(
        "3.27.1", "phases.offers.verify_offer phases.offers.verify_close", "offered and closed by the Dealer's words"
    ),
    enforced("3.27.2", "phases.offers.verify_insure", "before the subsequent deal"),
    enforced(
        "3.27.3", "phases.offers.verify_insure standing.claims.decide", "others up to half of the wager that is insured"
    ),
    enforced("3.27.4", "standing.claims.decide", "heads the order below, in that order"),
    enforced("3.27.4.1", "standing.claims.decide", "wagers on the box from front to back"),
    enforced("3.27.4.2", "standing.claims.decide", "then the nearest box from front to back"),
    enforced("3.27.4.3", "standing.claims.decide", "then the lowest total outside boxes of one's own"),
    enforced("3.27.4.4", "standing.claims.decide phases.agreements.do_agree", "equal claims without agreement: nobody"),
    enforced("3.27.4.5", "standing.claims.decide", "without a wager on the round: first placed"),
    enforced("3.28", "phases.decisions.verify_stand", "on any two cards"),
    enforced("3.29", "phases.decisions.verify_hit standing.played.complete", "below 21"),
    enforced("3.30", "standing.played.takes_no_card", "not on 21"),
    outside("3.31", "a gesture that no sensor sees; the table takes what the Dealer enters"),
    enforced(
        "3.32", "phases.closing.verify_collect settlement.settle.main_verdict", "a bust hand is lost and collected"
    ),
    enforced("3.33", "settlement.settle.settle", "totals decide main wagers only"),
    enforced(
        "3.34",
        "phases.dealer.must_draw rules.strategies.draws_to_16_and_soft_17",
        "after the Players, to 16 and soft 17",
    ),
    enforced("3.35", "phases.dealer.need", "no card that can change nothing"),
    # 4. Settlement
    enforced(
        "4.1",
        "rules.games.mbs_ace_race_v4.RULES.natural_pays rules.games.mbs_ace_race_v4.RULES.regular_pays "
        "rules.games.mbs_ace_race_v4.RULES.insurance_pays rules.games.mbs_ace_race_v4.RULES.side_wagers "
        "model.money.Odds.pays",
        "The pay table: 6 to 5, 1 to 1, 2 to 1 and 11 to 1.",
    ),
    enforced(
        "4.2",
        "rules.games.mbs_ace_race_v4.RULES.side_wagers rules.side_wagers.ace_race",
        "The pay table: 50, 15, 8 and 5 to 1; after a split 10 to 1.",
    ),
    enforced("4.3", "settlement.settle.main_verdict", "wins as below"),
    enforced("4.3.1", "settlement.settle.main_verdict", "Blackjack against none"),
    enforced("4.3.2", "settlement.settle.main_verdict", "higher total"),
    enforced("4.3.3", "settlement.settle.main_verdict", "the Dealer exceeds 21"),
    enforced("4.4", "settlement.settle.main_verdict", "loses as below"),
    enforced("4.4.1", "settlement.settle.main_verdict", "lower total"),
    enforced("4.4.2", "settlement.settle.main_verdict", "above 21"),
    enforced("4.4.3", "settlement.settle.main_verdict", "the Dealer's Blackjack against none"),
    enforced("4.5", "settlement.settle.main_verdict", "stands off as below"),
    enforced("4.5.1", "settlement.settle.main_verdict", "same total"),
    enforced("4.5.2", "settlement.settle.main_verdict", "Blackjack on both sides"),
    # 5. Irregularities, 6. General Provisions
    *irregularities(
        Differences(
            matrix="ACE_RACE",
            complete="a hard 17, a soft 18",
            absent="To 12, and with a soft total to 17; there is no split and no double.",
            late_insurance=False,
        )
    ),
)
