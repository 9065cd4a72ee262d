"""A Dealer who does what the loud line says, and nothing else.

1. Every step is one look at the line and one act that it names: a button, a card, a move, an answer, a word.
2. Players are free: what they wager, take, decide and answer comes from the robot's patrons and from the seed. They say
   what they want, and draw nothing by themselves.
3. What the line asks for is allowed: a refusal is a failure, and so are a line that says to wait and one that asks for
   the same thing again and again.
4. An error is committed as the robot commits it, where it can be; after that the line alone leads on.
5. Where a card goes, and what is moved from where, is what the line says. `look` may read it elsewhere than in process,
   and the acts may be played at another table too (`stage`). With `at_buttons` Players say no more than a screen has
   buttons for. `left` cards lie in the shoe at the beginning, else all.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from drivers.panel.messages import Press
from drivers.wire import Spot
from firmware_bridge.inputs.panel_presses import command
from firmware_bridge.shown.advice import Advice, advise, worded
from gamecore.model.events import events as ev
from gamecore.model.places import BURN, Place
from gamecore.notation.syntax import Draw, Load, Statement, What
from gamecore.notation.writer import write_what
from gamecore.rules.games import GAMES
from hal_sim.dealer import patrons
from hal_sim.dealer.error_plan import BETTING, BETWEEN, PLAYING, Kind
from hal_sim.dealer.robot_dealer import a_header
from hal_sim.dealer.robot_table import Shadow, Stage

MOST_STEPS = 400
SAME_AGAIN = 40
FREE = frozenset({"open", "open-void"})


class Follower:
    """One table, and a Dealer who follows the line."""

    def __init__(
        self, game: str, seed: int, *, left: int | None = None, at_buttons: bool = False, stage: Stage | None = None
    ) -> None:
        header = replace(a_header(GAMES, game, seed), left=left)
        self.chance = random.Random(f"{seed}/{game}/follower")
        self.shadow = Shadow(GAMES[game], header, self.chance, stage)
        self._at_buttons = at_buttons
        self.lines: list[str] = []
        self._said = 0

    def look(self) -> Advice:
        """Read the line."""
        return advise(self.shadow.view)

    def play_round(self, error: Kind | None = None) -> bool:
        """Play a round, with an error if it gives a chance for one: whether it did."""
        committed = self._commit(error, BETWEEN)
        shadow = self.shadow
        if shadow.header.shuffling == "continuous" and shadow.shuffle_due():  # no cutting card says so
            self._happen("between rounds", ev.Shuffled("machine"), Load())
        began = shadow.view.played
        for _ in range(MOST_STEPS):
            advice = self.look()
            over = shadow.view.played > began and not shadow.view.round_is_on
            if over and advice.key in FREE:
                return committed
            if shadow.state.value == "betting" and advice.key == "close-bets":
                committed = committed or self._commit(error, BETTING)
            elif shadow.view.round_is_on and not shadow.view.matters and not committed:
                committed = self._commit(error, PLAYING)
                if committed:
                    continue
            self.step(self.look())
        raise AssertionError(f"not over after {self.lines[-12:]}")

    def step(self, advice: Advice) -> None:
        """Do what the line says."""
        line = worded(advice)
        self.lines.append(line)
        assert "wait" != advice.key, self._where()
        assert len(self.lines) < SAME_AGAIN or {line} != set(self.lines[-SAME_AGAIN:]), self._where()
        self._happen(line, *self._act(advice))

    def _where(self) -> str:
        view = self.shadow.view
        matters = [(matter.finding.code, matter.procedure) for matter in view.matters]
        return f"{view.state.value} {view.next_place} {matters} after {self.lines[-6:]}"

    def _commit(self, error: Kind | None, when: str) -> bool:
        """Commit the error if it can be now."""
        if error is None or error.when != when:
            return False
        done = error.commit(self.shadow)
        if done is None or (when == PLAYING and self.chance.random() < 0.4):
            return False
        for what in done:
            self._say(what)
        return True

    def _happen(self, line: str, *acts: What) -> None:
        assert acts, f"nothing can be done for '{line}': {self._where()}"
        for what in acts:
            assert self._say(what), f"'{line}': {self.shadow.refused[-1]}: {self._where()}"

    def _say(self, what: What) -> bool:
        self._said += 1
        return self.shadow.happen(Statement(what, self._said, write_what(what)))

    # --- what each line means ----------------------------------------------------------------------------------------

    def _act(self, advice: Advice) -> list[What]:
        if advice.key in _BY_KEY:
            return _BY_KEY[advice.key](self, advice)
        if advice.key.startswith("ask-"):
            return self._answer()
        if advice.key.startswith("close-") and advice.press == "close":
            taken = patrons.answers(self.shadow)
            if taken and self._offered(taken[0]):
                return taken
        if advice.press:
            return [command(self.shadow.table, Press(1, advice.press, 0, Spot(0), 0))]
        return self._deal(advice) if advice.deals else []

    def _offered(self, what: What) -> bool:
        """Whether there is a button for it, where one is needed: not for every amount, nor for another Player."""
        spoken = (getattr(what, "amount", None), getattr(what, "player", None))
        usual = [
            (getattr(one, "amount", None), getattr(one, "player", None))
            for one in self.shadow.table.allowed().commands
            if type(one) is type(what)
        ]
        return not self._at_buttons or isinstance(what, Draw | ev.CardLaid | ev.CuttingCardOut) or spoken in usual

    def _deal(self, advice: Advice) -> list[What]:
        """The next card to where the line says, from the Dealer's hand or the shoe; before it the cutting card."""
        *before, card = self.shadow.next_card()
        assert advice.place is not None
        assert isinstance(card, Draw | ev.CardLaid)
        return [*before, replace(card, place=advice.place)]

    def _answer(self) -> list[What]:
        matter = self.shadow.view.matters[0]
        ask = matter.asks[0]
        if "CARD" in ask.options:
            return [ev.Answer(ask.who, (str(self.shadow.unread),))]
        options = [word for word in ask.options if self.shadow.table.can(ev.Answer(ask.who, (word,)))]
        return [ev.Answer(ask.who, (self.chance.choice(options),))]

    def _decide(self, _advice: Advice) -> list[What]:
        turn = self.shadow.view.round.turn
        assert turn is not None
        hand = turn.hands[self.shadow.view.round.turn_hand]
        said = patrons.decision(self.shadow, turn, hand)
        while not all(map(self._offered, said)):
            said = patrons.decision(self.shadow, turn, hand)
        hit = ev.Hit(turn.place_of(self.shadow.view.round.turn_hand))
        return [hit] if any(isinstance(what, Draw | ev.CardLaid) for what in said) else said

    def _approve(self, advice: Advice) -> list[What]:
        return [ev.Approve(str(advice.args["who"]))]

    def _shuffle(self, advice: Advice) -> list[What]:
        manual = self.shadow.header.shuffling == "manual"
        if advice.key == "riffle":
            return [ev.Shuffled("riffle", 1)]
        return [ev.Shuffled("riffle", 3) if manual else ev.Shuffled("machine"), Load()]

    def _aside(self, advice: Advice) -> list[What]:
        """Lay the card that was set aside where the line says."""
        view = self.shadow.view
        waiting = [
            *(card for card, _ in view.to_lay),
            *view.next_cards,
            *(card for matter in view.matters for card in matter.cards),
        ]
        assert advice.place is not None
        return [ev.CardLaid(waiting[0], advice.place)]

    def _move(self, advice: Advice) -> list[What]:
        """Move a card as the line says; one that nobody has seen is found by where it lies."""
        named, source, target = (advice.args[name] for name in ("card", "from", "to"))
        assert isinstance(source, Place)
        assert isinstance(target, Place)
        moves = [move for move in self.shadow.view.moves if (move.source, move.target) == (source, target)]
        moved = next(move for move in moves if named in {"", str(move.card)})
        done: list[What] = [ev.Reconstructed()] if advice.press else []
        return [ev.CardMoved(moved.card, source, target), *done]


_BY_KEY: dict[str, Callable[[Follower, Advice], list[What]]] = {
    "device": lambda _, advice: [ev.LinkBack(str(advice.args["device"]))],
    "move": Follower._move,
    "void-confirm": Follower._approve,
    "return-confirm": Follower._approve,
    "approve": Follower._approve,
    "approve-insurance": Follower._approve,
    "confirm": lambda *_: [ev.Reconstructed()],
    "riffle": Follower._shuffle,
    "load": lambda *_: [Load()],
    "count": Follower._shuffle,
    "shuffle": Follower._shuffle,
    "no-wager": lambda follower, _: patrons.bets(follower.shadow),
    "burn-aside": lambda follower, _: [ev.CardLaid(follower.shadow.view.to_burn[0], BURN)],
    "aside": Follower._aside,
    "decide": Follower._decide,
    "decide-unseen": Follower._decide,
    "turn": lambda _, advice: [ev.CardsTurned(advice.place.box if advice.place else 0)],
    "meter": lambda follower, _: patrons.jackpots(follower.shadow),
}
