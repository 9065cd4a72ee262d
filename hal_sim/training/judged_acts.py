"""What an act of a trainee was worth.

1. An act is what a hand or a word has brought to the table: a card that is drawn and laid, or taken up and laid, is
   one. What sensors say by themselves is none, unless something is found by it.
2. It is right if the table takes it and finds nothing by it. An act keeps what the table had shown as the next step
   before it, so that a debrief can say what would have been right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gamecore.model.events import events as ev
from gamecore.model.events.events import Command, Event
from gamecore.model.events.outputs import FindingView
from gamecore.model.events.refusals import Refused
from gamecore.notation.syntax import Noise
from gamecore.view.report import refusal_report
from hal_sim.editor.looked import finding_told
from hal_sim.harness.journal_replica import ReadEvent

HANDS = (
    ev.CardDrawn,
    ev.CardsPulled,
    ev.CardLaid,
    ev.CardLifted,
    ev.CardMoved,
    ev.CardsTurned,
    ev.CardPushedBack,
    ev.CuttingCardOut,
    ev.Shuffled,
    ev.Loaded,
    ev.WagerPlaced,
    ev.WagerRemoved,
)
YOU, INJECTED = "you", "injected"


@dataclass(slots=True)
class Act:
    """Something that was done, by whom, what the table had asked for, and what came of it."""

    by: str
    words: str
    advised: Mapping[str, str]
    seconds: int
    refused: Refused | None = None
    found: tuple[FindingView, ...] = ()

    @property
    def right(self) -> bool:
        """Whether it was taken, and nothing was found."""
        return not self.refused and not self.found

    def as_json(self) -> dict[str, object]:
        """The act for a debrief."""
        return {
            "by": self.by,
            "words": self.words,
            "advised": dict(self.advised),
            "seconds": self.seconds,
            "refused": "" if self.refused is None else str(self.refused),
            "refusal": None if self.refused is None else refusal_report(self.refused),
            "findings": [finding_told(one) for one in self.found],
            "right": self.right,
        }


def acts_of(seen: Iterable[ReadEvent | Noise], by: str, advised: Mapping[str, str], seconds: int) -> list[Act]:
    """The acts among what has reached the table."""
    acts: list[Act] = []
    before: Event | None = None
    for one in seen:
        if isinstance(one, Noise):
            continue
        if acts and isinstance(one.event, ev.CardLaid) and isinstance(before, ev.CardDrawn | ev.CardLifted):
            drawn = isinstance(before, ev.CardDrawn)
            acts[-1].words = f"draw {one.event.place}" if drawn else f"{acts[-1].words}; {one.words}"
            acts[-1].refused = acts[-1].refused or one.refused
            acts[-1].found += one.found
        elif isinstance(one.event, (*HANDS, Command)) or one.found:
            acts.append(Act(by, one.words, advised, seconds, one.refused, one.found))
        before = one.event
    return acts
