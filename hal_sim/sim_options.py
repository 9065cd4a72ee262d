"""The options of ``truedeal sim``, and how their values are read.

1. The help names every game and every error without loading them: `GAMES` and `ERRORS` are lists of names, which a
   test compares with the games and errors that there are.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from firmware_bridge.commands.help_text import examples

ALL = "all"
MAX = "max"
GAMES = (*("mbs-blackjack-v6", "mbs-free-bet-v3", "rws-free-bet-2025", "mbs-pontoon-v5", "mbs-ace-race-v4"),)
ERRORS = (
    *("foreign-card", "extra-card", "missing-card", "discard-short", "unshuffled-load", "insufficient-cards"),
    *("cut-card-passed", "face-up-card", "unreadable-card", "missing-burn", "misdealt-card"),
    *("dealer-not-dealt", "box-not-dealt", "box-short", "unwagered-box-dealt", "card-in-error"),
    *("card-between-rounds", "ordered-pull", "dealer-overdraw", "hand-skipped", "double-draw", "late-wager"),
    *("wager-withdrawn", "under-minimum", "over-maximum", "side-wager-without-main", "unsettled-side-wager"),
    *("insurance-not-offered", "absent-player", "shoe-opened", "card-pushed-back", "unplugged", "noisy-line"),
    *("power-failure", "restarted"),
)
_SPEED = re.compile(r"(\d+(?:\.\d+)?)x?")
EPILOG = examples(
    ("truedeal sim", "every game in turn, with a page in the browser, until Ctrl-C"),
    ("truedeal sim --game mbs-pontoon-v5 --rounds 3 --speed max", "three rounds of one game, as fast as they go"),
    ("truedeal sim --error double-draw=0.5 --seed 7", "one kind of error in every other round, the same at each run"),
    ("truedeal sim --rounds 5 --state /tmp/journal", "keep the journal, to verify and export it"),
    status="Exit status: 0 all is well, 1 a table hung or two reports differed, 2 wrong usage, or the page that was "
    "asked for cannot be served.\n\n"
    f"Games: {', '.join(GAMES)}.\n\n"
    f"Errors: {', '.join(ERRORS)}. A finding, such as uncovered, stands for every error that leads to it.",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("--game", default=ALL, metavar="GAME", help="a game, or all of them in turn (default)")
    parser.add_argument(
        "--rounds", type=_rounds, metavar="N", help="rounds of each game; default on a terminal: no end"
    )
    parser.add_argument(
        "--speed", type=_speed, metavar="N", help="1x is a human pace, max as fast as it goes; default 5x"
    )
    parser.add_argument("--errors", type=_rate, metavar="RATE", help="the chance of any error in a round (0.2)")
    parser.add_argument(
        "--error",
        type=_dial,
        action="append",
        default=[],
        metavar="NAME=RATE",
        help="the chance of one error, by its name or finding; may be repeated",
    )
    parser.add_argument("--seed", type=_seed, metavar="N", help="what decides all chance; default: another each time")
    parser.add_argument("--noise", type=_rate, default=0.0, metavar="RATE", help="the chance of a bit to be flipped")
    parser.add_argument("--skew", type=_ms, default=0.0, metavar="MS", help="delay on each link, up to MS milliseconds")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write down what is played as deal notation")
    parser.add_argument("--state", type=Path, metavar="DIR", help="keep the journal in this folder")
    parser.add_argument("--in-process", action="store_true", help="without devices and daemon")
    page = parser.add_argument_group("in a browser")
    page.add_argument("--web", action=argparse.BooleanOptionalAction, help="serve the page; default: without --rounds")
    page.add_argument("--port", type=_port, metavar="N", help="where to listen; default: a free one from 8790 on")
    page.add_argument("--paused", action="store_true", help="the robot does not begin by itself")
    page.add_argument(
        "--scenarios",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="a folder with scenarios to open there; may be repeated",
    )


def _speed(text: str) -> float | str:
    if text == MAX:
        return MAX
    match = _SPEED.fullmatch(text)
    if match is None or not 0.01 <= float(match[1]) <= 1000:
        raise argparse.ArgumentTypeError(f"'{text}' is no speed: expected 1x, 5x or the like, or max")
    return float(match[1])


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0.0 <= rate <= 1.0:
        raise argparse.ArgumentTypeError(f"'{text}' is no rate: expected 0 to 1, such as 0.1")
    return rate


def _dial(text: str) -> tuple[str, float]:
    name, equals, rate = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is no error with its rate: expected such as double-draw=0.1")
    return name, _rate(rate)


def _rounds(text: str) -> int:
    return _whole(text, 1, "a number of rounds")


def _seed(text: str) -> int:
    return _whole(text, 0, "a seed")


def _port(text: str) -> int:
    port = _whole(text, 1, "a port")
    if port > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port: expected 1 to 65535")
    return port


def _whole(text: str, least: int, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", text) or int(text) < least:
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}: expected a whole number")
    return int(text)


def _ms(text: str) -> float:
    try:
        ms = float(text)
    except ValueError:
        ms = -1.0
    if not 0.0 <= ms <= 1000.0:
        raise argparse.ArgumentTypeError(f"'{text}' is no delay: expected milliseconds, 0 to 1000")
    return ms
