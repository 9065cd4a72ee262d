"""Writes the references for integrators and auditors: ``python -m deploy.reference``, from the top of the repository.

1. Each page lies beside what it describes. What can be read from the code is read from it: names, types, tables,
   bounds, defaults, clauses. What only a person can say, the meaning, stands in the modules of this folder.
2. A name in the code without a meaning here, or the reverse, is an error: nothing is left out silently.
3. A test makes the pages again and compares them with those in the repository.
"""

from __future__ import annotations

from pathlib import Path

from deploy.reference import configuration, console, control, findings, journal

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = {
    "firmware_bridge/control/REFERENCE.md": control.page,
    "firmware_bridge/console/REFERENCE.md": console.page,
    "firmware_bridge/journal/REFERENCE.md": journal.page,
    "firmware_bridge/setup/table.schema.json": configuration.page,
    "gamecore/rules/FINDINGS.md": findings.page,
}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (ROOT / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
