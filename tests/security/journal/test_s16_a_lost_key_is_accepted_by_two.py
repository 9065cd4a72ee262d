"""S16: a key that was lost is an alarm, and what follows it is whole again only by two names and an outside head."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.journal.signed import lost_keys, signing
from firmware_bridge.journal.signed.lost_keys import Acceptance, Lost
from firmware_bridge.people.accounts.roles import DEALER, PIT_MANAGER, SHIFT_MANAGER
from firmware_bridge.people.permissions import KEY_LOST
from firmware_bridge.pump.items import CONSOLE, Item, Note
from tests.firmware_bridge.audit.conftest import Command, truedeal
from tests.firmware_bridge.audit.journals import House, made, rounds
from tests.firmware_bridge.table_with_roles import Post, at_post

__all__ = ["truedeal"]  # pytest finds it by its name here


def lost(state: Path) -> None:
    """A journal whose key was taken away, after which the daemon has run."""
    made(state, rounds(1))
    shutil.rmtree(state / "keys")

    def looked(house: House) -> None:
        assert KEY_LOST in [alarm.code for alarm in house.books.alarms.open]
        assert house.books.alarms.bars(house.pump.table.view())
        cleared = [{"n": alarm.n, "code": alarm.code} for alarm in house.books.alarms.open]
        house.pump.enqueue(Item(CONSOLE, Note(json.dumps({"cleared": cleared}))))
        house.pump.process_queue()

    made(state, looked)


def accept(state: Path, *people: tuple[str, str]) -> None:
    """Let people accept it, one after the other."""

    def scene(house: House) -> None:
        for person, role in people:
            found = lost_keys.newest(house.books.journal)
            assert found is not None
            assert None is lost_keys.refuses(found, 2, person, role)
            house.pump.enqueue(Item(CONSOLE, Note(lost_keys.note(found, person, role)), person=person, role=role))
            house.pump.process_queue()

    made(state, scene)


def test_verify_says_not_whole_until_two_have_accepted_and_an_outside_head_reaches(
    tmp_path: Path, truedeal: Command
) -> None:
    """1 as it is, also with one name; 3 with two; 0 with an outside head as well."""
    state, kept = tmp_path / "state", tmp_path / "kept.json"
    lost(state)
    assert (1, True) == ((found := truedeal("verify", state))[0], "key lost" in found[1])
    accept(state, ("Ann (1)", SHIFT_MANAGER))
    assert 1 == truedeal("verify", state)[0]
    accept(state, ("Bo (2)", PIT_MANAGER))
    status, _, notes = truedeal("verify", state)
    assert (3, True) == (status, "was lost; accepted by Ann (1) and Bo (2)" in notes)
    shutil.copy(state / signing.HEAD, kept)
    assert 0 == truedeal("verify", state, "--head", kept)[0]
    assert verify(state).whole


def test_an_acceptance_of_another_key_counts_for_nothing(tmp_path: Path, truedeal: Command) -> None:
    """It names the segment and its key."""
    state = tmp_path / "state"
    lost(state)

    def scene(house: House) -> None:
        for person in ("Ann (1)", "Bo (2)"):
            note = lost_keys.note(Lost(2, "00" * 32), person, SHIFT_MANAGER)
            house.pump.enqueue(Item(CONSOLE, Note(note), person=person, role=SHIFT_MANAGER))
        house.pump.process_queue()

    made(state, scene)
    assert 1 == truedeal("verify", state)[0]


ANN = Acceptance(4, "k", "Ann (1)", PIT_MANAGER)


@pytest.mark.parametrize(
    ("found", "segment", "person", "role", "why"),
    [
        (None, 4, "Bo (2)", SHIFT_MANAGER, "no key waits"),
        (Lost(4, "k"), 4, "Bo (2)", DEALER, "needs pit-manager"),
        (Lost(4, "k"), 4, "", "", "nobody is logged in"),
        (Lost(4, "k"), 3, "Bo (2)", SHIFT_MANAGER, "that of segment 4"),
        (Lost(4, "k", (ANN,)), 4, "Ann Lee (1)", SHIFT_MANAGER, "a second person"),
        (Lost(4, "k", (ANN,)), 4, "Bo (2)", PIT_MANAGER, "must be a shift-manager"),
        (Lost(4, "k", (ANN,)), 4, "Bo (2)", SHIFT_MANAGER, None),
        (Lost(4, "k"), 4, "Bo (2)", PIT_MANAGER, None),
        (Lost(4, "k", (ANN, ANN._replace(person="Bo (2)", role=SHIFT_MANAGER))), 4, "Cy (3)", SHIFT_MANAGER, "no key"),
    ],
)
def test_who_may_accept_it(found: Lost | None, segment: int, person: str, role: str, why: str | None) -> None:
    """Two staff numbers, pit-manager or above, one of them a shift manager."""
    said = lost_keys.refuses(found, segment, person, role)
    assert said == why if why is None else why in str(said)


def test_a_table_whose_keys_are_certified_has_none_to_accept(tmp_path: Path) -> None:
    """Over the socket; it is refused in a row with the name."""

    async def scene(post: Post) -> None:
        client = await post.client(SHIFT_MANAGER)
        assert "no key waits to be accepted" == (await client.ask("accept-key", segment=1))["refused"]

    at_post(tmp_path, scene)
