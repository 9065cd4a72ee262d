"""The languages in which people are told something: on pages, on the panel, on paper."""

from __future__ import annotations

LANGUAGES = ("en", "zh")
ENGLISH = LANGUAGES[0]
