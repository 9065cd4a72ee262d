"""Tells every alarm of the archive to a syslog server over TLS, RFC 5424, with the writer of `anchors`.

1. It is a thread of the ingester with a connection of its own: a server that is away holds nothing up. An alarm stays
   untold until the server has its line, so that each is told at least once. Two ingesters may tell one twice: its text
   is the same, with journal, event and code.
2. It looks every `LOOK` seconds, and after a problem ever less often. A problem that comes or goes is a line of the
   log.
3. The text is JSON in ASCII and names no card.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

from firmware_bridge.anchors.lines import ALERT
from firmware_bridge.anchors.senders import SyslogSender
from firmware_bridge.anchors.targets import SyslogTarget
from firmware_bridge.floor.archive import alarms
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.dialects import ArchiveError

LOOK, SELDOM = 1.0, 30.0
SOME = 100


class AlarmSyslog(threading.Thread):
    """Tells the alarms of one archive to one server."""

    def __init__(self, url: str, target: SyslogTarget, ca: Path | None) -> None:
        """Nothing is opened yet."""
        super().__init__(name="alarm-syslog", daemon=True)
        self._url = url
        self._sender = SyslogSender(target.host, target.port, ca)
        self._ended = threading.Event()
        self._problem = ""

    def end(self) -> None:
        """End soon."""
        self._ended.set()

    def run(self) -> None:
        """Tell alarms until `end` is called."""
        pause = LOOK
        while not self._ended.wait(pause):
            try:
                with Archive.open(self._url) as archive:
                    while self._tell_some(archive):
                        pass
                    self._say("")
                    pause = LOOK
                    while not self._ended.wait(LOOK):
                        self._tell_some(archive)
            except (ArchiveError, OSError) as error:
                self._say(str(error).strip())
                pause = min(pause * 2, SELDOM)
        self._sender.close()

    def _tell_some(self, archive: Archive) -> bool:
        """Tell what was not told yet; returns whether there may be more."""
        found = alarms.untold(archive.dialect, SOME)
        if found:
            self._sender.lost()  # a connection that the server has ended is made anew
        for alarm in found:
            said = {**alarm, "journal": bytes(alarm["journal"]).hex()}
            said = {key: value for key, value in said.items() if key != "line"}
            self._sender.send_text(ALERT, "alarm", json.dumps(said, separators=(",", ":")))
            alarms.mark_told(archive.dialect, alarm)
        return len(found) == SOME

    def _say(self, problem: str) -> None:
        if problem != self._problem:
            sys.stderr.write(f"truedeal ingest: syslog: {problem or 'it is there again'}\n")
            sys.stderr.flush()
        self._problem = problem
