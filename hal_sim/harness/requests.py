"""What the page asks of the harness, read from JSON.

1. Each function takes the object of a request and the player, and returns the job that the playing thread does. What a
   request does not say, or says wrongly, is a `WrongError` that names the field.
2. Every act at the table is a statement of deal notation, a press of a button of the panel or a turn of its key switch.
   The routes for cables, power and noise say statements too.
3. The answer to an act has what reached the table, in the words of the journal; `routes` adds how the harness stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from hal_sim.harness.journal_replica import ReadEvent
from hal_sim.harness.json_fields import Said, text_in
from hal_sim.harness.player_thread import TablePlayer
from hal_sim.harness.robot_plan import Dials
from hal_sim.harness.scenario_player import Library, Score
from hal_sim.harness.table_setup import WrongError

Answer = dict[str, object]
Job = Callable[[], Answer]
FASTEST, SLOWEST = 1000.0, 0.01
MOST_PULLED = 8


def act(player: TablePlayer, said: Said) -> Job:
    """One statement of deal notation."""
    text, source, index = text_in(said, "statement"), text_in(said, "source", ""), _number(said, "index", 0)
    return lambda: _happened(player.by_hand().act(text, source, index))


def pull(player: TablePlayer, said: Said) -> Job:
    """Several cards in one pull, dropped at a place or kept in the hand."""
    count, show = _number(said, "count", 2), _number(said, "show", 0)
    if not 2 <= count <= MOST_PULLED or not 0 <= show <= count:
        raise WrongError(f"count: expected 2 to {MOST_PULLED}, and show no more than that")
    where = _place(said, "place")
    drawn = Pull(count, show, (), _yes(said, "ordered", default=False))
    return lambda: _happened(player.by_hand().pull(drawn, where))


def press(player: TablePlayer, said: Said) -> Job:
    """A button of the panel."""
    button, option = text_in(said, "button"), _number(said, "option", 0)
    if button not in BUTTONS:
        raise WrongError(f"button: expected one of {', '.join(BUTTONS)}")
    if not 0 <= option <= 9:
        raise WrongError("option: expected 0 to 9")
    where, amount = _place(said, "place") or Place(0), _amount(said, "amount")

    def job() -> Answer:
        meant = player.by_hand().press(button, option, where, amount)
        return {"ok": True, "kept": True, "seen": []} if meant is None else _happened([meant])

    return job


def key(player: TablePlayer, said: Said) -> Job:
    """The key switch of the panel."""
    on = _yes(said, "on")

    def job() -> Answer:
        player.by_hand().turn_key(on=on)
        return {"ok": True}

    return job


def cable(player: TablePlayer, said: Said) -> Job:
    """A cable that is pulled or plugged in."""
    statement = f"{'plug' if _yes(said, 'plugged') else 'unplug'} {text_in(said, 'device')}"
    return lambda: _happened(player.by_hand().act(statement))


def power(player: TablePlayer, said: Said) -> Job:
    """The power of the table computer, or its software alone."""
    words = {"on": "power-on", "off": "power-cut", "restart": "restart"}
    do = text_in(said, "do")
    if do not in words:
        raise WrongError(f"do: expected one of {', '.join(words)}")
    return lambda: _happened(player.by_hand().act(words[do]))


def noise(player: TablePlayer, said: Said) -> Job:
    """Noise on a line."""
    statement = f"noise {text_in(said, 'device')} {text_in(said, 'rate')}"
    return lambda: _happened(player.by_hand().act(statement))


def robot(player: TablePlayer, said: Said) -> Job:
    """The robot: whether it plays, how fast, with which errors; what is not said stays."""
    playing = _yes(said, "playing") if "playing" in said else None
    dials = Dials(
        _speed(said, player.dials.speed), _rates(said, player.dials.rates), _rate(said, "any", player.dials.any_rate)
    )

    def job() -> Answer:
        player.set_dials(dials)
        if playing is True:
            player.start_robot()
        elif playing is False:
            player.stop()
        return {"ok": True}

    return job


def scenario(player: TablePlayer, said: Said, library: Library) -> Job:
    """A scenario: open one of the library or a text, take a step, play, stop, begin again, close."""
    do = text_in(said, "do")
    match do:
        case "open":
            name, text = library.text(text_in(said, "id"))
        case "text":
            name, text = text_in(said, "name", "text"), text_in(said, "text")
        case "step" | "play" | "stop" | "again" | "close":
            return lambda: _scored(player, do)
        case _:
            raise WrongError("do: expected open, text, step, play, stop, again or close")
    score = Score(name, text)

    def job() -> Answer:
        player.open_score(score)
        return {"ok": True}

    return job


def _scored(player: TablePlayer, do: str) -> Answer:
    match do:
        case "step":
            player.step_score()
        case "play":
            player.play_score()
        case "stop":
            player.stop()
        case "again" if player.score is not None:
            player.open_score(player.score.again())
        case _:
            player.close_score()
    return {"ok": True}


def table(player: TablePlayer, said: Said) -> Job:
    """Another table."""
    header = _header(said, player.game.header.seed + 1)
    roles = _yes(said, "roles") if "roles" in said else None

    def job() -> Answer:
        player.new_table(header, roles=roles)
        return {"ok": True}

    return job


def _header(said: Said, seed: int) -> Header:
    """The header that a request describes: a robot's table where it says no more than the game."""
    game = text_in(said, "game")
    if game not in GAMES:
        raise WrongError(f"game: expected one of {', '.join(GAMES)}")
    usual = a_header(GAMES, game, _number(said, "seed", seed))
    limits = ", ".join(f"{kind} {least // 100}-{most // 100}" for kind, least, most in usual.limits)
    shuffling = text_in(said, "shuffling", "machine")
    lines = {"game": game, "seed": str(usual.seed), "shuffling": shuffling, "limits": limits}
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


def _happened(done: Sequence[ReadEvent]) -> Answer:
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
    text = text_in(said, name, "")
    try:
        return place(text) if text else None
    except PlaceError as error:
        raise WrongError(str(error)) from error


def _amount(said: Said, name: str) -> int:
    text = text_in(said, name, "")
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
