"""Errors of wagers, of people and of devices: each function commits one, if it can be committed now."""

from __future__ import annotations

from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.syntax import Draw, Noise, What
from hal_sim.dealer.robot_table import AFTER_DEAL, DEALING, Shadow

#: Chips that are below the least wager of the robot's tables, and above the most.
TOO_LITTLE, TOO_MUCH = 1_00, 12_345_00
CHIPS = 25_00
#: Noise that a line bears: with more, a command to the panel may wait for a second, and its link counts as lost.
NOISY = ("0.0001", "0.0003")
DEVICES = ("shoe", "hub", "panel", "shuffler", "meter")


# --- wagers ----------------------------------------------------------------------------------------------------------


def late(shadow: Shadow) -> list[What] | None:
    """Chips arrive after bets are closed."""
    if shadow.state not in DEALING | AFTER_DEAL or shadow.view.just_split:
        return None
    place = Place(shadow.chance.randint(1, shadow.header.boxes), 0, 1)
    return [ev.WagerPlaced(place, shadow.chance.choice(shadow.rules.wager_kinds()), CHIPS)]


def withdrawn(shadow: Shadow) -> list[What] | None:
    """Chips leave after bets are closed."""
    if shadow.state not in DEALING | AFTER_DEAL:
        return None
    box = shadow.boxes[shadow.chance.choice(shadow.wagered())]
    slots = [slot for slot, stake in box.hands[0].stakes.items() if not stake.withdrawn]
    return [ev.WagerRemoved(Place(box.number, 0, shadow.chance.choice(slots)), "main")] if slots else None


def under(shadow: Shadow) -> list[What] | None:
    """A wager below the minimum, on a box of its own."""
    return [ev.WagerPlaced(Place(shadow.bare()[0], 0, 1), "main", TOO_LITTLE)] if shadow.bare() else None


def over(shadow: Shadow) -> list[What] | None:
    """A wager above the maximum, on a box of its own."""
    return [ev.WagerPlaced(Place(shadow.bare()[0], 0, 1), "main", TOO_MUCH)] if shadow.bare() else None


def side_alone(shadow: Shadow) -> list[What] | None:
    """A side wager on a box without a main wager."""
    kinds = [side.kind for side in shadow.rules.side_wagers if side.needs_main == "box"]
    if not shadow.empty() or not kinds:
        return None
    return [ev.WagerPlaced(Place(shadow.empty()[0], 0, 1), shadow.chance.choice(kinds), CHIPS)]


def unsettled(shadow: Shadow) -> list[What] | None:
    """A side wager that is to be settled first lies there, and the deal goes on (RWS 3.13)."""
    place = shadow.table.next_place
    if place is None or not shadow.pairs_due() or shadow.cards_in_hand():
        return None
    return [Draw(place)]


def no_offer(shadow: Shadow) -> list[What] | None:
    """Insurance is due, and the deal goes on."""
    place = shadow.table.next_place
    if shadow.state is not State.OFFERS or "insurance" not in shadow.offers("due") or place is None:
        return None
    return [Draw(place)]


# --- people and devices ----------------------------------------------------------------------------------------------


def absent(shadow: Shadow) -> list[What] | None:
    """A Player has left the table with a wager on it."""
    if shadow.state not in DEALING | {State.OFFERS, State.PLAYER_TURN}:
        return None
    return [ev.Absent(Place(shadow.chance.choice(shadow.wagered())))]


def shoe_opened(shadow: Shadow) -> list[What] | None:
    """The cover of the shoe is opened while a round is on."""
    return [ev.ShoeOpened()] if shadow.state in DEALING | AFTER_DEAL else None


def pushed_back(shadow: Shadow) -> list[What] | None:
    """A card that was drawn is pushed back into the shoe."""
    draws = shadow.view.round.dealt
    if shadow.state not in AFTER_DEAL or not draws or shadow.cards_in_hand():
        return None
    return [ev.CardPushedBack(draws[-1].card)]


def unplugged(shadow: Shadow) -> list[What] | None:
    """A cable is pulled and plugged in again; meanwhile, perhaps, a card is dealt that the device keeps."""
    if shadow.state not in DEALING | AFTER_DEAL:
        return None
    device, due = shadow.chance.choice(DEVICES), shadow.card_due()
    dealt = due is not None and device in {"shoe", "hub"} and shadow.chance.random() < 0.5
    meanwhile: list[What] = [Draw(due)] if dealt else []
    return [ev.LinkLost(device), *meanwhile, ev.LinkBack(device)]


def noisy(shadow: Shadow) -> list[What] | None:
    """A line is noisy for this round: what it damages is sent again."""
    return [Noise(shadow.chance.choice(DEVICES), shadow.chance.choice(NOISY))]


def power(shadow: Shadow) -> list[What] | None:
    """The power fails."""
    return [ev.PowerCut(), ev.PowerOn()] if shadow.state in DEALING | AFTER_DEAL else None


def restarted(shadow: Shadow) -> list[What] | None:
    """The software of the table computer dies and comes back: the round goes on where it was."""
    return [ev.Restarted()] if shadow.state in DEALING | AFTER_DEAL else None
