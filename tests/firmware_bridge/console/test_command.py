"""``truedeal console`` as a process: where it listens, what it refuses, how it ends, and the daemon's death."""

from __future__ import annotations

import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.console.listening import LEFT
from firmware_bridge.console.settings import checked, listen
from firmware_bridge.console.web.errors import ConsoleError
from firmware_bridge.console.web.server import GRACE
from hal_sim.table.sim_table import SimTable
from tests.deploy.test_notify import Manager
from tests.firmware_bridge.console.process import over_unix, refused, running
from tests.patience import PATIENCE
from tests.places import ROOT

GET = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(
    "said", ["", "8790", ":8790", "localhost", "localhost:", "localhost:http", "[::1]:65536", "h:²"]
)
def test_what_is_no_address_is_refused(said: str) -> None:
    """A host and a port, nothing else."""
    with pytest.raises(ConsoleError, match="expected HOST:PORT"):
        listen(said)


@pytest.mark.parametrize("said", ["127.0.0.1:80", "127.9.9.9:1", "localhost:0", "[::1]:8790"])
def test_loopback_needs_no_certificate(said: str) -> None:
    """Only this computer reaches it."""
    assert listen(said) == checked(listen(said), None)


@pytest.mark.parametrize("said", ["0.0.0.0:8790", "[::]:8790", "192.0.2.1:1", "table.example:8790", "localhost.evil:1"])
def test_any_other_address_needs_one(said: str) -> None:
    """What others reach is never served in the clear."""
    with pytest.raises(ConsoleError, match="needs --tls-cert and --tls-key"):
        checked(listen(said), None)
    assert not listen(said).loopback


def test_the_process_refuses_an_open_address() -> None:
    """Said in one line, with status 2, and nothing was listened at."""
    status, said = refused("--listen", "0.0.0.0:0")
    assert (2, 1) == (status, said.count("\n"))
    assert "truedeal console: --listen 0.0.0.0:0: an address that others reach needs --tls-cert and --tls-key" in said


def test_an_address_in_use_is_said() -> None:
    """Who has it already keeps it."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        status, said = refused("--listen", f"127.0.0.1:{other.getsockname()[1]}")
    assert (2, True) == (status, said.endswith("Address already in use\n"))


def test_a_certificate_needs_its_key(tmp_path: Path) -> None:
    """One without the other, or files that hold neither, are refused."""
    assert (2, "truedeal console: --tls-cert and --tls-key belong together\n") == refused("--tls-cert", "x")
    empty = tmp_path / "empty.pem"
    empty.write_text("", encoding="ascii")
    empty.chmod(0o600)
    for name in (str(empty), str(tmp_path / "nothing.pem")):
        status, said = refused("--tls-cert", name, "--tls-key", name)
        assert (2, 1, True) == (status, said.count("\n"), said.startswith("truedeal console: --tls-cert"))


def test_without_its_libraries_it_says_what_to_install(tmp_path: Path) -> None:
    """The extra is named; nothing of the kind is asked of other commands."""
    for name in ("starlette", "uvicorn"):
        (tmp_path / f"{name}.py").write_text("", encoding="ascii")
    program = tmp_path / "sitecustomize.py"
    program.write_text(
        "import importlib.util as util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name in ('starlette', 'uvicorn') else find(name, *more)\n",
        encoding="ascii",
    )
    status, said = refused("--listen", "127.0.0.1:0", PYTHONPATH=str(tmp_path))
    expected = "truedeal console: starlette and uvicorn missing, install the extra: pip install 'truedeal[console]'\n"
    assert (2, expected) == (status, said)


def test_a_unix_socket_is_for_owner_and_group(tmp_path: Path) -> None:
    """Mode 0660 whatever the mask, in place of what an earlier run has left, and gone at the end."""
    path = tmp_path / "web.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    with running("--control", str(tmp_path / "none"), "--socket", str(path)) as console:
        assert str(path) == console.where
        assert (0o660, True) == (stat.S_IMODE(path.stat().st_mode), stat.S_ISSOCK(path.stat().st_mode))
        assert b"HTTP/1.1 200 OK" == over_unix(path, GET)
        assert b"HTTP/1.1 421 Misdirected Request" == over_unix(path, GET.replace("localhost", "evil.example"))
        console.ends()
    assert not path.exists()


def test_a_file_in_the_way_is_not_removed(tmp_path: Path) -> None:
    """Only a socket is replaced."""
    path = tmp_path / "web.sock"
    path.write_text("mine", encoding="ascii")
    assert 2 == refused("--socket", str(path))[0]
    assert "mine" == path.read_text(encoding="ascii")


def test_it_ends_in_order_and_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Open streams and idle connections do not hold it up; the service manager hears of beginning and end.

    What it waits for at most is less than a second; a busy machine takes its own time besides.
    """
    assert GRACE + LEFT < 1.0
    manager = Manager(str(tmp_path / "notify"))
    request.addfinalizer(manager.socket.close)
    manager.socket.setblocking(True)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with running("--control", str(tmp_path / "none"), "--listen", "127.0.0.1:0") as console:
        heard = [manager.socket.recv(4096).decode() for _ in range(2)]
        assert [f"STATUS={console.where}", "READY=1"] == heard
        streams = [console.stream() for _ in range(5)]
        for stream in streams:
            stream.next("gone")
        idle = console.connect()
        idle.request("GET", "/api/session")
        idle.getresponse().read()
        console.ends()
        assert "STOPPING=1" == manager.socket.recv(4096).decode()
        for stream in streams:
            with pytest.raises(EOFError):
                stream.next("never")
            stream.close()
        idle.close()


