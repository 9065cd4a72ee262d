"""What was said can be taken back: the state as the last round ended, and the events since.

1. There is one checkpoint: the state when the last round had ended, or as the table was set up. With it stand the
   events that the table has taken since, in their order; what was refused changed nothing and is not among them.
   Nothing is copied while a round is played. Applied to the checkpoint again, the events give the state as it is.
2. `take-back` applies them again without the last command. Only a person's command can be taken back, and only while
   nothing else has come since; a restart of the software does not count. What ended a round stays, because its record
   is signed. An approval stays, because two people have spoken. A multiplier of the meter and a retraction stay too. A
   report that already stands in the record of an ended round is retracted instead.
3. `disclose` applies them again with the pull as it is known to have been.
4. `retract` applies them again without the report; in its place stands the finding, with the ruling `retracted`. It is
   refused once anything that may carry the ruling out has happened since, unless the ruling was only recorded.
5. Where something waits for an approval, `retract` denies it, whatever has come since: it takes back the words that
   wait. A report is then listed as retracted; after an answer the question is open again. What was told in place of a
   sensor has happened all the same: its finding is retracted, right after the event. What follows from told chips
   cannot be denied: the rules say it, and a person who told them wrongly takes that back.
6. What was taken back and the word that did it stay in the list: every event keeps its number, whatever is applied
   again, so that a finding always names the same event.
7. The checkpoint is made when the next event comes. It shares the last round, and all that is frozen, with the state:
   a new round leaves the last one as it is. Before an event between rounds that may touch it, the checkpoint gets a
   copy of its own.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, cast, get_args

from gamecore.cards.whereabouts import CARRIED
from gamecore.model.events import events as ev
from gamecore.model.events.facts import WagerFact
from gamecore.model.events.refusals import Reason, Refused, Since, refuse
from gamecore.model.machine import in_state
from gamecore.model.matters import Matter
from gamecore.model.round import Finding, Round
from gamecore.model.state import TableState
from gamecore.model.states import State

_NAMES = tuple(item.name for item in fields(TableState))
_values = attrgetter(*_NAMES)
_MACHINE, _ROUNDS, _SHOE = map(_NAMES.index, ("machine", "rounds", "shoe"))
_LASTING = tuple(map(_NAMES.index, ("rules", "config", "machine")))
_PARTS = tuple(map(_NAMES.index, ("shoe", "fitting", "turn", "people", "hold")))
_LISTS = tuple(map(_NAMES.index, ("facts", "out")))


@dataclass(frozen=True, slots=True)
class Retraction:
    """Words were retracted: the numbers of their events, and what they were about."""

    numbers: tuple[int, ...]
    code: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """Stands in place of a report that was a mistake, when the events are applied again."""

    report: ev.Call


@dataclass(frozen=True, slots=True)
class Denied:
    """Something that was told in place of a sensor, and the findings that do not follow from it."""

    event: ev.Event
    codes: tuple[str, ...]


Heard = ev.Event | Retraction
Step = ev.Event | Retracted | Denied


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a table at one moment: the value of each field, and how those that are shared stood then."""

    values: tuple[Any, ...]
    events: int
    state: State
    watched: int  # cards that the watch had seen


