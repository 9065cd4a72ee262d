"""S05, S22: a word that was let is let for ever; what today's permissions would refuse is a remark of `replay`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.replay import Replayed, replay
from firmware_bridge.journal import segments
from firmware_bridge.people import permissions
from gamecore.model.events import events as ev
from gamecore.table import Table
from tests.firmware_bridge.table_with_roles import Post, at_post
from tests.security.people.test_s24_what_one_has_said_another_confirms import dealt, outcome, say


def voided(folder: Path, reporter: str) -> Replayed:
    """Let somebody report, and a pit manager approve; what a replay says of it."""

    async def scene(post: Post) -> None:
        assert post.guard is not None
        post.guard.two_persons = reporter != "pit-manager"
        await dealt(post)
        await say(await post.client(reporter), "call foreign-card")
        await say(await post.client("pit-manager"), "approve pit-manager")
        post.pump.process_queue()
        assert "void" == outcome(post)

    at_post(folder, scene)
    return replay(folder / "state")


def test_other_permissions_change_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The round is void as it was, and the word of a role that may not say it any more is named."""
    assert ([], []) == ((then := voided(tmp_path, "dealer")).remarks, then.differences)
    before = permissions.needed

    def needed(what: object, table: Table) -> tuple[str, ...]:
        return ("pit-supervisor",) if isinstance(what, ev.Call) else before(what, table)

    monkeypatch.setattr(permissions, "needed", needed)
    now = replay(tmp_path / "state")
    (remark,) = now.remarks
    assert "'call foreign-card' by the dealer: would be refused now: 'call foreign-card' needs pit-supervisor" in remark
    assert ([], 1) == (now.differences, now.rounds)
    assert remark in now.notes


def test_one_name_is_remarked_on_unless_the_start_asked_for_no_more(tmp_path: Path) -> None:
    """With `two_persons = false` in the row of the start it was the house's own decision."""
    (remark,) = voided(tmp_path, "pit-manager").remarks
    assert "'approve pit-manager' by the pit-manager" in remark
    with closing(sqlite3.connect(segments.segments(tmp_path / "state")[-1])) as connection, connection:
        body = "json_set(body, '$.two_persons', json('false'))"
        connection.execute(f"UPDATE events SET body = {body} WHERE kind = 'start'")  # noqa: S608  ours
    assert [] == replay(tmp_path / "state").remarks
