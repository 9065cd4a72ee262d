"""A running daemon whose journal is old: it archives by itself, and notes it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from firmware_bridge.control.client import ControlClient
from firmware_bridge.journal import segments
from tests.firmware_bridge.journal.archive.journals import all_rows, archived, old_journal, whole
from tests.patience import PATIENCE
from tests.places import ROOT

#: The daemon, which looks at once.
SOON = """from firmware_bridge import cli
from firmware_bridge.daemon import archiver
archiver.FIRST = 0.0
raise SystemExit(cli.main())"""


def test_a_daemon_archives_what_is_old(tmp_path: Path) -> None:
    """Segments of last year go, each is a note of the journal, and the journal is whole and goes on."""
    state = tmp_path / "state"
    old_journal(state, datetime.now(UTC) - timedelta(days=400))
    rows = all_rows(state)
    config = tmp_path / "table.toml"
    control = tmp_path / "control.sock"
    config.write_text(
        f'[table]\nopen = true\ngame = "mbs-blackjack-v6"\nburn = false\nfresh = false\nstate = "{state}"\n'
        f'control = "{control}"\n[devices]\n[retention]\ndays = 365\n',
        encoding="utf-8",
    )
    command = [sys.executable, "-c", SOON, "run", "--tied", "--config", str(config)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as daemon:
        assert daemon.stdout is not None
        assert b"ready\n" == daemon.stdout.readline()
        with ControlClient(control, PATIENCE) as client:
            while not _noted(state):
                assert daemon.poll() is None
                client.ask(do="status")
            journal = client.ask(do="health")["health"]["journal"]
        daemon.terminate()
    assert 0 == daemon.returncode
    assert (len(archived(state)), None) == (journal["archived"], journal["archiving"])
    assert [str(state / f"archive/journal-{number:06d}.db.gz") for number in archived(state)] == [
        said["archived"] for said in _noted(state)
    ]
    assert len(archived(state)) > 2
    assert (rows, []) == (all_rows(state)[: len(rows)], whole(state))


def _noted(state: Path) -> list[dict[str, object]]:
    """Return the daemon's notes of what was archived."""
    with closing(segments.open_for_reading(segments.segments(state)[-1])) as connection:
        chosen = "SELECT body FROM events WHERE kind = 'note' AND body LIKE '{\"archived\"%' ORDER BY n"
        return [json.loads(body) for (body,) in connection.execute(chosen)]
