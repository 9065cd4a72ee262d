"""The restore drill of the handbook, carried out as it stands there: backup, damage, restore, verify."""

from __future__ import annotations

import re

import pytest

from tests.deploy.boxes.box import STATE, Box
from tests.places import ROOT

TEXT = (ROOT / "deploy/HANDBOOK.md").read_text(encoding="utf-8")
CHAPTER = TEXT.partition("\n## Backup and restore\n")[2].partition("\n## ")[0]
BLOCKS = re.findall(r"```sh\n(.*?)```", CHAPTER, re.DOTALL)
BACKUP, LOOK, RESTORE = BLOCKS


def carry_out(box: Box, block: str) -> str:
    """Run the commands of a block, as a person who types them and stops at the first that fails; return the output."""
    return box.container.run("sh", "-euc", block)


def test_the_chapter_has_a_block_for_each_step() -> None:
    """Backup, a look at the backup, and the restore; the last two end with the journal verified."""
    assert 3 == len(BLOCKS)
    assert [True, True] == [block.splitlines()[-1].startswith("truedeal verify ") for block in (LOOK, RESTORE)]


@pytest.mark.root
def test_a_damaged_journal_is_restored_as_the_handbook_says(box: Box) -> None:
    """The backup is whole, the damage is found, and after the restore the journal is whole and goes on."""
    box.happens()
    carry_out(box, BACKUP)
    assert "whole: " in carry_out(box, LOOK)
    before = box.journal()
    box.container.run("systemctl", "stop", "truedeal")
    (journal,) = box.container.run("sh", "-c", f"ls {STATE}/journal-*.db").split()
    box.container.run("dd", "if=/dev/zero", f"of={journal}", "bs=512", "count=8", "conv=notrunc")
    assert not box.container.succeeds("truedeal", "verify", STATE)
    said = carry_out(box, RESTORE)
    assert "whole: " in said
    assert box.container.succeeds("test", "-e", f"/srv/damaged/{journal.rpartition('/')[2]}")
    box.happens()
    assert [*before, *range(len(before) + 1, len(before) + 6)] == box.journal()
