"""The people of a simulated table with roles.

1. There is one for each role, with a PIN that the harness shows: it is for trying out. The kept form of a PIN is made
   as at a real table, which takes about a tenth of a second; it is made once.
2. Two keepers, both shift managers, stand for everybody else when a scenario or the robot plays: one speaks, the other
   approves and clears. Their PINs are random and shown nowhere.
"""

from __future__ import annotations

import secrets
from functools import cache
from typing import NamedTuple

from firmware_bridge.people.accounts.roles import ROLES, SHIFT_MANAGER, Person, make_pin
from hal_sim.table.sim_table import Keeper

PINS = ("1111", "2222", "3333", "4444", "5555", "6666")
KEEPERS = ("the simulator", "the simulator's second")


class Demo(NamedTuple):
    """Somebody who can be tried out."""

    name: str
    role: str
    pin: str


DEMO = tuple(Demo(role.replace("-", " ").title(), role, pin) for role, pin in zip(ROLES, PINS, strict=True))


@cache
def staff() -> tuple[tuple[Person, ...], tuple[Keeper, ...]]:
    """The people as a configuration has them, and the keepers."""
    keepers = tuple(Keeper(name, secrets.token_hex(8)) for name in KEEPERS)
    people = [Person(demo.name, demo.role, make_pin(demo.pin)) for demo in DEMO]
    return (*people, *(Person(one.name, SHIFT_MANAGER, make_pin(one.pin)) for one in keepers)), keepers
