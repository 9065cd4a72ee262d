"""Which list of people the journal names last: its digest.

The start of a daemon and each change name the digest of the list that is in force from then on, under `DIGEST`.
"""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.journal.last_named import named

DIGEST = "people-digest"


def last_digest(state: Path) -> str:
    """The digest of the list that was in force last; empty if there never was one."""
    digest = named(state, DIGEST)
    return digest if isinstance(digest, str) else ""
