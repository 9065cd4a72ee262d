"""The simulated Angel Eye style shoe, in a process of its own, heard by its driver."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from drivers.angel_eye import KeyLock, OutsideFlow, Started, Trouble
from drivers.shoe import CardOut, CuttingCard
from hal_sim.devices.remote import SimError
from hal_sim.table.sim_table import SimTable
from tests.hal_sim.devices.hosts import Host


@pytest.fixture
def table(seed: int) -> Iterator[SimTable]:
    """A table with nothing but this shoe."""
    with SimTable(seed=seed, daemon=False, names=("shoe",), kinds={"shoe": "angel-eye"}) as made:
        yield made


def heard(host: Host) -> list[object]:
    """Return what the driver understood."""
    return [event.message for event in host.events["shoe"]]


def test_three_copies_are_one_card(table: SimTable) -> None:
    """Every card is told once, equal ones in a row too, and so is all else that the shoe says."""
    shoe = table.device("shoe")
    with Host(table, "shoe") as host:
        host.until(lambda: bool(host.identities["shoe"]))
        cards = ["KD", "KD", "AS", "??", "2H"] * 4
        shoe.events(("CardOut", {"card": card}) for card in cards)
        shoe.event("CuttingCard")
        shoe.event("OutsideFlow", card="5C", mode="error")
        shoe.event("Trouble", code=1, present=True, stopped=True)
        shoe.event("KeyLock", locked=True)
        host.until(lambda: len(host.events["shoe"]) >= len(cards) + 4)
        assert [
            *(CardOut(card, 0, False) for card in cards),
            CuttingCard(),
            OutsideFlow("5C", "error"),
            Trouble(1, True, True),
            KeyLock(True),
        ] == heard(host)


def test_what_nobody_heard_is_gone_and_reported(table: SimTable) -> None:
    """A card that leaves while the cable is out is never told; the driver says that events are lost."""
    shoe = table.device("shoe")
    with Host(table, "shoe") as host:
        host.until(lambda: bool(host.identities["shoe"]))
        shoe.unplug()
        shoe.event("CardOut", card="KD")
        host.until(lambda: bool(host.downs["shoe"]))
        shoe.plug()
        host.until(lambda: "events-lost" in host.faults)
        shoe.event("CardOut", card="2H")
        host.until(lambda: bool(host.events["shoe"]))
        assert [CardOut("2H", 0, False)] == heard(host)


def test_a_reboot_is_told(table: SimTable) -> None:
    """The shoe says that it starts; the driver says that it forgot."""
    shoe = table.device("shoe")
    with Host(table, "shoe") as host:
        host.until(lambda: bool(host.identities["shoe"]))
        # So many that the sequence number of the start is not one of the last few.
        shoe.events([("CardOut", {"card": "2H"})] * 15)
        shoe.reboot()
        shoe.event("CardOut", card="2H")
        host.until(lambda: len(host.events["shoe"]) >= 17)
        assert [*[CardOut("2H", 0, False)] * 15, Started(), CardOut("2H", 0, False)] == heard(host)
        assert "forgot" in host.faults


def test_a_card_that_this_shoe_has_no_byte_for_is_refused(table: SimTable) -> None:
    """A joker cannot be told over this link."""
    with pytest.raises(SimError):
        table.device("shoe").event("CardOut", card="JOKER")
