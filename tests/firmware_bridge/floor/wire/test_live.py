"""Live news as bytes: they come back as they were, they fit, and bytes that are none are refused."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.floor.wire import live, subjects
from firmware_bridge.floor.wire.live import (
    Alarms,
    CentreAlarm,
    Health,
    Limits,
    Live,
    LiveAlarm,
    LiveError,
    Stamp,
    State,
    is_newer,
    pack_centre,
    pack_live,
    read_centre,
    read_live,
)

STAMP = Stamp("ab" * 16, "boot", 7, 42, "2026-01-01T00:00:00+00:00", 1767225600.5)
ALARM = LiveAlarm(40, STAMP.at, "wrong-box", "5.1", "refer", ("1", "2"), 1, False, True, "", ("pit-supervisor",))
STATE = State(
    stamp=STAMP,
    daemon=True,
    name="Table 7",
    game="mbs-blackjack-v6",
    title="Blackjack",
    state="dealing",
    round=12,
    outcome="open",
    dealer="1234",
    limits=(Limits("main", "25.00", "5000.00"),),
    boxes=(1, 2),
    card=STAMP.at,
    rounds=60,
    alarms=1,
    stalled="",
    picture={"boxes": []},
)
HEALTH = Health(STAMP, "1", "signed", (("shoe", True),), 5.5, 1, 2, 3, "ok", "", 42, 40, 30, 0, 0.25)
MESSAGES: dict[str, Live] = {
    subjects.STATE: STATE,
    subjects.ALARM: Alarms(STAMP, (ALARM,), 0),
    subjects.HEALTH: HEALTH,
}


@pytest.mark.parametrize("what", MESSAGES)
def test_a_message_comes_back(what: str) -> None:
    """Each kind is read as it was written."""
    assert MESSAGES[what] == read_live(what, pack_live(MESSAGES[what]))


def test_a_message_fits_always() -> None:
    """A picture that is too large is left out, and alarms that do not fit are counted."""
    large = pack_live(STATE._replace(picture={"boxes": "x" * live.LONGEST}))
    assert STATE._replace(picture=None) == read_live(subjects.STATE, large)
    many = Alarms(STAMP, (ALARM._replace(places=("x" * 100,) * 2),) * 60, 0)
    body = pack_live(many)
    assert len(body) <= live.LONGEST
    read = read_live(subjects.ALARM, body)
    assert isinstance(read, Alarms)
    assert 60 == len(read.alarms) + read.more
    assert read.more


@pytest.mark.parametrize("what", MESSAGES)
def test_a_field_that_is_missing_or_of_another_kind_is_no_news(what: str) -> None:
    """Every field in turn is left out, and holds what it cannot."""
    said = json.loads(pack_live(MESSAGES[what]))
    for key in said:
        for wrong in ({name: value for name, value in said.items() if name != key}, said | {key: object_of(said[key])}):
            with pytest.raises(LiveError):
                read_live(what, json.dumps(wrong).encode())


def object_of(value: Any) -> object:
    """Something else than a field holds."""
    return [["x"]] if isinstance(value, dict | str | int | float) else "x"


@given(st.binary())
def test_whatever_comes_is_news_or_an_error(body: bytes) -> None:
    """No bytes raise anything else."""
    for what in (*subjects.LIVE, subjects.SHIP):
        with contextlib.suppress(LiveError):
            read_live(what, body)
    with contextlib.suppress(LiveError):
        read_centre(body)


def test_texts_and_lists_are_cut() -> None:
    """A table that says much fills nobody's memory."""
    long = read_live(subjects.STATE, pack_live(STATE._replace(name="x" * 1000, boxes=tuple(range(1000)))))
    assert isinstance(long, State)
    assert (live.TEXT, live.MANY) == (len(long.name), len(long.boxes))
    with pytest.raises(LiveError, match="too long"):
        read_live(subjects.STATE, b"x" * (live.LONGEST + 1))


def test_of_one_boot_the_older_is_dropped() -> None:
    """Another boot or journal begins again."""
    assert is_newer(STAMP, None)
    assert is_newer(STAMP._replace(seq=8), STAMP)
    assert not is_newer(STAMP, STAMP)
    assert not is_newer(STAMP._replace(seq=6), STAMP)
    assert is_newer(STAMP._replace(seq=1, boot="other"), STAMP)
    assert is_newer(STAMP._replace(seq=1, journal="00" * 16), STAMP)


def test_what_the_centre_says_comes_back() -> None:
    """It has its own subject, where no table speaks or hears."""
    alarm = CentreAlarm("mbs", "bj-7", "ab" * 16, STAMP.at, "quarantined", 7, "fork: another past")
    assert alarm == read_centre(pack_centre(alarm))
    assert "c.mbs.bj-7.alarm" == subjects.of_centre("mbs", "bj-7")
    assert subjects.speaker("c.mbs.bj-7.alarm") is None
    assert ("mbs", "bj-7", subjects.STATE) == subjects.speaker("t.mbs.bj-7.live.state")
