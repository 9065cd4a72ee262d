"""Where things lie in the repository, for tests that read them or start programs from there."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
SCENARIOS = TESTS / "scenarios"
