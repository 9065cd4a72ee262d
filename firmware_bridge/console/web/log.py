"""The console's log: what its parts and the server say, in the form of the daemon's log.

1. The parts log to `NAME`, the server to its own logger, from warnings on. Each record is one line on the standard
   error output, JSON unless that is a terminal, with every card hidden and every secret left out.
2. Requests are not logged: a page asks for something all the time. Commands are in the daemon's journal.
3. Only the command sets this up. If the console runs inside another program, that program decides.
"""

from __future__ import annotations

import logging
import sys

from firmware_bridge.daemon import log

NAME = "truedeal.console"


class _Lines(logging.Handler):
    """Writes each record as a line of the log."""

    def __init__(self) -> None:
        super().__init__()
        self._logger = log.logger(sys.stderr)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line; a line that cannot be written is lost."""
        level = log.ERROR if record.levelno >= logging.ERROR else log.WARNING
        level = level if record.levelno >= logging.WARNING else log.INFO
        try:
            getattr(self._logger, level)(record.getMessage().strip(), exc_info=record.exc_info or None)
        except (OSError, ValueError):
            return


def start() -> None:
    """Write everything that is logged from now on."""
    lines = _Lines()
    for name, level in ((NAME, logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers = [lines]
        logger.setLevel(level)
        logger.propagate = False
