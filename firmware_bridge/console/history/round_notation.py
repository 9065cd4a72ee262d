"""One round in deal notation, to copy: a text that plays to the round's report.

1. The state of a round depends on what was before it. The shortest text is tried first: the round alone, with who sits
   where and how many cards the shoe held; then from the last time the shoe was loaded; then from where the table began,
   or from as far back as is known.
2. Each text is played at once. The first that ends with the round as its record has it is given; only the number of the
   round, which a text cannot set, and what was found out later may differ. If none does, the last one is given, and
   said not to play.
3. What happened between the round before and this one belongs to it: cards loaded, chips laid early, seats taken. If
   nobody sits at a spot, the first chips on it say whose it is.
4. A text names every card that left the shoe, even one that nobody saw. It is decided elsewhere who may have it
   (`steps`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from firmware_bridge.console.history.retrace import Follower
from firmware_bridge.journal.chain import Row
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import Output
from gamecore.model.events.refusals import Refused
from gamecore.model.places import Place
from gamecore.model.states import BETWEEN_ROUNDS
from gamecore.notation.export import scenario_of
from gamecore.notation.playing.player import play_text
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write
from gamecore.rules.games import GAMES
from gamecore.table import Table

ROUND, SHOE, TABLE = "round", "shoe", "table"
"""How far back a text begins."""


@dataclass(frozen=True, slots=True)
class Notation:
    """A text, where it begins, and whether it plays to the report."""

    text: str
    begins: str
    plays: bool


@dataclass(frozen=True, slots=True)
class Chapter:
    """The table between two rounds: what must be said before what follows, and the number of events before it."""

    at: int
    header: Header
    seats: tuple[Event, ...] = ()
    owners: tuple[tuple[tuple[int, int], str], ...] = ()  # of spots where nobody sits


@dataclass(slots=True)
class Chapters(Follower):
    """Takes down what happens at a table, and where a text could begin."""

    events: list[Event] = field(default_factory=list)
    chapters: list[Chapter] = field(default_factory=list)
    whole: Chapter | None = None  # from where the table began, if that was seen
    _header: Header | None = None
    _between: bool = True

    def begins(self, header: Header, table: Table, *, fresh: bool) -> None:
        """Another table, or one that has been there for some time."""
        self.events.clear()
        self.chapters.clear()
        self._header = header
        self._between = table.state in BETWEEN_ROUNDS
        self.whole = Chapter(0, header) if fresh else None
        if not fresh and self._between:
            self.chapters.append(_chapter(0, header, table))

    def event(self, row: Row, event: Event, table: Table, outputs: tuple[Output, ...]) -> None:
        """Take down what was not refused."""
        del row
        if any(isinstance(output, Refused) for output in outputs) or self._header is None:
            return
        self.events.append(event)
        between, before = table.state in BETWEEN_ROUNDS, self._between
        self._between = between
        if between and not before:
            self.chapters.append(_chapter(len(self.events), self._header, table))


def _chapter(at: int, header: Header, table: Table) -> Chapter:
    """A text could begin here, at a table in mid-use."""
    t = table.view()
    seats = tuple(ev.Seat(Place(box, 0, slot), t.names.get((box, slot))) for box, slot in sorted(t.seats.items()))
    owners = tuple((spot, name) for spot, name in t.names.items() if t.seats.get(spot[0]) != spot[1])
    untouched = t.burn_due or not any(t.cards.out.values())
    as_it_is = replace(header, shoe=(), fresh=untouched, left=max(0, t.cards.in_shoe))
    return Chapter(at, as_it_is, seats, owners)


def _owned(events: Iterable[Event], owners: Iterable[tuple[tuple[int, int], str]]) -> Iterator[Event]:
    """The events, with the name of a spot's owner at the first chips on it."""
    unsaid = dict(owners)
    for event in events:
        match event:
            case ev.WagerPlaced(place, player=None) if (place.box, place.slot or 1) in unsaid:
                yield replace(event, player=unsaid.pop((place.box, place.slot or 1)))
            case ev.WagerPlaced(place, "main") | ev.Seat(place) | ev.StandUp(place):
                unsaid.pop((place.box, place.slot or 1), None)
                yield event
            case _:
                yield event


def notation(taken: Chapters, report: dict[str, object], title: str) -> Notation | None:
    """The shortest text that plays to a round's report; None if nothing is known."""
    found: Notation | None = None
    for begins, chapter in _beginnings(taken):
        happened = _owned(taken.events[chapter.at :], chapter.owners)
        scenario = scenario_of(chapter.header, [*chapter.seats, *happened])
        text = f"# {title}\n{write(scenario)}"
        found = Notation(text, begins, _plays(text, report))
        if found.plays:
            break
    return found


def _beginnings(taken: Chapters) -> Iterator[tuple[str, Chapter]]:
    """Where the text may begin, the latest first; the last chapter of all may be that of the round's own end."""
    chapters = [chapter for chapter in taken.chapters if chapter.at < len(taken.events)]
    if chapters:
        yield ROUND, chapters[-1]
        loads = [at for at, event in enumerate(taken.events) if isinstance(event, ev.Loaded)]
        before = [chapter for chapter in chapters[:-1] if loads and chapter.at <= loads[-1]]
        if before:
            yield SHOE, before[-1]
        if taken.whole is None and len(chapters) > 1:
            yield TABLE, chapters[0]
    if taken.whole is not None:
        yield (TABLE if chapters else ROUND), taken.whole


def _plays(text: str, report: dict[str, object]) -> bool:
    """Whether the last round of a text has this report, but for its number and what was found out later."""
    played = play_text(text, "round", GAMES)
    rounds = played.report["rounds"]
    if played.error is not None or not isinstance(rounds, list) or not rounds:
        return False
    last, kept = json.loads(json.dumps(rounds[-1])), report.get("findings")
    if not isinstance(kept, list) or kept[: len(last["findings"])] != last["findings"]:
        return False
    return {**last, "number": None, "findings": None} == {**report, "number": None, "findings": None}
