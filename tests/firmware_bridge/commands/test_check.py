"""``truedeal check``: every problem of a configuration, and none of a good one."""

from __future__ import annotations

import argparse
import json
from hashlib import blake2s
from pathlib import Path

import pytest

from firmware_bridge.commands.service import check as checking
from firmware_bridge.daemon import run

DEVICES = ("shoe", "hub", "panel")
KEYS = {name: blake2s(name.encode()).hexdigest() for name in (*DEVICES, "link")}


def write(folder: Path, *, table: str = "", devices: dict[str, str] | None = None) -> Path:
    """Write a configuration: more of the table, and what differs of the devices."""
    boot = folder / "boot"
    boot.write_text("1\n", encoding="ascii")
    lines = ["[table]", "open = true", 'game = "mbs-blackjack-v6"', f'state = "{folder}"', f'boot = "{boot}"', table]
    if "control" not in table:
        lines.append(f'control = "{folder}/c"')
    lines += ["[link]", f'secret = "{KEYS["link"]}"']
    for name in DEVICES:
        port = f'driver = "{name}"\nport = "serial:/dev/{name}"'
        lines += [f"[devices.{name}]", f'public = "{KEYS[name]}"', 'serial = "S"', (devices or {}).get(name, port)]
    path = folder / "table.toml"
    path.touch(mode=0o600)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("data", [b"\xff\xfe\x00[table]", b"\x7fELF\x02\x01\x01\x00\x9c"])
def test_a_configuration_that_is_no_text_is_told_in_plain_words(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which byte, and no message of a codec."""
    path = tmp_path / "table.toml"
    path.write_bytes(data)
    assert 1 == check(path)
    at = next(number for number, byte in enumerate(data, start=1) if byte > 127)
    assert f"{path}: it is not a text file: byte {at} is not UTF-8\n" == capsys.readouterr().err


def check(path: Path, *, as_json: bool = False) -> int:
    """Run the command; its exit status."""
    return checking.run(argparse.Namespace(config=path, json=as_json))


def test_a_good_configuration_can_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And what it says is summed up, without its keys."""
    path = write(tmp_path)
    assert 0 == check(path)
    out, err = capsys.readouterr()
    assert (f"{path}: can be run", "") == (out.splitlines()[0], err)
    assert "  devices: shoe, hub, panel" in out.splitlines()
    assert [] == [key for key in KEYS.values() if key in out]


@pytest.mark.parametrize(
    ("table", "devices", "said"),
    [
        ("", {"shoe": 'driver = "sho"\nport = "serial:/dev/shoe"'}, ["devices.shoe.driver", "'sho'", "angel-eye"]),
        (
            "",
            {"shoe": 'driver = "shoe"\nport = "/dev/shoe"'},
            ["devices.shoe.port", "'/dev/shoe'", "serial:, pty: or usb:"],
        ),
        ("", {"shoe": 'driver = "shoe"\nport = "serial:/dev/hub"'}, ["devices.hub.port", "a port of its own", "shoe"]),
        (
            "",
            {"panel": 'driver = "panel"\nport = "usb:1209:ca5e"\nusb_backend = "dream:x"'},
            ["devices.panel.usb_backend", "'dream'", "simulated"],
        ),
        (
            "",
            {"panel": 'driver = "panel"\nport = "serial:/dev/p"\nusb_backend = "simulated:x"'},
            ["devices.panel.usb_backend", "no USB address"],
        ),
        (f'control = "/{"x" * 107}"', {}, ["table.control", "at most 107 bytes", "108"]),
        ('control = "/etc/passwd"', {}, ["table.control", "'/etc/passwd'", "no socket"]),
        ('control = ""', {}, ["table.control", "'.'", "no socket"]),
        ('control = "/etc/passwd/c"', {}, ["table.control", "/etc/passwd/c", "a folder of the daemon's user"]),
        ("decks = 99", {}, ["table.decks", "99"]),
        ("wheels = 4", {}, ["table.wheels", "no such key", "game"]),
    ],
)
def test_a_problem_names_key_value_and_what_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, devices: dict[str, str], said: list[str]
) -> None:
    """On the standard error output, one line each; no key of a device is in it."""
    path = write(tmp_path, table=table, devices=devices)
    assert 1 == check(path)
    out, err = capsys.readouterr()
    assert "" == out
    assert (1, True) == (len(err.splitlines()), err.startswith(f"{path}: "))
    assert [] == [word for word in said if word not in err]
    assert [] == [key for key in KEYS.values() if key in err]


