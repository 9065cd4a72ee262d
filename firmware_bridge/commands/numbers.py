"""Whole numbers on the command line: what is out of bounds is wrong usage, and the message names the bounds."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number between bounds."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            message = f"expected a whole number from {least} to {most}, got {text!r}"
            raise argparse.ArgumentTypeError(message)
        return value

    return number
