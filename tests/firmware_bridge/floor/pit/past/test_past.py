"""Findings, voids, trends and views, asked of both databases."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta

import pytest

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.pit.answers import FindingRow
from firmware_bridge.floor.pit.past import questions, trends, views
from firmware_bridge.floor.pit.past.asked import PAGE, AskedError, asked
from tests.firmware_bridge.floor.conftest import CASINO
from tests.firmware_bridge.floor.made_past import write_past

TABLES = [f"bj-{number}" for number in range(1, 13)]
HOURS = 30


@pytest.fixture
def past(archive: Archive) -> Archive:
    """Return an archive with twelve tables of thirty rounds, every third with a finding, every ninth void."""
    with archive.dialect.transaction():
        write_past(archive, TABLES, HOURS)
    return archive


def found(archive: Archive, **said: str) -> list[FindingRow]:
    """The first page of a search."""
    return questions.past_page(archive, CASINO, asked(said))["rows"]


def test_a_search_finds_what_it_names(past: Archive) -> None:
    """Each filter alone and together; the newest first; another casino has nothing."""
    assert 10 == len(found(past, table="bj-7"))
    assert {"double-draw"} == {one["code"] for one in found(past, code="double-draw")}
    assert {("bj-1", "1001"), ("bj-4", "1001")} <= {(one["table"], one["dealer"]) for one in found(past, dealer="1001")}
    assert 10 == len(found(past, table="bj-7", clause="5.23"))
    assert [] == found(past, clause="5.2")
    assert 10 == len(found(past, words="bj-12 5.23")) == len(found(past, words="BJ-12"))
    assert [] == found(past, words="100%")
    since = (datetime.now(UTC) - timedelta(hours=4)).isoformat()
    recent = found(past, **{"from": since})
    assert recent == sorted(recent, key=lambda one: one["at"], reverse=True)
    assert {3} == {one["round"] for one in recent}
    assert [] == questions.past_page(past, "elsewhere", asked({}))["rows"]
    assert 3 == len(found(past, what="voids", table="bj-7"))


def test_pages_follow_each_other_without_a_gap(past: Archive) -> None:
    """Every finding is on one page, and the CSV has them all."""
    first = questions.past_page(past, CASINO, asked({}))
    assert PAGE == len(first["rows"])
    second = questions.past_page(past, CASINO, asked({"next": str(first["next"])}))
    assert second["next"] is None
    told = [(one["table"], one["n"]) for one in first["rows"] + second["rows"]]
    assert len(TABLES) * HOURS // 3 == len(told) == len(set(told))
    lines = list(csv.DictReader("".join(questions.csv_lines(past, CASINO, asked({}))).splitlines()))
    assert told == [(line["table"], int(line["event"])) for line in lines]
    assert {"'5.23.1"} == {line["clause"] for line in lines}


def test_trends_count_every_finding_once_in_each_dimension(past: Archive) -> None:
    """By kind, table, Dealer, shuffler and hour; what is not told apart is one."""
    since = (datetime.now(UTC) - timedelta(days=2)).isoformat()
    told = trends.trends(past, CASINO, asked({"from": since}))
    count = len(TABLES) * HOURS // 3
    assert (count, len(TABLES) * HOURS) == (told["findings"], told["rounds"])
    for trend in told["by"].values():
        assert count == sum(point["value"] for one in trend["series"] for point in one["points"])
    assert count == sum(point["value"] for point in told["hours"])
    assert [False] * 5 + [True] == [one["others"] for one in told["by"]["table"]["series"]]
    assert {"SH-0", "SH-1"} == {one["name"] for one in told["by"]["shuffler"]["series"]}
    with pytest.raises(AskedError, match="needs a beginning"):
        trends.trends(past, CASINO, asked({}))


@pytest.mark.parametrize(
    "said", [{"what": "people"}, {"clause": "five"}, {"from": "noon"}, {"next": "x"}, {"words": "x" * 101}], ids=str
)
def test_what_cannot_be_understood_is_refused(said: dict[str, str]) -> None:
    """With what was expected."""
    with pytest.raises(AskedError, match=r"expected|continues"):
        asked(said)


def test_a_view_is_kept_for_its_owner(archive: Archive) -> None:
    """Saved, given another address, removed; an address of elsewhere is refused."""
    views.save_view(archive, "Ann (12)", "late", "#/findings?code=late-wager")
    saved = views.save_view(archive, "Ann (12)", "late", "#/trends?period=week")
    assert [{"name": "late", "address": "#/trends?period=week"}] == saved
    assert [] == views.views(archive, "Ben (13)")
    with pytest.raises(views.ViewError, match="address of this page"):
        views.save_view(archive, "Ann (12)", "x", "javascript:alert(1)")
    assert [] == views.remove_view(archive, "Ann (12)", "late")


def test_a_question_that_takes_too_long_is_given_up(archive: Archive) -> None:
    """The connection is not blocked by it."""
    archive.dialect.limit_time(0.2)
    endless = "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many) SELECT count(*) FROM many"
    with pytest.raises(ArchiveError):
        archive.dialect.execute(endless)
    assert archive.is_house()
