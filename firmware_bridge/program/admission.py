"""Whether the program that runs may begin a round at this table.

1. It may not while it is being checked, nor when it is not what its maker has signed (`running`), nor, at a table with
   people, before they have accepted it (`accepted`).
2. The check of an installed program, and its result, is a row of the journal. A program that does not match is put
   before the shift manager, as damage of the journal is: a round in play is held.
"""

from __future__ import annotations

import asyncio
import json

from firmware_bridge.program.running import CHANGED, Running
from firmware_bridge.pump.items import DAEMON, Item, Note
from firmware_bridge.pump.pump import Pump
from firmware_bridge.shown.scene_type import AdmittedProgram
from firmware_bridge.texts.denials import Denial


class Admission:
    """Stands between one program and the rounds of one table."""

    def __init__(self, running: Running, pump: Pump) -> None:
        """Bar the way from now on, as long as there is a reason."""
        self._running = running
        self._pump = pump
        pump.gate.bars += [running.bars, self._waits]

    def _waits(self) -> Denial | None:
        return None if self._pump.guard is None else self._pump.books.programs.waits()

    def check(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to compare the files with what was signed, a slice at a time."""
        self._running.start(loop, self._checked)

    def _checked(self) -> None:
        state = self._running.state
        said = {"program": state, "digest": self._running.digest, "wrong": self._running.wrong or None}
        self._pump.enqueue(Item(DAEMON, Note(json.dumps(said))))
        if state == CHANGED:
            self._pump.enqueue(Item.to_the_house())
        barred = self._running.bars()
        self._pump.announce({"program": {"bars": None if barred is None else str(barred)}})

    def admitted_program(self) -> AdmittedProgram:
        """What is shown of it."""
        waits = self._waits()
        return {**self._running.running_program(), "waits": None if waits is None else str(waits)}
