"""Chromium for tests: one browser, a fresh context for each test, and an eye on everything that a page does.

1. Debian's chromium is used, and started without a way to any address but this machine's own.
2. `Watched` fails a test whose page asks for anything outside the address it was given, logs an error, violates its
   content policy, or misses a text of the catalogue. What a test provokes it allows by its words. A user who has
   logged in there is logged out at its end: the next test finds nobody at the console.
3. Playwright's loop counts as running between two calls, which would stop every other test of the same process that
   runs a loop of its own. `Chromium.used` hides it outside of browser tests.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.patience import PATIENCE

CHROMIUM = "chromium"
PATIENCE_MS = int(1000 * PATIENCE)
DESK = (1366, 768)
TOUCH = (800, 480)
PHONE = (390, 780)
ZOOMED = (683, 384)
"""A window of 1366x768 at 200 %."""
SIZES = {"user": DESK, "touch": TOUCH, "phone": PHONE, "zoomed": ZOOMED}
_OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
_LOCAL_SCHEMES = frozenset({"data", "blob", "about"})
_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (one) => {
  window.violations.push(`${one.violatedDirective} ${one.blockedURI}`);
});
"""


def found() -> str | None:
    """Where chromium is; None if it is not installed."""
    return shutil.which(CHROMIUM)


class Chromium:
    """One browser, for as many contexts as tests need."""

    def __init__(self) -> None:
        expect.set_options(timeout=PATIENCE_MS)
        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        self.browser: Browser = self._playwright.chromium.launch(
            executable_path=found(), args=["--no-sandbox", "--disable-dev-shm-usage", _OFFLINE]
        )
        self._hide()

    @contextmanager
    def used(self) -> Iterator[Self]:
        """Let Playwright's loop be the running one for the length of this."""
        asyncio._set_running_loop(self._loop)
        try:
            yield self
        finally:
            self._hide()

    def _hide(self) -> None:
        asyncio._set_running_loop(None)

    def close(self) -> None:
        """End the browser."""
        asyncio._set_running_loop(self._loop)
        self.browser.close()
        self._playwright.stop()
        self._hide()


class Watched:
    """A context of its own, and what its pages have done that they should not."""

    def __init__(self, browser: Browser, address: str, size: tuple[int, int] = DESK, **options: Any) -> None:
        self.address = address
        self.wrong: list[str] = []
        self.requests: list[str] = []
        self._allowed: list[str] = []
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
            color_scheme="dark",
            **options,
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(_VIOLATIONS)
        self.context.on("request", self._request)
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self.wrong.append(f"error in the page: {error.error}"))

    def allow(self, *words: str) -> None:
        """Expect console messages with these words."""
        self._allowed += words

    def page(self) -> Page:
        """Open another page."""
        return self.context.new_page()

    def close(self) -> list[str]:
        """End the context; everything that went wrong in it."""
        for page in self.context.pages:
            violations = page.evaluate("window.violations || []")
            self.wrong += [f"against the content policy: {one}" for one in violations]
            page.close()
        self._log_out()
        self.context.close()
        return [one for one in self.wrong if not any(word in one for word in self._allowed)]

    def _log_out(self) -> None:
        if not self.context.cookies(self.address):
            return
        request = self.context.request
        token = request.get(f"{self.address}/api/session").json()["token"]
        request.post(f"{self.address}/api/logout", data={}, headers={"X-Truedeal-Token": token})

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        there, here = urlsplit(request.url), urlsplit(self.address)
        if there.scheme not in _LOCAL_SCHEMES and there[:2] != here[:2]:
            self.wrong.append(f"a request that leaves the console: {request.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" or message.text.startswith(("no text:", "texts not loaded:")):
            self.wrong.append(f"{message.type} in the console: {message.text} ({message.location.get('url', '')})")
