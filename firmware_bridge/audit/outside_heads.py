"""Heads that were kept where the table cannot reach: given by a person, or in a file that something else has written.

1. A head is one JSON object, as ``head.json`` has it. A file of anchors has one a line, whatever stands before it: what
   a syslog server has written can be given as it is. Lines without one are passed over.
2. A head that lies in the state folder is no outside head: anyone who can change the journal can change it too.
3. What was given together, a head or a file of anchors, is one anchor. It reaches to its highest head that lies on the
   chain. The anchor that reaches furthest counts.
4. The status says what a journal proves: 0 it is whole, and an outside head reaches the end of the last round; 3 whole,
   but none reaches so far; 1 not whole, or not what its events make.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.audit.journal_reader import UnreadableError, Where
from firmware_bridge.journal.signed.signing import AnyHead, published, read

WHOLE, NOT_WHOLE, NOT_ANCHORED = 0, 1, 3


class Outside(NamedTuple):
    """What was kept in one place elsewhere: how it was given, and its heads."""

    name: str
    heads: list[AnyHead]

    def reaches(self, on_chain: Collection[AnyHead]) -> int | None:
        """The last event that it proves, given the heads that lie on the chain; None if none of its own does."""
        return max((head.n for head in self.heads if head in on_chain), default=None)


def reach(given: Iterable[Outside], on_chain: Collection[AnyHead]) -> int | None:
    """The last event that any anchor proves; None if none does."""
    found = [reached for one in given if (reached := one.reaches(on_chain)) is not None]
    return max(found, default=None)


def read_head(text: str, state: Where) -> Outside:
    """The head that a file holds, or the text itself.

    Raises:
        UnreadableError: neither is one, or the file lies in the state folder.
    """
    if text.lstrip().startswith("{"):
        try:
            found = read(json.loads(text))
        except (LookupError, TypeError, ValueError):
            raise UnreadableError("--head: this is no signed head") from None
        return Outside(f"the head of event {found.n}", [found])
    head = published(_outside("--head", Path(text), state))
    if head is None:
        raise UnreadableError(f"--head: {text} holds no signed head")
    return Outside(text, [head])


def read_anchors(path: Path, state: Where) -> Outside:
    """The heads that a file has, one a line.

    Raises:
        UnreadableError: it cannot be read, holds none, or lies in the state folder.
    """
    try:
        lines = _outside("--anchors", path, state).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise UnreadableError(f"--anchors: {path}: {error.strerror or error}") from error
    found = []
    for line in lines:
        try:
            found.append(read(json.loads(line[line.index("{") :])))
        except (LookupError, TypeError, ValueError):
            continue
    if not found:
        raise UnreadableError(f"--anchors: {path} holds no signed head")
    return Outside(str(path), found)


def _outside(option: str, path: Path, state: Where) -> Path:
    if isinstance(state, Path) and path.resolve().is_relative_to(state.resolve()):
        raise UnreadableError(f"{option}: {path} lies in the state folder, so that it proves nothing of it")
    return path


def status(*, wrong: bool, anchored: int | None, ended: int) -> int:
    """What a journal proves: whether something is wrong, how far outside heads reach, where the last round ended."""
    if wrong:
        return NOT_WHOLE
    return WHOLE if anchored is not None and anchored >= ended else NOT_ANCHORED
