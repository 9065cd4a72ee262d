"""One table with all its people, played by chance: mostly by the rules, now and then by none.

1. All chance comes from one `random.Random`: of a seed, or drawn by hypothesis. The same chance plays the same table.
2. A header describes the table (`a_header`): game, fitting, decks, boxes, limits, shoe. So every table can be written
   in deal notation.
3. `Play.happen` is the only door: it lets an event happen, keeps it, and tells everyone who watches.
4. What is due `regular` says, irregular acts are in `acts`, and anything at all in
   `tests.gamecore.play.arbitrary_events`. How irregular a table is, is chosen once for each table (`harness`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from gamecore.model.cards import Card, deck
from gamecore.model.events.events import Event, PlaceBets, Restarted
from gamecore.model.events.outputs import IrregularityFound, Output
from gamecore.model.events.refusals import Refused
from gamecore.model.places import Place
from gamecore.model.state import TableState
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset
from gamecore.table import Table

PLACES = ("positions", "positions-count", "")
THEMES = ("", "", "", "A", "AAATJQK", "7", "8", "TJQK", "5", "A6", "678", "23A", "9T")
IRREGULAR = (0.0, 0.05, 0.15, 0.3)
WILD = (0.0, 0.0, 0.0, 0.02, 0.2)
STEPS = (15, 25, 40)
CONFIRM, NO_SHOE = 0.35, 0.15
"""The share of tables where what is said must be confirmed, and of those where the cards are told too."""


class Watcher(Protocol):
    """Somebody who looks at a table around every event."""

    def before(self, play: Play) -> None:
        """An event is about to happen."""

    def after(self, play: Play) -> None:
        """It has happened."""


class Play:
    """One table, what has happened at it, and who watches."""

    def __init__(self, header: Header, chance: random.Random, watchers: Sequence[Watcher] = ()) -> None:
        """A table before its first event."""
        self.header = header
        self.chance = chance
        self.rules: Ruleset = GAMES[header.game]
        self.table = Table(self.rules, table_config(header))
        self.watchers = watchers
        self.heard: list[Event] = []  # every event, those that were refused too
        self.events: list[Event] = []  # those that were not
        self.found: list[str] = []
        self.holds = 0
        self.aim: Place | None = None  # where somebody means to lay the card that comes next
        self.event: Event = Restarted()  # that happens now, or has happened last
        self.outputs: tuple[Output, ...] = ()
        self.odd = 0  # acts since bets were opened that nobody wants
        self._shoe = Shoe(self.rules, header.decks, chance)

    @property
    def state(self) -> TableState:
        """All that the table knows."""
        return self.table._state

    def happen(self, event: Event) -> tuple[Output, ...]:
        """Let an event happen."""
        self.heard.append(event)
        self.event = event
        for watcher in self.watchers:
            watcher.before(self)
        held = bool(self.state.hold.matters)
        self.outputs = outputs = self.table.apply(event)
        if not self.refused:
            self.events.append(event)
            self.odd = 0 if isinstance(event, PlaceBets) else self.odd
        for output in outputs:
            if isinstance(output, IrregularityFound):
                self.found.append(output.finding.code)
        self.holds += bool(self.state.hold.matters) and not held
        for watcher in self.watchers:
            watcher.after(self)
        return outputs

    @property
    def refused(self) -> bool:
        """Whether the last event was a command that is not allowed."""
        return bool(self.outputs) and isinstance(self.outputs[0], Refused)

    def a_card(self) -> Card:
        """A card that the shoe can give."""
        return self._shoe.card(self.state, self.chance)

    def beside(self, chance: random.Random) -> Play:
        """The same table, played on by another chance, and watched by nobody."""
        other = Play(self.header, chance)
        other.table = self.table.copied()
        return other


def a_header(chance: random.Random, game: str = "") -> Header:
    """A table of the game, or of any, and of any fitting, within the bounds of the document."""
    rules = GAMES[game or chance.choice(sorted(GAMES))]
    shuffling = chance.choice(("machine", "machine", "manual", "continuous"))
    confirm = chance.random() < CONFIRM
    wagers = (("main", 25_00, 500_00), ("pair", 5_00, 50_00), ("rws-pairs", 5_00, 50_00), ("boom-busted", 5_00, 50_00))
    limits = tuple(wager for wager in wagers if wager[0] in rules.wager_kinds())
    return Header(
        game=rules.id,
        decks=chance.choice((rules.decks.value[0], rules.decks.value[1])),
        boxes=chance.choice((rules.boxes.value[1], chance.randint(*rules.boxes.value))),
        limits=limits if chance.random() < 0.4 else (),
        shoe=(),
        seed=0,
        left=None if chance.random() < 0.85 else chance.choice((12, 20, 40)),
        fresh=chance.random() < 0.4,
        burn=rules.burn.value and shuffling != "continuous",
        shuffling=shuffling,
        sensors=a_fitting(chance) - ({"shoe"} if confirm and chance.random() < NO_SHOE else set()),
        confirm=confirm,
    )


def a_fitting(chance: random.Random) -> frozenset[str]:
    """Which sensors a table has: places read, counted or told, the others mostly."""
    places = chance.choice(PLACES)
    others = [name for name, often in (("discard", 0.5), ("bets", 0.8), ("panel", 0.9)) if chance.random() < often]
    return frozenset({"shoe", *others, *([places] if places else [])})


class Shoe:
    """What may come out: what the set still has, often of a few ranks, so that splits and naturals are not rare."""

    def __init__(self, rules: Ruleset, decks: int, chance: random.Random) -> None:
        """A shoe of the game."""
        self._decks = decks
        self._all = deck(rules.ranks.value)
        theme = chance.choice(THEMES)
        suits = chance.choice(("SHDC", "SH", "S"))  # with few suits, equal faces are common
        themed = [card for card in self._all if card.rank in (theme or rules.ranks.value) and card.suit in suits]
        self._themed = themed or list(self._all)

    def card(self, t: TableState, chance: random.Random) -> Card:
        """A card that the set still has."""
        out = t.shoe.cards.out
        wanted = self._themed if chance.random() < 0.6 else self._all
        for _ in range(6):
            card = chance.choice(wanted)
            if out.get(card.face, 0) < self._decks:
                return card
        left = [card for card in self._all if out.get(card.face, 0) < self._decks]
        return chance.choice(left or self._all)
