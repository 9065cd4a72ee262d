"""The bench of the Angel Eye style shoe: the device's end of the wire for the contract suite.

1. It tells cards, cards outside the game flow and the cutting card in turn. Two cards that follow each other differ.
2. It keeps nothing: what happens while the cable is out is gone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from drivers.angel_eye.encoder import Encoder
from drivers.angel_eye.messages import OutsideFlow
from drivers.driver import Settings
from drivers.messages import Message
from drivers.shoe.messages import CardOut, CuttingCard
from drivers.wire import RANKS, SUITS

CARDS = [rank + suit for suit in SUITS for rank in RANKS]


class AngelEyeBench:
    """A shoe that only speaks."""

    keeps = False
    patience = None
    acknowledged = 0
    commands: Sequence[Message] = ()
    commanded: Sequence[Message] = ()

    def __init__(self) -> None:
        self.settings = Settings(
            "angel-eye",
            "BENCH-AE",
            authenticated=False,
            expected=1,
            options={"sequence": "digits", "confirmed": "yes"},
        )
        self._encoder = Encoder()
        self._cards = random.Random("angel-eye").sample(CARDS, len(CARDS))
        self._happened = 0
        self._plugged = False
        self._out = b""

    def happen(self, now: float) -> Message:  # noqa: ARG002  the device has no clock
        """Deal a card; every fifth outside the game flow, every seventh is the cutting card."""
        turn = self._happened
        self._happened += 1
        card = self._cards[turn % len(self._cards)]
        if turn % 7 == 6:
            message: Message = CuttingCard()
            data = self._encoder.cutting_card()
        elif turn % 5 == 4:
            message = OutsideFlow(card, "locked")
            data = self._encoder.outside(card)
        else:
            message = CardOut(card, gap_ms=0, face_up=False)
            data = self._encoder.card(card)
        if self._plugged:
            self._out += data
        return message

    def essence(self, message: Message) -> Message | None:
        """Return what is compared: everything, but what the driver itself tells as doubtful or cannot read."""
        return message if isinstance(message, CardOut | OutsideFlow | CuttingCard) else None

    def opened(self, now: float) -> None:  # noqa: ARG002
        """The cable is plugged in."""
        self._plugged = True

    def received(self, data: bytes, now: float) -> None:  # noqa: ARG002
        """Nobody speaks to this device."""
        assert b"" == data

    def tick(self, now: float) -> None:
        """Time asks for nothing."""

    def due(self) -> float | None:
        """Time asks for nothing."""
        return None

    def outgoing(self) -> bytes:
        """Return what is to be written to the host now."""
        data, self._out = self._out, b""
        return data

    def closed(self) -> None:
        """The cable is pulled, with what was on it."""
        self._plugged = False
        self._out = b""


def make() -> AngelEyeBench:
    """Return a new bench."""
    return AngelEyeBench()
