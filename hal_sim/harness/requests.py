"""What the page asks of the harness, read from JSON.

1. Each function takes the object of a request and the desk, and returns the job that the playing thread does. What a
   request does not say, or says wrongly, is a `WrongError` that names the field.
2. Every action is a statement of deal notation or a press of a button of the panel. The routes for cables, power and
   noise say statements too.
3. The answer has what reached the table, in the words of the journal, and how the harness stands now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drivers.panel.messages import BUTTONS
from gamecore.model.config import SENSORS
from gamecore.model.money import MoneyError, cents
from gamecore.model.places import Place, PlaceError, place
from gamecore.notation.header import read_header
from gamecore.notation.lines import Line
from gamecore.notation.syntax import Header, NotationError, Pull
from gamecore.rules.games import GAMES
from gamecore.view.report import refusal_report
from hal_sim.dealer.error_plan import BY_NAME
from hal_sim.dealer.robot_dealer import a_header
from hal_sim.harness.journal_replica import Seen
from hal_sim.harness.player_thread import Desk, Dials
from hal_sim.harness.scenario_player import Library, Score
from hal_sim.harness.table_setup import WrongError

Said = dict[str, Any]
Answer = dict[str, object]
Job = Callable[[], Answer]
FASTEST, SLOWEST = 1000.0, 0.01
MOST_PULLED = 8


def act(desk: Desk, said: Said) -> Job:
    """One statement of deal notation."""
    text, source, index = _text(said, "statement"), _text(said, "source", ""), _number(said, "index", 0)
    return lambda: _happened(desk.by_hand().act(text, source, index))


def pull(desk: Desk, said: Said) -> Job:
    """Several cards in one pull, dropped at a place or kept in the hand."""
    count, show = _number(said, "count", 2), _number(said, "show", 0)
    if not 2 <= count <= MOST_PULLED or not 0 <= show <= count:
        raise WrongError(f"count: expected 2 to {MOST_PULLED}, and show no more than that")
    where = _place(said, "place")
    drawn = Pull(count, show, (), _yes(said, "ordered", default=False))
    return lambda: _happened(desk.by_hand().pull(drawn, where))


def press(desk: Desk, said: Said) -> Job:
    """A button of the panel."""
    button, option = _text(said, "button"), _number(said, "option", 0)
    if button not in BUTTONS:
        raise WrongError(f"button: expected one of {', '.join(BUTTONS)}")
    if not 0 <= option <= 9:
        raise WrongError("option: expected 0 to 9")
    where, amount = _place(said, "place") or Place(0), _amount(said, "amount")

    def job() -> Answer:
        meant = desk.by_hand().press(button, option, where, amount)
        return {"ok": True, "kept": True, "seen": []} if meant is None else _happened([meant])

    return job


def key(desk: Desk, said: Said) -> Job:
    """The key switch of the panel."""
    on = _yes(said, "on")

    def job() -> Answer:
        desk.by_hand().turn_key(on=on)
        return {"ok": True}

    return job


def cable(desk: Desk, said: Said) -> Job:
    """A cable that is pulled or plugged in."""
    statement = f"{'plug' if _yes(said, 'plugged') else 'unplug'} {_text(said, 'device')}"
    return lambda: _happened(desk.by_hand().act(statement))


def power(desk: Desk, said: Said) -> Job:
    """The power of the table computer, or its software alone."""
    words = {"on": "power-on", "off": "power-cut", "restart": "restart"}
    do = _text(said, "do")
    if do not in words:
        raise WrongError(f"do: expected one of {', '.join(words)}")
    return lambda: _happened(desk.by_hand().act(words[do]))


def noise(desk: Desk, said: Said) -> Job:
    """Noise on a line."""
    statement = f"noise {_text(said, 'device')} {_text(said, 'rate')}"
    return lambda: _happened(desk.by_hand().act(statement))


def robot(desk: Desk, said: Said) -> Job:
    """The robot: whether it plays, how fast, with which errors; what is not said stays."""
    playing = _yes(said, "playing") if "playing" in said else None
    dials = Dials(
        _speed(said, desk.dials.speed), _rates(said, desk.dials.rates), _rate(said, "any", desk.dials.any_rate)
    )

    def job() -> Answer:
        desk.set_dials(dials)
        if playing is True:
            desk.start_robot()
        elif playing is False:
            desk.stop()
        return {"ok": True}

    return job


def scenario(desk: Desk, said: Said, library: Library) -> Job:
    """A scenario: open one of the library or a text, take a step, play, stop, begin again, close."""
    do = _text(said, "do")
    match do:
        case "open":
            name, text = library.text(_text(said, "id"))
        case "text":
            name, text = _text(said, "name", "text"), _text(said, "text")
        case "step" | "play" | "stop" | "again" | "close":
            return lambda: _scored(desk, do)
        case _:
            raise WrongError("do: expected open, text, step, play, stop, again or close")
    score = Score(name, text)

    def job() -> Answer:
        desk.open_score(score)
        return {"ok": True}

    return job


def _scored(desk: Desk, do: str) -> Answer:
    match do:
        case "step":
            desk.step_score()
        case "play":
            desk.play_score()
        case "stop":
            desk.stop()
        case "again" if desk.score is not None:
            desk.open_score(desk.score.again())
        case _:
            desk.by_hand()
            desk.score = None
    return {"ok": True}


def table(desk: Desk, said: Said) -> Job:
    """Another table."""
    header = _header(said, desk.game.header.seed + 1)
    roles = _yes(said, "roles") if "roles" in said else None

    def job() -> Answer:
        desk.new_table(header, roles=roles)
        return {"ok": True}

    return job


def _header(said: Said, seed: int) -> Header:
    """The header that a request describes: a robot's table where it says no more than the game."""
    game = _text(said, "game")
    if game not in GAMES:
        raise WrongError(f"game: expected one of {', '.join(GAMES)}")
    usual = a_header(GAMES, game, _number(said, "seed", seed))
    limits = ", ".join(f"{kind} {least // 100}-{most // 100}" for kind, least, most in usual.limits)
    lines = {"game": game, "seed": str(usual.seed), "shuffling": _text(said, "shuffling", "machine"), "limits": limits}
    for name in ("boxes", "decks"):
        if name in said:
            lines[name] = str(_number(said, name, 0))
    if "sensors" in said:
        chosen = said["sensors"]
        if not isinstance(chosen, list) or not set(chosen) <= set(SENSORS):
            raise WrongError(f"sensors: expected a list of {', '.join(SENSORS)}")
        lines["sensors"] = " ".join(chosen) or "none"
    try:
        return read_header([Line(n, f"{name}: {value}") for n, (name, value) in enumerate(lines.items(), 1)], GAMES)
    except NotationError as error:
        raise WrongError(error.message) from error


