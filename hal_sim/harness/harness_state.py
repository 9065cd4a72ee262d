"""How the harness stands, as one value that goes to the page.

1. `state_of` is what changes: the table that is set up, its people to try out, what each device shows, cables, power,
   who plays, the scenario that is open, what was recorded last. Where cards and chips lie is not here: that is the
   console's scene.
2. `about` is what does not change: games with what can be set up, sensors, ways of shuffling, buttons, devices, kinds
   of errors.
3. No card that is still to come is told: of the shoe only how many cards it holds, and where its cutting card is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.panel.messages import BUTTONS
from gamecore.model.config import SENSORS
from gamecore.notation.words import DEVICES, SHUFFLINGS
from gamecore.rules.games import GAMES
from hal_sim.dealer.error_plan import KINDS
from hal_sim.dealer.robot_sitting import States, states_of
from hal_sim.harness.sample_people import DEMO

if TYPE_CHECKING:
    from hal_sim.harness.player_thread import TablePlayer

SHOWN = 60
"""How many of the last things that happened are told."""


def state_of(player: TablePlayer) -> dict[str, object]:
    """How it stands now."""
    game, states = player.game, states_of(player.at)
    header, shadow, venue = game.header, game.robot.shadow, game.stage.venue
    panel = states["panel"]
    upper, lower = panel["text"]
    front = shadow.left - shadow.behind_cutting_card
    return {
        "table": {
            "number": player.tally.tables,
            "game": header.game,
            "title": GAMES[header.game].title,
            "boxes": header.boxes,
            "decks": header.decks,
            "seed": header.seed,
            "shuffling": header.shuffling,
            "sensors": [sensor for sensor in SENSORS if sensor in header.sensors],
            "slots": GAMES[header.game].slots.value,
            "wagers": list(GAMES[header.game].wager_kinds()),
            "multipliers": list(GAMES[header.game].jackpot_multipliers.value),
            "roles": player.at.roles,
        },
        "people": [demo._asdict() for demo in DEMO] if player.at.roles else [],
        "power": not venue.dark,
        "devices": _devices(states, venue.unplugged),
        "panel": {
            "lamps": list(panel["lamps"]),
            "upper": upper,
            "lower": lower,
            "alarm": panel["alarm"],
            "key": game.key,
        },
        "shoe": {
            "left": shadow.left,
            "out": shadow.out,
            "locked": states["shoe"]["locked"],
            "cutting_card": _cutting_card(header.shuffling, out=shadow.cut_out, front=front),
        },
        "playing": player.playing,
        "message": player.message,
        "own": player.own,
        "robot": {
            "rounds": game.robot.rounds,
            "speed": player.dials.speed,
            "any": player.dials.any_rate,
            "rates": dict(player.dials.rates),
            "possible": [kind.name for kind in KINDS if kind.possible(GAMES[header.game])],
        },
        "scenario": None if player.score is None else player.score.state(),
        "recording": {"count": len(game.replica.seen), "last": game.replica.words(SHOWN)},
    }


def _devices(states: States, unplugged: tuple[str, ...]) -> list[dict[str, object]]:
    return [
        {
            "name": name,
            "plugged": name not in unplugged,
            "up": states[name]["up"],
            "kept": states[name]["kept"],
            "taken": states[name]["acknowledged"],
            "damaged": states[name]["damaged"],
        }
        for name in DEVICES
        if name in states
    ]


def _cutting_card(shuffling: str, *, out: bool, front: int) -> dict[str, object]:
    """Where the cutting card is: none with a continuous shuffler, out, or how many cards behind the next one."""
    if shuffling == "continuous":
        return {"is": "none"}
    return {"is": "out"} if out else {"is": "front" if front <= 0 else "in", "behind": max(front, 0)}


def about() -> dict[str, object]:
    """What can be set up and done at all."""
    return {
        "games": [
            {
                "id": game,
                "title": rules.title,
                "boxes": list(rules.boxes.value),
                "decks": list(rules.decks.value),
                "ranks": rules.ranks.value,
                "wagers": list(rules.wager_kinds()),
            }
            for game, rules in GAMES.items()
        ],
        "sensors": list(SENSORS),
        "shufflings": list(SHUFFLINGS),
        "buttons": list(BUTTONS),
        "devices": list(DEVICES),
        "errors": [{"name": kind.name, "code": kind.code} for kind in KINDS],
    }
