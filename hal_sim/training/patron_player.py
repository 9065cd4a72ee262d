"""What the patrons do while a trainee deals: the robot's people, with the dealing left out.

1. `due` gives what Players do now, one thing at a time, each allowed as the table stands; nothing where the Dealer is
   to act. Chips are placed when bets are open, offers answered when they are made, hands decided when it is their turn,
   questions to Players answered. The jackpot meter shows itself.
2. A Player decides once: a card that is wished for is said (`hit`), and then waited for.
3. Patrons of a lesson do what its file says, each thing after as many right acts of the trainee as stand before it.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from gamecore.model.events import events as ev
from gamecore.model.events.events import Command
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.syntax import Draw, What
from hal_sim.dealer import patrons
from hal_sim.dealer.robot_dealer import Robot
from hal_sim.dealer.robot_table import Shadow
from hal_sim.training.course import Lesson, is_of_patrons


class Patrons(Protocol):
    """The people who sit at the table."""

    def due(self, right_acts: int) -> list[What]:
        """What they do now, after this many right acts of the trainee."""

    @property
    def done(self) -> bool:
        """Whether they have nothing more to do of their own."""


class RobotPatrons:
    """Patrons who play as the robot's do."""

    done = True

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._bet_in = 0  # the round in which they have placed their chips
        self._answered: set[tuple[int, str]] = set()
        self._decided: set[tuple[int, ...]] = set()

    @property
    def _shadow(self) -> Shadow:
        return self._robot.shadow

    def due(self, right_acts: int) -> list[What]:
        """What they do now."""
        del right_acts
        shadow, view = self._shadow, self._shadow.view
        if view.matters:
            asked = [ask for ask in view.matters[0].asks if ask.who[:1].isdigit() and "CARD" not in ask.options]
            return self._robot.answer(asked[0]) if asked else []
        match shadow.state:
            case State.BETTING:
                return self._bets()
            case State.SETTLEMENT:
                return patrons.jackpots(shadow)
            case State.OFFERS | State.PLAYER_TURN:
                return self._answers() if shadow.offers("open") else self._decision()
            case _:
                return []

    def _bets(self) -> list[What]:
        number = self._shadow.view.round.number
        if self._bet_in == number:
            return []
        self._bet_in = number
        return patrons.bets(self._shadow)

    def _answers(self) -> list[What]:
        """Who takes an offer that is open; when nobody does any more it is left to the Dealer to close it."""
        number = self._shadow.view.round.number
        opened = {(number, what) for what in self._shadow.offers("open")}
        if opened <= self._answered:
            return []
        said = patrons.answers(self._shadow)
        if not said:
            self._answered |= opened
        return said

    def _decision(self) -> list[What]:
        shadow, now = self._shadow, self._shadow.view.round
        turn, place = now.turn, shadow.table.next_place
        if turn is None or shadow.offers("due") or shadow.pairs_due() or shadow.cards_in_hand():
            return []
        if place is None:  # nothing but a word of theirs takes the round on
            words = [word for word in shadow.table.allowed().commands if is_of_patrons(word)]
            return [shadow.chance.choice(words)] if words else []
        if place.box != turn.number:
            return []
        hand = turn.hands[now.turn_hand]
        known = (now.number, turn.number, now.turn_hand, len(turn.hands), len(hand.cards))
        if hand.awaits_card or known in self._decided:
            return []
        self._decided.add(known)
        said = patrons.decision(shadow, turn, hand)
        if any(isinstance(what, Draw | ev.CardLaid | ev.CuttingCardOut) for what in said):
            wish: Command = ev.Hit(Place(turn.number))
            return [wish] if shadow.table.can(wish) else []
        return said


class ScriptedPatrons:
    """Patrons of a lesson."""

    def __init__(self, lesson: Lesson, shadow: Shadow) -> None:
        self._shadow = shadow
        self._queue: deque[tuple[int, What]] = deque()
        acts = 0
        for statement in lesson.after:
            if is_of_patrons(statement.what):
                self._queue.append((acts, statement.what))
            else:
                acts += 1

    @property
    def done(self) -> bool:
        """Whether all that the file lets them do is done."""
        return not self._queue

    def due(self, right_acts: int) -> list[What]:
        """The next thing that they do, if it is time for it."""
        if not self._queue or right_acts < self._queue[0][0]:
            return []
        what = self._queue[0][1]
        if isinstance(what, Command) and not self._shadow.table.can(what):
            return []
        self._queue.popleft()
        return [what]
