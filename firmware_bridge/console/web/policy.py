"""What every request must satisfy, and what every answer carries.

1. The Host header must name this console, with a port of digits or none; otherwise the request is refused unread: a
   foreign name that was made to point here reaches nothing.
2. A request that another site makes for anything under ``/api/`` is refused, as the browser itself says
   (``Sec-Fetch-Site``).
3. A request that is no GET and no HEAD must have the content type application/json, an Origin of this console or none,
   a body of at most `BODY` bytes that arrives in `PATIENCE` seconds, a session, and that session's token in `TOKEN`.
4. With TLS everything needs a login, except the page, unknown paths that show it, its static files, the session, the
   list of people on duty and the login. Browsers are told to come with TLS only (`STRICT`), and no other host and no
   plain page can set the cookie.
5. The cookie of a session that has ended is no session: reading goes on if reading is free, and a command is 401.
6. Every answer, whatever its status, has the headers of `HEADERS`; nobody stores what is under ``/api/``.
7. Behind the policy a request has its session in ``request.state.session``, or None. Only what a person asks for keeps
   it alive, not what the page asks for by itself (`BY_ITSELF`, and what an `Extra` names).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_bridge.console.login.sessions import Session, Sessions
from firmware_bridge.console.web.errors import Problem

BODY = 65536
PATIENCE = 10.0
COOKIE = "truedeal"
"""What the cookie's name begins with; the port follows, because browsers give cookies to every port of a host."""
TOKEN = "x-truedeal-token"  # noqa: S105  the name of a header
CONTENT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
STRICT = ("Strict-Transport-Security", "max-age=31536000")
API = "/api/"
NO_PAGES = (API, "/static/", "/extra/")
"""Under these lies no page for a person."""
STREAM = "/api/stream"
BY_ITSELF = (STREAM, "/api/session", "/api/health")
_OPEN = frozenset({"/", "/favicon.ico", "/api/session", "/api/duty", "/api/login"})
_DIGITS = 18  # what SQLite counts with has 19
_READS = frozenset({"GET", "HEAD"})
_SAME = frozenset({"same-origin", "none"})


class Front(Protocol):
    """What the policy must know of a console: the names by which browsers may call it, and whether it has TLS."""

    @property
    def hosts(self) -> frozenset[str]:
        """The names."""
        ...

    @property
    def tls(self) -> bool:
        """Whether it has TLS."""
        ...


class Policy:
    """Stands before everything that the console serves."""

    def __init__(self, app: ASGIApp, settings: Front, sessions: Sessions, by_itself: tuple[str, ...] = ()) -> None:
        self._app = app
        self._by_itself = (*BY_ITSELF, *by_itself)
        self._settings = settings
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, if it may be."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                protect(MutableHeaders(scope=message), scope["path"], tls=self._settings.tls)
            await send(message)

        try:
            receive = await self._checked(scope, receive)
        except Problem as problem:
            await problem.response()(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)

    async def _checked(self, scope: Scope, receive: Receive) -> Receive:
        """Check a request and find its session; from where its body is read.

        Raises:
            Problem: it may not be served.
        """
        headers, path = Headers(scope=scope), str(scope["path"])
        self._check_host(headers)
        if path.startswith(API) and headers.get("sec-fetch-site", "none") not in _SAME:
            raise Problem(HTTPStatus.FORBIDDEN, "the request comes from another site")
        id = _cookie(headers, tls=self._settings.tls)  # noqa: A001  what it is called
        session = self._sessions.find(id) if id else None
        scope.setdefault("state", {})["session"] = session
        if self._settings.tls and not (session and session.logged_in) and not is_open(path):
            raise _ended() if id and session is None else Problem(HTTPStatus.UNAUTHORIZED, "log in first")
        if scope["method"] not in _READS:
            self._check_command(headers, session, path)
            receive = _again(await _body(headers, receive), receive)
        if session is not None and not path.startswith(self._by_itself):
            self._sessions.use(session)
        return receive

    def _check_host(self, headers: Headers) -> None:
        host, hosts = headers.get("host", "").lower(), self._settings.hosts
        name, port = (host, "") if host.endswith("]") else _split(host)
        parent = f"*.{name.partition('.')[2]}"
        if (port and not is_number(port)) or (name not in hosts and parent not in hosts):
            raise Problem(HTTPStatus.MISDIRECTED_REQUEST, "this console is not called so")

    def _check_command(self, headers: Headers, session: Session | None, path: str) -> None:
        """Check that a request that changes something is not forged."""
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"{self._scheme}://{headers.get('host', '').lower()}":
            raise Problem(HTTPStatus.FORBIDDEN, "the request comes from another site")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected application/json")
        if session is None:
            raise _ended() if path != "/api/login" else Problem(HTTPStatus.UNAUTHORIZED, "ask for /api/session first")
        if not session.knows(headers.get(TOKEN, "")):
            raise Problem(HTTPStatus.FORBIDDEN, "the session's token is missing or wrong")

    @property
    def _scheme(self) -> str:
        return "https" if self._settings.tls else "http"


def protect(headers: MutableHeaders, path: str, *, tls: bool) -> None:
    """Give an answer the headers that all have."""
    for name, value in (*HEADERS.items(), *((STRICT,) if tls else ())):
        headers[name] = value
    if path.startswith(API):
        headers.setdefault("Cache-Control", "no-store")


def _ended() -> Problem:
    return Problem(HTTPStatus.UNAUTHORIZED, "the session has ended", "Begin anew; log in where that is needed.")


def is_open(path: str) -> bool:
    """Whether a path needs no login: it belongs to the login page, or is unknown, which the page then says."""
    return path in _OPEN or path.startswith("/static/") or not path.startswith(NO_PAGES)


def cookie_name(headers: Headers, *, tls: bool) -> str:
    """The name of the session's cookie."""
    port, own = headers.get("host", "").rpartition(":")[2], "__Host-" if tls else ""
    return f"{own}{COOKIE}-{port}" if is_number(port) else f"{own}{COOKIE}"


def with_cookie(answer: Response, request: Request, session: Session, *, tls: bool) -> Response:
    """An answer that gives the browser its session."""
    name = cookie_name(request.headers, tls=tls)
    answer.set_cookie(name, session.id, httponly=True, samesite="strict", secure=tls)
    return answer


def is_number(text: str) -> bool:
    """Whether a text is a whole number that anything here can hold."""
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS


def _split(host: str) -> tuple[str, str]:
    """The name and the port of a Host header."""
    name, colon, port = host.rpartition(":")
    return (name, port) if colon else (host, "")


def _cookie(headers: Headers, *, tls: bool) -> str:
    """The id of the session, empty without one."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(cookie_name(headers, tls=tls))
    except CookieError:
        return ""
    return found.value if found is not None else ""


async def _body(headers: Headers, receive: Receive) -> bytes:
    """The whole body of a request.

    Raises:
        Problem: it is too long, or does not come.
    """
    said = headers.get("content-length", "0")
    too_long = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"expected at most {BODY} bytes")
    if not is_number(said) or int(said) > BODY:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise Problem(HTTPStatus.BAD_REQUEST, "the request has no end")
                body += message.get("body", b"")
                if len(body) > BODY:
                    raise too_long
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError as error:
        raise Problem(HTTPStatus.REQUEST_TIMEOUT, "the request does not end") from error


def _again(body: bytes, after: Receive) -> Receive:
    """What gives a body that has been read, and then what comes after it."""
    first = True

    async def receive() -> Message:
        nonlocal first
        if first:
            first = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await after()

    return receive
