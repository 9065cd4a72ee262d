"""The round machine: what its table lists and nothing else."""

from __future__ import annotations

from collections import deque

import pytest
from transitions import Machine, MachineError

from gamecore.model.machine import TRANSITIONS, RoundMachine
from gamecore.model.states import BETWEEN_ROUNDS, IN_ROUND, State

LISTED = [(trigger, source, target) for trigger, sources, target in TRANSITIONS for source in sources]
TRIGGERS = [trigger for trigger, _, _ in TRANSITIONS]
UNLISTED = [
    (trigger, state)
    for trigger in TRIGGERS
    for state in State
    if (trigger, state) not in {(listed, source) for listed, source, _ in LISTED}
]


def ways() -> dict[State, list[str]]:
    """Return the shortest way from `idle` to each state."""
    found: dict[State, list[str]] = {State.IDLE: []}
    waiting = deque([State.IDLE])
    while waiting:
        here = waiting.popleft()
        for trigger, source, target in LISTED:
            if source is here and target not in found:
                found[target] = [*found[here], trigger]
                waiting.append(target)
    return found


def machine_in(state: State) -> RoundMachine:
    """Return a machine that was led to a state by its own transitions."""
    machine = RoundMachine()
    for trigger in ways()[state]:
        machine.fire(trigger)
    return machine


def test_a_machine_begins_idle() -> None:
    """No round is on before the first."""
    assert State.IDLE is RoundMachine().state


def test_every_state_can_be_reached() -> None:
    """No state of the table is cut off from idle."""
    assert set(State) == set(ways())


def test_every_round_can_end_from_every_state() -> None:
    """From each state some way leads to a state between rounds."""
    ends = set(BETWEEN_ROUNDS)
    while more := {source for _, source, target in LISTED if target in ends} - ends:
        ends |= more
    assert set(State) == ends


@pytest.mark.parametrize(("trigger", "source", "target"), LISTED, ids=lambda value: getattr(value, "value", value))
def test_every_listed_transition_leads_where_the_table_says(trigger: str, source: State, target: State) -> None:
    """Each row of the table is taken from each of its states."""
    machine = machine_in(source)
    assert source is machine.state
    assert target is machine.fire(trigger)
    assert target is machine.state


@pytest.mark.parametrize(("trigger", "state"), UNLISTED, ids=lambda value: getattr(value, "value", value))
def test_an_unlisted_transition_raises_and_changes_nothing(trigger: str, state: State) -> None:
    """A trigger that the table does not list for a state is a bug, not a refusal."""
    machine = machine_in(state)
    with pytest.raises(MachineError):
        machine.fire(trigger)
    assert state is machine.state


def test_a_trigger_that_does_not_exist_raises() -> None:
    """There are no automatic transitions."""
    machine = RoundMachine()
    for trigger in ("to_settlement", "nonsense"):
        with pytest.raises(KeyError):
            machine.fire(trigger)
    assert State.IDLE is machine.state


def test_two_machines_have_states_of_their_own() -> None:
    """One table's round does not move another's."""
    one, other = RoundMachine(), RoundMachine()
    one.fire("open_bets")
    assert (State.BETTING, State.IDLE) == (one.state, other.state)


def test_each_state_is_in_a_round_or_between_rounds_or_held() -> None:
    """The three groups part the states."""
    assert sorted(state.value for state in State) == sorted(
        state.value for state in (*IN_ROUND, *BETWEEN_ROUNDS, State.HELD)
    )


def test_a_held_round_resumes_to_every_state_it_can_be_held_in() -> None:
    """Whatever state was left can be entered again."""
    held_from = {source for trigger, source, _ in LISTED if trigger == "hold"}
    assert held_from == {target for trigger, _, target in LISTED if trigger.startswith("resume_")}


class Model:
    """What the library moves from state to state."""

    state: State


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("trigger", TRIGGERS)
def test_a_trigger_does_what_the_library_would_do(trigger: str, state: State) -> None:
    """The shorter way through an event changes the state as the library's own way does, or raises as it does."""
    library = Machine(model=None, states=State, initial=state, auto_transitions=False)
    for name, source, target in LISTED:
        library.add_transition(name, source, target)
    model = Model()
    library.add_model(model)
    ours = machine_in(state)
    try:
        library.events[trigger].trigger(model)
    except MachineError:
        with pytest.raises(MachineError):
            ours.fire(trigger)
    else:
        ours.fire(trigger)
    assert model.state is ours.state
