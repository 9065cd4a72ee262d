"""Who is logged in at the console of the floor."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge import VERSION
from firmware_bridge.console.answers import PageSession
from firmware_bridge.console.login.sessions import Session
from firmware_bridge.console.web.policy import with_cookie
from firmware_bridge.floor.pit.settings import PitParts


class SessionApi:
    """The routes of the session."""

    def __init__(self, parts: PitParts) -> None:
        self._parts = parts

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/api/session", self._session, methods=["GET"]),
            Route("/api/logout", self._logout, methods=["POST"]),
        ]

    async def _session(self, request: Request) -> Response:
        return self._answer(request, request.state.session or self._parts.sessions.begin())

    async def _logout(self, request: Request) -> Response:
        await self._parts.sessions.logout(request.state.session)
        return self._answer(request, request.state.session)

    def _answer(self, request: Request, session: Session) -> Response:
        """What a page must know of its session, with the cookie."""
        settings = self._parts.settings
        told: PageSession = {
            "roles": False,
            "name": session.name or None,
            "role": session.role or None,
            "token": session.token,
            "must_login": settings.tls and not session.logged_in,
            "extras": [],
            "version": VERSION,
            "lang": settings.lang,
            "badge": "",
        }
        return with_cookie(JSONResponse({"ok": True, **told}), request, session, tls=settings.tls)
