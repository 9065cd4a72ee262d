"""Permissions: every ruling has a role, and every statement somebody who may say it."""

from __future__ import annotations

import argparse

import pytest

from firmware_bridge.commands.documents import reference
from firmware_bridge.people.accounts.roles import LADDER, ROLES
from firmware_bridge.people.authority import AUTHORITY
from firmware_bridge.people.permissions import allows, needed, to_clear
from firmware_bridge.pump.items import NewTable
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.parser import parse
from gamecore.rules.codes import CODES, RULINGS
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES
from gamecore.table import Table
from tests.firmware_bridge.positions import table_after

HEADER = parse("game: mbs-blackjack-v6\n\n", GAMES).header


@pytest.fixture
def table() -> Table:
    """Return a table before its first round."""
    return table_after("\n")


def who(what: object, table: Table) -> list[str]:
    """Return the roles that may say something."""
    return [role for role in ROLES if allows(role, needed(what, table))]


def test_every_ruling_of_every_matrix_has_a_role() -> None:
    """What is ruled always has somebody who stands behind it."""
    ruled = {
        cell.ruling for matrix in MATRICES.values() for row in matrix for cell in row.cells.values() if cell.ruling
    }
    assert set(RULINGS) == set(AUTHORITY)
    assert ruled <= set(AUTHORITY)
    assert set(AUTHORITY.values()) <= set(LADDER)


@pytest.mark.parametrize(
    ("what", "lowest"),
    [
        (ev.PlaceBets(), "dealer"),
        (ev.Hit(Place(1)), "dealer"),
        (ev.Call("uncovered"), "dealer"),
        (ev.Answer("3", ("accept",)), "dealer"),
        (ev.Answer("all", ("continue",)), "dealer"),
        (ev.Answer("pit", ("shuffled",)), "pit-supervisor"),
        (ev.Answer("house", ("continue",)), "shift-manager"),
        (ev.Approve("pit-supervisor"), "pit-supervisor"),
        (ev.Approve("pit-manager"), "pit-manager"),
        (ev.Approve("shift-manager"), "shift-manager"),
        (ev.CannotReconstruct(), "pit-supervisor"),
    ],
)
def test_a_statement_needs_its_role_or_a_higher_one(table: Table, what: object, lowest: str) -> None:
    """Surveillance and engineer say nothing of the game."""
    assert list(LADDER[LADDER.index(lowest) :]) == who(what, table)


def test_another_table_is_for_the_shift_manager(table: Table) -> None:
    """Nobody else puts one in place; an engineer may propose it."""
    assert ["shift-manager"] == who(NewTable(HEADER, ""), table)


def test_who_says_that_cards_lie_as_ruled_follows_from_the_ruling() -> None:
    """A reconstruction is the supervisor's to confirm; what is referred, the shift manager's."""
    text = "fresh: no\nshoe: KD 5C 9H 4S\n\nplace-bets\nbet 1 main 50\nbet 2 main 50\nno-more-bets\ndraw 2\n"
    held = table_after(text)
    assert ["reconstruct"] == [matter.finding.ruling for matter in held.view().matters]
    assert ["pit-supervisor", "pit-manager", "shift-manager"] == who(ev.Reconstructed(), held)
    referred = table_after("fresh: no\n\nplace-bets\ncall uncovered\n")
    assert ["shift-manager"] == who(ev.CannotReconstruct(), referred)


@pytest.mark.parametrize("code", CODES)
def test_an_alarm_is_never_the_dealers_to_clear(code: str) -> None:
    """The engineer clears what a device has caused, besides who stands behind the ruling."""
    for ruling in RULINGS:
        roles = to_clear(code, ruling)
        assert not allows("dealer", roles)
        assert allows("shift-manager", roles)
        assert (code in {"link-lost", "power-failure"}) is allows("engineer", roles)
        assert not allows("surveillance", roles)


def test_the_printed_matrix_says_who_stands_behind_each_ruling(capsys: pytest.CaptureFixture[str]) -> None:
    """What needs whose approval is not in the code alone."""
    assert 0 == reference.run_rulings(argparse.Namespace(game="mbs-blackjack-v6", json=False))
    listed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [] == [ruling for ruling, role in AUTHORITY.items() if [ruling, role] not in listed]
