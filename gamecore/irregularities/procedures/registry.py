"""Rulings carried out: how each procedure begins, what an answer does, how it ends.

1. A procedure is five functions. `begin` is called when the finding is made, `answer` when somebody who was asked has
   answered. `done` is called when the house says that the cards lie as the ruling wants, `cannot` when it says that
   they cannot be put back, and `returns` when it is approved that wagers go back.
2. A procedure that needs nobody begins and is over. One that needs somebody holds the round, and lets go itself.
3. `PROCEDURES` names them all; the matrix refers to them by these names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamecore.irregularities import player_options, wager_effects
from gamecore.irregularities.confirming import confirmed
from gamecore.irregularities.matter import ask, go_on, hold
from gamecore.irregularities.procedures import (
    choices,
    discard,
    next_card,
    pull_steps,
    pulled,
    pulled_options,
    reconstruct,
    rights,
    unread,
)
from gamecore.model.events.events import Loaded
from gamecore.model.events.facts import cards_of
from gamecore.model.matters import Matter
from gamecore.model.state import TableState
from gamecore.model.steps import Effect, Procedure
from gamecore.phases.cards import shoe

Begin = Callable[[TableState, Matter], None]
Answered = Callable[[TableState, Matter, str, tuple[str, ...]], None]


def nothing(_t: TableState, _matter: Matter) -> None:
    """Do nothing."""


def no_answer(_t: TableState, _matter: Matter, _who: str, _what: tuple[str, ...]) -> None:
    """Do nothing: nobody was asked."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a procedure begins, what an answer does, how it ends."""

    begin: Begin = nothing
    answer: Answered = no_answer
    done: Begin | None = None
    cannot: Begin | None = None
    returns: Begin | None = None


# --- void and refer ------------------------------------------------------------------------------------------------


def void(t: TableState, matter: Matter) -> None:
    """Void the round."""
    wager_effects.void(t, matter, matter.finding.clause)


def void_next(t: TableState, matter: Matter) -> None:
    """Note that unshuffled cards were loaded: a round that uses them is void (MBS 5.1.1, RWS 5.5.4)."""
    if confirmed(t, matter, Effect.VOID):
        t.shoe.unshuffled = matter.finding.clause


def hold_next(t: TableState, matter: Matter) -> None:
    """Let no round begin until the set of cards, found not to be whole, is loaded whole or the house approves."""
    t.shoe.set_in_doubt = matter.finding.clause


def refer(t: TableState, matter: Matter) -> None:
    """Ask the shift manager to decide (MBS 6.1, RWS 5.20); between rounds only record it."""
    if not t.round_is_on:
        return
    hold(t, matter)
    ask(t, matter, "house", ("continue", "void"), matter.finding.clause)
    choices.offer_anew(t)
    pull_steps.end_without_cards(t)


