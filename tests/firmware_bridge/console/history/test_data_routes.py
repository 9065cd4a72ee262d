"""The routes behind History, Health and Games: what they answer, and that they say in plain words what they cannot."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from firmware_bridge.audit.exports.csv_cells import key
from firmware_bridge.commands.service import doctor
from firmware_bridge.commands.service.doctor import Check
from firmware_bridge.console.answers import HealthPage, Plots, RoundsPage, ToldRound
from firmware_bridge.console.games_answers import ClausesTable, GamesTable, ReadingsTable, RulingsTable
from firmware_bridge.console.history import data_routes, samples
from firmware_bridge.console.history.data_routes import Data
from firmware_bridge.console.login.sessions import Session
from firmware_bridge.console.settings import Settings
from tests.firmware_bridge.audit.journals import long_journal
from tests.firmware_bridge.commands.test_doctor import HEALTH
from tests.firmware_bridge.console.journals import records
from tests.firmware_bridge.shown.shapes import misfit_of
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder with ten rounds in five segments, the oldest archived."""
    state = tmp_path_factory.mktemp("routes") / "state"
    long_journal(state)
    return state


class Somebody:
    """Gives every request the session of one role, as the policy does."""

    def __init__(self, app: ASGIApp, role: str) -> None:
        """Let somebody of this role ask."""
        self._app = app
        self._session = Session(0.0, 0.0, role=role)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        scope.setdefault("state", {})["session"] = self._session
        await self._app(scope, receive, send)


def ask(data: Data, path: str, role: str = "") -> tuple[int, dict[str, Any]]:
    """The status and the answer of one request."""

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app=Somebody(Starlette(routes=data.routes()), role))
        async with httpx.AsyncClient(transport=transport, base_url="http://console") as client:
            return await client.get(path)

    answer = asyncio.run(asked())
    return answer.status_code, answer.json()


@pytest.fixture
def data(journal: Path, tmp_path: Path) -> Data:
    """Return the data of a console whose daemon does not run."""
    return Data(Settings(tmp_path / "control.sock", journal))


