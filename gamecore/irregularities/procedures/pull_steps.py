"""The steps of a pull: what an answer means, and what follows when somebody has left or cards are gone.

1. A pull is at one step at a time (`gamecore.model.steps.PullStep`). Each procedure begins with its own; a pull that
   waits has not begun.
2. Whatever befalls a pull is looked up here by its step, all steps in each table: what then happens is in `pulled` and
   `pulled_options`.
"""

from __future__ import annotations

from typing import assert_never

from gamecore.irregularities.procedures import pulled, pulled_options
from gamecore.irregularities.procedures.choices import offered
from gamecore.model.events.facts import PulledCards
from gamecore.model.matters import Matter
from gamecore.model.places import asked_place
from gamecore.model.state import TableState
from gamecore.model.steps import PullStep, SkippedStep


def answered(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """Take an answer about a pull, by the step at which it is."""
    match matter.step:
        case PullStep.LAY:
            pulled.disclosed_answered(t, matter, what)
        case PullStep.SELECT:
            pulled.selected(t, matter, what)
        case PullStep.CHOOSE:
            pulled.chosen(t, matter, t.next_place, what)
        case PullStep.OFFERED_ON:
            pulled.chosen(t, matter, asked_place(name), what)
        case PullStep.PIT_SELECTS | PullStep.DISCARD_REST:
            pulled.pit_selected(t, matter, what)
        case PullStep.SELECT_FIRST:
            pulled_options.first_selected(t, matter, what)
        case PullStep.OPTIONS:
            pulled_options.options_answered(t, matter, name, what)
        case PullStep.WAITS | PullStep.WAITS_PAST_OFFERS | SkippedStep() | None:  # nobody is asked about a pull
            pass
        case step:
            assert_never(step)


def hand_left(t: TableState, matter: Matter) -> None:
    """A Player has withdrawn (MBS 5.25): cards that were to be theirs are for the next hand, or nobody's this round.

    Or they have gone away, and the pit selects.
    """
    match matter.step:
        case PullStep.SELECT_FIRST:
            pulled_options.look_who_selects(t, matter)
        case PullStep.OFFERED_ON:
            pulled.look_who_is_offered(t, matter)
        case PullStep.LAY | PullStep.SELECT | PullStep.CHOOSE | PullStep.PIT_SELECTS | PullStep.DISCARD_REST:
            pulled.look_whose_card(t, matter)
        case PullStep.OPTIONS | PullStep.WAITS | PullStep.WAITS_PAST_OFFERS | SkippedStep() | None:
            pass
        case step:
            assert_never(step)


def end_without_cards(t: TableState) -> None:
    """Every card that could be selected is back in the shoe: nobody selects, and what is left of the pull is next."""
    for matter in [m for m in t.hold.matters if isinstance(m.fact, PulledCards)]:
        if offered(t, matter):
            continue
        match matter.step:
            case PullStep.SELECT_FIRST:
                pulled_options.end_selection(t, matter)
            case (
                PullStep.LAY
                | PullStep.SELECT
                | PullStep.CHOOSE
                | PullStep.OFFERED_ON
                | PullStep.PIT_SELECTS
                | PullStep.DISCARD_REST
            ):
                pulled.end_selection(t, matter)
            case PullStep.OPTIONS | PullStep.WAITS | PullStep.WAITS_PAST_OFFERS | SkippedStep() | None:
                pass
            case step:
                assert_never(step)