def referred(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """Carry out what the shift manager decided."""
    if what == ("void",):
        wager_effects.void(t, matter, matter.finding.clause, word=True)
        return
    if cards_of(matter.fact):  # what was referred are these cards
        reconstruct.leave_as_laid(t)
    matter.asks.clear()
    go_on(t, matter)


# --- insufficient cards --------------------------------------------------------------------------------------------


def riffle(t: TableState, matter: Matter) -> None:
    """Wait for one riffle of the discards and a load (MBS 5.19)."""
    hold(t, matter)


def loaded(t: TableState, event: Loaded) -> None:
    """Count a load, and go on with what waited for it."""
    waits = [matter for matter in t.hold.matters if matter.procedure is Procedure.RIFFLE]
    t.hold.beside = [matter for matter in t.hold.beside if matter.procedure is not Procedure.VOID_NEXT]
    shoe.loaded(t, event)
    for matter in waits:
        go_on(t, matter)


PROCEDURES: dict[Procedure, Conduct] = {
    Procedure.RECORD: Conduct(),
    Procedure.KEEP: Conduct(next_card.leave_on_dealer),
    Procedure.VOID: Conduct(void),
    Procedure.VOID_NEXT: Conduct(void_next),
    Procedure.HOLD_NEXT: Conduct(hold_next),
    Procedure.REFER: Conduct(refer, referred),
    Procedure.RECONSTRUCT: Conduct(
        reconstruct.reconstruct, done=reconstruct.reconstructed, cannot=reconstruct.cannot_reconstruct
    ),
    Procedure.RECONSTRUCT_OPTIONS: Conduct(
        reconstruct.reconstruct_options, player_options.all_answered, reconstruct.reconstructed, reconstruct.leave
    ),
    Procedure.PUT_BACK: Conduct(done=next_card.put_back),
    Procedure.OPTIONS: Conduct(reconstruct.options, player_options.all_answered),
    Procedure.NEXT_CARD: Conduct(next_card.next_card, next_card.next_card_answered, next_card.done_if_answered),
    Procedure.SKIPPED: Conduct(next_card.skipped, next_card.answered, next_card.skipped_done),
    Procedure.SKIPPED_OPTIONS: Conduct(
        next_card.skipped, next_card.answered, next_card.skipped_laid_back, reconstruct.leave
    ),
    Procedure.SKIPPED_STAYS: Conduct(next_card.skipped, next_card.answered),
    Procedure.DISCARD_OVERDRAW: Conduct(discard.discard, done=discard.discarded),
    Procedure.DISCARD_OVERDRAW_OPTIONS: Conduct(discard.discard_options, done=discard.discarded),
    Procedure.DISCARD_BOX: Conduct(discard.discard_box, done=discard.discarded),
    Procedure.DISCARD_BOX_OPTIONS: Conduct(discard.discard_box_options, player_options.all_answered, discard.discarded),
    Procedure.PIT_VALUE: Conduct(unread.pit_value, unread.pit_value_answered),
    Procedure.PIT_SHUFFLED: Conduct(unread.pit_shuffled, unread.pit_shuffled_answered),
    Procedure.RIFFLE: Conduct(riffle),
    Procedure.SHUFFLE_AFTER: Conduct(),
    Procedure.DEALER_DRAWS: Conduct(player_options.dealer_draws),
    Procedure.RETURN_BOX: Conduct(player_options.return_box, returns=player_options.return_box),
    Procedure.SHORT_OPTION: Conduct(
        player_options.short_option, player_options.short_answered, returns=player_options.short_box_goes_on
    ),
    Procedure.WITHDRAW_OPTION: Conduct(player_options.withdraw_option, player_options.all_answered),
    Procedure.WITHDRAWALS: Conduct(answer=rights.withdrawn),
    Procedure.HOUSE_DRAWS: Conduct(player_options.house_draws),
    Procedure.CONTROL_PASSES: Conduct(player_options.pass_control),
    Procedure.LATE_INSURANCE: Conduct(player_options.late_insurance),
    Procedure.REFUSE: Conduct(player_options.refuse_late),
    Procedure.PAY_ONCE: Conduct(player_options.pay_once),
    Procedure.RETURN_UNDER: Conduct(player_options.return_wager, returns=player_options.return_wager),
    Procedure.RETURN_SIDE: Conduct(player_options.return_wager, returns=player_options.return_wager),
    Procedure.TO_LIMIT: Conduct(player_options.to_limit),
    Procedure.PRO_RATA: Conduct(player_options.pro_rata),
    Procedure.RETURN_EXCESS: Conduct(player_options.return_excess, returns=player_options.return_excess),
    Procedure.SELECT_UNDISCLOSED: Conduct(pulled.select, pull_steps.answered, pulled.laid),
    Procedure.DISCLOSED_NEXT: Conduct(pulled.disclosed, pull_steps.answered, pulled.laid),
    Procedure.CHOOSE_DISCLOSED: Conduct(pulled.choose, pull_steps.answered, pulled.laid),
    Procedure.PIT_SELECTS: Conduct(pulled.pit_selects, pull_steps.answered, pulled.laid),
    Procedure.PIT_WORST: Conduct(pulled.pit_worst, pull_steps.answered, pulled.laid),
    Procedure.SELECT_OPTIONS: Conduct(pulled_options.select_options, pull_steps.answered, pulled.laid),
    Procedure.DISCARD_PULLED: Conduct(pulled_options.discard_options, pull_steps.answered, pulled.laid),
}
