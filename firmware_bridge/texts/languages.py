"""The languages in which people are told something: on pages, on the panel, on paper."""

from __future__ import annotations

LANGUAGES = ("en", "zh")
ENGLISH = LANGUAGES[0]


def columns(line: str) -> int:
    """How many columns of a display a line takes: two for a Chinese character."""
    return sum(2 if character > "\u2e80" else 1 for character in line)
