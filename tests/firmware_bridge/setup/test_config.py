"""The configuration of a table: what is read, and how errors are reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.journal.archive.retention_limits import Retention
from firmware_bridge.setup.config import Config, _config, load
from firmware_bridge.setup.device_config import DeviceConfig
from firmware_bridge.setup.problems import ConfigError
from gamecore.notation import words
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES

KEY = "00112233445566778899aabbccddeeff" * 2
TABLE = '[table]\ngame = "mbs-blackjack-v6"\nstate = "/var/lib/td"\ncontrol = "/run/td.sock"\n'
PUBLIC = "ff" * 32
LINK = f'[link]\nsecret = "{KEY}"\n'
DEVICE = '[devices.shoe]\ndriver = "shoe"\nport = "serial:/dev/shoe"\nserial = "S-1"\n'
SHOE = f'{LINK}{DEVICE}public = "{PUBLIC}"\n'
OLD = f'{DEVICE}edition = 1\nkey = "{KEY}"\n'


def read(tmp_path: Path, text: str) -> Config:
    """Write a configuration and load it."""
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def problem(tmp_path: Path, text: str) -> str:
    """Return what is wrong with a configuration, without its path."""
    with pytest.raises(ConfigError) as raised:
        read(tmp_path, text)
    path, _, said = str(raised.value).partition(": ")
    assert str(tmp_path / "table.toml") == path
    return said


def test_a_configuration_is_read_as_it_stands(tmp_path: Path) -> None:
    """Every key has its place."""
    panel = '[devices.panel]\ndriver = "panel"\nport = "usb:1209:ca5e"\nusb_backend = "simulated:x"\n'
    more = "edition = 1\nauthenticated = false\n[devices.panel.options]\nrate = 5\n"
    config = read(tmp_path, TABLE + SHOE + panel + more)
    shoe = DeviceConfig("shoe", "shoe", "serial:/dev/shoe", "S-1", public=bytes.fromhex(PUBLIC))
    other = DeviceConfig(
        "panel",
        "panel",
        "usb:1209:ca5e",
        authenticated=False,
        usb_backend="simulated:x",
        options={"rate": "5"},
        edition=1,
    )
    expected = Config(
        config.header,
        Path("/var/lib/td"),
        Path("/run/td.sock"),
        (shoe, other),
        makers=tmp_path / "makers",
        file=tmp_path / "table.toml",
        secret=bytes.fromhex(KEY),
    )
    assert expected == config


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("", Retention(30, 1000)),
        ("[retention]\n", Retention(30, 1000)),
        ("[retention]\ndays = 7\n", Retention(7, 1000)),
        ("[retention]\ndays = 1\nmegabytes = 10\n", Retention(1, 10)),
    ],
)
def test_what_is_not_said_of_the_retention_is_as_usual(tmp_path: Path, said: str, expected: Retention) -> None:
    """A month, and a thousand megabytes."""
    assert expected == read(tmp_path, TABLE + SHOE + said).retention


@pytest.mark.parametrize("game", GAMES)
def test_the_table_is_that_of_a_header_of_deal_notation(tmp_path: Path, game: str) -> None:
    """The defaults are those of a file that says the game alone."""
    config = read(tmp_path, TABLE.replace("mbs-blackjack-v6", game) + SHOE)
    assert parse(f"game: {game}\nconfirm: yes\n\n", GAMES).header == config.header


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("decks = 6", "decks: 6"),
        ("boxes = 5", "boxes: 5"),
        ("left = 100", "left: 100"),
        ("fresh = false", "fresh: no"),
        ("burn = true", "burn: yes"),
        ('shuffling = "manual"', "shuffling: manual"),
        ('limits = "main 25-5000, pair 5-500"', "limits: main 25-5000, pair 5-500"),
        ('limits = {main = "25-5000", pair = "5-500"}', "limits: main 25-5000, pair 5-500"),
        ('limits = ["main 25-5000", "pair 5-500"]', "limits: main 25-5000, pair 5-500"),
        ('sensors = ["shoe", "panel"]', "sensors: shoe panel"),
        ('sensors = "shoe panel"', "sensors: shoe panel"),
    ],
)
def test_a_key_of_the_table_is_said_in_toml(tmp_path: Path, said: str, line: str) -> None:
    """Lists, tables and truth values mean what the line of a header means."""
    config = read(tmp_path, f"{TABLE}{said}\n{SHOE}")
    assert parse(f"game: mbs-blackjack-v6\nconfirm: yes\n{line}\n\n", GAMES).header == config.header


def test_a_device_that_the_game_does_not_know_has_a_name_with_a_hyphen(tmp_path: Path) -> None:
    """Another maker's device stands beside ours, with another maker's driver."""
    scale = '[devices.acme-scale]\ndriver = "acme-scale"\nport = "serial:/dev/scale"\nauthenticated = false\n'
    devices = read(tmp_path, TABLE + SHOE + scale).devices
    assert DeviceConfig("acme-scale", "acme-scale", "serial:/dev/scale", authenticated=False) == devices[-1]


@pytest.mark.parametrize(
    ("said", "patience"),
    [
        ('port = "serial:/dev/shoe"\n', 1),
        ('port = "serial:/dev/shoe"\npatience = 1\n', 1),
        ('port = "pty:/run/shoe"\n', 1),
        ('port = "pty:/run/shoe"\npatience = 10\n', 10),
        ('port = "usb:1209:ca5e"\nusb_backend = "simulated:x"\npatience = 60\n', 60),
    ],
)
def test_only_a_simulated_device_has_patience(tmp_path: Path, said: str, patience: int) -> None:
    """Behind a pseudo-terminal, or a USB backend of its own."""
    shoe = f'[devices.shoe]\ndriver = "shoe"\nserial = "S-1"\n{said}'
    assert [patience] == [device.patience for device in read(tmp_path, TABLE + LINK + shoe).devices]


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        ('port = "serial:/dev/shoe"\npatience = 2\n', "only a simulated device"),
        ('port = "serial:/dev/pts/3"\npatience = 2\n', "only a simulated device"),
        ('port = "usb:1209:ca5e"\npatience = 2\n', "only a simulated device"),
        ('port = "pty:/run/shoe"\npatience = 0\n', "from 1 to 60"),
        ('port = "pty:/run/shoe"\npatience = 61\n', "from 1 to 60"),
        ('port = "pty:/run/shoe"\npatience = 1.5\n', "from 1 to 60"),
        ('port = "pty:/run/shoe"\npatience = true\n', "from 1 to 60"),
        ('port = "pty:/run/shoe"\npatience = "10"\n', "from 1 to 60"),
    ],
)
def test_the_patience_of_a_real_device_is_refused(tmp_path: Path, said: str, allowed: str) -> None:
    """On an open table too: somebody who tries a real device wants to see what it does."""
    shoe = f'[devices.shoe]\ndriver = "shoe"\nserial = "S-1"\n{said}'
    for table in (TABLE, f"{TABLE}open = true\n"):
        wrong = problem(tmp_path, table + LINK + shoe)
        assert ["devices.shoe.patience", True] == [wrong.partition(":")[0], allowed in wrong]


def test_a_table_has_a_name(tmp_path: Path) -> None:
    """It is what people call the table; one that is empty, too long or cannot be printed is refused."""
    assert "" == read(tmp_path, TABLE + SHOE).name
    assert "T12 东" == read(tmp_path, f'{TABLE}name = " T12 东 "\n{SHOE}').name
    for wrong in ("", " ", "T" * 21, "T\\u0007"):
        said = problem(tmp_path, f'{TABLE}name = "{wrong}"\n{SHOE}')
        assert "table.name: expected 1 to 20 printable characters" == said


def test_a_table_has_a_language(tmp_path: Path) -> None:
    """English unless another is named; one that there are no texts in is refused."""
    assert "en" == read(tmp_path, TABLE + SHOE).language
    assert "zh" == read(tmp_path, f'{TABLE}language = "zh"\n{SHOE}').language
    said = problem(tmp_path, f'{TABLE}language = "fr"\n{SHOE}')
    assert "table.language: 'fr' is none: expected one of en, zh" == said


def test_only_an_open_table_goes_without_confirmation(tmp_path: Path) -> None:
    """Where people log in, what a word gives back is confirmed; nothing in the file changes that."""
    assert read(tmp_path, f"{TABLE}confirm = true\n{SHOE}").header.confirm
    assert "table.confirm: expected true" in problem(tmp_path, f"{TABLE}confirm = false\n{SHOE}")
    opened = [read(tmp_path, f"{TABLE}open = true\n{more}{SHOE}") for more in ("", "confirm = true\n")]
    assert [False, True] == [config.header.confirm for config in opened]


@pytest.mark.parametrize(
    ("text", "words_of_it"),
    [
        ("", ["table", "section"]),
        ("table = 5\n", ["table", "section", "int"]),
        ("[devices]\n", ["table", "section", "nothing"]),
        (TABLE, ["devices", "section", "nothing"]),
        (f"devices = []\n{TABLE}", ["devices", "section", "list"]),
        (f"{TABLE}[devices]\nshoe = 5\n", ["devices.shoe", "section", "int"]),
        (f"more = 1\n{TABLE}", ["more", "table, devices"]),
        (f"{TABLE}more = 1\n{SHOE}", ["table.more", "game, decks", "state, control"]),
        (f'{TABLE}shoe = "KD"\n{SHOE}', ["table.shoe", "no such key"]),
        (f"{TABLE}seed = 1\n{SHOE}", ["table.seed", "no such key"]),
        (f"{TABLE}{SHOE}[devices.lamp]\n", ["devices.lamp", ", ".join(words.DEVICES)]),
        (f"{TABLE}{SHOE}[devices.console]\n", ["devices.console", ", ".join(words.DEVICES), "acme-scale"]),
        (f"{TABLE}{LINK}{DEVICE.replace('devices.shoe', 'devices.my-shoe')}", ["devices.my-shoe.driver", "'shoe'"]),
        (f"{TABLE}{SHOE}more = 1\n", ["devices.shoe.more", "driver, port"]),
        (f"[table]\n{SHOE}", ["table.game", "missing"]),
        ('[table]\ngame = "x"\n[devices]\n', ["table.game", "'x'", "mbs-blackjack-v6"]),
        ("[table]\ngame = 5\n[devices]\n", ["table.game", "5", "text in quotes"]),
        ('[table]\ngame = "mbs-blackjack-v6"\n[devices]\n', ["table.state", "missing"]),
        (TABLE.replace('"/run/td.sock"', "7") + SHOE, ["table.control", "7", "text in quotes"]),
        (f"{TABLE}decks = 99\n{SHOE}", ["table.decks", "99", "to"]),
        (f"{TABLE}decks = 6.5\n{SHOE}", ["table.decks", "6.5", "whole number"]),
        (f"{TABLE}burn = 5\n{SHOE}", ["table.burn", "'5'", "yes"]),
        (f'{TABLE}sensors = ["nose"]\n{SHOE}', ["table.sensors", "nose", "positions"]),
        (f'{TABLE}shuffling = "a\\nb"\n{SHOE}', ["table.", "shuffling", "a\\nb"]),
        (f"{TABLE}{SHOE.replace('driver', '# driver')}", ["devices.shoe.driver", "missing"]),
        (f"{TABLE}{SHOE.replace('port', '# port')}", ["devices.shoe.port", "missing"]),
        (f"{TABLE}{SHOE.replace('S-1', '').replace(chr(34) * 2, '1')}", ["devices.shoe.serial", "1", "text in quotes"]),
        (f"{TABLE}{SHOE}authenticated = 1\n", ["devices.shoe.authenticated", "1", "true or false"]),
        (f"{TABLE}{OLD.replace('key', '# key')}", ["devices.shoe.key", "authenticated = false"]),
        (
            TABLE + DEVICE.replace('driver = "shoe"', 'driver = "angel-eye"'),
            ["devices.shoe.public", "edition = 1", "authenticated = false"],
        ),
        (f"{TABLE}{DEVICE}", ["link.secret", "missing", "shoe"]),
        (f"{TABLE}{DEVICE}authenticated = false\n", ["devices.shoe.edition", "edition = 1"]),
        (f"{TABLE}{SHOE}edition = 3\n", ["devices.shoe.edition", "1 or 2", "3"]),
        (f"{TABLE}{SHOE}edition = true\n", ["devices.shoe.edition", "1 or 2", "True"]),
        (f"{TABLE}{SHOE}edition = 1\n", ["devices.shoe.public", "edition 1", "key"]),
        (f'{TABLE}{SHOE}key = "{KEY}"\n', ["devices.shoe.key", "edition 2", "public"]),
        (f"{TABLE}{SHOE.replace('serial =', '# serial =')}", ["devices.shoe.serial", "edition 2"]),
        (f"{TABLE}{SHOE.replace(LINK, '')}", ["link.secret", "missing", "shoe"]),
        (f"{TABLE}{SHOE.replace(KEY, 'short')}", ["link.secret", "64 hexadecimal digits"]),
        (f"{TABLE}{SHOE}[link.other]\n", ["link.other", "secret"]),
        (f"{TABLE}{SHOE}options = 1\n", ["devices.shoe.options", "section", "int"]),
        (f"retention = 5\n{TABLE}{SHOE}", ["retention", "section", "int"]),
        (f"{TABLE}{SHOE}[retention]\nyears = 1\n", ["retention.years", "days, megabytes"]),
        (f"{TABLE}{SHOE}[retention]\ndays = 0\n", ["retention.days", "0", "whole number from 1 to"]),
        (f"{TABLE}{SHOE}[retention]\ndays = true\n", ["retention.days", "True", "whole number"]),
        (f"{TABLE}{SHOE}[retention]\nmegabytes = 9\n", ["retention.megabytes", "9", "from 10 to"]),
        (f'{TABLE}{SHOE}[retention]\nmegabytes = "1 GB"\n', ["retention.megabytes", "'1 GB'", "whole number"]),
        ("[table\n", ["line 1"]),
    ],
)
def test_an_error_names_the_key_the_value_and_what_is_allowed(
    tmp_path: Path, text: str, words_of_it: list[str]
) -> None:
    """The words that a person needs stand in one line."""
    said = problem(tmp_path, text)
    assert [] == [word for word in words_of_it if word not in said]
    assert 1 == len(said.splitlines())


def test_bytes_that_are_no_text_are_an_error_of_the_configuration(tmp_path: Path) -> None:
    """A file in another encoding is told by its path."""
    path = tmp_path / "table.toml"
    path.write_bytes(b'[table]\ngame = "\xff"\n')
    with pytest.raises(ConfigError, match=r"table\.toml: "):
        load(path)


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    """The person who started it is told which file."""
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "device",
    [
        f'[devices.shoe]\nkey = "{KEY}x"\n',
        f'[devices.shoe]\nkey = "{KEY[:-2]}"\n',
        f'[devices.shoe]\nkey = "{KEY}00"\n',
        f'[devices.shoe]\nkey = ["{KEY}"]\n',
        f'[devices.shoe]\nkey = {{text = "{KEY}"}}\n',
        f"[devices.shoe]\nkey = {int(KEY, 16)}\n",
        f"[devices.shoe]\nkey = 0x{KEY}\n",
        f'[[devices.shoe]]\nkey = "{KEY}"\n',
        f'[[devices]]\nkey = "{KEY}"\n',
        f'[devices]\nshoe = "{KEY}"\n',
        f'[devices]\nkey = "{KEY}"\n',
        f'[devices.shoe]\nkye = "{KEY}"\n',
        f'[devices.shoe]\noptions = "{KEY}"\n',
        f'[devices.shoe]\nkey = "{KEY}"\n',
        f'[devices.shoe]\nkey = "{KEY}\n',
        f"[devices.shoe]\nkey = {KEY}\n",
    ],
)
def test_a_key_is_printed_nowhere(tmp_path: Path, device: str) -> None:
    """Whatever is wrong with a device, its key is not in the message."""
    said = problem(tmp_path, TABLE + device)
    assert [] == [part for part in (KEY[:8], KEY[-8:], str(int(KEY, 16))[:8]) if part in said]


def test_a_device_hides_its_key(tmp_path: Path) -> None:
    """A configuration can be shown without giving a key away."""
    for device in (SHOE, OLD):
        assert KEY[:8] not in repr(read(tmp_path, TABLE + device))
        assert str(bytes.fromhex(KEY)) not in repr(read(tmp_path, TABLE + device))


def test_edition_1_is_spoken_only_where_it_is_written(tmp_path: Path) -> None:
    """It has a key that both ends hold, and needs none of the table's own."""
    config = read(tmp_path, TABLE + OLD)
    assert [(1, bytes.fromhex(KEY), None)] == [(one.edition, one.key, one.public) for one in config.devices]
    assert config.secret is None


