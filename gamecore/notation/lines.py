"""From text to lines and statements, before any of them is understood.

1. Lines are separated by a line feed; a carriage return before it is dropped. Line numbers start at 1.
2. ``#`` starts a comment, except directly between a card and its unique code: ``AS#17``.
3. Statements of one line are separated by ``;``. Empty ones are dropped.
4. The header is the first lines that are not empty, up to the first empty one. A line that holds only a comment is
   neither header nor empty.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_COMMENT = re.compile(r"(?<![\s|;:=][A2-9TJQK][SHDC])#|#(?![^\W_])")


class Line(NamedTuple):
    """A line or a statement of it, without its comment."""

    number: int
    text: str


def split(text: str) -> tuple[list[Line], list[Line]]:
    """The lines of the header, and the statements of the body."""
    header: list[Line] = []
    body: list[Line] = []
    in_header = True
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        said = _without_comment(raw)
        if in_header and said:
            header.append(Line(number, said))
        elif in_header:
            in_header = not header or bool(raw.strip())
        else:
            body.extend(Line(number, part.strip()) for part in said.split(";") if part.strip())
    return header, body


def _without_comment(raw: str) -> str:
    comment = _COMMENT.search(raw)
    return raw[: comment.start()].strip() if comment else raw.strip()
