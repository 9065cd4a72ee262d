"""What was heard of each table, by the centre's clock: newest, silent, gone, wrong, loud."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_bridge.floor.pit import answers
from firmware_bridge.floor.pit.tiles import GONE_CODE, QUARANTINE_CODE, AlarmKey, Stage, Tiles
from firmware_bridge.floor.wire.live import GONE, GREY, Alarms, CentreAlarm, Limits, LiveAlarm, Stamp, State

NOW = 1_800_000_000.0
AT = "2027-01-15T08:00:00.000000+00:00"
"""The same moment as the journal writes it."""


def stamp(seq: int, sent: float = NOW, boot: str = "b") -> Stamp:
    """A stamp of the journal J."""
    return Stamp("J", boot, seq, seq, AT, sent)


def state(seq: int, sent: float = NOW, boot: str = "b", **changes: Any) -> State:
    """A table as it stands."""
    limits = (Limits("main", "25.00", "500.00"),)
    usual = State(
        stamp(seq, sent, boot), True, "T 7", "mbs-blackjack-v6", "", "betting", 3, "open", "12", limits, (1, 2), AT, 60,
        0, "", None,
    )  # fmt: skip
    return usual._replace(**changes)


def alarm(n: int, code: str, at: str = AT) -> LiveAlarm:
    """An open alarm."""
    return LiveAlarm(n, at, code, "5.1", "hold", ("1",), 1, noted=False, held=True, device="", roles=())


def test_of_one_boot_an_older_message_is_dropped_and_another_boot_counts() -> None:
    """Messages may overtake each other; a shipper that starts again counts from one."""
    tiles = Tiles()
    assert tiles.hear_table("bj-7", state(5, state="settlement"), NOW)
    assert not tiles.hear_table("bj-7", state(4, state="betting"), NOW)
    assert ["settlement"] == [tile["state"] for tile in tiles.all(NOW)]
    assert tiles.hear_table("bj-7", state(1, boot="other", state="idle"), NOW)
    assert ["idle"] == [tile["state"] for tile in tiles.all(NOW)]


@pytest.mark.parametrize(
    ("later", "look"), [(0.0, "calm"), (GREY - 1, "calm"), (GREY, "grey"), (GONE - 1, "grey"), (GONE, "alarm")]
)
def test_a_silent_table_is_grey_and_then_an_alarm(later: float, look: str) -> None:
    """After a minute without a word the centre itself raises an alarm, which ends when the table is heard."""
    tiles = Tiles()
    tiles.hear_table("bj-7", state(1), NOW)
    (tile,) = tiles.all(NOW + later)
    assert look == tile["look"]
    codes = [one["code"] for one in tile["alarms"]]
    assert codes == ([GONE_CODE] if look == "alarm" else [])
    tiles.hear_table("bj-7", state(2), NOW + later)
    assert [] == tiles.all(NOW + later)[0]["alarms"]


def test_ages_are_by_the_clock_of_the_centre() -> None:
    """A table whose clock is an hour ahead says so; its last card is as old as it is."""
    tiles = Tiles()
    ahead = "2027-01-15T08:59:50.000000+00:00"
    tiles.hear_table("bj-7", state(1, sent=NOW + 3600, card=ahead), NOW)
    (tile,) = tiles.all(NOW)
    assert 3600.0 == tile["clock"]
    assert int((NOW - 10) * 1000) == tile["card_ms"]
    tiles.hear_table("bj-8", state(1, sent=NOW - 0.3), NOW)
    assert tiles.all(NOW)[1]["clock"] is None


def test_an_alarm_that_somebody_took_up_is_calmer_than_one_that_nobody_did() -> None:
    """The stage of an alarm is the centre's word; what the table says of it stays."""
    tiles = Tiles()
    tiles.hear_table("bj-7", state(1), NOW)
    tiles.hear_table("bj-7", Alarms(stamp(2), (alarm(40, "double-draw"),), 0), NOW)
    key = AlarmKey("bj-7", "J", 40, "double-draw")
    assert {key: NOW} == tiles.open_alarms(NOW)
    assert "alarm" == tiles.all(NOW)[0]["look"]
    tiles.stages = {key: Stage("taken-up", "Ann (12)", 1)}
    (tile,) = tiles.all(NOW)
    assert ("taken", {"by": "Ann (12)", "at_ms": 1}) == (tile["look"], tile["alarms"][0]["taken"])
    tiles.hear_table("bj-7", Alarms(stamp(3), (), 0), NOW)
    assert "calm" == tiles.all(NOW)[0]["look"]


def test_a_quarantine_is_an_alarm_until_the_archive_has_it_no_more() -> None:
    """Whether the ingester says it or the archive does."""
    tiles = Tiles()
    tiles.hear_centre(CentreAlarm("mbs", "bj-7", "J", AT, QUARANTINE_CODE, 5, "fork"), NOW)
    assert [(QUARANTINE_CODE, "fork")] == [(one["code"], one["detail"]) for one in tiles.all(NOW)[0]["alarms"]]
    tiles.enrol({"bj-7": ""}, {"bj-7": "fork: at 5"}, NOW + 1)
    assert [int(NOW * 1000)] == [one["since_ms"] for one in tiles.all(NOW + 1)[0]["alarms"]]
    tiles.enrol({"bj-7": ""}, {}, NOW + 2)
    assert [] == tiles.all(NOW + 2)[0]["alarms"]


def test_only_what_has_changed_is_given_again() -> None:
    """That a table was heard once more is no change; a table that was struck off has left."""
    tiles = Tiles()
    tiles.enrol({"bj-7": "mbs-blackjack-v6", "bj-8": ""}, {}, NOW)
    assert ["bj-7", "bj-8"] == [tile["name"] for tile in tiles.changed(NOW)[0]]
    tiles.hear_table("bj-7", state(1), NOW)
    assert ["bj-7"] == [tile["name"] for tile in tiles.changed(NOW)[0]]
    tiles.hear_table("bj-7", state(2), NOW + 5)
    assert ([], []) == tiles.changed(NOW + 5)
    tiles.hear_table("bj-7", state(3, picture={"boxes": []}), NOW + 5)
    assert [2] == [tile["pictures"] for tile in tiles.changed(NOW + 5)[0]]
    tiles.enrol({"bj-7": ""}, {}, NOW + 5)
    assert ["bj-8"] == tiles.changed(NOW + 5)[1]


def test_the_types_of_the_page_are_current() -> None:
    """The file of the page's types is what the program declares."""
    assert answers.declarations() == answers.TARGET.read_text(encoding="utf-8")
