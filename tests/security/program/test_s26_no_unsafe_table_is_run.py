"""S26: a table without people, with readable secrets or made-up keys is not run; every problem is named at once."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import blake2s
from pathlib import Path

import pytest

from firmware_bridge.cli import main
from tests.patience import PATIENCE
from tests.places import ROOT

REFUSED = 78
GOOD = {name: blake2s(name.encode()).hexdigest() for name in ("shoe", "hub", "panel")}
SCRYPT = f"scrypt$1024$8$1${'5a' * 16}${'5a' * 32}"
ROLES = f'[roles]\n"ann" = {{role = "shift-manager", pin = "{SCRYPT}"}}\n'
OPEN = "open = true"


def table(folder: Path, more: str = "", keys: dict[str, str] | None = None, roles: str = "", mode: int = 0o600) -> Path:
    """Write a configuration; by default without people, and with good keys that nobody else can read."""
    lines = ["[table]", 'game = "mbs-blackjack-v6"', f'state = "{folder}/s"', f'control = "{folder}/c"', more]
    for name, key in (GOOD | (keys or {})).items():
        lines += [
            f"[devices.{name}]",
            f'driver = "{name}"',
            f'port = "serial:/dev/{name}"',
            f'edition = 1\nkey = "{key}"',
        ]
    path = folder / "table.toml"
    path.write_text("\n".join(lines) + f"\n{roles}", encoding="utf-8")
    path.chmod(mode)
    return path


def run(path: Path) -> tuple[int, str]:
    """Run the daemon, which ends at once as its input does; its status and what it says."""
    command = [sys.executable, "-m", "firmware_bridge.cli", "run", "--tied", "--config", str(path)]
    done = subprocess.run(command, cwd=ROOT, input=b"", capture_output=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stderr.decode()


def test_a_table_without_people_is_refused(tmp_path: Path) -> None:
    """With a status after which the service does not try again, before anything is written."""
    status, said = run(table(tmp_path))
    assert REFUSED == status
    assert "nobody may log in" in said
    assert "open = true" in said
    assert not (tmp_path / "s").exists()


def test_a_configuration_that_no_row_could_hold_is_refused(tmp_path: Path) -> None:
    """It stands in the row of the start."""
    status, said = run(table(tmp_path, f"{OPEN}\n# {'x' * 40_000}"))
    assert (REFUSED, True) == (status, "is too long" in said)


def test_an_open_table_runs_and_says_so(tmp_path: Path) -> None:
    """In the journal's row of its start."""
    assert 0 == run(table(tmp_path, OPEN))[0]
    journal = (tmp_path / "s" / "journal-000001.db").read_bytes()
    assert b'"open": true' in journal


def test_a_table_is_open_or_has_people(tmp_path: Path) -> None:
    """Both at once is a contradiction."""
    status, said = run(table(tmp_path, OPEN, roles=ROLES))
    assert (REFUSED, True) == (status, "table.open" in said)


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660, 0o602])
def test_a_configuration_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    """The keys of the devices stand in it."""
    status, said = run(table(tmp_path, roles=ROLES, mode=mode))
    assert (REFUSED, True) == (status, "chmod 0600" in said)


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ({"shoe": "00" * 32}, ["devices.shoe.key: is no random one"]),
        ({"shoe": bytes(range(32)).hex()}, ["devices.shoe.key: is no random one"]),
        ({"shoe": "00112233445566778899aabbccddee" * 2 + "0011"}, ["devices.shoe.key: is no random one"]),
        ({"hub": GOOD["shoe"]}, ["devices.hub.key: is that of shoe too"]),
    ],
)
def test_a_key_that_is_made_up_or_used_twice_is_refused(tmp_path: Path, keys: dict[str, str], named: list[str]) -> None:
    """And is not repeated."""
    status, said = run(table(tmp_path, keys=keys, roles=ROLES))
    assert REFUSED == status
    assert [] == [words for words in named if words not in said]
    assert [] == [key for key in (GOOD | keys).values() if key in said]


def test_on_an_open_table_they_are_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Benches and simulators have such keys."""
    path = table(tmp_path, OPEN, keys={"shoe": bytes(range(32)).hex(), "hub": GOOD["panel"]}, mode=0o644)
    status, said = run(path)
    assert (0, 3) == (status, said.count("warning: "))
    assert 0 == main(["check", "--config", str(path)])
    assert 3 == capsys.readouterr().err.count("warning: ")


def test_check_names_every_problem_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of what can be read as well as of what cannot."""
    path = table(tmp_path, keys={"shoe": "00" * 32, "hub": "00" * 32}, mode=0o644)
    assert 1 == main(["check", "--json", "--config", str(path)])
    problems = json.loads(capsys.readouterr().out)["problems"]
    wanted = ["table: nobody", "table.toml: others", "devices.shoe.key: is no random", "devices.hub.key: is that of"]
    assert [] == [words for words in wanted if not any(one.startswith(words) for one in problems)]
    more = 'decks = 99\nboxes = 50\nwheels = 4\nopen = "yes"'
    path = table(tmp_path, more, keys={"shoe": "short", "hub": "xyz"}, roles="[retention]\ndays = 0\nmegabytes = 1\n")
    assert 1 == main(["check", "--json", "--config", str(path)])
    problems = json.loads(capsys.readouterr().out)["problems"]
    named = {one.partition(":")[0] for one in problems}
    wanted = ["decks", "boxes", "wheels", "open"]
    assert {f"table.{key}" for key in wanted} <= named
    assert {"devices.shoe.key", "devices.hub.key", "retention.days", "retention.megabytes"} <= named


def test_a_refused_table_is_not_started_again_and_an_upgrade_leaves_the_old_program() -> None:
    """The unit knows the status; the package asks before it restarts the daemon."""
    assert "RestartPreventExitStatus=78\n" in (ROOT / "deploy/systemd/truedeal.service").read_text(encoding="utf-8")
    before, after = ((ROOT / f"deploy/debian/{name}").read_text(encoding="utf-8") for name in ("prerm", "postinst"))
    assert '[ "$1" = upgrade ] || deb-systemd-invoke stop truedeal.service' in before
    assert after.index("truedeal check --config") < after.index("deb-systemd-invoke restart truedeal.service")
