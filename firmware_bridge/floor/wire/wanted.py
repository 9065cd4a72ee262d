"""What a table wants of its floor, and the answer: the roster, if there is a newer one than the table has.

1. The question is JSON: ``{"v": 1, "roster": VERSION}``. The answer is the document compressed (zlib), or one zero byte
   where there is nothing newer.
2. The roster is signed by the floor; the way there proves nothing. An answer is unpacked up to `roster.MOST` bytes.
"""

from __future__ import annotations

import json
import zlib

from firmware_bridge.people.accounts.roster import MOST

NOTHING = b"\0"
LONGEST = 448 * 1024
"""Bytes of the longest answer: the broker takes no message above half a mebibyte."""


class WantedError(ValueError):
    """Bytes that are no question, or no answer."""


def pack_question(version: int) -> bytes:
    """What a table asks that has this version."""
    return json.dumps({"v": 1, "roster": version}).encode()


def read_question(body: bytes) -> int:
    """The version that a table has.

    Raises:
        WantedError: it is no question.
    """
    try:
        said = json.loads(body)
        version = said["roster"] if said["v"] == 1 else None
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise WantedError("no question of a table") from error
    if type(version) is not int or not 0 <= version < 2**63:
        raise WantedError("no question of a table")
    return version


def pack_answer(document: bytes | None) -> bytes:
    """The answer with a roster, or with nothing where there is none newer.

    Raises:
        WantedError: the document is too long.
    """
    if document is None:
        return NOTHING
    packed = zlib.compress(document)
    if len(packed) > LONGEST:
        raise WantedError(f"the roster is longer than {LONGEST} bytes after packing")
    return packed


def read_answer(body: bytes) -> bytes | None:
    """The document that came; None if there is nothing newer.

    Raises:
        WantedError: it is no answer.
    """
    if body == NOTHING:
        return None
    unpacking = zlib.decompressobj()
    try:
        document = unpacking.decompress(body, MOST)
    except zlib.error as error:
        raise WantedError("no answer of a floor") from error
    if not unpacking.eof:
        raise WantedError("no answer of a floor")
    return document
