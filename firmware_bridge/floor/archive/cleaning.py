"""Texts that any database takes."""

from __future__ import annotations

EXTRACT = 200
"""Characters of an extract."""


def cleaned(text: str | None) -> str:
    """The same text without what a database refuses."""
    return (text or "").replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")


def extract(text: object) -> str:
    """The beginning of a text, cleaned; nothing of what is no text."""
    return cleaned(text)[:EXTRACT] if isinstance(text, str) else ""
