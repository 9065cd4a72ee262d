"""The sample configurations: one for each game, right but for the keys, which nobody may leave as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drivers.driver import available
from drivers.ports import SerialAddress, UsbAddress, parse
from firmware_bridge.journal.archive.retention_limits import Retention
from firmware_bridge.setup.config import load
from firmware_bridge.setup.problems import ConfigError
from gamecore.rules.games import GAMES
from tests.places import ROOT

SAMPLES = ROOT / "deploy/config"
RULES = (ROOT / "deploy/udev/60-truedeal.rules").read_text(encoding="utf-8")
KEY = re.compile(r'^(secret) = "CHANGE ME[^"]*"$', re.MULTILINE)


def filled(game: str, folder: Path) -> Path:
    """Return the sample of a game with a key in each place."""
    text, places = KEY.subn(rf'\1 = "{"5a" * 32}"', (SAMPLES / f"{game}.toml").read_text(encoding="utf-8"))
    assert places > 0
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_game_has_a_sample() -> None:
    """The samples are named after the games, and there is no other."""
    assert {f"{game}.toml" for game in GAMES} == {path.name for path in SAMPLES.iterdir()}


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_is_refused_until_its_keys_are_entered(game: str) -> None:
    """A daemon does not run on a key that is printed in a sample; the message names the place."""
    with pytest.raises(ConfigError, match=r"link\.secret: expected 64 hexadecimal digits"):
        load(SAMPLES / f"{game}.toml")


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_loads_with_keys(game: str, tmp_path: Path) -> None:
    """With its keys it is a table of its game, which keeps its files where the unit lets it."""
    config = load(filled(game, tmp_path))
    assert game == config.header.game
    assert (Path("/var/lib/truedeal"), Path("/run/truedeal/control.sock")) == (config.state, config.control)
    assert ((), False) == (config.roles, config.open)
    assert Retention() == config.retention
    assert GAMES[game].wager_kinds() == tuple(kind for kind, _, _ in config.header.limits)


@pytest.mark.parametrize("game", GAMES)
def test_the_devices_of_a_sample_are_at_the_names_of_the_rules(game: str, tmp_path: Path) -> None:
    """Serial lines are at /dev/truedeal/VENDOR-PRODUCT-SERIAL, the panel at the USB id that the rules let in."""
    devices = load(filled(game, tmp_path)).devices
    assert {"shoe", "shuffler", "hub", "panel"} <= {device.name for device in devices}
    for device in devices:
        assert device.driver in available()
        match parse(device.port):
            case SerialAddress(path):
                assert re.fullmatch(r"/dev/truedeal/[0-9a-f]{4}-[0-9a-f]{4}-\w+", path)
            case UsbAddress(vendor, product, serial):
                assert f'ATTR{{idVendor}}=="{vendor:04x}", ATTR{{idProduct}}=="{product:04x}"' in RULES
                assert device.serial == serial
