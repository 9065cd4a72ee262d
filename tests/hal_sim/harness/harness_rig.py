"""The harness for tests: a simulated table, the thread that plays at it, and the console with the harness joined.

It is served as `truedeal sim` serves it, in a thread of its own at a port of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

import httpx

from gamecore.notation.playing.player import Played, play_text
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.rules.ruleset import Ruleset
from hal_sim.dealer.robot_sitting import Tally
from hal_sim.harness.player_thread import TablePlayer
from hal_sim.harness.robot_plan import Dials, Planned
from hal_sim.harness.web import Page as Served
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable
from hal_sim.table.terminal_view import View
from tests.patience import PATIENCE

BLACKJACK = "mbs-blackjack-v6"


class Silent(View):
    """A view that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def refresh(self, scene: object, *, now: bool = False) -> None:
        """Nothing is shown."""

    def show_line(self, text: str) -> None:
        """Keep it."""
        self.told.append(text)


class Page:
    """What a browser has: a session with its token, and requests."""

    def __init__(self, client: httpx.Client, player: TablePlayer, view: Silent) -> None:
        self.client = client
        self.player = player
        self.view = view
        self.token = ""
        self._said = 0
        self.refresh()

    def refresh(self) -> None:
        """Take up the session that this browser has now."""
        self.token = self.get("/api/session")["token"]

    def get(self, path: str) -> dict[str, Any]:
        """The JSON of a GET."""
        answer = self.client.get(path)
        assert 200 == answer.status_code, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def post(self, path: str, status: int = 200, **body: object) -> dict[str, Any]:
        """The answer to a POST, which has this status."""
        answer = self.client.post(path, json=body, headers={"X-Truedeal-Token": self.token})
        assert status == answer.status_code, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def request(self, what: str, status: int = 200, **body: object) -> dict[str, Any]:
        """Ask something of the harness."""
        return self.post(f"/api/harness/{what}", status, **body)

    def act(self, *statements: str) -> list[str]:
        """Do statements by hand, none of which is refused; what reached the table."""
        answers = [self.request("act", statement=statement) for statement in statements]
        assert [] == [answer["refused"] for answer in answers if "refused" in answer]
        return [seen["event"] for answer in answers for seen in answer["seen"]]

    def say(self, statement: str) -> dict[str, Any]:
        """Say something at the console."""
        self._said += 1
        return self.post("/api/say", id=f"test-{self._said:08}", statement=statement)

    def login(self, role: str) -> None:
        """Log in as the person who is shown for a role."""
        person = next(one for one in self.state()["people"] if one["role"] == role)
        self.token = self.post("/api/login", name=person["name"], pin=person["pin"])["token"]

    def state(self) -> dict[str, Any]:
        """How the harness stands now."""
        return self.player.submit(self.player.fresh).result(PATIENCE)

    def table(self, game: str = BLACKJACK, **more: object) -> None:
        """Set up another table."""
        assert self.request("table", 200, game=game, **more)["ok"]

    def report(self) -> dict[str, object]:
        """The daemon's report."""
        return self.player.submit(self.player.report).result(PATIENCE)

    def recording(self) -> str:
        """The file that would be saved."""
        answer = self.client.get("/api/harness/recording")
        assert 200 == answer.status_code
        assert "attachment" in answer.headers["content-disposition"]
        return answer.text

    def until(self, holds: Any) -> dict[str, Any]:
        """How the harness stands once something holds of it."""
        ended = threading.Event()
        threading.Timer(PATIENCE, ended.set).start()
        while not ended.is_set():
            state = self.state()
            if holds(state):
                return state
        raise TimeoutError


@contextmanager
def played(player: TablePlayer) -> Iterator[None]:
    """Let a thread of its own play; nothing may go wrong there."""
    failed: list[BaseException] = []

    def play() -> None:
        try:
            player.run()
        except BaseException as error:  # noqa: BLE001  what it was the test says
            failed.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        player.end()
        thread.join(PATIENCE)
    assert [] == failed


@contextmanager
def a_page(seed: int, folders: tuple[Path, ...] = ()) -> Iterator[Page]:
    """A simulated table with the page, played by a thread of its own."""
    view = Silent()
    plan = (Planned(BLACKJACK, seed + number, None) for number, _ in enumerate(repeat(None)))
    with SimTable(seed=seed) as at:
        player = TablePlayer(at, plan, Dials(None), "0", view, Tally(0.0))
        served = Served(0)
        with (
            played(player),
            closing(served),
            served.serving(player, folders),
            httpx.Client(base_url=served.url, timeout=PATIENCE) as client,
        ):
            yield Page(client, player, view)


def played_again(text: str, at: SimTable | None = None) -> Played:
    """A file played in process, or by simulated devices."""

    def venue(header: Header, rules: Ruleset) -> Hardware:
        del rules
        assert at is not None
        return Hardware(at, header)

    return play_text(text, "record", GAMES) if at is None else play_text(text, "record", GAMES, venue)


def same(report: dict[str, object], played: Played) -> bool:
    """Whether a file has ended in this report."""
    return played.error is None and all(played.report[name] == told for name, told in report.items())


def check_recording(page: Page, other: SimTable) -> str:
    """The recording plays to the daemon's report, in process and by devices; its text."""
    report, text = page.report(), page.recording()
    assert same(report, played_again(text))
    assert same(report, played_again(text, other))
    return text
