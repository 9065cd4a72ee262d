"""The errors that the robot dealer and the people at its table commit, and how often.

1. A `Kind` is one way to go wrong: its name, the finding it leads to, when in a round it can be, and a function that
   commits it if that is possible now. The function returns the statements, or None if it is not possible.
2. `Errors` are the dials: a rate for each kind, by its name or by the code of its finding; a rate for any error at all;
   and a script, which names errors by the number of the round. A rate is the chance in one round.
3. If its round gives no chance for a scripted error, it is committed in the next round that does. One of a dial lapses.
4. Nothing is here that a person calls out, but for an absent Player, who is told at the console. Of what breaks on a
   wire only noise and a pulled cable are here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from gamecore.rules.ruleset import Ruleset
from hal_sim.dealer import card_errors as dealt
from hal_sim.dealer import people_errors as told
from hal_sim.dealer.card_errors import Commit

BETWEEN, BETTING, PLAYING = "between", "betting", "playing"


def _always(_: Ruleset) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of error; `code` is empty where the table has nothing to find."""

    name: str
    code: str
    commit: Commit
    when: str = PLAYING
    possible: Callable[[Ruleset], bool] = _always


KINDS: tuple[Kind, ...] = (
    # The cards
    Kind("foreign-card", "foreign-card", dealt.foreign),
    Kind("extra-card", "extra-card", dealt.extra),
    Kind("missing-card", "missing-card", dealt.missing),
    Kind("discard-short", "missing-card", dealt.discard_short, BETWEEN),
    Kind("unshuffled-load", "unshuffled-cards", dealt.unshuffled, BETWEEN),
    Kind("insufficient-cards", "insufficient-cards", dealt.insufficient, BETWEEN),
    Kind("cut-card-passed", "cut-card-passed", dealt.cut_card, BETWEEN),
    Kind("face-up-card", "face-up-card", dealt.face_up),
    Kind("unreadable-card", "unreadable-card", dealt.unreadable),
    # The deal
    Kind("missing-burn", "missing-burn", dealt.no_burn, possible=lambda rules: rules.burn.value),
    Kind("misdealt-card", "misdealt-card", dealt.misdealt),
    Kind("dealer-not-dealt", "dealer-not-dealt", dealt.dealer_passed_over),
    Kind("box-not-dealt", "box-not-dealt", dealt.box_not_dealt),
    Kind("box-short", "box-short", dealt.box_short),
    Kind("unwagered-box-dealt", "unwagered-box-dealt", dealt.empty_box),
    Kind("card-in-error", "card-in-error", dealt.in_error),
    Kind("card-between-rounds", "card-in-error", dealt.between_rounds, BETWEEN),
    Kind("ordered-pull", "card-in-error", dealt.ordered_pull),
    Kind("dealer-overdraw", "dealer-overdraw", dealt.overdraw),
    Kind("hand-skipped", "hand-skipped", dealt.skipped),
    Kind("double-draw", "double-draw", dealt.double_draw),
    # Wagers and offers
    Kind("late-wager", "late-wager", told.late),
    Kind("wager-withdrawn", "wager-withdrawn", told.withdrawn),
    Kind("under-minimum", "under-minimum", told.under, BETTING),
    Kind("over-maximum", "over-maximum", told.over, BETTING),
    Kind("side-wager-without-main", "side-wager-without-main", told.side_alone, BETTING),
    Kind(
        "unsettled-side-wager",
        "unsettled-side-wager",
        told.unsettled,
        possible=lambda rules: bool(rules.settled_first.value),
    ),
    Kind(
        "insurance-not-offered",
        "insurance-not-offered",
        told.no_offer,
        possible=lambda rules: rules.offers_are_spoken.value,
    ),
    # People and devices
    Kind("absent-player", "absent-player", told.absent),
    Kind("shoe-opened", "uncovered", told.shoe_opened),
    Kind("card-pushed-back", "uncovered", told.pushed_back),
    Kind("unplugged", "link-lost", told.unplugged),
    Kind("noisy-line", "", told.noisy, BETTING),
    Kind("power-failure", "power-failure", told.power),
    Kind("restarted", "", told.restarted),
)
BY_NAME: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in KINDS})


class UnknownError(ValueError):
    """A name that no kind of error has."""


def kinds_named(name: str) -> tuple[Kind, ...]:
    """The kinds of this name, or else of this finding.

    Raises:
        UnknownError: there are none.
    """
    found = (BY_NAME[name],) if name in BY_NAME else tuple(kind for kind in KINDS if kind.code == name)
    if not found or not name:
        known = sorted({kind.name for kind in KINDS} | {kind.code for kind in KINDS if kind.code})
        message = f"'{name}' is no error: expected one of {', '.join(known)}"
        raise UnknownError(message)
    return found


@dataclass(frozen=True, slots=True)
class Errors:
    """How often which error is committed."""

    rates: Mapping[str, float] = field(default_factory=dict)
    any_rate: float = 0.0
    script: Mapping[int, Sequence[str]] = field(default_factory=dict)

    def due(self, chance: random.Random, rules: Ruleset) -> list[Kind]:
        """The errors that the dials want in a round."""
        wanted = [kinds_named(name) for name, rate in self.rates.items() if chance.random() < rate]
        if chance.random() < self.any_rate:
            wanted.append(KINDS)
        possible = [[kind for kind in kinds if kind.possible(rules)] for kinds in wanted]
        return [chance.choice(kinds) for kinds in possible if kinds]

    def scripted(self, number: int) -> list[Kind]:
        """The errors that the script has for a round."""
        return [kinds_named(name)[0] for name in self.script.get(number, ())]
