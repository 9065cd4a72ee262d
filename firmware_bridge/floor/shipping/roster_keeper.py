"""Fetches the roster of the floor for a table: the shipper asks, and keeps what the floor has signed in a file.

1. It asks at once and then every `EVERY` seconds, with the version that it has. A floor console answers with a newer
   one, if there is any. With each answer the file `HEARD` is touched: the floor was heard.
2. What is kept is one file beside it, readable by its owner and its group alone, because it holds the kept forms of
   PINs. It is replaced as a whole, only by a roster that the key of the floor has signed, and only by a higher version.
3. The table takes it between rounds, or not (`people.accounts.central_roster`). It never waits for it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from firmware_bridge.floor.broker import BrokerError
from firmware_bridge.floor.wire.wanted import WantedError, pack_question, read_answer
from firmware_bridge.journal.foreign_file import read_bytes
from firmware_bridge.journal.segments import put_in_place
from firmware_bridge.people.accounts.central_roster import FILE, HEARD
from firmware_bridge.people.accounts.roster import MOST, RosterError, read_roster

EVERY, AGAIN = 60.0, 5.0
"""Seconds between two questions, and after one that nobody answered."""
_MODE = 0o640


class RosterKeeper:
    """Keeps the roster of one casino in a folder."""

    def __init__(self, folder: Path, floor: bytes, casino: str, ask: Callable[[bytes], Awaitable[bytes]]) -> None:
        """Ask nothing yet; `ask` brings a question to the floor, and raises a `BrokerError` if nobody answers."""
        self._folder, self._floor, self._casino, self._ask = folder, floor, casino, ask
        self._said = ""
        self.version = self._kept()

    def _kept(self) -> int:
        """The version of the roster that lies there; 0 if there is none that counts."""
        with suppress(OSError, RosterError):
            return read_roster(read_bytes(self._folder / FILE, MOST + 1), self._floor, self._casino).version
        return 0

    async def run(self) -> None:
        """Ask, again and again."""
        while True:
            pause = EVERY
            try:
                self.take_answer(await self._ask(pack_question(self.version)))
            except (BrokerError, WantedError, RosterError, OSError) as error:
                self._say(str(error))
                pause = AGAIN
            await asyncio.sleep(pause)

    def take_answer(self, body: bytes) -> None:
        """Keep what the floor has answered.

        Raises:
            WantedError: it is no answer.
            RosterError: it holds no roster of this floor.
            OSError: it cannot be kept.
        """
        document = read_answer(body)
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / HEARD).touch()
        if document is None:
            return
        roster = read_roster(document, self._floor, self._casino)
        if roster.version <= self.version:
            self._say(f"the floor has version {roster.version} of its roster, the table version {self.version}")
            return
        _replace(self._folder / FILE, document)
        self.version = roster.version
        self._say(f"version {roster.version} of the roster has come")

    def _say(self, text: str) -> None:
        if text != self._said:
            sys.stderr.write(f"truedeal ship: {text}\n")
            sys.stderr.flush()
        self._said = text


def _replace(path: Path, data: bytes) -> None:
    """Replace a file as a whole, on the disk, for its owner and group."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "wb") as file:
        os.fchmod(file.fileno(), _MODE)  # whatever the mask is
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    put_in_place(new, path)
