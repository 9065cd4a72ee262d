"""Rounds, findings and wagers of a journal as CSV, for a spreadsheet.

1. Every line has the key of its round, and every time is UTC (`csv_cells`). The number of a round begins anew with
   every table; its key does not.
2. A round has one line, also one that has no end. What was found, and what was said about it and by whom, stands in the
   findings, as far as the journal knows who it was; each wager has one line with its box, hand and slot apart.
3. The people of a round are those who said something while it was on or about it, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from firmware_bridge.audit.exports.csv_cells import key, line, moment, text
from firmware_bridge.audit.recorded_rounds import Recorded, every
from firmware_bridge.audit.round_filter import Chosen
from firmware_bridge.commands.table.report_text import cents_of
from gamecore.model.money import dollars

Step = Callable[[], None]

ROUNDS_HEAD = (
    "key,segment,number,game,first,last,began_utc,ended_utc,outcome,boxes,wagers,staked,net,findings,codes,people\r\n"
)
FINDINGS_HEAD = "key,segment,round,n,at_utc,code,clause,ruling,places,cards,whose,how,by,said\r\n"
WAGERS_HEAD = "key,segment,round,game,began_utc,ended_utc,outcome,box,hand,slot,kind,player,stake,result,net,clause\r\n"


def rounds_csv(state: Path, chosen: Chosen, step: Step) -> Iterator[str]:
    """One line a round."""
    yield ROUNDS_HEAD
    for one in every(state, chosen, step):
        events = (one.first, one.last, moment(one.began), moment(one.ended))
        codes = " ".join(found.code for found in one.findings)
        told = (_key(one), one.segment, one.number, one.game, *events, one.outcome, one.boxes, *_sums(one))
        yield line([*told, len(one.findings), codes, text("; ".join(one.people))])


def _key(one: Recorded) -> str:
    return key(one.began, one.first)


def _sums(one: Recorded) -> tuple[object, ...]:
    """How many wagers a round had, what was staked, what the Players won."""
    if one.report is None:
        return None, None, None
    wagers = one.report["wagers"]
    staked = dollars(sum(cents_of(wager["stake"]) for wager in wagers))
    net = dollars(sum(cents_of(wager["net"]) for wager in wagers if wager["net"] is not None))
    return len(wagers), staked, net


def findings_csv(state: Path, chosen: Chosen, step: Step) -> Iterator[str]:
    """One line a finding; where a finding or a clause is chosen, of no other."""
    yield FINDINGS_HEAD
    for one in every(state, chosen, step):
        for found in one.findings:
            if chosen.finds(found.code, found.clause):
                told = (found.n, moment(found.at), found.code, text(found.clause), found.ruling, text(found.places))
                said = (found.cards, found.whose, found.how, text(found.by), text("; ".join(found.said)))
                yield line([_key(one), one.segment, one.number, *told, *said])


def wagers_csv(state: Path, chosen: Chosen, step: Step) -> Iterator[str]:
    """One line a wager; where a box is chosen, of no other box."""
    yield WAGERS_HEAD
    for one in every(state, chosen, step):
        about = (_key(one), one.segment, one.number, one.game, moment(one.began), moment(one.ended), one.outcome)
        for wager in [] if one.report is None else one.report["wagers"]:
            if chosen.box in {None, wager["box"]}:
                lies = (wager["box"], wager["hand"], wager["slot"], wager["kind"], text(wager["player"]))
                yield line([*about, *lies, wager["stake"], wager["result"], wager["net"], text(wager["clause"])])
