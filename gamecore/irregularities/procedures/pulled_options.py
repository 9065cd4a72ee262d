"""Several cards drawn in one pull where every Player has an option (RWS 5.12).

1. The Player at whose hand the card was due selects which comes first, the pit for one who is not there (5.3); then
   all have the options of 5.7 (5.12.2), and the selected card is dealt.
2. On the Dealer's hand all are discarded and another is drawn (5.12.1); the options are the same.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.cards.difference import list_moves
from gamecore.cards.queries import at_issue
from gamecore.irregularities import player_options
from gamecore.irregularities.matter import ask, ask_all, go_on, hold
from gamecore.irregularities.procedures.choices import ORDINALS, pick
from gamecore.irregularities.procedures.pulled import choose_first, leave_rest_next, whose
from gamecore.model.matters import Matter
from gamecore.model.places import Place
from gamecore.model.state import TableState
from gamecore.model.steps import PullStep


def select_options(t: TableState, matter: Matter) -> None:
    """The Player selects which card to receive first (RWS 5.12), then all have the options of 5.7 (5.12.2)."""
    hold(t, matter)
    records = at_issue(t, matter.finding)
    if not records:  # a person says so, and the cards lie somewhere already
        matter.done = True
        _ask_options(t, matter)
        return
    matter.step = PullStep.SELECT_FIRST
    _ask_first(t, matter)


def look_who_selects(t: TableState, matter: Matter) -> None:
    """Ask the pit instead if the Player who was to select has gone away (RWS 5.3)."""
    if matter.asks and matter.asks[0].who != whose(t):
        matter.asks.clear()
        _ask_first(t, matter)


def end_selection(t: TableState, matter: Matter) -> None:
    """Every card that could be selected is back in the shoe: what is left is next, and the options follow (5.12.2)."""
    matter.asks.clear()
    leave_rest_next(t, matter)
    matter.done = True
    _ask_options(t, matter)


def _ask_first(t: TableState, matter: Matter) -> None:
    records = at_issue(t, matter.finding)
    shown = [str(record.card) for record in records if record.shown]
    ask(t, matter, whose(t), (*shown, *ORDINALS[len(shown) : len(records)]), matter.finding.clause)


def first_selected(t: TableState, matter: Matter, what: tuple[str, ...]) -> None:
    """The selected card comes first; before it is dealt, each Player's option."""
    picked = pick(t, matter, what[0])
    if picked is None:
        return
    choose_first(t, matter, picked)
    matter.asks.clear()
    matter.step = PullStep.OPTIONS
    ask_all(t, matter, t.rules.withdrawal.clause)
    if not matter.asks:
        _give_selected(t, matter, t.next_place)


def options_answered(t: TableState, matter: Matter, name: str, what: tuple[str, ...]) -> None:
    """Take one Player's option; after the last one a selected card is dealt."""
    place = t.next_place
    player_options.all_answered(t, matter, name, what)
    _give_selected(t, matter, place)


def _give_selected(t: TableState, matter: Matter, place: Place | None) -> None:
    """Every Player has chosen: the selected card goes where it was due, the others are the next cards."""
    if matter.asks or matter.done or matter not in t.hold.matters:
        return
    waiting = at_issue(t, matter.finding)
    hand = t.round.hand_at(place) if place is not None else None
    if waiting and (hand is None or hand.in_play or not hand.stakes):
        whereabouts.give(t.round, waiting[0], place)
    leave_rest_next(t, matter)
    go_on(t, matter)


def discard_options(t: TableState, matter: Matter) -> None:
    """On the Dealer's hand the cards are discarded and another is drawn (RWS 5.12.1); all have the options (5.12.2)."""
    hold(t, matter)
    matter.done = True
    for record in at_issue(t, matter.finding):
        whereabouts.discard(t.round, record, matter.finding)
    list_moves(t, matter)
    _ask_options(t, matter)


def _ask_options(t: TableState, matter: Matter) -> None:
    """The options of 5.7, where anybody has something in play."""
    matter.step = PullStep.OPTIONS
    ask_all(t, matter, t.rules.withdrawal.clause)
    if not matter.asks:
        go_on(t, matter)
