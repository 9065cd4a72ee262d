"""Plays a scenario and records which code of `gamecore` it enters through `Table.apply`.

1. Only calls are traced (`sys.settrace` with a function that traces no lines), so that all scenarios take seconds.
2. A command that a file expects to be refused is applied too, once the expectation has been checked: the refusal must
   come out of `Table.apply`, and a refused command changes nothing.
3. Reading a field is no call. So the game is played by a ruleset that notes which of its fields are read, and whether
   inside `apply`. Of the rulings matrix the cells that `look_up` returns inside `apply` are noted by their clause.
4. Also kept are the clauses that the table itself cites: in refusals, findings, and rows of the settlement.
5. What is entered outside `apply` is kept apart: it reads the file, its header and its cards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from types import CodeType, FrameType
from typing import Any, cast
from unittest import mock

from gamecore.model import cards
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Asked, Awarded, Claimed, Output
from gamecore.model.events.refusals import Refused
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import Claim, RefusedIs
from gamecore.rules.games import GAMES
from gamecore.rules.matrix import Cell, look_up
from gamecore.rules.ruleset import Clauses, Outcomes, Ruleset, SideRule
from gamecore.table import Table


@dataclass(frozen=True, slots=True)
class FieldRead:
    """A field of the ruleset that was read: `decks`, `clauses.close`, `side_wagers.pair.pays`."""

    name: str
    applied: bool  # inside `Table.apply`
    by_rules: bool  # by code of `gamecore/rules` itself


@dataclass(frozen=True, slots=True)
class Recording:
    """What the playing of one file entered and read."""

    applied: set[CodeType] = field(default_factory=set)
    outside: set[CodeType] = field(default_factory=set)
    read: set[FieldRead] = field(default_factory=set)
    ruled: set[str] = field(default_factory=set)  # the clauses of the cells that were looked up inside `apply`
    refused: set[str] = field(default_factory=set)  # the clauses of refusals that came out of `apply`
    reported: set[str] = field(default_factory=set)  # the clauses of findings, wagers, questions and claims


def record(text: str, name: str) -> Recording | str:
    """Play a file and say what it entered; where it does not play as it says, what is wrong instead."""
    recorder = _Recorder()
    with recorder.listening():
        played = play_text(text, name, recorder.games(text), _Applying)
    for one in cast("list[dict[str, Any]]", played.report["rounds"]):
        recorder.recording.reported.update(line["clause"] for line in (*one["wagers"], *one["findings"]))
    wrong = [*([played.error] if played.error else []), *(f"{name}: {failure}" for failure in played.failures)]
    return "; ".join(wrong) or recorder.recording


def read_fields(text: str, name: str) -> set[FieldRead]:
    """Play a file and say which fields of the ruleset it reads; nothing is traced, which is much faster."""
    recorder = _Recorder()
    play_text(text, name, recorder.games(text))
    return recorder.recording.read


class _Applying(InProcess):
    """A table at which a command that is expected to be refused is given, and must be refused."""

    def check(self, claim: Claim, text: str) -> str | None:
        """Whether the claim holds; where it is a refusal, also when the command is given."""
        failure = super().check(claim, text)
        if failure is None and isinstance(claim, RefusedIs):
            outputs = self.table.apply(claim.command)
            if not any(isinstance(output, Refused) for output in outputs):
                return f"'{text}': not refused when it is given"
        return failure


class _Recorder:
    """Traces calls, and knows whether `Table.apply` is on the stack."""

    def __init__(self) -> None:
        self.recording = Recording()
        self._inside = 0

    def games(self, text: str) -> dict[str, Ruleset]:
        """The games that a file names, each by a ruleset that notes what is read."""
        return {game: self.noting(rules) for game, rules in GAMES.items() if game in text}

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Record everything that is entered meanwhile."""
        apply = Table.apply

        def applied(table: Table, event: Event) -> tuple[Output, ...]:
            self._inside += 1
            before = sys.gettrace()
            sys.settrace(self._trace_applied)
            try:
                outputs = apply(table, event)
            finally:
                sys.settrace(before)
                self._inside -= 1
            self.recording.refused.update(one.clause for one in outputs if isinstance(one, Refused))
            self.recording.reported.update(one.ask.clause for one in outputs if isinstance(one, Asked))
            claimed = [one.preference.clause for one in outputs if isinstance(one, Claimed | Awarded)]
            self.recording.reported.update(claimed)
            return outputs

        cards.card.cache_clear()  # what the cache answers would not be entered
        before = sys.gettrace()
        with mock.patch.object(Table, "apply", applied):
            sys.settrace(self._trace_outside)
            try:
                yield
            finally:
                sys.settrace(before)

    def _trace_applied(self, frame: FrameType, event: str, arg: object) -> Any:
        del event, arg
        self.recording.applied.add(frame.f_code)
        return self._trace_look_up if frame.f_code is look_up.__code__ else None

    def _trace_look_up(self, frame: FrameType, event: str, arg: object) -> Any:
        frame.f_trace_lines = False
        if event == "return" and isinstance(arg, Cell):
            self.recording.ruled.add(arg.clause)
        return self._trace_look_up

    def _trace_outside(self, frame: FrameType, event: str, arg: object) -> None:
        del event, arg
        self.recording.outside.add(frame.f_code)

    def noting(self, part: Any, path: str = "") -> Any:
        """The same part of a ruleset, which notes which of its fields are read."""
        match part:
            case Ruleset() | Clauses() | Outcomes() | SideRule():
                prefix = f"{path}{part.kind}." if isinstance(part, SideRule) else path
                noted = _NOTING[type(part)]()
                object.__setattr__(noted, "note", self._noter(prefix))
                for one in fields(part):
                    object.__setattr__(noted, one.name, self.noting(getattr(part, one.name), f"{prefix}{one.name}."))
                return noted
            case tuple():
                return tuple(self.noting(one, path) for one in part)
            case _:
                return part

    def _noter(self, prefix: str) -> Callable[[str, FrameType], None]:
        def note(name: str, reader: FrameType) -> None:
            while reader.f_back is not None and reader.f_code.co_filename == _RULESET:  # a method of the ruleset
                reader = reader.f_back
            by_rules = "/gamecore/rules/" in reader.f_code.co_filename
            self.recording.read.add(FieldRead(prefix + name, self._inside > 0, by_rules))

        return note


def _noting_class(part: type) -> type:
    """A class like `part` that says when one of its fields is read."""
    names = {one.name for one in fields(part)}

    def read(self: object, name: str) -> object:
        if name in names:
            object.__getattribute__(self, "note")(name, sys._getframe(1))
        return object.__getattribute__(self, name)

    members = {
        "__slots__": ("note",),
        "__init__": lambda self: None,  # noqa: ARG005  made empty, and filled by the recorder
        "__getattribute__": read,
        "__deepcopy__": lambda self, _memo: self,
    }
    return type(f"Noting{part.__name__}", (part,), members)


_RULESET = Ruleset.side.__code__.co_filename
_NOTING = {part: _noting_class(part) for part in (Ruleset, Clauses, Outcomes, SideRule)}
