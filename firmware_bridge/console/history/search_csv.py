"""The rounds that a search finds, as CSV for a spreadsheet: as many as there are, page by page.

Its cells are those of every export (`audit.exports.csv_cells`). It names no card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from firmware_bridge.audit.exports.csv_cells import line, moment, text
from firmware_bridge.console.answers import RoundRow
from firmware_bridge.console.history.search import Search
from firmware_bridge.console.history.wanted import MOST, Wanted, place_of
from firmware_bridge.journal.last_named import named
from firmware_bridge.journal.schema import NAMED

HEAD = "table,key,segment,number,game,first,last,began_utc,ended_utc,outcome,boxes,staked,net,codes,notes,bookmark\r\n"


def search_csv(state: Path, search: Search, what: Wanted) -> Iterator[str]:
    """One line for each round, the newest first.

    Raises:
        UnreadableError: there is no journal.
    """
    table = text(str(named(state, NAMED) or ""))
    asked = replace(what, count=MOST)
    page = search.page(asked)
    yield HEAD
    while True:
        yield from (_line(table, one) for one in page.rounds)
        if page.next is None:
            return
        page = search.page(replace(asked, after=place_of(page.next)))


def _line(table: str | None, one: RoundRow) -> str:
    lies = (table, one["key"], one["segment"], one["number"], one["game"], one["first"], one["last"])
    told = (moment(one["began"]), moment(one["ended"]), one["outcome"], one["boxes"], one["staked"], one["net"])
    return line([*lies, *told, " ".join(one["findings"]), one["noted"], "yes" if one["bookmark"] else ""])
