"""S04: no engineer alone takes sensors and limits off a table: only what is configured, and another person confirms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.daemon.startup import open_books
from firmware_bridge.journal import schema
from firmware_bridge.people.accounts.roles import LEAST, Person, make_pin
from firmware_bridge.people.table_changes import LASTS
from firmware_bridge.pump.items import CONSOLE, Item, NewTable, entry
from firmware_bridge.setup.config import Config, load
from firmware_bridge.setup.problems import ConfigError
from gamecore.model.events import events as ev
from gamecore.notation.parser import parse
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from tests.firmware_bridge.control_socket_rig import AT
from tests.firmware_bridge.table_with_roles import HEADER, Post, at_post

BARE = "game: mbs-blackjack-v6\nlimits: main 1-10000000\nsensors: shoe panel"
HIGH = parse("game: mbs-pontoon-v5\nlimits: main 100-10000\nconfirm: yes\n\n", GAMES).header
ONE_TABLE = """[table]
game = "mbs-blackjack-v6"
state = "/var/lib/td"
control = "/run/td.sock"
[devices]
[[tables]]
name = "high"
game = "mbs-pontoon-v5"
limits = {main = "100-10000"}
"""


def test_a_header_of_ones_own_is_refused(tmp_path: Path) -> None:
    """Whatever the role, between rounds and in one; each word stands in a row, and the table is as configured."""

    async def scene(post: Post) -> None:
        for role in ("engineer", "shift-manager", "dealer"):
            client = await post.client(role)
            assert "only a table that is configured" in str((await client.ask("table", header=BARE))["refused"])
        assert "mbs-blackjack-v6" == post.pump.header.game

    at_post(tmp_path, scene)


def test_one_proposes_and_another_confirms_between_rounds(tmp_path: Path) -> None:
    """Nobody does both, no other role does either, and a proposal does not wait for ever."""

    async def scene(post: Post) -> None:
        assert post.guard is not None
        post.guard.tables.known = {"high": HIGH}
        dealer, engineer, shift = [await post.client(role) for role in ("dealer", "engineer", "shift-manager")]
        assert "needs engineer or shift-manager" in str((await dealer.ask("table", name="high"))["refused"])
        assert "no table is configured as 'low'" in str((await engineer.ask("table", name="low"))["refused"])
        for _ in range(2):
            assert {"ok": True} == await engineer.ask("table", name="high")  # proposed, and once more
        assert "mbs-blackjack-v6" == post.pump.header.game
        told = await shift.ask("table")
        assert (["high"], "high", "the engineer") == (told["tables"], told["proposed"], told["by"])
        manager = await post.client("pit-manager")
        assert "needs shift-manager" in str((await manager.ask("table", name="high"))["refused"])
        await dealer.ask("say", statement="place-bets")
        assert "round 1 is on" in str((await shift.ask("table", name="high"))["refused"])
        await dealer.ask("say", statement="take-back")
        post.now += LASTS
        assert {"ok": True} == await shift.ask("table", name="high")  # too late: it is a proposal of their own
        assert "needs shift-manager" in str((await engineer.ask("table", name="high"))["refused"])
        assert "mbs-blackjack-v6" == post.pump.header.game

    at_post(tmp_path, scene)


def test_what_was_confirmed_is_in_place_with_both_names_in_the_rows(tmp_path: Path) -> None:
    """A note of the proposal, and the row of the table."""

    async def scene(post: Post) -> None:
        assert post.guard is not None
        post.guard.tables.known = {"high": HIGH}
        await (await post.client("engineer")).ask("table", name="high")
        assert {"ok": True} == await (await post.client("shift-manager")).ask("table", name="high")
        assert "mbs-pontoon-v5" == post.pump.header.game
        assert {"table-proposed": "high", "by": "the engineer", "role": "engineer"} in post.notes()
        (row,) = [row for row, _ in post.journal.rows() if row.kind == schema.TABLE]
        assert ("the shift-manager", write_header(HIGH)) == (row.person, row.body)
        assert post.guard.tables.proposal is None

    at_post(tmp_path, scene)


def test_a_start_brings_the_configured_table_again(tmp_path: Path) -> None:
    """Between rounds at once; a round in play is played out under its own header."""
    boot = tmp_path / "boot"
    boot.write_text("one\n", encoding="ascii")
    ann = Person("ann", "shift-manager", make_pin("4711 is it", LEAST))
    configured = replace(HEADER, confirm=True)
    config = Config(configured, tmp_path / "state", tmp_path / "c", (), boot, roles=(ann,))

    def first(*more: object) -> list[object]:
        """Start, let more happen, end; what the start does first."""
        opened = open_books(config, AT)
        journal, books = opened.books.journal, opened.books
        items = [*opened.first, *(Item(CONSOLE, one) for one in more)]
        books.journal.append([entry(AT, 0, item, item.what) for item in items])  # type: ignore[arg-type]
        journal.close()
        return [item.what for item in opened.first if isinstance(item.what, NewTable)]

    header = replace(HIGH, fresh=False)
    other = NewTable(header, write_header(header))
    assert [] == first(other)
    assert [NewTable(configured, write_header(configured))] == first(other, ev.PlaceBets())
    assert [] == first()


def test_the_configuration_names_them(tmp_path: Path) -> None:
    """Each by its own name, and with confirmation as the first."""
    path = tmp_path / "table.toml"
    path.write_text(ONE_TABLE, encoding="utf-8")
    assert {"high": HIGH} == load(path).tables
    wrong = ONE_TABLE + '[[tables]]\nname = "high"\ngame = "mbs-whist"\nopen = true\nconfirm = false\n'
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load(path)
    assert all(key in str(error.value) for key in ("tables.2.open", "tables.2.confirm", "tables.2.game"))
