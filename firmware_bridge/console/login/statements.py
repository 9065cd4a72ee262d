"""What the page asks and says: the session, login and logout, statements, alarms to clear, notes on rounds.

1. The daemon is the only judge of who may do what. Its answer goes to the page as it is: ``ok``, ``refused`` with the
   reason, or ``error``, which has the status 400. A login that fails has the status 403.
2. A logged-in session speaks over its own connection. On a table without roles, sessions without a login share one.
3. A login opens a fresh connection; if the daemon refuses, its words are the answer and the session stays as it was.
   The daemon is told from where the login comes; only its delays limit the tries. A login may carry a new PIN. The list
   of people on duty is only for the table's own screen.
4. Each command carries a fresh `id`, which is used up when it arrives: only a person repeats a command that may have
   been heard.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge import VERSION
from firmware_bridge.console.answers import PageExtra, PageSession
from firmware_bridge.console.history.steps import first_of
from firmware_bridge.console.live.daemon_link import OpenTable, Watch, asked
from firmware_bridge.console.live.feed import Feed
from firmware_bridge.console.login.sessions import Session, Sessions
from firmware_bridge.console.settings import Address, Extra, Settings
from firmware_bridge.console.web.errors import Problem, daemon_gone
from firmware_bridge.console.web.policy import with_cookie
from firmware_bridge.console.web.request_bodies import command_id, read_object, text_of
from firmware_bridge.control.async_client import Connection
from firmware_bridge.control.client import read_path
from firmware_bridge.people.login.lockouts import SCREEN
from firmware_bridge.texts.denials import Ground, deny, refusal_answer

NO_ROLES = deny(Ground.OPEN_ELSEWHERE)


@dataclass(frozen=True, slots=True)
class Parts:
    """What one console is made of."""

    settings: Settings
    sessions: Sessions
    feed: Feed
    watch: Watch
    open_table: OpenTable
    extras: tuple[Extra, ...] = ()


class CommandsApi:
    """The routes by which a page says something."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/api/session", self._session, methods=["GET"]),
            Route("/api/duty", self._duty, methods=["GET"]),
            Route("/api/login", self._login, methods=["POST"]),
            Route("/api/logout", self._logout, methods=["POST"]),
            Route("/api/say", self._say, methods=["POST"]),
            Route("/api/why", self._why, methods=["POST"]),
            Route("/api/clear", self._clear, methods=["POST"]),
            Route("/api/note", self._note, methods=["POST"]),
        ]

    # --- the session -------------------------------------------------------------------------------------------------

    async def _session(self, request: Request) -> Response:
        return self._session_response(request, request.state.session or self._parts.sessions.begin())

    async def _login(self, request: Request) -> Response:
        said = await read_object(request)
        name, pin = text_of(said, "name", 100), text_of(said, "pin", 100)
        new = None if said.get("new") is None else text_of(said, "new", 100)
        session: Session = request.state.session
        try:
            connection = await Connection.open(self._parts.settings.control)
        except ConnectionError as error:
            raise daemon_gone() from error
        try:
            more = {"from": self._origin(request), "new": new, "keep": said.get("keep") is True}
            answer = await asked(connection, "login", name=name, pin=pin, **more)
        except Problem:
            await connection.close()
            raise
        if not answer.get("ok"):
            await connection.close()
            nobody = self._parts.settings.tls and not self._parts.feed.roles
            return JSONResponse(refusal_answer(NO_ROLES) if nobody else answer, HTTPStatus.FORBIDDEN)
        called = str(answer.get("name", name))
        self._parts.sessions.login(session, called, str(answer.get("role", "")), connection)
        return self._session_response(
            request, session, {key: answer[key] for key in ("warning", "warned") if key in answer}
        )

    async def _duty(self, request: Request) -> Response:
        if self._origin(request) != SCREEN:
            return JSONResponse({"people": []})
        try:
            connection = await Connection.open(read_path(self._parts.settings.control))
        except ConnectionError as error:
            raise daemon_gone() from error
        try:
            return JSONResponse({"people": (await asked(connection, "duty")).get("people", [])})
        finally:
            await connection.close()

    def _origin(self, request: Request) -> str:
        """Where somebody logs in from, in the words of the daemon."""
        host = request.client.host if request.client is not None else ""
        local = not host or Address(host).loopback
        return SCREEN if local else host

    async def _logout(self, request: Request) -> Response:
        await self._parts.sessions.logout(request.state.session)
        return self._session_response(request, request.state.session)

    def _session_response(self, request: Request, session: Session, more: dict[str, object] | None = None) -> Response:
        """What a page must know of its session, with the cookie."""
        parts = self._parts
        must_login = parts.settings.tls and not session.logged_in
        extras = [] if must_login else [_extra(extra) for extra in parts.extras]
        told: PageSession = {
            "roles": parts.feed.roles,
            "name": session.name or None,
            "role": session.role or None,
            "token": session.token,
            "must_login": must_login,
            "extras": extras,
            "version": VERSION,
            "lang": parts.settings.lang,
            "badge": parts.settings.badge,
        }
        answer = JSONResponse({"ok": True, **told, **(more or {})})
        return with_cookie(answer, request, session, tls=parts.settings.tls)

    # --- commands ----------------------------------------------------------------------------------------------------

    async def _say(self, request: Request) -> Response:
        said = await read_object(request)
        statement = text_of(said, "statement", 1000)
        return await self._command(request, said, "say", statement=statement)

    async def _why(self, request: Request) -> Response:
        """Say why a command would be refused; nothing is commanded."""
        said = await read_object(request)
        return await self._command(request, said, "why", statement=text_of(said, "statement", 1000))

    async def _clear(self, request: Request) -> Response:
        said = await read_object(request)
        reason, number = text_of(said, "reason", 1000), said.get("n")
        if number is not None and type(number) is not int:
            raise Problem(HTTPStatus.BAD_REQUEST, "n: expected a whole number")
        code = None if said.get("code") is None else text_of(said, "code", 100)
        return await self._command(request, said, "clear", reason=reason, n=number, code=code)

    async def _note(self, request: Request) -> Response:
        said = await read_object(request)
        first, bookmark = first_of(text_of(said, "key", 100)), said.get("bookmark")
        if first is None or not (bookmark is None or type(bookmark) is bool):
            raise Problem(HTTPStatus.BAD_REQUEST, "expected the key of a round, and true or false for a bookmark")
        text = None if said.get("text") is None else text_of(said, "text", 1000)
        return await self._command(request, said, "note", first=first, text=text, bookmark=bookmark)

    async def _command(self, request: Request, said: dict[str, Any], do: str, **what: object) -> Response:
        """Say something once, and answer what the daemon answers."""
        parts, session = self._parts, request.state.session
        if parts.sessions.replayed(session, command_id(said)):
            raise Problem(HTTPStatus.CONFLICT, "this command has been given before")
        if session.connection is not None:
            answer = await asked(session.connection, do, **what)
        elif parts.feed.roles:
            raise Problem(HTTPStatus.FORBIDDEN, "nobody is logged in", "Log in in a role that may do it.")
        else:
            answer = await parts.open_table.ask(do, **what)
        return JSONResponse(answer, HTTPStatus.BAD_REQUEST if "error" in answer else HTTPStatus.OK)


def _extra(extra: Extra) -> PageExtra:
    return {"name": extra.name, "script": f"/extra/{extra.name}/{extra.script}" if extra.script else ""}
