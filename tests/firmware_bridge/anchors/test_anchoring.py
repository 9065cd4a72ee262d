"""A journal with a past signs nothing, and begins no round, until an anchor has confirmed it or a person passes it."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_bridge.anchors import anchoring
from firmware_bridge.anchors.anchoring import Anchoring
from firmware_bridge.anchors.register import Register, Standing, compare
from firmware_bridge.journal import segments, writer
from firmware_bridge.journal.signed import signing
from firmware_bridge.journal.signed.signing import Head
from firmware_bridge.people.permissions import ANCHOR_WIPED, PUT_BACK, UNANCHORED
from firmware_bridge.pump.items import CONSOLE, Item, Note
from gamecore.model.events import events as ev
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House, made, rounds
from tests.firmware_bridge.restarted_daemon import all_rows
from tests.patience import eventually_on_loop

BETS = "place-bets\nbet 1 main 50\n"
REST = "no-more-bets\ndraw 1; draw dealer; draw 1\nstand 1\ndraw dealer\nsettle\n"
FILE = "file:/elsewhere"


def published(state: Path) -> Register:
    """What an anchor would hold that has the last head."""
    head = signing.published(state / signing.HEAD)
    assert isinstance(head, Head)
    return Register(head.number, head.n, head.chain)


def scene(
    state: Path, act: Callable[[House, Anchoring], Awaitable[None] | None], ask: tuple[str, ...] = (FILE,)
) -> None:
    """Start a daemon that waits for anchors."""

    async def main() -> None:
        house = House(state, parse(HEAD, GAMES).header)
        waiting = Anchoring(house.pump, ask)
        waiting.start(asyncio.get_running_loop())
        done = act(house, waiting)
        if done is not None:
            await done
        waiting.close()
        house.pump.close()

    asyncio.run(main())


def heads(state: Path) -> int:
    """The number of the published head."""
    return published(state).number


def bets(house: House) -> str | None:
    """Begin a round; why that is refused."""
    return house.happens(ev.PlaceBets())


def test_nothing_is_signed_before_an_anchor_agrees(tmp_path: Path) -> None:
    """A round in play goes on to its end; its record and head follow when one has."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + ROUND + LOAD + BETS), killed=True)
    before = published(state)

    def act(house: House, waiting: Anchoring) -> None:
        house.plays(HEAD + REST)
        assert "no anchor has confirmed the journal yet" == bets(house)
        assert (before.number, 1) == (
            heads(state),
            len(house.books.journal.connection.execute("SELECT 1 FROM rounds").fetchall()),
        )
        waiting.judge_anchor(FILE, before)
        house.pump.process_queue()
        assert (before.number + 1, False) == (heads(state), waiting.waits)
        assert None is bets(house)

    scene(state, act)
    (row,) = (json.loads(row.body or "") for row in all_rows(state) if (row.body or "").startswith('{"anchored"'))
    assert {"anchored": FILE, "number": before.number, "n": before.n} == row


def test_a_daemon_that_ends_while_it_waits_signs_nothing(tmp_path: Path) -> None:
    """What it wrote is recovered by the next."""
    state = tmp_path / "state"
    made(state, rounds(1))
    before = heads(state)
    scene(state, lambda _, __: None)
    assert before == heads(state)


def test_an_anchor_that_was_not_asked_proves_nothing_of_the_past(tmp_path: Path) -> None:
    """A new one agrees with whatever it is given first."""
    state = tmp_path / "state"
    made(state, rounds(1))

    def act(_: House, waiting: Anchoring) -> None:
        waiting.judge_anchor("panel", None)
        waiting.judge_anchor("panel", published(state))
        assert waiting.waits

    scene(state, act)


