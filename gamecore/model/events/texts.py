"""Texts of the core that people read: each has a key, so that it can be said in any language.

1. The name of a member is its key and never changes with the wording; the value is the English. What varies stands in
   braces, by name.
2. `english` fills the gaps. The same value can be told to a page with the key instead: the page knows by the name of a
   gap what stands there (a place, a card, a code) and how to say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from gamecore.model.places import Place

_SIGNS = re.compile(r"[^a-z0-9]+")
#: By the last part of a gap's name: what stands between several words.
_JOINED_BY = {"options": " or ", "roles": " or ", "players": " and ", "signatories": " and "}


class Text(Enum):
    """One text: the name is the key, the value is the English."""

    @property
    def key(self) -> str:
        """The key in the catalogue."""
        return self.name.lower().replace("_", "-")


def key_of(name: str) -> str:
    """The key of a name in the code: a parameter, a case, a line of a pay table."""
    return _SIGNS.sub("-", name.lower()).strip("-")


def english(text: Text, arguments: Iterable[tuple[str, object]]) -> str:
    """The text in English, with its gaps filled."""
    words: str = text.value
    return words.format(**{name: _written(name, value) for name, value in arguments})


def _written(name: str, value: object) -> str:
    match value:
        case Text():
            return str(value.value)
        case Place():
            return str(value)
        case tuple():
            return _JOINED_BY.get(name.rpartition("_")[2], ", ").join(value)
        case _:
            return str(value)


def gap_for_page(value: object) -> object:
    """What stands in a gap, for a page: a text by its key, several words as a list, all else as it is written."""
    match value:
        case Text():
            return value.key
        case Place():
            return str(value)
        case tuple():
            return list(value)
        case int():
            return value
        case _:
            return str(value)
