"""Byte flips, deletions, swaps and tail cuts in a journal: each one is named."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.audit.journal_reader import UnreadableError, opened, parts
from firmware_bridge.audit.replay import replay
from firmware_bridge.audit.verify import verify
from tests.firmware_bridge.audit.journals import copied
from tests.firmware_bridge.audit.tampering import WAYS, Tampering, packed, unpacked

COUNT = 500
SOAK = 10_000
_TABLES = (
    ("events", "*"),
    ("heads", "n, chain, signature, key"),
    ("rounds", "*"),
    ("findings", "*"),
    ("rulings", "*"),
    ("snapshots", "*"),
)


def held(state: Path) -> list[object]:
    """All that a journal holds, as SQLite reads it."""
    found: list[object] = []
    for part in parts(state):
        with opened(part) as reader:
            found += [reader.records(*table) if table[0] != "events" else list(reader.rows()) for table in _TABLES]
    return found


def named(state: Path, done: Tampering) -> str:
    """What is wrong with how a tampering was named; nothing if it was named as it should be."""
    verdict = verify(state)
    first = verdict.first
    if first is None:
        return "it was not named"
    if done.named and first.what not in done.named:
        return f"it was named {first}"
    if done.first is None and first.n != done.n:
        return f"it was named at another event: {first}"
    return "" if first.segment and (first.at or first.n == 1) else f"no segment or no time: {first}"


def untold(state: Path, done: Tampering, before: list[object]) -> str:
    """Like `named`, where a tampering may have hit what nobody reads, or the records that a replay proves."""
    told = named(state, done)
    if not told or not verify(state).whole:
        return told
    try:
        if held(state) == before or replay(state).differences:
            return ""
    except (sqlite3.Error, UnreadableError):
        return ""
    return told


def tamper(journal: Path, folder: Path, seed: int, count: int) -> list[str]:
    """Tamper this many times, each time with a fresh copy; those that were not named as they should be."""
    source = copied(journal, folder / "source")
    before = held(source)
    unpacked(source)
    wrong = []
    for number in range(count):
        chance = Random(f"{seed} {number}")
        state = folder / "state"
        shutil.copytree(source, state)
        way = WAYS[number % len(WAYS)]
        done = way(state, chance)
        if number % 2 and done.first is None:
            packed(state)
        problem = named(state, done) if done.first is None else untold(state, done, before)
        if problem:
            wrong.append(f"{number} {way.__name__}, {done.what}: {problem}")
        shutil.rmtree(state)
    return wrong


def test_every_tampering_is_named(journal: Path, tmp_path: Path, seed: int) -> None:
    """Whatever is done to the events, verify names the event, its segment and its time."""
    assert [] == tamper(journal, tmp_path, seed, int(os.environ.get("TRUEDEAL_TAMPERINGS", COUNT)))


@pytest.mark.soak
def test_very_many_tamperings_are_named(journal: Path, tmp_path: Path, seed: int) -> None:
    """The same, very many times."""
    assert [] == tamper(journal, tmp_path, seed + 1, int(os.environ.get("TRUEDEAL_TAMPERINGS", SOAK)))
