"""Cells of a CSV that a spreadsheet reads as what they are.

1. `text` marks with an apostrophe what a spreadsheet would take for a formula, a date, a time or a number: clause 5.10
   is not 5.1, place 1/1 is not New Year's Day, and a Player called =HYPERLINK(…) runs nothing. Only a text that begins
   with a letter from A to Z stays as it is, and even then not a month with a number, nor TRUE or FALSE.
2. A time is UTC to the second, without zone or fraction: a spreadsheet reads it as a time.
3. Numbers and amounts are plain. The key of a round is text: when it began, and its first event.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MISREAD = re.compile(rf"[^a-z]|(?:{_MONTH})[a-z]*[\s./-]*\d|(?:true|false)$", re.IGNORECASE)


def text(value: str | None) -> str | None:
    """A text that no spreadsheet takes for something else."""
    return f"'{value}" if value and _MISREAD.match(value) else value


def moment(at: object) -> str:
    """A time of the journal, which is UTC, to the second."""
    return str(at)[:19].replace("T", " ")


def key(began: object, first: object) -> str:
    """The key that tells a round from every other of a journal; its number starts again with every table."""
    return f"{moment(began).replace('-', '').replace(':', '').replace(' ', 'T')}-E{first}"


def line(values: Sequence[object]) -> str:
    """The values as one line of CSV."""
    stream = io.StringIO()
    csv.writer(stream).writerow(values)
    return stream.getvalue()
