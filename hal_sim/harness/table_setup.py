"""One table that is set up, and what plays at it: a hand, a scenario, the robot.

1. Whatever is played goes through the simulated devices (`Hardware`), and what came of it is read in the daemon's
   journal (`Replica`). So everybody looks at the table as the daemon knows it, and anybody can continue where another
   has stopped.
2. A hand does one statement of deal notation at a time, or presses a button of the panel; what a press meant is what
   the journal says.
3. A hand is the Dealer's and the Players'. On a table with roles, a person of another role says what they
   have to say at the console, where they have logged in.
4. Without power only cards and chips can be moved. The table computer hears of it when the power is back.
5. It is used by one thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.people import permissions
from firmware_bridge.people.accounts.roles import DEALER
from gamecore.model.cards import Card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.layout import layout_of
from gamecore.notation.lines import Line
from gamecore.notation.parser import read_statement
from gamecore.notation.playing.links import carrier
from gamecore.notation.playing.player import Player
from gamecore.notation.syntax import Claim, Draw, Header, Noise, NotationError, Pull, Statement, What
from gamecore.notation.writer import write_what
from gamecore.rules.games import GAMES
from gamecore.table import Table
from hal_sim.dealer.error_plan import Errors
from hal_sim.dealer.robot_dealer import Robot
from hal_sim.harness.hidden_cards import named
from hal_sim.harness.journal_replica import ReadEvent, Replica
from hal_sim.table.hardware_venue import CONSOLE, PANEL, Hardware
from hal_sim.table.sim_table import SimTable

CARDS_AND_CHIPS = (
    ev.CardLaid
    | ev.CardLifted
    | ev.CardMoved
    | ev.CardsTurned
    | ev.CardPushedBack
    | ev.WagerPlaced
    | ev.WagerRemoved
    | ev.CuttingCardOut
)
SEEN_IT = "the robot's shift manager has seen it"


class WrongError(ValueError):
    """What a hand asks for is no such thing."""


class RefusedError(ValueError):
    """What a hand does is not taken."""


class Stage:
    """The simulated devices as the place where statements are played."""

    def __init__(self, at: SimTable, header: Header, replica: Replica) -> None:
        """Set the daemon's table up as the header says."""
        self._at = at
        self._replica = replica
        self.venue = Hardware(at, header, one_press=True)
        self.player = Player(header, GAMES[header.game], self.venue)
        self.catch_up()

    @property
    def table(self) -> Table:
        """The daemon's table."""
        return self._replica.table

    def play(self, statement: Statement) -> None:
        """Let the devices do it, and see what came of it."""
        try:
            self.player.play(statement)
        finally:
            self.catch_up()
        if isinstance(statement.what, Noise):
            self._replica.note(statement.what)

    def catch_up(self) -> list[ReadEvent]:
        """Read what has happened, once the daemon has dealt with all that it knows."""
        if not self.venue.dark:
            self._at.control.ask(do="status")
        return self._replica.follow()


class Game:
    """A table that is set up."""

    def __init__(self, at: SimTable, header: Header, replica: Replica, errors: Errors, quiet: str = "0") -> None:
        self.header = header
        self.at = at
        self.replica = replica
        self._rules = GAMES[header.game]
        self._layout = layout_of(self._rules, header.boxes)
        self.stage = Stage(at, header, replica)
        self.robot = Robot(self._rules, header, header.seed, errors, quiet, self.stage)
        self.key = False

    @property
    def table(self) -> Table:
        """The daemon's table."""
        return self.replica.table

    @property
    def dark(self) -> bool:
        """Whether the table computer is without power."""
        return self.stage.venue.dark

    def text(self) -> str:
        """What has happened here, in deal notation."""
        self.stage.catch_up()
        return self.replica.text(self.header)

    def play(self, statement: Statement) -> None:
        """Let a statement happen, no matter who says it.

        Raises:
            NotationError: the table refuses it.
        """
        shadow = self.robot.shadow
        if not shadow.happen(statement):
            raise NotationError(statement.line, shadow.refused.pop().partition(": ")[2])

    def clear_alarms(self) -> None:
        """Clear what nobody is asked about any more, as the robot's people would."""
        if self.at.roles and self.table.state is not State.HELD and self.at.control.ask(do="status").get("alarms"):
            self.at.second.ask(do="clear", reason=SEEN_IT)

    # --- a hand ------------------------------------------------------------------------------------------------------

    def act(self, text: str, source: str = "", index: int = 0) -> list[ReadEvent]:
        """Do one statement; return what reached the table.

        Raises:
            WrongError: it is none, or not for a hand.
            RefusedError: it is not taken.
        """
        try:
            said = read_statement(Line(1, text.strip() or "?"), self._layout)
        except NotationError as error:
            raise WrongError(error.message) from error
        what = named(self.table.view(), said.what, source, index)
        self._check(what, text)
        return self._play_all([what])

    def pull(self, pull: Pull, place: Place | None) -> list[ReadEvent]:
        """Pull several cards at once, and lay them at a place if one is given; return what reached the table."""
        done = self._play_all([pull])
        pulled = next((one.event for one in done if isinstance(one.event, ev.CardsPulled)), None)
        cards: Sequence[Card] = pulled.cards if place is not None and isinstance(pulled, ev.CardsPulled) else ()
        return done + self._play_all([ev.CardLaid(card, place) for card in cards if place is not None])

    def press(self, button: str, option: int, place: Place, amount: int) -> ReadEvent | None:
        """Press a button; return what it meant, None while nothing of it has reached the journal."""
        number = 0
        refused: NotationError | None = None
        began = len(self.replica.seen)
        try:
            number = self.stage.venue.press(button, option, place, amount)
        except NotationError as error:
            refused = error
        self.stage.catch_up()
        fresh = [one for one in self.replica.seen[began:] if isinstance(one, ReadEvent) and one.device == PANEL]
        meant = next((one for one in fresh if number in {0, one.number}), None)
        if refused is not None and meant is None:
            raise RefusedError(refused.message)
        return meant

    def turn_key(self, *, on: bool) -> None:
        """Turn the supervisor's key switch."""
        try:
            self.stage.venue.turn_key(on=on)
        except NotationError as error:
            raise RefusedError(error.message) from error
        self.key = on

    def _play_all(self, steps: Sequence[What]) -> list[ReadEvent]:
        """Do some things one after the other; return what reached the table."""
        began = len(self.replica.seen)
        for what in steps:
            try:
                self.play(Statement(what, 0, write_what(what)))
            except NotationError as error:
                raise RefusedError(error.message) from error
        return [one for one in self.replica.seen[began:] if isinstance(one, ReadEvent)]

    def _check(self, what: What, text: str) -> None:
        """Whether a hand can do this now."""
        if isinstance(what, Claim):
            raise WrongError("an expectation is for a scenario: nothing happens by it")
        if isinstance(what, Pull) and what.named:
            raise WrongError("nobody knows yet which cards come out: say how many are disclosed")
        if self.dark and not isinstance(what, CARDS_AND_CHIPS | ev.PowerOn | Pull) and not _placed(what):
            raise RefusedError("the table computer has no power: only cards and chips can be moved")
        if self.at.roles and isinstance(what, Command) and carrier(what, self.header.sensors) == CONSOLE:
            roles = permissions.needed(what, self.table)
            if not permissions.allows(DEALER, roles):
                raise RefusedError(f"{permissions.lacks_role(text, roles, '')}; say it at the console")


def _placed(what: What) -> bool:
    """Whether a card is drawn and somebody says where it is laid."""
    return isinstance(what, Draw) and (what.place is not None or not what.laid)
