"""The report of affected rounds for the shift manager: as text, as CSV, as a page that can be printed.

1. A case says what was found and how it was ruled, since when nothing is proved, and until when; then what each Player
   staked and won in all, and every round with its wagers.
2. CSV has one line for each wager; a round without wagers has one line. What a spreadsheet would misread is marked as
   text (`csv_cells`).
3. The page is one file: it fetches nothing and runs nothing, and each case begins on a sheet of its own.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from firmware_bridge.audit.affected import Case, Concerned, Proof
from firmware_bridge.audit.exports.csv_cells import key, text
from firmware_bridge.audit.exports.csv_cells import moment as cell
from firmware_bridge.commands.table.report_text import cents_of
from gamecore.model.money import dollars, signed

NOTHING = "No missing, extra, foreign or unshuffled card was found.\n"
HEAD = (
    "table,case,finding,found_utc,since_utc,until_utc,key,round,when,first,last,began_utc,ended_utc,outcome,"
    "box,slot,hand,kind,player,stake,result,net,clause\r\n"
)
_WAGER = ("box", "slot", "hand", "kind", "player", "stake", "result", "net", "clause")
_TEXTS = ("player", "clause")
_STYLE = """
body { font: 10pt/1.4 sans-serif; margin: 2em; color: #000 }
h1 { font-size: 15pt } h2 { font-size: 12pt; margin: 1.5em 0 .3em }
table { border-collapse: collapse; margin: .5em 0 1em; width: 100% }
th, td { border-bottom: 1px solid #999; padding: .15em .6em .15em 0; text-align: left; vertical-align: top }
th { border-bottom-color: #000 } td.n, th.n { text-align: right }
section + section { break-before: page } tr { break-inside: avoid } thead { display: table-header-group }
.sign { margin-top: 3em } @media print { body { margin: 0 } }
"""


def when(concerned: Concerned, case: Case) -> str:
    """Whether a round lies before or after the first finding of its case, or holds it."""
    found = case.found[0].n
    if concerned.last < found:
        return "before it was found"
    return "after it was found" if concerned.first > found else "found in this round"


def moment(at: str) -> str:
    """A time of the journal, to the second."""
    return f"{at[:10]} {at[11:19]} UTC" if len(at) > 18 else at


def _proved(proof: Proof | None) -> str:
    return "not yet" if proof is None else f"{moment(proof.at)}, event {proof.n}: {proof.what}"


def _findings(case: Case) -> Iterator[str]:
    for seen in case.found:
        finding = seen.finding
        cards = f" ({' '.join(map(str, finding.cards))})" if finding.cards else ""
        where = f"round {seen.round}" if seen.round else "before the first round"
        ruled = f"clause {finding.clause}, ruling {finding.ruling}"
        yield f"{finding.code}{cards}, {moment(seen.at)}, event {seen.n}, {where}: {ruled}"


def _totals(case: Case) -> list[tuple[str, int, int, int, int]]:
    """By Player, or by box where nobody is named: wagers, staked, won or lost, still open."""
    totals: dict[str, list[int]] = {}
    for wager in case.wagers:
        name = wager["player"] or f"box {wager['box']}/{wager['slot']}"
        total = totals.setdefault(name, [0, 0, 0, 0])
        total[0] += 1
        total[1] += cents_of(wager["stake"])
        total[2] += 0 if wager["net"] is None else cents_of(wager["net"])
        total[3] += wager["net"] is None
    return [(name, total[0], total[1], total[2], total[3]) for name, total in sorted(totals.items())]


def _scope(case: Case) -> str:
    numbers = [concerned.number for concerned in case.rounds]
    if not numbers:
        return "no round was dealt"
    span = f"round {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} rounds, {numbers[0]} to {numbers[-1]}"
    staked = sum(cents_of(wager["stake"]) for wager in case.wagers)
    net = sum(cents_of(wager["net"]) for wager in case.wagers if wager["net"] is not None)
    return f"{span}; {len(case.wagers)} wagers, staked {dollars(staked)}, net to the Players {signed(net)}"


# --- text -----------------------------------------------------------------------------------------------------------


def as_text(cases: list[Case], table: str) -> str:
    """The report for a terminal or a plain printer."""
    told = "\n".join(_case_text(number, case) for number, case in enumerate(cases, start=1)) if cases else NOTHING
    return f"Table {table}\n\n{told}" if table else told


def _case_text(number: int, case: Case) -> str:
    lines = [f"Case {number}"]
    lines += [f"  Found:      {line}" for line in _findings(case)]
    lines += [f"  Last proof: {_proved(case.since)}", f"  Next proof: {_proved(case.until)}"]
    lines += [f"  Concerned:  {_scope(case)}"]
    for name, wagers, staked, net, still_open in _totals(case):
        left = f", {still_open} not settled" if still_open else ""
        lines.append(f"    {name}: {wagers} wagers, staked {dollars(staked)}, net {signed(net)}{left}")
    for concerned in case.rounds:
        lines.append(
            f"  Round {concerned.number}, {concerned.report['outcome']}, {_time(concerned)}, {when(concerned, case)}"
        )
        lines += [f"    {_wager_text(wager)}" for wager in concerned.report["wagers"]]
    return "\n".join(lines) + "\n"


def _time(concerned: Concerned) -> str:
    ended = moment(concerned.ended)[11:] if concerned.ended else "still on"
    ended += ", when another table was set up" if concerned.left else ""
    return f"{moment(concerned.began)} to {ended}, events {concerned.first} to {concerned.last}"


def _wager_text(wager: dict[str, Any]) -> str:
    hand = f".{wager['hand']}" if wager["hand"] else ""
    player = f" {wager['player']}" if wager["player"] else ""
    if wager["result"] is None:
        result = "not settled"
    else:
        result = f"{wager['result']} {signed(cents_of(wager['net']))} ({wager['clause']})"
    return f"Box {wager['box']}{hand}/{wager['slot']}{player} {wager['kind']} {wager['stake']}: {result}"


# --- CSV ------------------------------------------------------------------------------------------------------------


def as_csv(cases: list[Case], table: str) -> str:
    """One line a wager."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    stream.write(HEAD)
    for number, case in enumerate(cases, start=1):
        first = case.found[0]
        until = cell(case.until.at) if case.until is not None else ""
        about = (text(table), number, first.finding.code, cell(first.at), cell(case.since.at), until)
        for one in case.rounds:
            times = (one.first, one.last, cell(one.began), cell(one.ended))
            lies = (key(one.began, one.first), one.number, when(one, case), *times, one.report["outcome"])
            for wager in one.report["wagers"] or [dict.fromkeys(_WAGER)]:
                cells = [text(wager[name]) if name in _TEXTS else wager[name] for name in _WAGER]
                writer.writerow([*about, *lies, *cells])
    return stream.getvalue()


# --- a page ---------------------------------------------------------------------------------------------------------


def as_html(cases: list[Case], table: str) -> str:
    """One page that holds everything it needs."""
    title = f"Affected rounds, table {table}" if table else "Affected rounds"
    sections = "".join(_case_html(number, case) for number, case in enumerate(cases, start=1))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f"{sections or f'<p>{escape(NOTHING.strip())}</p>'}\n"
        '<p class="sign">Shift manager: ______________________ Date and time: ______________________</p>\n'
        "</body>\n</html>\n"
    )


def _case_html(number: int, case: Case) -> str:
    found = "<br>".join(escape(line) for line in _findings(case))
    rows = [("Found", found), ("Last proof", escape(_proved(case.since))), ("Next proof", escape(_proved(case.until)))]
    rows.append(("Concerned", escape(_scope(case))))
    facts = "".join(f"<tr><th>{name}</th><td>{text}</td></tr>" for name, text in rows)
    totals = _table(
        (("Player", False), ("Wagers", True), ("Staked", True), ("Net", True), ("Not settled", True)),
        [
            (name, str(count), dollars(staked), signed(net), str(left))
            for name, count, staked, net, left in _totals(case)
        ],
    )
    rounds = "".join(_round_html(concerned, case) for concerned in case.rounds)
    return f"<section>\n<h2>Case {number}</h2>\n<table>{facts}</table>\n{totals}{rounds}</section>\n"


def _round_html(concerned: Concerned, case: Case) -> str:
    title = f"Round {concerned.number}, {concerned.report['outcome']}, {_time(concerned)}, {when(concerned, case)}"
    head = (("Box", False), ("Player", False), ("Wager", False), ("Stake", True), ("Result", False), ("Net", True))
    rows = [
        (
            f"{wager['box']}.{wager['hand']}/{wager['slot']}",
            wager["player"] or "",
            wager["kind"],
            wager["stake"],
            "not settled" if wager["result"] is None else f"{wager['result']} ({wager['clause']})",
            "" if wager["net"] is None else signed(cents_of(wager["net"])),
        )
        for wager in concerned.report["wagers"]
    ]
    return f"<h3>{escape(title)}</h3>\n{_table(head, rows)}"


def _table(head: tuple[tuple[str, bool], ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table; columns of numbers stand at the right."""
    marks = ['<{0} class="n">' if right else "<{0}>" for _, right in head]
    top = "".join(f"{mark.format('th')}{name}</th>" for mark, (name, _) in zip(marks, head, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"{mark.format('td')}{escape(cell)}</td>" for mark, cell in zip(marks, row, strict=True))
        + "</tr>\n"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table>\n"
