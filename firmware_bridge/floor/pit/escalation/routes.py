"""Taking up an alarm: the floor's word, which silences its escalation. The table knows nothing of it."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge.console.login.sessions import Session
from firmware_bridge.console.web.errors import Problem
from firmware_bridge.console.web.request_bodies import command_id, read_object, text_of
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.pit.escalation.watch import EscalationWatch
from firmware_bridge.floor.pit.settings import PitParts
from firmware_bridge.floor.pit.tiles import AlarmKey
from firmware_bridge.people.accounts.roles import PIT_SUPERVISOR, at_least

ANYBODY = "the pit"
"""Who takes up an alarm on a floor without people."""
_LONGEST = 200


class AlarmApi:
    """The route by which somebody takes up an alarm."""

    def __init__(self, parts: PitParts, watch: EscalationWatch) -> None:
        self._parts, self._watch = parts, watch

    def routes(self) -> list[Route]:
        """Every route."""
        return [Route("/api/take-up", self._take_up, methods=["POST"])]

    async def _take_up(self, request: Request) -> Response:
        said = await read_object(request)
        session: Session = request.state.session
        by = self._named(session)
        if self._parts.sessions.replayed(session, command_id(said)):
            raise Problem(HTTPStatus.CONFLICT, "this command has been given before")
        journal, number = said.get("journal"), said.get("n")
        if not isinstance(journal, str) or len(journal) > _LONGEST or type(number) is not int:
            raise Problem(HTTPStatus.BAD_REQUEST, "expected an alarm: its journal, n and code")
        key = AlarmKey(text_of(said, "table", _LONGEST), journal, number, text_of(said, "code", _LONGEST))
        try:
            taken = await self._watch.take_up(key, by)
        except ArchiveError as error:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the archive does not answer", "Try again.") from error
        self._parts.feed.send_changes()
        if not taken:
            raise Problem(HTTPStatus.CONFLICT, "somebody has taken it up already, or it is over")
        return JSONResponse({"ok": True})

    def _named(self, session: Session) -> str:
        """Who takes it up."""
        if not self._parts.has_people():
            return ANYBODY
        if not session.logged_in or not at_least(session.role, PIT_SUPERVISOR):
            raise Problem(
                HTTPStatus.FORBIDDEN, "nobody who may do it is logged in", "Log in as pit-supervisor or above."
            )
        return session.name
