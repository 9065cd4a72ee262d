"""Two names: one person says something, another confirms it.

1. The rows of the journal tell who has said something, by the number of its event; a restart loses nothing. A person is
   known by the staff number, whatever name they had then.
2. A person who has reported a matter, or has said what waits for an approval, does not approve it. They do not clear
   its alarm either: another person does, in a role that may clear it or, where the reporter has that role, as any
   pit-supervisor or above. While an Insurance wager lies, they do not say that the cards are put back: without the
   Dealer's Ace it goes back.
3. The panel has no name. It may open a matter and, with the key switch, confirm one that a named person has opened, but
   never one that began at the panel.
4. ``take-back`` is for the one who gave the command: a press is taken back at the panel. What nobody has said, as when
   the daemon itself calls the shift manager, is taken back by nobody.
5. A report that its own reporter takes back or retracts holds the round no longer; its alarm stays for somebody else.
6. A table may be configured to go without 2 and 3 (``two_persons = false``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from firmware_bridge.people.accounts.roles import at_least
from firmware_bridge.pump.items import PANEL
from firmware_bridge.texts.denials import Denial, Ground, deny
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import TOLD, FindingView
from gamecore.table import Table
from gamecore.view.view import PendingView


class EventOrigin(Protocol):
    """Whose word an event was."""

    @property
    def person(self) -> str:
        """How the journal calls them; empty if it was nobody's."""


Rows = Callable[[int], EventOrigin | None]
"""The row of an event, by the table's own count."""


def number_of(called: str) -> str:
    """The staff number in what the journal calls a person; of somebody who has none it is the name."""
    return called[called.rindex(" (") + 2 : -1] if called.endswith(")") and " (" in called else called


def same(one: str, other: str) -> bool:
    """Whether these are the same person; an empty name is nobody's."""
    return bool(one) and number_of(one) == number_of(other)


def refuses(person: str, what: object, table: Table, rows: Rows, *, two: bool = True) -> Denial | None:
    """Why a person may not say this, whatever their role; None if they may."""
    match what:
        case ev.TakeBack():
            return _to_take_back(person, table, rows)
        case ev.Approve() as approval if two:
            meant = _oldest_for(table, approval)
            return None if meant is None else _to_approve(person, meant, rows)
        case ev.Reconstructed() if two:
            return _to_put_back(person, table, rows)
        case _:
            return None


def _to_take_back(person: str, table: Table, rows: Rows) -> Denial | None:
    number = table.last_said_at
    said = None if number is None else rows(number)
    if said is None or same(said.person, person):  # where nothing was said the table refuses
        return None
    if said.person == PANEL:
        return deny(Ground.TAKEN_BACK_AT_PANEL)
    return deny(Ground.TAKEN_BACK_BY_OTHER, person=said.person) if said.person else deny(Ground.TAKEN_BACK_BY_NOBODY)


def _oldest_for(table: Table, approval: ev.Approve) -> PendingView | None:
    """What an approval is of: the oldest that waits for this role or a lower one, as the table takes it."""
    waiting = [one for one in table.view().pending if approval.code in {"", one.code}]
    return next((one for one in waiting if at_least(approval.role, one.role)), None)


def _to_approve(person: str, meant: PendingView, rows: Rows) -> Denial | None:
    reported = [meant.finding.event] if meant.finding.how == TOLD else []
    return _unless_said_by(person, (*reported, *meant.words), meant.code, rows)


def _to_put_back(person: str, table: Table, rows: Rows) -> Denial | None:
    view = table.view()
    finding = view.matters[0].finding if view.matters else None
    insured = any(not one.returned_by for box in view.round.boxes.values() for one in box.insurance)
    if finding is None or finding.how != TOLD or not insured:
        return None
    return _unless_said_by(person, (finding.event,), finding.code, rows)


def _unless_said_by(person: str, numbers: Iterable[int], code: str, rows: Rows) -> Denial | None:
    """Deny it to a person who has said one of these; the panel is a person without a name."""
    for number in numbers:
        said = rows(number)
        if said is not None and same(said.person, person):
            if person == PANEL:
                return deny(Ground.PANEL_HAS_NO_NAME, code=code)
            return deny(Ground.OTHER_APPROVES, person=person, code=code)
    return None


def of_others(findings: Iterable[FindingView], person: str, rows: Rows) -> list[FindingView]:
    """The findings that were not this person's own report."""
    return [one for one in findings if (said := rows(one.event)) is None or not same(said.person, person)]
