"""The statements of deal notation: word, usage, meaning.

1. `STATEMENTS` is the whole language but for `expect`. The usage is what an error message shows.
2. Two forms are there for records of real events: ``draw none`` (the card left the shoe and lies nowhere yet; ``lay``
   follows) and ``load N`` (N cards, not a whole set).
3. Chips without a slot lie at slot 1. A decision without one is the controlling Player's: slot 0 in the event.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from gamecore.model.cards import Card, CardError, card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation import words as vocabulary
from gamecore.notation.arguments import Words, Wrong
from gamecore.notation.syntax import Draw, Load, Noise, Pull

Meaning = ev.Event | Draw | Pull | Load | Noise
Parse = Callable[[Words], Meaning]

_COUNT = re.compile(r"[0-9]{1,4}")
_ANSWER = re.compile(r"[a-z]+(?:-[a-z]+)*")
_RATE = re.compile(r"0|1|0?\.[0-9]{1,9}|1\.0{1,9}")


@dataclass(frozen=True, slots=True)
class StatementRule:
    """One statement: its first word, what follows it, and how that is read."""

    word: str
    usage: str
    parse: Parse


# --- the small forms ------------------------------------------------------------------------------------------------


def _alone(make: Callable[[], ev.Event]) -> Parse:
    return lambda _: make()


def _at_spot(make: Callable[[Place], ev.Event], default_slot: int = 0) -> Parse:
    return lambda words: make(words.spot(default_slot))


def _at_box(make: Callable[[int], ev.Event]) -> Parse:
    return lambda words: make(words.box())


def _counted(make: Callable[[int], ev.Event]) -> Parse:
    return lambda words: make(words.number("a count of cards"))


def _offer(make: Callable[[str], ev.Event]) -> Parse:
    return lambda words: make(words.known(vocabulary.OFFERS, "offer"))


def _device(make: Callable[[str], ev.Event]) -> Parse:
    return lambda words: make(words.device())


def _by(words: Words) -> str | None:
    return words.name() if words.accept("by") else None


# --- cards ----------------------------------------------------------------------------------------------------------


def _draw(words: Words) -> Draw:
    place: Place | None = None
    laid = not words.accept("none")
    if laid and words.more and words.peek() not in ("=", "face-up", "exposed"):
        place = words.hand()
    read = words.card() if words.accept("=") else None
    face_up = exposed = False
    while words.more:
        if words.accept("face-up"):
            face_up = True
        elif laid and words.accept("exposed"):
            exposed = True
        else:
            raise Wrong(f"'{words.peek()}' is not expected here")
    return Draw(place, read, face_up, exposed, laid)


def _pull(words: Words) -> Pull:
    count = words.number("a count of cards", least=1)
    show, named = _shown(words, count) if words.accept("show") else (0, ())
    return Pull(count, show, named, words.accept("ordered"))


def _shown(words: Words, count: int) -> tuple[int, tuple[Card, ...]]:
    if _COUNT.fullmatch(words.peek()):
        show = words.number("a count of disclosed cards")
        if show > count:
            raise Wrong(f"{show} cards cannot be disclosed when {count} come out")
        return show, ()
    named = [words.card()]
    while words.more and words.peek() != "ordered":
        named.append(words.card())
    if len(named) > count:
        raise Wrong(f"{len(named)} cards cannot be disclosed when {count} come out")
    return 0, tuple(named)


def _lay(words: Words) -> ev.CardLaid:
    laid, target = words.card(), words.hand()
    return ev.CardLaid(laid, target, exposed=words.accept("exposed"))


def _lift(words: Words) -> ev.CardLifted:
    return ev.CardLifted(words.card(), words.hand())


def _move(words: Words) -> ev.CardMoved:
    return ev.CardMoved(words.card(), words.hand(), words.hand())


def _disclose(words: Words) -> ev.CardsDisclosed:
    return ev.CardsDisclosed((words.card(), *words.cards()))


def _shuffle(words: Words) -> ev.Shuffled:
    method = words.known(("machine", "riffle"), "way to shuffle")
    return ev.Shuffled(method, words.number("a number of riffles", least=1) if method == "riffle" else 1)


def _load(words: Words) -> Load:
    count = words.number("a count of cards") if _COUNT.fullmatch(words.peek()) else None
    cards = words.cards()
    if count is not None and len(cards) > count:
        raise Wrong(f"{len(cards)} cards are named and only {count} are loaded")
    return Load(cards, count)


# --- chips ----------------------------------------------------------------------------------------------------------


def _bet(words: Words) -> ev.WagerPlaced:
    return ev.WagerPlaced(words.spot(1), words.kind(), words.amount(), _by(words))


def _unbet(words: Words) -> ev.WagerRemoved:
    spot, kind = words.spot(1), words.kind()
    return ev.WagerRemoved(spot, kind, words.amount() if words.more and words.peek() != "by" else None, _by(words))


def _seat(words: Words) -> ev.Seat:
    return ev.Seat(words.spot(1), words.name() if words.more else None)


def _insure(words: Words) -> ev.Insure:
    return ev.Insure(words.spot(), words.amount(), _by(words))


def _agree(words: Words) -> ev.Agree:
    spot = words.spot()
    kind = words.word("a kind of wager") if words.peek() == "insurance" else words.kind()
    if not words.accept("by"):
        raise Wrong("'by' is missing: who shall place the wager")
    return ev.Agree(spot, kind, words.name())


def _double(words: Words) -> ev.Double:
    return ev.Double(words.spot(), words.amount() if words.more else None)


def _jackpot(words: Words) -> ev.Jackpot:
    return ev.Jackpot(words.spot(1), words.number("a multiplier", least=1))


# --- irregularities -------------------------------------------------------------------------------------------------


def _approve(words: Words) -> ev.Approve:
    role = words.known(vocabulary.ROLES, "role")
    return ev.Approve(role, words.known(vocabulary.CODES, "irregularity") if words.more else "")


def _call(words: Words) -> ev.Call:
    code = words.known(vocabulary.CODES, "irregularity")
    place = words.place() if words.more and words.peek() not in {"round", "device"} else None
    round_number = words.number("the number of a round", least=1) if words.accept("round") else None
    device = _culprit(words) if words.accept("device") else ""
    return ev.Call(code, place, round_number, device=device)


def _culprit(words: Words) -> str:
    """The device that a report is about, or the table computer."""
    return vocabulary.COMPUTER if words.accept(vocabulary.COMPUTER) else words.device()


def _answer(words: Words) -> ev.Answer:
    who = words.asked()
    what = [_answer_word(words.word("the answer"))]
    while words.more:
        what.append(_answer_word(words.word("a card")))
    return ev.Answer(who, tuple(what))


def _answer_word(word: str) -> str:
    if _ANSWER.fullmatch(word):
        return word
    try:
        return str(card(word))
    except CardError as error:
        raise Wrong(f"'{word}' is no answer: expected a word such as accept or continue, or a card") from error


def _noise(words: Words) -> Noise:
    device, rate = words.known(vocabulary.DEVICES, "device"), words.word("a rate")
    if _RATE.fullmatch(rate) is None:
        raise Wrong(f"'{rate}' is no rate: expected the share of bytes that are damaged, 0 to 1, such as 0.01")
    return Noise(device, rate)


_TABLE = (
    # The Dealer's announcements
    StatementRule("place-bets", "", _alone(ev.PlaceBets)),
    StatementRule("no-more-bets", "", _alone(ev.NoMoreBets)),
    StatementRule("offer", "insurance|surrender", _offer(ev.Offer)),
    StatementRule("close", "insurance|surrender", _offer(ev.Close)),
    StatementRule("interim", "", _alone(ev.Interim)),
    StatementRule("collect", "BOX[.HAND][/SLOT]", _at_spot(ev.Collect)),
    StatementRule("pay", "BOX[.HAND][/SLOT]", _at_spot(ev.Pay)),
    StatementRule("settle", "", _alone(ev.Settle)),
    # Seats and chips
    StatementRule("seat", "BOX[/SLOT] [PLAYER]", _seat),
    StatementRule("stand-up", "BOX[/SLOT]", _at_spot(ev.StandUp, 1)),
    StatementRule("bet", "BOX[/SLOT] KIND AMOUNT [by PLAYER]", _bet),
    StatementRule("unbet", "BOX[/SLOT] KIND [AMOUNT] [by PLAYER]", _unbet),
    StatementRule("jackpot", "BOX[/SLOT] MULTIPLIER", _jackpot),
    # Cards
    StatementRule("draw", "[PLACE|none] [= CARD] [face-up] [exposed]", _draw),
    StatementRule("pull", "N [show M|show CARD…] [ordered]", _pull),
    StatementRule("disclose", "CARD…", _disclose),
    StatementRule("push-back", "CARD", lambda words: ev.CardPushedBack(words.card())),
    StatementRule("open-shoe", "", _alone(ev.ShoeOpened)),
    StatementRule("lay", "CARD PLACE [exposed]", _lay),
    StatementRule("lift", "CARD PLACE", _lift),
    StatementRule("move", "CARD PLACE PLACE", _move),
    StatementRule("squeeze", "BOX", _at_box(ev.Squeeze)),
    StatementRule("turn", "BOX", _at_box(ev.CardsTurned)),
    StatementRule("cut-card", "", _alone(ev.CuttingCardOut)),
    StatementRule("shoe-count", "N", _counted(ev.ShoeCounted)),
    StatementRule("discard-count", "N", _counted(ev.DiscardCounted)),
    StatementRule("shuffle", "machine|riffle N", _shuffle),
    StatementRule("load", "[N] [CARD…]", _load),
    # Answers to the offers, and decisions
    StatementRule("insure", "BOX[/SLOT] AMOUNT [by PLAYER]", _insure),
    StatementRule("agree", "BOX[/SLOT] insurance|KIND by PLAYER", _agree),
    StatementRule("even-money", "BOX[/SLOT]", _at_spot(ev.EvenMoney)),
    StatementRule("surrender", "BOX[/SLOT]", _at_spot(ev.Surrender)),
    StatementRule("hit", "BOX[.HAND]", _at_spot(ev.Hit)),
    StatementRule("stand", "BOX[.HAND]", _at_spot(ev.Stand)),
    StatementRule("double", "BOX[.HAND][/SLOT] [AMOUNT]", _double),
    StatementRule("free-double", "BOX[.HAND][/SLOT]", _at_spot(ev.FreeDouble)),
    StatementRule("split", "BOX[.HAND][/SLOT]", _at_spot(ev.Split)),
    StatementRule("free-split", "BOX[.HAND][/SLOT]", _at_spot(ev.FreeSplit)),
    StatementRule("rescue", "BOX[.HAND][/SLOT]", _at_spot(ev.Rescue)),
    # People and irregularities
    StatementRule("absent", "BOX[/SLOT]", _at_spot(ev.Absent)),
    StatementRule("reconstructed", "", _alone(ev.Reconstructed)),
    StatementRule("cannot-reconstruct", "", _alone(ev.CannotReconstruct)),
    StatementRule("call", "CODE [PLACE] [round N] [device DEVICE]", _call),
    StatementRule("answer", "BOX[/SLOT]|all|dealer|pit|house ANSWER|CARD…", _answer),
    StatementRule(
        "approve",
        "pit-supervisor|pit-manager|shift-manager [CODE]",
        _approve,
    ),
    StatementRule("take-back", "", _alone(ev.TakeBack)),
    StatementRule("retract", "CODE", lambda words: ev.Retract(words.known(vocabulary.CODES, "irregularity"))),
    StatementRule("sensor-wrong", "PLACE", lambda words: ev.SensorWrong(words.place())),
    # Power and cables
    StatementRule("power-cut", "", _alone(ev.PowerCut)),
    StatementRule("power-on", "", _alone(ev.PowerOn)),
    StatementRule("restart", "[confirm]", lambda words: ev.Restarted(confirm=words.accept("confirm"))),
    StatementRule("unplug", "DEVICE", _device(ev.LinkLost)),
    StatementRule("plug", "DEVICE", _device(ev.LinkBack)),
    StatementRule("noise", "DEVICE RATE", _noise),
)
STATEMENTS = {rule.word: rule for rule in _TABLE}
