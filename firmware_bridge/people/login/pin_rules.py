"""Which PINs may be chosen, and when one is too old.

1. A PIN has six digits or more. It must not be one that people guess first: it has no digit three times in a row, no
   four digits that count up or down, no staff number and no year in it, and is not one piece repeated.
2. A person whose PIN is `WARNED` days old is warned. A PIN that is `RENEWED` days old, or was given by somebody else,
   is exchanged at the next login; in a round its owner is let in all the same, for nobody may be kept from a table.
3. No text here repeats a PIN.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

from firmware_bridge.people.accounts.roles import LONGEST, Person
from firmware_bridge.texts.denials import Denial, Ground, deny

FEWEST = 6
WARNED, RENEWED = 90, 120
"""Days."""
_SHORTEST_NUMBER = 4  # a shorter staff number may stand in a longer PIN by chance
_REPEATED = re.compile(r"(.+)\1+")
_THRICE = re.compile(r"(.)\1\1")
_YEAR = re.compile(r"19\d\d|20\d\d")
_RUN = 4


def weakness(pin: str, number: str) -> Denial | None:
    """Why the person with a staff number may not have a PIN; None if they may."""
    if not (pin.isascii() and pin.isdigit() and FEWEST <= len(pin) <= LONGEST):
        return deny(Ground.PIN_LENGTH, least=FEWEST, most=LONGEST)
    if _THRICE.search(pin) or _REPEATED.fullmatch(pin):
        return deny(Ground.PIN_REPEATS)
    if _counts(pin):
        return deny(Ground.PIN_COUNTS, count=_RUN)
    digits = "".join(filter(str.isdigit, number))
    if digits and (pin.strip("0") == digits.strip("0") or (len(digits) >= _SHORTEST_NUMBER and digits in pin)):
        return deny(Ground.PIN_IS_NUMBER)
    if _YEAR.search(pin):
        return deny(Ground.PIN_HAS_YEAR)
    return None


def _counts(pin: str) -> bool:
    """Whether some digits count up or down, beyond 9 as well."""
    steps = "".join({1: "u", 9: "d"}.get((int(after) - int(before)) % 10, "-") for before, after in pairwise(pin))
    return "u" * (_RUN - 1) in steps or "d" * (_RUN - 1) in steps


def age(person: Person, today: date) -> int:
    """How many days ago a PIN was chosen; 0 where nobody knows."""
    return (today - date.fromisoformat(person.pin_set)).days if person.pin_set else 0


def due(person: Person, today: date) -> Denial | None:
    """Why somebody must choose another PIN; None if they need not."""
    if person.given:
        return deny(Ground.PIN_WAS_GIVEN)
    days = age(person, today)
    return deny(Ground.PIN_TOO_OLD, days=days) if days >= RENEWED else None


def warning(person: Person, today: date) -> Denial | None:
    """What somebody should know of their PIN; None if nothing."""
    days = age(person, today)
    soon = deny(Ground.PIN_GROWS_OLD, days=days, most=RENEWED) if days >= WARNED else None
    return due(person, today) or soon
