"""Every property watches one table.

1. `play_table` plays a table from a chance: header, events, and now and then a supposition of each property.
2. A failure is a `Failure`: which property, or that the table itself raised something, the header, and the events.
3. `Figures` count what was seen; they can be added.
"""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from gamecore.model.events.events import Event
from gamecore.notation.syntax import Header
from tests.gamecore.properties import acts
from tests.gamecore.properties.laws.base import BrokenError, Property
from tests.gamecore.properties.laws.confirmation import Confirmation
from tests.gamecore.properties.laws.conservation import Conservation
from tests.gamecore.properties.laws.cut_anywhere import CutAnywhere
from tests.gamecore.properties.laws.every_state import EveryState
from tests.gamecore.properties.laws.money import Money
from tests.gamecore.properties.laws.moves_lead_home import MovesLeadHome
from tests.gamecore.properties.laws.no_dead_end import NoDeadEnd
from tests.gamecore.properties.laws.order_of_hearing import OrderOfHearing
from tests.gamecore.properties.laws.sensed_equals_told import SensedEqualsTold
from tests.gamecore.properties.laws.silence import Silence
from tests.gamecore.properties.laws.there_and_back import ThereAndBack
from tests.gamecore.properties.laws.who_is_asked import WhoIsAsked
from tests.gamecore.properties.tables import IRREGULAR, STEPS, WILD, Play, a_header

PROPERTIES: tuple[type[Property], ...] = (
    EveryState,
    Conservation,
    Silence,
    ThereAndBack,
    MovesLeadHome,
    SensedEqualsTold,
    OrderOfHearing,
    CutAnywhere,
    WhoIsAsked,
    NoDeadEnd,
    Money,
    Confirmation,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A table at which something does not hold."""

    name: str  # of the property, or of the error
    what: str
    header: Header
    events: tuple[Event, ...]


@dataclass(slots=True)
class Figures:
    """What was seen at this many tables."""

    tables: int = 0
    events: int = 0
    held: int = 0
    refused: int = 0
    games: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    exercised: Counter[str] = field(default_factory=Counter)

    def add(self, other: Figures) -> None:
        """Count another's too."""
        for name in ("tables", "events", "held", "refused"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("games", "codes", "exercised"):
            getattr(self, name).update(getattr(other, name))

    def see(self, play: Play, properties: Iterable[Property]) -> None:
        """Count a table."""
        self.tables += 1
        self.events += len(play.heard)
        self.held += play.holds
        self.refused += len(play.heard) - len(play.events)
        fitted = next((name for name in ("positions", "positions-count") if name in play.header.sensors), "told")
        self.games[f"{play.header.game} {fitted}"] += 1
        self.codes.update(play.found)
        for one in properties:
            self.exercised[one.name] += one.exercised


def play_table(chance: random.Random, kinds: Iterable[type[Property]] = ()) -> tuple[Play, Figures]:
    """One table by chance, watched by some properties or by each as often as its share says; a failure is raised."""
    properties = [kind() for kind in kinds or [kind for kind in PROPERTIES if chance.random() < kind.share]]
    play = Play(a_header(chance), chance, properties)
    irregular, wild, steps = chance.choice(IRREGULAR), chance.choice(WILD), chance.choice(STEPS)
    once = chance.randrange(steps) if not irregular else None  # one irregular act, or none
    try:
        for number in range(steps):
            play.happen(acts.an_event(play, irregular, wild) if number != once else acts.once(play))
            for one in properties:
                if one.often and chance.random() < one.often:
                    probes = one.probes(play)
                    if probes:
                        chance.choice(probes)()
        for one in properties:
            one.over(play)
    except Exception as error:
        error.failure = as_failure(play, error)  # type: ignore[attr-defined]
        raise
    figures = Figures()
    figures.see(play, properties)
    return play, figures


def as_failure(play: Play, error: Exception) -> Failure:
    """What went wrong, and where."""
    if isinstance(error, BrokenError):
        return Failure(error.name, str(error), play.header, tuple(play.heard))
    where = traceback.extract_tb(error.__traceback__)[-1]
    name = f"{type(error).__name__} at {where.filename.rsplit('/', 1)[-1]}:{where.lineno}"
    return Failure(name, f"{name}: {error}", play.header, tuple(play.heard))
