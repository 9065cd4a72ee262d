"""The next step at a table, in the words that the table itself shows: for hints and for answers to "what if".

No step is worded here: what is told is the table's advice (`firmware_bridge.shown.advice`), in every language.
"""

from __future__ import annotations

from firmware_bridge.shown.advice import advise, worded
from firmware_bridge.texts.languages import LANGUAGES
from gamecore.table import Table


def next_step(table: Table) -> dict[str, str]:
    """What the table asks for next, by language."""
    advice = advise(table.view())
    return {lang: worded(advice, lang) for lang in LANGUAGES}
