"""S04, S05, S19, S24, S36: a word is judged when it is taken, and nobody writes who has not logged in."""

from __future__ import annotations

import json
from pathlib import Path

from drivers.panel import KeySwitch
from firmware_bridge.journal import schema
from firmware_bridge.pump.gate import MOST_TOLD
from tests.firmware_bridge.table_with_roles import Post, at_post

REPORTED = ("place-bets", "bet 1 main 50", "bet 2 main 50", "no-more-bets")


def refused_rows(post: Post) -> list[tuple[str | None, str | None, str]]:
    """Return who said what they may not: person, role and words."""
    rows = [row for row, _ in post.journal.rows() if row.kind == schema.REFUSED]
    return [(row.person, row.role, json.loads(row.body or "")["said"]) for row in rows]


def test_two_words_in_one_write_are_judged_one_after_the_other(tmp_path: Path) -> None:
    """S05: the report makes what follows it a supervisor's; the dealer who says both at once carries out neither."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        for statement in REPORTED:
            await dealer.ask("say", statement=statement)
        both = ("call uncovered", "reconstructed")
        lines = [json.dumps({"id": word, "do": "say", "statement": word}).encode() + b"\n" for word in both]
        dealer.writer.write(b"".join(lines))
        first, second = await dealer.read(), await dealer.read()
        assert first.get("ok")
        assert "needs shift-manager" in str(second["refused"])
        assert [("the dealer", "dealer", "reconstructed")] == refused_rows(post)

    at_post(tmp_path, scene)


def test_somebody_who_has_not_logged_in_writes_no_row(tmp_path: Path) -> None:
    """S19: neither a table that is given up nor any other word of theirs is in the journal."""

    async def scene(post: Post) -> None:
        dealer, nobody = await post.client("dealer"), await post.client()
        for statement in REPORTED:
            await dealer.ask("say", statement=statement)
        before = post.journal.n
        for _ in range(20):
            told = await nobody.ask("table", header="game: mbs-blackjack-v6", abandon=True)
            assert "needs a login" in str(told["refused"])
        assert before == post.journal.n

    at_post(tmp_path, scene)


def test_a_round_with_roles_ends_by_a_ruling(tmp_path: Path) -> None:
    """S04: no engineer and no shift manager makes a round vanish."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        for statement in REPORTED:
            await dealer.ask("say", statement=statement)
        for role in ("engineer", "shift-manager"):
            client = await post.client(role)
            told = await client.ask("table", header="game: mbs-blackjack-v6", abandon=True)
            assert "only a table that is configured" in str(told["refused"])
        assert post.pump.table.round_is_on

    at_post(tmp_path, scene)


def test_the_key_switch_lifts_nobody_at_the_console(tmp_path: Path) -> None:
    """S24: a dealer's session is a dealer's, with the key turned on and off."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        for statement in (*REPORTED, "call uncovered"):
            await dealer.ask("say", statement=statement)
        await post.says("panel", KeySwitch(on=True))
        assert "needs" in str((await dealer.ask("say", statement="cannot-reconstruct"))["refused"])
        assert "needs" in str((await dealer.ask("clear", reason="it is mine"))["refused"])

    at_post(tmp_path, scene)


def test_places_that_are_read_are_told_by_nobody_and_others_in_bounds(tmp_path: Path) -> None:
    """S36: a dealer fills neither the journal nor the memory by telling places."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        before = post.journal.n
        told = [await dealer.ask("say", statement="place 1") for _ in range(MOST_TOLD + 4)]
        if post.pump.header.places_sensed:
            assert all("a device reports it" in str(one.get("error")) for one in told)
            assert before == post.journal.n
        else:
            assert MOST_TOLD == sum(one == {"ok": True} for one in told)
            assert all("the cards come first" in str(one["refused"]) for one in told[MOST_TOLD:])

    at_post(tmp_path, scene)
