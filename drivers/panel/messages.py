"""What the dealer's panel says and is told.

1. Each press has a number of its own, so that one press is told from two.
2. The panel knows no rules. It tells the button, and box, option and amount where the person said them; 0 = not said.
3. The panel shows what it was last told.
4. A line of text is at most 40 characters of ISO 8859-1. `fitted` makes any text such a line.
5. A panel that can show other scripts, Chinese above all, says so by the bit `UNICODE` of its capabilities. It is told
   `UnicodeText` instead of `Text`: at most 40 characters and 104 bytes a line. The panel knows how wide a character is.
6. One with the bit `ANCHORS` keeps registers of journals (`drivers.anchors`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from drivers.anchors import Anchor, Anchored
from drivers.messages import Catalogue, Message
from drivers.wire import BOOL, HIGHEST_BOX, SPOT, U8, U32, U64, Spot, choice, levels, text, unicode_text

BUTTONS = (
    "bets",
    "offer",
    "close",
    "interim",
    "hit",
    "stand",
    "double",
    "split",
    "free-double",
    "free-split",
    "surrender",
    "insure",
    "collect",
    "pay",
    "settle",
    "done",
    "call",
)
LAMP_OFF = 0
LAMP_STEADY = 1
LAMP_BLINK = 2
LINE_LENGTH = 40
LINE_BYTES = 104
UNICODE = 1
"""Bit 0 of the capabilities: the display shows any script."""


def fitted(line: str) -> str:
    """Return the text as the display can show it: cut at 40 characters, `?` for what it has no character for."""
    shown = line[:LINE_LENGTH].encode("latin-1", "replace").decode("latin-1")
    return "".join(character if character.isprintable() else "?" for character in shown)


def fitted_unicode(line: str) -> str:
    """Return the text as a display for any script can show it: cut, and `?` for what no display has."""
    shown = "".join(character if character.isprintable() else "?" for character in line[:LINE_LENGTH])
    return shown.encode("utf-8", "replace")[:LINE_BYTES].decode("utf-8", "ignore")


@dataclass(frozen=True, slots=True)
class Press(Message):
    """A button was pressed."""

    IDENT: ClassVar[int] = 0x40
    press: Annotated[int, U32, "the number of this press"]
    button: Annotated[str, choice(*BUTTONS), "which button"]
    option: Annotated[int, U8, "what else was chosen, such as which offer"]
    place: Annotated[Spot, SPOT, "the box, hand and slot that were chosen"]
    amount: Annotated[int, U64, "cents that were keyed in"]


@dataclass(frozen=True, slots=True)
class KeySwitch(Message):
    """The supervisor's key switch was turned."""

    IDENT: ClassVar[int] = 0x41
    on: Annotated[bool, BOOL, "whether it is on now"]


@dataclass(frozen=True, slots=True)
class Lamps(Message):
    """Light the lamps of the boxes."""

    IDENT: ClassVar[int] = 0xC0
    lamps: Annotated[
        tuple[int, ...],
        levels(longest=HIGHEST_BOX, highest=LAMP_BLINK),
        "one for each box, box 1 first: 0 off, 1 steady, 2 blinking; lamps not named are off",
    ]


@dataclass(frozen=True, slots=True)
class Text(Message):
    """Show two lines of text."""

    IDENT: ClassVar[int] = 0xC1
    upper: Annotated[str, text(LINE_LENGTH), "the upper line"]
    lower: Annotated[str, text(LINE_LENGTH), "the lower line"]


@dataclass(frozen=True, slots=True)
class Alarm(Message):
    """Sound the alarm or end it."""

    IDENT: ClassVar[int] = 0xC2
    on: Annotated[bool, BOOL, "whether it sounds"]


@dataclass(frozen=True, slots=True)
class UnicodeText(Message):
    """Show two lines of text in any script; only to a panel with bit 0 in its capabilities."""

    IDENT: ClassVar[int] = 0xC3
    upper: Annotated[str, unicode_text(LINE_LENGTH, LINE_BYTES), "the upper line"]
    lower: Annotated[str, unicode_text(LINE_LENGTH, LINE_BYTES), "the lower line"]


CATALOGUE = Catalogue("panel", events=(Press, KeySwitch, Anchored), commands=(Lamps, Text, Alarm, UnicodeText, Anchor))
