"""The states of a round of play, and every way from one to another.

1. `TRANSITIONS` is the whole machine: read it top to bottom. No play changes the state in another way; a state that is
   copied or read from the journal is taken over as it was (`in_state`).
2. It is triggered only when the state of the round changes, never to ask whether it may.
3. There are no conditions and no callbacks in it: what decides stands in the phases of play, so nothing can fail half
   way. A trigger that the table does not list is a bug and raises.
4. `held` waits for a ruling to be carried out; the state that was left is kept by the table, and `resume_…` leads back.
"""

from __future__ import annotations

from functools import cached_property

from transitions import Event, Machine

from gamecore.model.states import IN_ROUND, State

_S = State

#: trigger, from, to
TRANSITIONS: tuple[tuple[str, tuple[State, ...], State], ...] = (
    ("open_bets", (_S.IDLE, _S.VOID, _S.COMPLETE), _S.BETTING),
    ("close_bets", (_S.BETTING,), _S.BETS_CLOSED),
    ("deal_first_card", (_S.BETS_CLOSED,), _S.INITIAL_DEAL),
    ("make_offers", (_S.INITIAL_DEAL,), _S.OFFERS),
    ("ask_players", (_S.INITIAL_DEAL, _S.OFFERS), _S.PLAYER_TURN),
    ("draw_dealer", (_S.INITIAL_DEAL, _S.OFFERS, _S.PLAYER_TURN), _S.DEALER_TURN),
    ("await_settlement", (_S.INITIAL_DEAL, _S.OFFERS, _S.PLAYER_TURN, _S.DEALER_TURN), _S.SETTLEMENT),
    ("settle", (_S.SETTLEMENT,), _S.COMPLETE),
    ("reopen_offers", (_S.PLAYER_TURN, _S.DEALER_TURN), _S.OFFERS),
    ("conclude", (*IN_ROUND, _S.HELD), _S.COMPLETE),
    ("hold", IN_ROUND, _S.HELD),
    ("declare_void", (*IN_ROUND, _S.HELD), _S.VOID),
    *((f"resume_{state.name.lower()}", (_S.HELD,), state) for state in IN_ROUND),
)


class _PlainEvent(Event):
    """An event of a machine that has neither conditions nor callbacks: nothing but the change of state.

    The library walks through a dozen empty lists of callbacks at every trigger; a test compares this with it for
    every trigger in every state. What is not listed goes to the library, which raises.
    """

    def trigger(
        self,
        model: RoundMachine,  # type: ignore[override]  # the library takes any object, this machine one class only
        *args: object,
        **kwargs: object,
    ) -> bool:
        """Take the transition that the table lists for the model's state."""
        target = self.targets.get(model.state)
        if target is None or args or kwargs:
            return super().trigger(model, *args, **kwargs)
        model.state = target
        return True

    @cached_property
    def targets(self) -> dict[State, State]:
        """Where the transitions that the library holds lead from each state, once all are added."""
        return {State[source]: State[dest] for source, listed in self.transitions.items() if (dest := listed[0].dest)}


class _PlainMachine(Machine):
    event_cls = _PlainEvent


def _machine() -> Machine:
    machine = _PlainMachine(model=None, states=State, initial=State.IDLE, auto_transitions=False, send_event=False)
    for trigger, sources, target in TRANSITIONS:
        machine.add_transition(trigger, list(sources), target)
    return machine


#: One machine serves every table: it holds the transitions, each model its own state.
_MACHINE = _machine()


class RoundMachine:
    """The state of one table's round."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        """A machine in `idle`; the library's list of models, which would keep every table alive, does not know it."""
        self.state = State.IDLE

    def __reduce__(self) -> tuple[object, tuple[State]]:
        """Copied and kept by its state alone."""
        return in_state, (self.state,)

    def fire(self, trigger: str) -> State:
        """Take a transition; one that the table does not list raises `transitions.MachineError`."""
        _MACHINE.events[trigger].trigger(self)
        return self.state


def in_state(state: State) -> RoundMachine:
    """A machine that has come to this state."""
    machine = RoundMachine()
    machine.state = state
    return machine
