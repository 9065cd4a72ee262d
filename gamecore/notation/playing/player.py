"""Plays a scenario at a table.

1. A card comes from the prepared shoe. Where places are sensed, a draw is two events: the card left the shoe, the card
   lies at a place. A place that only counts does not say which card. Where places are not sensed, the place is told
   with the card, or left to the table.
2. What happens, happens at a `Venue`: a table in process unless another is named.
3. A command that the table refuses ends the playing at its line; so does the error at which the text breaks off. The
   report has what had happened up to there, beside the message.
4. A claim that does not hold is noted and the playing goes on.
5. `Played.events` is what reached the table and was not refused: enough to write the round down again (`export`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from gamecore.model.cards import UNREAD
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.notation.header import Games
from gamecore.notation.parser import read
from gamecore.notation.playing.shoe import PreparedShoe, ShoeEmptyError
from gamecore.notation.playing.venue import InProcess, MakeVenue, Venue
from gamecore.notation.syntax import Claim, Draw, Header, Load, Noise, NotationError, Pull, Scenario, Statement
from gamecore.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a file: its report, the claims that failed, the error that ended it, the events."""

    report: dict[str, object]
    failures: tuple[str, ...] = ()
    error: str | None = None
    header: Header | None = None
    events: tuple[Event, ...] = ()


def unplayed(name: str, error: str) -> Played:
    """A file of which nothing could be played."""
    nothing: dict[str, object] = {"file": name, "game": None, "state": None, "rounds": [], "asks": [], "failures": []}
    return Played({**nothing, "error": error}, error=error)


class Player:
    """Plays the statements of a scenario from its prepared shoe."""

    def __init__(self, header: Header, rules: Ruleset, venue: Venue) -> None:
        """Prepare the shoe as the header says."""
        self._header = header
        self._venue = venue
        self._shoe = PreparedShoe(rules.ranks.value, header.decks, header.seed)
        self._shoe.load(header.shoe, header.left)
        self.failures: list[str] = []

    def run(self, scenario: Scenario) -> NotationError | None:
        """Play every statement; the error that ended it, if one did."""
        try:
            for statement in scenario.statements:
                self.play(statement)
        except NotationError as error:
            return error
        return scenario.error

    def play(self, statement: Statement) -> None:
        """Play one statement.

        Raises:
            NotationError: it is not allowed here.
        """
        match statement.what:
            case Draw() as draw:
                self._draw(statement.line, draw)
            case Pull() as pull:
                self._pull(statement.line, pull)
            case Load(cards, count):
                loaded = self._shoe.load(cards, count, self._venue.on_table)
                self._venue.happen(statement.line, ev.Loaded(loaded))
            case Noise() as noise:
                self._venue.noise(noise)
            case what if isinstance(what, Claim):
                failure = self._venue.check(what, statement.text)
                if failure is not None:
                    self.failures.append(f"line {statement.line}: {failure}")
            case event:
                self._happen(statement.line, event)

    def _draw(self, line: int, draw: Draw) -> None:
        try:
            card = self._shoe.draw(draw.card)
        except ShoeEmptyError:
            self._happen(line, ev.ShoeEmpty())
            return
        if not self._header.places_sensed:
            self._happen(line, ev.CardDrawn(card, draw.place, draw.face_up, draw.exposed))
            return
        place = draw.place if draw.place is not None or not draw.laid else self._venue.next_place
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
        if isinstance(event, ev.CardLaid | ev.CardLifted) and self._header.places_counted:
            event = replace(event, card=UNREAD)
        self._venue.happen(line, event)


def play_text(text: str, name: str, games: Games, venue: MakeVenue = InProcess) -> Played:
    """Read a text and play it."""
    try:
        scenario = read(text, games)
    except NotationError as error:
        return unplayed(name, f"{name}:{error.line}: {error.message}")
    return play(scenario, name, games, venue)


def play(scenario: Scenario, name: str, games: Games, venue: MakeVenue = InProcess) -> Played:
    """Play a scenario at a table of its own."""
    rules = games[scenario.header.game]
    at = venue(scenario.header, rules)
    player = Player(scenario.header, rules, at)
    wrong = player.run(scenario)
    error = None if wrong is None else f"{name}:{wrong.line}: {wrong.message}"
    report = {
        "file": name,
        "game": scenario.header.game,
        **at.report(),
        "failures": list(player.failures),
        **({} if error is None else {"error": error}),
    }
    return Played(report, tuple(player.failures), error, scenario.header, at.events)
