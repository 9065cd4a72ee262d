"""How a console of the floor is set up, and what it is made of."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_bridge.console.login.sessions import Sessions
from firmware_bridge.console.settings import LOOPBACK_NAMES
from firmware_bridge.floor.pit.archive_desk import ArchiveDesk
from firmware_bridge.floor.pit.escalation.ladder import Ladder
from firmware_bridge.floor.pit.escalation.ways import Ways
from firmware_bridge.floor.pit.feed import PitFeed
from firmware_bridge.floor.pit.hearing import Ears
from firmware_bridge.floor.pit.people.openid import OpenId, Provider
from firmware_bridge.floor.pit.people.staff import Staff
from firmware_bridge.floor.pit.tiles import Tiles


@dataclass(frozen=True, slots=True)
class PitSettings:
    """One console of a casino's floor: its archive, where it hears, where browsers come from, how alarms escalate.

    With the public key of the floor people must log in, by PIN or at a provider. `metrics` is where Prometheus may ask.
    """

    casino: str
    archive: str
    ears: Ears
    hosts: frozenset[str] = LOOPBACK_NAMES
    tls: bool = False
    lang: str = "en"
    ladder: Ladder | None = None
    ways: Ways = field(default_factory=Ways)
    floor_key: bytes | None = None
    provider: Provider | None = None
    metrics: tuple[str, int] | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)


@dataclass(frozen=True, slots=True)
class PitParts:
    """What one console is made of."""

    settings: PitSettings
    sessions: Sessions
    tiles: Tiles
    feed: PitFeed
    desk: ArchiveDesk
    staff: Staff
    openid: OpenId | None = None

    def has_people(self) -> bool:
        """Whether somebody must log in to do something."""
        return self.staff.needed
