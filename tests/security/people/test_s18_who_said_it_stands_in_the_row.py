"""S18: who gave a command, in which role, and whether a finding was sensed or told, stands in row and record."""

from __future__ import annotations

import csv
import io
import sqlite3
from pathlib import Path

import pytest

from drivers.panel.messages import KeySwitch, Press
from drivers.wire import Spot
from firmware_bridge.journal import schema
from firmware_bridge.journal.chain import Row
from firmware_bridge.pump.record_writer import RecordWriter, StalledError
from gamecore.model.events import events as ev
from tests.firmware_bridge.audit.conftest import Command
from tests.firmware_bridge.audit.conftest import truedeal as truedeal  # noqa: PLC0414  a fixture
from tests.firmware_bridge.audit.journals import HEAD, LOAD, House, made
from tests.firmware_bridge.table_with_roles import Post, at_post

PLACE_BETS, CALL = "bets", "call"


def said(post: Post) -> list[tuple[str | None, ...]]:
    """What is in the journal as said or pressed: who, in which role, how."""
    rows = [row for row, _ in post.journal.rows() if row.kind == schema.EVENT]
    return [(row.body, row.person, row.role, row.how) for row in rows]


def test_a_command_names_who_gave_it(tmp_path: Path) -> None:
    """In its own row, and no other row says so."""

    async def scene(post: Post) -> None:
        dealer, manager = await post.client("dealer"), await post.client("shift-manager")
        assert {"ok": True} == await dealer.ask("say", statement="place-bets")
        assert {"ok": True} == await manager.ask("say", statement="seat 1 Zoe")
        assert [("the dealer", "dealer", "told"), ("the shift-manager", "shift-manager", "told")] == [
            one[1:] for one in said(post)
        ]
        assert [] == [note for note in post.notes() if "by" in note]

    at_post(tmp_path, scene)


def test_what_never_happened_names_nobody_for_what_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk a command is refused; the next one belongs to the person who said it."""

    async def scene(post: Post) -> None:
        dealer, manager = await post.client("dealer"), await post.client("shift-manager")
        with monkeypatch.context() as patch:

            def full(*_: object) -> tuple[int, str]:
                raise StalledError("the disk is full")

            patch.setattr(RecordWriter, "write", full)
            assert "refused" in await manager.ask("say", statement="seat 1 Zoe")
        post.pump.process_queue()
        assert {"ok": True} == await dealer.ask("say", statement="place-bets")
        assert [('{"is":"PlaceBets"}', "the dealer", "dealer", "told")] == said(post)
        assert [] == [note for note in post.notes() if "Zoe" in str(note)]

    at_post(tmp_path, scene)


def test_a_press_is_the_panels_and_the_key_switch_says_the_role(tmp_path: Path) -> None:
    """Nobody knows a name."""

    async def scene(post: Post) -> None:
        await post.says("panel", Press(1, PLACE_BETS, 0, Spot(0), 0))
        await post.says("panel", Press(1, CALL, 0, Spot(0), 0))
        await post.says("panel", KeySwitch(on=True))
        await post.says("panel", Press(1, CALL, 3, Spot(0), 0))  # the report is retracted
        rows: list[Row] = [row for row, _ in post.journal.rows() if row.person is not None]
        assert [*[("panel", "dealer", "panel")] * 2, ("panel", "pit-supervisor", "key")] == [
            (row.person, row.role, row.how) for row in rows
        ]

    at_post(tmp_path, scene)


def test_a_finding_says_whether_it_was_told_and_by_whom(tmp_path: Path) -> None:
    """And so does every word about it."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        await dealer.ask("say", statement="place-bets")
        await dealer.ask("say", statement="call foreign-card")
        await (await post.client("pit-manager")).ask("say", statement="approve pit-manager")
        post.pump.process_queue()
        with sqlite3.connect(post.journal.path) as connection:
            findings = connection.execute("SELECT code, how, person, role FROM findings").fetchall()
            rulings = connection.execute("SELECT who, what, person, role FROM rulings").fetchall()
        assert [("foreign-card", "told", "the dealer", "dealer")] == findings
        assert [
            ("console", "call foreign-card", "the dealer", "dealer"),
            ("pit-manager", "approve pit-manager", "the pit-manager", "pit-manager"),
        ] == rulings

    at_post(tmp_path, scene)


@pytest.mark.parametrize("ends", [True, False])
def test_what_the_daemon_itself_calls_is_the_daemons(tmp_path: Path, truedeal: Command, *, ends: bool) -> None:
    """A damaged journal, a program that is not the signed one: no Dealer has erred or spoken, on or over."""

    def play(house: House) -> None:
        house.plays(HEAD + LOAD + "place-bets\nbet 1 main 100\nno-more-bets\n")
        house.pump.report_damage("a damaged journal was set aside")
        house.pump.process_queue()
        if ends:
            house.happens(ev.Answer("house", ("void",)))

    made(tmp_path / "state", play)
    (line,) = csv.DictReader(io.StringIO(truedeal("export", tmp_path / "state", "--format", "findings-csv")[1]))
    assert ("uncovered", "device", "daemon", "") == (line["code"], line["whose"], line["how"], line["by"])
