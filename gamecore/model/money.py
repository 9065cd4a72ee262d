"""Money, exact to the cent.

1. An amount is a whole number of cents. No float comes near it.
2. Odds are a pair of whole numbers: 3 to 2 is ``Odds(3, 2)``.
3. A payment that does not come out in whole cents is rounded half up to the cent, once, on the row of the settlement.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_AMOUNT = re.compile(r"([0-9]{1,9})(?:\.([0-9]{2}))?")


class MoneyError(ValueError):
    """A text that is not an amount of money."""


def cents(text: str) -> int:
    """The amount written as dollars, ``25`` or ``12.50``, in cents.

    Raises:
        MoneyError: the text is no amount above zero in dollars and cents.
    """
    match = _AMOUNT.fullmatch(text)
    amount = int(match[1]) * 100 + int(match[2] or 0) if match else 0
    if amount <= 0:
        message = f"'{text}' is no amount: expected dollars above zero and below a billion, such as 25 or 12.50"
        raise MoneyError(message)
    return amount


def dollars(amount: int) -> str:
    """The amount with two decimals, ``-12.50``."""
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def signed(amount: int) -> str:
    """The amount with its sign, ``+12.50``; nothing won or lost is ``0.00``."""
    return f"+{dollars(amount)}" if amount > 0 else dollars(amount)


@dataclass(frozen=True, slots=True)
class Odds:
    """What a winning wager pays: `win` for each `stake`."""

    win: int
    stake: int = 1

    def pays(self, amount: int) -> int:
        """What a wager of `amount` wins, rounded half up to the cent."""
        return (2 * amount * self.win + self.stake) // (2 * self.stake)

    def __str__(self) -> str:
        """The odds as the pay tables print them."""
        return f"{self.win} to {self.stake}"


HALF = Odds(1, 2)
