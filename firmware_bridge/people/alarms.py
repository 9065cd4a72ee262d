"""Alarms that stay until somebody clears them: a fold over the rows of the journal.

1. A finding that holds the round, voids it or is referred is an alarm, and so is a note that says so by itself, such as
   that of wrong PINs. The round's own hold ends when its questions are answered; the alarm ends when a role that may do
   so has cleared it, and says why.
2. The same finding at the same place, while its alarm is open, is the same alarm once more. When every finding of it is
   taken back or retracted, the alarm is over too; the journal notes it as cleared, with that reason. A report that its
   own reporter takes back does not count for that (`two_names`). A finding has one alarm:
   where its ruling changes, because cards are disclosed or cannot be put back, the alarm has the ruling in force and
   keeps the earlier ones. It also keeps who has done what about it, and when: the last `MOST_ACTS` acts, and no card of
   what was said. One of them is that the ruling has changed (`RULED`).
3. Which alarms are open follows from the journal alone: the findings that its events make, and the notes that clear
   them, each with name, role and reason. A snapshot has those that were open (it is believed as the signed head says),
   and the rows after it do the rest. There is no file that could say otherwise.
4. What only the daemon can see, such as a clock that jumps, is a note ``{"alarm": CODE, …}``. Such an alarm has no
   clause, and `REPORTED` for a ruling; it bars a round only if it is in `BARRING`.
5. No round begins while an alarm is open that voided a round or asks the house, or that is in `BARRING`: the journal or
   a device's key may have been changed. What was only noted, because nobody has to decide, stops nothing; the alarm of
   a lost device does while any device is away.
6. What happens while a table has no roles is no alarm: nobody could clear it. Each start says whether it has roles.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from typing import Any

from firmware_bridge.journal.rounds.round_records import Happened
from firmware_bridge.people.alarms_from_records import REPORTED
from firmware_bridge.people.permissions import (
    ANCHOR_WIPED,
    KEY_LOST,
    KEYS_CHANGED,
    NOT_WHOLE,
    PUT_BACK,
    RECOVERED,
    to_clear,
)
from firmware_bridge.texts.denials import Denial, Ground, deny
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import RETRACTED, FindingView
from gamecore.model.states import State
from gamecore.rules.codes import CARDS, CODES
from gamecore.table import Table
from gamecore.view.view import TableView

BARRING = frozenset({RECOVERED, PUT_BACK, KEY_LOST, NOT_WHOLE, ANCHOR_WIPED, KEYS_CHANGED})
VOID, REFER, LINK_LOST = "void", "refer", "link-lost"
WRONG_SET = frozenset({"foreign-card", "extra-card", "missing-card"})
"""What is found of a set that is not whole."""
_LASTING = frozenset({VOID, REFER})
MOST_ACTS = 12
RULED = "ruled"
_NEW_SET = frozenset({ev.Shuffled, ev.Loaded})
_SAID: dict[type, str] = {
    ev.Reconstructed: "reconstructed",
    ev.CannotReconstruct: "cannot-reconstruct",
    ev.CardsDisclosed: "disclose",
    ev.TakeBack: "take-back",
    ev.Shuffled: "shuffle",
    ev.Loaded: "load",
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """A finding that somebody must clear; `n` and `at` are those of the event that first proved it.

    `noted`: it was referred, and nobody was asked. `device` is the one that was lost; `event` and `nth` are the key of
    its finding, as long as its table is in place. `held`: its finding is being carried out. `was` has the rulings that
    it had before, each with its clause, and `acts` what was done about it: when, by whom, what.
    """

    n: int
    at: str
    code: str
    clause: str
    ruling: str
    places: str
    times: int = 1
    noted: bool = False
    device: str = ""
    event: int = 0
    nth: int = 0
    held: bool = False
    was: tuple[tuple[str, str], ...] = ()
    acts: tuple[tuple[str, str, str], ...] = ()

    @property
    def changed_by(self) -> tuple[str | None, ...]:
        """Who has changed each ruling of `was`: empty if it was a device, None if that act is not kept any more."""
        known = [person for _, person, what in self.acts if what == RULED]
        return (*[None] * (len(self.was) - len(known)), *known)

    @property
    def key(self) -> tuple[int, int]:
        """The key of its finding."""
        return self.event, self.nth

    def bars(self, view: TableView) -> bool:
        """Whether no round may begin while it is open."""
        if self.code == LINK_LOST:  # it is only noted in every game
            return bool(view.away)
        return self.code in BARRING or self.ruling == VOID or (self.ruling == REFER and not self.noted)


class Alarms:
    """The open alarms of one table."""

    def __init__(self, opened: Iterable[Alarm] = (), *, roles: bool = False) -> None:
        """Take up those that are open; `roles` says whether the table has people who could clear one."""
        self._open = list(opened)
        self.roles = roles

    @property
    def open(self) -> tuple[Alarm, ...]:
        """Every alarm that nobody has cleared, oldest first."""
        return tuple(self._open)

    def bars(self, view: TableView) -> Denial | None:
        """Why no round may begin; None if one may."""
        barring = self._barring(view)
        if barring is None:
            return None
        roles = to_clear(barring.code, barring.ruling)
        return deny(Ground.ALARM_OPEN, code=barring.code, number=barring.n, roles=roles)

    def clears(self, view: TableView) -> str:
        """The lowest role that may clear what bars a round; empty if nothing does."""
        barring = self._barring(view)
        return "" if barring is None or not self.roles else to_clear(barring.code, barring.ruling)[0]

    @property
    def uncounted(self) -> bool:
        """Whether an alarm is open over a set that is not whole, and none was loaded since."""
        loads = [
            [what for _, _, what in one.acts] for one in self._open if one.code in WRONG_SET and one.ruling == VOID
        ]
        return self.roles and any("load" not in acts for acts in loads)

    def _barring(self, view: TableView) -> Alarm | None:
        return next((alarm for alarm in self._open if alarm.bars(view)), None)

    def kept(self) -> dict[str, object]:
        """As plain data."""
        return {"roles": self.roles, "open": [astuple(alarm) for alarm in self._open]}

    @classmethod
    def resumed(cls, said: Any) -> Alarms:
        """From plain data."""
        return cls([_resumed(one) for one in said["open"]], roles=bool(said["roles"]))

    def another_table(self) -> None:
        """Untie the alarms from their events, since another table counts its events from 1."""
        self._open = [replace(alarm, event=0, nth=0, held=False) for alarm in self._open]

    def follow_event(
        self, row: Happened, event: ev.Event, findings: Iterable[FindingView], table: Table, *, refused: bool
    ) -> None:
        """Raise the alarms of an event that has happened, and note what it did about those that are open."""
        self.open_for_findings(row.n, row.at, findings, table, event.device if isinstance(event, ev.LinkLost) else "")
        if not refused and self._open:
            self._follow(row, event, table.view())

    def open_for_findings(
        self, n: int, at: str, findings: Iterable[FindingView], table: Table, device: str = ""
    ) -> None:
        """Open alarms for the findings of an event that need one; `device` is the one that was lost, if it was that."""
        held = table.state is State.HELD
        for finding in findings:
            if self._knows(finding):
                continue
            if held or finding.ruling in _LASTING:
                noted = finding.ruling == REFER and finding.key not in _asked(table.view())
                lost = device if finding.code == LINK_LOST else ""
                event, nth = finding.key
                self.add(Alarm(n, at, *_finding_words(finding), noted=noted, device=lost, event=event, nth=nth))

    def _knows(self, finding: FindingView) -> bool:
        """Whether an alarm is of this finding: it was shown again, because the event is known better now."""
        return any((alarm.key, alarm.code) == (finding.key, finding.code) for alarm in self._open)

    def _follow(self, row: Happened, event: ev.Event, view: TableView) -> None:
        """Note what an event did about the open alarms, and what is ruled now."""
        now = {(one.key, one.code): one for one in (*view.round.findings, *view.for_later) if one.ruling != RETRACTED}
        carried = [one.finding for one in (*view.matters, *view.pulls)] + [one.finding for one in view.pending]
        held = {(one.key, one.code) for one in carried}
        for index, alarm in enumerate(self._open):
            which, words = (alarm.key, alarm.code), _act(event, alarm) if alarm.n != row.n else ""
            ruled = _ruled(replace(alarm, held=which in held), now.get(which))
            told = [words] if words else []
            told += [RULED] if ruled.was != alarm.was else []
            acts = (*alarm.acts, *((row.at, row.person or "", what) for what in told))
            self._open[index] = replace(ruled, acts=acts[-MOST_ACTS:])

    def noted(self, n: int, at: str, said: dict[str, Any]) -> None:
        """Take a note that is JSON: it may clear alarms, however often their findings came meanwhile, or raise one."""
        match said:
            case {"cleared": list(listed)}:
                over = {(one.get("n"), one.get("code")) for one in listed if isinstance(one, dict)}
                self._open = [alarm for alarm in self._open if (alarm.n, alarm.code) not in over]
            case {"alarm": str(code)}:
                self.add(Alarm(n, at, code, "", REPORTED, ""))

    def retracted(self, findings: Iterable[FindingView]) -> list[Alarm]:
        """Count findings that were taken back off their alarms; return the alarms that are over."""
        over = []
        for finding in findings:
            for index, alarm in enumerate(self._open):
                if (alarm.code, alarm.clause, alarm.ruling, alarm.places) == _finding_words(finding):
                    self._open[index] = replace(alarm, times=alarm.times - 1)
                    over += [alarm] if alarm.times == 1 else []
                    break
        self._open = [alarm for alarm in self._open if alarm.times]
        return over

    def add(self, new: Alarm) -> None:
        """Open an alarm, or count one that is open."""
        if not self.roles:
            return
        for index, alarm in enumerate(self._open):
            if _once_more(alarm, new):
                self._open[index] = replace(alarm, times=alarm.times + 1)
                return
        self._open.append(new)


def _asked(view: TableView) -> frozenset[tuple[int, int]]:
    """The findings about which somebody is asked, or will be."""
    held, waits = (*view.matters, *view.pulls), view.pending
    return frozenset((*(one.finding.key for one in held), *(one.finding.key for one in waits)))


def _resumed(said: Iterable[Any]) -> Alarm:
    """An alarm from plain data: lists are tuples again."""
    fields: list[Any] = [tuple(map(tuple, value)) if isinstance(value, list) else value for value in said]
    return Alarm(*fields)


def _ruled(alarm: Alarm, finding: FindingView | None) -> Alarm:
    """An alarm with what is ruled now about its finding."""
    if finding is None or (finding.ruling, finding.clause) == (alarm.ruling, alarm.clause):
        return alarm
    code, clause, ruling, places = _finding_words(finding)
    was = (*alarm.was, (alarm.ruling, alarm.clause))
    return replace(alarm, code=code, clause=clause, ruling=ruling, places=places, was=was)


def _once_more(alarm: Alarm, new: Alarm) -> bool:
    """Whether a new alarm is one that is open."""
    same = replace(alarm, n=new.n, at=new.at, times=1, event=new.event, nth=new.nth, held=new.held)
    return replace(same, was=(), acts=()) == new


def _act(event: ev.Event, alarm: Alarm) -> str:
    """What an event does about an alarm, in words that name no card; empty if nothing."""
    if alarm.held:
        match event:
            case ev.Answer(who, what):
                return f"answer {who} {what[0] if what and what[0].islower() else 'card'}"
            case ev.Approve(role):
                return f"approve {role}"
            case ev.Reconstructed() | ev.CannotReconstruct() | ev.CardsDisclosed() | ev.TakeBack():
                return _SAID[type(event)]
    if isinstance(event, ev.LinkBack) and event.device == alarm.device:
        return f"back {event.device}"
    return _SAID.get(type(event), "") if CODES.get(alarm.code) == CARDS and type(event) in _NEW_SET else ""


def _finding_words(finding: FindingView) -> tuple[str, str, str, str]:
    """What an alarm tells of a finding."""
    return finding.code, finding.clause, finding.ruling, " ".join(map(str, finding.places))
