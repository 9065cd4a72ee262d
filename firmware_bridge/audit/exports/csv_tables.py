"""Rounds, findings and wagers of a journal as CSV, for a spreadsheet.

1. Every line has the name of the table and the key of its round, and every time is UTC (`csv_cells`). The number of a
   round starts again with every table; its key tells it from all others.
2. A round has one line, even one that has no end. The findings say what was found, what was said about it and, if the
   journal knows, by whom. Each wager has one line, with its box, hand and slot in columns of their own.
3. The line of a round also has what people wrote about it, and whether it is bookmarked.
4. The people of a round are those who said something while it was on or about it, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from firmware_bridge.audit.exports.csv_cells import key, line, moment, text
from firmware_bridge.audit.journal_reader import Where
from firmware_bridge.audit.recorded_rounds import ListedRound, every
from firmware_bridge.audit.round_filter import Chosen
from firmware_bridge.audit.round_notes import is_bookmarked, round_notes
from firmware_bridge.commands.table.report_text import cents_of
from gamecore.model.money import dollars

Step = Callable[[], None]

ROUNDS_HEAD = (
    "table,key,segment,number,game,first,last,began_utc,ended_utc,outcome,boxes,wagers,staked,net,findings,codes,"
    "people,bookmark,notes\r\n"
)
FINDINGS_HEAD = "table,key,segment,round,n,at_utc,code,clause,ruling,places,cards,whose,how,by,said\r\n"
WAGERS_HEAD = (
    "table,key,segment,round,game,began_utc,ended_utc,outcome,box,hand,slot,kind,player,stake,result,net,clause\r\n"
)


def rounds_csv(state: Where, chosen: Chosen, step: Step) -> Iterator[str]:
    """One line for each chosen round."""
    yield ROUNDS_HEAD
    noted = round_notes(state, step)
    for one in every(state, chosen, step):
        events = (one.first, one.last, moment(one.began), moment(one.ended))
        codes = " ".join(found.record.code for found in one.findings)
        told = (*_named(one), one.number, one.game, *events, one.outcome, one.boxes, *_sums(one))
        notes = noted.get(one.first, [])
        said = "; ".join(f"{note.by} ({note.role}): {note.text}" for note in notes if note.text)
        marked = "yes" if is_bookmarked(notes) else ""
        yield line([*told, len(one.findings), codes, text("; ".join(one.people)), marked, text(said)])


def _named(one: ListedRound) -> tuple[object, ...]:
    """The table, the key of the round, and where it lies."""
    return text(one.table), key(one.began, one.first), one.segment


def _sums(one: ListedRound) -> tuple[object, ...]:
    """How many wagers a round had, what was staked, what the Players won."""
    if one.report is None:
        return None, None, None
    wagers = one.report["wagers"]
    staked = dollars(sum(cents_of(wager["stake"]) for wager in wagers))
    net = dollars(sum(cents_of(wager["net"]) for wager in wagers if wager["net"] is not None))
    return len(wagers), staked, net


def findings_csv(state: Where, chosen: Chosen, step: Step) -> Iterator[str]:
    """One line for each finding of the chosen rounds; if a finding or a clause is chosen, only for those."""
    yield FINDINGS_HEAD
    for one in every(state, chosen, step):
        for found in one.findings:
            record = found.record
            if chosen.finds(record.code, record.clause):
                told = (record.n, moment(found.at), record.code, text(record.clause), record.ruling)
                lies = (text(record.places), record.cards, record.whose, record.how)
                said = (text(found.by), text("; ".join(found.said)))
                yield line([*_named(one), one.number, *told, *lies, *said])


def wagers_csv(state: Where, chosen: Chosen, step: Step) -> Iterator[str]:
    """One line for each wager of the chosen rounds; if a box is chosen, only for those on it."""
    yield WAGERS_HEAD
    for one in every(state, chosen, step):
        about = (*_named(one), one.number, one.game, moment(one.began), moment(one.ended), one.outcome)
        for wager in [] if one.report is None else one.report["wagers"]:
            if chosen.box in {None, wager["box"]}:
                lies = (wager["box"], wager["hand"], wager["slot"], wager["kind"], text(wager["player"]))
                yield line([*about, *lies, wager["stake"], wager["result"], wager["net"], text(wager["clause"])])
