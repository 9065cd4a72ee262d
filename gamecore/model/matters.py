"""What is open at a table, and what holds the round.

1. A phase of play states a fact (`gamecore.model.facts`); `gamecore.irregularities` makes a finding of it.
2. A `Matter` is a finding that somebody must still decide or carry out. The first of `Hold.matters` is the open one.
3. What stands `beside` holds nothing: a question whose answer cannot matter yet. Rights end with the next card.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from gamecore.model.facts import Fact
from gamecore.model.outputs import Ask
from gamecore.model.places import Place
from gamecore.model.round import Finding
from gamecore.model.states import State
from gamecore.model.steps import Procedure, Step


class Demand(Enum):
    """What a matter demands of the cards on the layout."""

    NOTHING = "nothing of its own"
    RECONSTRUCT = "the deal is put back in order"
    DISCARD = "the cards of the finding go to the discard holder"


@dataclass(slots=True, eq=False)
class Matter:
    """An open irregularity: the finding, the procedure that carries it out, who is still asked, where it bites."""

    finding: Finding
    procedure: Procedure
    fact: Fact
    asks: list[Ask] = field(default_factory=list)
    places: tuple[Place, ...] = ()
    step: Step | None = None
    done: bool = False  # the cards lie as the ruling says; others may still have to answer
    demand: Demand = Demand.NOTHING
    left_as_laid: bool = False  # what was moved stays where it lies


@dataclass(slots=True)
class Hold:
    """What is open at a table, in the order in which it is taken up."""

    matters: list[Matter] = field(default_factory=list)
    beside: list[Matter] = field(default_factory=list)  # questions that hold nothing
    pulls: list[Matter] = field(default_factory=list)  # found while something else was open
    rights: list[Ask] = field(default_factory=list)
    waiting: list[Finding] = field(default_factory=list)  # found between rounds, for the next one
    held_from: State = State.IDLE
    voided: bool = False

    def copied(self) -> Hold:
        """The same matters, in lists that go on by themselves."""
        matters = (self.matters.copy(), self.beside.copy(), self.pulls.copy())
        return Hold(*matters, self.rights.copy(), self.waiting.copy(), self.held_from, self.voided)
