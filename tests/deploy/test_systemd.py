"""The package in a real systemd: installed, shut in, killed, frozen, upgraded, removed; each in a box of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from firmware_bridge import VERSION
from tests.deploy.boxes.box import CONFIG, CONSOLE, GAME, PACKAGES, STATE, UNIT, Box
from tests.firmware_bridge.console.certificate import made
from tests.patience import eventually
from tests.places import ROOT

pytestmark = pytest.mark.root

OVER_TLS = """
import ssl, urllib.error, urllib.request
context = ssl.create_default_context(cafile="/etc/truedeal/console.pem")
def status(path):
    try:
        return urllib.request.urlopen("https://127.0.0.1:8790" + path, timeout=100, context=context).status
    except urllib.error.HTTPError as error:
        return error.code
print(status("/"), status("/api/health"))
"""
START = "ExecStart=/usr/bin/truedeal run --config /etc/truedeal/table.toml"


def test_the_package_installs_and_the_unit_becomes_ready(box: Box) -> None:
    """After the installation the unit is enabled, runs as its own user, and hears its devices."""
    box.happens()
    assert "active" == box.state()
    assert "enabled" == box.container.run("systemctl", "is-enabled", UNIT)
    assert "truedeal" == box.container.run("stat", "--format=%U", f"/proc/{box.pid()}")
    assert [1, 2, 3, 4, 5] == box.journal()
    assert GAME in box.container.shows(UNIT, "StatusText")


def test_the_console_serves_the_page_on_loopback(box: Box) -> None:
    """Enabled and ready too, it has page, scene, health and history."""
    box.happens()
    assert "active" == box.state(CONSOLE)
    assert "enabled" == box.container.run("systemctl", "is-enabled", CONSOLE)
    assert "http://127.0.0.1:8790/" == box.container.shows(CONSOLE, "StatusText")
    status, page = box.page("/")
    assert (200, True) == (status, page.startswith("<!doctype html>"))
    assert [200, 200, 200] == [box.page(path)[0] for path in ("/static/app.js", "/api/health", "/api/rounds")]
    _, stream = box.page("/api/stream")
    assert f'"game":"{GAME}"' in stream


def test_the_console_reads_the_journal_and_neither_keys_nor_configuration(box: Box) -> None:
    """As a user of its own, by the daemon's group, it reads what the group may and writes nowhere."""
    pid = box.container.shows(CONSOLE, "MainPID")
    user, group = box.container.run("stat", "--format=%u %g", f"/proc/{pid}").split()
    assert 61184 <= int(user) <= 65519, "a user that exists while it runs"
    rights = ["setpriv", f"--reuid={user}", f"--regid={group}", "--groups=truedeal,truedeal-control,truedeal-audit"]
    inside = ["nsenter", "--target", pid, "--mount", *rights]
    read = [f"{STATE}/signing.pub", f"{STATE}/signing.key", CONFIG]
    assert [True, False, False] == [box.container.succeeds(*inside, "cat", file) for file in read]
    written = [f"{STATE}/x", "/run/truedeal/x", "/etc/x", "/usr/lib/truedeal/x"]
    assert [] == [file for file in written if box.container.succeeds(*inside, "touch", file)]
    for name in ("read", "control"):
        assert box.container.succeeds(*inside, "test", "-w", f"/run/truedeal/{name}.sock")
    box.container.run("systemctl", "stop", UNIT)
    assert (200, 200) == (box.page("/")[0], box.page("/api/rounds")[0])


