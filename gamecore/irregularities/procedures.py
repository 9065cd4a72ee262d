"""Rulings carried out: how each procedure begins, what an answer does, how it ends.

1. A procedure is four functions: `begin` when the finding is made, `answer` when one who was asked has answered, `done`
   when the house says that the cards lie as the ruling wants, `cannot` when it says that they cannot be put back.
2. A procedure that needs nobody begins and is over. One that does holds the round, and lets go itself.
3. `PROCEDURES` names them all; the matrix refers to them by these names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamecore.irregularities import cards_at_issue, order, player_options, pulled, repair, taken
from gamecore.irregularities import wagers as touch
from gamecore.irregularities.matter import ask, ask_all, hold
from gamecore.model.state import Matter, TableState

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
        t.unshuffled = matter.finding.clause
    touch.void(t, matter.finding.clause)


def void_next(t: TableState, matter: Matter) -> None:
    """Unshuffled cards were loaded: the round that uses them will be void (MBS 5.1.1, RWS 5.5.4)."""
    t.unshuffled = matter.finding.clause


def hold_next(t: TableState, matter: Matter) -> None:
    """Cards are missing or too many, and no round is on: none begins until the set is whole or the house says so."""
    t.set_in_doubt = matter.finding.clause


def refer(t: TableState, matter: Matter) -> None:
    """The shift manager decides (MBS 6.1, RWS 5.20)."""
    if not t.round_is_on:
        return
    hold(t, matter)
    ask(t, matter, "house", ("continue", "void"), matter.finding.clause)


def referred(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """What the shift manager decided."""
    if what == ("void",):
        touch.void(t, matter.finding.clause)
        return
    repair.leave_as_laid(t)
    matter.asks.clear()
    cards_at_issue.go_on(t, matter)


# --- reconstruction ------------------------------------------------------------------------------------------------


def reconstruct(t: TableState, matter: Matter) -> None:
    """Hold the round and show the moves (MBS 5.6, 5.11, 5.13, 5.21.1; RWS 5.9)."""
    hold(t, matter)
    if matter.fact.kind != taken.TAKEN:
        repair.set_apart(t, later=True)
    matter.finding.moves = repair.remaining(t, matter)
    if matter.fact.kind != taken.TAKEN:
        matter.finding.obstacle = repair.obstacle(t)


def reconstructed(t: TableState, matter: Matter) -> None:
    """The cards lie as they should: credit them so, and go on."""
    matter.step = "done"
    if matter.fact.kind == taken.TAKEN:
        taken.put_back(t)
    else:
        repair.lay_pulled(t, matter)
        repair.put_back(t)
    if not matter.asks:
        cards_at_issue.go_on(t, matter)


def cannot_reconstruct(t: TableState, matter: Matter) -> None:
    """Early the round is void (MBS 5.2); late no clause says what then, so the shift manager does (6.1)."""
    if order.early(t) and not t.round.interim:
        matter.finding.clause, matter.finding.ruling = "5.2", "void"
        touch.void(t, "5.2")
        return
    matter.step = "cannot"
    matter.finding.clause, matter.finding.ruling = t.rules.clauses.general, "refer"
    ask(t, matter, "house", ("continue", "void"), t.rules.clauses.general)


def cannot_answered(t: TableState, matter: Matter, who: str, what: tuple[str, ...]) -> None:
    """After a reconstruction that is not possible, the shift manager's word."""
    referred(t, matter, who, what)


def reconstruct_options(t: TableState, matter: Matter) -> None:
    """RWS: reconstruct, and every Player may have the Bet back (5.7, 5.9)."""
    reconstruct(t, matter)
    ask_all(t, matter, "5.7")


def options(t: TableState, matter: Matter) -> None:
    """RWS: after a settlement the cards stay as they lie, and every Player may have the Bet back (5.7.1, 5.10.1)."""
    hold(t, matter)
    if matter.fact.kind == taken.TAKEN:
        taken.as_it_lies(t, matter)
    else:
        repair.set_apart(t, later=False)
    ask_all(t, matter, "5.7")
    options_cannot(t, matter)


def options_cannot(t: TableState, matter: Matter) -> None:
    """RWS: the cards stay as they lie, and count so when every Player has chosen (5.7.1)."""
    matter.step = "leave"
    if matter.fact.kind == taken.TAKEN:
        taken.as_it_lies(t, matter)
    if not matter.asks:
        repair.leave_as_laid(t)
        cards_at_issue.go_on(t, matter)


def skipped_options_answered(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """RWS: first whether the hand was skipped at all; then every Player's option, the cards laid back or left."""
    if matter.step:
        player_options.all_answered(t, matter, name, what)
        return
    cards_at_issue.skipped_answered(t, matter, name, what)
    if what == ("skipped",):
        ask_all(t, matter, "5.7")
        if matter.procedure == "skipped-stays":
            cards_at_issue.reopen(t, matter)
            options_cannot(t, matter)


def skipped_laid_back(t: TableState, matter: Matter) -> None:
    """RWS: the cards are taken back and are the next cards, whatever the Players still have to say (5.9)."""
    if matter.step == "skipped":
        matter.step = "done"
        cards_at_issue.take_back(t, matter)
        if not matter.asks:
            cards_at_issue.go_on(t, matter)


PROCEDURES: dict[str, Procedure] = {
    "record": Procedure(),
    "keep": Procedure(cards_at_issue.keep),
    "void": Procedure(void),
    "void-next": Procedure(void_next),
    "hold-next": Procedure(hold_next),
    "refer": Procedure(refer, referred),
    "reconstruct": Procedure(reconstruct, cannot_answered, reconstructed, cannot_reconstruct),
    "reconstruct-options": Procedure(reconstruct_options, player_options.all_answered, reconstructed, options_cannot),
    "options": Procedure(options, player_options.all_answered),
    "next-card": Procedure(
        cards_at_issue.next_card, cards_at_issue.next_card_answered, cards_at_issue.done_if_answered
    ),
    "skipped": Procedure(cards_at_issue.skipped, cards_at_issue.skipped_answered, cards_at_issue.skipped_done),
    "skipped-options": Procedure(cards_at_issue.skipped, skipped_options_answered, skipped_laid_back, options_cannot),
    "skipped-stays": Procedure(cards_at_issue.skipped, skipped_options_answered),
    "discard-overdraw": Procedure(cards_at_issue.discard, done=cards_at_issue.discarded),
    "discard-overdraw-options": Procedure(cards_at_issue.discard_options, done=cards_at_issue.discarded),
    "discard-box": Procedure(cards_at_issue.discard_box, done=cards_at_issue.discarded),
    "discard-box-options": Procedure(
        cards_at_issue.discard_box_options, player_options.all_answered, cards_at_issue.discarded
    ),
    "pit-value": Procedure(cards_at_issue.pit_value, cards_at_issue.pit_value_answered),
    "pit-shuffled": Procedure(cards_at_issue.pit_shuffled, cards_at_issue.pit_shuffled_answered),
    "riffle": Procedure(cards_at_issue.riffle),
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
