"""The journal's anchors on devices: what their registers say of it, and the heads that they are told.

1. After every head the devices that keep registers (`drivers.anchors`) are told it. What a register holds then is a row
   that names what all of them hold, under `ANCHORS`, so that the next head covers it. Each start and each archiving of
   a segment names that again.
2. At the begin of a session a device tells its registers. The one of this journal is judged:
   *agrees*: event and digest are on our chain. If it is behind it is told the last head.
   *above*: its head or event is higher than any of ours. *beside*: that event has another digest here, or is not here.
   Then the journal was put back or forked: alarm `put-back`, and the table is held for the shift manager.
   *wiped*: there is none, though the journal has one of this device under its present key: alarm `anchor-wiped`; the
   table is held if no other device agrees within `OTHERS` seconds. *none*: there is none, and never was. Either is
   told the last head.
   *full*: the device keeps registers of other journals, and has no room until it is paired again.
3. A register that is too high, set by a broken box, is set aside by two people: it is not judged up to that head number
   under that key of the device (*aside*). The device is never told to go down.
4. An alarm is raised once for what a device tells, however often its session begins anew.
5. Rows of segments that were set aside count as ours as well. What is older than the segments at hand is not looked
   for (*old*): the archive is compared by ``verify``, and the row has the digest for that.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from drivers.anchors import Anchor, Anchored
from drivers.messages import Message
from firmware_bridge.items import DAEMON, Item, Note
from firmware_bridge.journal.named import named
from firmware_bridge.journal.segments import open_for_reading, segments, set_aside_before
from firmware_bridge.journal.store import Journal
from firmware_bridge.links.pairings import Paired
from firmware_bridge.people.permissions import ANCHOR_WIPED, PUT_BACK
from firmware_bridge.pump import Pump
from gamecore.model import events as ev

ANCHORS: Final = "anchors"
OTHERS: Final = 5.0
AGREES, OLD, ABOVE, BESIDE, WIPED = "agrees", "old", "above", "beside", "wiped"
NONE, FULL, ASIDE = "none", "full", "aside"
_RAISABLE: Final = frozenset({AGREES, OLD, NONE, WIPED})
_RAISED: Final[Mapping[str, str]] = {ABOVE: PUT_BACK, BESIDE: PUT_BACK, WIPED: ANCHOR_WIPED}
_LAST: Final = "SELECT number, n, chain FROM heads ORDER BY number DESC LIMIT 1"
_CHAIN: Final = "SELECT chain FROM events WHERE n = ?"


@dataclass(frozen=True, slots=True)
class Known:
    """What a device under a key is known to hold of this journal; `aside`: up to which head it is not judged."""

    key: str
    number: int = 0
    n: int = 0
    aside: int = 0


class Device(Protocol):
    """What is needed of a station."""

    def send(self, command: Message) -> bool:
        """Give the device a command."""


def load(state: Path) -> dict[str, Known]:
    """What the journal names last, by device."""
    found = named(state, ANCHORS)
    known = {}
    for name, one in found.items() if isinstance(found, dict) else ():
        match one:
            case {"key": str(key), "number": int(number), "n": int(n), "aside": int(aside)}:
                known[name] = Known(key, number, n, aside)
    return known


def told(known: Mapping[str, Known]) -> dict[str, object]:
    """The same, as a row names it."""
    return {name: asdict(one) for name, one in sorted(known.items())}


class Anchors:
    """The registers of one table's devices."""

    def __init__(
        self, pump: Pump, devices: Mapping[str, Device], keys: dict[str, Paired], known: dict[str, Known]
    ) -> None:
        """Judge the registers of these devices; `known` is what the journal names."""
        self.known = known
        self.told: dict[str, tuple[str, Anchored]] = {}
        """What each device said last of this journal, and what that means."""
        self._pump = pump
        self._devices = devices
        self.keys = keys
        self._seen: set[str] = set()
        self._raised: set[tuple[str, str, int]] = set()
        pump.watchers.append(self._news)
        pump.books.signed, pump.judge = self.send, self.meaning

    @property
    def agreeing(self) -> list[str]:
        """The devices whose registers confirm this journal."""
        return [name for name, (verdict, _) in self.told.items() if verdict == AGREES]

    def send(self) -> None:
        """A head was signed: tell it to every device whose register may be raised to it."""
        for name, (verdict, _) in self.told.items():
            if verdict in _RAISABLE:
                self._send(name)

    def meaning(self, device: str, said: Anchored) -> Note:
        """The row of what a device says of a register."""
        if said.journal == self._journal.id:
            self._seen.add(device)
            return self._row(device, self._judged(device, said), said)
        if said.index + 1 >= said.many and device not in self._seen:
            self._seen.add(device)
            lost = self._of(device).number > 0
            return self._row(device, WIPED if lost else NONE, said)
        return Note(json.dumps({"register": device, "journal": said.journal.hex(), "number": said.number}))

    def set_aside(self, device: str, number: int, *, by: str, second: str) -> Note:
        """The row in which two people let a register that is too high not be judged."""
        self.known[device] = replace(self._of(device), aside=number)
        self._raised = {one for one in self._raised if one[0] != device}
        verdict, said = self.told[device]
        self.told[device] = (ASIDE if verdict == ABOVE else verdict, said)
        row = {"register-aside": device, "number": number, "by": by, "second": second, ANCHORS: told(self.known)}
        return Note(json.dumps(row, ensure_ascii=False))

    # --- inside ------------------------------------------------------------------------------------------------------

    @property
    def _journal(self) -> Journal:
        return self._pump.books.journal

    def _of(self, device: str) -> Known:
        """What is known of a device under the key that it has now."""
        key = self.keys[device].fingerprint if device in self.keys else ""
        known = self.known.get(device)
        return known if known is not None and known.key == key else Known(key)

    def _head(self) -> tuple[int, int, bytes]:
        """Number, event and digest of the last head."""
        found = self._journal.connection.execute(_LAST).fetchone()
        return (0, 0, b"") if found is None else (int(found[0]), int(found[1]), bytes(found[2]))

    def _judged(self, device: str, said: Anchored) -> str:
        number, _, _ = self._head()
        if not said.number:
            return FULL
        if said.number <= self._of(device).aside:
            return ASIDE
        if said.number > number or said.n > self._journal.n:
            return ABOVE
        chain, oldest = self._chain(said.n)
        if chain is None and said.n < oldest:
            return OLD
        return AGREES if said.chain == chain else BESIDE

    def _chain(self, n: int) -> tuple[bytes | None, int]:
        """The digest of an event of ours, None if it is not at hand; and the oldest event that is."""
        oldest, state = self._journal.first, self._journal.state
        found = self._journal.connection.execute(_CHAIN, (n,)).fetchone()
        for path in [] if found is not None else [*reversed(segments(state)), *set_aside_before(state)]:
            with suppress(sqlite3.Error), closing(open_for_reading(path)) as connection:
                (first,) = connection.execute("SELECT min(n) FROM events").fetchone()
                oldest = min(oldest, first or oldest)
                found = found or connection.execute(_CHAIN, (n,)).fetchone()
        return None if found is None else bytes(found[0]), oldest

    def _row(self, device: str, verdict: str, said: Anchored) -> Note:
        """The row of a judgement, with what follows from it."""
        self.told[device] = verdict, said
        row: dict[str, object] = {"register": device, "verdict": verdict, "number": said.number, "n": said.n}
        row["chain"] = said.chain.hex()
        if verdict == AGREES:
            self.known[device] = replace(self._of(device), number=said.number, n=said.n)
        if verdict in _RAISABLE and said.number < self._head()[0]:
            self._send(device)
        code = _RAISED.get(verdict, "")
        if code and (device, code, said.number) not in self._raised:
            self._raised.add((device, code, said.number))
            self._hold(device, verdict)
            return Note(json.dumps({"alarm": code, **row}), alarm=code)
        return Note(json.dumps({**row, ANCHORS: told(self.known)}))

    def _hold(self, device: str, verdict: str) -> None:
        """Put it before the shift manager; what was wiped only if no other device agrees."""
        if verdict == WIPED:
            asyncio.get_running_loop().call_later(OTHERS, self._alone, device)
        else:
            self._pump.submit(Item(DAEMON, ev.Call("uncovered")))

    def _alone(self, device: str) -> None:
        if not [other for other in self.agreeing if other != device]:
            self._pump.submit(Item(DAEMON, ev.Call("uncovered")))

    def _send(self, device: str) -> None:
        number, n, chain = self._head()
        if number:
            self._devices[device].send(Anchor(self._journal.id, number, n, chain))

    def _news(self, news: dict[str, object]) -> None:
        match news:
            case {"link": {"device": str(device), "up": bool()}}:
                self._seen.discard(device)
                self.told.pop(device, None)
