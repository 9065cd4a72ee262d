"""Plays a scenario at a table in process.

1. A card comes from the prepared shoe. Where places are sensed, a draw is two events: the card left the shoe, the card
   lies at a place. A place that only counts does not say which card. Where places are not sensed, the place is told
   with the card, or left to the table.
2. Events travel over `links`: an unplugged device keeps what it saw.
3. A command that the table refuses ends the playing at its line; so does the error at which the text breaks off. What
   had happened up to there is in the report, beside the message.
4. A claim that does not hold is noted and the playing goes on.
5. `Played.events` is what reached the table and was not refused: enough to write the round down again (`export`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from gamecore import events as ev
from gamecore.cards import UNREAD, Card
from gamecore.events import Event
from gamecore.notation.expectations import check
from gamecore.notation.header import Games
from gamecore.notation.links import Arrival, Links
from gamecore.notation.parser import read
from gamecore.notation.shoe import PreparedShoe, ShoeEmptyError
from gamecore.notation.syntax import Claim, Draw, Header, Load, Noise, NotationError, Pull, Scenario, Statement
from gamecore.outputs import Refused
from gamecore.ruleset import Ruleset
from gamecore.state import TableConfig
from gamecore.table import Table


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a file: its report, the claims that failed, the error that ended it, the events."""

    report: dict[str, object]
    failures: tuple[str, ...] = ()
    error: str | None = None
    header: Header | None = None
    events: tuple[Event, ...] = ()


def play_text(text: str, name: str, games: Games) -> Played:
    """Read a text and play it."""
    try:
        scenario = read(text, games)
    except NotationError as error:
        return unplayed(name, f"{name}:{error.line}: {error.message}")
    return play(scenario, name, games)


def unplayed(name: str, error: str) -> Played:
    """A file of which nothing could be played."""
    nothing: dict[str, object] = {"file": name, "game": None, "state": None, "rounds": [], "asks": [], "failures": []}
    return Played({**nothing, "error": error}, error=error)


def play(scenario: Scenario, name: str, games: Games) -> Played:
    """Play a scenario at a table of its own."""
    player = _Player(scenario.header, games[scenario.header.game])
    wrong = player.run(scenario)
    error = None if wrong is None else f"{name}:{wrong.line}: {wrong.message}"
    report = {
        "file": name,
        "game": scenario.header.game,
        **player.table.report(),
        "failures": list(player.failures),
        **({} if error is None else {"error": error}),
    }
    return Played(report, tuple(player.failures), error, scenario.header, tuple(player.events))


def table_config(header: Header) -> TableConfig:
    """The table that a header describes."""
    limits = {kind: (least, most) for kind, least, most in header.limits}
    return TableConfig(
        header.decks, header.boxes, limits, header.fresh, header.burn, header.shuffling, header.sensors, header.left
    )


class _Player:
    """A table, its prepared shoe and its cables."""

    def __init__(self, header: Header, rules: Ruleset) -> None:
        """Set the table up as the header says."""
        self._header = header
        self._shoe = PreparedShoe(rules.ranks.value, header.decks, header.seed)
        self._shoe.load(header.shoe, header.left)
        self._links = Links(header.sensors)
        self.table = Table(rules, table_config(header))
        self.failures: list[str] = []
        self.events: list[Event] = []

    def run(self, scenario: Scenario) -> NotationError | None:
        """Play every statement; the error that ended it, if one did."""
        try:
            for statement in scenario.statements:
                self._play(statement)
        except NotationError as error:
            return error
        return scenario.error

    def _play(self, statement: Statement) -> None:
        if isinstance(statement.what, Claim):
            failure = check(statement.what, self.table)
            if failure is not None:
                self.failures.append(f"line {statement.line}: {failure}")
            return
        match statement.what:
            case Draw() as draw:
                self._draw(statement.line, draw)
            case Pull() as pull:
                self._pull(statement.line, pull)
            case Load(cards, count):
                self._happen(statement.line, ev.Loaded(self._shoe.load(cards, count, self._on_table())))
            case Noise():
                pass
            case event:
                self._happen(statement.line, event)

    def _on_table(self) -> list[Card]:
        """The cards that cannot be loaded, because they lie on the table in a round that is on."""
        knows = self.table.knows
        return [drawn.card for drawn in knows.round.draws] if knows.round_is_on else []

    def _draw(self, line: int, draw: Draw) -> None:
        try:
            card = self._shoe.draw(draw.card)
        except ShoeEmptyError:
            self._happen(line, ev.ShoeEmpty())
            return
        if not self._header.places_sensed:
            self._happen(line, ev.CardDrawn(card, draw.place, draw.face_up, draw.exposed))
            return
        place = draw.place if draw.place is not None or not draw.laid else self.table.next_place
        self._happen(line, ev.CardDrawn(card, None, draw.face_up))
        if place is not None:
            self._happen(line, ev.CardLaid(card, place, draw.exposed))

    def _pull(self, line: int, pull: Pull) -> None:
        if pull.count > len(self._shoe):
            self._happen(line, ev.ShoeEmpty())
            return
        cards = tuple(self._shoe.draw() for _ in range(pull.count))
        if Counter(pull.named) - Counter(cards):
            listed = " ".join(map(str, cards))
            raise NotationError(line, f"pull: {' '.join(map(str, pull.named))} cannot be shown, {listed} come out")
        self._happen(line, ev.CardsPulled(cards, pull.named or cards[: pull.show], pull.ordered))

    def _happen(self, line: int, event: Event) -> None:
        if isinstance(event, ev.CardLaid) and self._header.places_counted:
            event = ev.CardLaid(UNREAD, event.place, event.exposed)
        for arrival in self._links.send(Arrival(line, event)):
            outputs = self.table.apply(arrival.event)
            for output in outputs:
                if isinstance(output, Refused):
                    raise NotationError(arrival.line, str(output))
            self.events.append(arrival.event)
