"""S35: the handbook's backup holds the journal and no signing key; purging the package leaves the journal."""

from __future__ import annotations

import re
import shlex
import subprocess
import tarfile
from pathlib import Path

from tests.places import ROOT

TEXT = (ROOT / "deploy/HANDBOOK.md").read_text(encoding="utf-8")
STATE, BACKUP = "/var/lib/truedeal", "/srv/backup-of-truedeal.tar.gz"


def test_the_backup_of_the_handbook_has_everything_but_the_keys(tmp_path: Path) -> None:
    """The line that people type, with folders of this test."""
    state, backup = tmp_path / "state", tmp_path / "backup.tar.gz"
    kept = {"journal-000001.db", "head.json", "signing.pub", "archive/journal-000000.db.gz"}
    for name in (*kept, "signing.key", "keys/000002.seed"):
        path = state / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    (line,) = {line for line in TEXT.splitlines() if line.startswith("tar ") and "-czf" in line}
    subprocess.run(shlex.split(line.replace(STATE, str(state)).replace(BACKUP, str(backup))), check=True)
    with tarfile.open(backup) as packed:
        assert kept == {member.name.removeprefix("./") for member in packed if member.isfile()}


def test_no_other_line_copies_the_state_folder() -> None:
    """Nobody is told to copy the key."""
    copied = re.findall(rf"(?:cp -a|cp -r|rsync)[^\n]*{STATE}[ /]*(?:$|\s)", TEXT, re.MULTILINE)
    assert [] == copied


def test_purging_does_not_touch_the_state_folder() -> None:
    """What the package's own script removes; that it is so on a box, tests/deploy/test_systemd.py shows."""
    script = (ROOT / "deploy/debian/postrm").read_text(encoding="utf-8")
    removed = {word for line in script.splitlines() if line.strip().startswith("rm ") for word in line.split()[2:]}
    assert {"/etc/truedeal", "/run/truedeal"} == removed
