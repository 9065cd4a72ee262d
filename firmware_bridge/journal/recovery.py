"""How the daemon begins again: the last snapshot, and every event after it.

1. The newest snapshot that can be read is taken, and the rows after it are applied as they were. Their digests are held
   against the chain on the way: what is not as it was written is not believed.
2. Without a snapshot the rows are applied from the first of all.
3. The same boot id as at the last start means that the software alone was away: the round goes on, `Restarted`.
   Another one is the power failure of the rules: `PowerCut`, `PowerOn`. What the devices have kept comes after it.
4. A round that ended without its record, because the record was lost in the crash, gets it again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from firmware_bridge import codec
from firmware_bridge.bridge.translate import Lifted, Told, Translator
from firmware_bridge.journal import schema, snapshot
from firmware_bridge.journal.chain import Row, link
from firmware_bridge.journal.pickled import SnapshotError
from firmware_bridge.journal.records import Done, Recorder
from firmware_bridge.journal.store import Journal
from gamecore import events as ev
from gamecore.cards import card
from gamecore.games import GAMES
from gamecore.notation.header import read_header
from gamecore.notation.lines import split
from gamecore.notation.syntax import Header
from gamecore.notation.venue import table_config
from gamecore.outputs import Refused
from gamecore.places import place
from gamecore.table import Table

ROUNDS = 100
"""How many past rounds are kept at hand."""


class DamagedError(ValueError):
    """Rows that are not as they were written, from this number on."""

    def __init__(self, n: int, reason: str) -> None:
        """Keep the number."""
        self.n = n
        super().__init__(f"event {n}: {reason}")


@dataclass(slots=True)
class Recovered:
    """The table as the journal tells it, and what the devices are to send next."""

    header: Header
    table: Table
    translator: Translator
    numbers: dict[str, tuple[int, int]] = field(default_factory=dict)
    boot: str | None = None
    recorder: Recorder = field(default_factory=Recorder)
    done: list[Done] = field(default_factory=list)  # rounds that ended without their record


def set_up(header: Header) -> Recovered:
    """A table before its first round."""
    table = Table(GAMES[header.game], table_config(header))
    return Recovered(header, table, Translator(places_sensed=header.places_sensed))


def recover(journal: Journal, configured: Header) -> Recovered:
    """The table at the end of the journal. A round that ended without its record gets it.

    Raises:
        DamagedError: a row is not as it was written.
    """
    at, now = _from_snapshot(journal) or (0, set_up(configured))
    if at == 0 and not journal.is_first:
        raise DamagedError(journal.first, "what this segment goes on from cannot be read")
    digest = journal.digest_of(at)
    for row, chain in journal.rows(at):
        if digest is not None and link(digest, row) != chain:
            raise DamagedError(row.n, "its digest is not that of what it holds")
        digest = chain
        _again(now, row)
    return now


def _from_snapshot(journal: Journal) -> tuple[int, Recovered] | None:
    """The newest snapshot that can be read, with the number of the event after which it was taken."""
    for at, data in journal.snapshots(snapshot.FORMAT):
        try:
            kept = snapshot.load(data)
            past = [snapshot.load_round(state) for state in journal.past_rounds(ROUNDS)]
        except SnapshotError:
            continue  # an older one, or the events, say the same
        past = [game_round for game_round in past if game_round.number < kept.table.round.number]
        kept.table.rounds[:0] = past
        header = read_header(split(kept.header)[0], GAMES)
        table = Table.resumed(kept.table)
        return at, Recovered(header, table, kept.translator, dict(kept.numbers), kept.boot, kept.recorder)
    return None


def _again(now: Recovered, row: Row) -> None:
    """Apply one row as it was applied."""
    if row.number is not None:
        numbering = now.numbers.get(row.device, (0, 0))[1]
        now.numbers[row.device] = (row.number, numbering)
    match row.kind:
        case schema.EVENT:
            _event(now, row)
        case schema.TABLE:
            fresh = set_up(read_header(split(row.body or "")[0], GAMES))
            now.header, now.table, now.translator = fresh.header, fresh.table, fresh.translator
            now.recorder = fresh.recorder
        case schema.TOLD:
            said = (row.body or "").split()
            now.translator.tell(Told(place(said[0]), said[1:] == ["exposed"]))
        case schema.LIFTED:
            said = (row.body or "").split()
            now.translator.lift(Lifted(card(said[0]), place(said[1])))
        case schema.START:
            now.boot = str(json.loads(row.body or "{}").get("boot"))
        case schema.NOTE:
            _noted(now, row)


def _noted(now: Recovered, row: Row) -> None:
    """A device that is there tells the numbering of its events."""
    try:
        said = json.loads(row.body or "")
    except ValueError:
        return
    if isinstance(said, dict) and "numbering" in said:
        last = now.numbers.get(str(said.get("device")), (0, 0))[0]
        now.numbers[str(said["device"])] = (last, int(said["numbering"]))


def _event(now: Recovered, row: Row) -> None:
    try:
        event = codec.decode(row.body or "")
    except codec.CodecError as error:
        raise DamagedError(row.n, str(error)) from error
    now.translator.repeats(event)
    now.recorder.before(row.n, row.at, row.device, event, now.table)
    refused = any(isinstance(output, Refused) for output in now.table.apply(event))
    if isinstance(event, ev.PlaceBets) and not refused:
        now.translator.round_commences()
    done = now.recorder.after(row.n, row.at, now.table, refused=refused)
    if done is not None:
        now.done.append(done)
