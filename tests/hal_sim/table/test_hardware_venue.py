"""The venue on hardware: what it does when a device is lost that nobody has unplugged."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

from firmware_bridge.control.client import ControlClient
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from hal_sim.table.hardware_venue import Hardware
from hal_sim.table.sim_table import SimTable
from tests.patience import eventually

LATER = 10**6
"""The number of an event of the hub that is still to come."""

HEADER = parse("game: mbs-blackjack-v6\nfresh: no\nburn: no\n\n", GAMES).header


def test_a_shoe_that_is_lost_by_itself_is_waited_for(seed: int) -> None:
    """What lies waits for the shoe, and so does who plays; that the shoe was away stays in the report."""
    table = SimTable(seed=seed)
    table.patience = 1
    with table, ControlClient(table.control_path) as other, ThreadPoolExecutor(1) as pool:
        venue = Hardware(table, HEADER)
        for event in (ev.PlaceBets(), ev.WagerPlaced(Place(1, 0, 1), "main", 100_00), ev.NoMoreBets()):
            venue.happen(1, event)
        shoe = table.device("shoe")
        shoe.stick()
        eventually(lambda: not table.control.ask(do="status")["links"]["shoe"])
        laid = pool.submit(venue.happen, 1, ev.CardLaid(card("KD"), Place(1)))
        assert "waits" in other.ask(do="seen", device="hub", number=LATER)
        shoe.unstick()
        laid.result()
        assert "link-lost" in json.dumps(venue.report())
