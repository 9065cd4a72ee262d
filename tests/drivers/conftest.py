"""What the tests of the drivers share: the contract suite shows the values of a failed assertion, as a test does."""

import pytest

pytest.register_assert_rewrite("tests.drivers.contract", "tests.drivers.driver_rig")
