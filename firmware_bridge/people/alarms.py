"""Alarms that stay until somebody clears them: a fold over the rows of the journal.

1. A finding that holds the round, voids it or is referred is an alarm, and so is a row that says so by itself: wrong
   PINs. The round's own hold ends when its questions are
   answered; the alarm ends when a role that may do so has cleared it, and says why.
2. The same finding at the same place, while its alarm is open, is the same alarm once more. When what made it is taken
   back or retracted, the alarm is over too; the journal notes it as cleared, with that reason.
3. Which alarms are open follows from the journal alone: the findings that its events make, and the notes that clear
   them, each with name, role and reason. A snapshot has those that were open (it is believed as the signed head says),
   and the rows after it do the rest. There is no file that could say otherwise.
4. What only the daemon can see, such as a clock that jumps, is a note ``{"alarm": CODE, …}`` and an alarm like a
   referred finding.
5. No round begins while an alarm is open that voided a round or asks the house, or that is in `BARRING`: the journal
   may have been changed. What was only noted, because nobody has to decide, stops nothing; but a lost device does, as
   long as it is away.
6. What happens while a table has no roles is no alarm: nobody could clear it. Each start says whether it has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from typing import Any

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
from gamecore.model.events.outputs import FindingView
from gamecore.model.states import State
from gamecore.table import Table
from gamecore.view.view import TableView

BARRING = frozenset({RECOVERED, PUT_BACK, KEY_LOST, NOT_WHOLE, ANCHOR_WIPED, KEYS_CHANGED})
VOID, REFER, LINK_LOST = "void", "refer", "link-lost"
_LASTING = frozenset({VOID, REFER})


@dataclass(frozen=True, slots=True)
class Alarm:
    """A finding that somebody must clear; `n` and `at` are those of the event that first proved it.

    `noted`: it was referred, and nobody was asked.
    """

    n: int
    at: str
    code: str
    clause: str
    ruling: str
    places: str
    times: int = 1
    noted: bool = False

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

    def bars(self, view: TableView) -> str | None:
        """Why no round may begin; None if one may."""
        barring = next((alarm for alarm in self._open if alarm.bars(view)), None)
        if barring is None:
            return None
        roles = " or ".join(to_clear(barring.code, barring.ruling))
        return f"the alarm {barring.code} (event {barring.n}) is not cleared: needs {roles}"

    def kept(self) -> dict[str, object]:
        """As plain data."""
        return {"roles": self.roles, "open": [astuple(alarm) for alarm in self._open]}

    @classmethod
    def resumed(cls, said: Any) -> Alarms:
        """From plain data."""
        return cls([Alarm(*one) for one in said["open"]], roles=bool(said["roles"]))

    def found(self, n: int, at: str, findings: Iterable[FindingView], table: Table) -> None:
        """An event has shown irregularities."""
        held = table.state is State.HELD
        for finding in findings:
            if held or finding.ruling in _LASTING:
                noted = finding.ruling == REFER and finding.key not in _asked(table.view())
                self.add(Alarm(n, at, *_told(finding), noted=noted))

    def noted(self, n: int, at: str, said: dict[str, Any]) -> None:
        """A note that is JSON: it may clear alarms, however often their findings came meanwhile, or be one."""
        match said:
            case {"cleared": list(listed)}:
                over = {(one.get("n"), one.get("code")) for one in listed if isinstance(one, dict)}
                self._open = [alarm for alarm in self._open if (alarm.n, alarm.code) not in over]
            case {"alarm": str(code)}:
                self.add(Alarm(n, at, code, "", REPORTED, ""))

    def retracted(self, findings: Iterable[FindingView]) -> list[Alarm]:
        """What made these findings was taken back: the alarms that are over, if they came only once."""
        over = []
        for finding in findings:
            for index, alarm in enumerate(self._open):
                if (alarm.code, alarm.clause, alarm.ruling, alarm.places) == _told(finding):
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
            if replace(alarm, n=new.n, at=new.at, times=1) == new:
                self._open[index] = replace(alarm, times=alarm.times + 1)
                return
        self._open.append(new)


def _asked(view: TableView) -> frozenset[tuple[int, int]]:
    """The findings about which somebody is asked, or will be."""
    held, waits = (*view.matters, *view.pulls), view.pending
    return frozenset((*(one.finding.key for one in held), *(one.finding.key for one in waits)))


def _told(finding: FindingView) -> tuple[str, str, str, str]:
    """What an alarm tells of a finding."""
    return finding.code, finding.clause, finding.ruling, " ".join(map(str, finding.places))
