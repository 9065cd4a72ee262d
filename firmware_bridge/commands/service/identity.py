"""``truedeal identity``: which program this is, and whether it is what its maker has signed.

1. It compares every file with the signed manifest now, whatever was found at the start of the daemon, and prints the
   digest that a regulator compares with the approved one. A program that runs from another folder than the installed
   one is ``development``, and nothing is compared, unless ``--folder`` names it.
2. ``--challenge TEXT`` prints the answer to a challenge as well, which nobody can have prepared.
3. A changed program can lie about itself. So an inspector takes their own copy of truedeal and of the maker's key, and
   names the folder of the table's disk: ``--folder``, ``--makers``.
4. Exit status: 0 it is what was signed, 1 it is not, or nobody has signed it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware_bridge.commands.help_text import examples


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "identity",
        help="which program this is, and whether it is the signed one",
        description="Compares every file of the program with the list that its maker has signed; prints its digest.",
        epilog=examples(
            ("truedeal identity", "the program of this computer"),
            ("truedeal identity --challenge 7Q2M", "with an answer that nobody can have prepared"),
            (
                "truedeal identity --folder /mnt/usr/lib/truedeal --makers /media/inspector/makers",
                "the disk of a table, with the inspector's own program and keys",
            ),
            status="Exit status: 0 it is what was signed, 1 it is not.",
        ),
    )
    parser.add_argument("--challenge", metavar="TEXT", help="answer this challenge, 1 to 64 bytes")
    parser.add_argument("--folder", metavar="FOLDER", type=Path, help="look at this one, not at what runs")
    parser.add_argument(
        "--makers",
        metavar="FOLDER",
        type=Path,
        default=Path("/etc/truedeal/makers"),
        help="the public keys that are trusted; /etc/truedeal/makers otherwise",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare the files and print the result; returns the exit status."""
    from firmware_bridge.commands.table.observe import failed, print_json  # noqa: PLC0415
    from firmware_bridge.program import manifest  # noqa: PLC0415
    from firmware_bridge.program.running import CHANGED, DEVELOPMENT, HOME, INSTALLED, WHOLE  # noqa: PLC0415

    folder = args.folder or HOME
    said: dict[str, object] = {"folder": str(folder), "state": DEVELOPMENT}
    wrong: list[str] = []
    if args.folder is not None or HOME == INSTALLED:
        found = manifest.read(folder, args.makers)
        wrong = [found.wrong] if found.wrong else []
        wrong += [each for each in manifest.differences(folder, found.files) if each] if found.digest else []
        said |= {"state": CHANGED if wrong else WHOLE, "version": found.version, "digest": found.digest}
        said |= {"signer": found.signer, "wrong": wrong}
        if args.challenge is not None and found.digest:
            try:
                said["answer"] = manifest.answer(folder, found.files, args.challenge)
            except (ValueError, OSError) as error:
                return failed("identity", str(error))
    if args.json:
        print_json(said)
    else:
        sys.stdout.write("".join(f"{key}: {value}\n" for key, value in said.items() if key != "wrong" and value))
        sys.stdout.write("".join(f"  {each}\n" for each in wrong))
    return 0 if said["state"] == WHOLE else 1
