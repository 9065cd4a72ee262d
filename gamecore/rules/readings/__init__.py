"""Readings: where an approved document can be read in more than one way, the one taken, and why.

1. A reading is a decision: it names the clause, the ways to read it, the one taken and the reason.
2. Each is held by scenarios, named in `held_by`; a test fails on a reading that nothing holds.
3. A house that reads a clause differently finds here what to change.
"""

from __future__ import annotations

from gamecore.rules.readings import (
    claims,
    confirmation,
    decisions_and_bonuses,
    mbs_irregularities,
    naturals_and_offers,
    rws_irregularities,
    table,
)
from gamecore.rules.readings.reading import Reading

READINGS: tuple[Reading, ...] = (
    *naturals_and_offers.READINGS,
    *claims.READINGS,
    *decisions_and_bonuses.READINGS,
    *mbs_irregularities.READINGS,
    *rws_irregularities.READINGS,
    *table.READINGS,
    *confirmation.READINGS,
)
