"""What is asked about the table itself at the control socket: which game, with which sensors.

1. On an open table any header is taken that names no prepared shoe and no seed. A round that is on must end first,
   unless the request abandons it: then the journal has a row that says so.
2. Where people log in, only a configured table is put in place: one person proposes it, another confirms it
   (`people.table_changes`).
"""

from __future__ import annotations

import json

from firmware_bridge.control.request_values import Asked, RequestError, of, outcome
from firmware_bridge.control.sessions import of_session, stalled
from firmware_bridge.journal.rounds.round_records import ABANDONED
from firmware_bridge.people.guard import Guard, Session
from firmware_bridge.people.table_changes import Tables
from firmware_bridge.pump.items import Deed, NewTable, Note
from firmware_bridge.pump.pump import Pump
from firmware_bridge.texts.denials import Denial, Ground
from gamecore.notation.header import read_header
from gamecore.notation.lines import split
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES


def set_up(pump: Pump, asked: Asked) -> None:
    """Set up another table; on a table with roles propose or confirm one, or list them."""
    if pump.guard is not None:
        _set_up_configured(pump, pump.guard, asked)
        return
    text = of(asked.request, "header", str)
    header = read_header(split(text)[0], GAMES)
    if header.shoe or header.seed:
        raise RequestError("header: a table has no prepared shoe, expected neither shoe nor seed")
    table = pump.table
    if table.round_is_on:
        if "abandon" not in asked.request or not of(asked.request, "abandon", bool):
            asked.deny(Ground.ROUND_COMES_FIRST, number=table.round_number)
            return
        said = {ABANDONED: table.round_number, "round": pump.books.recorder.in_short(table, ABANDONED)}
        pump.enqueue(of_session(asked.session, Note(json.dumps(said, ensure_ascii=False))))
    _enqueue(pump, asked, NewTable(header, text))


def _set_up_configured(pump: Pump, guard: Guard, asked: Asked) -> None:
    """Propose a table that is configured, or confirm it; without a name, list them."""
    session, tables, name = asked.session, guard.tables, asked.request.get("name")
    waiting = tables.proposal
    if name is None and "header" not in asked.request:
        listed: dict[str, object] = {"tables": list(tables.known)}
        asked.answer(listed | ({} if waiting is None else {"proposed": waiting.name, "by": waiting.by}))
        return
    if not isinstance(name, str):
        asked.deny(Ground.TABLE_NOT_NAMED)
        return
    name = of(asked.request, "name", str)
    if tables.confirms(name, session.name):
        header = tables.known[name]
        _enqueue(pump, asked, NewTable(header, write_header(header)))
    else:
        _enqueue(pump, asked, Deed(f"table {name}", lambda: _proposed(tables, name, session)))


def _enqueue(pump: Pump, asked: Asked, what: NewTable | Deed) -> None:
    """Enqueue what is asked; the gate decides whether it happens."""
    if not stalled(pump, asked):
        pump.enqueue(of_session(asked.session, what, lambda refused: asked.answer(outcome(refused))))


def _proposed(tables: Tables, name: str, session: Session) -> Note | Denial:
    """Propose a table."""
    refused = tables.propose(name, session.name, session.role)
    said = {"table-proposed": name, "by": session.name, "role": session.role}
    return refused if refused is not None else Note(json.dumps(said, ensure_ascii=False))
