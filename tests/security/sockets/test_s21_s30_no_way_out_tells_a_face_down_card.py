"""S21, S30: neither a report nor what may be said tells anyone what lies face down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.shown.scene import scene
from gamecore.table import Table
from tests.firmware_bridge.positions import table_after
from tests.firmware_bridge.shown.scene_positions import SQUEEZED, positions
from tests.firmware_bridge.shown.test_scene_cards import face_down, named
from tests.firmware_bridge.table_with_roles import Post, at_post
from tests.security.clients import anyone

MISDEALT = (
    "shoe: 9H 7D 6S KC TD 2C 8H 3S JD\nfresh: no\nsensors: shoe, panel, positions\n\n"
    "place-bets\nbet 1 main 100\nbet 2 main 50\nsqueeze 1\nsqueeze 2\nno-more-bets\ndraw 2\n"
)


@pytest.mark.parametrize("do", ["round", "report"])
def test_a_finding_does_not_name_a_card_that_lies_face_down(tmp_path: Path, do: str) -> None:
    """A card that was dealt to the wrong box lies there with its face down; its name is told to nobody."""

    async def at(post: Post) -> None:
        post.pump.table = table_after(MISDEALT, "rws-free-bet-2025")
        client = await (anyone(post) if do == "round" else post.client("dealer"))
        told = json.dumps(await client.ask(do))
        assert '"findings": [{' in told
        assert "9H" not in told

    at_post(tmp_path, at)


def _found(table: Table) -> object:
    """Whether something was found in the round."""
    rounds: Any = table.report()["rounds"]
    return rounds[-1]["findings"] if rounds else None


def test_no_position_of_any_squeezed_scenario_is_told(tmp_path: Path) -> None:
    """Of every face-down card, at every position where something was found."""

    async def at(post: Post) -> None:
        dealer, looked = await post.client("dealer"), 0
        for file in SQUEEZED:
            for where, table in positions(file):
                hidden = face_down(table)
                if hidden and _found(table) and looked < 190:
                    looked += 1
                    post.pump.table = table
                    assert [] == named(json.dumps(await dealer.ask("round")), hidden), where
        assert looked

    at_post(tmp_path, at)


def _decisions(table: Table) -> dict[str, set[str]]:
    """What is offered for each hand that has a card face down, by its place."""
    drawn = scene(table)
    hands = [hand for box in drawn["boxes"] for hand in box["hands"]]
    hidden = {
        place for hand in hands if "??" in hand["cards"] for place in (hand["place"], hand["place"].split(".")[0])
    }
    offered: dict[str, set[str]] = {}
    for one in drawn["can"]:
        word = one["statement"].split()[0]
        if word in {"hit", "stand", "double", "split"} and one["place"] in hidden:
            offered.setdefault(one["place"], set()).add(word)
    return offered


def test_what_is_offered_for_a_face_down_hand_does_not_tell_what_it_is() -> None:
    """Every decision of the game, whatever the cards are."""
    seen = [offered for file in SQUEEZED for _, table in positions(file) for offered in _decisions(table).values()]
    assert seen
    assert [{"hit", "stand", "double", "split"}] * len(seen) == seen
