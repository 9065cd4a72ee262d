"""The table as it stood, as bytes, and back.

1. A snapshot holds the whole state of a table, what could be taken back, what the translator waits for, and what is
   noted of the round that is on. Past rounds are kept one by one with their records, so that a snapshot stays small.
2. `FORMAT` is made from the classes of what is kept, and changes whenever one of them does. A snapshot of another
   format is not read: the events make the state again.
"""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

from firmware_bridge.bridge.translate import Told, Translator
from firmware_bridge.journal import shape
from firmware_bridge.journal.pickled import SnapshotError, dumped, loaded
from firmware_bridge.journal.records import Done, FindingRecord, Recorder, RoundRecord, RulingRecord, Said
from gamecore.history import History
from gamecore.model import round, state  # noqa: A004  the module of the round of play


class Kept(NamedTuple):
    """What a snapshot holds."""

    header: str
    table: state.TableState
    history: History
    translator: Translator
    numbers: dict[str, tuple[int, int]]  # by device: the last number that is durable, and the numbering it belongs to
    boot: str  # the boot id under which the daemon ran
    configured: str  # the table as it was configured when the daemon began
    recorder: Recorder


def dump(kept: Kept) -> bytes:
    """The state without its past rounds."""
    return dumped(kept._replace(table=replace_rounds(kept.table, kept.table.rounds[-1:])))


def load(data: bytes) -> Kept:
    """The state that was kept.

    Raises:
        SnapshotError: the bytes are no snapshot.
    """
    kept = loaded(data)
    if not isinstance(kept, Kept):
        raise SnapshotError("these bytes are no snapshot")
    return kept


def load_round(data: bytes) -> round.Round:
    """The round that was kept.

    Raises:
        SnapshotError: the bytes are no round.
    """
    kept = loaded(data)
    if not isinstance(kept, round.Round):
        raise SnapshotError("these bytes are no round")
    return kept


def replace_rounds(whole: state.TableState, rounds: list[round.Round]) -> state.TableState:
    """The same state with other past rounds; everything else is shared."""
    other = object.__new__(state.TableState)
    for field in fields(whole):
        setattr(other, field.name, getattr(whole, field.name))
    other.rounds = rounds
    return other


def _format() -> int:
    """The number of the shape of all that a snapshot holds."""
    told = [shape.of_tuple(kind) for kind in (Kept, Said, Told, Done, RoundRecord, FindingRecord, RulingRecord)]
    told += [f"{type(made).__name__}: {sorted(vars(made))}" for made in (Recorder(), Translator(places_sensed=True))]
    return int.from_bytes(shape.digest([*told, shape.STATE.hex()])) >> 1  # SQLite's numbers have a sign


FORMAT = _format()
