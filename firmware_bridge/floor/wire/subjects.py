"""Where messages go: the subjects of the broker.

1. A table speaks only under ``t.<casino>.<table>.`` and hears only under ``r.<casino>.<table>.``. Its name comes from
   the subject, which the broker lets only that table use, never from a body.
2. ``ask`` and ``ship`` are requests: how far the centre has come, and a batch. ``want`` is one too: what the floor has
   for the table, such as its people. ``live.state``, ``live.alarm`` and ``live.health`` are published by the shipper,
   apart from the journal and first (`live`); any floor console hears them, and nobody answers.
3. The centre answers only where the subject's own table hears: otherwise one table could make the centre speak to
   another. If the reply is to go elsewhere, it stays silent.
4. What the centre itself says of a table goes under ``c.<casino>.<table>.``: ingesters speak there, consoles hear it,
   and no table does either.
"""

from __future__ import annotations

import re

ASK, SHIP = "ask", "ship"
WANT = "want"
STATE, ALARM, HEALTH = "live.state", "live.alarm", "live.health"
LIVE = (STATE, ALARM, HEALTH)
NAME = re.compile(r"[a-z0-9-]{1,32}")
_SPOKEN = re.compile(r"t\.([a-z0-9-]{1,32})\.([a-z0-9-]{1,32})\.([a-z.]+)")


def is_name(text: str) -> bool:
    """Whether a casino or a table may have this name."""
    return NAME.fullmatch(text) is not None


def spoken(casino: str, table: str, what: str) -> str:
    """The subject under which a table says something."""
    return f"t.{casino}.{table}.{what}"


def subjects_for_table(casino: str, table: str) -> str:
    """The beginning of the subjects under which a table hears."""
    return f"r.{casino}.{table}"


def speaker(subject: str) -> tuple[str, str, str] | None:
    """The casino, the table and what it says, by the subject of a message; None if it is no table's."""
    match = _SPOKEN.fullmatch(subject)
    return None if match is None else (match[1], match[2], match[3])


def may_answer(reply: str, casino: str, table: str) -> bool:
    """Whether an answer goes to the table that asked."""
    return reply.startswith(f"{subjects_for_table(casino, table)}.")


def of_live(casino: str) -> str:
    """The subjects of all live news of a casino's tables."""
    return f"t.{casino}.*.live.*"


def of_centre(casino: str, table: str = "*") -> str:
    """The subject under which the centre speaks of a table, or of all."""
    return f"c.{casino}.{table}.alarm"
