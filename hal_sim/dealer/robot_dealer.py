"""The robot dealer: it plays any of the five games with the people at its table, as a stream of statements.

1. `play_round` gives one statement after the other, each already taken by the robot's own table (`robot_table`).
   The caller can play it at any venue; the prepared shoe of the header decides the cards, so all venues see the same
   ones.
2. All chance comes from the seed: the same header, seed and errors give the same statements.
3. Without errors the round is regular: offers are made, chips lie within limits and time, what is to be settled first
   is, the cards are shuffled when the cutting card has come out. Nothing is found, nothing refused.
4. Errors are committed as the dials and the script say (`error_plan`). Then the robot does what the table asks: it
   gives a permitted answer, makes the moves, says that they are made, approves, loads, until the round goes on.
5. It is never stuck. A round that has not ended after `MOST_STEPS` is given to the shift manager, who voids it. If that
   does not end it either, `stuck` says where the table hangs, and no further round can be played there.
6. After a round in which the set of cards was in doubt the cards are shuffled again.
7. It can finish a round that somebody else has begun (`play_on`). Its table may be elsewhere (`stage`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from gamecore.model.events import events as ev
from gamecore.model.events.events import Command
from gamecore.model.events.outputs import Ask
from gamecore.model.places import BURN, Place
from gamecore.model.states import State
from gamecore.notation.header import Games, read_header
from gamecore.notation.lines import Line
from gamecore.notation.syntax import Draw, Header, Load, Noise, Statement, What
from gamecore.notation.writer import write_what
from gamecore.rules.ruleset import Ruleset
from gamecore.table import Table
from hal_sim.dealer import patrons
from hal_sim.dealer.error_plan import BETTING, BETWEEN, PLAYING, Errors, Kind
from hal_sim.dealer.robot_table import Shadow, Stage

MOST_STEPS = 400
#: After these the cards in use are not the set any more, or nobody knows.
OF_THE_SET = frozenset({"foreign-card", "extra-card", "missing-card", "unshuffled-cards", "uncovered"})
#: Between the moment when an error is wanted and the first at which it is committed, in steps.
DELAYS = (0, 0, 1, 3, 6, 10)
LIMITS = {"main": (25_00, 5_000_00)}
SIDE_LIMITS = (5_00, 500_00)


def a_header(games: Games, game: str, seed: int) -> Header:
    """Return a fully fitted table of a game with limits; the seed decides how it shuffles."""
    rules = games[game]
    shuffling = random.Random(f"{seed}/{game}/table").choice(("machine", "machine", "manual", "manual", "continuous"))
    lines = [Line(1, f"game: {game}"), Line(2, f"seed: {seed}"), Line(3, f"shuffling: {shuffling}")]
    limits = tuple((kind, *LIMITS.get(kind, SIDE_LIMITS)) for kind in rules.wager_kinds())
    return replace(read_header(lines, games), limits=limits)


class Robot:
    """One table, its shoe and all the people at it."""

    def __init__(
        self,
        rules: Ruleset,
        header: Header,
        seed: int,
        errors: Errors | None = None,
        quiet: str = "0",
        stage: Stage | None = None,
    ) -> None:
        self.errors = errors or Errors()
        self.rounds = 0
        self.statements = 0
        self.abandoned: list[str] = []
        self.stuck = ""
        self.committed: list[Kind] = []
        self._chance = random.Random(f"{seed}/{header.game}")
        self._shadow = Shadow(rules, header, self._chance, stage)
        self._quiet = quiet
        self._noisy: list[str] = []
        self._wanted: list[Kind] = []
        self._owed: list[Kind] = []  # of the script, until there is a chance for it
        self._delay = 0
        self._joining = False
        self._moved: tuple[int, int] | None = None  # the finding for which the moves were made
        self._in_doubt = False

    @property
    def shadow(self) -> Shadow:
        """What the robot looks at."""
        return self._shadow

    @property
    def table(self) -> Table:
        """The robot's own table."""
        return self._shadow.table

    # --- the round ---------------------------------------------------------------------------------------------------

    def play_round(self) -> Iterator[Statement]:
        """Play one round, from the shuffle before it to its settlement."""
        if self.stuck:
            return
        self.rounds += 1
        self._want()
        passed = self._error(BETWEEN)
        yield from self._say(passed or [])
        yield from self._say(self._shuffle() if passed is None or self._shadow.no_cutting_card else [])
        yield from self._say(self._begin())
        yield from self._say(patrons.bets(self._shadow))
        yield from self._say(self._error(BETTING) or [])
        yield from self._say([] if self._chance.random() < 0.05 else self._close())
        yield from self._finish()

    def play_on(self) -> Iterator[Statement]:
        """Play a round that has begun, by whatever hand, to its settlement."""
        if not self.stuck:
            yield from self._finish()

    def _finish(self) -> Iterator[Statement]:
        yield from self._until_over(MOST_STEPS)
        if self._is_on():
            yield from self._abandon()
        yield from self._say([Noise(device, self._quiet) for device in self._noisy])
        self._noisy.clear()

    def _until_over(self, steps: int) -> Iterator[Statement]:
        for _ in range(steps):
            if not self._is_on():
                return
            self._delay -= 1
            yield from self._say(self._step())

    def _is_on(self) -> bool:
        return self.table.round_is_on

    def _say(self, step: list[What]) -> Iterator[Statement]:
        """Let what is done in one step happen, one thing after the other."""
        for what in [one for said in step for one in (*self._wish_before(said), said)]:
            statement = Statement(what, self.statements + 1, write_what(what))
            if self._shadow.happen(statement):
                self.statements += 1
                yield statement

    def _wish_before(self, what: What) -> list[What]:
        """A card for a hand that was given another by choice is asked for: the chosen one may still be on its way."""
        pulled = any(finding.code == "double-draw" for finding in self._shadow.view.round.findings)
        if not pulled or not isinstance(what, ev.CardLaid) or self.table.state is not State.PLAYER_TURN:
            return []
        wish = ev.Hit(Place(what.place.box, what.place.hand))
        return [wish] if what.place == self.table.next_place and self.table.can(wish) else []

    def _abandon(self) -> Iterator[Statement]:
        """Give the round to the shift manager, who voids it."""
        matters = [f"{matter.finding.code}, {matter.procedure}" for matter in self._shadow.view.matters]
        where = f"round {self._shadow.view.round.number}: {self.table.state.value}, {'; '.join(matters) or 'no matter'}"
        self.abandoned.append(where)
        yield from self._say([ev.Call("uncovered")])
        yield from self._say([ev.Answer("house", ("void",))])
        if self._is_on():
            self.stuck = where

    # --- errors ------------------------------------------------------------------------------------------------------

    def _want(self) -> None:
        """Decide which errors this round is to have."""
        self._owed += self.errors.scripted(self.rounds)
        self._wanted = self.errors.due(self._chance, self._shadow.rules)
        self._delay = 0 if self._owed else self._chance.choice(DELAYS)

    def _error(self, when: str) -> list[What] | None:
        """Commit an error that is wanted now, if one can be."""
        for wanted in (self._owed, self._wanted):
            for kind in [kind for kind in wanted if kind.when == when]:
                early = when == PLAYING and self._delay > 0 and kind.name != "missing-burn"
                done = None if early else kind.commit(self._shadow)
                if done is not None:
                    wanted.remove(kind)
                    self.committed.append(kind)
                    self._in_doubt = self._in_doubt or kind.code in OF_THE_SET
                    self._noisy += [what.device for what in done if isinstance(what, Noise)]
                    return done
        return None

    # --- before the cards --------------------------------------------------------------------------------------------

    def _shuffle(self) -> list[What]:
        """Shuffle and load where that is due, and burn a card where the Dealer does so before the bets."""
        shadow, chance = self._shadow, self._chance
        if shadow.shuffle_due() or self._in_doubt:
            self._in_doubt = False
            manual = shadow.header.shuffling == "manual"
            return [ev.Shuffled("riffle", 3) if manual else ev.Shuffled("machine"), Load()]
        burns = self.table.next_place == BURN and chance.random() < 0.5
        return [Draw(BURN)] if burns and all(kind.name != "missing-burn" for kind in self._wanted) else []

    def _begin(self) -> list[What]:
        """Open the bets; if something stands against it, the shift manager approves first."""
        approval: Command = ev.Approve("shift-manager")
        allowed = self.table.can(ev.PlaceBets())
        return [ev.PlaceBets()] if allowed or not self.table.can(approval) else [approval, ev.PlaceBets()]

    def _close(self) -> list[What]:
        """Close the bets, and permit squeezing at a box now and then."""
        squeezed = [box for box in self._shadow.wagered() if self._chance.random() < 0.1]
        permitted: list[What] = [ev.Squeeze(box) for box in squeezed] if self._shadow.rules.squeeze.value else []
        return [ev.NoMoreBets(), *permitted] if self.table.can(ev.NoMoreBets()) else []

    # --- one step ----------------------------------------------------------------------------------------------------

    def _step(self) -> list[What]:
        """What happens next."""
        shadow = self._shadow
        if shadow.view.matters:
            return self._carry_out()
        committed = self._error(PLAYING)
        if committed is not None:
            return committed
        if shadow.view.rights and self._chance.random() < 0.2:
            return self.answer(self._chance.choice(shadow.view.rights))
        match shadow.state:
            case State.BETTING:
                closed = self._close()
                return closed or [ev.WagerPlaced(Place(1, 0, 1), "main", patrons.MAIN[0])]
            case State.BETS_CLOSED | State.INITIAL_DEAL:
                return shadow.next_card()
            case _:
                return self._after_deal()

    def _after_deal(self) -> list[What]:
        """Offers, what is settled on the way, decisions, the Dealer's cards, the settlement."""
        shadow = self._shadow
        if shadow.pairs_due() and self.table.can(ev.Interim()):
            return [ev.Interim()]
        if "insurance" in shadow.offers("missed") and self.table.can(ev.Approve("pit-supervisor")):
            return [ev.Approve("pit-supervisor")]
        spoken = self._offers()
        if spoken:
            return spoken
        said = self._told_on_the_way()
        if said:
            return said
        match shadow.state:
            case State.PLAYER_TURN:
                return self._decision() or self._otherwise()
            case State.SETTLEMENT:
                return patrons.jackpots(shadow) or ([ev.Settle()] if self.table.can(ev.Settle()) else self._otherwise())
            case _:
                return self._otherwise()

    def _otherwise(self) -> list[What]:
        """A card where one is due, else anything that is allowed."""
        if self.table.next_place is not None:
            return self._shadow.next_card()
        return patrons.anything(self._shadow) or [ev.Call("uncovered")]

    def _offers(self) -> list[What]:
        """Make an offer that is due, hear the answers, close it."""
        shadow = self._shadow
        due: list[Command] = [ev.Offer(what) for what in shadow.offers("due")]
        made = [offer for offer in due if self.table.can(offer)]
        if made:
            return [self._chance.choice(made)]
        if not shadow.offers("open"):
            return []
        taken = patrons.answers(shadow)
        if taken:
            return taken
        implied = self.table.next_place is not None and self._chance.random() < 0.1
        closes: list[Command] = [ev.Close(what) for what in shadow.offers("open")]
        allowed = [close for close in closes if self.table.can(close)]
        return [self._chance.choice(allowed)] if allowed and not implied else []

    def _told_on_the_way(self) -> list[What]:
        """What is said beside the play: who joins, who gives up, what is collected, which cards are turned."""
        shadow = self._shadow
        joined = patrons.joining(shadow) if self._joining else []
        self._joining = bool(joined)
        if joined:
            return joined
        turned: list[What] = [
            ev.CardsTurned(number)
            for number, box in shadow.boxes.items()
            if any(hand.face_down for hand in box.hands) and self._chance.random() < 0.2
        ]
        return patrons.rescued(shadow) or turned[:1] or patrons.on_the_way(shadow)

    def _decision(self) -> list[What]:
        """The hand whose turn it is: a card that it waits for, or what its Player decides."""
        shadow, game_round = self._shadow, self._shadow.view.round
        turn, place = game_round.turn, self.table.next_place
        if turn is None or place is None or place.box != turn.number or shadow.cards_in_hand():
            return []
        hand = turn.hands[game_round.turn_hand]
        if hand.awaits_card:
            return shadow.next_card()
        said = patrons.decision(shadow, turn, hand)
        self._joining = any(isinstance(what, ev.Split | ev.FreeSplit | ev.Double | ev.FreeDouble) for what in said)
        return said

    # --- what the table asks -----------------------------------------------------------------------------------------

    def _carry_out(self) -> list[What]:
        """What the matter that is open first waits for."""
        matter = self._shadow.view.matters[0]
        if matter.asks:
            return self.answer(self._chance.choice(matter.asks))
        if matter.procedure == "riffle":
            self._in_doubt = True  # the cards are shuffled again after this round (MBS 5.19.1)
            return [ev.Shuffled("riffle", 1), Load()]
        moves: list[What] = [ev.CardMoved(move.card, move.source, move.target) for move in self._shadow.view.moves]
        done = self.table.can(ev.Reconstructed())
        if moves and (not done or (matter.finding.key != self._moved and self._chance.random() < 0.5)):
            self._moved = matter.finding.key
            return moves
        words: list[Command] = [ev.Reconstructed(), ev.CannotReconstruct(), ev.Approve("shift-manager")]
        return [next((word for word in words if self.table.can(word)), ev.Call("uncovered"))]

    def answer(self, ask: Ask) -> list[What]:
        """A permitted answer: mostly to go on, and the true card where one could not be read."""
        if "CARD" in ask.options:
            return [ev.Answer(ask.who, (str(self._shadow.unread),))]
        options = [word for word in ask.options if self.table.can(ev.Answer(ask.who, (word,)))]
        if not options:
            return [ev.Approve("shift-manager")]
        word = "continue" if "continue" in options and self._chance.random() < 0.7 else self._chance.choice(options)
        if word == "continue" and ask.who == "house" and self._chance.random() < 0.5:
            return [ev.Approve("shift-manager")]
        everybody = word == "continue" and "withdraw" in options and self._chance.random() < 0.5
        return [ev.Answer("all" if everybody else ask.who, (word,))]
