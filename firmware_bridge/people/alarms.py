"""Alarms that stay until somebody clears them.

1. A finding that holds the round, voids it or is referred is an alarm, and so is a row that says so by itself: wrong
   PINs. The round's own hold ends when its questions are
   answered; the alarm ends when a role that may do so has cleared it, and says why.
2. The same finding at the same place, while its alarm is open, is the same alarm once more. When what made it is taken
   back or retracted, the alarm is over too; the journal notes it as cleared, with that reason.
3. Which alarms are open is kept in ``alarms.json`` of the state folder, replaced as a whole, so that they are there
   after a restart. A finding that the journal has and this file has not yet, because the computer died in between, is
   an alarm too. The journal is what counts: it holds the findings, and each clearing with name, role and reason.
4. The file is there from the first start on. One that is gone or cannot be read ends no alarm: a damaged one is set
   aside, and the alarms are taken from the journal (`uncleared`). `lost` says so.
5. A file that cannot be written loses nothing while the daemon runs; it is written with the next change.
6. No round begins while an alarm is open that voided a round or asks the house. What was only noted, because nobody has
   to decide, stops nothing; but a lost device does, as long as it is away.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from firmware_bridge.journal import signing
from firmware_bridge.people.uncleared import REPORTED, uncleared
from gamecore.model.outputs import FindingView
from gamecore.model.states import State
from gamecore.table import Table
from gamecore.view.view import TableView

FILE = "alarms.json"
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
        return self.ruling == VOID or (self.ruling == REFER and not self.noted)


class Alarms:
    """The open alarms of one table."""

    def __init__(self, state: Path, table: Table, n: int, at: str) -> None:
        """Take up what an earlier run has left open, and what it did not come to write."""
        self._path = state / FILE
        self.lost = ""  # why the file could not be believed
        view = table.view()
        kept = self._read()
        self._open, self._events = kept if kept is not None else ([], 0)
        for one in uncleared(state) if kept is None else ():
            self._add(Alarm(*one))
        held = {matter.finding.key for matter in view.matters}
        late = [finding for finding in (*view.round.findings, *view.waiting) if finding.event > self._events]
        lasting = [finding for finding in late if finding.ruling in _LASTING or finding.key in held]
        self._take(n, at, lasting, _asked(view))
        self._events = view.events
        if kept is None:
            self._write()

    @property
    def open(self) -> tuple[Alarm, ...]:
        """Every alarm that nobody has cleared, oldest first."""
        return tuple(self._open)

    def found(self, n: int, at: str, findings: Iterable[FindingView], table: Table) -> None:
        """An event has shown irregularities."""
        held = table.state is State.HELD
        self._events = table.events
        lasting = [finding for finding in findings if held or finding.ruling in _LASTING]
        if self._take(n, at, lasting, _asked(table.view())):
            self._write()

    def noted(self, n: int, at: str, code: str) -> None:
        """A row of the journal that is no event of the game raises an alarm."""
        self._add(Alarm(n, at, code, "", REPORTED, ""))
        self._write()

    def new_table(self) -> None:
        """Another table counts its events anew; what is open stays open."""
        self._events = 0
        self._write()

    def clear(self, cleared: Collection[Alarm]) -> None:
        """These alarms are over, however often their findings came meanwhile."""
        over = {(alarm.n, alarm.code, alarm.places) for alarm in cleared}
        self._open = [alarm for alarm in self._open if (alarm.n, alarm.code, alarm.places) not in over]
        self._write()

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
        self._write()
        return over

    def _take(self, n: int, at: str, findings: Iterable[FindingView], asked: Collection[tuple[int, int]]) -> bool:
        """Open alarms, or count one that is open; whether there were any."""
        taken = False
        for finding in findings:
            taken = True
            noted = finding.ruling == REFER and finding.key not in asked
            self._add(Alarm(n, at, *_told(finding), noted=noted))
        return taken

    def _add(self, new: Alarm) -> None:
        """Open an alarm, or count one that is open."""
        for index, alarm in enumerate(self._open):
            if replace(alarm, n=new.n, at=new.at, times=1) == new:
                self._open[index] = replace(alarm, times=alarm.times + 1)
                return
        self._open.append(new)

    def _write(self) -> None:
        text = json.dumps({"events": self._events, "open": [asdict(alarm) for alarm in self._open]})
        with suppress(OSError):  # a full disk is the journal's to report; the next change writes all of it
            signing.replace(self._path, text.encode())

    def _read(self) -> tuple[list[Alarm], int] | None:
        """The alarms that were open, and up to which event of the table they are complete; None if nothing says so."""
        try:
            said = json.loads(self._path.read_text(encoding="utf-8"))
            return [Alarm(**one) for one in said["open"]], int(said["events"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            aside = self._path.with_name(f"{FILE}.damaged")
            self.lost = f"{FILE} could not be read ({error}): set aside as {aside.name}, alarms taken from the journal"
            with suppress(OSError):
                self._path.replace(aside)
            return None


def _asked(view: TableView) -> frozenset[tuple[int, int]]:
    """The findings about which somebody is asked, or will be."""
    held, waits = (*view.matters, *view.pulls), view.pending
    return frozenset((*(one.finding.key for one in held), *(one.finding.key for one in waits)))


def _told(finding: FindingView) -> tuple[str, str, str, str]:
    """What an alarm tells of a finding."""
    return finding.code, finding.clause, finding.ruling, " ".join(map(str, finding.places))
