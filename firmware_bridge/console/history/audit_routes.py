"""What surveillance and the pit do with the whole journal from the page: verify it, list affected rounds, bundle it.

1. These name cards that nobody saw: they are for people who may know every card, as at the command line of the table.
   Others are refused.
2. Verifying may take minutes: it is a process of its own that gives way and ends with the console, one at a time, and
   the page asks whether it is done. Its last answer is kept. ``status`` is its exit status: 0 whole, 3 whole but not
   anchored elsewhere; anything else is not whole, or could not be found out.
3. A process also makes the report of affected rounds. Both run commands of the command line: there is no second audit.
   A process that takes longer than `LONGEST` seconds is ended. Reports and bundles are made one at a time.
4. Everything that goes out goes through `people.masking`.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_bridge.commands.service.bundle import CONFIG, EVENTS
from firmware_bridge.commands.service.bundle_contents import Parts
from firmware_bridge.console.answers import Verified
from firmware_bridge.console.settings import Settings
from firmware_bridge.console.web.errors import Problem
from firmware_bridge.people.masking import without_secrets

LONGEST = 600.0
LINES = 50
"""Lines of an audit that the page shows."""
_FORMATS = {"csv": "text/csv; charset=utf-8", "html": "text/html; charset=utf-8"}
_NOT_YOURS = "this needs surveillance, pit-manager or shift-manager"


class Audits:
    """The audits of one console."""

    def __init__(self, settings: Settings, sees_cards: Callable[[Request], Awaitable[bool]]) -> None:
        self._settings = settings
        self._sees_cards = sees_cards
        self._verifying: asyncio.Task[None] | None = None
        self._verified: Verified = {"running": False, "at": None, "status": None, "lines": []}
        self._one = asyncio.Semaphore(1)

    def routes(self) -> list[Route]:
        """The routes, each with what answers it."""
        return [
            Route("/api/verify", self._send_answer, methods=["GET"]),
            Route("/api/verify", self._verify, methods=["POST"]),
            Route("/api/affected/{format}", self._affected, methods=["GET"]),
            Route("/api/bundle", self._bundle, methods=["GET"]),
        ]

    async def close(self) -> None:
        """End what is under way."""
        task, self._verifying = self._verifying, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _allowed(self, request: Request) -> Path:
        """The folder of the journal, if who asks may have these."""
        if not await self._sees_cards(request):
            raise Problem(HTTPStatus.FORBIDDEN, _NOT_YOURS, "Log in in such a role.")
        if self._settings.state is None:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "this console was not told where the journal is")
        return self._settings.state

    # --- verify ------------------------------------------------------------------------------------------------------

    async def _send_answer(self, request: Request) -> Response:
        await self._allowed(request)
        return JSONResponse(self._verified)

    async def _verify(self, request: Request) -> Response:
        state = await self._allowed(request)
        if self._verifying is None or self._verifying.done():
            self._verified = {**self._verified, "running": True}
            self._verifying = asyncio.create_task(self._run_verify(state))
        return JSONResponse({"ok": True, **self._verified})

    async def _run_verify(self, state: Path) -> None:
        status, text = await _command("verify", str(state), "--tied")
        lines = without_secrets(text).splitlines()
        at = datetime.now(UTC).isoformat(timespec="seconds")
        self._verified = {"running": False, "at": at, "status": status, "lines": lines[-LINES:]}

    # --- affected and bundle -----------------------------------------------------------------------------------------

    async def _affected(self, request: Request) -> Response:
        state, wanted = await self._allowed(request), request.path_params["format"]
        if wanted not in _FORMATS:
            raise Problem(HTTPStatus.NOT_FOUND, f"expected one of {', '.join(_FORMATS)}")
        async with self._one:
            status, text = await _command("affected", str(state), "--format", wanted)
        if status not in {0, 1}:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, without_secrets(text).strip())
        return _file(without_secrets(text).encode(), _FORMATS[wanted], f"affected.{wanted}")

    async def _bundle(self, request: Request) -> Response:
        state = await self._allowed(request)
        async with self._one:
            packed = await asyncio.to_thread(self._packed, state)
        return _file(packed, "application/gzip", f"truedeal-bundle-{datetime.now(UTC):%Y%m%dT%H%M%S}.tar.gz")

    def _packed(self, state: Path) -> bytes:
        parts, control = Parts(), str(self._settings.control)
        parts.health(control)
        parts.doctor(control)
        parts.configuration(CONFIG)
        parts.journal(state, EVENTS)
        parts.service_log()
        with tempfile.TemporaryDirectory(prefix="truedeal-") as folder:
            out = Path(folder) / "bundle.tar.gz"
            parts.write(out)
            return out.read_bytes()


def _file(data: bytes, kind: str, name: str) -> Response:
    """An answer that a browser saves under a name."""
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def _command(*arguments: str) -> tuple[int, str]:
    """Run a command of ours to its end; returns its exit status, and what it printed."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "firmware_bridge.cli",
        *arguments,
        stdin=pipe,
        stdout=pipe,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        assert process.stdout is not None  # noqa: S101  it is a pipe
        async with asyncio.timeout(LONGEST):
            text = (await process.stdout.read()).decode("utf-8", "replace")
            return await process.wait(), text
    except TimeoutError:
        return 2, f"this took longer than {LONGEST:g} seconds: run it at the command line\n"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
