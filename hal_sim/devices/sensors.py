"""What the sensors of a simulated device say: messages, with what nobody said filled in.

Fields that are not given are filled in as a device would: the gap since the card before, the number of the press, and
for what `_NOTHING_SAID` names its usual value. A message that lacks any other field is refused.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from drivers.messages import Catalogue, Message, MessageError
from drivers.wire import Spot

_NOTHING_SAID: Mapping[str, object] = {
    "face_up": False,
    "ordered": False,
    "exposed": False,
    "emptied": False,
    "option": 0,
    "amount": 0,
    "times": 1,
    "method": "machine",
    "reason": 0,
    "cards": 0,
    "place": Spot(0, 0, 0),
}


class Sensors:
    """The sensors of one device."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.restart()

    def restart(self) -> None:
        """Forget the last card and the presses: the device starts."""
        self._last_card: int | None = None
        self._presses = 0

    def encoded(self, happenings: Sequence[tuple[str, Mapping[str, Any]]], time: int) -> list[tuple[int, bytes]]:
        """Return the idents and payloads of what happens; if one of them cannot, a `MessageError`, and none does."""
        before = self._last_card, self._presses
        try:
            return [self._catalogue.encode(self._message(name, fields, time)) for name, fields in happenings]
        except MessageError:
            self._last_card, self._presses = before
            raise

    def _message(self, name: str, fields: Mapping[str, Any], time: int) -> Message:
        """Return the message, what was not said filled in."""
        kind = self._catalogue.named.get(name)
        if kind is None or kind not in self._catalogue.events:
            problem = f"no event '{name}' of the {self._catalogue.kind}: there are {', '.join(self._names())}"
            raise MessageError(problem)
        filled = dict(fields)
        for field in kind.__match_args__:
            if field not in filled:
                filled[field] = self._fill_in(name, field, time)
        if "gap_ms" in filled:
            self._last_card = time
        try:
            return kind(**filled)
        except TypeError as error:
            raise MessageError(str(error)) from error

    def _fill_in(self, name: str, field: str, time: int) -> object:
        """Return what a device would say where nothing was given."""
        match field:
            case "gap_ms":
                return 0 if self._last_card is None else (time - self._last_card) % 2**32
            case "press":
                self._presses = (self._presses + 1) % 2**32
                return self._presses
            case _ if field in _NOTHING_SAID:
                return _NOTHING_SAID[field]
        problem = f"{name} needs '{field}'"
        raise MessageError(problem)

    def _names(self) -> list[str]:
        """Return the names of all events of this device."""
        return [event.__name__ for event in self._catalogue.events]
