"""The ways by which people outside the pit are told of an alarm: e-mail and webhook.

1. A letter has an id that stays the same however often it is sent: the Message-ID of the mail, the
   ``Idempotency-Key`` of the request. Anyone who gets it twice can tell.
2. Mail is encrypted where the server offers it, and must be if there is a password. A webhook is a POST of JSON; with a
   key it carries an HMAC of its body (``X-Truedeal-Signature: sha256=…``). Redirects are not followed.
3. What does not succeed within `PATIENCE` seconds is a `WayError`; the outbox tries again.
"""

from __future__ import annotations

import hmac
import http.client
import json
import smtplib
import ssl
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

from firmware_bridge.floor.pit.escalation.ladder import Target

MAIL, WEBHOOK = "mail", "webhook"
PATIENCE = 10.0
_GOOD = range(200, 300)


class WayError(Exception):
    """A letter could not be sent; the message says why."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How letters are sent: the mail server and the sender, the login there, the key of webhooks."""

    server: str = ""
    sender: str = ""
    login: tuple[str, str] | None = field(default=None, repr=False)
    key: bytes = field(default=b"", repr=False)

    def send_letter(self, id_: str, target: Target, body: str) -> None:
        """Send a letter.

        Raises:
            WayError: it could not be sent.
        """
        said = json.loads(body)
        try:
            if target.way == MAIL:
                self._mail(id_, target.address, said)
            else:
                self._post(id_, target.address, body.encode())
        except (OSError, smtplib.SMTPException, http.client.HTTPException, ValueError) as error:
            raise WayError(str(error) or type(error).__name__) from error

    def _mail(self, id_: str, address: str, said: dict[str, Any]) -> None:
        message = EmailMessage()
        message["From"], message["To"] = self.sender, address
        message["Message-ID"] = f"<{id_}@{self.sender.rpartition('@')[2] or 'truedeal'}>"
        message["Subject"] = f"Alarm at {said['casino']}/{said['table']}: {said['code']}"
        again = " This is the second message." if said["stage"] == "escalated-2" else ""
        message.set_content(
            f"Table {said['table']} of {said['casino']} has the alarm {said['code']} (event {said['n']}), "
            f"and nobody has taken it up.{again}\n"
        )
        host, _, port = self.server.rpartition(":")
        with smtplib.SMTP(host, int(port), timeout=PATIENCE) as server:
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=ssl.create_default_context())
                server.ehlo()
            elif self.login is not None:
                raise WayError("the mail server offers no encryption, and a password is not sent without it")
            if self.login is not None:
                server.login(*self.login)
            server.send_message(message)

    def _post(self, id_: str, address: str, body: bytes) -> None:
        parts = urlsplit(address)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", "Idempotency-Key": id_}
        if self.key:
            headers["X-Truedeal-Signature"] = f"sha256={hmac.new(self.key, body, 'sha256').hexdigest()}"
        try:
            path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
            connection.request("POST", path, body, headers)
            status = connection.getresponse().status
        finally:
            connection.close()
        if status not in _GOOD:
            raise WayError(f"HTTP {status}")
