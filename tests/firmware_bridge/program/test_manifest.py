"""The signed list of the program's files: every change is named, and nobody but a trusted maker signs."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import pytest

from deploy.sign import main, make
from firmware_bridge.program import manifest
from tests.firmware_bridge.program.signed import FILES, Program

PYC = "firmware_bridge/__pycache__/cli.cpython-311.pyc"


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Return a signed program."""
    return Program(tmp_path)


def wrong(program: Program) -> list[str]:
    """Return what is wrong with a program."""
    found = manifest.read(program.folder, program.makers)
    differences = [each for each in manifest.differences(program.folder, found.files) if each]
    return ([found.wrong] if found.wrong else []) + differences


def test_a_program_as_it_was_signed_has_no_difference(program: Program) -> None:
    """Every file is listed with its size and digest; the list names who signed it."""
    found = manifest.read(program.folder, program.makers)
    assert [] == wrong(program)
    assert (set(FILES), "test") == (set(found.files), found.signer)
    assert (0, blake2b(digest_size=32).hexdigest()) == found.files["empty.typed"]
    assert blake2b((program.folder / "manifest.json").read_bytes(), digest_size=32).hexdigest() == found.digest


def linked(folder: Path) -> None:
    """Put a link to the same bytes in place of a file."""
    (folder / "empty.typed").rename(folder.parent / "e")
    (folder / "empty.typed").symlink_to(folder.parent / "e")


def piped(folder: Path) -> None:
    """Put a pipe, which nobody writes to, in place of a file."""
    (folder / "empty.typed").unlink()
    os.mkfifo(folder / "empty.typed")


def flipped(folder: Path) -> None:
    """Change one bit of a library."""
    (folder / "nacl/_sodium.abi3.so").write_bytes(bytes(199_999) + b"\x01")


CHANGES: dict[str, Callable[[Path], object]] = {
    f"{PYC}: has changed": lambda folder: (folder / PYC).write_bytes(b"x"),
    "nacl/_sodium.abi3.so: has changed": flipped,
    "empty.typed: has changed": lambda folder: (folder / "empty.typed").write_bytes(b"x"),
    "empty.typed: is missing": lambda folder: (folder / "empty.typed").unlink(),
    "sitecustomize.py: is not listed": lambda folder: (folder / "sitecustomize.py").write_bytes(b""),
    ".x: is not listed": lambda folder: (folder / ".x").write_bytes(b""),
    f"empty.typed: cannot be read: {os.strerror(errno.ELOOP)}": linked,
    "empty.typed: cannot be read: it is no plain file": piped,
    "more: is not listed": lambda folder: (folder / "more").symlink_to("/usr"),
}


@pytest.mark.parametrize("said", CHANGES)
def test_every_change_of_a_file_is_named(program: Program, said: str) -> None:
    """Changed, gone, one more, a link or something that is no file at all."""
    CHANGES[said](program.folder)
    assert [said] == wrong(program)


def test_every_byte_of_list_and_signature_counts(program: Program) -> None:
    """Changed anywhere, the list is not the signed one, or the key is not a trusted one."""
    for name, step in ((manifest.MANIFEST, 7), (manifest.SIGNATURE, 1)):
        path = program.folder / name
        good = path.read_bytes()
        for at in range(0, len(good), step):
            path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
            changed = manifest.read(program.folder, program.makers)
            assert changed.wrong or json.loads(path.read_bytes()) == json.loads(good), (name, at)
        path.write_bytes(good)
    assert [] == wrong(program)


def test_a_program_signed_by_somebody_else_is_not_believed(program: Program, tmp_path: Path) -> None:
    """Another key under the trusted name, a key that the table does not have, a name that leads elsewhere."""
    trusted, folder = program.key, tmp_path / "other"
    folder.mkdir()
    program.key = make(folder / "key")
    program.sign()
    assert "manifest.json is not what the key 'test' has signed" == wrong(program)[0]
    for name, said in (("other", "which this table does not trust"), ("../other/key", "names no key")):
        proof = json.loads((program.folder / "manifest.sig").read_text(encoding="ascii")) | {"key": name}
        (program.folder / "manifest.sig").write_text(json.dumps(proof), encoding="ascii")
        assert said in wrong(program)[0]
    program.key = trusted
    program.sign()
    assert [] == wrong(program)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"manifest": 2}', b"\xff", b"[" * 100_000, bytes(9_000_000)])
def test_what_is_no_list_is_told(program: Program, content: bytes) -> None:
    """Whatever lies there, it is one line, and nothing raises."""
    for name in (manifest.MANIFEST, manifest.SIGNATURE):
        good = (program.folder / name).read_bytes()
        program.write(name, content)
        assert manifest.read(program.folder, program.makers).wrong
        program.write(name, good)
    (program.folder / manifest.SIGNATURE).unlink()
    assert "manifest.sig cannot be read: No such file or directory" == wrong(program)[0]


def test_the_answer_to_a_challenge_needs_every_byte(program: Program) -> None:
    """It is keyed by the challenge over the files' own bytes, not over the digests in the list."""
    files = manifest.read(program.folder, program.makers).files
    expected = blake2b(key=b"7 of clubs", digest_size=32)
    for name in sorted(FILES):
        expected.update(name.encode() + b"\0" + len(FILES[name]).to_bytes(8, "little") + FILES[name])
    assert expected.hexdigest() == manifest.answer(program.folder, files, "7 of clubs")
    assert expected.hexdigest() != manifest.answer(program.folder, files, "8 of clubs")
    program.write("firmware_bridge/cli.py", b"print('CARDS')\n")
    assert expected.hexdigest() != manifest.answer(program.folder, files, "7 of clubs")
    for challenge in ("", "x" * 65):
        with pytest.raises(ValueError, match="1 to 64 bytes"):
            manifest.answer(program.folder, files, challenge)


def test_the_same_files_and_key_give_the_same_bytes(program: Program, tmp_path: Path) -> None:
    """The command of the package build writes what the table reads."""
    names = (manifest.MANIFEST, manifest.SIGNATURE)
    before = [(program.folder / name).read_bytes() for name in names]
    version = manifest.read(program.folder, program.makers).version
    key = str(tmp_path / "test")
    assert 0 == main([str(program.folder), "--version", version, "--name", "test", "--key", key])
    assert before == [(program.folder / name).read_bytes() for name in names]
    assert 0o600 == (tmp_path / "test").stat().st_mode & 0o777
