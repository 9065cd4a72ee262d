"""A card's way with and without a shipper beside it: ``python -m tests.bench.shipped [--cards N]``.

1. Two daemons on the same machine play the same rounds. One has a shipper that watches it, with broker, ingester
   and archive (SQLite) on this machine too: that is more than a table has. They take turns card by card, so that a busy
   moment affects both; who goes first alternates.
2. A card counts from its last byte on the wire to the ruling that a watcher reads, its event durable.
3. It prints p50, p90 and p99 of both and their ratio. At the end the archive must have every event.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from pathlib import Path

from firmware_bridge.control.client import read_path
from firmware_bridge.floor.archive import migrations
from firmware_bridge.floor.archive.dialects import connect
from tests.bench.daemon import AtTable, quantile
from tests.firmware_bridge.floor.nats_rig import floor
from tests.patience import eventually

SHARES = (0.5, 0.9, 0.99)
WARMING_UP = 100
"""Cards that do not count."""


def measure(folder: Path, cards: int) -> tuple[list[float], list[float]]:
    """Seconds of each card without and with a shipper."""
    url = f"sqlite:{folder / 'archive.db'}"
    dialect = connect(url)
    migrations.migrate(dialect, migrations.DEMO)
    dialect.close()
    alone, shipped = AtTable(folder / "alone"), AtTable(folder / "shipped")
    taken: tuple[list[float], list[float]] = [], []
    try:
        with floor(folder / "floor", url) as centre:
            centre.enrol("bj-7", folder / "shipped" / "state")
            centre.start_broker()
            centre.start_ingester()
            eventually(lambda: "ready" in centre.log("ingest"))
            centre.start_shipper("bj-7", read_path(folder / "shipped" / "control.sock"))
            centre.wait_for("bj-7")
            for number in range(cards + WARMING_UP):
                for place in (0, 1) if number % 2 else (1, 0):
                    seconds = (alone, shipped)[place].card()
                    if number >= WARMING_UP:
                        taken[place].append(seconds)
            centre.wait_for("bj-7")
    finally:
        alone.close()
        shipped.close()
    return taken


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.shipped", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cards", type=int, default=2000, help="cards through each daemon (default 2000)")
    args = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        alone, shipped = measure(Path(name), args.cards)
    print(f"{'card to ruling':14}  {'alone ms':>9}  {'shipped ms':>10}  {'ratio':>6}")
    for share in SHARES:
        one, other = quantile(shipped, share), quantile(alone, share)
        print(f"{f'p{share * 100:g}':14}  {other * 1000:9.3f}  {one * 1000:10.3f}  {one / other:6.2f}")


if __name__ == "__main__":
    main()
