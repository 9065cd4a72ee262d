"""A real mail server and a real web server on loopback, which keep what they get."""

from __future__ import annotations

import threading
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import TracebackType
from typing import Any, Self

from aiosmtpd.controller import Controller

from tests.firmware_bridge.anchors.servers import free_port


class _Kept:
    """What the mail server does with a message."""

    def __init__(self, messages: list[Message]) -> None:
        self._messages = messages

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:  # noqa: N802  as it is called
        """Keep a message."""
        self._messages.append(message_from_bytes(envelope.content))
        return "250 kept"


class Servers:
    """Both servers; `status` is what the web server answers."""

    def __init__(self) -> None:
        self.mails: list[Message] = []
        self.posts: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        self.mail_port = free_port()
        self._mail = Controller(_Kept(self.mails), hostname="127.0.0.1", port=self.mail_port)
        servers = self

        class Request(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                """Keep a request."""
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if servers.status == 200:
                    servers.posts.append((dict(self.headers.items()), body))
                self.send_response(servers.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._web = HTTPServer(("127.0.0.1", 0), Request)
        self._thread = threading.Thread(target=self._web.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        """Where the web server is."""
        return f"http://127.0.0.1:{self._web.server_port}/alarm?pit=1"

    def __enter__(self) -> Self:
        """Start both."""
        self._mail.start()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End both."""
        self._mail.stop()
        self._web.shutdown()
        self._thread.join()
        self._web.server_close()