def test_a_driver_with_a_link_of_its_own_has_no_edition(tmp_path: Path) -> None:
    """It proves what it is in its own way, or not at all."""
    config = read(tmp_path, TABLE + DEVICE.replace('"shoe"', '"angel-eye"') + "authenticated = false\n")
    assert ["angel-eye"] == [device.driver for device in config.devices]


plain = st.none() | st.booleans() | st.integers(-5, 500) | st.text("ab\n:#,-9 ", max_size=6)
some = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("ab"), inner, max_size=2)
)
names = st.sampled_from(["game", "state", "control", "decks", "limits", "sensors", "burn", "left", "other"])


tables = st.builds(lambda said: {"game": "mbs-blackjack-v6"} | said, st.dictionaries(names, some, max_size=6))


@given(table=some | tables, devices=some | st.dictionaries(st.sampled_from([*words.DEVICES, "x"]), some, max_size=2))
def test_no_value_breaks_the_reading(table: object, devices: object) -> None:
    """Whatever stands where, it is a configuration or an error in one line."""
    assert 1 == len(_outcome({"table": table, "devices": devices}).splitlines())


def _outcome(values: dict[str, Any]) -> str:
    """What comes of values: what is wrong, or the header."""
    try:
        return repr(_config(values).header)
    except ConfigError as error:
        return str(error)
