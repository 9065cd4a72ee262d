"""What the rules of regular play do not provide for.

1. Every irregularity is a finding and holds the round: no command goes on as if nothing had happened.
2. It is referred to the shift manager under the general provision (MBS 6.1, RWS 5.20), who voids the round.
3. A void round returns every wager.
"""

from __future__ import annotations

from gamecore.events import Answer, Command, Event
from gamecore.machine import State
from gamecore.outputs import Asked, Found, Refused
from gamecore.places import Place
from gamecore.round import Ask, Finding
from gamecore.settlement import open_rows, returned
from gamecore.state import TableState


def refer(t: TableState, code: str, places: tuple[Place, ...]) -> None:
    """State the finding, hold the round and ask the shift manager."""
    general = t.rules.clauses.general
    finding = Finding(code, general, "refer", places)
    t.round.findings.append(finding)
    t.out.append(Found(finding))
    if t.machine.state is State.HELD or not t.rounds:
        return
    if t.machine.state in {State.VOID, State.COMPLETE}:
        return
    t.held_from = t.machine.state
    t.enter("hold")
    ask = Ask("house", ("void",), general)
    t.asks.append(ask)
    t.out.append(Asked(ask))


def uncovered(t: TableState, _event: Event) -> None:
    """Something happened that no rule of regular play knows."""
    refer(t, "uncovered", ())


def recorded(_t: TableState, _event: Event) -> None:
    """Something happened that changes nothing in the round."""


def verify_beyond(t: TableState, _command: Command) -> Refused | None:
    """A command about irregularities, while none is ruled upon."""
    return Refused("no irregularity waits for this", t.rules.clauses.general)


def do_nothing(_t: TableState, _command: Command) -> None:
    """Nothing follows."""


def verify_answer(t: TableState, command: Answer) -> Refused | None:
    """Only what was asked can be answered."""
    pending = [ask for ask in t.asks if ask.who == command.who]
    if not pending:
        return Refused(f"nothing is asked of {command.who}", t.rules.clauses.general)
    if len(command.what) != 1 or command.what[0] not in pending[0].options:
        return Refused(f"{command.who} is asked for {' or '.join(pending[0].options)}", pending[0].clause)
    return None


def do_answer(t: TableState, _command: Answer) -> None:
    """Carry out the decision of the house."""
    t.asks.clear()
    void(t)


def void(t: TableState) -> None:
    """The round has no result: every wager goes back."""
    t.round.rows = [returned(row, t.rules.clauses.void) for row in open_rows(t.round)]
    t.round.outcome = "void"
    t.enter("declare_void")
    t.in_hand.clear()
    t.expect_nothing()
