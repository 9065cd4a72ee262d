"""S09: whatever a request holds, it is answered or refused; no text and no number ends the daemon.

JSON can hold half of a character, which no file can, and numbers that no table of the journal has room for.
"""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import pytest

from firmware_bridge.control import connection
from firmware_bridge.control.requests import REQUESTS
from firmware_bridge.journal import schema
from firmware_bridge.people.accounts.roles import ROLES
from firmware_bridge.pump.items import CONSOLE, DAEMON, Denied, Item, Note, entry
from firmware_bridge.texts.denials import Ground, deny
from tests.firmware_bridge.table_with_roles import PEOPLE, PIN, Post, at_post

TEXTS = ("\ud800", "\udfff9H", "\x00", "", " ", "9" * 1000, "é" * 200, "place-bets", "{}", "../../etc/shadow")
NUMBERS = (2**63, -(2**63) - 1, 2**200, 0, -1)
TEXT_KEYS = {
    *("statement", "claim", "name", "pin", "new", "from", "reason", "code", "text", "header", "device", "program"),
    *("kind", "number", "role", "until", "shows", "game", "clause", "word", "digest", "why", "first", "n"),
}
NUMBER_KEYS = {"number", "first", "n", "skip", "count", "segment", "proposal", "pairing", "box", "page"}


def odd_requests(do: str) -> list[dict[str, object]]:
    """A kind of request with odd texts and numbers in all that it may ask for, together and apart."""
    found: list[dict[str, object]] = [{"do": do}]
    for text, number in zip(TEXTS, cycle(NUMBERS), strict=False):
        said: dict[str, object] = {"do": do, **dict.fromkeys(sorted(TEXT_KEYS), text)}
        found += [said, said | dict.fromkeys(sorted(NUMBER_KEYS), number)]
    return [*found, *({"do": do, **dict.fromkeys(sorted(NUMBER_KEYS), number)} for number in NUMBERS)]


@pytest.mark.parametrize("people", [PEOPLE, ()], ids=["roles", "open"])
def test_no_request_ends_the_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, people: tuple[object, ...]
) -> None:
    """Of anybody: each role, and somebody who has not logged in."""
    for budget in ("COMMANDS", "READS", "WAITERS"):
        monkeypatch.setattr(connection, budget, 10**6)
    monkeypatch.setattr(connection, "SHARE", 10**6)

    async def scene(post: Post) -> None:
        for role in ("", *ROLES) if people else ("",):
            for do in REQUESTS:
                client = await post.client()
                if role:
                    await client.ask("login", name=f"the {role}", pin=PIN)
                    post.now += 60
                said = odd_requests(do)
                client.writer.write(b"".join(json.dumps({"id": "x", **one}).encode() + b"\n" for one in said))
                client.writer.write(b'{"id":"last","do":"status"}\n')
                while (await client.read()).get("id") != "last":
                    pass
                assert not post.pump.broken, (role, do)
                post._writers.remove(client.writer)
                client.writer.close()
                with suppress(ConnectionError):
                    await client.writer.wait_closed()
        dealer = await post.client("dealer" if people else "")
        assert (await dealer.ask("say", statement="place-bets")).keys() & {"ok", "refused"}

    at_post(tmp_path, scene, people=people)  # type: ignore[arg-type]  # of people


def test_half_of_a_character_is_written_by_its_number() -> None:
    """Whatever part of the daemon lets it through: a note and a refusal are rows all the same."""
    half = "a\ud800b"
    for meant in (Note(half), Note(half, schema.START), Denied(half, deny(Ground.NO_ALARM))):
        body = entry("", 0, Item(DAEMON, meant), meant).body or ""
        assert "\\ud800" in body
        body.encode()
    assert "Zoë" in (entry("", 0, Item(CONSOLE, None), Note("Zoë")).body or "")
