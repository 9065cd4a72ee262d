"""A head as one line, and what goes to a syslog server.

1. In a file: the time, a space, and the head as ``head.json`` has it, in JSON.
2. To a syslog server: RFC 5424, facility "log audit", the application ``truedeal``. A head has the severity "notice"
   and the message id ``head``; the text is the same JSON. An alarm of a floor has the severity "alert" and the message
   id ``alarm``; the text is JSON. On a stream a line has its length before it (RFC 6587, 3.4.1).
3. Lines of heads can be given to ``truedeal verify --anchors`` as they are.
"""

from __future__ import annotations

from firmware_bridge.journal.signed.signing import Head, written

_FACILITY = 13 * 8
NOTICE, ALERT = 5, 1
"""Severities."""
_HOST = 255
_PROCESS = 128


def file_line(head: Head, at: str) -> bytes:
    """The line of a file."""
    return f"{at} {written(head)}\n".encode("ascii")


def syslog_frame(severity: int, what: str, text: str, at: str, sender: tuple[str, int]) -> bytes:
    """What goes to a syslog server from a host and a process: a message id and an ASCII text."""
    host, process = sender
    name = "".join(letter for letter in host if "!" <= letter <= "~")[:_HOST] or "-"
    line = f"<{_FACILITY + severity}>1 {at} {name} truedeal {str(process)[:_PROCESS]} {what} - {text}".encode("ascii")
    return b"%d %b" % (len(line), line)
