"""Who has a wager in this round.

1. A Player is known by name where there is one, else by the box and slot of the chips. Chips that lie there under no
   other name are theirs.
2. A wager is a main wager on one hand, a side wager or an Insurance wager. A Player may have any of them without the
   others: a side wager on somebody else's box (MBS 3.15.x, RWS 3.9), somebody else's Insurance (MBS 3.27.3).
3. A spot is where a Player's chips are asked for: box, slot and Player. Two Players may have chips at one box and slot.
4. A wager stands while it has not gone back. A round in which one stands is settled, never concluded without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gamecore.model.hands import Stake
from gamecore.model.matters import WagerKey
from gamecore.model.round import Box, InsuranceWager, Round, SideWager


@dataclass(frozen=True, slots=True)
class Spot:
    """Where one Player's chips lie."""

    box: int
    slot: int
    owner: str


@dataclass(frozen=True, slots=True, eq=False)
class Wager:
    """One wager: where it lies, whose it is, and the chips. `hand` counts the hands of the box from 1."""

    box: Box
    slot: int
    hand: int
    owner: str
    chips: Stake | InsuranceWager | SideWager

    @property
    def spot(self) -> Spot:
        """Where it is asked for."""
        return Spot(self.box.number, self.slot, self.owner)

    @property
    def stands(self) -> bool:
        """Whether it has not gone back to its Player."""
        return not self.chips.returned_by


def key_of(wager: Wager) -> WagerKey:
    """Which wager it is, in words that outlive a hold."""
    chips = wager.chips
    kind = chips.kind if isinstance(chips, SideWager) else "main" if isinstance(chips, Stake) else "insurance"
    return WagerKey(wager.box.number, wager.slot, wager.hand, kind, wager.owner)


def owner(number: int, slot: int, player: str | None) -> str:
    """How a Player is known."""
    return player if player is not None else f"{number}/{slot}"


def owner_of_main(box: Box, slot: int) -> str | None:
    """Whose main wager lies at a slot; None if none does."""
    return owner(box.number, slot, box.mains[slot].player) if slot in box.mains else None


def wagers(game_round: Round) -> Iterator[Wager]:
    """Every wager of the round since bets closed, by box, the main wagers first."""
    for _, box in sorted(game_round.boxes.items()):
        yield from wagers_at(box)


def wagers_at(box: Box) -> Iterator[Wager]:
    """Every wager at a box, the main wagers first."""
    number = box.number
    for index, hand in enumerate(box.hands, start=1):
        for slot, stake in hand.stakes.items():
            yield Wager(box, slot, index, owner(number, slot, box.mains[slot].player), stake)
    for insurance in sorted(box.insurance, key=lambda wager: wager.slot):
        slot = insurance.slot
        player = insurance.player if insurance.player is not None else box.mains[slot].player
        yield Wager(box, slot, 1, owner(number, slot, player), insurance)
    for side in box.sides:
        yield Wager(box, side.slot, side.hand, owner(number, side.slot, side.player), side)


def anything_stands(game_round: Round) -> bool:
    """Whether a wager is left that must be settled."""
    return any(wager.stands for wager in wagers(game_round))


def spots(game_round: Round) -> list[Spot]:
    """Every spot of the round once, by box, those of main wagers first."""
    return list(dict.fromkeys(wager.spot for wager in wagers(game_round)))


def spots_at(box: Box) -> list[Spot]:
    """Every spot at a box once, those of main wagers first."""
    return list(dict.fromkeys(wager.spot for wager in wagers_at(box)))


def has_main(game_round: Round, spot: Spot) -> bool:
    """Whether a main wager lies there, and is that Player's."""
    return owner_of_main(game_round.boxes[spot.box], spot.slot) == spot.owner
