"""The contract suite on every driver that the registry finds, and the registry itself."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.driver import OWN, DriverError, Settings, available, make
from drivers.faults import Fault
from drivers.happenings import Received, Up
from drivers.link.editions.noise import public
from tests.drivers.benches import BENCHES
from tests.drivers.contract import EVERYWHERE, ONCE, Clause
from tests.drivers.driver_rig import DriverRig
from tests.drivers.lines import NATURES, PERFECT, Nature

KINDS = sorted(available())

each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
@pytest.mark.parametrize("nature", NATURES, ids=lambda nature: nature.name)
@pytest.mark.parametrize("clause", EVERYWHERE, ids=lambda clause: clause.__name__)
def test_the_contract_holds_on_every_line(kind: str, nature: Nature, clause: Clause, seed: int) -> None:
    """Each promise of a driver holds on a perfect, a byte-at-a-time, a lossy and a slow line."""
    clause(DriverRig(BENCHES[kind](), nature, seed), nature.exact)


@each_kind
@pytest.mark.parametrize("clause", ONCE, ids=lambda clause: clause.__name__)
def test_the_contract_holds(kind: str, clause: Clause, seed: int) -> None:
    """The promises that need no particular line hold too."""
    clause(DriverRig(BENCHES[kind](), PERFECT, seed), True)


@each_kind
@pytest.mark.soak
@pytest.mark.parametrize("turn", range(100))
@pytest.mark.parametrize("nature", NATURES, ids=lambda nature: nature.name)
def test_the_contract_holds_a_hundred_times(kind: str, nature: Nature, turn: int, seed: int) -> None:
    """The same with a hundred other seeds."""
    for clause in EVERYWHERE:
        clause(DriverRig(BENCHES[kind](), nature, seed + 1 + turn), nature.exact)


@each_kind
@given(pieces=st.lists(st.binary(max_size=300), max_size=20), pause=st.floats(0.0, 3.0))
def test_no_bytes_make_a_driver_raise(kind: str, pieces: list[bytes], pause: float) -> None:
    """Any bytes in any pieces at any times give happenings and nothing else."""
    driver = make(BENCHES[kind]().settings)
    now = 0.0
    driver.opened(now)
    for piece in pieces:
        happenings = driver.received(piece, now)
        now += pause
        happenings += driver.tick(now)
        driver.outgoing()
        assert all(isinstance(happening, Up | Received | Fault) for happening in happenings)


def test_our_own_drivers_are_there() -> None:
    """The five kinds are found without an installation; the experimental one has an entry point, as others' have."""
    assert {"shoe", "shuffler", "hub", "panel", "meter"} == set(OWN)
    assert {*OWN, "angel-eye"} <= set(available())


def test_every_driver_has_its_kind() -> None:
    """A driver that is made says the kind under which it was asked for."""
    assert KINDS == [make(BENCHES[kind]().settings).kind for kind in KINDS]


def test_an_unknown_driver_is_refused_with_the_names_of_those_there_are() -> None:
    """The error says what could have been written instead."""
    with pytest.raises(DriverError, match=r"no driver 'toaster': there are angel-eye, hub, .*shuffler"):
        make(Settings("toaster"))


@pytest.fixture
def vendor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install a vendor's package: a shoe of its own, one that tries to take our name, and one that is not there."""
    (tmp_path / "acme_shoe.py").write_text(
        textwrap.dedent(
            '''
            """A vendor's driver: our link, a catalogue with one more event."""

            from dataclasses import dataclass
            from functools import partial
            from typing import Annotated, ClassVar

            from drivers.framed import FramedDriver
            from drivers.messages import Catalogue, Message
            from drivers.shoe import CATALOGUE as SHOE
            from drivers.wire import U8


            @dataclass(frozen=True, slots=True)
            class Warmth(Message):
                """How warm the shoe is."""

                IDENT: ClassVar[int] = 0x70
                degrees: Annotated[int, U8, "degrees"]


            CATALOGUE = Catalogue("shoe", (*SHOE.events, Warmth), SHOE.commands)
            make = partial(FramedDriver, CATALOGUE)
            '''
        ),
        encoding="utf-8",
    )
    installed = tmp_path / "acme_shoe-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-shoe\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text(
        "[truedeal.drivers]\nacme-shoe = acme_shoe:make\nshoe = acme_shoe:taken\nacme-hub = acme_hub:make\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "acme_shoe", raising=False)
    return "acme-shoe"


def test_a_vendors_driver_is_found_by_its_entry_point(vendor: str) -> None:
    """A package with an entry point is all that it takes: nothing of ours is touched."""
    assert vendor in available()
    driver = make(Settings(vendor, "S1", secret=bytes(32), public=public(bytes(32))))
    assert vendor == driver.kind
    driver.opened(0.0)
    assert driver.outgoing()


def test_our_names_cannot_be_taken(vendor: str) -> None:
    """A vendor's entry point with the name of one of ours changes nothing."""
    assert vendor in available()
    assert OWN["shoe"] == available()["shoe"]


def test_a_driver_that_cannot_be_imported_is_named(vendor: str) -> None:
    """A broken installation is an error with the name of what is missing, not a crash of all others."""
    assert vendor in available()
    with pytest.raises(DriverError, match=r"driver 'acme-hub' cannot be had from acme_hub:make"):
        make(Settings("acme-hub"))
