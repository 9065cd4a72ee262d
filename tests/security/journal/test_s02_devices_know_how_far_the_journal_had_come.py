"""S02: panel and shoe keep the last head of the journal; one that is put back, forked or wiped is found."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.control.client import ControlClient
from firmware_bridge.journal.segments import segments
from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from hal_sim.harness.sample_people import DEMO, staff
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable
from tests.patience import PATIENCE, eventually
from tests.places import ROOT

PINS = {demo.role: (demo.name, demo.pin) for demo in DEMO}


class Pit:
    """A table with people, a shoe and a panel, both with registers."""

    def __init__(self, table: SimTable) -> None:
        self.table = table

    def ask(self, role: str, **request: Any) -> dict[str, Any]:
        """Ask as somebody of this role."""
        with ControlClient(self.table.control_path) as client:
            name, pin = PINS[role]
            client.ask(do="login", name=name, pin=pin)
            return client.ask(**request)

    def registers(self) -> dict[str, tuple[str, int]]:
        """The verdict and the head number of each register."""
        links = self.table.control.ask(do="health")["health"]["links"]
        return {
            name: (link["register"]["verdict"], link["register"]["number"])
            for name, link in links.items()
            if "register" in link
        }

    def until(self, **verdicts: str) -> dict[str, int]:
        """Wait until the registers are judged so, and as high as the journal where they agree; their head numbers."""
        end, found = time.monotonic() + PATIENCE, self.registers()
        while time.monotonic() < end:
            found = self.registers()
            level = {number for verdict, number in found.values() if verdict == "agrees"}
            if verdicts.items() <= {name: one[0] for name, one in found.items()}.items() and level <= {self.head()}:
                return {name: one[1] for name, one in found.items()}
            time.sleep(0.05)
        raise AssertionError(found)

    def head(self) -> int:
        """The number of the head that was signed last."""
        with closing(sqlite3.connect(f"file:{segments(self.table.state_path)[-1]}?mode=ro", uri=True)) as connection:
            ((number,),) = connection.execute("SELECT max(number) FROM heads")
        return int(number)

    def restart(self, state: Path | None = None) -> None:
        """Stop the daemon, put another state folder in place if there is one, start it."""
        self.table.stop_daemon()
        if state is not None:
            shutil.rmtree(self.table.state_path)
            shutil.copytree(state, self.table.state_path)
        self.table.start_daemon()
        self.table.wait_up()

    def grown(self) -> int:
        """Let the journal be signed once more, by a restart; the head number that both devices have then."""
        self.until(shoe="agrees", panel="agrees")  # before that nothing is signed
        self.restart()
        numbers = self.until(shoe="agrees", panel="agrees")
        return numbers["shoe"]

    def alarms(self) -> list[str]:
        """The codes of the open alarms."""
        return [alarm["code"] for alarm in self.table.control.ask(do="status")["alarms"]]

    def notes(self, word: str) -> list[dict[str, Any]]:
        """The notes that say something under a word."""
        found = []
        for path in segments(self.table.state_path):
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
                chosen = "SELECT body FROM events WHERE kind = 'note' AND instr(body, ?) ORDER BY n"
                found += [json.loads(body) for (body,) in connection.execute(chosen, (f'"{word}": ',))]
        return found


@pytest.fixture
def pit(seed: int, tmp_path: Path) -> Iterator[Pit]:
    """Return such a table."""
    table = SimTable(tmp_path / "table", seed, usb=False, names=("shoe", "panel"))
    table.staff(*staff())
    with table:
        yield Pit(table)


def test_every_head_goes_to_the_devices(pit: Pit) -> None:
    """Both registers rise with the journal; what they hold, and that it is acknowledged, are rows."""
    first = pit.grown()
    last = pit.grown()
    assert first < last
    for word in ("register", "anchored"):
        highest = {row[word]: row["number"] for row in pit.notes(word)}
        assert {"shoe": last, "panel": last} == highest
    assert {"agrees", "none"} == {row["verdict"] for row in pit.notes("register") if "verdict" in row}
    assert [] == pit.alarms()


def test_a_journal_that_is_put_back_is_found(pit: Pit, tmp_path: Path) -> None:
    """The whole folder as it was an hour ago, keys and all: the devices know better. No round begins."""
    pit.grown()
    pit.table.stop_daemon()
    shutil.copytree(pit.table.state_path, tmp_path / "before")
    pit.table.start_daemon()
    pit.table.wait_up()
    pit.grown()
    pit.restart(tmp_path / "before")
    pit.until(shoe="above", panel="above")
    assert "put-back" in pit.alarms()
    assert "refused" in pit.ask("dealer", do="say", statement="place-bets")


def test_a_wiped_register_is_an_alarm_and_no_hold_beside_one_that_agrees(pit: Pit) -> None:
    """The panel forgets how far the journal had come, the shoe does not."""
    pit.grown()
    pit.table.device("panel").wipe()
    pit.restart()
    pit.until(shoe="agrees", panel="agrees")  # it was told anew
    assert ["panel"] == [row["anchor"] for row in pit.notes("alarm")]
    assert ["anchor-wiped"] == pit.alarms()
    assert "anchor-wiped" in pit.ask("dealer", do="say", statement="place-bets")["refused"]


def test_registers_that_were_all_wiped_hold_the_table(pit: Pit) -> None:
    """Nothing outside agrees any more: a round in play is put before the shift manager, and none begins."""
    pit.grown()
    assert pit.ask("dealer", do="say", statement="place-bets")["ok"]
    for name in ("shoe", "panel"):
        pit.table.device(name).wipe()
    pit.restart()
    pit.until(shoe="none", panel="none")
    eventually(lambda: "held" == pit.table.control.ask(do="status")["state"])
    assert {"anchor-wiped", "uncovered"} == set(pit.alarms())
    assert {"shoe", "panel"} == {row["anchor"] for row in pit.notes("alarm")}


def test_a_device_that_replaces_another_has_no_register_and_that_is_a_note(pit: Pit) -> None:
    """A register that was never acknowledged under this key is none: the device is told the last head."""
    number = pit.until(shoe="agrees", panel="agrees")["panel"]
    rows = [row for row in pit.notes("register") if row["register"] == "panel"]
    assert ("none", number, []) == (rows[0]["verdict"], rows[-1]["number"], pit.alarms())


def test_a_device_that_moved_keeps_the_registers_of_its_tables(pit: Pit) -> None:
    """A panel with registers of other journals is judged by that of this one alone."""
    panel = pit.table.device("panel")
    for table in range(1, 4):
        panel.force(f"{table:02x}" * 16, 10**6, 10**7, "ab" * 32)
    pit.grown()
    assert [] == pit.alarms()
    assert 4 == len(panel.state()["registers"])


def test_a_register_beside_the_chain_is_found(pit: Pit) -> None:
    """The same head number with another digest: a journal that was forked."""
    number = pit.grown()
    journal = pit.table.device("shoe").state()["registers"][0]["journal"]
    pit.table.device("shoe").wipe()
    pit.table.device("shoe").force(journal, number - 1, 3, "cd" * 32)
    pit.restart()
    pit.until(shoe="beside", panel="agrees")
    assert {"put-back", "uncovered"} <= set(pit.alarms())


def test_a_register_that_is_too_high_is_set_aside_by_two_people(pit: Pit) -> None:
    """Set by a broken box: two people let it be, in a row; the device is not told to go down, and is not judged."""
    pit.grown()
    shoe = pit.table.device("shoe")
    journal = shoe.state()["registers"][0]["journal"]
    shoe.force(journal, 10**6, 10**7, "ab" * 32)
    pit.restart()
    pit.until(shoe="above", panel="agrees")
    assert "needs shift-manager" in pit.ask("pit-manager", do="set-register-aside", device="shoe")["refused"]
    assert "no register" in pit.ask("shift-manager", do="set-register-aside", device="panel")["refused"]
    number = pit.ask("shift-manager", do="set-register-aside", device="shoe")["number"]
    assert 10**6 == number
    confirm = {"do": "confirm-register-aside", "device": "shoe", "number": number}
    assert "another person" in pit.ask("shift-manager", **confirm)["refused"]
    assert "needs pit-manager" in pit.ask("dealer", **confirm)["refused"]
    assert "ok" in pit.ask("pit-manager", **confirm)
    (row,) = pit.notes("register-aside")
    assert ("Shift Manager", "Pit Manager", 10**6) == (row["by"], row["second"], row["number"])
    pit.restart()
    pit.until(shoe="aside", panel="agrees")
    assert 10**6 == shoe.state()["registers"][0]["number"]


def test_the_head_of_a_round_goes_out_when_the_round_is_over(seed: int) -> None:
    """Without a restart, and without anybody: both devices hold the head that was signed last."""
    file = min((ROOT / "tests/scenarios/mbs-blackjack-v6").glob("*.deal"))
    with SimTable(seed=seed) as table:
        play_text(file.read_text(encoding="utf-8"), file.name, GAMES, lambda header, _: Hardware(table, header))
        numbers = Pit(table).until(shoe="agrees", panel="agrees")
        rounds = table.control.ask(do="rounds")["rounds"]
    assert (True, 1) == (len(rounds) > 0, len(set(numbers.values())))
