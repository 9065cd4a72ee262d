"""A device that only speaks, in the place of a link: the Angel Eye style shoe.

Experimental, as its driver is.

1. It speaks whether anybody listens or not, hears nothing and keeps nothing: what happens while the cable is out is
   gone.
2. Each message goes out as three equal frames one after the other. After a reboot it says that it starts.
3. To the code that plays it, it looks like any other link: the simulation numbers its events, and they count as
   acknowledged at once, because nobody ever acknowledges them. It is always up.

Not modelled: the line rate of 4800 baud and so the time between the three copies.
"""

from collections.abc import Sequence

from drivers.angel_eye.encoder import Encoder
from drivers.angel_eye.messages import CATALOGUE, CardAgain, KeyLock, OutsideFlow, Started, Trouble
from drivers.happenings import Commanded
from drivers.messages import Message, MessageError
from drivers.shoe.messages import CardOut, CuttingCard


class Talker:
    """Events in, bytes out."""

    def __init__(self) -> None:
        self._encoder = Encoder()
        self._out = b""
        self._in = False
        self.up = True
        self.acknowledged = 0
        self.kept = 0

    def opened(self, now: float) -> None:
        """Speak: the cable is in."""
        del now
        self._in = True

    def closed(self) -> None:
        """Speak to nobody: the cable is out."""
        self._in = False
        self._out = b""

    def event(self, ident: int, payload: bytes, time: int, now: float) -> int:
        """Say what happened; it is gone if the cable is out."""
        del time, now
        spoken = self._spoken(CATALOGUE.decode_event(ident, payload))
        if self._in:
            self._out += spoken
        self.acknowledged += 1
        return self.acknowledged

    def received(self, data: bytes, now: float) -> Sequence[Commanded]:
        """Ignore the bytes."""
        del data, now
        return ()

    def tick(self, now: float) -> None:
        """Wait for nothing."""

    def due(self) -> float | None:
        """Wait for nothing."""
        return None

    def outgoing(self) -> bytes:
        """Return what is to be said now."""
        out, self._out = self._out, b""
        return out

    def reboot(self, boot: int, *, forget: bool) -> None:
        """Restart, and say so."""
        del boot, forget
        self._out = self._encoder.start() if self._in else b""

    def _spoken(self, message: Message | None) -> bytes:
        """Return the three frames of a message."""
        speak = self._encoder
        try:
            match message:
                case CardOut(card=card):
                    return speak.card(card)
                case CuttingCard():
                    return speak.cutting_card()
                case OutsideFlow(card=card, mode=mode):
                    return speak.outside(card, mode)
                case CardAgain(card=card):
                    return speak.again(card)
                case Started():
                    return speak.start()
                case Trouble(code=code, present=present, stopped=stopped):
                    return speak.trouble(code, present=present, stopped=stopped)
                case KeyLock(locked=locked):
                    return speak.key_lock(locked=locked)
        except ValueError as error:
            raise MessageError(str(error)) from error
        problem = f"this shoe cannot say {message}"
        raise MessageError(problem)
