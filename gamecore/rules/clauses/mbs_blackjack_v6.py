"""How the product stands to each clause of Blackjack (MBS) Version 6.

1. One row a clause, in the order of the document. `gamecore.rules.clauses.trace` says what the standings mean.
2. A clause that only heads others is `outside`: what it opens is traced below it.
"""

from __future__ import annotations

from gamecore.rules.clauses.trace import Trace, asked, detected, enforced, outside, recorded

_HEADS = "heads the clauses below it"

TRACE: tuple[Trace, ...] = (
    # 1. Definitions
    outside("1.1", _HEADS),
    enforced("1.1.1", "model.hands.Hand", "an Ace and a ten-point card as the first two cards, not after a split"),
    enforced("1.1.2", "phases.decisions.verify_double", "up to the original wager, from the table minimum"),
    enforced("1.1.3", "model.hands.Hand", "the cards at one place, a Player's or the Dealer's"),
    enforced("1.1.4", "model.hands.Hand", "every Ace counts 1"),
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
    enforced("1.1.10", "model.hands.Hand", "the sum of the cards"),
    enforced(
        "1.1.11",
        "phases.betting.verify_place_bets phases.closing.verify_settle",
        "from the opening of bets to the settlement",
    ),
    enforced("1.1.12", "model.hands.Hand", "one Ace counts 11 and the total stays within 21"),
    enforced("1.1.13", "rules.strategies.same_point_value", "two cards of one point value, King and Queen included"),
    enforced("1.1.14", "settlement.settle.main_verdict", "nothing won, nothing lost"),
    enforced(
        "1.1.15", "phases.dealing.lay", "begins with the first card after the initial deal, which ends the offers"
    ),
    enforced("1.1.16", "settlement.settle.main_verdict", "half the original wager"),
    # 2. Mode of Play
    enforced("2.1", "notation.header.read_header notation.shoe.set_size", "one to eight decks of 52 cards"),
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
    enforced("3.4.1", "model.hands.Hand", "11, or 1 where 11 would exceed 21"),
    enforced("3.4.2", "model.cards.Card", "what is printed on the card"),
    enforced("3.4.3", "model.cards.Card rules.side_wagers.pair", "ten in a total, their own face for a Pair wager"),
    outside("3.5", "what a Player must compute for himself"),
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
    enforced("3.11", "standing.control.controller", "the seated Player, wherever his wager lies"),
    enforced("3.12", "standing.control.controller", "nobody seated: the wager nearest the Dealer"),
    recorded("3.13", "phases.betting.do_seat phases.betting.do_stand_up", "who is seated is told before the round"),
    enforced(
        "3.14",
        "phases.betting.verify_no_more_bets phases.betting.close_bets",
        "no cards without a wager, no decision before",
    ),
    outside("3.15", _HEADS),
    enforced("3.15.1", "rules.side_wagers.pair settlement.settle.settle", "wins beside a Dealer's Blackjack too"),
    enforced("3.15.2", "phases.betting.wager_placed", "open to who has no main wager; the area must hold one"),
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
    enforced("3.21.1", "model.hands.Hand", "a split hand of 21 is no Blackjack"),
    enforced("3.22", "phases.decisions.verify_split", "four hands at most"),
    enforced("3.22.1", "phases.decisions.verify_split phases.turns.takes_no_card", "Aces are split once"),
    enforced(
        "3.23",
        "phases.turns.point_to_next phases.decisions.verify_hit",
        "the first hand is played out before the second",
    ),
    enforced("3.23.1", "phases.turns.takes_no_card", "one card to each split Ace"),
    enforced(
        "3.23.2", "phases.decisions.verify_split phases.decisions.do_split", "either hand, for the original wager"
    ),
    enforced("3.24", "phases.decisions.verify_split", "others join or not, before the next card"),
    enforced("3.24.1", "phases.decisions.do_split", "an equal wager on the new hand"),
    enforced("3.24.2", "phases.decisions.do_split", "else the wager stays on the first hand"),
    enforced("3.24.3", "settlement.settle.main_verdict", "a Dealer's Blackjack takes the original wager in all"),
    enforced(
        "3.25",
        "phases.offers.verify_surrender settlement.settle.main_verdict",
        "half, before the next card, not against an Ace",
    ),
    enforced("3.25.1", "phases.offers.verify_offer phases.offers.verify_close", "offered once, closed, then over"),
    enforced("3.25.1.1", "phases.offers.verify_surrender", "not after a split"),
    enforced("3.25.1.2", "phases.offers.do_surrender", "each Player for his own wager"),
    enforced("3.25.1.3", "phases.offers.do_surrender standing.control.controller", "control passes from front to back"),
    enforced("3.26", "phases.decisions.verify_double", "up to the original wager, from the table minimum"),
    enforced(
        "3.26.1", "phases.decisions.verify_double rules.strategies.any_two_cards", "any first two cards, not three"
    ),
    enforced("3.26.2", "phases.decisions.verify_double", "the first two cards of a split hand, Aces excepted"),
    enforced("3.26.3", "phases.decisions.verify_double phases.turns.takes_no_card", "split Aces are not doubled"),
    enforced("3.26.4", "phases.turns.takes_no_card", "one card, then the next hand"),
    enforced("3.26.5", "phases.decisions.verify_double phases.decisions.do_double", "others join before the card"),
    enforced(
        "3.26.6", "phases.turns.takes_no_card settlement.settle.main_verdict", "who does not join shares the one card"
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
    enforced("3.29", "phases.decisions.verify_hit phases.turns.takes_no_card", "while the total is below 21"),
    enforced("3.30", "phases.turns.takes_no_card", "no card and no double on 21"),
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
    enforced("4.1", "rules.games.mbs_blackjack_v6.RULES settlement.settle.settle", "3 to 2, 1 to 1, 2 to 1, 11 to 1"),
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
    # 5. Irregularities and 6. General Provisions
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
        "a soft or hard 17 and more; the card is discarded",
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
