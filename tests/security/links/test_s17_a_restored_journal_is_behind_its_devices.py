"""S17, S02: a journal is restored that the shoe has overtaken: its cards are gone, and everybody is told.

The shoe drops what was acknowledged. A journal from before that asks for events which nobody has any more.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from firmware_bridge.commands.service import doctor
from hal_sim.harness.sample_people import staff
from hal_sim.table.sim_table import SimTable
from tests.firmware_bridge.restarted_daemon import all_rows
from tests.patience import eventually
from tests.security.journal.test_s02_devices_know_how_far_the_journal_had_come import Pit


def test_cards_that_an_earlier_journal_does_not_have_are_missed(seed: int, tmp_path: Path) -> None:
    """The gap is a row, the shoe's register is above; alarms stand, no round begins, and `doctor` names both."""
    table = SimTable(tmp_path / "table", seed, usb=False, names=("shoe", "panel"))
    table.staff(*staff())
    with table:
        pit, shoe = Pit(table), table.device("shoe")
        pit.grown()
        table.stop_daemon()
        shutil.copytree(table.state_path, tmp_path / "before")
        table.start_daemon()
        table.wait_up()
        for card in ("9H", "KD", "2C"):
            shoe.wait_acknowledged(shoe.event("CardOut", card=card, gap_ms=1000))
        pit.grown()
        pit.restart(tmp_path / "before")
        pit.until(shoe="above", panel="above")
        eventually(lambda: {"put-back", "uncovered"} <= set(pit.alarms()))
        assert "refused" in pit.ask("dealer", do="say", statement="place-bets")
        found = doctor.examine(str(table.control_path))
        table.stop_daemon()
        rows = [row.body or "" for row in all_rows(table.state_path) if row.device == "shoe" and row.kind == "note"]
    assert [1] == [sum("fault events-lost: the device keeps events from" in row for row in rows)]
    wrong = {(check.name, check.said.split()[0]) for check in found if check.well is False}
    assert {("register of shoe", "above:"), ("alarm", "put-back"), ("alarm", "uncovered")} <= wrong
