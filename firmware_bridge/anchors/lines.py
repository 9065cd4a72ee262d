"""A head as one line.

1. In a file: the time, a space, and the head as ``head.json`` has it, in JSON.
2. To a syslog server: RFC 5424, facility "log audit", severity "notice", the application ``truedeal``, the message id
   ``head``; the text is the same JSON. On a stream a line has its length before it (RFC 6587, 3.4.1).
3. Both can be given to ``truedeal verify --anchors`` as they are.
"""

from __future__ import annotations

from firmware_bridge.journal.signed.signing import Head, written

_PRIORITY = 13 * 8 + 5
_HOST = 255
_PROCESS = 128


def file_line(head: Head, at: str) -> bytes:
    """The line of a file."""
    return f"{at} {written(head)}\n".encode("ascii")


def syslog_frame(head: Head, at: str, host: str, process: int) -> bytes:
    """What goes to a syslog server."""
    name = "".join(letter for letter in host if "!" <= letter <= "~")[:_HOST] or "-"
    line = f"<{_PRIORITY}>1 {at} {name} truedeal {str(process)[:_PROCESS]} head - {written(head)}".encode("ascii")
    return b"%d %b" % (len(line), line)
