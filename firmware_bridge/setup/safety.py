"""What makes a table unsafe, as its configuration shows it: ``truedeal run`` refuses it, ``truedeal check`` names it.

1. A table needs people, or ``open = true`` under ``[table]``, which says that it is for trying out.
2. The configuration holds the devices' keys, ``people.json`` what stands for PINs: nobody but their owner may read or
   write them.
3. Each device has a random key of its own, and so has the table. A key of few different bytes, or of bytes with equal
   steps between them, was made up. Keys are compared, never told.
4. The row of a start holds the configuration, and the length of a row is limited: the file has at most `LONGEST` bytes.
5. A key of a device that can be paired does not stand in the configuration: one person would have written it there,
   and pairing takes two.
6. On an open table 2 and 3 are warnings, for nothing there is worth anything, and 5 does not hold. ``[roles]`` that was
   taken over is a warning too.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from drivers.driver import OWN
from firmware_bridge.people.accounts.people_file import FILE, somebody
from firmware_bridge.setup.config import Config

FEWEST = 16
"""Different bytes of a key: 32 random bytes have fewer less than once in 10^16 times."""
LONGEST = 32 * 1024
"""Bytes of a configuration: there is room for it, and for everyone's name, in one row."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
NOBODY = (
    "table: nobody may log in, expected people ('truedeal people first' names them), or open = true to try it out, "
    "where anyone may do everything"
)


def refused(config: Config) -> list[str]:
    """Why a table must not be run."""
    central = config.centre is not None and config.centre.people is not None
    nobody = [] if config.open or config.roles or central or somebody(config.state) else [NOBODY]
    long = config.file is not None and config.file.stat().st_size > LONGEST
    too_long = [f"{config.file}: is too long, expected at most {LONGEST} bytes"] if long else []
    return [*nobody, *too_long, *([] if config.open else (*_dangers(config), *_unpaired(config)))]


def warnings(config: Config) -> list[str]:
    """What is wrong with a table that may be run all the same."""
    left = config.roles and (config.state / FILE).exists()
    over = ["roles: were taken over and count no longer, people.json does: expected no [roles]"] if left else []
    return [*over, *(_dangers(config) if config.open else ())]


def _unpaired(config: Config) -> Iterator[str]:
    for device in config.devices:
        if device.public is not None and device.driver in OWN:
            remedy = f"expected none: take it out, start, and 'truedeal pair {device.name}' takes two people"
            yield f"devices.{device.name}.public: is for open tables alone, {remedy}"


def _dangers(config: Config) -> Iterator[str]:
    if config.file is not None and readable_by_others(config.file):
        yield f"{config.file.name}: others can read it, and keys stand in it, expected 'chmod 0600'"
    people = config.state / FILE
    if people.exists() and readable_by_others(people):
        yield f"{people}: others can read it, and PINs stand in it, expected 'chmod 0600'"
    if config.secret is not None and is_weak(config.secret):
        yield "link.secret: is no random one, expected one that was made on this box"
    taken: dict[bytes, str] = {}
    for device in config.devices:
        key = device.key or device.public
        if key is None:
            continue
        where = f"devices.{device.name}.{'public' if device.key is None else 'key'}"
        if key in taken:
            yield f"{where}: is that of {taken[key]} too, expected a key of its own"
        taken.setdefault(key, device.name)
        if is_weak(key):
            yield f"{where}: is no random one, expected the device's own"


def readable_by_others(path: Path) -> bool:
    """Whether anyone but its owner may use a file."""
    return bool(path.stat().st_mode & _OTHERS)


def is_weak(key: bytes) -> bool:
    """Whether somebody has made a key up."""
    steps = {(after - before) % 256 for before, after in pairwise(key)}
    return len(set(key)) < FEWEST or len(steps) == 1
