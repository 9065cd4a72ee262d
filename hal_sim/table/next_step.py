"""The next step at a table, in the words that the table itself shows: for hints and for answers to "what if".

Nobody here words a step of their own: what is shown at the table is what is told.
"""

from __future__ import annotations

from firmware_bridge.shown.panel_picture import picture
from gamecore.table import Table


def next_step(table: Table) -> str:
    """What the table asks for next."""
    shown = picture(table)
    return " · ".join(line for line in (shown.upper, shown.lower) if line)