def test_the_console_has_a_certificate_as_the_handbook_says(box: Box, tmp_path: Path) -> None:
    """With the drop-in of the handbook it serves by TLS; the page comes, and the rest needs a login."""
    found = re.search(r"```ini\n(.*?)```", (ROOT / "deploy/HANDBOOK.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    lines = [line.strip().replace("192.0.2.7", "127.0.0.1") for line in found[1].splitlines()]
    tls = made(tmp_path)
    for file, path in ((tls.certificate, "/etc/truedeal/console.pem"), (tls.key, "/etc/truedeal/console.key")):
        box.container.write(path, file.read_text(encoding="ascii"))
        box.container.run("chmod", "0600", path)
    box.container.run("mkdir", "-p", f"/etc/systemd/system/{CONSOLE}.d")
    box.container.write(f"/etc/systemd/system/{CONSOLE}.d/override.conf", "\n".join(lines) + "\n")
    box.container.run("systemctl", "daemon-reload")
    box.container.run("systemctl", "restart", CONSOLE)
    assert "https://127.0.0.1:8790/" == box.container.shows(CONSOLE, "StatusText")
    assert "200 401" == box.container.run("python3", "-c", OVER_TLS)


def test_a_killed_console_is_back_and_the_daemon_has_not_noticed(box: Box) -> None:
    """After kill -9 systemd restarts it; the daemon's process is the same, and so is its journal."""
    pid = box.pid()
    before = box.pid(CONSOLE)
    box.container.run("sh", "-c", f"kill -KILL {before}")
    box.happens()
    eventually(lambda: box.pid(CONSOLE) not in {before, 0} and box.state(CONSOLE) == "active")
    assert 200 == box.page("/")[0]
    assert (pid, [1, 2, 3, 4, 5]) == (box.pid(), box.journal())


def test_only_the_group_reaches_configuration_journal_and_socket(box: Box) -> None:
    """The daemon alone reads the keys of its configuration; journal and sockets each have a group of their own."""
    sockets = [f"/run/truedeal/{name}.sock" for name in ("control", "read")]
    paths = ["/etc/truedeal", CONFIG, STATE, "/run/truedeal", *sockets]
    expected = [
        "750 root truedeal",
        "600 truedeal root",
        "2750 truedeal truedeal-audit",
        "755 truedeal truedeal-audit",
        "660 truedeal truedeal-control",
        "660 truedeal truedeal",
    ]
    assert expected == box.container.run("stat", "--format=%a %U %G", *paths).splitlines()


def test_the_installed_unit_and_rules_are_read_without_a_word(box: Box) -> None:
    """Where everything that they name is installed, systemd and udev have nothing to say about them."""
    assert "" == box.container.run("systemd-analyze", "verify", UNIT, CONSOLE)
    said = box.container.run("udevadm", "test", "/sys/class/mem/null", check=False)
    assert "rules.d/60-truedeal.rules" in said
    assert [] == [line for line in said.splitlines() if "60-truedeal.rules:" in line]


def test_what_the_daemon_needs_works_inside_its_walls(box: Box) -> None:
    """With the unit's own restrictions everything that the daemon does is possible, and what it never does is not."""
    box.container.write(
        "/usr/share/truedeal/probe.py", (Path(__file__).parent / "boxes" / "probe.py").read_text(encoding="utf-8")
    )
    unit = box.container.run("cat", f"/usr/lib/systemd/system/{UNIT}")
    for line, other in (
        ("Type=notify", "Type=oneshot"),
        ("Restart=always", "Restart=no"),
        (START, "ExecStart=/usr/bin/python3 -ISB /usr/share/truedeal/probe.py"),
    ):
        assert line in unit.splitlines()
        unit = unit.replace(line, other)
    box.container.write("/run/systemd/system/truedeal-probe.service", unit)
    box.container.run("systemctl", "daemon-reload")
    box.container.run("systemctl", "start", "truedeal-probe.service")
    found = json.loads(box.container.run("cat", f"{STATE}/probe.json"))
    assert {} == {name: what for name, what in found["needed"].items() if what != "works"}
    assert {} == {name: what for name, what in found["closed"].items() if what == "works"}


def test_a_killed_daemon_is_back_with_its_journal(box: Box) -> None:
    """After kill -9 systemd restarts it, and it goes on where the journal ends."""
    box.happens()
    before, pid = box.journal(), box.pid()
    box.signal("KILL")
    box.happens()
    assert [1, 2, 3, 4, 5] == before
    assert [*range(1, 11)] == box.journal()
    assert pid != box.pid()
    assert 1 <= int(box.container.shows(UNIT, "NRestarts"))  # more than once, if the machine is busy


def test_a_frozen_daemon_is_replaced_and_keeps_its_journal(box: Box) -> None:
    """A loop that no longer turns feeds no watchdog; systemd ends it, restarts it, and nothing is lost."""
    box.happens()
    pid = box.pid()
    box.signal("STOP")
    box.happens()
    assert [*range(1, 11)] == box.journal()
    assert pid != box.pid()
    assert "Watchdog timeout" in box.container.run("journalctl", "--no-pager", "--unit", UNIT)


def test_an_upgrade_keeps_configuration_and_journal(box: Box, second: Path) -> None:
    """The next package stops the daemon, replaces it and starts it; events that came meanwhile are not lost."""
    box.happens()
    configuration = box.container.run("cat", CONFIG)
    box.install(second)
    box.happens()
    assert ("active", "active") == (box.state(), box.state(CONSOLE))
    assert [*range(1, 11)] == box.journal()
    assert configuration == box.container.run("cat", CONFIG)
    assert second.name.split("_")[1] == box.container.run("dpkg-query", "--show", "--showformat=${Version}", "truedeal")


def test_a_package_that_refuses_the_table_leaves_the_daemon_that_runs(box: Box, second: Path) -> None:
    """It says why. A daemon that is then started by hand is refused once and not tried again."""
    box.happens()
    pid = box.pid()
    box.container.run("sed", "--in-place", "/^open = true$/d", CONFIG)
    box.install(second)
    box.happens()
    assert (pid, "active") == (box.pid(), box.state())
    assert [*range(1, 11)] == box.journal()
    assert not box.container.succeeds("systemctl", "restart", UNIT)
    shown = [box.container.shows(UNIT, name) for name in ("ActiveState", "ExecMainStatus", "NRestarts")]
    assert ["failed", "78", "0"] == shown
    assert "nobody may log in" in box.container.run("journalctl", "--no-pager", "--unit", UNIT)


def test_a_rollback_is_the_earlier_package_installed_again(box: Box, first: Path, second: Path) -> None:
    """The package before can be installed over the one after, and runs on the same journal."""
    box.install(second)
    box.happens()
    box.install(first)
    box.happens()
    assert "active" == box.state()
    assert [*range(1, 11)] == box.journal()


def test_removal_stops_the_unit_and_keeps_the_records(box: Box, first: Path) -> None:
    """Removed, the daemon and its files are gone; configuration and journal stay and serve the next installation.

    In between, the package of the simulator can be installed, which it never can beside the table's, and plays.
    """
    box.happens()
    simulator = f"{PACKAGES}/{first.name.replace('truedeal_', 'truedeal-sim_')}"
    assert not box.container.succeeds("dpkg", "--install", simulator)
    box.container.run("dpkg", "--purge", "truedeal-sim")
    box.happens()
    box.container.run("dpkg", "--remove", "truedeal")
    assert ("inactive", "inactive") == (box.state(), box.state(CONSOLE))
    gone = ["/usr/bin/truedeal", "/usr/lib/truedeal", "/usr/share/truedeal"]
    gone += [f"/lib/systemd/system/{unit}" for unit in (UNIT, CONSOLE)]
    assert [] == [path for path in gone if box.container.succeeds("test", "-e", path)]
    assert [*range(1, 11)] == box.journal()
    assert box.container.succeeds("test", "-e", CONFIG)
    box.container.run("dpkg", "--install", simulator)
    assert "not a release: /usr/lib/truedeal-sim" in box.container.run("truedeal-sim", "--version")
    played = box.container.run("truedeal-sim", "sim", "--game", GAME, "--rounds", "1", "--in-process", "--seed", "1")
    assert "done: 1 round" in played
    box.container.run("dpkg", "--purge", "truedeal-sim")
    box.install(first)
    box.happens()
    assert [*range(1, 16)] == box.journal()


def test_purging_keeps_the_evidence_alone(box: Box) -> None:
    """Purged, configuration and keys are gone; the journal is whole, and still belongs to its user."""
    box.happens()
    before = box.journal()
    assert "the journal stays in /var/lib/truedeal" in box.container.run("dpkg", "--purge", "truedeal")
    left = box.container.run(
        "find", "/etc", "/var/lib", "/usr", "/run", "-xdev", "-name", "*truedeal*", "-not", "-path", "/var/lib/dpkg/*"
    )
    assert STATE == left
    assert before == box.journal()
    assert "truedeal" == box.container.run("stat", "--format=%U", STATE)
    # A unit that systemd remembers only by name, because another one named it, is "not-found": nothing is left of it.
    left = "--state=loaded,active,activating,failed"
    assert "" == box.container.run("systemctl", "list-units", "--all", "--plain", "--no-legend", left, "truedeal*")


def doctor(box: Box) -> str:
    """Return what the doctor says, once the program has been checked."""
    said: list[str] = []

    def checked() -> bool:
        said.append(box.container.run("truedeal", "doctor", check=False))
        return "program: is being checked" not in said[-1]

    eventually(checked)
    return said[-1]


def test_a_changed_program_is_found_at_its_start(box: Box) -> None:
    """As installed it is whole; with one byte of byte code changed it says so, and identity names the file."""
    box.happens()
    identity = box.container.run("truedeal", "identity")
    assert "state: whole" in identity
    (digest,) = re.findall(r"^digest: (\w+)$", identity, re.MULTILINE)
    assert f"truedeal {VERSION}\nprogram {digest}" == box.container.run("truedeal", "--version")
    assert "signed by 'test', every file as listed" in doctor(box)
    name = "firmware_bridge/commands/__pycache__/play.cpython-311.pyc"
    box.container.run("sh", "-c", f"printf x >>/usr/lib/truedeal/{name}")
    assert f"{name}: has changed" in box.container.run("truedeal", "identity", check=False)
    box.container.run("systemctl", "restart", UNIT)
    box.happens()
    assert f"!!  program: {name}: has changed" in doctor(box)
    said = box.container.run("truedeal", "say", "place-bets", check=False)
    assert "the program is not what its maker has signed" in said
