"""Free Bet Blackjack (RWS) of 15 April 2025: how the table stands to every clause."""

from __future__ import annotations

from gamecore.rules.clauses.trace import Trace, asked, detected, enforced, outside, recorded

TRACE: tuple[Trace, ...] = (
    # 1. Definitions
    outside("1.1", "another word for wager"),
    enforced("1.2", "model.hands.Hand.natural", "The first two cards, never those of a split."),
    enforced("1.3", "rules.side_wagers.boom_busted", "by number of cards, above 22"),
    enforced(
        "1.4",
        "model.hands.Hand.bust settlement.settle.main_verdict rules.side_wagers.boom_busted",
        "Players bust above 21, the Dealer above 22.",
    ),
    outside("1.5", "names a device"),
    outside("1.6", "names a person"),
    enforced("1.7", "phases.decisions.verify_double phases.decisions.do_double", "which hands, how much"),
    outside("1.8", "names a device"),
    enforced(
        "1.9",
        "phases.offers.verify_even_money settlement.settle.main_verdict",
        "a Blackjack against an Ace, paid evens",
    ),
    recorded(
        "1.10",
        "phases.closing.do_collect phases.closing.do_pay phases.closing.do_settle",
        "from the first hand settled on",
    ),
    enforced(
        "1.11",
        "model.hands.Stake.at_risk phases.decisions.do_free_split phases.decisions.do_free_double",
        "Markers are counted apart from chips.",
    ),
    enforced(
        "1.11.1",
        "model.hands.Stake.plays_for settlement.settle.main_verdict",
        "A marker wins what the Initial Bet would.",
    ),
    outside("1.11.2", "where the Dealer lays the marker"),
    enforced(
        "1.12", "phases.decisions.verify_free_double rules.strategies.hard_9_10_or_11", "hard 9, 10 and 11 on two cards"
    ),
    enforced(
        "1.13", "phases.decisions.verify_free_split rules.strategies.same_point_value_without_picture", "no pictures"
    ),
    outside("1.14", "names the cards of one place"),
    enforced("1.15", "model.hands.Hand.soft rules.strategies.hard_9_10_or_11", "No Ace counts 11."),
    enforced("1.16", "phases.decisions.verify_hit phases.decisions.do_hit", "a card is asked for"),
    outside("1.17", "names the operator"),
    enforced("1.18", "phases.betting.close_bets", "The main bet as bets close is the measure."),
    enforced("1.19", "phases.betting.close_bets", "two cards a box, one for the Dealer"),
    enforced("1.20", "phases.offers.begin phases.offers.verify_insure", "against an Ace only"),
    recorded(
        "1.21", "phases.closing.verify_interim phases.closing.do_interim", "not before the initial deal is complete"
    ),
    enforced("1.22", "rules.side_wagers.lucky_stash rules.side_wagers.marker_slot", "at least one marker on that box"),
    enforced("1.23", "model.cards.card model.hands.Hand.add", "Pictures count ten."),
    outside("1.24", "names persons and their offices"),
    outside("1.25", "names a person"),
    enforced("1.26", "model.hands.Hand.total", "The sum of the card values."),
    enforced(
        "1.27",
        "cards.difference.shortest_moves irregularities.procedures.reconstruct.put_back",
        "cards back in the order in which they left the shoe",
    ),
    enforced(
        "1.28",
        "phases.betting.verify_place_bets phases.closing.verify_settle phases.closing.do_settle",
        "one round at a time",
    ),
    enforced("1.29", "rules.side_wagers.rws_pairs", "by the first two cards"),
    enforced(
        "1.30",
        "standing.control.controller phases.betting.do_seat",
        "the seated Player with a bet, else the highest bet",
    ),
    enforced("1.31", "standing.played.takes_no_card", "an Ace counts 11 and the hand is no Blackjack"),
    enforced("1.32", "model.hands.Hand.soft", "An Ace counts 11."),
    enforced(
        "1.33", "phases.decisions.verify_split phases.decisions.do_split", "two cards of one value become two hands"
    ),
    enforced("1.34", "phases.decisions.verify_stand phases.decisions.do_stand", "no further card"),
    enforced("1.35", "settlement.settle.main_verdict", "same total, or a Dealer's 22"),
    enforced("1.36", "standing.control.controller", "others on the box have no say"),
    enforced("1.37", "phases.cards.deal.deal phases.offers.leave", "begins with the first card after the initial deal"),
    enforced(
        "1.38",
        "phases.offers.begin phases.offers.verify_surrender settlement.settle.main_verdict",
        "half, unless the Dealer has an Ace",
    ),
    enforced("1.39", "phases.ending.void", "every bet goes back, no result"),
    # 2. Mode of play
    outside("2.1", "heads the clause below it"),
    enforced(
        "2.1.1",
        "rules.games.rws_free_bet_2025.RULES.boxes notation.header.read_header",
        "One to six boxes; what is printed on the layout is outside.",
    ),
    outside("2.2", "heads the clause below it"),
    enforced(
        "2.2.1",
        "rules.games.rws_free_bet_2025.RULES.decks notation.header.read_header",
        "Four to ten decks of 52 cards.",
    ),
    # 3. How to play
    outside("3.1", "the aim of the game; 3.24 decides"),
    outside("3.2", "heads the clauses below it"),
    enforced("3.2.1", "model.hands.Hand.total", "An Ace counts 11 as long as the hand stays within 21."),
    enforced("3.2.2", "model.cards.card model.hands.Hand.add", "A card counts its face value."),
    enforced("3.2.3", "model.cards.card model.hands.Hand.add", "Pictures count ten."),
    enforced(
        "3.3", "phases.betting.verify_place_bets phases.betting.verify_no_more_bets", "bets open with the announcement"
    ),
    outside("3.4", "a sign at the table"),
    outside("3.5", "what Players must see to themselves"),
    enforced("3.6", "phases.betting.wager_placed", "a box takes the bets of any number of Players"),
    enforced("3.7", "phases.betting.wager_placed", "one Player on several boxes"),
    enforced(
        "3.8",
        "standing.control.controller phases.decisions.verify_stand phases.decisions.verify_hit",
        "one Player decides for the box",
    ),
    enforced(
        "3.9",
        "phases.betting.wager_placed rules.side_wagers.rws_pairs rules.side_wagers.lucky_stash",
        "by anybody, on a box in play",
    ),
    enforced(
        "3.9.1", "phases.betting.wager_placed rules.side_wagers.boom_busted", "by anybody, once some box is in play"
    ),
    enforced("3.10", "phases.betting.close_bets phases.betting.wager_placed", "later chips are a finding"),
    enforced("3.11", "phases.betting.close_bets phases.cards.deal.deal", "order of the deal"),
    enforced(
        "3.12",
        "phases.betting.verify_squeeze phases.cards.deal.deal phases.cards.felt.cards_turned",
        "face down where permitted",
    ),
    detected(
        "3.13",
        "phases.closing.do_interim phases.closing.further_card",
        "the first further card comes before they were settled",
    ),
    enforced("3.14", "rules.side_wagers.rws_pairs rules.side_wagers.initial_cards", "by rank, apart from the hand"),
    enforced("3.14.1", "rules.side_wagers.rws_pairs", "Aces of one suit"),
    enforced("3.14.2", "rules.side_wagers.rws_pairs", "one suit"),
    enforced("3.14.3", "rules.side_wagers.rws_pairs", "one colour, two suits"),
    enforced("3.14.4", "rules.side_wagers.rws_pairs", "two colours"),
    enforced("3.15", "phases.offers.begin", "what an Ace brings"),
    enforced(
        "3.15.1",
        "phases.offers.verify_even_money settlement.settle.main_verdict",
        "even money, else a stand-off of Blackjacks",
    ),
    enforced(
        "3.15.2",
        "phases.offers.verify_insure settlement.settle.settle",
        "up to half, for oneself, before any further card",
    ),
    enforced(
        "3.16",
        "settlement.settle.main_verdict standing.played.natural_possible",
        "paid, or waits for the card after a ten",
    ),
    enforced(
        "3.17",
        "phases.offers.verify_surrender phases.offers.do_surrender settlement.settle.main_verdict",
        "half, before any further card",
    ),
    enforced(
        "3.18", "standing.played.takes_no_card phases.decisions.verify_hit", "any number of cards, none to a soft 21"
    ),
    enforced("3.19", "settlement.settle.main_verdict phases.turns.after_card", "a bust hand has lost"),
    enforced("3.20", "phases.decisions.verify_stand", "no standing below 12"),
    enforced("3.21", "phases.decisions.verify_stand phases.decisions.do_stand", "from 12 on"),
    enforced(
        "3.22",
        "phases.decisions.verify_split phases.decisions.verify_free_split phases.offers.verify_surrender",
        "equal bet or marker",
    ),
    enforced(
        "3.22.1",
        "phases.decisions.verify_split phases.decisions.do_split standing.control.controller",
        "A Player who does not follow stays on the first hand.",
    ),
    enforced(
        "3.22.2",
        "phases.decisions.verify_split phases.turns.point_to_next standing.played.takes_no_card",
        "four hands, Aces once, in turn",
    ),
    enforced(
        "3.22.3", "settlement.settle.settle settlement.settle.main_verdict", "bust bets, then up to the Initial Bet"
    ),
    enforced(
        "3.23",
        "phases.decisions.verify_double phases.decisions.do_double phases.decisions.verify_rescue",
        "one card, no withdrawal",
    ),
    enforced("3.23.1", "phases.decisions.verify_free_double rules.strategies.hard_9_10_or_11", "hard 9, 10 and 11"),
    enforced(
        "3.23.2",
        "phases.decisions.verify_double phases.decisions.verify_free_double",
        "others follow or not, one card for all",
    ),
    enforced("3.23.3", "settlement.settle.main_verdict", "all chips when bust, the Initial Bet to a Blackjack"),
    enforced(
        "3.24",
        "phases.dealer.must_draw rules.strategies.draws_to_16_and_soft_17 phases.closing.verify_settle",
        "draws to 16 and soft 17",
    ),
    enforced("3.24.1", "settlement.settle.main_verdict", "the Dealer above 22"),
    enforced("3.24.2", "settlement.settle.main_verdict", "higher wins"),
    enforced("3.24.3", "settlement.settle.main_verdict", "lower loses, unless the Dealer has 22"),
    enforced("3.24.4", "settlement.settle.main_verdict", "equal stands off"),
    enforced("3.24.5", "settlement.settle.main_verdict", "22 stands off, but not with a Blackjack"),
    enforced("3.25", "phases.betting.verify_place_bets phases.closing.do_settle", "no next round before"),
    enforced("3.26", "rules.side_wagers.boom_busted", "by number of cards"),
    enforced("3.26.1", "phases.dealer.need", "the Dealer draws for it alone"),
    enforced("3.26.2", "rules.side_wagers.boom_busted settlement.settle.settle", "lost without a bust"),
    enforced("3.26.3", "settlement.settle.settle", "apart from the hand"),
    enforced("3.27", "rules.side_wagers.lucky_stash rules.side_wagers.marker_slot", "markers used, on bust hands too"),
    # 4. Settlement
    outside("4.1", "heads the tables below it"),
    enforced("4.1.1", "settlement.settle.main_verdict settlement.settle.settle", "3 to 2, evens, 2 to 1"),
    enforced(
        "4.1.2",
        "rules.games.rws_free_bet_2025.RULES.side_wagers rules.side_wagers.rws_pairs",
        "The pay table: 50, 20, 12 and 6 to 1.",
    ),
    enforced(
        "4.1.3",
        "rules.games.rws_free_bet_2025.RULES.side_wagers rules.side_wagers.boom_busted",
        "The pay table: 200, 50, 12, 4 and 2 to 1.",
    ),
    enforced(
        "4.1.4",
        "rules.games.rws_free_bet_2025.RULES.side_wagers rules.side_wagers.lucky_stash",
        "The pay table: from 1,000 down to 2 to 1.",
    ),
    # 5. Irregularities
    enforced(
        "5.1",
        "phases.betting.wager_removed phases.limits.check",
        "chips taken back while bets are open count for nothing",
    ),
    enforced(
        "5.1.1",
        "phases.limits.check irregularities.player_options.pro_rata irregularities.player_options.shares "
        "settlement.settle.settle",
        "shares of the maximum to the cent, none below the minimum",
    ),
    enforced("5.1.2", "irregularities.player_options.shares", "a bet below the minimum is not cut"),
    enforced(
        "5.1.3", "phases.limits.check irregularities.player_options.return_excess", "the chips that came last go back"
    ),
    enforced(
        "5.2", "phases.betting.wager_placed phases.betting.wager_removed", "raised or withdrawn while bets are open"
    ),
    detected("5.2.1", "phases.limits.check", "found when bets close; it wins or loses as it lies"),
    enforced(
        "5.3",
        "irregularities.player_options.house_draws standing.played.complete rules.strategies.to_12",
        "told by a person; the House draws to twelve",
    ),
    outside("5.4", "heads the clauses below it"),
    enforced(
        "5.4.1",
        "standing.decided.outcome_established phases.cards.shoe.power_on",
        "some bet has won or lost: play goes on",
    ),
    enforced("5.4.2", "phases.cards.shoe.power_on phases.ending.void", "no bet has: void"),
    outside("5.5", "heads the clauses below it"),
    enforced(
        "5.5.1",
        "model.cardset.CardSet.draw phases.cards.shoe.count_drawn_card phases.ending.void",
        "The card that proves it makes the round void.",
    ),
    enforced(
        "5.5.2",
        "model.cardset.CardSet.draw phases.cards.shoe.shoe_counted phases.cards.shoe.discard_counted "
        "phases.betting.verify_place_bets",
        "It is found by card and by count; no round begins meanwhile.",
    ),
    enforced("5.5.3", "phases.cards.shoe.shoe_empty phases.ending.void", "a card asked of an empty shoe"),
    enforced(
        "5.5.4",
        "phases.cards.shoe.loaded phases.cards.shoe.count_drawn_card phases.cards.shoe.watch_order "
        "irregularities.procedures.unread.pit_shuffled_answered",
        "The load, the order of the cards or a report shows it; rounds are void until the cards are shuffled.",
    ),
    recorded(
        "5.6",
        "rules.rws.FREE_BET irregularities.door.do_call",
        "a report about an earlier round changes nothing",
    ),
    asked(
        "5.7",
        "irregularities.matter.ask_all irregularities.player_options.all_answered",
        "every Player with a bet in play is asked",
    ),
    enforced(
        "5.7.1",
        "irregularities.procedures.reconstruct.leave irregularities.procedures.reconstruct.leave_as_laid",
        "the cards count where they lie",
    ),
    enforced(
        "5.7.2",
        "irregularities.procedures.reconstruct.reconstructed irregularities.procedures.reconstruct.reconstruct_options",
        "play waits for the cards and for the answers",
    ),
    enforced(
        "5.7.3",
        "irregularities.wager_effects.withdraw phases.ending.conclude phases.resume.skip_invalidated",
        "returned, and the hand out of play",
    ),
    enforced(
        "5.8",
        "phases.betting.wager_placed phases.betting.wager_removed irregularities.player_options.refuse_late",
        "refused, and the bet that lay there counts",
    ),
    enforced(
        "5.9",
        "phases.cards.deal.deal phases.cards.detectors.in_initial_deal cards.order.belongs",
        "found at the first card; the House may say it cannot be done",
    ),
    outside("5.10", "heads the clauses below it"),
    enforced(
        "5.10.1",
        "standing.stage.stage_of irregularities.procedures.reconstruct.options",
        "after interim, collect or pay nothing is put back",
    ),
    enforced(
        "5.10.2",
        "rules.strategies.hard_17_or_soft_18_or_more irregularities.procedures.discard.discarded",
        "the card goes, the total before it stands",
    ),
    enforced(
        "5.10.3",
        "irregularities.procedures.discard.discard_box_options irregularities.procedures.discard.discarded",
        "discarded after a settlement, put back before",
    ),
    enforced("5.11", "phases.cards.shoe.count_drawn_card phases.cards.deal.deal", "dealt as any card, and noted"),
    asked(
        "5.12",
        "phases.cards.shoe.cards_pulled irregularities.procedures.pulled_options.select_options "
        "irregularities.procedures.pulled_options.first_selected",
        "the Player at whose hand it happened chooses",
    ),
    enforced(
        "5.12.1",
        "irregularities.procedures.pulled_options.discard_options",
        "none of them counts; the Dealer draws another",
    ),
    asked(
        "5.12.2",
        "irregularities.matter.ask_all irregularities.procedures.pulled_options.options_answered",
        "the options after the choice",
    ),
    outside("5.13", "heads the clauses below it"),
    asked(
        "5.13.1",
        "irregularities.procedures.unread.pit_value irregularities.procedures.unread.pit_value_answered",
        "the pit names the card",
    ),
    enforced("5.13.2", "irregularities.procedures.unread.pit_value_answered phases.ending.void", "nobody can: void"),
    recorded(
        "5.14",
        "rules.rws.FREE_BET irregularities.door.do_call",
        "a dealing error of an earlier round is noted",
    ),
    enforced(
        "5.15",
        "phases.betting.close_bets phases.betting.wager_placed phases.betting.wager_removed",
        "what lay there when bets closed",
    ),
    enforced("5.16", "phases.limits.check irregularities.player_options.return_wager", "returned when bets close"),
    detected(
        "5.17",
        "phases.closing.further_card irregularities.door.do_call settlement.settle.settle",
        "found at the first further card, or told; the bet is settled by the first two cards",
    ),
    enforced(
        "5.18",
        "phases.ending.void settlement.settle.open_rows",
        "every kind of bet, doubled, split and insured ones too",
    ),
    outside("5.19", "who lays the chips for a Player is between them and the pit"),
    asked(
        "5.20",
        "irregularities.procedures.registry.refer irregularities.approvals.verify_approve",
        "held until the shift manager lets it go on or voids it",
    ),
)
