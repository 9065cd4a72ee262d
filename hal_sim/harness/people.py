"""The people of a simulated table with roles.

1. One for each role, with a PIN that the harness shows: it is for trying out. The kept form of a PIN is made as at a
   real table, which takes its tenth of a second; it is made once.
2. Besides them there is the keeper, who stands for everybody when a scenario or the robot plays. His PIN is random and
   shown nowhere.
"""

from __future__ import annotations

import secrets
from functools import cache
from typing import NamedTuple

from firmware_bridge.people.roles import ROLES, SHIFT_MANAGER, Person, make_pin
from hal_sim.table import Keeper

PINS = ("1111", "2222", "3333", "4444", "5555", "6666")
KEEPER = "the simulator"


class Demo(NamedTuple):
    """Somebody who can be tried out."""

    name: str
    role: str
    pin: str


DEMO = tuple(Demo(role.replace("-", " ").title(), role, pin) for role, pin in zip(ROLES, PINS, strict=True))


@cache
def staff() -> tuple[tuple[Person, ...], Keeper]:
    """The people as a configuration has them, and the keeper."""
    keeper = Keeper(KEEPER, secrets.token_hex(8))
    people = [Person(demo.name, demo.role, make_pin(demo.pin)) for demo in DEMO]
    return (*people, Person(keeper.name, SHIFT_MANAGER, make_pin(keeper.pin))), keeper