@pytest.fixture
def with_daemon(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Let a daemon answer; return who asked it."""
    asked: list[Path] = []

    def answers(control: Path) -> dict[str, Any]:
        asked.append(control)
        return HEALTH

    monkeypatch.setattr(samples, "ask", answers)
    return asked


def key_of(one: dict[str, Any]) -> str:
    """The key of a round."""
    return key(one["began"], one["first"])


def test_rounds_are_listed_and_opened(data: Data, journal: Path) -> None:
    """The list gives the key with which a round opens; both have the shape that the page expects."""
    _, page = ask(data, "/api/rounds?count=2&box=1")
    assert ("", [10, 9]) == (misfit_of(RoundsPage)(page), [one["number"] for one in page["rounds"]])
    status, one = ask(data, f"/api/rounds/{page['rounds'][0]['key']}")
    assert "" == misfit_of(ToldRound)(one)
    last = records(journal)[-1]
    assert (200, 10, last["first"], last["last"]) == (
        status,
        one["round"]["number"],
        one["steps"][0]["n"],
        one["steps"][-1]["n"],
    )


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("/api/health", HealthPage),
        ("/api/health/samples?hours=1", Plots),
        ("/api/games", GamesTable),
        ("/api/rulings/mbs-blackjack-v6", RulingsTable),
        ("/api/clauses/mbs-blackjack-v6", ClausesTable),
        ("/api/readings", ReadingsTable),
    ],
)
def test_an_answer_has_the_shape_that_the_page_expects(data: Data, path: str, shape: type) -> None:
    """The page's types are made from these shapes; that of a daemon's own health its tests compare."""
    assert (200, "") == ((answer := ask(data, path))[0], misfit_of(shape)(answer[1]))


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/api/rounds?number=x", 400, "number: expected a whole number"),
        ("/api/rounds?card=1Z", 400, "card: '1Z' is no card"),
        ("/api/rounds/20260131T201500-E999999", 404, "there is no such round"),
        ("/api/rulings/poker", 400, "there is no game 'poker'"),
        ("/api/clauses/poker", 400, "there is no game 'poker'"),
        ("/api/health/samples?hours=5", 400, "hours: expected one of 1, 6, 24, 168"),
        ("/api/health/samples?hours=x", 400, "hours: expected one of"),
    ],
)
def test_what_cannot_be_answered_is_said(data: Data, path: str, status: int, said: str) -> None:
    """With a status and in plain words."""
    answered, answer = ask(data, path)
    assert (status, True) == (answered, said in answer["error"])


def test_a_console_without_a_journal_says_so(tmp_path: Path) -> None:
    """Whether it was not told where it is, or there is none."""
    untold, empty = Data(Settings(tmp_path / "x.sock")), Data(Settings(tmp_path / "x.sock", tmp_path))
    for data, said in ((untold, "was not told where the journal is"), (empty, "it holds no journal")):
        for path in ("/api/rounds", "/api/rounds.csv", "/api/rounds/20260131T201500-E5"):
            status, answer = ask(data, path)
            assert (503, True, True) == (status, said in answer["error"], bool(answer["remedy"]))
        assert None is ask(data, "/api/health/samples")[1]["pace"]


@pytest.mark.parametrize(
    ("role", "sees"),
    [("", False), ("dealer", False), ("pit-supervisor", False), ("pit-manager", True), ("surveillance", True)],
)
@pytest.mark.usefixtures("with_daemon")
def test_notation_is_for_who_may_know_every_card(data: Data, journal: Path, role: str, sees: bool) -> None:
    """On a table with roles: surveillance, and from pit-manager upwards."""
    _, one = ask(data, f"/api/rounds/{key_of(records(journal)[0])}", role)
    assert (sees, not sees) == (one["notation"] is not None, one["about"]["kept"])


def test_notation_is_for_everybody_where_there_are_no_roles(
    data: Data, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And for nobody who is not known to see cards, while no daemon has said which it is."""
    named = key_of(records(journal)[0])
    assert ask(data, f"/api/rounds/{named}")[1]["about"]["kept"] is True
    monkeypatch.setattr(samples, "ask", lambda _: HEALTH | {"open": True})
    data._samples.take_sample()
    assert "game: mbs-blackjack-v6" in ask(data, f"/api/rounds/{named}")[1]["notation"]


def test_health_without_a_daemon_is_a_problem_with_its_remedy(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the computer is looked at all the same."""
    monkeypatch.setattr(doctor, "of_machine", lambda: iter([Check("clock", True, "synchronised")]))
    status, answer = ask(data, "/api/health")
    assert (200, None, [("daemon-gone", False), ("", True)]) == (
        status,
        answer["health"],
        [(check["code"], check["well"]) for check in answer["checks"]],
    )


def test_health_is_asked_for_once_however_many_look(data: Data, with_daemon: list[Path]) -> None:
    """Everybody who asks within some seconds gets the same answer, with what the sensors cover."""
    answers = [ask(data, "/api/health") for _ in range(5)]
    assert (1, 1) == (len(with_daemon), len({str(answer) for answer in answers}))
    (_, answer), *_ = answers
    assert {"uncovered", "absent-player"} == {one["code"] for one in answer["coverage"] if not one["covered"]}


def test_plots_have_samples_and_pace(data: Data) -> None:
    """The journal's part is there though no daemon answers."""
    _, plots = ask(data, "/api/health/samples?hours=1")
    assert (1, [], 10) == (plots["hours"], plots["latency"], sum(one["count"] for one in plots["pace"]["rounds"]))


@pytest.mark.parametrize(
    ("path", "many"),
    [("games", 91), ("rulings/rws-free-bet-2025", 45), ("clauses/mbs-pontoon-v5", 170), ("readings", 76)],
)
def test_the_documents_are_there(data: Data, path: str, many: int) -> None:
    """Row by row."""
    status, answer = ask(data, f"/api/{path}")
    assert (200, True) == (status, len(answer["rows"]) >= many)


def test_samples_are_taken_while_the_console_runs(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the start on, once, until it is closed."""
    taken = threading.Semaphore(0)
    monkeypatch.setattr(data._samples, "take_sample", taken.release)

    async def running() -> int:
        data.start()
        data.start()
        assert await asyncio.to_thread(taken.acquire, timeout=PATIENCE)
        await data.close()
        await data.close()
        return len(asyncio.all_tasks() - {asyncio.current_task()})

    assert (0, False) == (asyncio.run(running()), taken.acquire(blocking=False))


def test_an_answer_is_only_read() -> None:
    """No route takes anything but a request to read."""
    routes = data_routes.routes(Settings(Path("control.sock")))
    assert {frozenset({"GET", "HEAD"})} == {frozenset(route.methods or ()) for route in routes}
