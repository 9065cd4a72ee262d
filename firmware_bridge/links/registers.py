"""Devices as anchors of the journal: what their registers say goes to `anchors.anchoring`, and they are told each head.

1. When a session begins, a device that keeps registers (`drivers.anchors`) tells them. Each is a row. The register of
   this journal is judged by `Anchoring`, as a file is: it agrees, or the journal was put back or rewritten. If there
   is none, this is the first use of the device under this key, or its register was wiped.
2. After every round the devices whose register agrees or is empty are told the head; one that is behind is told it when
   its session begins. No device is told anything while no anchor has confirmed the journal: it would only repeat what
   it was told. What a device then holds is acknowledged, which is a row.
3. A device that was paired with another key is another anchor: what the old one held counts no longer.
4. A register that is too high, set by a broken box, is set aside by two people: up to that head number, under that key
   of the device, it is not judged, and the device is told nothing. It is never told to go down. Each start and each
   archiving of a segment names what is aside again, under `ASIDE`.
5. A device that says the same again, in however many sessions, raises no second alarm.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Protocol

from drivers.anchors import Anchor, Anchored
from drivers.messages import Message
from firmware_bridge.anchors.anchoring import Anchoring
from firmware_bridge.anchors.register import Register, Standing, compare
from firmware_bridge.journal.last_named import named
from firmware_bridge.links.pairings import Paired
from firmware_bridge.pump.items import Note
from firmware_bridge.shown.news_type import News

ASIDE: Final = "registers-aside"
AGREES, ABOVE, BESIDE, NONE, FULL = "agrees", "above", "beside", "none", "full"
SET_ASIDE: Final = "aside"
_VERDICTS: Final = {Standing.AGREES: AGREES, Standing.BEHIND: ABOVE, Standing.BESIDE: BESIDE}
_LAST: Final = "SELECT number, n, chain FROM heads ORDER BY number DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class Aside:
    """Up to which head the register of a device under a key is not judged."""

    key: str
    number: int


class Device(Protocol):
    """What is needed of a station."""

    def send(self, command: Message) -> bool:
        """Give the device a command."""


def load(state: Path) -> dict[str, Aside]:
    """What the journal names last, by device."""
    found = named(state, ASIDE)
    aside = {}
    for name, one in found.items() if isinstance(found, dict) else ():
        match one:
            case {"key": str(key), "number": int(number)}:
                aside[name] = Aside(key, number)
    return aside


def aside_rows(aside: Mapping[str, Aside]) -> dict[str, object]:
    """The same, as a row names it."""
    return {name: asdict(one) for name, one in sorted(aside.items())}


class DeviceRegisters:
    """The registers of one table's devices."""

    def __init__(
        self, anchoring: Anchoring, devices: Mapping[str, Device], keys: dict[str, Paired], aside: dict[str, Aside]
    ) -> None:
        """Hear the registers of these devices; `keys` and `aside` are what the journal names."""
        self.pump = anchoring.pump
        self.keys = keys
        self.aside = aside
        self.said: dict[str, tuple[str, Anchored]] = {}
        """What each device said last of this journal, and what that means."""
        self._anchoring = anchoring
        self._devices = devices
        self._seen: set[str] = set()
        self._judged: set[tuple[str, str, int]] = set()
        self.pump.listeners.append(self._news)
        self.pump.books.signed, self.pump.gate.weigh_register = self._tell_all, self._row

    def paired(self, device: str) -> None:
        """Let a device that has another key be another anchor."""
        self._anchoring.began_anew(device, "it was paired with another key")

    def set_aside(self, device: str, number: int, *, by: str, second: str) -> Note:
        """Set aside a register that is too high, as two people have decided; return the row that says so."""
        self.aside[device] = Aside(self._key(device), number)
        self.said[device] = SET_ASIDE, self.said[device][1]
        row = {"register-aside": device, "number": number, "by": by, "second": second, ASIDE: aside_rows(self.aside)}
        return Note(json.dumps(row, ensure_ascii=False))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _key(self, device: str) -> str:
        return self.keys[device].fingerprint if device in self.keys else ""

    def _row(self, device: str, said: Anchored) -> Note:
        """The row of what a device says of a register, and what follows from it."""
        row: dict[str, object] = {"register": device, "journal": said.journal.hex(), "number": said.number}
        row |= {"n": said.n, "chain": said.chain.hex()}
        if said.journal == self.pump.books.journal.id:
            row["verdict"] = self._judge_register(device, said)
        elif said.index + 1 >= said.many and device not in self._seen:
            row["verdict"] = self._judge_register(device, said, none=True)
        return Note(json.dumps(row))

    def _judge_register(self, device: str, said: Anchored, *, none: bool = False) -> str:
        """Judge what a device says of this journal, or that it says nothing of it."""
        verdict = NONE if none else self._verdict(device, said)
        began, number = device not in self._seen, 0 if none else said.number
        self._seen.add(device)
        self.said[device] = verdict, said
        once = (device, verdict, number)
        if verdict == AGREES:
            self._anchoring.acknowledged(device, said.number, said.n)
        elif verdict in {ABOVE, BESIDE, NONE} and once not in self._judged:
            self._judged.add(once)
            self._anchoring.judge_anchor(device, None if none else Register(said.number, said.n, said.chain))
        if began or verdict == AGREES:
            self._send_head(device)
        return verdict

    def _verdict(self, device: str, said: Anchored) -> str:
        if not said.number:
            return FULL
        aside = self.aside.get(device)
        if aside is not None and aside.key == self._key(device) and said.number <= aside.number:
            return SET_ASIDE
        held = Register(said.number, said.n, said.chain)
        return _VERDICTS[compare(self.pump.books.journal, held)]

    def _tell_all(self) -> None:
        """A head was signed."""
        for device in self.said:
            self._send_head(device)

    def _send_head(self, device: str) -> None:
        """Tell a device the last head, if it may be told and has not got it."""
        verdict, said = self.said[device]
        found = self.pump.books.journal.connection.execute(_LAST).fetchone()
        held = said.number if verdict == AGREES else 0
        if verdict in {AGREES, NONE} and found is not None and found[0] > held and not self._anchoring.waits:
            number, n, chain = found
            self._devices[device].send(Anchor(self.pump.books.journal.id, number, n, bytes(chain)))

    def _news(self, news: News) -> None:
        match news:
            case {"link": {"device": str(device), "up": bool()}}:
                self._seen.discard(device)
                self.said.pop(device, None)
            case {"anchor": {"waits": False}}:
                self._tell_all()
