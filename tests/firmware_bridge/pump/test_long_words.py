"""A word that is too long for a row of the journal is refused in its row and its answer, and the table goes on."""

from __future__ import annotations

import json
from pathlib import Path

from firmware_bridge.journal import schema
from firmware_bridge.journal.writer import LONGEST
from firmware_bridge.people.accounts.roles import DEALER
from firmware_bridge.pump.items import CONSOLE, NOTE, SHOWN, Deed, Denied, Item, Note, fit
from firmware_bridge.texts.denials import Ground, Why, deny
from tests.firmware_bridge.table_with_roles import Post, at_post

LONG = "é" * 30_000  # as JSON six bytes each


def test_a_word_that_is_too_long_is_refused_and_noted(tmp_path: Path) -> None:
    """The row has its beginning, with person and role; what is said next is taken."""

    async def scene(post: Post) -> None:
        client = await post.client(DEALER)
        said = json.dumps({"do": "say", "statement": f"seat 1/1 {LONG}"}, ensure_ascii=False)
        assert "it is too long for the journal" == (await client.line(said.encode()))["refused"]
        assert {"ok": True} == await client.ask("say", statement="seat 1/1 Ann")
        (row,) = (row for row, _ in post.journal.rows() if row.kind == schema.REFUSED)
        assert (f"the {DEALER}", DEALER) == (row.person, row.role)
        assert f"seat 1/1 {LONG}"[:SHOWN] + "…" == json.loads(row.body or "")["said"]

    at_post(tmp_path, scene)


def test_a_refusal_that_repeats_what_was_said_fits_too() -> None:
    """Words and reason are in one row."""
    assert len(repr(fit(Denied('"' * 40_000, deny(Ground.JOURNAL_STALLED, detail='"' * 40_000))))) < LONGEST


def test_a_deed_whose_note_would_be_cut_is_refused(tmp_path: Path) -> None:
    """Half a note would be read otherwise at the next start."""

    async def scene(post: Post) -> None:
        why: list[Why | None] = []
        note = json.dumps({"cleared": [], "reason": "x" * NOTE})
        post.pump.enqueue(Item(CONSOLE, Deed("clear", lambda: Note(note)), reply=why.append))
        post.pump.process_queue()
        assert ([deny(Ground.TOO_LONG)], False) == (why, post.pump.broken)

    at_post(tmp_path, scene)
