"""Sections 5 and 6 of the four MBS documents, clause by clause.

1. The four documents say the same here, with three differences: the totals at which the Dealer's hand is complete, how
   far the House draws for an absent Player, and one clause that only Free Bet has (5.26, late Insurance). There, limits
   and power failure stand one number later. `Differences` holds what differs; nothing else is written four times.
2. `gamecore.rules.clauses.trace` says what the standings mean, `gamecore.rules.mbs` holds the rulings by these numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamecore.rules.clauses.trace import Trace, asked, detected, enforced, recorded


@dataclass(frozen=True, slots=True)
class Differences:
    """What differs between the four documents in sections 5 and 6."""

    matrix: str  # the rulings matrix of the game, by its name in `rules.mbs`
    complete: str  # the totals of the Dealer that take no further card
    absent: str  # how far the house draws for a Player who is not there
    late_insurance: bool  # whether 5.26 is about Insurance that was not offered


def irregularities(differs: Differences) -> tuple[Trace, ...]:
    """The rows of sections 5 and 6 of one document."""
    matrix = f"rules.mbs.{differs.matrix}"
    return (
        *_cards(matrix),
        *_dealing(differs),
        *_hands_and_shoe(differs, matrix),
        *_pulls(),
        *_wagers_and_power(differs, matrix),
        asked(
            "6.1",
            "irregularities.procedures.registry.refer",
            "The round is held until the shift manager says what follows.",
        ),
        enforced("6.2", "irregularities.door.verify_answer", "The house may answer for the pit."),
    )


def _cards(matrix: str) -> tuple[Trace, ...]:
    return (
        detected(
            "5.1",
            "model.cardset.CardSet.draw phases.cards.shoe.watch_order",
            "Every card, count and load is compared with the set; a strange order is put to the pit.",
        ),
        enforced(
            "5.1.1",
            f"phases.ending.void {matrix}",
            "The card that proves it makes the round void, and every wager goes back.",
        ),
        enforced(
            "5.1.2",
            f"irregularities.door.do_call {matrix}",
            "What is found later, or between rounds, changes no earlier round.",
        ),
        enforced(
            "5.2",
            "irregularities.procedures.reconstruct.cannot_reconstruct",
            "The round is void before any interim settlement or further card; later the shift manager decides.",
        ),
        enforced(
            "5.3",
            "phases.betting.wager_placed irregularities.player_options.refuse_late",
            "Late chips are refused, and that is a row of its own.",
        ),
        enforced(
            "5.4",
            "phases.betting.wager_removed settlement.settle.settle",
            "Chips that are taken away win or lose all the same.",
        ),
        recorded(
            "5.5",
            "phases.cards.shoe.count_drawn_card",
            "The card is played as any other and noted; the first card of a round is for the shift manager.",
        ),
    )


def _dealing(differs: Differences) -> tuple[Trace, ...]:
    return (
        detected(
            "5.6",
            "phases.cards.detectors.in_initial_deal phases.cards.detectors.in_players_turn",
            "It is found at the first card that proves it, or told.",
        ),
        enforced(
            "5.6.1",
            "irregularities.procedures.reconstruct.put_back cards.difference.shortest_moves",
            "The initial deal is laid in the order in which the cards came out.",
        ),
        enforced(
            "5.6.2",
            "irregularities.procedures.reconstruct.put_back",
            "The card goes where it was due, and later cards are the next ones.",
        ),
        enforced(
            "5.7",
            "phases.cards.detectors.nobody_due irregularities.procedures.discard.discard",
            f"On {differs.complete} and more the card is discarded.",
        ),
        asked(
            "5.8",
            "irregularities.procedures.next_card.next_card",
            "The card is offered as the next one to the Player whose hand is to be acted upon.",
        ),
        enforced(
            "5.9",
            "irregularities.procedures.next_card.next_card_answered",
            "A Player who refuses it gets no further card.",
        ),
        enforced(
            "5.10",
            "irregularities.procedures.next_card.next_card_answered",
            "A card that all refuse is the Dealer's next card.",
        ),
        enforced(
            "5.11",
            "phases.cards.detectors.in_initial_deal irregularities.procedures.reconstruct.put_back",
            "Noticed in time, all cards move up.",
        ),
        enforced(
            "5.12",
            "irregularities.player_options.dealer_draws",
            "Noticed late, the Dealer draws a card now.",
        ),
        enforced(
            "5.12.1",
            "phases.decisions.verify_hit phases.turns.after_card",
            "The acting hand may be finished first; no other hand is played before the Dealer's card.",
        ),
        enforced(
            "5.12.2",
            "phases.resume.dealer_received",
            "The offers that the late card calls for are made.",
        ),
        enforced(
            "5.13",
            "irregularities.procedures.reconstruct.put_back phases.cards.taken_cards.code_of "
            "irregularities.procedures.reconstruct.reconstructed",
            "With fewer than two cards, noticed in time, the deal is laid again, or the card that was taken goes back.",
        ),
        enforced(
            "5.14",
            "irregularities.player_options.return_box",
            "Without cards, noticed late, every wager on the area goes back.",
        ),
        enforced(
            "5.15",
            "irregularities.procedures.discard.discard_box",
            "The cards of an area without a wager are discarded, and play goes on.",
        ),
        asked("5.16", "irregularities.player_options.short_option", "Each Player of the area is asked."),
        enforced(
            "5.16.1",
            "irregularities.player_options.short_answered phases.turns.point_to_next",
            "The Player acts in turn and gets the missing card first.",
        ),
        enforced(
            "5.16.2",
            "irregularities.player_options.short_answered irregularities.player_options.short_answered",
            "The wager goes back and the card is discarded.",
        ),
    )


def _hands_and_shoe(differs: Differences, matrix: str) -> tuple[Trace, ...]:
    return (
        asked(
            "5.17",
            "irregularities.procedures.next_card.skipped irregularities.procedures.next_card.take_back",
            "The Dealer is asked; the cards are the next cards again.",
        ),
        enforced(
            "5.18",
            "irregularities.door.do_call phases.cards.told_places.count_where_told",
            "Noticed two hands further on, the hand stands as it is.",
        ),
        enforced(
            "5.19",
            "phases.cards.shoe.shoe_empty phases.cards.shoe.loaded",
            "The round is held until the discards are riffled and loaded; with a machine the shift manager decides.",
        ),
        detected(
            "5.19.1",
            "phases.cards.shoe.first_card",
            "A shuffle is due after the round; without it the next round's first card is found.",
        ),
        detected(
            "5.20",
            "phases.cards.shoe.first_card",
            "The first card of the later round is found and played; with a machine the shift manager decides.",
        ),
        detected(
            "5.21",
            "phases.cards.detectors.in_initial_deal",
            "The first card of a fresh shoe that is not burned is found.",
        ),
        enforced(
            "5.21.1",
            "irregularities.procedures.reconstruct.put_back",
            "Noticed in time, every card moves back one place.",
        ),
        enforced("5.21.2", f"irregularities.door.do_call {matrix}", "Noticed late, the card stays in play."),
        enforced(
            "5.22",
            "irregularities.player_options.house_draws standing.played.complete",
            differs.absent,
        ),
        enforced(
            "5.22.1",
            "irregularities.player_options.pass_control standing.control.controller",
            "The nearest of the other Players on the area decides.",
        ),
    )


def _pulls() -> tuple[Trace, ...]:
    return (
        detected(
            "5.23",
            "phases.cards.shoe.cards_pulled",
            "Several cards leave in one pull; where their order is known, it is a case of 5.8.",
        ),
        asked("5.23.1", "irregularities.procedures.pulled.select", "Where none was seen the Player selects."),
        enforced("5.23.1.1", "irregularities.procedures.pulled.selected", "The rest are the next cards."),
        enforced("5.23.2", "irregularities.procedures.pulled.disclosed", "Where one was seen it is the next card."),
        enforced("5.23.2.1", "irregularities.procedures.pulled.laid", "The rest follow it."),
        asked(
            "5.23.3", "irregularities.procedures.pulled.choose", "Where more were seen the Player takes what they wish."
        ),
        asked(
            "5.23.3.1",
            "irregularities.procedures.pulled.chosen",
            "The rest is offered to the next Player, and burned if they decline.",
        ),
        detected("5.23.4", "phases.cards.shoe.cards_pulled", "Where the next card was due says whose cards they are."),
        asked("5.23.4.1", "irregularities.procedures.pulled.pit_selects", "Where none was seen the pit selects."),
        enforced(
            "5.23.4.2",
            "irregularities.procedures.pulled.pit_selected",
            "The other is the next card, of the next round if need be.",
        ),
        enforced("5.23.4.3", "irregularities.procedures.pulled.disclosed", "Where one was seen it is the Dealer's."),
        enforced("5.23.4.4", "phases.cards.felt.card_laid", "The other is the next card, wherever that is due."),
        asked(
            "5.23.4.5",
            "irregularities.procedures.pulled.pit_worst irregularities.procedures.choices.most_detrimental",
            "Where both were seen the pit selects, never the one plainly better for the Dealer.",
        ),
        enforced("5.23.4.6", "irregularities.procedures.pulled.pit_selected", "The other is out of play."),
        enforced(
            "5.24",
            "irregularities.procedures.next_card.next_card_answered irregularities.procedures.pulled.chosen",
            "A Player who refuses a card stands.",
        ),
        asked(
            "5.25",
            "irregularities.matter.give_right irregularities.wager_effects.withdraw",
            "Players may withdraw until the next card; what was lost stays lost.",
        ),
    )


def _wagers_and_power(differs: Differences, matrix: str) -> tuple[Trace, ...]:
    under = 27 if differs.late_insurance else 26
    power = f"5.{under + 3}"
    late = asked(
        "5.26",
        "phases.offers.leave irregularities.player_options.late_insurance irregularities.approvals.do_approve",
        "It is found when the deal goes on; a Pit Supervisor approves until the Dealer's second card.",
    )
    return (
        *((late,) if differs.late_insurance else ()),
        enforced(
            f"5.{under}",
            "phases.limits.check irregularities.player_options.pay_once irregularities.player_options.return_wager",
            "The first is paid or collected once for a Player; later ones go back whatever the hand makes.",
        ),
        enforced(
            f"5.{under + 1}",
            "irregularities.player_options.to_limit settlement.settle.settle",
            "Each wager by itself wins and loses up to the maximum.",
        ),
        enforced(
            f"5.{under + 2}",
            f"irregularities.door.do_call {matrix}",
            "What earlier rounds paid or collected stays settled.",
        ),
        detected(
            power,
            "phases.cards.shoe.power_on phases.cards.shoe.restarted",
            "A loss of power in mid-round is found; a restart of the software is none.",
        ),
        asked(
            f"{power}.1",
            "irregularities.player_options.withdraw_option irregularities.wager_effects.withdraw_everywhere",
            "While nothing is decided each Player may withdraw, and then all that they have.",
        ),
        enforced(
            f"{power}.2",
            "standing.decided.outcome_established",
            "Once something is decided the round is played to its end.",
        ),
    )