def _happened(done: Sequence[Seen]) -> Answer:
    """What reached the table; a refusal where it was refused."""
    seen = [
        {"n": one.n, "device": one.device, "event": one.words, "refused": str(one.refused) if one.refused else None}
        for one in done
    ]
    refused = next((one.refused for one in done if one.refused is not None), None)
    if refused is None:
        return {"ok": True, "seen": seen}
    return {"refused": str(refused), "refusal": refusal_report(refused), "seen": seen}


# --- fields ----------------------------------------------------------------------------------------------------------


def _text(said: Said, name: str, default: str | None = None) -> str:
    value = said.get(name, default)
    if not isinstance(value, str):
        raise WrongError(f"{name}: expected a text")
    return value


def _number(said: Said, name: str, default: int) -> int:
    value = said.get(name, default)
    if type(value) is not int:
        raise WrongError(f"{name}: expected a whole number")
    return value


def _yes(said: Said, name: str, *, default: bool | None = None) -> bool:
    value = said.get(name, default)
    if not isinstance(value, bool):
        raise WrongError(f"{name}: expected true or false")
    return value


def _place(said: Said, name: str) -> Place | None:
    text = _text(said, name, "")
    try:
        return place(text) if text else None
    except PlaceError as error:
        raise WrongError(str(error)) from error


def _amount(said: Said, name: str) -> int:
    text = _text(said, name, "")
    try:
        return cents(text) if text else 0
    except MoneyError as error:
        raise WrongError(str(error)) from error


def _rate(said: Said, name: str, default: float) -> float:
    value = said.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise WrongError(f"{name}: expected a rate from 0 to 1")
    return float(value)


def _rates(said: Said, default: dict[str, float]) -> dict[str, float]:
    if "rates" not in said:
        return default
    rates = said["rates"]
    if not isinstance(rates, dict) or not set(rates) <= set(BY_NAME):
        raise WrongError("rates: expected the names of errors with their rates")
    found = {name: _rate(rates, name, 0.0) for name in rates}
    return {name: rate for name, rate in found.items() if rate}


def _speed(said: Said, default: float | None) -> float | None:
    value = said.get("speed", default)
    if value in {None, "max"}:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not SLOWEST <= value <= FASTEST:
        raise WrongError(f"speed: expected a number from {SLOWEST:g} to {FASTEST:g}, or max")
    return float(value)
