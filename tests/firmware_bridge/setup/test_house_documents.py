"""The house's approved documents: read by clause, refused if one is missing, in force by the journal alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.pump.items import CONSOLE, Item, Note
from firmware_bridge.setup import house_documents
from firmware_bridge.setup.house_documents import DocumentError, cited, digest, in_force, path, read, word
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.journals import House, made

GAME = "mbs-blackjack-v6"


def document(game: str = GAME) -> str:
    """A document whose every clause says its own number; the words are ours."""
    contents = "".join(f"{number}\n" for number in sorted(cited(game)))
    return contents + "".join(f"## {number} Words of {number}.\n\nMore of {number}.\n\n" for number in cited(game))


@pytest.mark.parametrize("game", GAMES)
def test_a_document_is_read_by_clause_number(game: str) -> None:
    """Headings, lists and plain lines begin a clause; what follows belongs to it, and a list of contents is none."""
    found = read(document(game).encode(), game)
    assert cited(game) == found.keys()
    assert all(f"Words of {number}.\n\nMore of {number}." == words for number, words in found.items())
    assert "one\ntwo" == read((document(game) + "9.9.9. one\ntwo\n").encode(), game)["9.9.9"]


def test_what_is_no_document_of_the_game_is_refused() -> None:
    """One that lacks a clause names it; other bytes and other games are refused, too."""
    missing = max(cited(GAME))
    lacks = "".join(f"{number} words\n" for number in cited(GAME) - {missing})
    with pytest.raises(DocumentError, match=f"are missing: {missing}"):
        read(lacks.encode(), GAME)
    with pytest.raises(DocumentError, match="no UTF-8 text"):
        read(b"\xff\xfe", GAME)
    with pytest.raises(DocumentError, match="there is no game"):
        read(document().encode(), "poker")


def test_only_what_the_journal_names_is_in_force(tmp_path: Path) -> None:
    """A file that lies there and is not named, or is not the one that was named, says nothing."""
    data = document().encode()
    lies = path(tmp_path, GAME, digest(data))
    lies.parent.mkdir()
    lies.write_bytes(data)

    def named(house: House) -> None:
        assert {} == in_force(tmp_path, GAME)
        house.pump.enqueue(Item(CONSOLE, Note(json.dumps({word(GAME): digest(data), "by": "Ann"}))))
        house.pump.process_queue()

    made(tmp_path, named)
    assert cited(GAME) == in_force(tmp_path, GAME).keys()
    made(tmp_path, lambda _: None, boot="two")
    assert house_documents.all_named(tmp_path) == {word(GAME): digest(data)}
    lies.write_bytes(data + b"more\n")
    assert {} == in_force(tmp_path, GAME)
