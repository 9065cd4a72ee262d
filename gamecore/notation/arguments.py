"""The words after a statement's first word, read one by one.

1. `Words` hands out words from left to right as what they stand for: a card, a place, an amount. What does not fit
   raises `Wrong` with what was expected instead.
2. A place, and a kind of wager, is compared with the layout where it is read. One that this layout does not have is
   `Beyond`: the sentence is well formed, but the table does not have that.
3. Cards lie at hands (``3.2``), chips at betting spots (``3/1``): a statement asks for the kind of place it means.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from gamecore.model.cards import Card, CardError, card
from gamecore.model.money import MoneyError, cents
from gamecore.model.places import BURN, DEALER, DISCARD, Place, PlaceError, place
from gamecore.notation import words as vocabulary
from gamecore.notation.layout import Layout

_NUMBER = re.compile(r"[0-9]{1,9}")
_NET = re.compile(r"([+-]?)([0-9]{1,9})(?:\.([0-9]{2}))?")


class Wrong(Exception):  # noqa: N818  it is caught beside its statement and never leaves the parser
    """A word that does not fit; the message says what was expected."""


class Beyond(Exception):  # noqa: N818  as above
    """A place or kind that is not on this layout."""


def one_of(word: str, known: Sequence[str], what: str) -> str:
    """The word, if it is one of the known ones."""
    if word in known:
        return word
    raise Wrong(f"'{word}' is no {what}: {nearest(word, known)}expected one of {', '.join(known)}")


def nearest(word: str, known: Iterable[str]) -> str:
    """``did you mean 'stand'? `` for the known word that looks most like this one, or nothing."""
    close = difflib.get_close_matches(word[:40].lower(), list(known), n=1)
    return f"did you mean '{close[0]}'? " if close else ""


class Words:
    """The words of one statement."""

    def __init__(self, words: Sequence[str], layout: Layout) -> None:
        """Start at the first of the words."""
        self._words = words
        self._at = 0
        self.layout = layout

    @property
    def more(self) -> bool:
        """Whether words are left."""
        return self._at < len(self._words)

    def word(self, what: str) -> str:
        """The next word, whatever it is; `what` says what was expected if there is none."""
        if not self.more:
            raise Wrong(f"{what} is missing")
        self._at += 1
        return self._words[self._at - 1]

    def accept(self, word: str) -> bool:
        """Take the next word if it is this one."""
        if self.more and self._words[self._at] == word:
            self._at += 1
            return True
        return False

    def peek(self) -> str:
        """The next word without taking it; empty if none is left."""
        return self._words[self._at] if self.more else ""

    def end(self) -> None:
        """Refuse words that are left."""
        if self.more:
            raise Wrong(f"'{self._words[self._at]}' is too much")

    # --- what a word can stand for ---------------------------------------------------------------------------------

    def card(self) -> Card:
        """A card."""
        return _card(self.word("a card"))

    def cards(self) -> tuple[Card, ...]:
        """All words that are left, as cards."""
        found: list[Card] = []
        while self.more:
            found.append(self.card())
        return tuple(found)

    def hand(self) -> Place:
        """Where cards lie: BOX[.HAND], dealer, burn or discard."""
        word = self.word("a place")
        found = _place(word)
        if found.slot:
            raise Wrong(f"'{word}' names a wager: cards lie at BOX[.HAND] such as 3 or 3.2, dealer, burn or discard")
        return self._on_layout(found)

    def spot(self, default_slot: int = 0) -> Place:
        """Where chips lie and who decides: BOX[.HAND][/SLOT]."""
        found = self._on_layout(self._box_place())
        return found._replace(slot=found.slot or default_slot)

    def asked(self) -> str:
        """Who is asked: BOX[/SLOT], somebody of the house, or a Player by name."""
        return str(self.spot()) if self.peek()[:1].isdigit() else self.word("who is asked")

    def box(self) -> int:
        """A box."""
        found = self._box_place()
        if found.hand or found.slot:
            raise Wrong(f"'{found}' is more than a box: expected its number alone, such as {found.box}")
        return self._on_layout(found).box

    def place(self) -> Place:
        """Any place."""
        return self._on_layout(_place(self.word("a place")))

    def amount(self) -> int:
        """An amount above zero, in cents."""
        try:
            return cents(self.word("an amount"))
        except MoneyError as error:
            raise Wrong(str(error)) from error

    def net(self) -> int:
        """What a wager won or lost, in cents."""
        word = self.word("what the wager won or lost")
        match = _NET.fullmatch(word)
        if match is None:
            raise Wrong(f"'{word}' is no result in money: expected +150, -12.50 or 0")
        value = int(match[2]) * 100 + int(match[3] or 0)
        return -value if match[1] == "-" else value

    def number(self, what: str, least: int = 0) -> int:
        """A whole number."""
        word = self.word(what)
        if _NUMBER.fullmatch(word) is None or int(word) < least:
            raise Wrong(f"'{word}' is not {what}: expected a whole number from {least}")
        return int(word)

    def kind(self) -> str:
        """A kind of wager that has a place on this layout."""
        word = self.word("a kind of wager")
        if word not in self.layout.kinds:
            kinds = ", ".join(self.layout.kinds)
            hint = nearest(word, self.layout.kinds)
            raise Beyond(f"'{word}' has no place on the layout of {self.layout.game}: {hint}it has {kinds}")
        return word

    def known(self, known: Sequence[str], what: str) -> str:
        """One of the known words."""
        return one_of(self.word(f"{what} ({', '.join(known)})"), known, what)

    def device(self) -> str:
        """A device that the game knows, or one of another maker."""
        word = self.word(f"device ({', '.join(vocabulary.DEVICES)})")
        return word if vocabulary.is_another_makers(word) else one_of(word, vocabulary.DEVICES, "device")

    def name(self) -> str:
        """A Player's name: one word."""
        return self.word("a Player's name")

    # --- places ----------------------------------------------------------------------------------------------------

    def _box_place(self) -> Place:
        word = self.word("a box")
        found = _place(word)
        if found in (DEALER, BURN, DISCARD):
            raise Wrong(f"'{word}' is no box: expected BOX[.HAND][/SLOT] such as 3, 3.2 or 3/1")
        return found

    def _on_layout(self, found: Place) -> Place:
        if found.box > self.layout.boxes:
            raise Beyond(f"there is no box {found.box}: this table has boxes 1 to {self.layout.boxes}")
        if self.layout.slots is not None and found.slot > self.layout.slots:
            most = self.layout.slots
            raise Beyond(f"box {found.box} has no place for wager {found.slot}: a box holds up to {most} wagers")
        return found


def _card(word: str) -> Card:
    try:
        return card(word)
    except CardError as error:
        raise Wrong(str(error)) from error


def _place(word: str) -> Place:
    try:
        return place(word)
    except PlaceError as error:
        raise Wrong(str(error)) from error
