"""How the product stands to each clause of Blackjack (MBS) Version 6.

1. One row a clause, in the order of the document. `gamecore.rules.clauses.trace` says what the standings mean.
2. A clause that only heads others is `outside`: what it opens is traced below it.
"""

from __future__ import annotations

from gamecore.rules.clauses.mbs_irregularities import Differences, irregularities
from gamecore.rules.clauses.trace import Trace, enforced, outside, recorded

_HEADS = "heads the clauses below it"

TRACE: tuple[Trace, ...] = (
    # 1. Definitions
    outside("1.1", _HEADS),
    enforced(
        "1.1.1", "model.hands.Hand.natural", "An Ace and a ten-point card as the first two cards, not after a split."
    ),
    enforced("1.1.2", "phases.decisions.verify_double", "up to the original wager, from the table minimum"),
    enforced(
        "1.1.3", "model.round.Round.hand_at model.hands.Hand.add", "The cards at one place, a Player's or the Dealer's."
    ),
    enforced("1.1.4", "model.hands.Hand.soft", "Every Ace counts 1."),
    enforced(
        "1.1.5",
        "phases.betting.close_bets phases.offers.begin",
        "two cards a box and one for the Dealer, then the offers",
    ),
    enforced(
        "1.1.6", "settlement.settle.settle phases.offers.verify_insure", "won or lost by the Dealer's second card"
    ),
    recorded("1.1.7", "phases.closing.do_interim", "paid or taken once the initial deal is complete"),
    enforced("1.1.8", "rules.side_wagers.pair", "two cards of one rank; King and Queen or King and ten are none"),
    enforced("1.1.9", "rules.side_wagers.pair", "the first two cards alone, split or not"),
    enforced("1.1.10", "model.hands.Hand.total", "The sum of the cards."),
    enforced(
        "1.1.11",
        "phases.betting.verify_place_bets phases.closing.verify_settle",
        "from the opening of bets to the settlement",
    ),
    enforced("1.1.12", "model.hands.Hand.soft", "One Ace counts 11 and the total stays within 21."),
    enforced("1.1.13", "rules.strategies.same_point_value", "two cards of one point value, King and Queen included"),
    enforced("1.1.14", "settlement.settle.main_verdict", "nothing won, nothing lost"),
    enforced(
        "1.1.15", "phases.cards.deal.deal", "begins with the first card after the initial deal, which ends the offers"
    ),
    enforced("1.1.16", "settlement.settle.main_verdict", "half the original wager"),
    # 2. Mode of Play
    enforced("2.1", "notation.header.read_header notation.playing.shoe.set_size", "one to eight decks of 52 cards"),
    enforced("2.2", "notation.layout.layout_of", "five to seven playing areas, the places of Appendix A"),
    enforced("2.2.1", "notation.layout.layout_of", "a place for wagers in each playing area"),
    enforced("2.2.2", "phases.offers.verify_insure", "one Insurance wager for each wager of a playing area"),
    enforced("2.2.3", "notation.layout.layout_of", "a place for Pair wagers in each playing area"),
    # 3. How to Play
    enforced("3.1", "phases.betting.verify_place_bets phases.betting.do_place_bets", "the announcement opens a round"),
    enforced(
        "3.2", "phases.betting.verify_no_more_bets phases.betting.close_bets", "the announcement closes bets, once"
    ),
    outside("3.3", "the aim of the game; 4.2 and 4.3 say who wins"),
    outside("3.4", _HEADS),
    enforced("3.4.1", "model.hands.Hand.total", "An Ace counts 11, or 1 where 11 would exceed 21."),
    enforced("3.4.2", "model.cards.card model.hands.Hand.add", "A card counts what is printed on it."),
    enforced(
        "3.4.3",
        "model.cards.card model.hands.Hand.add rules.side_wagers.pair",
        "Pictures count ten in a total, and by their own face for a Pair wager.",
    ),
    outside("3.5", "what Players must compute for themselves"),
    enforced(
        "3.6", "phases.betting.wager_placed", "several Players on one playing area; limits are kept by 5.26 to 5.28"
    ),
    outside("3.7", "whose hand lays the chips is not seen; where they lie counts"),
    enforced(
        "3.8", "phases.betting.close_bets", "one Player on every playing area; full patronage is the casino's to judge"
    ),
    outside("3.9", "the Pit Manager's discretion, used before the chips lie"),
    enforced(
        "3.10", "notation.layout.layout_of settlement.settle.settle", "up to three wagers, each settled by itself"
    ),
    outside("3.10.1", "the Pit Manager's discretion, used before the chips lie"),
    outside("3.10.2", "whose chips lie at a spot is the Dealer's to see; names are optional"),
    enforced("3.11", "standing.control.controller", "the seated Player, wherever their wager lies"),
    enforced("3.12", "standing.control.controller", "nobody seated: the wager nearest the Dealer"),
    recorded("3.13", "phases.betting.do_seat phases.betting.do_stand_up", "who is seated is told before the round"),
    enforced(
        "3.14",
        "phases.betting.verify_no_more_bets phases.betting.close_bets",
        "no cards without a wager, no decision before",
    ),
    outside("3.15", _HEADS),
    enforced("3.15.1", "rules.side_wagers.pair settlement.settle.settle", "wins beside a Dealer's Blackjack too"),
    enforced("3.15.2", "phases.betting.wager_placed", "open to Players without a main wager; the area must hold one"),
    enforced("3.16", "standing.claims.decide", "the Player of the playing area comes first"),
    enforced("3.17", "phases.betting.wager_placed", "one Player, Pair wagers on several playing areas"),
    enforced(
        "3.17.1", "standing.claims.decide phases.limits.check", "three Pair wagers a box: one stands on each spot"
    ),
    outside("3.17.2", _HEADS),
    enforced("3.17.2.1", "standing.claims.decide", "wagers on the playing area, nearest the Dealer first"),
    enforced("3.17.2.2", "standing.claims.decide", "then the nearest playing area"),
    enforced("3.17.2.3", "standing.claims.decide", "at equal distance the lowest total of Pair wagers"),
    enforced("3.17.2.4", "standing.claims.decide phases.agreements.do_agree", "equal claims without agreement: nobody"),
    enforced("3.17.2.5", "standing.claims.decide", "without a wager on the round: first come"),
    enforced(
        "3.18",
        "phases.betting.close_bets phases.turns.point_to_next",
        "clockwise, one card to the Dealer, then the second cards",
    ),
    enforced(
        "3.19",
        "settlement.settle.main_verdict phases.closing.verify_pay",
        "paid by 4.1, at once where the Dealer cannot match",
    ),
    enforced(
        "3.20",
        "phases.offers.verify_even_money phases.offers.do_even_money settlement.settle.main_verdict",
        "even money, or a stand-off",
    ),
    enforced(
        "3.21",
        "phases.decisions.verify_split phases.decisions.do_split",
        "same point value, an equal wager on the second hand",
    ),
    enforced("3.21.1", "model.hands.Hand.natural", "A split hand of 21 is no Blackjack."),
    enforced("3.22", "phases.decisions.verify_split", "four hands at most"),
    enforced("3.22.1", "phases.decisions.verify_split standing.played.takes_no_card", "Aces are split once"),
    enforced(
        "3.23",
        "phases.turns.point_to_next phases.decisions.verify_hit",
        "the first hand is played out before the second",
    ),
    enforced("3.23.1", "standing.played.takes_no_card", "one card to each split Ace"),
    enforced(
        "3.23.2", "phases.decisions.verify_split phases.decisions.do_split", "either hand, for the original wager"
    ),
    enforced("3.24", "phases.decisions.verify_split", "others join or not, before the next card"),
    enforced(
        "3.24.1", "phases.decisions.verify_split phases.decisions.do_split", "An equal wager is placed on the new hand."
    ),
    enforced("3.24.2", "phases.decisions.do_split", "else the wager stays on the first hand"),
    enforced("3.24.3", "settlement.settle.main_verdict", "a Dealer's Blackjack takes the original wager in all"),
    enforced(
        "3.25",
        "phases.offers.verify_surrender settlement.settle.main_verdict",
        "half, before the next card, not against an Ace",
    ),
    enforced("3.25.1", "phases.offers.verify_offer phases.offers.verify_close", "offered once, closed, then over"),
    enforced("3.25.1.1", "phases.offers.verify_surrender", "not after a split"),
    enforced(
        "3.25.1.2",
        "phases.offers.verify_surrender phases.offers.do_surrender",
        "Each Player decides for their own wager.",
    ),
    enforced("3.25.1.3", "phases.offers.do_surrender standing.control.controller", "control passes from front to back"),
    enforced("3.26", "phases.decisions.verify_double", "up to the original wager, from the table minimum"),
    enforced(
        "3.26.1", "phases.decisions.verify_double rules.strategies.any_two_cards", "any first two cards, not three"
    ),
    enforced("3.26.2", "phases.decisions.verify_double", "the first two cards of a split hand, Aces excepted"),
    enforced("3.26.3", "phases.decisions.verify_double standing.played.takes_no_card", "split Aces are not doubled"),
    enforced("3.26.4", "standing.played.takes_no_card", "one card, then the next hand"),
    enforced("3.26.5", "phases.decisions.verify_double phases.decisions.do_double", "others join before the card"),
    enforced(
        "3.26.6",
        "standing.played.takes_no_card settlement.settle.main_verdict",
        "who does not join shares the one card",
    ),
    enforced("3.26.7", "phases.decisions.verify_double", "nobody doubles before the controlling Player"),
    enforced(
        "3.27", "phases.offers.verify_insure settlement.settle.settle", "up to half; the Dealer's second card decides"
    ),
    enforced(
        "3.27.1",
        "phases.offers.verify_offer phases.offers.verify_close",
        "against an Ace, offered once, closed, then over",
    ),
    enforced("3.27.2", "phases.offers.verify_insure", "before the next card; each wager has its own insurance line"),
    enforced(
        "3.27.3",
        "phases.offers.verify_insure standing.claims.decide",
        "another Player takes what was declined, up to half",
    ),
    outside("3.27.4", _HEADS),
    enforced("3.27.4.1", "standing.claims.decide", "wagers on the playing area, from front to back"),
    enforced("3.27.4.2", "standing.claims.decide", "then the nearest playing area, from front to back"),
    enforced("3.27.4.3", "standing.claims.decide", "at equal distance the lowest total on areas not controlled"),
    enforced("3.27.4.4", "standing.claims.decide phases.agreements.do_agree", "equal claims without agreement: nobody"),
    enforced("3.27.4.5", "standing.claims.decide", "without a wager on the round: first come"),
    enforced("3.28", "phases.decisions.verify_stand", "any two cards"),
    enforced("3.29", "phases.decisions.verify_hit standing.played.takes_no_card", "while the total is below 21"),
    enforced("3.30", "standing.played.takes_no_card", "no card and no double on 21"),
    recorded(
        "3.31",
        "phases.decisions.do_hit phases.decisions.do_stand",
        "the signal as the Dealer enters it; a card means draw",
    ),
    enforced(
        "3.32",
        "settlement.settle.main_verdict phases.closing.verify_collect",
        "every wager on the hand, whatever the Dealer draws",
    ),
    enforced("3.33", "settlement.settle.main_verdict", "totals decide, but not the Pair wager and Insurance"),
    enforced("3.34", "phases.dealer.must_draw rules.strategies.draws_to_16", "draws to 16, stands on every 17"),
    enforced("3.35", "phases.dealer.need phases.dealer.must_draw", "no card that changes nothing"),
    # 4. Settlement
    enforced(
        "4.1",
        "rules.games.mbs_blackjack_v6.RULES.natural_pays rules.games.mbs_blackjack_v6.RULES.regular_pays "
        "rules.games.mbs_blackjack_v6.RULES.insurance_pays rules.games.mbs_blackjack_v6.RULES.side_wagers "
        "settlement.settle.settle",
        "The pay table: 3 to 2, 1 to 1, 2 to 1 and 11 to 1.",
    ),
    outside("4.2", _HEADS),
    enforced("4.2.1", "settlement.settle.main_verdict", "a Blackjack beats all but another"),
    enforced("4.2.2", "settlement.settle.main_verdict", "the greater total"),
    enforced("4.2.3", "settlement.settle.main_verdict", "the Dealer's bust, for hands still in play"),
    outside("4.3", _HEADS),
    enforced("4.3.1", "settlement.settle.main_verdict", "the smaller total"),
    enforced("4.3.2", "settlement.settle.main_verdict", "bust, the Dealer's bust notwithstanding"),
    enforced("4.3.3", "settlement.settle.main_verdict", "a Dealer's Blackjack beats any 21 of more cards"),
    enforced("4.4", "settlement.settle.settle settlement.settle.main_verdict", "the original wager and no more"),
    enforced("4.4.1", "settlement.settle.main_verdict", "what was added by doubling is not lost"),
    enforced("4.4.2", "settlement.settle.main_verdict", "one original wager for all split hands"),
    outside("4.5", _HEADS),
    enforced("4.5.1", "settlement.settle.main_verdict", "equal totals, hard or soft"),
    enforced("4.5.2", "settlement.settle.main_verdict", "Blackjack against Blackjack"),
    # 5. Irregularities, 6. General Provisions
    *irregularities(
        Differences(
            matrix="BLACKJACK",
            complete="a soft or hard 17",
            absent="To 12, and with a soft total to 17; there is no split and no double.",
            late_insurance=False,
        )
    ),
)
