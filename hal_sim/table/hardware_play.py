"""Where `truedeal play --hardware` plays: one simulated table for all files.

1. The table is started once, with the first file, and reused: starting it takes longer than playing a file.
2. A table that fails is ended, and the next file gets a new one.
"""

from __future__ import annotations

from gamecore.notation.syntax import Header
from gamecore.rules.ruleset import Ruleset
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable


class Venues:
    """Makes a venue for each file at the same simulated table."""

    def __init__(self) -> None:
        """No table is started yet."""
        self._table: SimTable | None = None

    def __call__(self, header: Header, rules: Ruleset) -> Hardware:
        """Return the table, set up as a header says."""
        del rules  # the daemon has them
        if self._table is None:
            self._table = SimTable().__enter__()
        return Hardware(self._table, header)

    def failed(self) -> None:
        """End a table at which something went wrong."""
        self.close()

    def close(self) -> None:
        """End the table, if one was started."""
        table, self._table = self._table, None
        if table is not None:
            table.close()
