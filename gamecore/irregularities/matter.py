"""Open irregularities: holding the round, asking, and letting go.

1. A matter that needs somebody or something holds the round. Several are dealt with one after the other, those of one
   event first things first (`matrix.PRECEDENCE`); play goes on when none is left. The value of a card comes before what
   was open already: without it no deal can be judged. What waits for an approval comes before both.
2. A card that somebody moves off its hand meanwhile joins what is open: the round stays held until it lies there again.
3. `gamecore.standing.asked` says who is asked, and how they are called. `all` with `continue` answers for everyone who
   is asked; with `withdraw` for everyone for whom the round waits or, where it waits for nobody, who has the right.
4. A right ends with the next card that is dealt, and the round is not held for it (MBS 5.25). A card that is due to
   nobody, or that joins an open matter, is not dealt. After the Dealer's card too many none is left to be dealt: the
   options of RWS 5.7 last until settlement.
"""

from __future__ import annotations

from collections.abc import Collection

from gamecore.cards.difference import moves_not_made, put_back_moves, show_moves
from gamecore.model.events.facts import EarlyCard, TakenCard
from gamecore.model.events.outputs import Ask, Asked
from gamecore.model.matters import Demand, Matter
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Procedure
from gamecore.phases import resume
from gamecore.phases.cards import taken_cards
from gamecore.rules.ruleset import Withdrawal
from gamecore.standing import asked

CONTINUE, WITHDRAW = "continue", "withdraw"
UNREADABLE = "unreadable-card"


def hold(t: TableState, matter: Matter) -> None:
    """Hold the round until the matter is closed."""
    if t.machine.state is not State.HELD:
        t.hold.held_from = t.machine.state
        t.enter("hold")
    if matter not in t.hold.matters:
        t.hold.matters.insert(_turn_of(t, matter), matter)


def _turn_of(t: TableState, matter: Matter) -> int:
    """Where a matter stands among those that are open."""
    pending = sum(other.pending is not None for other in t.hold.matters)
    if matter.pending is not None:
        return pending
    if matter.finding.code != UNREADABLE:
        return len(t.hold.matters)
    return sum(other.pending is not None or other.finding.code == UNREADABLE for other in t.hold.matters)


def ask(t: TableState, matter: Matter, who: str, options: tuple[str, ...], clause: str) -> None:
    """Ask one who must answer."""
    question = Ask(who, options, clause)
    matter.asks.append(question)
    t.out.append(Asked(question))


def close(t: TableState, matter: Matter) -> None:
    """End a matter; after the last one play goes on where it was held, once every card lies where it counts."""
    moves = put_back_moves(t) if t.hold.matters == [matter] and t.machine.state is State.HELD else ()
    if moves_not_made(t, moves):
        matter.asks.clear()
        matter.procedure, matter.step, matter.demand = Procedure.PUT_BACK, None, Demand.NOTHING
        matter.done = matter.left_as_laid = False
        show_moves(t)
        return
    if isinstance(matter.fact, TakenCard):
        taken_cards.give_turn_back(t, t.round.boxes[matter.fact.box.box])
    if isinstance(matter.fact, EarlyCard):
        taken_cards.let_lie_early(matter.fact.record)
    if matter in t.hold.matters:
        t.hold.matters.remove(matter)
        show_moves(t)
    if not t.hold.matters and t.machine.state is State.HELD:
        resume.take_up_joined(t)
        t.enter(f"resume_{t.hold.held_from.name.lower()}")


def go_on(t: TableState, matter: Matter) -> None:
    """Close a matter, and look again whose turn it is: hands may have changed under it."""
    close(t, matter)
    resume.point_to_next_due(t)


def ask_all(t: TableState, matter: Matter, clause: str) -> None:
    """Ask every Player for whom the round waits whether to go on or to withdraw; any other may withdraw beside it."""
    for spot in asked.must_answer(t):
        ask(t, matter, asked.called_at(t, spot), (CONTINUE, WITHDRAW), clause)
    t.hold.rights[:] = [right for right in t.hold.rights if right not in matter.asks]  # nobody is asked twice
    if t.rules.withdrawal.value is Withdrawal.UNSETTLED:
        give_right(t, matter, clause, unless={question.who for question in matter.asks})


def give_right(t: TableState, matter: Matter, clause: str, unless: Collection[str] = ()) -> None:
    """Let every Player withdraw until the next card is dealt (MBS 5.25, RWS 5.7), unless they are asked already."""
    t.hold.right_by = matter.finding
    asks = [question for matter in t.hold.matters for question in matter.asks if WITHDRAW in question.options]
    pending = {*unless, *(question.who for question in (*asks, *t.hold.rights))}
    for spot in asked.with_right(t):
        question = Ask(asked.called_at(t, spot), (CONTINUE, WITHDRAW), clause)
        if question.who not in pending:
            pending.add(question.who)
            t.hold.rights.append(question)
            t.out.append(Asked(question))
