"""A Player withdraws by right (MBS 5.25, RWS 5.7.3): the wagers go back, and what was meant for the hand passes on."""

from __future__ import annotations

from gamecore.irregularities import player_options, wager_effects
from gamecore.irregularities.matter import WITHDRAW, go_on
from gamecore.irregularities.procedures import next_card, pull_steps
from gamecore.model.matters import Matter
from gamecore.model.state import TableState


def withdraw(t: TableState, name: str) -> None:
    """Withdraw one Player: perhaps nothing is left in play, or the turn passes."""
    player_options.take_answer(t, None, name, (WITHDRAW,), t.rules.withdrawal.clause)
    player_options.after_withdrawal(t)
    pass_on(t)


def withdrawn(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """Carry out one answer to the right, an approved withdrawal or to continue; after the last one play goes on."""
    player_options.take_answer(t, matter, name, what, t.rules.withdrawal.clause)
    matter.asks = [question for question in matter.asks if question.who != name]
    if matter.asks or wager_effects.conclude_if_nothing_stands(t):
        return
    go_on(t, matter)
    pass_on(t)


def pass_on(t: TableState) -> None:
    """Offer cards that wait for a Player who has left or gone away to somebody else."""
    for matter in list(t.hold.matters):
        pull_steps.hand_left(t, matter)
        next_card.player_left(t, matter)
