"""S03: a round that began before people logged in, or under an earlier edition, is no way around confirmation."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.audit.exports.export import sessions
from firmware_bridge.audit.replay import replay
from firmware_bridge.audit.round_filter import Chosen
from firmware_bridge.pump.items import CONSOLE, Item
from firmware_bridge.texts.denials import Why
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import HEAD, LOAD, House, made
from tests.firmware_bridge.restarted_daemon import kept

IN_PLAY = "place-bets\nbet 1 main 100\nbet 2 main 50\nno-more-bets\ndraw 1; draw 2; draw dealer; draw 1; draw 2\n"
DOORS: dict[str, list[ev.Event]] = {
    "call": [ev.Call("foreign-card")],
    "house": [ev.Call("uncovered"), ev.Answer("house", ("void",))],
}
"""Words that end a round and give every wager back, where nothing has to be confirmed."""


def says(house: House, event: object) -> Why | None:
    """Say something at the console."""
    why: list[Why | None] = []
    house.pump.enqueue(Item(CONSOLE, event, reply=why.append))
    house.pump.process_queue()
    return why[0]


def upgraded(state: Path, boot: str = "one") -> House:
    """Start the daemon where people log in; needs a running loop."""
    return House(state, replace(parse(HEAD, GAMES).header, confirm=True), boot)


@pytest.mark.parametrize("door", DOORS)
def test_the_rest_of_a_round_in_play_asks_for_confirmation(tmp_path: Path, door: str) -> None:
    """Nothing goes back by words alone, also after a further start; the next round is that of the new table."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + IN_PLAY), killed=True)

    async def scene() -> None:
        upgraded(state).leaves()
        house = upgraded(state)
        for word in DOORS[door]:
            assert says(house, word) is None
        table = house.pump.table
        assert (True, State.HELD) == (table.round_is_on, table.state)
        assert ["pit-manager"] == [one.role for one in table.view().pending]
        assert says(house, ev.Approve("pit-manager")) is None
        assert (False, "void") == (table.round_is_on, table.view().round.outcome)
        house.pump.close()

    asyncio.run(scene())
    assert ev.Restarted(confirm=True) in kept(state)
    assert [] == replay(state).differences
    found, _ = sessions(state, Chosen(), lambda: None)
    assert [True] == [session.plays_again(session.text()) for session in found]


def test_with_another_boot_it_is_said_after_the_power_failure(tmp_path: Path) -> None:
    """A power failure is proved by the computer and ruled at once; only words wait."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + IN_PLAY), killed=True)

    async def scene() -> None:
        upgraded(state, "two").leaves()

    asyncio.run(scene())
    assert [ev.PowerCut(), ev.PowerOn(), ev.Restarted(confirm=True)] == kept(state)[-3:]


def test_what_was_said_before_is_taken_back_as_it_was(tmp_path: Path) -> None:
    """The events are applied again in their order: what follows the start waits for an approval."""
    state = tmp_path / "state"
    made(state, lambda house: house.plays(HEAD + LOAD + IN_PLAY), killed=True)

    async def scene() -> None:
        house = upgraded(state)
        assert says(house, ev.Stand(Place(1))) is None
        assert says(house, ev.TakeBack()) is None
        assert says(house, ev.Call("foreign-card")) is None
        assert ["pit-manager"] == [one.role for one in house.pump.table.view().pending]
        house.pump.close()

    asyncio.run(scene())
    assert [] == replay(state).differences


@pytest.mark.parametrize(("before", "after"), [(True, True), (True, False), (False, False)])
def test_a_table_that_asks_for_it_already_or_needs_not_is_told_nothing(
    tmp_path: Path, *, before: bool, after: bool
) -> None:
    """A start is then what it always was."""
    state, text = tmp_path / "state", HEAD.replace("burn: no", f"burn: no\nconfirm: {'yes' if before else 'no'}")
    made(state, lambda house: house.plays(text + LOAD + IN_PLAY), text, killed=True)

    async def scene() -> None:
        House(state, replace(parse(HEAD, GAMES).header, confirm=after)).leaves()

    asyncio.run(scene())
    assert [ev.Restarted()] == [event for event in kept(state) if isinstance(event, ev.Restarted)]
