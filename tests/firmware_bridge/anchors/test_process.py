"""``truedeal anchor``: each signed head goes to files and to a real syslog server over TLS."""

from __future__ import annotations

import json
import os
import re
import socket
import threading
from pathlib import Path

import pytest

from firmware_bridge.audit import outside_heads
from firmware_bridge.journal.signed import signing
from firmware_bridge.journal.signed.signing import NOTHING, Head, Signer
from tests.firmware_bridge.anchors.servers import Anchoring, anchoring, authority, needs_rsyslog, syslog
from tests.firmware_bridge.audit.conftest import Command, truedeal
from tests.firmware_bridge.audit.journals import made, rounds
from tests.patience import eventually

__all__ = ["truedeal"]  # pytest finds it by its name here
LINE = re.compile(r"<109>1 \d{4}-\d\d-\d\dT\S+ \S+ truedeal \d+ head - (\{.*\})")


def publish(state: Path, number: int) -> Head:
    """Publish a signed head with this number."""
    state.mkdir(exist_ok=True)
    head = Signer(bytes(range(32))).sign(Head(bytes(16), 1, number, number * 10, bytes(32), NOTHING, NOTHING, b""))
    signing.publish(state, head)
    return head


def heads(lines: list[str]) -> list[int]:
    """The numbers of the heads in these lines."""
    return [json.loads(line[line.index("{") :])["number"] for line in lines]


def of_file(path: Path) -> list[int]:
    """The numbers of the heads in a file."""
    return heads(path.read_text(encoding="ascii").splitlines()) if path.exists() else []


def test_a_file_gets_a_line_a_head_which_an_audit_takes(tmp_path: Path, truedeal: Command) -> None:
    """What is there at the start, and what comes; `verify --anchors` exits with 0 then."""
    state, file = tmp_path / "state", tmp_path / "elsewhere"
    made(state, rounds(1))
    with anchoring(tmp_path / "anchor", state, f"file:{file}") as running:
        eventually(lambda: of_file(file))
        made(state, rounds(1))
        published = signing.published(state / signing.HEAD)
        eventually(lambda: outside_heads.read_anchors(file, state).heads[-1] == published)
        eventually(lambda: running.status(f"file:{file}")["n"] == published.n if published else False)
        assert 0 == running.end()
    assert 0 == truedeal("verify", state, "--anchors", file)[0]


@needs_rsyslog
def test_a_syslog_server_gets_a_line_a_head_over_tls(tmp_path: Path, truedeal: Command) -> None:
    """In RFC 5424; what it has written can be given to an audit as it is."""
    state, folder = tmp_path / "state", tmp_path / "syslog"
    made(state, rounds(1))
    authority(folder, "localhost")
    with syslog(folder) as server:
        target = f"syslog+tls:localhost:{server.port}"
        with anchoring(tmp_path / "anchor", state, target, ca=folder / "ca.pem") as running:
            eventually(server.received)
            assert 0 == running.end()
        found = LINE.fullmatch(server.received()[-1])
        assert found is not None
        assert signing.published(state / signing.HEAD) == signing.read(json.loads(found[1]))
    assert 0 == truedeal("verify", state, "--anchors", folder / "received.log")[0]


@needs_rsyslog
def test_a_connection_that_was_cut_loses_no_newest_head(tmp_path: Path) -> None:
    """The server goes and comes back: what was published last is there, what was superseded need not be."""
    state, folder = tmp_path / "state", tmp_path / "syslog"
    authority(folder, "localhost")
    publish(state, 1)
    with syslog(folder) as server:
        target = f"syslog+tls:localhost:{server.port}"
        with anchoring(tmp_path / "anchor", state, target, ca=folder / "ca.pem") as running:
            eventually(lambda: heads(server.received())[-1:] == [1])
            server.stop()
            for number in (2, 3, 4):
                publish(state, number)
            eventually(lambda: running.status(target)["problem"])
            server.start()
            eventually(lambda: heads(server.received())[-1:] == [4])
            eventually(lambda: running.status(target)["n"] == 40)
            assert "" == running.status(target)["problem"]


@needs_rsyslog
@pytest.mark.parametrize("wrong", ["another name", "another authority"])
def test_a_server_that_is_another_gets_nothing(tmp_path: Path, wrong: str) -> None:
    """Its certificate is for another name, or from an authority that nobody named; a file goes on beside it."""
    state, folder, file = tmp_path / "state", tmp_path / "syslog", tmp_path / "file"
    authority(folder, "localhost", "elsewhere.example")
    authority(tmp_path / "other", "localhost")
    publish(state, 1)
    ca = (folder if wrong == "another name" else tmp_path / "other") / "ca.pem"
    with syslog(folder, "elsewhere.example" if wrong == "another name" else "localhost") as server:
        target = f"syslog+tls:localhost:{server.port}"
        with anchoring(tmp_path / "anchor", state, target, f"file:{file}", ca=ca) as running:
            eventually(lambda: "certificate is not accepted" in running.status(target)["problem"])
            eventually(lambda: of_file(file) == [1])
        assert [] == server.received()


def test_a_server_that_does_not_read_keeps_nobody_waiting(tmp_path: Path) -> None:
    """It takes the connection and says nothing: a file gets its heads all the same, and the process ends at once."""
    state, file = tmp_path / "state", tmp_path / "file"
    publish(state, 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken: list[socket.socket] = []
        threading.Thread(target=lambda: taken.append(server.accept()[0]), daemon=True).start()
        target = f"syslog+tls:127.0.0.1:{server.getsockname()[1]}"
        with anchoring(tmp_path / "anchor", state, target, f"file:{file}") as running:
            eventually(lambda: taken)
            publish(state, 2)
            eventually(lambda: of_file(file)[-1:] == [2])
            assert 0 == running.end()
        taken[0].close()


def test_a_folder_that_is_away_is_told_and_served_when_it_is_back(tmp_path: Path) -> None:
    """No folder is made in its place: that would lie on our own disk."""
    state, mount = tmp_path / "state", tmp_path / "mount"
    publish(state, 1)
    target = f"file:{mount / 'heads'}"
    with anchoring(tmp_path / "anchor", state, target) as running:
        eventually(lambda: "No such file" in running.status(target)["problem"])
        publish(state, 2)
        assert not mount.exists()
        mount.mkdir()
        eventually(lambda: of_file(mount / "heads") == [2])
        eventually(lambda: running.status(target) | {"since": 0} == {"n": 20, "problem": "", "since": 0})


def test_a_link_in_the_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    """It may lead to anything that this user can write."""
    state, victim, link = tmp_path / "state", tmp_path / "victim", tmp_path / "link"
    publish(state, 1)
    victim.write_text("mine", encoding="ascii")
    link.symlink_to(victim)
    with anchoring(tmp_path / "anchor", state, f"file:{link}") as running:
        eventually(lambda: running.status(f"file:{link}")["problem"])
    assert "mine" == victim.read_text(encoding="ascii")


def test_what_is_no_head_goes_nowhere(tmp_path: Path) -> None:
    """Half a file, or none."""
    state, file = tmp_path / "state", tmp_path / "file"
    state.mkdir()
    running = Anchoring(tmp_path / "anchor", state, f"file:{file}")
    (state / signing.HEAD).write_text("{", encoding="ascii")
    os.utime(state / signing.HEAD, (1, 1))
    publish(state, 3)
    eventually(lambda: of_file(file) == [3])
    assert 0 == running.end()
