"""S34: the table's package knows no simulator and no driver that cannot prove a key; no device key is an argument."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.driver import OWN
from firmware_bridge.cli import build_parser
from tests.deploy.boxes.build import built_once

KEY = "07" * 32


def test_our_own_drivers_all_prove_a_key() -> None:
    """The experimental one is there only where its entry point is."""
    assert {"shoe", "shuffler", "hub", "panel", "meter"} == set(OWN)


def test_no_command_takes_a_device_key_as_an_argument(capsys: pytest.CaptureFixture[str]) -> None:
    """Others on the computer could read it there: it comes from a file."""
    with pytest.raises(SystemExit):
        build_parser().parse_args(["sniff", "-", "--key", KEY])
    assert "--key" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb, see tests/debian.sh")
def test_the_program_of_a_table_has_no_simulator(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Unpacked and run: no command, no backend, no driver of the kind, and every command is still there."""
    package = built_once(tmp_path_factory, "amd64")
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    program = tmp_path / "usr/lib/truedeal"
    assert [] == [str(path) for path in program.rglob("*hal_sim*")]
    table = tmp_path / "table.toml"
    shoe = f'[devices.shoe]\ndriver = "angel-eye"\nport = "serial:/dev/shoe"\nedition = 1\nkey = "{KEY}"\n'
    panel = '[devices.panel]\ndriver = "panel"\nport = "usb:1209:ca5e"\nusb_backend = "simulated:x"\n'
    panel += f'edition = 1\nkey = "{KEY}"\n'
    text = f'[table]\nopen = true\ngame = "mbs-blackjack-v6"\nstate = "{tmp_path}/s"\ncontrol = "{tmp_path}/c"\n'
    text += shoe + panel
    table.write_text(text, encoding="utf-8")
    run = f"import sys; sys.path.insert(0, {str(program)!r}); from firmware_bridge.cli import main; sys.exit(main())"

    def said(*words: str) -> str:
        done = subprocess.run([sys.executable, "-ISB", "-c", run, *words], check=False, capture_output=True, text=True)
        return done.stdout + done.stderr

    helped = set(re.findall(r"^ {2}([a-z]+)\b", said("--help"), re.MULTILINE))
    assert {"run", "doctor", "identity", "verify"} == helped & {"run", "doctor", "identity", "verify", "sim"}
    problems = said("check", "--config", str(table))
    assert "devices.shoe.driver: expected one of hub, meter, panel, shoe, shuffler, got 'angel-eye'" in problems
    assert "devices.panel.usb_backend: expected one of none, got 'simulated'" in problems
