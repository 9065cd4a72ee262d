"""Whether the program that runs may begin a round at this table.

1. It may not while it is being checked, nor when it is not what its maker has signed (`running`), nor, at a table with
   people, before they have accepted it (`accepted`).
2. That an installed program was checked, and with what result, is a row of the journal. One that does not match is put
   before the shift manager as damage of the journal is: a round in play is held.
"""

from __future__ import annotations

import asyncio
import json

from firmware_bridge.program.running import CHANGED, Running
from firmware_bridge.pump.items import DAEMON, Item, Note
from firmware_bridge.pump.pump import Pump
from firmware_bridge.shown.scene_type import AdmittedProgram


class Admission:
    """Stands between one program and the rounds of one table."""

    def __init__(self, running: Running, pump: Pump) -> None:
        """Bar the way from now on, as long as there is a reason."""
        self._running = running
        self._pump = pump
        pump.gate.bars += [running.bars, self._waits]

    def _waits(self) -> str | None:
        return None if self._pump.guard is None else self._pump.books.programs.waits()

    def check(self, loop: asyncio.AbstractEventLoop) -> None:
        """Compare the files with what was signed, by and by."""
        self._running.start(loop, self._checked)

    def _checked(self) -> None:
        state = self._running.state
        said = {"program": state, "digest": self._running.digest, "wrong": self._running.wrong or None}
        self._pump.enqueue(Item(DAEMON, Note(json.dumps(said))))
        if state == CHANGED:
            self._pump.enqueue(Item.to_the_house())
        self._pump.announce({"program": {"bars": self._running.bars()}})

    def told(self) -> AdmittedProgram:
        """What is shown of it."""
        return {**self._running.told(), "waits": self._waits()}