@dataclass(slots=True)
class History:
    """What has happened since the last round ended."""

    checkpoint: Checkpoint | None = None
    events: list[Heard] = field(default_factory=list)
    between: bool = True  # no round has begun since
    shares: bool = False  # whether the checkpoint holds the last round itself
    over: int = 0  # the number of the last round that has ended
    ended_by: ev.Event | None = None

    def keep_checkpoint(self, t: TableState, event: ev.Event) -> None:
        """Store the state as it was when the last round had ended; called at each event until a new round begins."""
        touches = (
            type(event) not in _ELSEWHERE or bool(t.hold.matters or t.hold.pulls or t.hold.for_later) or _cards_wait(t)
        )
        if self.checkpoint is None:
            self.checkpoint = _shared(t)
            self.shares = True
        if self.shares and touches:
            self.checkpoint = _owned(self.checkpoint)
            self.shares = False
        self.between = not t.round_is_on and not isinstance(event, ev.PlaceBets)

    def end(self, t: TableState, event: ev.Event) -> None:
        """Forget the events: a round has ended with this one, and what led to it stays as it is."""
        self.checkpoint, self.over, self.ended_by = None, t.round.number, event
        self.between = True
        self.events.clear()

    # --- what may be taken back ------------------------------------------------------------------------------------

    @property
    def last(self) -> Heard | None:
        """The last event since the round ended that was not taken back; a restart of the software is none."""
        found = self.last_with_number
        return None if found is None else found[1]

    @property
    def last_with_number(self) -> tuple[int, Heard] | None:
        """The same, with its number."""
        return next((said for said in reversed(self._standing_events()) if not isinstance(said[1], ev.Restarted)), None)

    def keeps_command(self, t: TableState) -> Refused | None:
        """Why the last command cannot be taken back; None if it can."""
        last, general = self.last, t.rules.clauses.general
        if last is None:
            if self.ended_by is None:
                return refuse(Reason.NOTHING_SAID, general)
            return refuse(Reason.RECORD_SIGNED, general)
        since = _SINCE.get(type(last))
        if since is not None:
            return refuse(Reason.SOMETHING_SINCE, general, since=since)
        if isinstance(last, ev.Approve):
            return refuse(Reason.APPROVAL_STAYS, general)
        reported = self._reported(t, last.code) if isinstance(last, ev.Call) else None
        if reported is not None and not t.round_is_on and reported[2] in t.round.findings:
            return refuse(Reason.RETRACT_INSTEAD, general, number=t.round.number)
        return None

    def keeps_report(self, t: TableState, code: str) -> Refused | None:
        """Why a report cannot be retracted; None if it can."""
        general = t.rules.clauses.general
        pending = self._pending(t, code)
        if pending is not None:
            told_chips = isinstance(pending.fact, WagerFact) and not self._is_word(pending)
            return refuse(Reason.APPROVE_TOLD_CHIPS, general, code=code) if told_chips else None
        found = [finding for finding in (*t.round.findings, *t.hold.for_later) if finding.code == code]
        if not found:
            return refuse(Reason.NOT_LISTED, general, code=code)
        reported = self._reported(t, code)
        if reported is None:
            if not any(finding.stands for finding in found):
                return refuse(Reason.ALREADY_RETRACTED, general, code=code)
            return refuse(Reason.NOT_REPORTED, general, code=code)
        number, _, finding = reported
        later = [event for n, event in self._standing_events() if n > number and type(event) not in _ASIDE]
        if later and finding.ruling not in _RECORDED:
            since = _SINCE.get(type(later[0]), Since.WORD)
            return refuse(Reason.CARRIED_OUT_SINCE, general, code=code, since=since, ruling=finding.ruling)
        return None

    def undisclosed(self, t: TableState, command: ev.CardsDisclosed) -> Refused | None:
        """Why cards cannot be disclosed now: nothing else may have happened since they came out."""
        pull = self._pull()
        if pull is None:
            return refuse(Reason.NO_PULL_TO_DISCLOSE, t.rules.clauses.general)
        if Counter(command.cards) - Counter(pull.cards):
            return refuse(Reason.NOT_THE_CARDS_PULLED, t.rules.clauses.general)
        return None

    # --- applied again ---------------------------------------------------------------------------------------------

    def lost(self, before: TableState, after: TableState) -> tuple[Finding, ...]:
        """The findings of a state that another one does not have, or has as retracted."""
        left = {
            (finding.event, finding.code, finding.ruling) for finding in (*after.round.findings, *after.hold.for_later)
        }
        held = (*before.round.findings, *before.hold.for_later)
        return tuple(finding for finding in held if (finding.event, finding.code, finding.ruling) not in left)

    def note(self, t: TableState, command: ev.Command) -> ev.Command:
        """Add a command that changes what was to the list, and give the command that it is about."""
        meant: Heard | None = self.last
        code = command.code if isinstance(command, ev.Retract) else ""
        matter = self._pending(t, code)
        reported = self._reported(t, code) if code else None
        if matter is not None and matter.pending is not None:
            words = tuple(matter.pending.words)
            meant = dict(self._standing_events())[words[-1]]
            self.events.append(Retraction(words, code))
        elif reported is not None:
            number, meant, _ = reported
            self.events.append(Retraction((number,), code))
        else:
            self.events.append(command)
        return cast("ev.Command", meant)

    def steps(self) -> list[tuple[int, Step]]:
        """What is applied again: without what was taken back, with pulls as disclosed and reports as retracted."""
        steps: dict[int, Step] = {}
        pulled: tuple[int, ev.CardsPulled] | None = None
        for number, event in self._standing_events():
            match event:
                case ev.CardsDisclosed(cards) if pulled is not None:
                    steps[pulled[0]] = replace(pulled[1], shown=cards)
                case Retraction(numbers, code):
                    for of in numbers:
                        _retract(steps, of, code)
                case _:
                    pulled = (number, event) if isinstance(event, ev.CardsPulled) else pulled
                    steps[number] = event
        return sorted(steps.items())

    def restored(self, now: TableState) -> TableState:
        """The state at the checkpoint, to apply the steps to; past rounds are those of the state as it is now."""
        kept = self.checkpoint
        assert kept is not None  # noqa: S101  there is one once an event has come
        machine, watch = kept.values[_MACHINE], kept.values[_SHOE].watch
        memo: dict[int, Any] = {id(shared): shared for shared in (now.rules, now.config)}
        memo[id(machine)] = in_state(kept.state)
        if watch is not None:
            memo[id(watch)] = watch.as_of(kept.watched)
        state = TableState.__new__(TableState)
        for name, value in zip(_NAMES, deepcopy(kept.values, memo), strict=True):
            setattr(state, name, value)
        current: Round = state.round
        state.rounds[:0] = [past for past in now.rounds if past.number < current.number]
        return state

    def _standing_events(self) -> list[tuple[int, Heard]]:
        """The events with their numbers, less those that were taken back."""
        first = 1 if self.checkpoint is None else self.checkpoint.events + 1
        said: list[tuple[int, Heard]] = []
        for number, event in enumerate(self.events, start=first):
            if isinstance(event, ev.TakeBack):
                index = next(i for i in reversed(range(len(said))) if not isinstance(said[i][1], ev.Restarted))
                del said[index]
            else:
                said.append((number, event))
        return said

    @staticmethod
    def _pending(t: TableState, code: str) -> Matter | None:
        """What is pending under a code, the oldest first."""
        found = [m for m in (*t.hold.matters, *t.hold.beside) if m.pending is not None and m.finding.code == code]
        return min(found, key=lambda matter: matter.pending.words[0] if matter.pending else 0, default=None)

    def _is_word(self, matter: Matter) -> bool:
        """Whether somebody has said what is pending, and no event has shown it."""
        words = [] if matter.pending is None else matter.pending.words
        return all(isinstance(event, _WORDS) for number, event in self._standing_events() if number in words)

    def _reported(self, t: TableState, code: str) -> tuple[int, ev.Call, Finding] | None:
        """The last report of a code that has made a finding, and was not retracted."""
        found = {finding.event: finding for finding in (*t.round.findings, *t.hold.for_later) if finding.code == code}
        for number, event in reversed(self.steps()):
            if isinstance(event, ev.Call) and event.code == code and number in found:
                return number, event, found[number]
        return None

    def _pull(self) -> ev.CardsPulled | None:
        """The pull that has just happened, with which perhaps the round has ended."""
        last = self.last
        if isinstance(last, ev.CardsDisclosed):
            last = next(event for _, event in reversed(self._standing_events()) if isinstance(event, ev.CardsPulled))
        elif last is None:
            last = self.ended_by
        return last if isinstance(last, ev.CardsPulled) else None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a table knows, and what could be taken back: for the journal, which does not look into it."""

    state: TableState
    history: History


def _retract(steps: dict[int, Step], number: int, code: str) -> None:
    """A report stands as retracted, an answer was not given; what was told in place of a sensor has happened."""
    match steps.pop(number):
        case ev.Call() as report:
            steps[number] = Retracted(report)
        case Retracted() as report:
            steps[number] = report
        case ev.Answer() | ev.CannotReconstruct():
            pass
        case Denied(event, codes):
            steps[number] = Denied(event, (*codes, code))
        case event:
            steps[number] = Denied(event, (code,))


def _cards_wait(t: TableState) -> bool:
    """Whether cards of the last round are carried into the next one."""
    for record in t.round.records:  # noqa: SIM110  asked at every round: a generator takes twice as long
        if record.role in CARRIED:
            return True
    return False


def _shared(t: TableState) -> Checkpoint:
    """The state as it is; what only grows is known by its length, what is replaced is shared."""
    values = list(_values(t))
    values[_ROUNDS] = t.rounds[-1:]
    for index in _LISTS:
        values[index] = values[index].copy()
    for index in _PARTS:
        values[index] = values[index].copied()
    return Checkpoint(tuple(values), t.events, t.machine.state, 0 if t.shoe.watch is None else t.shoe.watch.cards)


def _owned(shared: Checkpoint) -> Checkpoint:
    """The same with a round of its own."""
    lasting = [*(shared.values[index] for index in _LASTING), shared.values[_SHOE].watch]
    return replace(shared, values=deepcopy(shared.values, {id(value): value for value in lasting}))


#: What a person says about an irregularity.
_WORDS = (ev.Call, ev.Answer, ev.CannotReconstruct)
#: What leaves the last round as it is.
_ELSEWHERE = frozenset(
    {ev.PlaceBets, ev.Shuffled, ev.Loaded, ev.ShoeCounted, ev.DiscardCounted, ev.WagerPlaced, ev.Restarted}
)
#: Rulings that leave nothing to be carried out before the round is over.
_RECORDED = frozenset({"continue", "shuffle-after-round"})
#: What says nothing about whether a ruling was carried out.
_ASIDE = frozenset({ev.Restarted, ev.LinkLost, ev.LinkBack, ev.Seat, ev.StandUp, ev.ShoeCounted, ev.DiscardCounted})
#: What stands in the way of taking back, in words; a command that is not listed can be taken back.
_SINCE: dict[type, Since] = {
    **dict.fromkeys(get_args(ev.Physical), Since.SOMETHING),
    ev.CardDrawn: Since.CARD_DRAWN,
    ev.CardsPulled: Since.CARDS_PULLED,
    ev.CardLaid: Since.CARD_LAID,
    ev.CardMoved: Since.CARD_MOVED,
    ev.CardsTurned: Since.CARDS_TURNED,
    ev.CardPushedBack: Since.CARD_PUSHED_BACK,
    ev.ShoeOpened: Since.SHOE_OPENED,
    ev.CuttingCardOut: Since.CUTTING_CARD_OUT,
    ev.ShoeCounted: Since.SHOE_COUNTED,
    ev.ShoeEmpty: Since.SHOE_EMPTY,
    ev.DiscardCounted: Since.DISCARDS_COUNTED,
    ev.Shuffled: Since.SHUFFLED,
    ev.Loaded: Since.LOADED,
    ev.WagerPlaced: Since.CHIPS_ARRIVED,
    ev.WagerRemoved: Since.CHIPS_LEFT,
    ev.PowerCut: Since.POWER_FAILED,
    ev.PowerOn: Since.POWER_BACK,
    ev.LinkLost: Since.DEVICE_LOST,
    ev.LinkBack: Since.DEVICE_BACK,
    ev.Jackpot: Since.MULTIPLIER_SHOWN,
    Retraction: Since.RETRACTION,
}
