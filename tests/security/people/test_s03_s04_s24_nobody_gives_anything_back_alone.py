"""S03, S04, S24: whatever a lone person says in whatever state, nothing goes back and no round ends without a result.

1. In every group of states (`alone.states`) every shape of statement (`alone.shapes`) is judged at the gate for every
   role, and for the panel without and with its key switch. The person has said everything that was said before, too.
2. What one of them may say is applied. After bets are closed no wager goes back, and the round is neither void nor
   concluded. Chips that are refused never lay there; an insurance that the rules give back, no matter who speaks, is
   play. So is one that goes back because a deal is put back which a device has shown to be wrong.
3. What then waits for an approval the same person cannot approve, in any role.
4. In the suite the states are those of the scenarios and of the listed pairs of irregularities, which reach every group
   that all pairs reach; the soak plays all pairs, and says where the list is short of one.
5. No statement and no request of theirs makes a round vanish: `test_s05_s19_s36_…` and `test_s04_…` look at those.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest

from drivers.panel.messages import Press
from drivers.wire import Spot
from firmware_bridge.journal.rounds.round_records import Known
from firmware_bridge.people.accounts.people_file import Register
from firmware_bridge.people.accounts.roles import ROLES
from firmware_bridge.people.alarms import Alarms
from firmware_bridge.people.guard import Guard
from firmware_bridge.pump.gate import Gate
from firmware_bridge.pump.items import CONSOLE, PANEL, Denied, Item
from gamecore.irregularities.approvals import waiting_for_approval
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command, Event
from gamecore.model.events.outputs import TOLD, IrregularityFound
from gamecore.model.hands import Stake
from gamecore.model.round import InsuranceWager
from gamecore.model.state import TableState
from gamecore.notation.playing.links import carrier
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write_event
from gamecore.rules.codes import CODES
from gamecore.rules.games import GAMES
from gamecore.standing.who import Wager, key_of, wagers
from gamecore.table import PHYSICAL, Table
from tests.firmware_bridge.positions import table_after
from tests.gamecore.pairs.cells import cells, why_not
from tests.gamecore.pairs.robot import FITTINGS
from tests.security.alone.kept_table import AGAIN, Kept
from tests.security.alone.shapes import ROLES as APPROVING
from tests.security.alone.shapes import reports, shapes, told
from tests.security.alone.states import Group, group, group_for_reports, listed, of_pairs, of_scenarios

WITHOUT_RESULT = frozenset({"void", "concluded"})
WORDS = (ev.Answer, ev.Call, ev.CannotReconstruct, ev.Absent, ev.Reconstructed)


class Speaker(NamedTuple):
    """Somebody alone: by role at the console, or nobody in particular at the panel, with or without the key."""

    role: str
    key: bool = False


SPEAKERS = (*map(Speaker, ROLES), Speaker(PANEL), Speaker(PANEL, key=True))


class Alone:
    """The gate of a table at which one person has said everything so far."""

    def __init__(self, folder: Path, speaker: Speaker) -> None:
        self._speaker = speaker
        self._guard = Guard(Register(folder, ()), Alarms(roles=True), clock=lambda: 0.0)
        said = Known(1, "told", self._name, speaker.role)
        books = SimpleNamespace(recorder=SimpleNamespace(row_of=lambda _: said), alarms=Alarms(roles=True))
        self._sensors: frozenset[str] = frozenset()
        self._gate = Gate(self._guard, cast("Any", books), lambda: self._sensors)

    @property
    def _name(self) -> str:
        return PANEL if self._speaker.role == PANEL else f"the {self._speaker.role}"

    def may(self, header: Header, what: Event, table: Table) -> bool:
        """Whether they may say it now."""
        self._sensors = header.sensors
        if self._speaker.role == PANEL:
            self._guard.turned(on=self._speaker.key)
            item = Item(PANEL, Press(1, "done", 0, Spot(0), 0))
            return not isinstance(self._gate.judge_press(item, cast("Command", what), table)[1], Denied)
        item = Item(CONSOLE, what, person=self._name, role=self._speaker.role)
        return not isinstance(self._gate.judge_word(item, what, table), Denied)


def stands(wager: Wager) -> bool:
    """Whether a wager has not gone back; one under the minimum goes back whatever its hand makes."""
    main = wager.box.mains.get(wager.slot) if isinstance(wager.chips, Stake) else None
    return wager.stands and not (main is not None and main.returned_by)


def closed(t: TableState) -> bool:
    """Whether a round is on in which bets are closed."""
    return t.round_is_on and not t.bets_open


def brings(table: Table, said: Event) -> str:
    """Let something be said; what it gives back or ends, or nothing."""
    t = table._state
    before = [wager for wager in wagers(t.round) if stands(wager)] if closed(t) else []
    keys, opened, number = {key_of(wager) for wager in before}, closed(t), t.round.number
    shown = isinstance(said, ev.Reconstructed) and any(matter.finding.how != TOLD for matter in t.hold.matters[:1])
    outputs = table.apply(said)
    refused = any(isinstance(one, IrregularityFound) and one.finding.ruling == "refuse-wager" for one in outputs)
    after = table._state
    if isinstance(said, AGAIN):
        gone = [wager for wager in wagers(after.round) if not stands(wager) and key_of(wager) in keys]
    else:
        gone = [wager for wager in before if not stands(wager) and not _by_rule(said, wager, shown=shown)]
    if gone and not refused:
        return f"gives back {[*map(key_of, gone)]}"
    ended = opened and after.round.number == number and after.round.outcome in WITHOUT_RESULT
    return f"ends the round: {after.round.outcome}" if ended else ""


def _by_rule(said: Event, wager: Wager, *, shown: bool) -> bool:
    """Whether the rules give it back whatever anybody says.

    Even money was taken, another claim comes first, or a deal is put back that is `shown` to be wrong.
    """
    return isinstance(wager.chips, InsuranceWager) and (shown or not isinstance(said, WORDS))


class Trial:
    """Looks at one state of each group."""

    def __init__(self, folder: Path) -> None:
        self._alone = [(speaker, Alone(folder, speaker)) for speaker in SPEAKERS]
        self.seen: set[Group] = set()
        self._reported: set[Group] = set()
        self.tried = 0
        self.wrong: list[str] = []

    def visit(self, header: Header, table: Table) -> None:
        """Try everything in a state of a group that was not seen before."""
        seen = group(header, table)
        if seen in self.seen:
            return
        self.seen.add(seen)
        kept = Kept(table)
        waiting = {one.finding.event for one in waiting_for_approval(table._state)}
        for said in self._sayable(header, table):
            speaker = next((who for who, gate in self._alone if gate.may(header, said, table)), None)
            if speaker is None:
                continue
            self.tried += 1
            copy = kept.again(said)
            effect = brings(copy, said)
            words = f"{seen}: '{write_event(said)}'"
            self.wrong += [f"{words} by {speaker} {effect}"] if effect else []
            fresh = [one for one in waiting_for_approval(copy._state) if one.finding.event not in waiting]
            self.wrong += [
                f"{words} by {who}, who approves it alone"
                for who, gate in (self._alone if fresh else ())
                if gate.may(header, said, table) and self._approves(gate, header, copy)
            ]

    @staticmethod
    def _approves(gate: Alone, header: Header, table: Table) -> bool:
        """Whether somebody may approve what gives wagers back, in any role."""
        codes = [one.code for one in table.view().pending if one.words]
        approvals = [ev.Approve(role, code) for role in APPROVING for code in codes]
        return any(table.can(approval) and gate.may(header, approval, table) for approval in approvals)

    def _sayable(self, header: Header, table: Table) -> Iterator[Event]:
        """What can be said at the console: what a fitted device reports cannot."""
        yield from shapes(table)
        reported = group_for_reports(header, table)
        if reported not in self._reported:
            self._reported.add(reported)
            yield from reports(table)
        yield from (said for said in told(table) if carrier(said, header.sensors) == CONSOLE)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_alone_gives_anything_back(tmp_path: Path, game: str, record_property: Any) -> None:
    """In every group of states that scenarios and pairs of irregularities reach."""
    trial = Trial(tmp_path)
    of_scenarios(game, trial.visit)
    of_pairs(listed(game), trial.visit)
    record_property("table", f"alone, {game}: {trial.tried} statements in {len(trial.seen)} groups of states")
    assert [] == trial.wrong[:20]
    assert len(trial.seen) > 500


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_nobody_alone_gives_anything_back_in_any_pair(tmp_path: Path, game: str) -> None:
    """In every group that any cell of the table of pairs reaches; `python -m tests.security.alone` mends the list."""
    trial, reached = Trial(tmp_path), set[Group]()
    of_pairs((cell for cell in cells([game], FITTINGS, CODES) if not why_not(cell)), trial.visit)
    assert [] == trial.wrong[:20]
    of_pairs(listed(game), lambda header, table: reached.add(group(header, table)))
    assert set() == trial.seen - reached


def test_the_trial_finds_what_confirmation_prevents() -> None:
    """Each told shape is an event that the table knows; without confirmation a word voids the round."""
    table = table_after("fresh: no\nsensors: none\n\nplace-bets\nbet 1 main 100\nno-more-bets\n")
    assert {type(said) for said in told(table)} <= set(PHYSICAL)
    word = ev.Call("foreign-card")
    assert "ends the round: void" == brings(Kept(table).again(word), word)
