"""What is open at a table, and what holds the round.

1. A phase of play states a fact (`gamecore.model.events.facts`); `gamecore.irregularities` makes a finding of it.
2. A `Matter` is a finding that somebody must still decide or carry out. The first of `Hold.matters` is the open one.
3. What stands `beside` does not hold the round: a question whose answer cannot matter yet, or, between rounds, what
   waits for an approval. The latter keeps the next round from beginning. Rights end with the next card that is dealt.
4. `Pending` is what waits for an approval. A Player who has said that they withdraw is asked no more; their question
   stays with the matter until that is carried out. The approval is asked for when nobody else has to answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from gamecore.model.events.facts import Fact
from gamecore.model.events.outputs import Ask
from gamecore.model.places import Place
from gamecore.model.round import Finding
from gamecore.model.states import State
from gamecore.model.steps import Effect, Procedure, Step

APPROVE, RETRACT = "approve", "retract"


class Demand(Enum):
    """What a matter demands of the cards on the layout."""

    NOTHING = "nothing of its own"
    RECONSTRUCT = "the deal is put back in order"
    DISCARD = "the cards of the finding go to the discard holder"


class WagerKey(NamedTuple):
    """Which wager of the round is meant."""

    box: int
    slot: int
    hand: int
    kind: str
    owner: str


@dataclass(slots=True, eq=False)
class Pending:
    """What began with a word and is carried out when a role approves it."""

    effect: Effect
    role: str
    clause: str
    words: list[int]  # the numbers of the events by which it was said
    said: dict[str, tuple[WagerKey, ...]] = field(default_factory=dict)  # who withdraws, and what went back then


@dataclass(slots=True, eq=False)
class Matter:
    """An open irregularity: the finding, the procedure that carries it out, who is still asked, where it bites."""

    finding: Finding
    procedure: Procedure
    fact: Fact
    asks: list[Ask] = field(default_factory=list)
    places: tuple[Place, ...] = ()
    step: Step | None = None
    joined: bool = False  # it came while another was open
    done: bool = False  # the cards lie as the ruling says; others may still have to answer
    demand: Demand = Demand.NOTHING
    left_as_laid: bool = False  # what was moved stays where it lies
    pending: Pending | None = None
    approved: bool = False  # what was pending is being carried out

    @property
    def open_asks(self) -> list[Ask]:
        """The questions that are still to be answered."""
        if self.pending is None:
            return self.asks
        return [question for question in self.asks if question.who not in self.pending.said]

    @property
    def approval(self) -> Ask | None:
        """The question to the role that must approve, when nobody else has to answer first."""
        pending = self.pending
        if pending is None or self.open_asks:
            return None
        return Ask(pending.role, (APPROVE, RETRACT), pending.clause)


@dataclass(slots=True)
class Hold:
    """What is open at a table, in the order in which it is taken up."""

    matters: list[Matter] = field(default_factory=list)
    beside: list[Matter] = field(default_factory=list)  # they do not hold the round
    pulls: list[Matter] = field(default_factory=list)  # found while something else was open
    rights: list[Ask] = field(default_factory=list)
    right_by: Finding | None = None  # which gave the rights
    for_later: list[Finding] = field(default_factory=list)  # found between rounds, for the next one
    held_from: State = State.IDLE
    voided: bool = False

    def copied(self) -> Hold:
        """A copy with lists of its own and the same matters in them."""
        matters = (self.matters.copy(), self.beside.copy(), self.pulls.copy())
        rights = (self.rights.copy(), self.right_by)
        return Hold(*matters, *rights, self.for_later.copy(), self.held_from, self.voided)
