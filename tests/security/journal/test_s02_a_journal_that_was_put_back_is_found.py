"""S02: signed heads go elsewhere by themselves, and a daemon asks there before it signs over its journal."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.control.client import ControlClient
from firmware_bridge.journal.signed import signing
from firmware_bridge.people.accounts.roles import LEAST, make_pin
from firmware_bridge.people.permissions import PUT_BACK, UNANCHORED
from tests.firmware_bridge.anchors.servers import anchoring
from tests.firmware_bridge.restarted_daemon import all_rows
from tests.patience import eventually
from tests.places import ROOT

PIN = "471193"
SOON = (
    "from firmware_bridge.anchors import anchoring, asking; from firmware_bridge import cli; "
    "anchoring.PATIENCE = 1.0; asking.AGAIN = 0.2; raise SystemExit(cli.main())"
)
REFUSED = "no anchor has confirmed the journal yet"


class Box:
    """One table with people, whose heads go to a file."""

    def __init__(self, folder: Path) -> None:
        self.state, self.control, self.file = folder / "state", folder / "control.sock", folder / "mount" / "heads"
        self.file.parent.mkdir()
        self._config = folder / "table.toml"
        people = {"ann": "shift-manager", "bo": "pit-manager"}
        roles = [f'{name} = {{role = "{role}", pin = "{make_pin(PIN, LEAST).text}"}}' for name, role in people.items()]
        table = [
            "[table]",
            'game = "mbs-blackjack-v6"',
            "burn = false",
            "fresh = false",
            f'state = "{self.state}"',
            f'control = "{self.control}"',
        ]
        self._config.write_text("\n".join([*table, "[devices]", "[roles]", *roles]) + "\n", encoding="ascii")
        self._config.chmod(0o600)
        named = f'targets = ["file:{self.file}"]\nstatus = "{folder / "status"}"\n'
        (folder / "anchors.toml").write_text(named, encoding="ascii")

    @contextmanager
    def runs(self) -> Iterator[ControlClient]:
        """A daemon, and a shift manager who is logged in."""
        command = [sys.executable, "-c", SOON, "run", "--tied", "--config", str(self._config)]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as daemon:
            assert daemon.stdout is not None
            assert b"ready\n" == daemon.stdout.readline()
            with ControlClient(self.control, 30) as client:
                assert "ok" in client.ask(do="login", name="ann", pin=PIN)
                yield client
            daemon.terminate()
        assert 0 == daemon.returncode

    def head(self) -> int:
        """The number of the published head."""
        head = signing.published(self.state / signing.HEAD)
        assert isinstance(head, signing.Head)
        return head.number

    def arrived(self) -> bool:
        """Whether the newest head lies elsewhere."""
        lines = self.file.read_text(encoding="ascii").splitlines() if self.file.exists() else []
        return bool(lines) and json.loads(lines[-1].partition(" ")[2])["number"] == self.head()


def alarms(client: ControlClient) -> list[str]:
    """The codes of the open alarms."""
    found: list[dict[str, Any]] = client.ask(do="status")["alarms"]
    return [alarm["code"] for alarm in found]


def bets(client: ControlClient) -> dict[str, Any]:
    """Begin a round."""
    answer = client.ask(do="say", statement="place-bets")
    return {key: value for key, value in answer.items() if key != "id"}


@pytest.fixture
def box(tmp_path: Path) -> Box:
    """A table that has run once, and whose head lies elsewhere."""
    made = Box(tmp_path)
    with made.runs():
        eventually(lambda: any('"first-use": true' in (row.body or "") for row in all_rows(made.state)))
    with anchoring(tmp_path / "anchor", made.state, f"file:{made.file}"):
        eventually(made.arrived)
    return made


def test_a_folder_that_was_put_back_is_an_alarm_before_anything_is_signed(box: Box, tmp_path: Path) -> None:
    """The file has a head that the journal does not; a shift manager clears it, and both rows stay."""
    shutil.copytree(box.state, tmp_path / "old")
    with box.runs() as client:
        eventually(lambda: bets(client).get("refused") != REFUSED)
    with anchoring(tmp_path / "anchor", box.state, f"file:{box.file}"):
        eventually(box.arrived)
    shutil.rmtree(box.state)
    shutil.copytree(tmp_path / "old", box.state)
    before = box.head()
    with box.runs() as client:
        eventually(lambda: PUT_BACK in alarms(client))
        assert "refused" in bets(client)
        assert before == box.head()
        assert "ok" in client.ask(do="clear", reason="the disk was replaced by order of the house")
        eventually(lambda: box.head() > before or "refused" not in bets(client))
    said = [json.loads(row.body or "") for row in all_rows(box.state) if (row.body or "").startswith('{"alarm"')]
    assert [PUT_BACK] == [one["alarm"] for one in said]
    assert ["ann"] == [
        json.loads(row.body or "")["by"] for row in all_rows(box.state) if (row.body or "").startswith('{"cleared"')
    ]


def test_an_anchor_that_agrees_lets_the_next_round_begin(box: Box) -> None:
    """Nobody has to do anything."""
    with box.runs() as client:
        eventually(lambda: bets(client).get("refused") != REFUSED)
        assert [] == alarms(client)


def test_a_mount_that_is_away_is_passed_by_a_shift_manager_alone(box: Box) -> None:
    """With the name in the journal; without that no round begins."""
    box.file.parent.rename(box.file.parent.with_name("away"))
    with box.runs() as client:
        assert REFUSED == bets(client)["refused"]
        eventually(lambda: [UNANCHORED] == alarms(client))
        assert REFUSED == bets(client)["refused"]
        assert "ok" in client.ask(do="clear", reason="the server of surveillance is down")
        assert {"ok": True} == bets(client)
