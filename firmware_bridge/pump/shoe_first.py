"""Lets the shoe be heard before the table.

1. A card leaves the shoe before it lies, but its two reports may arrive in the other order: links are not equally fast,
   and the computer may be busy. If a card lies that is none of those which the shoe has reported, the shoe's report may
   still be on its way. The report of the card that lies waits at the barrier.
2. The shoe is asked how far it has come. When all that had happened there has arrived (`CaughtUp`), it has told of
   every card that can lie, and the report goes on. It goes on earlier if the shoe reports a card that fits it. No clock
   is asked, only numbers of events.
3. A place that only counts cannot say which card lies there, so no card is known to fit: its report always waits.
   Where no place is sensed, no report waits.
4. While the shoe is away, the report waits until it is back. A table without a shoe, or with one that cannot be asked,
   proves nothing: the report goes on at once, and the table matches the two reports as they come.
5. What the same device says later waits behind the report: the order of a device's events is never changed.
6. What waits is not durable and not acknowledged; the device keeps it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from drivers.angel_eye.messages import OutsideFlow
from drivers.happenings import Received
from drivers.hub.messages import CardArrived
from drivers.shoe.messages import CardOut, CardsOut
from firmware_bridge.pump.items import Item
from gamecore.model.cards import UNREAD, card
from gamecore.notation.syntax import Header
from gamecore.table import Table

SHOE = "shoe"


class Shoe(Protocol):
    """What the barrier needs of the shoe's station."""

    @property
    def up(self) -> bool:
        """Whether the shoe is there."""

    def ask(self) -> int | None:
        """Ask how far it has come: the number of the question; None if it is not there or cannot tell."""


@dataclass(slots=True)
class _WaitingReport:
    """A report that waits: for the answer to a question, for the shoe to come back, or only behind another."""

    event: Received
    arrived: CardArrived | None
    question: int | None = None


class Barrier:
    """The reports of the devices around the shoe, in the order in which the table may hear them."""

    def __init__(
        self,
        shoe: Callable[[], Shoe | None],
        fits: Callable[[CardArrived], bool],
        go_on: Callable[[str, Received], None],
    ) -> None:
        """Ask the shoe whether a card that does not fit is one of its own, and hand every report on to `go_on`."""
        self._shoe = shoe
        self._fits = fits
        self._go_on = go_on
        self._waiting: dict[str, deque[_WaitingReport]] = {}

    def waits(self, name: str) -> bool:
        """Whether reports of a device wait for a shoe that is away."""
        shoe = self._shoe()
        return bool(self._waiting.get(name)) and shoe is not None and not shoe.up

    def received(self, name: str, event: Received) -> None:
        """Hand on the report of a device other than the shoe: at once, or when the shoe has been heard."""
        arrived = event.message if isinstance(event.message, CardArrived) else None
        queue = self._waiting.get(name)
        if not queue and (arrived is None or self._fits(arrived)):
            self._go_on(name, event)
            return
        waiting = _WaitingReport(event, arrived)
        self._waiting.setdefault(name, deque()).append(waiting)
        if arrived is not None:
            self._ask([waiting])
        self._release()

    def hand_on_waiting(self) -> None:
        """Hand on what has waited for what the shoe has now reported."""
        if self._waiting:
            self._release()

    def caught_up(self, question: int) -> None:
        """Hand on what waited for this question: the shoe has told all that had happened there when it was asked."""
        for waiting in self._arrivals():
            if waiting.question is not None and waiting.question <= question:
                waiting.arrived = None
        self._release()

    def away(self) -> None:
        """Forget the open questions: the shoe is gone and answers none."""
        for waiting in self._arrivals():
            waiting.question = None

    def back(self) -> None:
        """Ask the shoe, which is there now, about everything that waits."""
        self._ask(self._arrivals())
        self._release()

    def _arrivals(self) -> list[_WaitingReport]:
        return [waiting for queue in self._waiting.values() for waiting in queue if waiting.arrived is not None]

    def _ask(self, about: list[_WaitingReport]) -> None:
        """Ask the shoe; what a shoe that is there cannot tell is not waited for."""
        shoe = self._shoe()
        if not about or (shoe is not None and not shoe.up):
            return
        question = None if shoe is None else shoe.ask()
        for waiting in about:
            waiting.question = question
            if question is None:
                waiting.arrived = None

    def _release(self) -> None:
        """Hand on, device by device, all up to the first report that must wait."""
        for name, queue in list(self._waiting.items()):
            while queue and (queue[0].arrived is None or self._fits(queue[0].arrived)):
                self._go_on(name, queue.popleft().event)
            if not queue:
                del self._waiting[name]


def fits(arrived: CardArrived, header: Header, table: Table, queued: Iterable[Item]) -> bool:
    """Whether a card that lies can be one that the shoe has already reported.

    What is queued is not applied yet. Where no place is sensed, nobody asks where a card comes from.
    """
    seen = card(arrived.card)
    if not header.places_sensed:
        return True
    if header.places_counted and seen is UNREAD:
        return False
    return table.on_its_way(seen) + sum(_brings(item.what, arrived.card) for item in queued) > 0


def _brings(what: object, seen: str) -> int:
    """By how many cards of a face a message changes those that have left the shoe and do not lie."""
    match what:
        case CardOut(out) | OutsideFlow(out):
            return int(out == seen)
        case CardsOut(cards):
            return cards.count(seen)
        case CardArrived(_, lies):
            return -int(lies == seen)
        case _:
            return 0
