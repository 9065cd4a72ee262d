"""A Dealer who reads the loud line on the page, and does what it says, at a served table without roles.

1. The line is read as it stands on the page, in English; what it asks for follows from its words and from the one loud
   button, never from how the table stands. A line that is covered is not read.
2. What people say is pressed on the page. Cards, chips, cables and power go before the simulated sensors.
3. A table in process takes every act first: it is what the Players look at, and where errors are found. At the end of a
   round both tables tell the same.
4. After every act the page has drawn how the table stands before the line is read again.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from playwright.sync_api import Locator

from firmware_bridge.shown.advice import Advice, texts
from gamecore.model.cards import Card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Command, Event
from gamecore.model.places import BURN, DEALER, DISCARD, Place, place
from gamecore.notation.playing.links import carrier
from gamecore.notation.playing.player import Player
from gamecore.notation.syntax import Claim, Noise, Statement
from gamecore.notation.writer import write_event
from gamecore.rules.games import GAMES
from gamecore.table import Table
from hal_sim.dealer.robot_dealer import a_header
from hal_sim.dealer.robot_sitting import agrees
from hal_sim.dealer.robot_table import InProcessStage
from hal_sim.table.hardware_venue import Hardware
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.firmware_bridge.shown.advice_follower import Follower
from tests.hal_sim.table.test_scenarios_on_hardware import unlike

_PLACES = {"the Dealer": DEALER, "burn": BURN, "discards": DISCARD}
_KINDS = {"who": "who.", "device": "device.", "wager": "wager."}
_SAID = (ev.Answer, ev.Approve, ev.Reconstructed)
#: The loud lines that can be seen, of the Table or of the Alarm: nothing hides or covers them; and the loud button.
_SEEN = """
() => [
  [...document.querySelectorAll("[data-test=advice], [data-test=alarm-advice]")].filter((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return width > 0 && one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  }).map((one) => one.innerText.replace("▶", "").replace(/\\s+/g, " ").trim()),
  document.querySelector(".cell.is-loud")?.dataset.cell ?? "",
]
"""
_OFFERED = """
() => [...document.querySelectorAll("[data-statement], [data-statements]")]
  .flatMap((one) => one.dataset.statement || one.dataset.statements.split("|").filter(Boolean))
"""


# --- what a line means -----------------------------------------------------------------------------------------------


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Each line of the catalogue as a pattern, with a group for each thing that fills it."""
    lines = {key: text["en"] for key, text in texts().items() if "." not in key}
    return {key: re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(line))) for key, line in lines.items()}


def _meant(name: str, said: str) -> object:
    """What a word of a line means."""
    if name in _KINDS:
        start = _KINDS[name]
        return next(
            key.removeprefix(start) for key, text in texts().items() if key.startswith(start) and text["en"] == said
        )
    if name in {"place", "from", "to"}:
        return _PLACES.get(said) or place(said.removeprefix("Box "))
    return "" if (name, said) == ("card", texts()["card.unseen"]["en"]) else said


def understood(line: str, press: str) -> Advice:
    """What a line asks for; `press` is the loud button."""
    found = {key: match for key, pattern in _patterns().items() if (match := pattern.fullmatch(line))}
    assert len(found) == 1, f"'{line}' means {sorted(found)}"
    [(key, match)] = found.items()
    args = {name: _meant(name, said) for name, said in match.groupdict().items()}
    where = BURN if key == "burn" else args.get("to", args.get("place"))
    return Advice(key, args, press, where if isinstance(where, Place) else None)


# --- the table behind the page ---------------------------------------------------------------------------------------