def test_after_half_a_minute_a_shift_manager_may_pass_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By clearing the alarm, with name and reason."""
    monkeypatch.setattr(anchoring, "PATIENCE", 0.01)
    state = tmp_path / "state"
    made(state, rounds(1))

    async def act(house: House, waiting: Anchoring) -> None:
        await eventually_on_loop(lambda: house.books.alarms.open)
        (alarm,) = house.books.alarms.open
        assert (UNANCHORED, True) == (alarm.code, waiting.waits)
        said = {"cleared": [{"n": alarm.n, "code": alarm.code}], "by": "ann", "role": "shift-manager", "reason": "x"}
        house.pump.enqueue(Item(CONSOLE, Note(json.dumps(said))))
        house.pump.process_queue()
        assert (False, None) == (waiting.waits, bets(house))

    scene(state, act)


@pytest.mark.parametrize(
    "wrong", [Register(10**6, 5, bytes(32)), Register(1, 10**6, bytes(32)), Register(2, 5, bytes(32))]
)
def test_an_anchor_that_holds_what_the_journal_has_not_is_an_alarm_and_a_hold(tmp_path: Path, wrong: Register) -> None:
    """No round begins until it is cleared; also when another anchor has agreed before."""
    state = tmp_path / "state"
    made(state, rounds(2))

    def act(house: House, waiting: Anchoring) -> None:
        waiting.judge_anchor(FILE, published(state))
        assert None is bets(house)
        waiting.judge_anchor("shoe", wrong)
        house.pump.process_queue()
        assert {PUT_BACK, "uncovered"} == {alarm.code for alarm in house.books.alarms.open}
        assert "held" == house.pump.table.state.value

    scene(state, act)


def test_a_folder_that_was_put_back_is_found_at_the_next_start(tmp_path: Path) -> None:
    """Before anything is signed over it."""
    state, old = tmp_path / "state", tmp_path / "old"
    made(state, rounds(1))
    shutil.copytree(state, old)
    made(state, rounds(2))
    held = published(state)
    shutil.rmtree(state)
    shutil.copytree(old, state)
    before = heads(state)

    def act(house: House, waiting: Anchoring) -> None:
        waiting.judge_anchor(FILE, held)
        house.pump.process_queue()
        assert (PUT_BACK, True) == (house.books.alarms.open[0].code, waiting.waits)
        assert before == heads(state)
        assert bets(house)

    scene(state, act)
    assert before == heads(state)


def test_an_anchor_that_holds_nothing_is_new_or_was_wiped(tmp_path: Path) -> None:
    """The journal says which."""
    state = tmp_path / "state"
    made(state, rounds(1))

    def first(house: House, waiting: Anchoring) -> None:
        waiting.judge_anchor(FILE, None)
        house.pump.process_queue()
        assert (False, ()) == (waiting.waits, house.books.alarms.open)
        waiting.acknowledged(FILE, *published(state)[:2])

    def wiped(house: House, waiting: Anchoring) -> None:
        waiting.judge_anchor(FILE, None)
        house.pump.process_queue()
        assert (True, [ANCHOR_WIPED, "uncovered"]) == (waiting.waits, [alarm.code for alarm in house.books.alarms.open])

    def nothing_yet(house: House, waiting: Anchoring) -> None:
        waiting.judge_anchor("file:/other", None)
        assert (True, True) == (waiting.waits, "file:/other" in house.books.anchored)

    scene(state, first)
    scene(state, wiped)
    scene(state, lambda _, waiting: waiting.judge_anchor("file:/other", None), ("file:/other",))
    scene(state, nothing_yet, ("file:/other",))
    assert 2 == sum('"first-use": true' in (row.body or "") for row in all_rows(state))


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("", True),
        ("panel silent", False),  # as yet
        ("panel late", True),
        ("panel agrees", False),
        ("panel wiped", True),
        ("panel silent, meter agrees", False),
        ("panel late, meter agrees", True),  # it is new: what it holds it was told by this very journal
    ],
)
def test_a_wiped_anchor_holds_a_round_in_play_unless_another_agrees(tmp_path: Path, said: str, *, held: bool) -> None:
    """What it held may be what would have told that the journal was put back."""
    state = tmp_path / "state"
    made(state, rounds(1))
    others = dict(one.split() for one in said.split(", ") if one)
    names = ["shoe", *(name for name in others if name != "meter")]

    def first(house: House, waiting: Anchoring) -> None:
        for name in names:
            waiting.judge_anchor(name, published(state))
        house.plays(HEAD + LOAD + BETS)

    def again(house: House, waiting: Anchoring) -> None:
        known = published(state)
        waiting.judge_anchor("shoe", None)
        for name, does in others.items():
            if does in {"agrees", "wiped"}:
                waiting.judge_anchor(name, known if does == "agrees" else None)
            elif does == "late":
                waiting._late()
        house.pump.process_queue()
        assert held is (house.pump.table.state.value == "held")
        assert ANCHOR_WIPED in {alarm.code for alarm in house.books.alarms.open}

    scene(state, first, ())
    scene(state, again, tuple(names))


def test_an_anchor_with_another_key_is_not_a_wiped_one(tmp_path: Path) -> None:
    """What it held under the old key is nothing to it, and it agrees with nothing of before."""
    state = tmp_path / "state"
    made(state, rounds(1))

    def again(house: House, waiting: Anchoring) -> None:
        waiting.began_anew("shoe", "it was paired with another key")
        waiting.judge_anchor("shoe", None)
        house.pump.process_queue()
        assert ((), False) == (house.books.alarms.open, house.pump.table.state.value == "held")

    scene(state, lambda _, waiting: waiting.judge_anchor("shoe", published(state)), ())
    scene(state, again, ("shoe",))


def test_an_event_of_an_older_segment_is_found(tmp_path: Path) -> None:
    """At hand or in the archive."""
    state, usual = tmp_path / "state", writer.LONG
    made(state, rounds(1))
    held = published(state)
    writer.LONG = 20
    try:
        made(state, rounds(3))
    finally:
        writer.LONG = usual
    assert len(segments.segments(state)) > 1

    def act(house: House, _: Anchoring) -> None:
        journal = house.books.journal
        assert Standing.AGREES is compare(journal, held)
        assert Standing.BESIDE is compare(journal, held._replace(chain=bytes(32)))
        assert Standing.BESIDE is compare(journal, held._replace(n=0))

    scene(state, act)


def test_without_anchors_to_ask_nothing_is_waited_for(tmp_path: Path) -> None:
    """A table that never had any."""
    state = tmp_path / "state"
    made(state, rounds(1))

    def act(house: House, waiting: Anchoring) -> None:
        assert (False, None) == (waiting.waits, bets(house))

    scene(state, act, ())
