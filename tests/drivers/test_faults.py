"""The table of faults: complete, and of use to a person."""

from __future__ import annotations

import pytest

from drivers import faults
from drivers.faults import FATAL, REMEDIES, Fault

CODES = {value for name, value in vars(faults).items() if name.isupper() and isinstance(value, str)}


def test_every_code_has_a_remedy() -> None:
    """The codes named in the module are those of the table, and the fatal ones are among them."""
    assert CODES == REMEDIES.keys()
    assert set() == FATAL - CODES


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_remedy_is_a_sentence(code: str) -> None:
    """A remedy begins with a capital and ends with a full stop; a fault knows its own."""
    fault = Fault(code, "seen")
    assert (True, ".") == (fault.remedy[0].isupper(), fault.remedy[-1])
    assert (code in FATAL) == fault.fatal


def test_a_code_of_another_maker_is_explained_by_its_driver() -> None:
    """A code that is not ours has a remedy and is not fatal."""
    fault = Fault("vendor-lamp", "burnt out")
    assert ("Look the code up in the documentation of the device's driver.", False) == (fault.remedy, fault.fatal)
