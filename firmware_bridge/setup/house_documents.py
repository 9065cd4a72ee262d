"""The approved documents that a house has put on the box: the words of each clause, by its number.

1. The product ships none. A document is UTF-8 text or Markdown, one for each game. A line that begins with a clause
   number begins that clause; what follows belongs to it, up to the next one. Where a number comes twice, the longer
   text counts: a table of contents is no document.
2. One that lacks a clause which the ruleset or the rulings of its game cite is refused.
3. It lies in the folder `FOLDER` of the state folder, named by its game and digest. The journal names the digest of the
   one in force, with the person; what lies there and is not named does not count.
"""

from __future__ import annotations

import re
from dataclasses import fields
from hashlib import blake2b
from pathlib import Path

from firmware_bridge.journal.last_named import named
from gamecore.rules.games import GAMES
from gamecore.rules.matrices import MATRICES

FOLDER = "documents"
LONGEST = 2 * 1024 * 1024
"""Bytes of the longest document."""
_CLAUSE = re.compile(r"^[\s#*>-]*([0-9]+(?:\.[0-9]+)*)[.)]?(?:[\s*:]+|$)(.*)$")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")


class DocumentError(ValueError):
    """Why a text is no document of a game."""


def word(game: str) -> str:
    """The word under which the journal names the document of a game."""
    return f"document-{game}"


def digest(data: bytes) -> str:
    """The digest of a document."""
    return blake2b(data, digest_size=16).hexdigest()


def path(state: Path, game: str, its_digest: str) -> Path:
    """Where a document lies."""
    return state / FOLDER / f"{game}-{its_digest}.txt"


def read(data: bytes, game: str) -> dict[str, str]:
    """The words of each clause of a document.

    Raises:
        DocumentError: it is none of this game.
    """
    if game not in GAMES:
        raise DocumentError(f"there is no game {game!r}: expected one of {', '.join(GAMES)}")
    if len(data) > LONGEST:
        raise DocumentError(f"it is longer than {LONGEST} bytes")
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise DocumentError("it is no UTF-8 text") from error
    clauses = _clauses(lines)
    missing = sorted(cited(game) - clauses.keys(), key=_order)
    if missing:
        raise DocumentError(f"clauses that {game} cites are missing: {', '.join(missing)}")
    return clauses


def _clauses(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    number, words = "", list[str]()
    for line in [*lines, "0 end"]:
        begins = _CLAUSE.match(line)
        if begins is None:
            words.append(line.strip())
            continue
        text = "\n".join(words).strip()
        if number and len(text) >= len(found.get(number, "")):
            found[number] = text
        number, words = begins[1], [begins[2].strip()]
    return found


def cited(game: str) -> set[str]:
    """The clauses that the ruleset and the rulings of a game cite."""
    rules = GAMES[game]
    told = [getattr(getattr(rules, field.name), "clause", "") for field in fields(rules)]
    told += [cell.clause for row in MATRICES[game] for cell in row.cells.values()]
    return {number for text in told for number in _NUMBER.findall(str(text))}


def _order(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


def all_named(state: Path) -> dict[str, str]:
    """The digests that the journal names, by the words under which it does."""
    found = {word(game): named(state, word(game)) for game in GAMES}
    return {name: told for name, told in found.items() if isinstance(told, str)}


def in_force(state: Path, game: str) -> dict[str, str]:
    """The words of the document that the journal names; empty where there is none, or it is not the one."""
    its_digest = named(state, word(game))
    if game not in GAMES or not isinstance(its_digest, str):
        return {}
    try:
        data = path(state, game, its_digest).read_bytes()
        return read(data, game) if digest(data) == its_digest else {}
    except (OSError, DocumentError):
        return {}
