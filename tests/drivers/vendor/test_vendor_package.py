"""The vendor's package at the end of `drivers/README.md`: built, installed, tried, and at work on a table.

1. It is installed without a network into an environment of its own, which sees the packages of the one that tests.
2. The scale is its own bench, on a pseudo-terminal.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import sysconfig
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from firmware_bridge.control.client import ControlClient
from firmware_bridge.journal import segments
from tests.documents import blocks, section, write_files
from tests.patience import PATIENCE
from tests.places import ROOT

PAGE = section((ROOT / "drivers" / "README.md").read_text(encoding="utf-8"), "A whole package")
NAME = "acme-scale"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the package as the page has it; return the folder that holds it."""
    folder = tmp_path_factory.mktemp("vendor")
    write_files(PAGE, folder)
    return folder


@pytest.fixture(scope="module")
def python(package: Path) -> str:
    """Return the Python of an environment in which the package is installed."""
    environment = package / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    ours = sysconfig.get_path("purelib")
    (site / "beside.pth").write_text(f"import site; site.addsitedir({ours!r})\n", encoding="utf-8")
    python = str(environment / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation", str(package / NAME)]
    subprocess.run([*pip, *offline], check=True, cwd=package)
    return python


def test_the_driver_keeps_the_contract(python: str) -> None:
    """The suite finds driver and bench by their entry points and passes on every line."""
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/drivers/test_drivers.py", "-k", NAME]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (0, " passed" in done.stdout) == (done.returncode, True), done.stdout


class Rig:
    """A scale on a pseudo-terminal, which a thread of its own keeps talking."""

    def __init__(self, bench: Any) -> None:
        self._bench, self._lock, self._ended = bench, threading.Lock(), threading.Event()
        self._host, device = pty.openpty()
        tty.setraw(device)
        self.port = os.ttyname(device)
        self._device = device
        bench.opened(time.monotonic())
        self._thread = threading.Thread(target=self._talk)
        self._thread.start()

    def _talk(self) -> None:
        while not self._ended.wait(0.02):
            with self._lock, suppress(OSError):
                now = time.monotonic()
                if self._bench.due() <= now:
                    self._bench.tick(now)
                os.write(self._host, self._bench.outgoing())

    def weigh(self, tenths: int) -> None:
        """Lay something on the scale."""
        with self._lock:
            self._bench.weigh(tenths)

    def unplug(self) -> None:
        """Pull the cable."""
        if not self._ended.is_set():
            self._ended.set()
            self._thread.join()
            os.close(self._device)
            os.close(self._host)


@contextmanager
def running(python: str, config: Path, control: Path) -> Iterator[ControlClient]:
    """Run a daemon and ask it."""
    command = [python, "-m", "firmware_bridge.cli", "run", "--tied", "--config", str(config)]
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as daemon:
        try:
            assert daemon.stdout is not None
            assert b"ready\n" == daemon.stdout.readline()
            with ControlClient(control, PATIENCE) as client:
                yield client
        finally:
            daemon.terminate()
            daemon.communicate()


def bench_of(package: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the bench of the package."""
    monkeypatch.syspath_prepend(package / NAME)
    spec = spec_from_file_location("acme_scale_bench", package / NAME / "acme_scale_bench.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delitem(sys.modules, "acme_scale")
    return module


def test_a_device_of_a_kind_that_nobody_knew_is_at_work_on_a_table(
    python: str, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its count is judged by the game, its own message is noted, its loss is found."""
    scale = Rig(bench_of(package, monkeypatch).Bench())
    (device,) = [block.text for block in blocks(PAGE) if block.file == "table.toml"]
    control, config = tmp_path / "control.sock", tmp_path / "table.toml"
    config.touch(mode=0o600)
    table = f'[table]\nopen = true\ngame = "mbs-blackjack-v6"\nstate = "{tmp_path}/state"\ncontrol = "{control}"\n'
    config.write_text(table + device.replace("/dev/ttyUSB3", scale.port), encoding="utf-8")
    try:
        with running(python, config, control) as client:
            assert {"ok": True} == _said(client.ask(do="link", device=NAME, up=True))
            client.ask(do="watch")
            scale.weigh(63)  # three and a half cards
            scale.weigh(3 * 18)
            assert {"refused": None} == _said(client.ask(do="seen", device=NAME, number=2))
            client.ask(do="status")  # the news of it come after the answer
            assert client.ask(do="health")["health"]["links"][NAME]["link"]["frames"] >= 3
            assert ["discard-count 3"] == [one["seen"]["event"] for one in client.news if "seen" in one]
            scale.unplug()
            assert {"ok": True} == _said(client.ask(do="link", device=NAME, up=False))
            said = client.ask(do="report")["report"]
    finally:
        scale.unplug()
    codes = [finding["code"] for finding in said["findings"]]
    assert ["extra-card", "link-lost"] == codes
    assert "Weight(tenths=63)" in _notes(tmp_path / "state")
    verify = [python, "-m", "firmware_bridge.cli", "verify", str(tmp_path / "state")]
    done = subprocess.run(verify, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("whole"), done.stdout + done.stderr


def _said(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without its number."""
    return {key: value for key, value in answer.items() if key != "id"}


def _notes(state: Path) -> list[str]:
    """Return what the journal notes of the scale."""
    with closing(segments.open_for_reading(segments.segments(state)[-1])) as connection:
        chosen = "SELECT body FROM events WHERE kind = 'note' AND device = ? ORDER BY n"
        return [body for (body,) in connection.execute(chosen, (NAME,))]
