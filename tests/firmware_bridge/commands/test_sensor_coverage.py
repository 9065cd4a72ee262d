"""Which clauses the fitted sensors cover."""

from __future__ import annotations

import pytest

from firmware_bridge.commands.documents.sensor_coverage import CARRIERS, NEEDS, coverage
from gamecore.model.config import SENSORS
from gamecore.notation.words import ALL_FITTED, DEVICES
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES


def test_every_code_and_every_sensor_is_known() -> None:
    """A code or sensor that is added is missed here."""
    assert set(CODES) == set(NEEDS)
    assert set(SENSORS) == set(CARRIERS)
    assert {sensor for sets in NEEDS.values() for needed in sets for sensor in needed} <= set(SENSORS)
    assert {device for devices in CARRIERS.values() for device in devices} <= set(DEVICES)


@pytest.mark.parametrize("game", GAMES)
def test_all_sensors_see_all_but_what_a_person_must(game: str) -> None:
    """Somebody who has left, and what no clause covers."""
    assert {"absent-player", "uncovered"} == {one.code for one in coverage(game, ALL_FITTED) if not one.covered}


@pytest.mark.parametrize("game", GAMES)
def test_each_code_has_the_clauses_of_its_rulings(game: str) -> None:
    """None is without one."""
    assert [] == [one.code for one in coverage(game, ()) if not one.clauses]


def test_what_is_missing_is_named() -> None:
    """The least that would have to be added."""
    found = {one.code: one for one in coverage("mbs-blackjack-v6", ("shoe", "panel"))}
    assert (False, "positions", ("5.6.1", "5.6.2", "6.1")) == (
        found["misdealt-card"].covered,
        found["misdealt-card"].missing,
        tuple(sorted(found["misdealt-card"].clauses)),
    )
    assert (False, "bets") == (found["late-wager"].covered, found["late-wager"].missing)
    assert (True, "") == (found["double-draw"].covered, found["double-draw"].missing)
