"""S03: no word stands for what a device reports: a power failure, a lost device, a shoe without cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.faults import UNPLUGGED, Fault
from tests.firmware_bridge.table_with_roles import Post, at_post

OPENED = ("place-bets", "bet 1 main 5000", "no-more-bets")


@pytest.mark.parametrize("role", ["dealer", "pit-supervisor", "pit-manager", "shift-manager"])
def test_nobody_calls_what_a_device_reports(tmp_path: Path, role: str) -> None:
    """It is refused with the device that would have said so, and is one row; the round is not held."""

    async def scene(post: Post) -> None:
        client = await post.client(role)
        for statement in OPENED:
            assert {"ok": True} == await client.ask("say", statement=statement)
        for code, device in (
            ("power-failure", "table computer"),
            ("link-lost", "table computer"),
            ("insufficient-cards", "shoe"),
        ):
            refused = (await client.ask("say", statement=f"call {code}"))["refused"]
            assert f"'call {code}' cannot be said: the {device} reports it" == refused
        assert not post.pump.table.view().matters

    at_post(tmp_path, scene)


def test_a_shoe_that_is_away_reports_nothing(tmp_path: Path) -> None:
    """Then a person may say that no card is left."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        for statement in OPENED:
            await dealer.ask("say", statement=statement)
        post.reports.down("shoe", Fault(UNPLUGGED, "gone"))
        post.pump.process_queue()
        assert {"ok": True} == await dealer.ask("say", statement="call insufficient-cards")

    at_post(tmp_path, scene)


def test_an_open_table_takes_every_word(tmp_path: Path) -> None:
    """Scenarios are played there as they are written."""

    async def scene(post: Post) -> None:
        anybody = await post.client()
        for statement in (*OPENED, "call power-failure"):
            assert {"ok": True} == await anybody.ask("say", statement=statement)

    at_post(tmp_path, scene, people=())
