"""Free Bet Blackjack (MBS) Version 3, clause by clause."""

from __future__ import annotations

from gamecore.rules.clauses.trace import Trace, asked, detected, enforced, outside, recorded

TRACE: tuple[Trace, ...] = (
    # 1. Definitions
    outside("1.1", "heads the clauses below it"),
    enforced("1.1.1", "model.hands.Hand", "a natural has two cards and comes from no split"),
    enforced("1.1.2", "model.hands.Hand rules.side_wagers.busted", "over 21, for a Player as for the Dealer"),
    enforced("1.1.3", "rules.side_wagers.busted", "wins when the Dealer exceeds 21, loses otherwise"),
    enforced("1.1.4", "phases.decisions.verify_double", "from the table minimum up to the original wager"),
    enforced(
        "1.1.5",
        "rules.strategies.same_point_value_below_ten phases.decisions.do_free_split",
        "a marker and no chips; not for tens",
    ),
    enforced(
        "1.1.6",
        "rules.strategies.hard_9_10_or_11 phases.decisions.do_free_double",
        "a marker and no chips, on two cards",
    ),
    enforced("1.1.7", "rules.side_wagers.pot_of_gold", "wins from one marker on"),
    enforced("1.1.8", "model.hands.Stake model.round.Box", "counted for each Player on each playing area"),
    enforced("1.1.8.1", "model.hands.Stake settlement.settle.main_verdict", "wins the original wager, loses nothing"),
    outside("1.1.8.2", "where on the layout the Dealer lays the marker"),
    outside("1.1.9", "gives the cards of a Player or the Dealer their name"),
    enforced("1.1.10", "model.hands.Hand", "every Ace counts 1"),
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
    enforced("1.1.16", "model.hands.Hand", "the sum of the cards' points"),
    enforced(
        "1.1.17",
        "phases.betting.verify_place_bets phases.closing.verify_settle",
        "from the call for bets to the settlement",
    ),
    enforced("1.1.18", "model.hands.Hand", "an Ace counts 11 within 21"),
    enforced(
        "1.1.19",
        "phases.decisions.verify_split phases.decisions.verify_free_split",
        "two cards of the same point value",
    ),
    enforced("1.1.20", "settlement.settle.main_verdict", "net nothing"),
    enforced("1.1.21", "phases.dealing.lay", "begins with the first card after the initial deal"),
    enforced("1.1.22", "phases.offers.do_surrender settlement.settle.main_verdict", "half of the original wager"),
    # 2. Mode of play
    enforced("2.1", "rules.games.mbs_free_bet_v3.RULES notation.header.read_header", "one to eight decks of 52 cards"),
    enforced("2.2", "rules.games.mbs_free_bet_v3.RULES notation.layout.layout_of", "up to seven playing areas"),
    enforced("2.2.1", "notation.layout.layout_of phases.betting.wager_placed", "a place for main wagers"),
    enforced("2.2.2", "phases.offers.do_insure", "a place for Insurance wagers"),
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
    enforced("3.4.1", "model.hands.Hand", "11 while the hand stays within 21, else 1"),
    enforced("3.4.2", "model.cards.Card", "the points of 2 to 10"),
    enforced("3.4.3", "model.cards.Card rules.side_wagers.pair", "ten points; by their faces for the Pair wager"),
    outside("3.5", "what a Player must compute for himself"),
    recorded(
        "3.6",
        "phases.betting.wager_placed",
        "each Player's wager on an area is kept; limits are ruled upon by 5.27 and 5.28",
    ),
    outside("3.7", "who puts the chips down for a Player"),
    recorded("3.8", "phases.betting.wager_placed", "a Player may wager everywhere; free seats are known to the house"),
    outside("3.9", "at the discretion of the Pit Manager"),
    enforced(
        "3.10", "rules.games.mbs_free_bet_v3.RULES notation.arguments.Words", "three places for wagers on an area"
    ),
    outside("3.10.1", "at the discretion of the Pit Manager"),
    outside("3.10.2", "whose chips lie where is for the Dealer to see"),
    enforced("3.11", "standing.control.controller", "the seated Player, wherever his wager lies"),
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
        "rules.side_wagers.pot_of_gold model.round.Box",
        "by the Player's own markers, those of bust hands too",
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
        "rules.strategies.same_ten_point_value phases.decisions.do_split",
        "ten-point cards split for an equal wager",
    ),
    enforced("3.21.2", "model.hands.Hand", "no natural on a split hand"),
    enforced("3.22", "phases.decisions.verify_split phases.decisions.verify_free_split", "four hands at most"),
    enforced("3.22.1", "phases.decisions.verify_free_split phases.turns.takes_no_card", "Aces are split once"),
    enforced(
        "3.23",
        "phases.turns.point_to_next phases.decisions.do_free_split",
        "one hand is played before the next gets a card",
    ),
    enforced("3.23.1", "phases.turns.takes_no_card", "one card to each split Ace"),
    enforced(
        "3.23.2", "phases.decisions.verify_split phases.decisions.verify_free_split", "either hand may be split again"
    ),
    enforced(
        "3.24", "phases.decisions.verify_split phases.decisions.verify_free_split", "others join until the next card"
    ),
    enforced("3.24.1", "phases.decisions.do_split", "ten-point cards: an equal wager of one's own"),
    enforced("3.24.2", "phases.decisions.do_free_split", "other pairs: a marker of one's own"),
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
    enforced("3.25.1.2", "phases.offers.do_surrender", "each Player for his own wager"),
    enforced("3.25.1.3", "phases.offers.do_surrender standing.control.controller", "control passes from front to back"),
    enforced("3.26", "phases.decisions.verify_double", "what may be doubled"),
    enforced("3.26.1", "phases.decisions.verify_double rules.strategies.any_two_cards", "any first two cards"),
    enforced("3.26.2", "phases.decisions.verify_double", "the first two cards of a split hand"),
    enforced("3.26.3", "phases.decisions.verify_double phases.decisions.verify_free_double", "never on split Aces"),
    enforced("3.26.4", "phases.turns.takes_no_card", "one card"),
    enforced(
        "3.26.5", "phases.decisions.verify_free_double rules.strategies.hard_9_10_or_11", "before and after a split"
    ),
    enforced(
        "3.26.6",
        "phases.decisions.verify_double phases.decisions.verify_free_double",
        "others join, each way, until the card",
    ),
    enforced("3.26.7", "phases.turns.takes_no_card", "one card for those who do not join too"),
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
    enforced("3.27.2", "phases.offers.verify_insure phases.dealing.lay", "the first further card ends it"),
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
    enforced("3.30", "phases.turns.takes_no_card", "no card and no double on 21"),
    recorded("3.31", "phases.dealing.lay phases.decisions.do_stand", "a card means hit; standing is told"),
    enforced(
        "3.32",
        "settlement.settle.main_verdict phases.closing.verify_collect",
        "lost at once, whatever the Dealer draws",
    ),
    enforced("3.33", "settlement.settle.settle", "totals for main wagers, their own terms for the others"),
    enforced("3.34", "rules.strategies.draws_to_16_and_soft_17 phases.dealer.must_draw", "draws to 16 and soft 17"),
    enforced("3.35", "phases.dealer.need phases.dealer.must_draw", "no card that can change nothing"),
    # 4. Settlement
    enforced("4.1", "rules.games.mbs_free_bet_v3.RULES settlement.settle.settle", "3 to 2, 1 to 1, 2 to 1, 11 to 1"),
    enforced(
        "4.2", "rules.games.mbs_free_bet_v3.RULES rules.side_wagers.busted", "five rows, seven cards and more alike"
    ),
    enforced(
        "4.3",
        "rules.games.mbs_free_bet_v3.RULES rules.side_wagers.pot_of_gold",
        "five rows, five markers and more alike",
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
    # 5. Irregularities, 6. General provisions
    detected(
        "5.1",
        "model.cardset.CardSet phases.shoe.watch_order",
        "every card, count and load is held against the set; a strange order is put to the pit",
    ),
    enforced(
        "5.1.1",
        "irregularities.wagers.void rules.mbs.matrix",
        "the round is void at the card that proves it, and every wager goes back",
    ),
    enforced(
        "5.1.2",
        "irregularities.desk.do_call rules.mbs.matrix",
        "what is found later, or between rounds, changes no earlier round",
    ),
    enforced(
        "5.2",
        "irregularities.procedures.cannot_reconstruct",
        "void before any interim settlement or further card; later it is for the shift manager",
    ),
    enforced(
        "5.3",
        "phases.betting.wager_placed irregularities.player_options.refuse_late",
        "late chips are refused, a row of their own",
    ),
    enforced(
        "5.4", "phases.betting.wager_removed settlement.settle.settle", "chips taken away win or lose all the same"
    ),
    recorded(
        "5.5", "phases.shoe.sound", "played as any card and noted; the first card of a round is for the shift manager"
    ),
    detected(
        "5.6",
        "irregularities.detectors.in_initial_deal irregularities.detectors.in_players_turn",
        "found at the first card that proves it, or told",
    ),
    enforced(
        "5.6.1",
        "irregularities.repair.lay_anew cards.layout.shortest_moves",
        "the initial deal in the order in which the cards came out",
    ),
    enforced(
        "5.6.2", "irregularities.repair.put_back", "the card goes where it was due, later ones are the next cards"
    ),
    enforced(
        "5.7",
        "irregularities.detectors.nobody_due irregularities.cards_at_issue.discard",
        "a hard 17, a soft 18 and more; the card is discarded",
    ),
    asked(
        "5.8", "irregularities.cards_at_issue.next_card", "offered as the next card to whose hand is to be acted upon"
    ),
    enforced("5.9", "irregularities.cards_at_issue.next_card_answered", "who refuses it gets no further card"),
    enforced(
        "5.10", "irregularities.cards_at_issue.next_card_answered", "refused by all, it is the Dealer's next card"
    ),
    enforced(
        "5.11",
        "irregularities.detectors.in_initial_deal irregularities.repair.lay_anew",
        "noticed in time, all cards move up",
    ),
    enforced("5.12", "irregularities.player_options.dealer_draws", "noticed late, the Dealer draws a card now"),
    enforced(
        "5.12.1",
        "model.state.TableState phases.decisions.verify_hit",
        "the acting hand may be finished first, no other is played before the Dealer's card",
    ),
    enforced("5.12.2", "irregularities.player_options.dealer_received", "the offers that the late card calls for"),
    enforced(
        "5.13",
        "irregularities.repair.lay_anew irregularities.taken.code irregularities.taken.put_back",
        "fewer than two cards, noticed in time: the deal is laid anew, or the card that was taken goes back",
    ),
    enforced(
        "5.14", "irregularities.player_options.return_box", "no cards, noticed late: every wager on the area goes back"
    ),
    enforced(
        "5.15",
        "irregularities.cards_at_issue.discard_box",
        "cards of an area without a wager are discarded, play goes on",
    ),
    asked("5.16", "irregularities.player_options.short_option", "each Player of the area is asked"),
    enforced(
        "5.16.1",
        "irregularities.player_options.short_answered phases.turns.point_to_next",
        "acts in turn, the missing card first",
    ),
    enforced(
        "5.16.2",
        "irregularities.player_options.short_answered irregularities.repair.discard_hand",
        "wager back, card discarded",
    ),
    asked(
        "5.17",
        "irregularities.cards_at_issue.skipped irregularities.cards_at_issue.take_back",
        "the Dealer is asked; the cards are the next cards again",
    ),
    enforced(
        "5.18", "irregularities.desk.do_call phases.told.believe", "two hands further on, the hand stands as it is"
    ),
    enforced(
        "5.19",
        "phases.shoe.shoe_empty phases.shoe.loaded",
        "held until the discards are riffled and loaded; with a machine the shift manager decides",
    ),
    detected(
        "5.19.1", "phases.shoe.first_card", "a shuffle is due after the round; without it the next first card is found"
    ),
    detected(
        "5.20",
        "phases.shoe.first_card",
        "found at the first card of the later round, which is played; with a machine the shift manager decides",
    ),
    detected("5.21", "irregularities.detectors.in_initial_deal", "the first card of a fresh shoe that is not burned"),
    enforced("5.21.1", "irregularities.repair.lay_anew", "noticed in time, every card moves back one place"),
    enforced("5.21.2", "irregularities.desk.do_call rules.mbs.matrix", "noticed late, the card stays in play"),
    enforced(
        "5.22",
        "irregularities.player_options.house_draws phases.turns.complete",
        "until the total exceeds 11, soft or hard; no choice is left",
    ),
    enforced(
        "5.22.1",
        "irregularities.player_options.pass_control standing.control.controller",
        "the nearest of the others on the area decides",
    ),
    detected("5.23", "phases.shoe.cards_pulled", "several cards in one pull; where their order is known, 5.8"),
    asked("5.23.1", "irregularities.pulled.select", "none seen: the Player selects"),
    enforced("5.23.1.1", "irregularities.pulled.selected", "the rest are the next cards"),
    enforced("5.23.2", "irregularities.pulled.disclosed", "one seen: it is the next card"),
    enforced("5.23.2.1", "irregularities.pulled.laid", "the rest follow it"),
    asked("5.23.3", "irregularities.pulled.choose", "more seen: the Player takes what he wishes"),
    asked("5.23.3.1", "irregularities.pulled.chosen", "the rest is offered to the next Player, declined it is burned"),
    detected("5.23.4", "phases.shoe.cards_pulled", "told apart by where the next card was due"),
    asked("5.23.4.1", "irregularities.pulled.pit_selects", "none seen: the pit selects"),
    enforced(
        "5.23.4.2", "irregularities.pulled.pit_selected", "the other is the next card, of the next round if need be"
    ),
    enforced("5.23.4.3", "irregularities.pulled.disclosed", "one seen: it is the Dealer's"),
    enforced("5.23.4.4", "irregularities.pulled.laid", "the other is the next card"),
    asked(
        "5.23.4.5",
        "irregularities.pulled.pit_worst irregularities.choices.most_detrimental",
        "both seen: the pit selects, never the one plainly better for the Dealer",
    ),
    enforced("5.23.4.6", "irregularities.pulled.pit_selected", "the other is out of play"),
    enforced(
        "5.24",
        "irregularities.cards_at_issue.next_card_answered irregularities.pulled.chosen",
        "who refuses a card stands",
    ),
    asked(
        "5.25",
        "irregularities.matter.give_right irregularities.wagers.withdraw",
        "open until the next card; what was lost stays lost",
    ),
    asked(
        "5.26",
        "phases.offers.leave irregularities.player_options.late_insurance irregularities.desk.do_approve",
        "found when the deal goes on; a Pit Supervisor approves until the Dealer's second card",
    ),
    enforced(
        "5.27",
        "phases.limits.check irregularities.player_options.pay_once irregularities.player_options.return_wager",
        "paid or collected once for a Player, later ones go back whatever the hand makes",
    ),
    enforced(
        "5.28",
        "irregularities.player_options.to_limit settlement.settle.settle",
        "won and lost up to the maximum, each wager by itself",
    ),
    enforced(
        "5.29",
        "irregularities.desk.do_call rules.mbs.matrix",
        "what earlier rounds paid or collected is settled",
    ),
    detected(
        "5.30",
        "phases.shoe.power_on phases.shoe.restarted",
        "a loss of power in mid-round; a restart of the software is none",
    ),
    asked(
        "5.30.1",
        "irregularities.player_options.withdraw_option irregularities.wagers.withdraw_everywhere",
        "nothing decided: each Player may withdraw, and then all he has",
    ),
    enforced("5.30.2", "standing.stage.outcome_established", "something decided: the round is played to its end"),
    asked("6.1", "irregularities.procedures.refer", "held until the shift manager says continue or void"),
    enforced("6.2", "irregularities.desk.verify_answer", "the house may answer for the pit"),
)
