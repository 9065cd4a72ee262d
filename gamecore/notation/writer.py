"""From a scenario to text.

1. Whatever was read can be written, and reading it again gives the same scenario.
2. Every value of the header is written out, so that a file means the same when a default changes; only an empty value
   is left out, and a `confirm` that is not asked for.
3. A line holds one statement, except that draws in a row share lines. An empty line stands before each round.
4. A name is one word in this notation: what cannot stand in a word is written as ``_``.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamecore.model.config import SENSORS
from gamecore.model.events import events as ev
from gamecore.model.money import dollars
from gamecore.model.places import Place
from gamecore.notation.syntax import (
    AskIs,
    Claim,
    Draw,
    FindingIs,
    Header,
    Load,
    MoveIs,
    NextIs,
    NoFindings,
    Noise,
    Pull,
    RefusedIs,
    Scenario,
    StateIs,
    Statement,
    TotalIs,
    VoidIs,
    WagerIs,
    What,
)

_WIDTH = 100


def write(scenario: Scenario) -> str:
    """The scenario as text, ending with a line feed."""
    return f"{write_header(scenario.header)}\n{write_statements(scenario.statements)}"


def write_header(header: Header) -> str:
    """The header as lines."""
    limits = ", ".join(f"{kind} {money(least)}-{money(most)}" for kind, least, most in header.limits)
    values = {
        "game": header.game,
        "decks": str(header.decks),
        "boxes": str(header.boxes),
        "limits": limits,
        "shoe": " ".join(map(str, header.shoe)),
        "seed": str(header.seed),
        "left": "" if header.left is None else str(header.left),
        "fresh": _yes(header.fresh),
        "burn": _yes(header.burn),
        "shuffling": header.shuffling,
        "sensors": " ".join(sensor for sensor in SENSORS if sensor in header.sensors) or "none",
        "confirm": "yes" if header.confirm else "",
    }
    return "".join(f"{key}: {value}\n" for key, value in values.items() if value)


def write_statements(statements: Iterable[Statement]) -> str:
    """The statements as lines."""
    lines: list[str] = []
    draws = False
    for statement in statements:
        text = write_what(statement.what)
        if isinstance(statement.what, ev.PlaceBets) and lines:
            lines.append("")
        if isinstance(statement.what, Draw) and draws and len(lines[-1]) + len(text) + 2 <= _WIDTH:
            lines[-1] += f"; {text}"
        else:
            lines.append(text)
        draws = isinstance(statement.what, Draw)
    return "".join(f"{line}\n" for line in lines)


def write_what(what: What) -> str:
    """One statement as text."""
    if isinstance(what, Claim):
        return _claim(what)
    match what:
        case Draw(place, card, face_up, exposed, laid):
            where = str(place) if place is not None else None if laid else "none"
            read = f"= {card}" if card is not None else None
            return _join("draw", where, read, "face-up" if face_up else None, "exposed" if exposed else None)
        case Pull(count, show, named, ordered):
            shown = [str(show)] if show else [str(card) for card in named]
            return _join("pull", count, "show" if shown else None, *shown, "ordered" if ordered else None)
        case Load(cards, count):
            return _join("load", count, *cards)
        case Noise(device, rate):
            return _join("noise", device, rate)
        case event:
            return write_event(event)


def _claim(claim: Claim) -> str:
    match claim:
        case TotalIs(place, total, soft):
            return _join("expect total", place, None if soft is None else "soft" if soft else "hard", total)
        case FindingIs(code, clause, ruling, place):
            said = (("clause", clause), ("ruling", ruling), ("at", place))
            return _join("expect finding", code, *(f"{word} {value}" for word, value in said if value is not None))
        case WagerIs(place, kind, result, net, player, clause):
            by, ruled = _by(player), None if clause is None else f"clause {clause}"
            return _join("expect wager", place, kind, result, signed_money(net), by, ruled)
        case StateIs(state):
            return f"expect state {state}"
        case NextIs(place):
            return f"expect next {'none' if place is None else place}"
        case AskIs(who, options):
            return f"expect ask {who} {'|'.join(options)}"
        case MoveIs(card, source, target):
            return f"expect move {card} {source} {target}"
        case NoFindings() | VoidIs():
            return "expect void" if isinstance(claim, VoidIs) else "expect findings none"
        case RefusedIs(command):
            return f"expect refused {write_event(command)}"


_ALONE: dict[type, str] = {
    ev.PlaceBets: "place-bets",
    ev.NoMoreBets: "no-more-bets",
    ev.Interim: "interim",
    ev.Settle: "settle",
    ev.CuttingCardOut: "cut-card",
    ev.Reconstructed: "reconstructed",
    ev.CannotReconstruct: "cannot-reconstruct",
    ev.TakeBack: "take-back",
    ev.ShoeOpened: "open-shoe",
    ev.PowerCut: "power-cut",
    ev.PowerOn: "power-on",
}
_AT_PLACE: dict[type, str] = {
    ev.StandUp: "stand-up",
    ev.Collect: "collect",
    ev.Pay: "pay",
    ev.EvenMoney: "even-money",
    ev.Surrender: "surrender",
    ev.Hit: "hit",
    ev.Stand: "stand",
    ev.FreeDouble: "free-double",
    ev.Split: "split",
    ev.FreeSplit: "free-split",
    ev.Rescue: "rescue",
    ev.Absent: "absent",
    ev.SensorWrong: "sensor-wrong",
}


def write_event(event: ev.Event) -> str:
    """An event that is one statement by itself."""
    if type(event) in _ALONE:
        return _ALONE[type(event)]
    if type(event) in _AT_PLACE:
        return f"{_AT_PLACE[type(event)]} {_place_of(event)}"
    return _chips(event) or _shoe(event) or _layout(event) or _people(event)


def _chips(event: ev.Event) -> str:
    match event:
        case ev.WagerPlaced(place, kind, amount, player):
            return _join("bet", place, kind, money(amount), _by(player))
        case ev.WagerRemoved(place, kind, amount, player):
            return _join("unbet", place, kind, None if amount is None else money(amount), _by(player))
        case ev.Agree(place, kind, player):
            return _join("agree", place, kind, _by(player))
        case ev.Insure(place, amount, player):
            return _join("insure", place, money(amount), _by(player))
        case ev.Double(place, amount):
            return _join("double", place, None if amount is None else money(amount))
        case ev.Jackpot(place, multiplier):
            return _join("jackpot", place, multiplier)
        case _:
            return ""


def _shoe(event: ev.Event) -> str:
    match event:
        case ev.CardDrawn(card, told, face_up):
            return write_what(Draw(told, card, face_up))
        case ev.CardsPulled(cards, shown, ordered):
            return write_what(Pull(len(cards), 0, shown, ordered))
        case ev.CardsDisclosed(cards):
            return _join("disclose", *cards)
        case ev.CardPushedBack(card):
            return f"push-back {card}"
        case ev.ShoeCounted(count):
            return f"shoe-count {count}"
        case ev.DiscardCounted(count):
            return f"discard-count {count}"
        case ev.Shuffled(method, times):
            return _join("shuffle", method, times if method == "riffle" else None)
        case ev.Loaded(count):
            return f"load {count}"
        case _:
            return ""


def _layout(event: ev.Event) -> str:
    match event:
        case ev.CardLaid(card, place, exposed):
            return _join("lay", card, place, "exposed" if exposed else None)
        case ev.CardLifted(card, place):
            return _join("lift", card, place)
        case ev.CardMoved(card, source, target):
            return _join("move", card, source, target)
        case ev.CardsTurned(box):
            return f"turn {box}"
        case ev.Squeeze(box):
            return f"squeeze {box}"
        case ev.LinkLost(device):
            return f"unplug {device}"
        case ev.LinkBack(device):
            return f"plug {device}"
        case ev.Restarted(confirm):
            return _join("restart", "confirm" if confirm else None)
        case _:
            return ""


def _people(event: ev.Event) -> str:
    match event:
        case ev.Seat(place, player):
            return _join("seat", place, None if player is None else _name(player))
        case ev.Offer(what):
            return f"offer {what}"
        case ev.Close(what):
            return f"close {what}"
        case ev.Call(code, place, round_number, device=device):
            told = None if round_number is None else f"round {round_number}"
            return _join("call", code, place, told, f"device {device}" if device else None)
        case ev.Retract(code):
            return f"retract {code}"
        case ev.Answer(who, what):
            return _join("answer", who, *what)
        case ev.Approve(role, code):
            return _join("approve", role, code or None)
        case _:
            message = f"deal notation has no statement for {event!r}"
            raise TypeError(message)


def money(amount: int) -> str:
    """The amount as a person writes it: ``25``, ``12.50``."""
    return dollars(amount).removesuffix(".00")


def signed_money(amount: int) -> str:
    """The amount with its sign: ``+150``, ``-12.50``, ``0``."""
    return f"+{money(amount)}" if amount > 0 else money(amount)


def _place_of(event: ev.Event) -> Place:
    found = getattr(event, "place", None)
    assert isinstance(found, Place)  # noqa: S101  `_AT_PLACE` lists only events with a place
    return found


def _by(player: str | None) -> str | None:
    return None if player is None else f"by {_name(player)}"


def _name(player: str) -> str:
    return "".join("_" if sign in " ;#" or not sign.isprintable() else sign for sign in player) or "_"


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _join(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part is not None)
