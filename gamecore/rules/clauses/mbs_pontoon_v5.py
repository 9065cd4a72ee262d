"""Pontoon Pandemonium (MBS) Version 5, clause by clause."""

from __future__ import annotations

from gamecore.rules.clauses.trace import Trace, asked, detected, enforced, outside, recorded

TRACE: tuple[Trace, ...] = (
    outside("1.1", "heads the clauses below it"),
    enforced("1.1.1", "phases.decisions.verify_double", "up to the original wager, not below the minimum"),
    enforced(
        "1.1.2", "phases.closing.verify_jackpot rules.side_wagers.pandemonium", "what the meter showed for that wager"
    ),
    enforced("1.1.3", "model.hands.Hand", "the cards at one place"),
    enforced("1.1.4", "model.hands.Hand", "no Ace counts 11"),
    enforced("1.1.5", "phases.betting.close_bets phases.dealing.lay", "two cards each, one to the Dealer"),
    enforced(
        "1.1.6", "phases.offers.verify_insure settlement.settle.settle", "wins on a Jack, Queen or King as second card"
    ),
    recorded("1.1.7", "phases.closing.do_interim", "said by the Dealer, after the initial deal"),
    enforced("1.1.8", "rules.side_wagers.pair", "the same rank"),
    enforced("1.1.9", "rules.side_wagers.pair", "looks at the initial two cards, also of a split hand"),
    enforced("1.1.10", "model.hands.Hand", "the sum of the points"),
    enforced("1.1.11", "model.hands.Hand", "Ace and ten-point card as initial cards, never on a split hand"),
    enforced("1.1.12", "rules.side_wagers.pandemonium", "wins with a Pontoon"),
    enforced("1.1.13", "phases.closing.jackpots_due", "a press is due for a Pontoon with such a wager"),
    enforced(
        "1.1.14",
        "phases.betting.verify_place_bets phases.closing.verify_settle",
        "from the call for bets to the settlement",
    ),
    enforced("1.1.15", "model.hands.Hand", "an Ace counts 11 within 21"),
    enforced(
        "1.1.16",
        "phases.decisions.verify_split rules.strategies.same_point_value",
        "the same point value, King and Queen included",
    ),
    enforced("1.1.17", "settlement.settle.main_verdict", "nothing won or lost"),
    enforced("1.1.18", "phases.dealing.lay phases.offers.leave", "its first card ends the offers"),
    enforced("1.1.19", "rules.strategies.suited_sevens_against_seven", "three suited sevens against a seven"),
    enforced("1.1.20", "phases.offers.do_surrender settlement.settle.main_verdict", "half of the original wager"),
    enforced(
        "2.1",
        "rules.games.mbs_pontoon_v5.RULES model.cards.composition notation.header.read_header",
        "four to eight decks without tens",
    ),
    enforced("2.2", "rules.games.mbs_pontoon_v5.RULES notation.layout.layout_of", "five to seven playing areas"),
    enforced("2.2.1", "phases.betting.wager_placed", "main wagers"),
    enforced("2.2.2", "phases.offers.do_insure", "Insurance wagers, by the wager that they insure"),
    enforced("2.2.3", "phases.betting.wager_placed rules.side_wagers.pair", "Pair wagers"),
    enforced("2.2.4", "phases.betting.wager_placed rules.side_wagers.pandemonium", "Pandemonium wagers"),
    enforced("3.1", "phases.betting.do_place_bets", "opens the round"),
    enforced("3.2", "phases.betting.close_bets", "fixes the wagers and the order of the deal"),
    outside("3.3", "the aim of the game; 4.3 and 4.4 decide"),
    outside("3.4", "heads the clauses below it"),
    enforced("3.4.1", "model.hands.Hand", "11, or 1 where 11 would exceed 21"),
    enforced("3.4.2", "phases.decisions.do_double model.hands.Hand", "binds the hand, and so every wager on it"),
    enforced("3.4.3", "model.cards.Card", "points of the small cards"),
    enforced("3.4.4", "model.cards.Card rules.side_wagers.pair", "ten points, but told apart for the Pair wager"),
    outside("3.5", "what a Player computes for himself"),
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
    enforced("3.19", "settlement.settle.main_verdict phases.dealer.decided", "3 to 2, beyond doubt"),
    enforced(
        "3.19.1",
        "phases.closing.jackpots_due phases.closing.verify_settle",
        "settlement waits for every press; listed from the right",
    ),
    outside("3.19.2", "who presses is not sensed; the figure on the meter counts"),
    enforced("3.20", "phases.decisions.verify_split phases.decisions.do_split", "an equal wager on the new hand"),
    enforced("3.20.1", "model.hands.Hand", "a split hand has no Pontoon"),
    enforced("3.21", "phases.decisions.verify_split", "four hands"),
    enforced("3.21.1", "phases.decisions.verify_split", "Aces once"),
    enforced("3.22", "phases.turns.point_to_next", "hand after hand"),
    enforced("3.22.1", "phases.turns.takes_no_card", "one card to each Ace"),
    enforced(
        "3.22.2", "phases.decisions.verify_split phases.decisions.do_split", "any of the hands, for the original amount"
    ),
    enforced("3.23", "phases.decisions.verify_split", "the others choose before the next card"),
    enforced("3.23.1", "phases.decisions.do_split", "joins with his own amount"),
    enforced("3.23.2", "phases.decisions.do_split", "stays on the first of the two hands"),
    enforced(
        "3.24",
        "phases.offers.begin phases.offers.verify_surrender",
        "against Ace, King, Queen and Jack, before any further card",
    ),
    enforced("3.24.1", "phases.offers.verify_offer phases.offers.do_close", "offered once, then closed"),
    enforced("3.24.2", "settlement.settle.main_verdict phases.dealer.need", "the whole wager"),
    enforced("3.24.3", "settlement.settle.main_verdict phases.closing.verify_collect", "half, at final settlement"),
    enforced("3.24.3.1", "phases.offers.verify_surrender", "refused on a split area"),
    enforced("3.24.3.2", "phases.offers.do_surrender", "each wager for itself"),
    enforced("3.24.3.3", "standing.control.controller", "the foremost who has not surrendered"),
    enforced("3.25", "phases.decisions.verify_double", "up to the wager, from the minimum"),
    enforced("3.25.1", "phases.decisions.verify_double rules.strategies.any_two_cards", "any total, two cards"),
    enforced("3.25.2", "phases.decisions.verify_double", "split hands too"),
    enforced("3.25.3", "phases.decisions.verify_double", "not on split Aces"),
    enforced("3.25.4", "phases.turns.takes_no_card", "complete after its card"),
    enforced("3.25.5", "phases.decisions.verify_double", "joins before the card"),
    enforced("3.25.6", "phases.turns.takes_no_card", "one card for all on the hand"),
    enforced("3.25.7", "phases.decisions.verify_double", "never before the controlling Player"),
    enforced("3.25.8", "phases.decisions.verify_rescue phases.decisions.do_rescue", "below 21, before the next card"),
    enforced(
        "3.26", "phases.offers.verify_insure settlement.settle.settle", "half at most; decided by the second card"
    ),
    enforced("3.26.1", "phases.offers.verify_offer phases.offers.do_close", "offered once, then closed"),
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
        "phases.turns.takes_no_card phases.dealer.decided phases.closing.verify_pay",
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
        "rules.games.mbs_pontoon_v5.RULES settlement.settle.settle settlement.settle.twenty_one_odds",
        "every row of the table",
    ),
    enforced(
        "4.1.1", "rules.games.mbs_pontoon_v5.RULES settlement.settle.settle", "by the amount of the original wager"
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
    enforced("4.3.1", "settlement.settle.main_verdict phases.dealer.decided", "whatever the Dealer has"),
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
        "to 12, with a soft total to 17; no split and no double",
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
    enforced(
        "5.26",
        "phases.limits.check irregularities.player_options.pay_once irregularities.player_options.return_wager",
        "paid or collected once for a Player, later ones go back whatever the hand makes",
    ),
    enforced(
        "5.27",
        "irregularities.player_options.to_limit settlement.settle.settle",
        "won and lost up to the maximum, each wager by itself",
    ),
    enforced(
        "5.28",
        "irregularities.desk.do_call rules.mbs.matrix",
        "what earlier rounds paid or collected is settled",
    ),
    detected(
        "5.29",
        "phases.shoe.power_on phases.shoe.restarted",
        "a loss of power in mid-round; a restart of the software is none",
    ),
    asked(
        "5.29.1",
        "irregularities.player_options.withdraw_option irregularities.wagers.withdraw_everywhere",
        "nothing decided: each Player may withdraw, and then all he has",
    ),
    enforced("5.29.2", "standing.stage.outcome_established", "something decided: the round is played to its end"),
    asked("6.1", "irregularities.procedures.refer", "held until the shift manager says continue or void"),
    enforced("6.2", "irregularities.desk.verify_answer", "the house may answer for the pit"),
)
