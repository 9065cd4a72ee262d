"""How long it takes from an arrival to what comes of it: the figures, and that the pump keeps them."""

from __future__ import annotations

from itertools import chain, repeat

import pytest

from firmware_bridge.daemon import latency
from firmware_bridge.daemon.latency import KEPT, Latency
from tests.firmware_bridge.control_socket_rig import AtSocket, SocketRig


def after(monkeypatch: pytest.MonkeyPatch, times: list[int]) -> Latency:
    """Return what has seen batches of these times, in microseconds."""
    looks = iter([1, *chain.from_iterable((1, 1 + 1000 * time) for time in times), *repeat(1, 9)][1:])
    monkeypatch.setattr(latency, "perf_counter_ns", lambda: next(looks))
    seen = Latency()
    for _ in times:
        seen.arrived()
        seen.shown()
    return seen


def test_before_anything_has_arrived_there_are_no_figures() -> None:
    """None is no time: the count says that there was nothing."""
    nothing = Latency()
    nothing.shown()
    assert {"count": 0, "of": 0, "p50": None, "p99": None, "max": None} == nothing.figures()


def test_the_figures_are_those_of_the_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of them take no longer than the median, one of a hundred may take longer than the other figure."""
    seen = after(monkeypatch, [*range(1, 101)])
    assert {"count": 100, "of": 100, "p50": 50, "p99": 99, "max": 100} == seen.figures()


def test_percentiles_forget_and_the_longest_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ring keeps the last batches, the count and the longest are since the beginning."""
    seen = after(monkeypatch, [900, *repeat(7, KEPT + 3)])
    assert {"count": KEPT + 4, "of": KEPT, "p50": 7, "p99": 7, "max": 900} == seen.figures()


def test_what_waits_keeps_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second arrival does not begin the clock again."""
    looks = iter((1, 5001))
    monkeypatch.setattr(latency, "perf_counter_ns", lambda: next(looks))
    seen = Latency()
    seen.arrived()
    seen.arrived()
    seen.shown()
    assert 5 == seen.figures()["max"]


def test_the_pump_counts_what_it_has_applied_and_shown(at_socket: AtSocket) -> None:
    """One batch each for what came one after the other; a flush without anything is none."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        for statement in ("place-bets", "settle"):
            await client.ask("say", statement=statement)
        rig.pump.process_queue()
        figures = rig.pump.latency.figures()
        assert (2, 2) == (figures["count"], figures["of"])
        assert isinstance(figures["max"], int)

    at_socket(scene)
