"""Both editions in turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.drivers.link.cable import KEY, PAIR, Usual


@pytest.fixture(params=[KEY, PAIR], ids=["edition 1", "edition 2"])
def editions(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run the tests of a module on both editions of the link."""
    Usual.key = request.param
    yield
    Usual.key = KEY