class PageVenue:
    """A served table: what people say is pressed on its page, the rest happens before its sensors."""

    def __init__(self, hardware: Hardware, user: PageUser, house: House, sensors: frozenset[str]) -> None:
        self._hardware = hardware
        self._user = user
        self._house = house
        self._sensors = sensors
        self.presses = 0

    def happen(self, line: int, event: Event) -> None:
        """Let an event happen, and wait until the page shows what came of it."""
        pressed = isinstance(event, Command) and (carrier(event, self._sensors) == "panel" or isinstance(event, _SAID))
        if isinstance(event, Command) and pressed and not self._hardware.unplugged:
            self._press(event)
        else:
            self._hardware.happen(line, event)
        if not self._hardware.dark:
            self._user.sees(self._house.scene())

    def _press(self, command: Command) -> None:
        self.presses += 1
        if isinstance(command, ev.Answer) and self._named(command):
            return
        said = self._worded(write_event(command))
        if self._user.test("alarm").count():
            self._press_in_alarm(said)
        else:
            self._user.say(said)

    def _press_in_alarm(self, said: str) -> None:
        """Press a button of the alarm; one for which the foot has no room stands among all answers."""
        button = self._user.test("alarm").locator(f"[data-statement='{said}']").first
        if not button.count():
            self._user.test("alarm-more").click()
        self._user.press(button)

    def _worded(self, said: str) -> str:
        """A statement as a button of the page has it, which names the hand no more exactly than is needed."""
        offered: list[str] = self._user.page.evaluate(_OFFERED)
        if said in offered or self._user.test("alarm").count():
            return said
        verb, where, *more = said.split()
        meant = place(where)
        places = {one: place(one.split()[1]) for one in offered if one.split()[0] == verb and one.split()[2:] == more}
        same = [one for one, at in places.items() if at.box == meant.box and at.hand in {0, meant.hand or at.hand}]
        exact = [one for one in same if places[one].slot == meant.slot]  # else the one without a slot: who controls
        assert same, f"no button says '{said}': {offered}"
        return next(iter(exact), min(same, key=lambda one: places[one].slot))

    def _named(self, answer: ev.Answer) -> bool:
        """Name a card that could not be read, where that is what is asked."""
        button: Locator = self._user.test("answer-card")
        if not button.count():
            return False
        [card] = answer.what
        button.click()
        self._user.test("rank", value=card[0]).click()
        self._user.test("suit", value=card[1]).click()
        self._user.press(self._user.test("pick"))
        return True

    # --- as any venue ------------------------------------------------------------------------------------------------

    def check(self, claim: Claim, text: str) -> str | None:
        """Ask the daemon whether a claim holds."""
        return self._hardware.check(claim, text)

    def noise(self, noise: Noise) -> None:
        """Damage what goes over a link."""
        self._hardware.noise(noise)

    @property
    def next_place(self) -> Place | None:
        """Where the next card belongs."""
        return self._hardware.next_place

    @property
    def on_table(self) -> list[Card]:
        """The cards that lie on the table."""
        return self._hardware.on_table

    @property
    def events(self) -> tuple[Event, ...]:
        """Not told."""
        return self._hardware.events

    def report(self) -> dict[str, object]:
        """The daemon's report."""
        return self._hardware.report()


class BothTables:
    """A table in process, and behind it the one of the page: each takes what the other takes."""

    def __init__(self, game: str, seed: int, left: int | None, user: PageUser, house: House) -> None:
        header = replace(a_header(GAMES, game, seed), left=left)
        rules = GAMES[game]
        self._own = InProcessStage(rules, header)
        self.venue = PageVenue(house.put(header), user, house, header.sensors)
        self._player = Player(header, rules, self.venue)

    @property
    def table(self) -> Table:
        """The table in process."""
        return self._own.table

    def play(self, statement: Statement) -> None:
        """Play a statement at both."""
        self._own.play(statement)
        self._player.play(statement)


class PageFollower(Follower):
    """A Dealer who reads the line on a page."""

    def __init__(self, game: str, seed: int, user: PageUser, house: House, *, left: int | None = None) -> None:
        self._user = user
        both = BothTables(game, seed, left, user, house)
        super().__init__(game, seed, left=left, at_buttons=True, stage=both)
        self.venue = both.venue
        user.sees(house.scene())

    def look(self) -> Advice:
        """Read the line that can be seen, and the button that is loud."""
        lines, loud = self._user.page.evaluate(_SEEN)
        assert len(lines) == 1, lines
        return understood(lines[0], loud)

    def differs(self) -> str:
        """In which lines the table behind the page reports otherwise than the one in process; nothing if in none."""
        told, own = self.venue.report(), self.shadow.table.report()
        return "" if agrees(told, own) else unlike(own, told)
