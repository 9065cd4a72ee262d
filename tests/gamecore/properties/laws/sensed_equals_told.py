"""5. Sensed equals told: places that are read, counted or told give the same settlement.

That is so of a regular round, and of one with a single irregularity that is noticed at the same moment.

1. What happened at a table that reads its places is told to two others as their fittings would have it: one that counts
   (the hub names no card) and one without positions (a person tells the place with the card).
2. An irregularity that the places show is called where they do not, at the moment at which it was found. Where a told
   card was believed (it was taken to end the initial deal, or for a hit), the moves differ: nothing is compared then.
3. The first rounds are compared, while each has at most one finding and every card was laid as soon as it was drawn.
   The finding may not be among the hands of a split box or off the playing areas. Elsewhere a told table is meant to
   differ, since a later card says that the hands before it have stood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gamecore.model.cards import UNREAD
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import FindingView, IrregularityFound
from gamecore.model.events.refusals import Refused
from gamecore.model.round import Round
from gamecore.notation.playing.venue import table_config
from gamecore.table import Table
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.tables import Play

SHOWN_BY_PLACES = frozenset({"misdealt-card", "dealer-not-dealt", "box-not-dealt", "box-short", "missing-burn"}) | {
    "unwagered-box-dealt",
    "card-in-error",
    "hand-skipped",
    "dealer-overdraw",
}
_SENSORS = (events.CardLifted, events.SensorWrong, events.LinkLost, events.CardPushedBack, events.CardsPulled)
_CORRECTIONS = (events.Call, events.Retract, events.TakeBack, events.CardsDisclosed, events.CannotReconstruct)


class SensedEqualsTold(Property):
    """The same round at three fittings."""

    name = "sensed equals told"
    share = 0.5

    def __init__(self) -> None:
        """Nothing was found."""
        super().__init__()
        self._found: dict[int, FindingView] = {}
        self._ends: list[int] = []  # of rounds: how many events had happened
        self._astray: set[int] = set()  # moves that no ruling asked for, and events that show two things at once

    def before(self, play: Play) -> None:
        """Note whether a ruling asks for a move."""
        event = play.event
        if isinstance(event, events.CardMoved):
            wanted = [(move.card, move.source, move.target) for move in play.table.view().moves]
            if (event.card, event.source, event.target) not in wanted:
                self._astray.add(len(play.events))

    def after(self, play: Play) -> None:
        """Note what was found, and when."""
        now = len(play.events) - 1
        for output in play.outputs:
            if isinstance(output, IrregularityFound):
                if now in self._found:
                    self._astray.add(now)
                self._found[now] = output.finding
        if play.state.round.outcome != "open" and play.state.round.number > len(self._ends):
            self._ends.append(len(play.events))

    def over(self, play: Play) -> None:
        """Tell it to the others, and compare what was settled."""
        if not play.header.places_sensed or play.header.places_counted:
            return
        ends = list(self._comparable(play))
        if not ends:
            return
        rounds = play.state.rounds[: len(ends)]
        for fitting in ("positions-count", ""):
            sensors = play.header.sensors - {"positions"} | ({fitting} if fitting else set())
            self._compare(play, fitting or "told", frozenset(sensors), rounds)

    def _comparable(self, play: Play) -> Iterator[int]:
        """The ends of the first rounds, as long as they can be compared."""
        began = 0
        for end, game_round in zip(self._ends, play.state.rounds, strict=False):
            happened = play.events[began:end]
            beside = any(isinstance(event, _SENSORS + _CORRECTIONS) for event in happened)
            astray = self._astray & set(range(began, end))
            apart = any(place.hand or place.box < 0 for finding in game_round.findings for place in finding.places)
            if beside or astray or apart or not all(as_steps(happened)) or len(game_round.findings) > 1:
                return
            began = end
            yield end

    def _compare(self, play: Play, fitting: str, sensors: frozenset[str], rounds: Sequence[Round]) -> None:
        other = Table(play.rules, table_config(replace(play.header, sensors=sensors)))
        at = 0
        for step in as_steps(play.events[: self._ends[len(rounds) - 1]]):
            said = step if fitting != "told" else _told(step)
            for event in said:
                heard = replace(event, card=UNREAD) if isinstance(event, events.CardLaid) else event
                outputs = other.apply(heard)
                refused = outputs[0] if outputs and isinstance(outputs[0], Refused) else None
                if refused is not None:
                    self.hold(False, f"{fitting}: {event} is refused, {refused}")
            at += len(step)
            found = self._found.get(at - 1)
            if not is_called(other, found):
                return
            in_error = found is not None and found.code == "card-in-error" and other._state.round.subsequent
            if fitting == "told" and in_error:
                return  # the card was believed, and said that the hands before it have stood
        settled = [_settled(one) for one in other._state.rounds][: len(rounds)]
        self.exercised += len(rounds)
        for mine, its in zip(map(_settled, rounds), settled, strict=True):
            self.hold(mine == its, f"{fitting}: {its}, sensed {mine}")


def is_called(other: Table, found: FindingView | None) -> bool:
    """What the places have shown is called where they do not show it; False if a card was believed to be due there."""
    if found is None or found.code not in SHOWN_BY_PLACES:
        return True
    if not any(finding.code == found.code for finding in other._state.round.findings):
        other.apply(events.Call(found.code, found.places[0] if found.places else None))
    return found.moves == other.view().moves


def as_steps(happened: Sequence[Event]) -> Iterator[list[Event]]:
    """The events, a card and where it was laid together; an empty step where a card was laid otherwise."""
    at = 0
    while at < len(happened):
        event, following = happened[at], happened[at + 1] if at + 1 < len(happened) else None
        match event, following:
            case events.CardDrawn(card, None), events.CardLaid(laid) if card == laid:
                assert following is not None
                yield [event, following]
                at += 2
                continue
            case ((events.CardDrawn() | events.CardLaid()), _):
                yield []
            case _:
                yield [event]
        at += 1


def _told(step: list[Event]) -> list[Event]:
    """What a person tells: the place with the card; that the cards are moved, nobody does."""
    match step:
        case [events.CardDrawn() as drawn, events.CardLaid(_, place, exposed)]:
            return [replace(drawn, told=place, exposed=exposed)]
        case [events.CardMoved()]:
            return []
    return step


def _settled(game_round: Round) -> tuple[object, ...]:
    rows = [(r.box, r.slot, r.hand, r.kind, r.player, r.stake, r.result, r.net) for r in game_round.rows]
    return (game_round.outcome, rows)
