"""The ladder of an alarm in both databases, and letters by a real mail server and a real web server."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator

import pytest

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.pit.escalation import outbox
from firmware_bridge.floor.pit.escalation.ladder import AGAIN, Ladder, Target, step, take_up
from firmware_bridge.floor.pit.escalation.ways import MAIL, WEBHOOK, WayError, Ways
from firmware_bridge.floor.pit.tiles import AlarmKey
from tests.firmware_bridge.floor.conftest import CASINO
from tests.firmware_bridge.floor.pit.escalation.loopback import Servers

NOW, AFTER = 1_800_000_000.0, 60.0
KEY = AlarmKey("bj-7", "J", 40, "double-draw")
HEARD = frozenset({"bj-7"})
LADDER = Ladder(CASINO, AFTER, (Target(MAIL, "pit@casino.example"), Target(WEBHOOK, "http://hook.example/")))


def stage(archive: Archive, now: float, live: dict[AlarmKey, float] | None = None) -> str | None:
    """One step; the stage of the alarm after it."""
    found = step(archive, LADDER, now, {KEY: NOW} if live is None else live, HEARD).get(KEY)
    return None if found is None else found.stage


def letters(archive: Archive) -> list[tuple[str, str]]:
    """The ids and targets of everything in the outbox."""
    return [(row[0], row[1]) for row in archive.dialect.execute("SELECT id, target FROM outbox ORDER BY id")]


@pytest.fixture
def servers() -> Iterator[Servers]:
    """Return a mail server and a web server."""
    with Servers() as started:
        yield started


def test_an_alarm_climbs_when_it_is_due_and_once_only(archive: Archive, url: str) -> None:
    """Two consoles run the ladder: each stage has one letter for each target."""
    with Archive.open(url) as other:
        assert "raised" == stage(archive, NOW)
        assert "raised" == stage(other, NOW + AFTER - 1)
        assert [] == letters(archive)
        for now, wanted in ((NOW + AFTER, "escalated-1"), (NOW + AFTER + AGAIN * AFTER, "escalated-2")):
            assert wanted == stage(archive, now) == stage(other, now)
        assert "escalated-2" == stage(other, NOW + 100 * AFTER)
    assert 4 == len(letters(archive)) == len(set(letters(archive)))


def test_an_alarm_that_is_taken_up_tells_nobody(archive: Archive) -> None:
    """One person takes it up; the second is told that it is taken."""
    assert take_up(archive, LADDER, KEY, NOW, "Ann (12)", NOW + 1)
    assert not take_up(archive, LADDER, KEY, NOW, "Ben (13)", NOW + 2)
    assert "taken-up" == stage(archive, NOW + 100 * AFTER)
    assert [] == letters(archive)


def test_an_alarm_is_over_when_its_table_lists_it_no_more(archive: Archive) -> None:
    """Not while its table was not heard; if it comes again it is another one, and escalates again."""
    stage(archive, NOW + AFTER)
    assert {} != step(archive, LADDER, NOW + AFTER, {}, frozenset())
    assert stage(archive, NOW + AFTER, {}) is None
    assert "raised" == stage(archive, NOW + 2 * AFTER, {KEY: NOW + 2 * AFTER})
    assert "escalated-1" == stage(archive, NOW + 3 * AFTER, {KEY: NOW + 2 * AFTER})


def test_a_letter_is_held_by_one_console_until_its_lease_ends(archive: Archive, url: str) -> None:
    """One that dies leaves its letter to the other, under the same id; one that failed is tried later."""
    stage(archive, NOW)
    stage(archive, NOW + AFTER)
    now = NOW + AFTER
    with Archive.open(url) as other:
        first, second = (outbox.claim_letter(archive, "a", now), outbox.claim_letter(other, "b", now))
        assert first is not None
        assert second is not None
        assert first.id != second.id
        assert outbox.claim_letter(other, "b", now) is None
        outbox.note_sent(archive, first)
        again = outbox.claim_letter(archive, "a", now + outbox.LEASE)
        assert again is not None
        assert (second.id, 2) == (again.id, again.tries)
        outbox.note_problem(archive, again, "no answer", now)
        assert outbox.claim_letter(other, "b", now + outbox.SOON) is None
        assert outbox.claim_letter(other, "b", now + 2 * outbox.SOON) is not None


def test_letters_go_by_mail_and_webhook(servers: Servers) -> None:
    """With an id by which one that comes twice is known, and a signature of the request."""
    ways = Ways(f"127.0.0.1:{servers.mail_port}", "floor@casino.example", None, b"key")
    body = json.dumps({"casino": "mbs", "table": "bj-7", "code": "double-draw", "n": 40, "stage": "escalated-1"})
    ways.send_letter("id-1", Target(MAIL, "pit@casino.example"), body)
    (mail,) = servers.mails
    assert ("<id-1@casino.example>", "pit@casino.example") == (mail["Message-ID"], mail["To"])
    assert "Alarm at mbs/bj-7: double-draw" == mail["Subject"]
    ways.send_letter("id-2", Target(WEBHOOK, servers.url), body)
    ((headers, posted),) = servers.posts
    assert ("id-2", body.encode()) == (headers["Idempotency-Key"], posted)
    assert f"sha256={hmac.new(b'key', posted, 'sha256').hexdigest()}" == headers["X-Truedeal-Signature"]


def test_what_cannot_be_sent_says_why(servers: Servers) -> None:
    """A server that refuses, one that is not there, and a password that would go unencrypted."""
    body = json.dumps({"casino": "mbs", "table": "bj-7", "code": "double-draw", "n": 40, "stage": "escalated-1"})
    servers.status = 500
    with pytest.raises(WayError, match="HTTP 500"):
        Ways().send_letter("id", Target(WEBHOOK, servers.url), body)
    with pytest.raises(WayError, match="refused"):
        Ways("127.0.0.1:1", "a@b").send_letter("id", Target(MAIL, "pit@casino.example"), body)
    mail = Ways(f"127.0.0.1:{servers.mail_port}", "a@b", ("user", "secret"))
    with pytest.raises(WayError, match="no encryption"):
        mail.send_letter("id", Target(MAIL, "pit@casino.example"), body)