def test_every_problem_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not the first alone."""
    path = write(tmp_path, devices={"shoe": 'driver = "sho"\nport = "x"', "hub": 'driver = "hu"\nport = "usb:1"'})
    assert 1 == check(path, as_json=True)
    problems = json.loads(capsys.readouterr().out)["problems"]
    expected = ["devices.shoe.driver", "devices.shoe.port", "devices.hub.driver", "devices.hub.port"]
    assert expected == [problem.partition(":")[0] for problem in problems]


def test_ten_problems_of_all_kinds_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Keys that nobody knows, values of the wrong kind, and what only a further look at a device shows."""
    path = write(
        tmp_path,
        table='decks = 99\nwheels = 4\ntwo_persons = "no"',
        devices={
            "shoe": 'driver = "sho"\nport = "serial:/dev/panel"',
            "hub": 'driver = "hub"\nport = 7\nedition = 3',
            "panel": 'driver = "panel"\nport = "serial:/dev/panel"\nusb_backend = "simulated:x"',
        },
    )
    with path.open("a", encoding="utf-8") as file:
        file.write('\n[retention]\nyears = 1\ndays = 0\n[roles]\nann = {role = "king", pin = 1, badge = 2}\n')
    (tmp_path / "anchors.toml").write_text('targets = ["ftp:x"]\n', encoding="utf-8")
    assert 1 == check(path, as_json=True)
    problems = json.loads(capsys.readouterr().out)["problems"]
    named = sorted(problem.partition(": ")[0].removeprefix(f"{tmp_path}/") for problem in problems)
    assert [
        "anchors.toml",
        "devices.hub.edition",
        "devices.hub.port",
        "devices.panel.port",
        "devices.panel.usb_backend",
        "devices.shoe.driver",
        "retention.days",
        "retention.years",
        "roles.ann.badge",
        "roles.ann.pin",
        "roles.ann.role",
        "table.decks",
        "table.two_persons",
        "table.wheels",
    ] == named


def test_a_sensor_needs_a_device(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a hub nothing sees places, wagers and discards."""
    path = write(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("[devices.hub]")] + text[text.index("[devices.panel]") :], encoding="utf-8")
    assert 1 == check(path, as_json=True)
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert ["'bets'", "'discard'", "'positions'"] == [problem.split()[1] for problem in problems]


def test_what_cannot_be_read_is_an_error_of_input(tmp_path: Path) -> None:
    """The command line says so."""
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("table", "devices", "said"),
    [
        ("", {"shoe": 'driver = "sho"\nport = "serial:/dev/shoe"'}, "devices.shoe.driver: expected one of"),
        ("", {"shoe": 'driver = "shoe"\nport = "usb:zz"'}, "devices.shoe.port: 'usb:zz'"),
        (
            "",
            {"panel": 'driver = "panel"\nport = "usb:1209:ca5e"\nusb_backend = "dream:x"'},
            "devices.panel.usb_backend",
        ),
        ('control = "table.toml"', {}, "table.control: 'table.toml' is there and is no socket"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    table: str,
    devices: dict[str, str],
    said: str,
) -> None:
    """``truedeal run`` names the key as ``check`` does; no journal is begun, and no file is removed."""
    path = write(tmp_path, table=table, devices=devices)
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert run.REFUSED == run.run(argparse.Namespace(config=path, tied=False, training=False))
    assert f"truedeal run: {path}: {said}" in capsys.readouterr().err
    assert before == sorted(tmp_path.iterdir())
