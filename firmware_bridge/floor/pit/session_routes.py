"""Who is logged in at the console of the floor.

1. A login by PIN is a POST, as at a table; one that fails has the status 403, with the reason.
2. A login by an account elsewhere is two visits of the browser itself: ``/oidc/begin`` sends it to the provider, who
   sends it to ``/oidc/back``. A cookie of its own ties both: nobody can make a browser finish a login that it has not
   begun. The session that follows is a new one.
"""

from __future__ import annotations

import asyncio
import hmac
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from firmware_bridge import VERSION
from firmware_bridge.console.answers import PageSession
from firmware_bridge.console.login.sessions import Session
from firmware_bridge.console.settings import Address
from firmware_bridge.console.web.errors import Problem
from firmware_bridge.console.web.policy import with_cookie
from firmware_bridge.console.web.request_bodies import read_object, text_of
from firmware_bridge.floor.pit.people.openid import LASTS, OpenIdError
from firmware_bridge.floor.pit.settings import PitParts
from firmware_bridge.people.login.lockouts import Origin
from firmware_bridge.texts.denials import Ground, deny, refusal_answer

BEGIN, BACK = "/oidc/begin", "/oidc/back"
_STATE = "truedeal-oidc"


class SessionApi:
    """The routes of the session."""

    def __init__(self, parts: PitParts) -> None:
        self._parts = parts

    def routes(self) -> list[Route]:
        """Every route."""
        return [
            Route("/api/session", self._session, methods=["GET"]),
            Route("/api/duty", self._duty, methods=["GET"]),
            Route("/api/login", self._login, methods=["POST"]),
            Route("/api/logout", self._logout, methods=["POST"]),
            Route(BEGIN, self._begin, methods=["GET"]),
            Route(BACK, self._back, methods=["GET"]),
        ]

    async def _session(self, request: Request) -> Response:
        return self._answer(request, request.state.session or self._parts.sessions.begin())

    async def _duty(self, _: Request) -> Response:
        """Nobody is offered by name: this is no table's own screen."""
        return JSONResponse({"people": []})

    async def _login(self, request: Request) -> Response:
        said = await read_object(request)
        name, pin = text_of(said, "name", 100), text_of(said, "pin", 100)
        session: Session = request.state.session
        denial = deny(Ground.OPEN_LOGIN)
        if self._parts.has_people():
            found = await self._parts.staff.log_in(session, name, pin, _origin(request))
            if found is None:
                return self._answer(request, session)
            denial = found
        return JSONResponse(refusal_answer(denial), HTTPStatus.FORBIDDEN)

    async def _logout(self, request: Request) -> Response:
        await self._parts.sessions.logout(request.state.session)
        return self._answer(request, request.state.session)

    # --- by an account elsewhere --------------------------------------------------------------------------------------

    async def _begin(self, request: Request) -> Response:
        openid = self._parts.openid
        if openid is None:
            raise Problem(HTTPStatus.NOT_FOUND, "there are no accounts elsewhere")
        scheme = "https" if self._parts.settings.tls else "http"
        back = f"{scheme}://{request.headers['host']}{BACK}"
        try:
            address, state = await asyncio.to_thread(openid.begin, back)
        except OpenIdError as error:
            raise Problem(HTTPStatus.BAD_GATEWAY, str(error), "Log in with a PIN.") from error
        answer = RedirectResponse(address, HTTPStatus.SEE_OTHER)
        secure = self._parts.settings.tls
        answer.set_cookie(_STATE, state, int(LASTS), httponly=True, samesite="lax", secure=secure, path=BACK)
        return answer

    async def _back(self, request: Request) -> Response:
        openid, state = self._parts.openid, request.query_params.get("state", "")
        known = request.cookies.get(_STATE, "")
        if openid is None or not state or not hmac.compare_digest(known.encode(), state.encode()):
            raise Problem(HTTPStatus.FORBIDDEN, "this login was not begun in this browser", "Begin anew.")
        try:
            number = await asyncio.to_thread(openid.redeem, state, request.query_params.get("code", ""))
        except OpenIdError as error:
            raise Problem(HTTPStatus.FORBIDDEN, str(error), "Log in with a PIN.") from error
        session = self._parts.sessions.begin()
        denial = self._parts.staff.log_in_known(session, number)
        if denial is not None:
            raise Problem(HTTPStatus.FORBIDDEN, "nobody on the roster has this account", "Ask a shift manager.")
        answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        answer.delete_cookie(_STATE, path=BACK)
        return with_cookie(answer, request, session, tls=self._parts.settings.tls)

    def _answer(self, request: Request, session: Session) -> Response:
        """What a page must know of its session, with the cookie."""
        settings = self._parts.settings
        told: PageSession = {
            "roles": self._parts.has_people(),
            "name": session.name or None,
            "role": session.role or None,
            "token": session.token,
            "must_login": settings.tls and not session.logged_in,
            "extras": [],
            "version": VERSION,
            "lang": settings.lang,
            "badge": "",
            "accounts": self._parts.openid is not None,
        }
        return with_cookie(JSONResponse({"ok": True, **told}), request, session, tls=settings.tls)


def _origin(request: Request) -> Origin:
    """Where somebody logs in from."""
    host = request.client.host if request.client is not None else ""
    return Origin(-1, host, not host or Address(host).loopback)
