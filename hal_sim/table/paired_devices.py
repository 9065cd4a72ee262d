"""Pairs simulated devices with their table before its daemon starts, as two people would have.

1. A table with people names no key of a device in its configuration: the journal does, in the row of a pairing. What is
   paired already is left as it is.
2. The row says who made it: the simulator. The pairing itself, with labels and codes, is tried by tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import TOLD
from firmware_bridge.journal.clock import wall_clock
from firmware_bridge.journal.writer import Entry, Journal
from firmware_bridge.links import pairings
from firmware_bridge.links.pairings import PAIRINGS, Paired

BY = "the simulator"


def pair_devices(state: Path, secret: bytes, devices: Mapping[str, tuple[str, bytes]]) -> None:
    """Let the journal name these devices, each by serial number and public key, as paired with the table's own key."""
    table = pairings.table_fingerprint(secret)
    wanted = {name: Paired(serial, key, table, BY) for name, (serial, key) in devices.items()}
    before = pairings.load(state)
    if wanted.items() <= before.items():
        return
    state.mkdir(parents=True, exist_ok=True)
    journal = Journal(state, wall_clock())
    said = {"paired": sorted(wanted), "by": BY, PAIRINGS: pairings.key_rows(before | wanted)}
    journal.append([Entry(wall_clock(), "console", schema.NOTE, json.dumps(said), how=TOLD)])
    journal.close()
