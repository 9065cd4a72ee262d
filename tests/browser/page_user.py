"""Somebody in front of the console: what they see on the page, and what they press there.

1. Everything goes through the page: buttons are pressed, fields are filled, and what is read is what is drawn. Only
   `post` speaks past it, for commands that no button would send.
2. A button is known by the statement that it says, a place and a card by their notation.
3. Nothing waits for a time: every look waits until it sees what it looks for.
"""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.browsing import PATIENCE_MS, Watched
from tests.browser.served_table import PIN, name_of

_POST = """
async ([path, body, headers]) => {
  const answer = await fetch(path, { method: "POST", headers, body, credentials: "same-origin" });
  return [answer.status, await answer.json().catch(() => null)];
}
"""
_STANDS = (
    "game", "state", "round", "next", "turn", "boxes", "dealer", "asks", "matters", "duties", "can", "alarms", "advice",
)  # fmt: skip
#: Wait until the page's scene is the one that is given, as far as it is given, and is drawn.
_SEES = """
async ([wanted, patience]) => {
  const { app } = await import("/static/app.js");
  const text = JSON.stringify(wanted);
  const shown = () => Object.fromEntries(Object.keys(wanted).map((key) => [key, app.scene[key]]));
  const now = () => app.scene && JSON.stringify(shown());
  await new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`the page shows ${now()} instead of ${text}`)), patience);
    const off = app.on("scene", () => now() === text && (off(), done()));
    if (now() === text) done();
  });
}
"""
_LANG = "(code) => { if (location.protocol !== 'about:') localStorage.setItem('truedeal.lang', code); }"


class PageUser:
    """One page of the console."""

    def __init__(self, watched: Watched, lang: str = "en") -> None:
        self.watched = watched
        if lang != "en":
            watched.context.add_init_script(f"({_LANG})({json.dumps(lang)})")
        self.page = watched.page()

    # --- going about -------------------------------------------------------------------------------------------------

    def open(self, route: str = "table") -> None:
        """Go to a page of the console, and wait until it is drawn."""
        self.page.goto(f"{self.watched.address}/#/{route}")
        expect(self.page.locator(f"#page[data-route={re.split('[/?]', route)[0]}]")).to_be_attached()

    def go(self, route: str) -> None:
        """Press the tab of a page."""
        self.page.locator(f"nav [data-route={route}]").click()
        expect(self.page.locator(f"#page[data-route={route}]")).to_be_attached()

    def test(self, name: str, **data: str) -> Locator:
        """What the page marks for tests with this name and these data."""
        more = "".join(f"[data-{key}={json.dumps(value)}]" for key, value in data.items())
        return self.page.locator(f"[data-test={json.dumps(name)}]{more}")

    def enter(self, role: str) -> None:
        """Log in before the page is opened, as one who has done so earlier."""
        request = self.watched.context.request
        token = request.get(f"{self.watched.address}/api/session").json()["token"]
        said = {"name": name_of(role), "pin": PIN}
        answer = request.post(f"{self.watched.address}/api/login", data=said, headers={"X-Truedeal-Token": token})
        assert role == answer.json()["role"]

    # --- people ------------------------------------------------------------------------------------------------------

    def login(self, role: str, pin: str = PIN) -> None:
        """Log in from the header, and wait until that is seen."""
        self.test("login").click()
        self.fill_login(role, pin)
        expect(self.test("logout")).to_contain_text(name_of(role))

    def fill_login(self, role: str, pin: str = PIN) -> None:
        """Fill the form that is open, and send it; a login that another page has is moved here."""
        form = self.test("login-form")
        form.locator("[name=name]").fill(name_of(role))
        form.locator("[name=pin]").fill(pin)
        with self.page.expect_response("**/api/login") as answer:
            form.locator("[data-test=login-enter]").click()
        if "elsewhere" in answer.value.json():
            self.watched.allow("status of 403")
            self.test("login-move").click()

    def logout(self) -> None:
        """Log out."""
        self.test("logout").click()
        expect(self.test("login")).to_be_visible()

    # --- the table ---------------------------------------------------------------------------------------------------

    def say(self, statement: str) -> None:
        """Press the button that says this, wherever it is, and hear that the table has taken it."""
        button = self.test("say", statement=statement).first
        among = self.page.locator(f"[data-statements*={json.dumps(f'|{statement}|')}]")
        expect(button.or_(among).first).to_be_attached()
        if not button.count():
            among.click()
        elif not button.is_visible():
            self.test("more").click()
        self.press(button)

    def press(self, button: Locator) -> None:
        """Press a button that commands something, once it takes a press, and hear that the table has taken it."""
        expect(button).not_to_have_attribute("data-fresh", "")
        assert {"ok": True} == self.sent(button, "say")

    def sent(self, button: Locator, what: str) -> Any:
        """Press a button that sends something, or hold it where it must be held; what is answered."""
        expect(button).to_be_enabled()
        holds = button.get_attribute("data-hold") is not None
        with self.page.expect_response(f"**/api/{what}") as answer:
            if holds:
                button.hover()
                self.page.mouse.down()
            else:
                button.click()
        if holds:
            self.page.mouse.up()
        return answer.value.json()

    def stands(self, state: str) -> None:
        """See how the round stands."""
        expect(self.test("state").first).to_have_attribute("data-state", state)

    def place(self, where: str) -> Locator:
        """A place of the table."""
        return self.page.locator(f".table-picture [data-place={json.dumps(where)}]").first

    def lies(self, where: str, cards: list[str]) -> None:
        """See which cards lie at a place, in their order."""
        found = self.place(where).locator("[data-card]")
        expect(found).to_have_count(len(cards))
        assert cards == [one.get_attribute("data-card") for one in found.all()]

    def sees(self, scene: dict[str, Any]) -> None:
        """Wait until the page has drawn how the table stands, as the daemon says it."""
        self.page.evaluate(_SEES, [{key: scene[key] for key in _STANDS}, PATIENCE_MS])

    # --- past the page -----------------------------------------------------------------------------------------------

    @property
    def token(self) -> str:
        """The token of the session."""
        token = self.page.evaluate("async () => (await (await fetch('/api/session')).json()).token")
        return str(token)

    def post(self, path: str, said: object, token: str | None = None, **headers: str) -> tuple[int, Any]:
        """Send a command that no button sends; its status, and what was answered."""
        sent = {"Content-Type": "application/json"} | ({} if token is None else {"X-Truedeal-Token": token}) | headers
        status, answer = self.page.evaluate(_POST, [path, json.dumps(said), sent])
        return status, answer

    def get(self, path: str) -> Any:
        """What the server answers to this session."""
        return self.page.evaluate("async (path) => (await fetch(path)).json()", path)
