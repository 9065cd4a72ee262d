"""A report as a pit manager reads it on a terminal.

1. `render` takes the report of one file and gives text; nothing here prints, or decides what a wager wins.
2. One block for each round: the hands, the settlement row by row with its clause, the findings. Then what is still
   asked, what the Players won and lost in all, the state of the table unless its last round is over, and every
   expectation that failed. The message of an error is not here: it goes to the standard error output.
3. Colour is only for a terminal that is not ``dumb``, and never if NO_COLOR is set (https://no-color.org). Columns are
   measured before colour is added.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TextIO, cast

from gamecore.model.money import dollars, signed

Record = dict[str, Any]

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
_RESULT_STYLES = {"win": "green", "lose": "red", "surrendered": "red"}
_INDENT = "  "


class Cell(NamedTuple):
    """A text in a column; numbers stand at the right."""

    text: str
    style: str = ""
    right: bool = False


def colour_wanted(stream: TextIO) -> bool:
    """Whether a stream shows colour and its reader wants it."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def render(report: dict[str, object], title: str = "", *, colour: bool = False) -> str:
    """The report of one file, ending with a line feed."""
    paint = _Paint(colour)
    record = cast("Record", report)
    lines = [_headline(record, title, paint)]
    for one in record["rounds"]:
        lines.extend(f"{_INDENT}{line}".rstrip() for line in _round(one, paint))
    lines.extend(f"{_INDENT}{line}" for line in _ending(record, paint))
    return "".join(f"{line}\n" for line in lines)


class _Paint:
    """Adds colour, or does not."""

    def __init__(self, wanted: bool) -> None:
        """Colour only if it is wanted."""
        self._wanted = wanted

    def __call__(self, style: str, text: str) -> str:
        """The text in a style."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self._wanted and style and text else text


def _headline(report: Record, title: str, paint: _Paint) -> str:
    if "error" in report:
        word, style = "ERROR", "red"
    elif report["failures"]:
        word, style = "FAILED", "red"
    else:
        word, style = "ok", "green"
    game = f"{title} ({report['game']})" if title else report["game"] or "no game"
    return f"{paint(style, word)}  {paint('bold', report['file'])}  {game}"


# --- a round --------------------------------------------------------------------------------------------------------


def _round(record: Record, paint: _Paint) -> Iterator[str]:
    yield paint("bold", f"Round {record['number']}, {record['outcome']}")
    hands = [_dealer(record["dealer"]), *(_hand(hand, record["hands"]) for hand in record["hands"])]
    for line in columns([row for row in hands if row is not None], paint):
        yield f"{_INDENT}{line}"
    if record["wagers"]:
        head = tuple(Cell(text, "dim", right) for text, right in _WAGER_HEAD)
        for line in columns([head, *(_wager(row) for row in record["wagers"])], paint):
            yield f"{_INDENT}{line}"
    for finding in record["findings"]:
        yield from (f"{_INDENT}{line}" for line in _finding(finding, paint))


def _dealer(dealer: Record | None) -> tuple[Cell, ...] | None:
    if not dealer or not dealer["cards"]:
        return None
    said = "blackjack" if dealer.get("blackjack") else "bust" if dealer.get("bust") else ""
    return (Cell("Dealer"), Cell(" ".join(dealer["cards"])), *_total(dealer), Cell(said))


def _hand(hand: Record, hands: Sequence[Record]) -> tuple[Cell, ...]:
    split = sum(other["box"] == hand["box"] for other in hands) > 1
    name = f"Box {hand['box']}.{hand['hand']}" if split else f"Box {hand['box']}"
    return (Cell(name), Cell(" ".join(hand["cards"])), *_total(hand), _result(hand["result"]))


def _total(hand: Record) -> tuple[Cell, Cell]:
    if hand["total"] is None:
        return Cell(""), Cell("")
    return Cell("soft" if hand["soft"] else "hard", "dim"), Cell(str(hand["total"]), right=True)


_WAGER_HEAD = (
    ("Wager", False),
    ("Kind", False),
    ("Player", False),
    ("Stake", True),
    ("Result", False),
    ("Net", True),
    ("Clause", False),
)


def _wager(row: Record) -> tuple[Cell, ...]:
    hand = f".{row['hand']}" if row["hand"] not in {None, 1} else ""
    net = row["net"]
    return (
        Cell(f"{row['box']}{hand}/{row['slot']}"),
        Cell(row["kind"]),
        Cell(row["player"] or "-"),
        Cell(row["stake"], right=True),
        _result(row["result"]),
        Cell("-" if net is None else signed(cents_of(net)), _style_of(net), right=True),
        Cell(row["clause"] or "-", "dim"),
    )


def _result(result: str | None) -> Cell:
    return Cell(result or "-", _RESULT_STYLES.get(result or "", ""))


def _finding(finding: Record, paint: _Paint) -> Iterator[str]:
    places = ", ".join(finding["places"])
    where = f" at {places}" if places else ""
    yield paint("yellow", f"! {finding['code']}{where}: {finding['ruling']} ({finding['clause']})")
    for number, move in enumerate(finding.get("moves", ()), start=1):
        yield f"{_INDENT}{number}. move {move['card']} from {move['from']} to {move['to']}"
    if finding.get("obstacle"):
        yield f"{_INDENT}it may not be possible: {finding['obstacle']}"


# --- after the rounds -----------------------------------------------------------------------------------------------


def _ending(report: Record, paint: _Paint) -> Iterator[str]:
    for ask in report["asks"]:
        yield paint("yellow", f"? {ask['who']}: {' or '.join(ask['options'])} ({ask['clause']})")
    nets = [cents_of(row["net"]) for one in report["rounds"] for row in one["wagers"] if row["net"] is not None]
    if nets:
        won, lost = sum(net for net in nets if net > 0), -sum(net for net in nets if net < 0)
        yield f"Players won {dollars(won)}, lost {dollars(lost)}, net {signed(won - lost)}"
    if report["state"] not in {None, "complete", "void"}:
        yield f"The table is at: {report['state']}"
    for failure in report["failures"]:
        yield paint("red", failure)


def cents_of(text: str) -> int:
    """An amount with two decimals, in cents."""
    return int(text.replace(".", ""))


def _style_of(net: str | None) -> str:
    if net is None or cents_of(net) == 0:
        return ""
    return "green" if cents_of(net) > 0 else "red"


# --- columns --------------------------------------------------------------------------------------------------------


def columns(rows: Sequence[Sequence[Cell]], paint: _Paint) -> Iterator[str]:
    """Rows of cells as lines, each column as wide as its widest cell."""
    widths = [max(len(cell.text) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            " " * (width - len(cell.text)) * cell.right
            + paint(cell.style, cell.text)
            + " " * (width - len(cell.text)) * (not cell.right)
            for cell, width in zip(row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()
