"""Deals with an alarm as people do: reads the page, presses its buttons, carries the cards, logs in who is needed.

1. Everything is decided by what the page shows. A question is answered by a button, and a move that is not ticked off
   is made before the sensors. What is waited for is said, and at the end the alarm is cleared with a reason.
2. Where a button waits for a role, somebody in that role logs in within the Alarm; the page says who is needed.
3. `chosen` names the options to be taken, by the words of the notation; otherwise the first one is.
4. What only hands can do apart from moving cards, a riffle and a new load, is done when the page asks for nothing else.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.page_user import PageUser
from tests.browser.served_table import House

MOST = 20
"""Steps in which every alarm must be dealt with."""


class Pit:
    """The people around a table, at one page."""

    def __init__(self, user: PageUser, house: House, *chosen: str, named: str = "") -> None:
        """`named` is the card that the pit names when it is asked for one."""
        self._user = user
        self._house = house
        self._chosen = chosen
        self._named = named
        self.did: list[str] = []

    def deal_with(self, up_to: str = "") -> None:
        """Go on until no alarm is left, or until the Alarm speaks of this code."""
        for _ in range(MOST):
            scene = self._house.scene()
            self._user.sees(scene)
            if not scene["matters"] and not scene["alarms"]:
                expect(self._user.test("alarm")).to_have_count(0)
                return
            if up_to and self._shown(up_to, scene):
                return
            self.step(scene)
        raise AssertionError(f"the alarm is still there after {', '.join(self.did)}")

    def _shown(self, code: str, scene: dict[str, Any]) -> bool:
        """Whether the Alarm speaks of this code; among several that wait to be cleared it is looked for."""
        alarm = self._user.test("alarm")
        if not scene["matters"]:
            for _ in scene["alarms"][1:]:
                if code != alarm.get_attribute("data-code"):
                    alarm.get_by_role("button", name="Next alarm").click()
        return code == alarm.get_attribute("data-code")

    def step(self, scene: dict[str, Any]) -> None:
        """Do what the page asks for first."""
        answers, duties = self._in_alarm("answer"), self._in_alarm("duty")
        if self._in_alarm("answer-card").count():
            self._name_the_card(scene)
        elif answers.count():
            self._answer(answers, scene)
        elif self._in_alarm("move", done="false").count():
            self._carry()
        elif duties.count():
            statement = duties.first.get_attribute("data-statement") or ""
            roles = next(duty["roles"] for duty in scene["duties"] if duty["statement"] == statement)
            self._press(duties.first, roles, statement)
        elif self._in_alarm("clear-open").count():
            self._clear(scene)
        else:
            self._house.let_happen("shuffle riffle 1", "load")
            self.did.append("riffle")

    def _in_alarm(self, name: str, **data: str) -> Locator:
        return self._user.test("alarm").locator(self._user.test(name, **data))

    def _answer(self, answers: Locator, scene: dict[str, Any]) -> None:
        options = [one.get_attribute("data-option") or "" for one in answers.all()]
        option = next((option for option in options if option in self._chosen), options[0])
        self._press(answers.nth(options.index(option)), scene["asks"][0]["roles"], f"answer {option}")

    def _name_the_card(self, scene: dict[str, Any]) -> None:
        user, button = self._user, self._user.test("answer-card")
        self._let_in(button, scene["asks"][0]["roles"])
        button.click()
        user.test("rank", value=self._named[0]).click()
        user.test("suit", value=self._named[1]).click()
        user.press(user.test("pick"))
        self.did.append(f"answer {self._named}")

    def _carry(self) -> None:
        """Make the move that is next, and see it ticked off."""
        row = self._user.test("move", done="false").first
        card, source, target = (row.get_attribute(f"data-{name}") or "" for name in ("card", "from", "to"))
        done = self._user.test("move", done="true").count()
        self._house.move(card, source, target)
        expect(self._user.test("move", done="true")).to_have_count(done + 1)
        self.did.append(f"move {card} {source} {target}")

    def _clear(self, scene: dict[str, Any]) -> None:
        button = self._user.test("clear-open")
        self._let_in(button, scene["alarms"][0]["roles"])
        button.click()
        assert self._user.sent(self._user.test("clear").first, "clear")["ok"] is True
        self.did.append("clear")

    def _press(self, button: Locator, roles: list[str], words: str) -> None:
        self._let_in(button, roles)
        self._user.press(button)
        self.did.append(words)

    def _let_in(self, button: Locator, roles: list[str]) -> None:
        """Let somebody log in, within the Alarm, who may press this."""
        if button.is_disabled():
            self._user.test("alarm-login").click()
            self._user.fill_login(roles[0])
            expect(button).to_be_enabled()
            self.did.append(f"login {roles[0]}")
