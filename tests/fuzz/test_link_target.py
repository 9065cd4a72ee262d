"""The fuzz target itself works; the fuzzing runs for a moment where atheris is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.link import one_input


def test_the_target_takes_any_input(seed: int) -> None:
    """A few hundred random inputs pass through the target."""
    random = Random(seed)
    one_input(b"")
    for _ in range(300):
        one_input(random.randbytes(random.randrange(200)))


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
def test_atheris_finds_nothing_in_a_moment(tmp_path: Path) -> None:
    """A thousand runs of the fuzzer find nothing."""
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "tests.fuzz.link", "-runs=1000", f"-artifact_prefix={tmp_path}/"]
    assert 0 == subprocess.run(command, cwd=root, capture_output=True, check=False).returncode
