"""Enrolment: a token of two people gives a table its place, once, and proves both sides to each other."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.cli import main
from firmware_bridge.floor.archive import tokens as kept_tokens
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.centre.door import Door, DoorServer
from firmware_bridge.floor.shipping.enrolling import EnrolError, enrol
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire import nkeys, tokens
from firmware_bridge.floor.wire.tokens import FLOOR, TABLE, Token, TokenError, digest_of, proven, read_proven
from tests.firmware_bridge.anchors.servers import authority, free_port


@pytest.fixture
def door(tmp_path: Path, url: str) -> Iterator[Door]:
    """Return a door that is open."""
    folder = tmp_path / "door"
    authority(folder, "localhost")
    files = (folder / "localhost.pem", folder / "localhost.key", folder / "ca.pem")
    made = Door(
        url,
        "127.0.0.1",
        free_port(),
        *files,
        ["tls://localhost:4222", "tls://b:4222"],
        folder / "users.conf",
        ("UINGEST",),
        floor_key="ab" * 32,
    )
    with DoorServer(made) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield made
        server.shutdown()
        thread.join()


def issue(door: Door, capsys: pytest.CaptureFixture[str], *people: str) -> str:
    """Issue a token on the command line."""
    where = ["--door", f"localhost:{door.port}", "--ca", str(door.ca)]
    assert 0 == main(["floor", "token", "--archive", door.url, "mbs/bj-7", "--by", *people, *where])
    return capsys.readouterr().out.strip()


def test_a_table_is_enrolled_once(door: Door, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It gets its name, the broker's address and the CA; the centre gets its keys; the token counts no more."""
    text = issue(door, capsys, "Ann", "Bob")
    folder = tmp_path / "ship"
    assert 0 == main(["enrol", text, "--state", str(state), "--folder", str(folder)])
    first, *lines = capsys.readouterr().out.splitlines()
    assert "mbs/bj-7 is enrolled: start truedeal-ship" == first
    printed = nkeys.load(folder / "nkey").public
    assert [
        "for the table's configuration:",
        "[centre]",
        'table = "mbs/bj-7"',
        f'nkey = "{printed}"',
        f'key = "{"ab" * 32}"',
        f'# people = "{folder / "people" / "roster.json"}"  # where the floor keeps the people',
    ] == lines[:-3]
    assert ["for anchors.toml:", f'centre = "{folder / "centre.json"}"', f'centre_key = "{"ab" * 32}"'] == lines[-3:]
    assert "ab" * 32 == (folder / "floor.pub").read_text(encoding="ascii")
    assert "TABLE=mbs/bj-7\nNATS=tls://localhost:4222,tls://b:4222\n" == (folder / "ship.env").read_text(
        encoding="ascii"
    )
    assert door.ca.read_bytes() == (folder / "ca.pem").read_bytes()
    assert 0o600 == (folder / "nkey").stat().st_mode & 0o777
    nkey = nkeys.load(folder / "nkey").public
    with Archive.open(door.url) as archive:
        assert [("mbs", "bj-7", nkey)] == archive.tables()
        assert [Source(state).journal()] == [place.journal for place in archive.places()]
    assert door.users is not None
    assert nkey in door.users.read_text(encoding="ascii")
    assert 2 == main(["enrol", text, "--state", str(state), "--folder", str(folder)])
    assert "truedeal enrol: the floor does not take this token\n" == capsys.readouterr().err


def test_a_token_is_issued_by_two_people(door: Door, capsys: pytest.CaptureFixture[str]) -> None:
    """One person twice is refused."""
    where = ["--door", "localhost:1", "--ca", str(door.ca)]
    assert 2 == main(["floor", "token", "--archive", door.url, "mbs/bj-7", "--by", "Ann", "ann", *where])
    assert "two different people" in capsys.readouterr().err


def test_a_token_of_yesterday_counts_no_more(
    door: Door, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lasts a day."""
    monkeypatch.setattr(kept_tokens, "LASTS", -1)
    token = Token.read(issue(door, capsys, "Ann", "Bob"))
    with pytest.raises(EnrolError, match="does not take this token"):
        enrol(token, state, tmp_path / "ship")


def test_a_floor_with_another_authority_learns_nothing(
    door: Door, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The digest in the token decides which CA is believed."""
    token = Token.read(issue(door, capsys, "Ann", "Bob"))
    with pytest.raises(EnrolError, match="the CA of that floor is not the one of the token"):
        enrol(token._replace(authority="0" * 32), state, tmp_path / "ship")
    assert not (tmp_path / "ship" / "ca.pem").exists()


def test_who_knows_the_name_of_a_token_alone_is_refused(
    door: Door, capsys: pytest.CaptureFixture[str], state: Path
) -> None:
    """A proof with another key, and bodies that are none."""
    token = Token.read(issue(door, capsys, "Ann", "Bob"))
    said = {"token": token.id, "nonce": "1", "nkey": "U" * 56, "root": Source(state).root().hex()}
    with DoorServer(door._replace(port=0)) as server:
        for body in (
            proven(bytes(32), TABLE, said),
            proven(token.key, FLOOR, said),
            b"",
            b"{}",
            b"[]",
            b'{"said": "1"}',
        ):
            assert server.enrol(body) is None
        assert server.enrol(proven(token.key, TABLE, {**said, "nkey": 'U" }'})) is None
        assert server.enrol(proven(token.key, TABLE, {**said, "root": "00"})) is None
        answer = server.enrol(proven(token.key, TABLE, said))
    assert answer is not None
    assert "1" == read_proven(token.key, FLOOR, answer)["for"]


def test_a_token_comes_back_from_its_text() -> None:
    """What people pass on is read again; anything else is none."""
    token = Token.make("floor.example:8443", "ab" * 16)
    assert token == Token.read(str(token))
    for text in ("", "abc", str(token)[1:], str(token)[:-1], str(token).replace("@", "")):
        with pytest.raises(TokenError):
            Token.read(text)
    with pytest.raises(TokenError):
        digest_of("nothing")
    with pytest.raises(TokenError):
        read_proven(bytes(32), tokens.TABLE, json.dumps({"said": "{}", "proof": "00"}).encode())


def test_a_crash_burns_no_token(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The token is used and the table enrolled in one transaction: both or neither."""
    token = Token.make("floor.example:8443", "ab" * 16)
    table = Enrolled("mbs", "bj-7", "U")
    with Archive.open(url) as archive:
        kept_tokens.add_token(archive, token, ("mbs", "bj-7"), ("Ann", "Bob"))
        with monkeypatch.context() as patch:
            patch.setattr(archive, "add_journal_within", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                kept_tokens.use_token(archive, token.id, table, bytes(32))
        assert [] == archive.tables()
        assert kept_tokens.use_token(archive, token.id, table, bytes(32))
        assert not kept_tokens.use_token(archive, token.id, table, bytes(32))
