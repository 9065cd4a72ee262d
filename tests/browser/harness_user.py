"""The harness for tests: `truedeal sim` as anybody starts it, and hands that work its page.

1. The table has no roles unless a test sets one up with roles, and the robot waits until it is started.
2. `Hands` do everything by the page: chips are taken and dropped on a box, cards are drawn, buttons of the panel are
   pressed. Each waits until the harness has answered.
3. Which cards come out is settled beforehand, as a scenario's header settles it; only that goes past the page.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import Locator, expect

from gamecore.model.events import events as ev
from gamecore.model.money import dollars
from gamecore.model.places import Place
from gamecore.notation.syntax import Draw, Statement
from hal_sim.table.table_processes import END
from tests.browser.page_user import PageUser
from tests.patience import PATIENCE
from tests.places import ROOT

_ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)/#/(?:harness|training)")
SLOWEST_MS = 60_000
"""What takes longest is a new start of the daemon."""
_BUTTONS: dict[type, str] = {
    ev.PlaceBets: "bets",
    ev.NoMoreBets: "bets",
    ev.Offer: "offer",
    ev.Close: "close",
    ev.Interim: "interim",
    ev.Settle: "settle",
    ev.Hit: "hit",
    ev.Stand: "stand",
    ev.Double: "double",
    ev.Split: "split",
    ev.FreeDouble: "free-double",
    ev.FreeSplit: "free-split",
    ev.Surrender: "surrender",
}


class Sim:
    """`truedeal sim` with its page, in a process of its own."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __enter__(self) -> Self:
        """Start it, and wait for its address."""
        command = [sys.executable, "-m", "firmware_bridge.cli", *self.words()]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.address = self._told()
        return self

    def words(self) -> list[str]:
        """The command and its options."""
        return ["sim", "--web", "--paused", "--game", "mbs-blackjack-v6", "--seed", str(self._seed)]

    def _told(self) -> str:
        assert self._process.stdout is not None
        said, until = "", time.monotonic() + PATIENCE
        while select.select([self._process.stdout], [], [], max(until - time.monotonic(), 0.0))[0]:
            part = os.read(self._process.stdout.fileno(), 4096).decode()
            said += part
            if found := _ADDRESS.search(said):
                return found[1]
            if not part:
                break
        self.__exit__(None, None, None)
        raise RuntimeError(f"truedeal sim told no address: {said}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.communicate(timeout=2 * END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


class Hands:
    """A person who works the harness page."""

    def __init__(self, user: PageUser) -> None:
        self.user = user
        self.page = user.page

    # --- the table ---------------------------------------------------------------------------------------------------

    def prepare(self, header: str) -> None:
        """Set up the table that a header describes, with its shoe."""
        self.post("scenario", do="text", name="prepared", text=f"{header.strip()}\n\n")
        self.post("scenario", do="close")

    def post(self, path: str, /, **body: object) -> dict[str, Any]:
        """Ask something of the harness past the page."""
        _, answer = self.user.post(f"/api/harness/{path}", body, self.user.token)
        assert isinstance(answer, dict)
        assert answer.get("ok") is True, answer
        return answer

    # --- hands -------------------------------------------------------------------------------------------------------

    def does(self, button: Locator, name: str) -> None:
        """Press something, and hear that it was taken."""
        with self.page.expect_response(f"**/api/harness/{name}", timeout=SLOWEST_MS) as answer:
            button.click()
        said = answer.value.json()
        assert said.get("ok") is True, said

    def replaces(self, button: Locator, name: str) -> None:
        """Press something that puts another table in place; where one is asked whether this one may go, it may."""
        with self.page.expect_response(f"**/api/harness/{name}", timeout=SLOWEST_MS) as answer:
            button.click()
            if self.user.test("replace").is_visible():
                self.user.test("replace").click()
        said = answer.value.json()
        assert said.get("ok") is True, said

    def target(self, place: str) -> Locator:
        """Where something can be dropped."""
        return self.page.locator(f".h-table [data-place='{place}']").first

    def lies(self, box: str, cards: list[str]) -> None:
        """See which cards lie at a box, where every place is something to drop cards on."""
        found = self.page.locator(f".h-table [data-box='{box}'] .card[data-card]")
        expect(found).to_have_count(len(cards))
        for index, card in enumerate(cards):
            expect(found.nth(index)).to_have_attribute("data-card", card)

    def play(self, statement: Statement) -> None:
        """Do one statement of a scenario by the page."""
        match statement.what:
            case ev.WagerPlaced(Place(_, 0), player=None) as chips:
                self.bet(chips)
            case ev.Jackpot(where, multiplier):
                self.user.test("meter-box").select_option(str(where.box))
                self.user.test("meter-times").select_option(str(multiplier))
                self.does(self.user.test("jackpot"), "act")
            case Draw():
                self.does(self.user.test("draw-next"), "act")
            case event if type(event) in _BUTTONS:
                self.press(event)
            case _:
                self.type(statement.text)

    def bet(self, chips: ev.WagerPlaced) -> None:
        """Take chips of an amount, and drop them on a box."""
        self.user.test("wager").select_option(chips.kind)
        self.user.test("slot", value=str(chips.place.slot or 1)).click()
        self.user.test("amount").fill(dollars(chips.amount))
        self.user.test("chip", amount="own").click()
        self.does(self.target(str(chips.place.box)), "act")

    def press(self, event: object) -> None:
        """Press the panel's button that means this; of a decision it goes without saying which hand is meant."""
        if isinstance(event, ev.Surrender):
            self.user.test("press-place").select_option(str(event.place.box))
            self.user.test("press-option").select_option("1")
        self.does(self.user.test("press", button=_BUTTONS[type(event)]), "press")

    def type(self, statement: str) -> None:
        """Type a statement: what no chip, card or button says."""
        self.user.test("statement").fill(statement)
        self.does(self.user.test("do"), "act")

    def recording(self) -> str:
        """What has been recorded, as the page saves it."""
        with self.page.expect_download() as saved:
            self.user.test("save").click()
        return saved.value.path().read_text(encoding="utf-8")

    # --- dragging ----------------------------------------------------------------------------------------------------

    def drag(self, source: Locator, target: Locator, answered: str = "act") -> None:
        """Take hold of something with the pointer, move, and let go over a place."""
        start, end = source.bounding_box(), target.bounding_box()
        assert start is not None
        assert end is not None
        mouse = self.page.mouse
        mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        mouse.down()
        mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
        with self.page.expect_response(f"**/api/harness/{answered}") as answer:
            mouse.up()
        assert answer.value.json().get("ok") is True

    def pick(self, card: str) -> None:
        """Choose which card comes out of the shoe next."""
        self.user.test("pick").click()
        self.user.test("pick-card", card=card).click()
        expect(self.user.test("shoe").locator(f"[data-card='{card}']")).to_be_attached()
