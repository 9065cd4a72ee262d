"""Where a scenario is played.

1. A venue takes events, one after the other, and says whether a claim holds. `InProcess` is a table in this process;
   another venue may have real devices around it.
2. Events travel over cables (`links`): an unplugged device keeps what it saw until it is plugged in again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gamecore.model.cards import Card
from gamecore.model.config import TableConfig
from gamecore.model.events.events import Event
from gamecore.model.events.refusals import Refused
from gamecore.model.places import Place
from gamecore.notation.expect.checks import check
from gamecore.notation.playing.links import Arrival, Links
from gamecore.notation.syntax import Claim, Header, Noise, NotationError
from gamecore.rules.ruleset import Ruleset
from gamecore.table import Table


def table_config(header: Header) -> TableConfig:
    """The table that a header describes."""
    limits = {kind: (least, most) for kind, least, most in header.limits}
    cards = (header.fresh, header.burn, header.shuffling)
    return TableConfig(header.decks, header.boxes, limits, *cards, header.sensors, header.left, confirm=header.confirm)


class Venue(Protocol):
    """Where a scenario is played: a table in process, or one with devices around it."""

    def happen(self, line: int, event: Event) -> None:
        """Let an event happen.

        Raises:
            NotationError: the table refuses it.
        """

    def check(self, claim: Claim, text: str) -> str | None:
        """None if a claim holds; else what was expected, and what is."""

    def noise(self, noise: Noise) -> None:
        """Make a link noisy."""

    @property
    def next_place(self) -> Place | None:
        """Where the next card belongs."""

    @property
    def on_table(self) -> list[Card]:
        """The cards that lie on the table in a round that is on."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What reached the table and was not refused."""

    def report(self) -> dict[str, object]:
        """The rounds, what is pending and the state."""


class InProcess:
    """A table in process, with the cables of its devices."""

    def __init__(self, header: Header, rules: Ruleset) -> None:
        """Set the table up as the header says."""
        self.table = Table(rules, table_config(header))
        self._links = Links(header.sensors, self.table.on_its_way)
        self._events: list[Event] = []

    def happen(self, line: int, event: Event) -> None:
        """Send an event over its cable, and apply what reaches the table now."""
        for arrival in self._links.send(Arrival(line, event)):
            for output in self.table.apply(arrival.event):
                if isinstance(output, Refused):
                    raise NotationError(arrival.line, str(output))
            self._events.append(arrival.event)

    def check(self, claim: Claim, text: str) -> str | None:
        """None if a claim holds at the table; else what was expected, and what is."""
        del text
        return check(claim, self.table)

    def noise(self, noise: Noise) -> None:
        """Do nothing: there is no wire."""

    @property
    def next_place(self) -> Place | None:
        """Where the next card belongs."""
        return self.table.next_place

    @property
    def on_table(self) -> list[Card]:
        """The cards that lie on the table in a round that is on."""
        return [drawn.card for drawn in self.table.view().round.dealt] if self.table.round_is_on else []

    @property
    def events(self) -> tuple[Event, ...]:
        """What reached the table and was not refused."""
        return tuple(self._events)

    def report(self) -> dict[str, object]:
        """The rounds, what is pending and the state."""
        return self.table.report()


MakeVenue = Callable[[Header, Ruleset], Venue]