def test_the_console_outlives_the_daemon(seed: int) -> None:
    """Killed and started again, the daemon is gone and back for the page, which goes on by itself."""
    with (
        SimTable(seed=seed, names=("shoe",)) as table,
        running("--config", str(table.config_path), "--listen", "127.0.0.1:0") as console,
    ):
        stream = console.stream()
        assert "idle" == stream.next("scene")[1]["state"]
        table.kill()
        assert ["reason", "remedy"] == list(stream.next("gone")[1])
        assert 200 == console.get("/")[0]
        table.start_daemon()
        assert {} == stream.next("back")[1]
        assert "idle" == stream.next("scene")[1]["state"]
        table.control.ask(do="say", statement="place-bets")
        assert "place-bets" == stream.next("seen")[1]["event"]
        stream.close()
        console.ends()


def test_the_daemon_outlives_the_console(seed: int) -> None:
    """Killed at once, the console takes nothing with it; another one serves in its place."""
    with SimTable(seed=seed, names=("shoe",)) as table:
        arguments = ("--control", str(table.control_path), "--listen", "127.0.0.1:0")
        with running(*arguments) as console:
            stream = console.stream()
            stream.next("scene")
            console.process.kill()
            with pytest.raises(EOFError):
                stream.next("never")
            stream.close()
        assert table.control.ask(do="say", statement="place-bets")["ok"]
        with running(*arguments) as console:
            stream = console.stream()
            assert "betting" == stream.next("scene")[1]["state"]
            stream.close()


def test_it_ends_with_who_started_it(tmp_path: Path) -> None:
    """Tied, it ends when its standard input does."""
    arguments = ("--control", str(tmp_path / "none"), "--listen", "127.0.0.1:0")
    with running(*arguments, "--tied") as console:
        assert console.process.stdin is not None
        console.process.stdin.close()
        assert 0 == console.process.wait(PATIENCE)


def test_no_other_command_loads_its_libraries() -> None:
    """Neither the daemon nor the list of commands imports a web framework."""
    program = "import sys, firmware_bridge.daemon.run\nfrom firmware_bridge import cli\ncli.build_parser()\n"
    program += "print(sorted({'starlette', 'uvicorn', 'h11', 'anyio'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=ROOT)
    assert "[]\n" == done.stdout
