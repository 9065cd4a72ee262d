"""The compiled core and pure Python, told to do the same: ``python -m tests.gamecore.both_builds --rounds 100000``.

1. Each build runs in a process of its own, which prints a digest for each scenario and for each batch of random tables.
   The digest is made of every output of every event and of the report at the end, as bytes.
2. Random tables are those of the properties: all games and fittings, mostly by the rules, now and then by none. They
   are played until as many rounds are over as were asked for. The seed is printed.
3. The first digest that differs names the scenario, or the seed of the batch. The exit status is 1 then.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence

from tests.places import ROOT

SAMPLE, WHOLE = 300, 100_000
BATCH = 50
"""Tables under one digest."""
CHOICE, PURE, COMPILED = "TRUEDEAL_CORE", "pure", "compiled"


def core_in_use() -> str:
    """Which core this process has."""
    from gamecore import table  # noqa: PLC0415  whichever is found

    return PURE if str(table.__file__).endswith(".py") else COMPILED


def scenario_digests() -> Iterator[str]:
    """A line for each scenario: its file and the digest of what came of it."""
    from gamecore.notation.playing.player import play_text  # noqa: PLC0415
    from gamecore.rules.games import GAMES  # noqa: PLC0415

    for file in sorted((ROOT / "tests/scenarios").rglob("*.deal")):
        name = str(file.relative_to(ROOT))
        played = play_text(file.read_text(encoding="utf-8"), name, GAMES)
        said = json.dumps([played.report, played.error, played.failures])
        yield f"{name} {hashlib.sha256(said.encode()).hexdigest()}"


def round_digests(rounds: int, seed: int) -> Iterator[str]:
    """A line for each batch of random tables: its seed, the rounds so far and the digest of all that was said."""
    from tests.gamecore.properties import acts  # noqa: PLC0415
    from tests.gamecore.properties.tables import IRREGULAR, WILD, Play, a_header  # noqa: PLC0415

    over = 0
    while over < rounds:
        digest = hashlib.sha256()
        for number in range(seed, seed + BATCH):
            chance = random.Random(number)
            play = Play(a_header(chance), chance)
            irregular, wild = chance.choice(IRREGULAR), chance.choice(WILD)
            for _ in range(60):
                digest.update(repr(play.happen(acts.an_event(play, irregular, wild))).encode())
            digest.update(json.dumps(play.table.report()).encode())
            over += play.table.round_number
        yield f"{seed} {over} {digest.hexdigest()}"
        seed += BATCH


def differences(what: Sequence[str]) -> tuple[int, list[str]]:
    """How many digests both builds gave, and those in which they differ."""
    said = [_asked(core, what) for core in (PURE, COMPILED)]
    differing = [f"{pure} | {compiled}" for pure, compiled in zip(*said, strict=True) if pure != compiled]
    return len(said[0]), differing


def _asked(core: str, what: Sequence[str]) -> list[str]:
    """The digests that a process with one of the cores gives."""
    surroundings = {**os.environ, CHOICE: core, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tests.gamecore.both_builds", "--core", core, *what]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


def main(argv: Sequence[str] | None = None) -> int:
    """Compare both, or print the digests of one; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.gamecore.both_builds", description=__doc__)
    parser.add_argument("--core", choices=(PURE, COMPILED), help="print the digests of this core alone")
    parser.add_argument("--scenarios", action="store_true", help="all scenarios")
    parser.add_argument("--rounds", type=int, default=0, help=f"random rounds; {WHOLE} are all")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("TRUEDEAL_SEED", secrets.randbelow(2**32))))
    args = parser.parse_args(argv)
    what = [*(["--scenarios"] if args.scenarios else []), "--rounds", str(args.rounds), "--seed", str(args.seed)]
    if args.core is None:
        count, differing = differences(what)
        sys.stdout.write("\n".join([f"seed {args.seed}: {count} digests, {len(differing)} differ", *differing, ""]))
        return 1 if differing else 0
    if core_in_use() != args.core:
        sys.stderr.write(f"the core in use is {core_in_use()}: `sh tests/run.sh` compiles it\n")
        return 2
    for line in scenario_digests() if args.scenarios else ():
        sys.stdout.write(f"{line}\n")
    for line in round_digests(args.rounds, args.seed):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
