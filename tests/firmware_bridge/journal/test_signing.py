"""The signed head, and the keys that evolve."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.journal.chain import GENESIS
from firmware_bridge.journal.signed import keys, signing
from firmware_bridge.journal.signed.keys import Keys
from firmware_bridge.journal.signed.signing import NOTHING, Head, Head1, Signer

SEED, OTHER = bytes(range(32)), bytes(range(1, 33))
DIGEST = bytes(range(32))


def head(seed: bytes = SEED) -> Head:
    """Return a signed head."""
    made = Head(bytes(16), 3, 12, 7, DIGEST, NOTHING, NOTHING, b"")
    return Signer(seed).sign(made)


def test_a_head_is_verified_by_its_key() -> None:
    """Anything else in it does not fit."""
    good, other = head(), head(OTHER)
    assert signing.verify(good)
    wrong = [
        good._replace(journal=b"\1" * 16),
        good._replace(segment=4),
        good._replace(number=13),
        good._replace(n=8),
        good._replace(n=-1),
        good._replace(n=2**70),
        good._replace(chain=bytes(32)),
        good._replace(records=DIGEST),
        good._replace(snapshot=DIGEST),
        good._replace(signature=other.signature),
        good._replace(key=other.key),
        good._replace(signature=b""),
        good._replace(key=b"short"),
    ]
    assert [False] * len(wrong) == [signing.verify(each) for each in wrong]


def test_what_is_signed_has_fixed_bytes() -> None:
    """A device can check it without a parser, and any later software can."""
    expected = b"truedeal head 2\0" + bytes(16) + bytes([3, 0, 0, 0]) + bytes([12] + [0] * 7) + bytes([7] + [0] * 7)
    expected += DIGEST + bytes(64) + head().key
    assert (180, expected) == (len(head().signed()), head().signed())


def test_a_head_of_edition_1_is_still_verified() -> None:
    """Those that were kept elsewhere stay good for ever."""
    first = Signer(SEED).sign_1(7, DIGEST)
    assert (b"truedeal head" + bytes([7] + [0] * 7) + DIGEST) == first.signed()
    assert (True, False) == (signing.verify(first), signing.verify(first._replace(n=8)))


def test_a_published_head_is_read_or_there_is_none(tmp_path: Path) -> None:
    """Text that is no head is none; one of edition 1 is told apart."""
    path = tmp_path / signing.HEAD
    assert None is signing.published(path)
    signing.publish(tmp_path, head())
    assert head() == signing.published(path)
    whole = json.loads(path.read_text(encoding="ascii"))
    for text in ("", "{", "[]", "null", "7", json.dumps({**whole, "chain": "xyz"}), json.dumps({"n": 1})):
        path.write_text(text, encoding="ascii")
        assert None is signing.published(path)
    path.write_text(json.dumps({"n": 1, "chain": "00", "signature": "01", "key": "02"}), encoding="ascii")
    assert Head1(1, b"\0", b"\1", b"\2") == signing.published(path)


def test_a_key_certifies_the_next_one() -> None:
    """Of this journal and of this segment, and no other."""
    key = Signer(OTHER).public
    said = {"journal": bytes(16).hex(), "segment": 4, "key": key.hex()}
    said |= {"certificate": Signer(SEED).certify(bytes(16), 4, key).hex()}
    assert signing.certified(said, Signer(SEED).public)
    for wrong in ({"segment": 5}, {"journal": "01" * 16}, {"key": "00" * 32}, {"certificate": None}, {"segment": "x"}):
        assert not signing.certified({**said, **wrong}, Signer(SEED).public)
    assert not signing.certified(said, key)


# --- keys -------------------------------------------------------------------------------------------------------------


def test_a_seed_is_for_the_daemon_alone_and_made_once(tmp_path: Path) -> None:
    """One that an earlier try has left is taken."""
    first, again = Keys(tmp_path).make(1), Keys(tmp_path).make(1)
    assert first.public == again.public != Keys(tmp_path).make(2).public
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / keys.FOLDER, tmp_path / keys.FOLDER / "000001.seed")]
    assert [0o700, 0o600] == modes
    assert {first.public, Keys(tmp_path).make(2).public} == Keys(tmp_path).present()


@pytest.mark.parametrize("data", [b"short", bytes(33)])
def test_a_seed_that_is_none_signs_nothing(tmp_path: Path, data: bytes) -> None:
    """What lies in its place is kept when one is made."""
    folder = Keys(tmp_path)
    public = folder.make(1).public
    path = tmp_path / keys.FOLDER / "000001.seed"
    path.write_bytes(data)
    assert None is folder.of(1, public)
    folder.make(1)
    assert data == path.with_name("000001.seed.damaged").read_bytes()


def test_a_seed_of_another_signs_nothing(tmp_path: Path) -> None:
    """The segment names the key that it has."""
    folder = Keys(tmp_path)
    public = folder.make(1).public
    (tmp_path / keys.FOLDER / "000001.seed").write_bytes(SEED)
    assert None is folder.of(1, public)


def test_old_seeds_are_erased(tmp_path: Path) -> None:
    """That of edition 1 too."""
    folder = Keys(tmp_path)
    for number in (1, 2, 3):
        folder.make(number)
    (tmp_path / keys.FIRST).write_bytes(SEED)
    folder.erase_before(3)
    assert (["000003.seed"], False) == (
        [path.name for path in (tmp_path / keys.FOLDER).iterdir()],
        (tmp_path / keys.FIRST).exists(),
    )


def test_the_first_public_key_is_never_overwritten(tmp_path: Path) -> None:
    """It is what the casino has copied."""
    folder = Keys(tmp_path)
    folder.publish_first(DIGEST)
    folder.publish_first(GENESIS)
    assert DIGEST == folder.root()


@dataclass
class Steps:
    """What is done to files, in order."""

    done: list[str]


def test_a_file_is_replaced_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new text is synchronised before it gets its name, and the name after it: one of the two is always there."""
    steps = Steps([])
    fsync, replace = os.fsync, Path.replace

    def synced(handle: int) -> None:
        steps.done.append("synced " + Path(f"/proc/self/fd/{handle}").readlink().name)
        fsync(handle)

    def replaced(self: Path, target: Path) -> Path:
        steps.done.append(f"{self.name} becomes {target.name}")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    signing.publish(tmp_path, head())
    new = f"{signing.HEAD}.new"
    assert [f"synced {new}", f"{new} becomes {signing.HEAD}", f"synced {tmp_path.name}"] == steps.done
