"""A property of the core: what it is called, and when it looks at a table.

1. `before` and `after` see every event, `over` the end of a table. They cost no more than a look at each card.
2. `probes` are suppositions that can be made now: each is a function that does something to a copy and compares. One
   of them is tried now and then; where a failure is looked for, all are.
3. `hold` states the property. What does not hold is a `BrokenError` that names it.
4. `exercised` counts how often the property had something to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from tests.gamecore.properties.tables import Play

Probe = Callable[[], None]


class BrokenError(AssertionError):
    """A property does not hold."""

    def __init__(self, name: str, what: str) -> None:
        """Which, and what was seen."""
        super().__init__(f"{name}: {what}")
        self.name = name


class Property:
    """One property, watching one table."""

    name: ClassVar[str] = ""
    often: ClassVar[float] = 0.0
    """After how many of the events a probe is tried."""
    share: ClassVar[float] = 1.0
    """The share of all tables that it watches: less for one that takes long."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self.exercised = 0

    def before(self, play: Play) -> None:
        """An event is about to happen."""

    def after(self, play: Play) -> None:
        """It has happened."""

    def probes(self, _play: Play) -> list[Probe]:
        """What can be supposed now."""
        return []

    def over(self, play: Play) -> None:
        """The table is played to its end."""

    def hold(self, holds: object, what: str | Callable[[], str]) -> None:
        """State the property; what is seen otherwise, or how to say it where that takes long."""
        if not holds:
            raise BrokenError(self.name, what if isinstance(what, str) else what())
