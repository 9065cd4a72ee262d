"""Rulings carried out: how each procedure begins, what an answer does, how it ends.

1. A procedure is four functions: `begin` when the finding is made, `answer` when one who was asked has answered,
   `done` when the house says that the cards lie as the ruling wants, `cannot` when it says that they cannot be put
   back.
2. A procedure that needs nobody begins and is over. One that does holds the round, and lets go itself.
3. `PROCEDURES` names them all; the matrix refers to them by these names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamecore.irregularities import player_options
from gamecore.irregularities.matter import ask, go_on, hold
from gamecore.irregularities.procedures import discard, next_card, pulled, reconstruct, unread
from gamecore.model.events import Loaded
from gamecore.model.matters import Matter
from gamecore.model.state import TableState
from gamecore.phases import ending, shoe

Begin = Callable[[TableState, Matter], None]
Answered = Callable[[TableState, Matter, str, tuple[str, ...]], None]


def nothing(_t: TableState, _matter: Matter) -> None:
    """Nothing is to be done."""


def no_answer(_t: TableState, _matter: Matter, _who: str, _what: tuple[str, ...]) -> None:
    """Nobody was asked."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """How a ruling is carried out."""

    begin: Begin = nothing
    answer: Answered = no_answer
    done: Begin | None = None
    cannot: Begin | None = None


# --- void and refer ------------------------------------------------------------------------------------------------


def void(t: TableState, matter: Matter) -> None:
    """The round is void at once; cards that were not shuffled stay so until a load."""
    if matter.finding.code == "unshuffled-cards":
        t.shoe.unshuffled = matter.finding.clause
    ending.void(t, matter.finding.clause)


def void_next(t: TableState, matter: Matter) -> None:
    """Unshuffled cards were loaded: the round that uses them will be void (MBS 5.1.1, RWS 5.5.4)."""
    t.shoe.unshuffled = matter.finding.clause


def hold_next(t: TableState, matter: Matter) -> None:
    """Cards are missing or too many, and no round is on: none begins until the set is whole or the house says so."""
    t.shoe.set_in_doubt = matter.finding.clause


def refer(t: TableState, matter: Matter) -> None:
    """The shift manager decides (MBS 6.1, RWS 5.20)."""
    if not t.round_is_on:
        return
    hold(t, matter)
    ask(t, matter, "house", ("continue", "void"), matter.finding.clause)


def referred(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """What the shift manager decided."""
    if what == ("void",):
        ending.void(t, matter.finding.clause)
        return
    reconstruct.leave_as_laid(t)
    matter.asks.clear()
    go_on(t, matter)


# --- insufficient cards --------------------------------------------------------------------------------------------


def riffle(t: TableState, matter: Matter) -> None:
    """Wait for one riffle of the discards and a load (MBS 5.19)."""
    hold(t, matter)


def loaded(t: TableState, event: Loaded) -> None:
    """Cards were loaded: what waited for them goes on."""
    waits = [matter for matter in t.hold.matters if matter.procedure == "riffle"]
    shoe.loaded(t, event)
    for matter in waits:
        go_on(t, matter)


PROCEDURES: dict[str, Procedure] = {
    "record": Procedure(),
    "keep": Procedure(next_card.keep),
    "void": Procedure(void),
    "void-next": Procedure(void_next),
    "hold-next": Procedure(hold_next),
    "refer": Procedure(refer, referred),
    "reconstruct": Procedure(
        reconstruct.reconstruct, referred, reconstruct.reconstructed, reconstruct.cannot_reconstruct
    ),
    "reconstruct-options": Procedure(
        reconstruct.reconstruct_options, player_options.all_answered, reconstruct.reconstructed, reconstruct.leave
    ),
    "options": Procedure(reconstruct.options, player_options.all_answered),
    "next-card": Procedure(next_card.next_card, next_card.next_card_answered, next_card.done_if_answered),
    "skipped": Procedure(next_card.skipped, next_card.skipped_answered, next_card.skipped_done),
    "skipped-options": Procedure(
        next_card.skipped, next_card.skipped_options_answered, next_card.skipped_laid_back, reconstruct.leave
    ),
    "skipped-stays": Procedure(next_card.skipped, next_card.skipped_options_answered),
    "discard-overdraw": Procedure(discard.discard, done=discard.discarded),
    "discard-overdraw-options": Procedure(discard.discard_options, done=discard.discarded),
    "discard-box": Procedure(discard.discard_box, done=discard.discarded),
    "discard-box-options": Procedure(discard.discard_box_options, player_options.all_answered, discard.discarded),
    "pit-value": Procedure(unread.pit_value, unread.pit_value_answered),
    "pit-shuffled": Procedure(unread.pit_shuffled, unread.pit_shuffled_answered),
    "riffle": Procedure(riffle),
    "shuffle-after": Procedure(),
    "dealer-draws": Procedure(player_options.dealer_draws),
    "return-box": Procedure(player_options.return_box),
    "short-option": Procedure(player_options.short_option, player_options.short_answered),
    "withdraw-option": Procedure(player_options.withdraw_option, player_options.all_answered),
    "house-draws": Procedure(player_options.house_draws),
    "pass-control": Procedure(player_options.pass_control),
    "late-insurance": Procedure(player_options.late_insurance),
    "refuse": Procedure(player_options.refuse_late),
    "pay-once": Procedure(player_options.pay_once),
    "return-under": Procedure(player_options.return_wager),
    "return-side": Procedure(player_options.return_wager),
    "to-limit": Procedure(player_options.to_limit),
    "pro-rata": Procedure(player_options.pro_rata),
    "return-excess": Procedure(player_options.return_excess),
    "select-undisclosed": Procedure(pulled.select, pulled.selected, pulled.laid),
    "disclosed-next": Procedure(pulled.disclosed, pulled.disclosed_answered, pulled.laid),
    "choose-disclosed": Procedure(pulled.choose, pulled.chosen, pulled.laid),
    "pit-selects": Procedure(pulled.pit_selects, pulled.pit_selected, pulled.laid),
    "pit-worst": Procedure(pulled.pit_worst, pulled.pit_selected, pulled.laid),
    "select-options": Procedure(pulled.select_options, pulled.select_options_answered, pulled.laid),
    "discard-pulled": Procedure(pulled.discard_options, player_options.all_answered, pulled.laid),
}
