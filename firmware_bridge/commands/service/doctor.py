"""``truedeal doctor``: looks at everything that can be wrong with a table, and says what to do about it.

1. A check is well, a problem with its remedy, or not known: the machine does not tell, or nothing is wrong or right
   about it. Exit status 1 if there is a problem.
2. The daemon is asked for its health; the computer is examined here. Without a daemon the computer is still examined,
   and that no daemon answers is a problem.
3. A link counts as bad when more than the share `BAD` of its frames were thrown away, missing or sent again, once
   `ENOUGH` have gone over it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from firmware_bridge.commands.help_text import examples
from firmware_bridge.commands.table.observe import add_control, print_json, where

BAD, ENOUGH = 0.01, 100
DISK = 500 * 1024 * 1024
"""Bytes of the disk that should be free."""
MEMORY = 200 * 1024 * 1024
RESETS = 10


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was examined; `well` is None where it is neither well nor a problem.

    `code` names what was found and `values` fill its text, for a page that words it in another language.
    """

    name: str
    well: bool | None
    said: str
    remedy: str = ""
    code: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "doctor",
        help="what is wrong with the table, and what to do",
        description="Looks at devices, links, journal, disk, clock, voltage and sensors; each problem has its remedy.",
        epilog=examples(
            ("truedeal doctor", "the table of this computer"),
            ("truedeal doctor --json", "for a program that looks after many tables"),
            status="Exit status: 0 all is well, 1 there is a problem.",
        ),
    )
    add_control(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Examine everything; returns the exit status."""
    checks = examine(where(args))
    if args.json:
        print_json([asdict(check) for check in checks])
    else:
        sys.stdout.write(text(checks))
    return 1 if any(check.well is False for check in checks) else 0


def examine(control: str) -> list[Check]:
    """Every check, of the daemon at a control socket and of this computer."""
    from firmware_bridge.control.client import ControlClient, read_path  # noqa: PLC0415

    try:
        with ControlClient(read_path(control)) as client:
            health: dict[str, Any] = client.ask(do="health")["health"]
    except (ConnectionError, TimeoutError) as error:
        barred = isinstance(error.__cause__, PermissionError)
        return [no_daemon(str(error) or "it does not answer", barred=barred), *of_machine()]
    return [*of_health(health), *of_machine()]


def no_daemon(why: str, *, barred: bool = False) -> Check:
    """The check that no daemon answers; `barred` means that the user may not open its socket."""
    remedy = "Start it: 'systemctl start truedeal'. 'journalctl -u truedeal' says why it ended."
    if barred:
        remedy = "Join the group of its socket, as root: 'adduser NAME truedeal'. Then log in anew."
    return Check("daemon", False, why, remedy, "daemon-gone", {"why": why})


def text(checks: list[Check]) -> str:
    """The checks as a person reads them, problems with their remedy below."""
    marks = {True: "ok", False: "!!", None: "--"}
    lines = []
    for check in checks:
        lines.append(f"{marks[check.well]}  {check.name}: {check.said}")
        if check.well is False:
            lines.append(f"      {check.remedy}")
    count = sum(check.well is False for check in checks)
    lines.append("all is well" if not count else f"{count} problem{'s' if count > 1 else ''}")
    return "".join(f"{line}\n" for line in lines)


# --- the daemon ------------------------------------------------------------------------------------------------------


def of_health(health: Mapping[str, Any]) -> Iterator[Check]:
    """What the daemon's own account says."""
    hours = health["uptime"] / 3600
    told: dict[str, object] = {"version": health["version"], "hours": f"{hours:.1f}"}
    yield Check("daemon", True, f"version {health['version']}, up for {hours:.1f} hours", "", "daemon", told)
    yield _program(health["program"])
    memory = health["memory"]
    fits = None if memory is None else memory < MEMORY
    remedy = "Restart the daemon between two rounds, and send a bundle: it should not grow."
    size = "not told" if memory is None else f"{memory / 1e6:.0f} MB"
    yield Check("memory", fits, size, remedy, "not-told" if memory is None else "memory", {"size": size})
    for name, link in health["links"].items():
        yield from _link(name, link)
    yield from _journal(health["journal"], health["disk"])
    yield from _anchors(health["anchors"])
    yield from _table(health["table"], set(health["links"]))
    yield from _shufflers(health["shufflers"] or ())
    if health["open"]:
        yield Check("roles", None, "open table: anyone at the control socket may do everything", "", "open-table")
    else:
        yield from _people(health["people"])


def _people(people: dict[str, Any]) -> Iterator[Check]:
    """Who may log in."""
    many: dict[str, object] = {"people": people["many"]}
    yield Check("roles", True, f"{people['many']} people may log in", "", "roles", many)
    if not people["changeable"]:
        said = "the list cannot be changed: that needs a shift manager and another person of pit manager or above"
        yield Check("people", None, said, "", "people-unchangeable")
    if people["left"]:
        said = "[roles] of the configuration was taken over and counts no longer: take it out"
        yield Check("people", None, said, "", "people-left")


def _program(program: dict[str, Any]) -> Check:
    """Whether the program is what its maker has signed, and the house has accepted it."""
    digest = program["digest"][:16]  # a longer one would be taken for a key, and left out of a bundle
    told = {"digest": digest, "signer": program["signer"], "why": program["wrong"] or program["waits"]}
    if program["state"] == "changed":
        remedy = "Do not play. Keep the disk as it is for the inspector; then install the signed package again."
        return Check("program", False, str(program["wrong"]), remedy, "program-changed", told)
    if program["waits"]:
        remedy = "Compare the digest with the one that the maker has told. Then each says 'truedeal accept DIGEST'."
        return Check("program", False, str(program["waits"]), remedy, "program-waits", told)
    if program["state"] == "development":
        said = "development: it does not run from where the package puts it, and nobody has signed it"
        return Check("program", None, said, "", "program-development", told)
    if program["state"] == "checking":
        return Check("program", None, "is being checked", "", "program-checking", told)
    said = f"{digest}, signed by '{program['signer']}', every file as listed"
    return Check("program", True, said, "", "program", told)


def _link(name: str, link: dict[str, Any]) -> Iterator[Check]:
    from drivers.faults import IN_CLEAR, REMEDIES, SILENT, UNVERIFIED, Fault  # noqa: PLC0415

    where_it_is = f"device {name}"
    if not link["up"]:
        fault = Fault((link["station"] or {}).get("fault") or SILENT, "")
        away = {"device": name, "port": link["port"], "fault": fault.code}
        said = f"is away: {fault.code} ({link['port']})"
        yield Check(where_it_is, False, said, fault.remedy, "device-away", away)
    elif "firmware" in link:
        protocol = ".".join(map(str, link["protocol"]))
        key = link.get("fingerprint")
        told = {"device": name, "serial": link["serial"], "firmware": link["firmware"], "protocol": protocol}
        told |= {"fingerprint": key, "paired": link.get("paired")}
        said = f"{link['serial']}, firmware {link['firmware']}, protocol {protocol}" + (f", key {key}" if key else "")
        yield Check(where_it_is, True, said, "", "device", told)
    if not link["authenticated"] or link.get("proved") is False:
        remedy = REMEDIES[UNVERIFIED]
        yield Check(f"proof of {name}", False, "it does not prove what it is", remedy, "unproved", {"device": name})
    elif link["edition"] == 1:
        remedy, said = REMEDIES[IN_CLEAR], "edition 1 is configured: what it says can be read on its cable"
        yield Check(f"cable of {name}", False, said, remedy, "in-clear", {"device": name})
    if link["patience"] > 1:
        said = f"bears {link['patience']} s, not 1: the device is simulated"
        yield Check(f"patience of {name}", None, said, "", "patience", {"device": name, "seconds": link["patience"]})
    if "register" in link:
        yield _register(name, link["register"])
    yield _rate(name, link)


def _register(name: str, register: dict[str, Any]) -> Check:
    """What a device says of how far the journal had come."""
    well = register["verdict"] in {"agrees", "none"}
    said = f"{register['verdict']}: head {register['number']}, event {register['n']}"
    remedy = "Compare the journal with its copies before the next round: 'truedeal registers list', then the handbook."
    return Check(f"register of {name}", well, said, remedy, "register", {"device": name, **register})


def _rate(name: str, link: dict[str, Any]) -> Check:
    """How much of what went over a link was spoiled."""
    stats, downs = link["link"], (link["station"] or {}).get("downs", 0)
    if stats is None:
        return Check(f"link of {name}", None, "its driver does not count", "", "link-uncounted", {"device": name})
    spoiled, total = stats["bad"] + stats["gaps"] + stats["resent"], stats["frames"] + stats["bad"]
    rate = spoiled / total if total else 0.0
    said = f"{total} frames, {stats['bad']} bad, {stats['gaps']} gaps, {stats['resent']} resent, {downs} times lost"
    remedy = (
        "Check the cable, its shield and its length; keep it away from mains cables. Replace it if that is no help."
    )
    told: dict[str, object] = {"device": name, "frames": total, "downs": downs, "rate": f"{100 * rate:.2f}"}
    told |= {count: stats[count] for count in ("bad", "gaps", "resent")}
    well = total < ENOUGH or rate <= BAD
    return Check(f"link of {name}", well, f"{said} ({100 * rate:.2f} %)", remedy, "link", told)


def _journal(journal: dict[str, Any], disk: dict[str, int] | None) -> Iterator[Check]:
    said = f"event {journal['n']}, {journal['size'] / 1e6:.1f} MB in {journal['segments']} segments"
    told: dict[str, object] = {"n": journal["n"], "size": f"{journal['size'] / 1e6:.1f}"}
    told |= {"segments": journal["segments"], "files": journal["quarantined"], "why": journal["stalled"]}
    if journal["stalled"]:
        remedy = "Free space on the disk or replace it: the table holds until the journal can be written."
        yield Check("journal", False, f"cannot be written: {journal['stalled']}", remedy, "journal-stalled", told)
    elif journal["quarantined"]:
        remedy = "Call the shift manager. Copy the .quarantined files and run 'truedeal verify' on the state folder."
        aside = f"{said}; {journal['quarantined']} damaged files were set aside"
        yield Check("journal", False, aside, remedy, "journal-quarantined", told)
    else:
        yield Check("journal", True, said, "", "journal", told)
    yield from _archive(journal)
    if disk is None:
        yield Check("disk", None, "not told", "", "not-told")
        return
    remedy = "Free space, or copy the archive away and lower [retention]: a full disk stops the table."
    free, total = f"{disk['free'] / 1e9:.1f}", f"{disk['total'] / 1e9:.1f}"
    figures = {"free": free, "total": total}
    yield Check("disk", disk["free"] >= DISK, f"{free} of {total} GB free", remedy, "disk", figures)


def _archive(journal: dict[str, Any]) -> Iterator[Check]:
    """What became of old segments."""
    if journal.get("archiving"):
        remedy = "Look at that file: 'truedeal verify' says whether it is whole. 'truedeal archive' tries again."
        why = str(journal["archiving"])
        yield Check("archive", False, why, remedy, "archive-failed", {"why": why})
    elif journal.get("archived"):
        many = journal["archived"]
        yield Check("archive", True, f"{many} segments", "", "archive", {"segments": many})


def _anchors(anchors: dict[str, Any] | None) -> Iterator[Check]:
    """Whether signed heads get to where the table cannot reach them."""
    if anchors is None:
        said = "none are named: only a head that somebody has copied proves how far the journal reaches"
        yield Check("anchors", None, said, "", "anchors-none")
        return
    if not anchors["runs"]:
        remedy = "Start it: 'systemctl start truedeal-anchor'. 'journalctl -u truedeal-anchor' says why it ended."
        yield Check("anchors", False, "nothing takes signed heads to them", remedy, "anchors-stopped")
        return
    down = {name: one for name, one in anchors["targets"].items() if one["down"]}
    for name, one in down.items():
        remedy = "Look at the server or the mount, and at the way there. The newest head follows when it is back."
        told = {"target": name, "why": one["problem"]}
        yield Check("anchor", False, f"{name}: {one['problem']}", remedy, "anchor-down", told)
    if not down:
        many = len(anchors["targets"])
        yield Check("anchors", True, f"signed heads go to {many}", "", "anchors", {"targets": many})


def _shufflers(shufflers: Iterable[dict[str, Any]]) -> Iterator[Check]:
    """What all its shoes say of each shuffler."""
    for one in shufflers:
        told = {name: one[name] for name in ("device", "method", "shoes")} | {"evidence": f"{one['evidence']:.3g}"}
        said = f"{one['method']}: evidence {one['evidence']:.3g} after {one['shoes']} shoes"
        remedy = "Shuffle in another way. 'truedeal shuffler STATE' is the report for the technician."
        code = "shuffler-fails" if one["verdict"] == "alarm" else "shuffler"
        yield Check(f"shuffler {one['device']}", one["verdict"] != "alarm", said, remedy, code, told)


def _table(table: dict[str, Any], devices: set[str]) -> Iterator[Check]:
    from firmware_bridge.commands.documents.sensor_coverage import CARRIERS, coverage  # noqa: PLC0415

    told = {name: table[name] for name in ("game", "state", "round")}
    yield Check("table", True, f"{table['game']}, {table['state']}, round {table['round']}", "", "table", told)
    for alarm in table["alarms"]:
        remedy = "Look at the finding, settle it, and clear the alarm with its reason: 'truedeal clear'."
        told = {name: alarm[name] for name in ("code", "clause", "n")}
        yield Check("alarm", False, f"{alarm['code']} ({alarm['clause']}), event {alarm['n']}", remedy, "alarm", told)
    for sensor in table["sensors"]:
        carriers = CARRIERS[sensor]
        if not devices.intersection(carriers):
            remedy = f"Add [devices.{carriers[0]}] to the configuration, or take '{sensor}' out of table.sensors."
            told = {"sensor": sensor, "device": carriers[0]}
            said = "no device is configured that carries it"
            yield Check(f"sensor {sensor}", False, said, remedy, "sensor-without-device", told)
    found = coverage(table["game"], table["sensors"])
    covered = [clause for one in found if one.covered for clause in one.clauses]
    fitted = ", ".join(table["sensors"]) or "none"
    told = {"sensors": table["sensors"], "clauses": _clauses(covered)}
    yield Check("sensors", True, f"{fitted}: cover {_clauses(covered)}", "", "sensors", told)
    for one in found:
        if not one.covered:
            needs = f"needs the sensor {one.missing}" if one.missing else "no sensor sees it"
            said = f"{one.code} ({_clauses(one.clauses)}): {needs}, a person must say it"
            told = {"code": one.code, "clauses": _clauses(one.clauses), "missing": one.missing}
            yield Check("not sensed", None, said, "", "not-sensed", told)


def _clauses(clauses: list[str] | tuple[str, ...]) -> str:
    """Clauses in order, each once."""
    return ", ".join(sorted(set(clauses), key=lambda clause: [int(part) for part in clause.split(".")])) or "no clause"


# --- the computer ----------------------------------------------------------------------------------------------------


def of_machine() -> Iterator[Check]:
    """What the computer tells of itself."""
    from firmware_bridge.commands.service import computer_facts  # noqa: PLC0415

    clock = computer_facts.clock_synchronised()
    remedy = "Let systemd-timesyncd or chrony reach a time server: the journal's times are only as good as the clock."
    kept = {True: "synchronised", False: "not synchronised", None: "not told"}[clock]
    yield Check("clock", clock, kept, remedy, {True: "clock", False: "clock-wrong", None: "not-told"}[clock])
    low = computer_facts.undervoltage()
    said = {True: "was too low", False: "well", None: "not told by this machine"}[low]
    remedy = "Use the computer's own power supply and a short, thick cable; take other consumers off its USB ports."
    code = {True: "voltage-low", False: "voltage", None: "not-told"}[low]
    yield Check("voltage", None if low is None else not low, said, remedy, code)
    resets = computer_facts.usb_resets()
    told = "not told to this user" if resets is None else f"{resets} since the computer started"
    remedy = "Change the USB cable or port; look at the voltage too."
    code = "not-told" if resets is None else "usb-resets"
    yield Check("USB resets", None if resets is None else resets <= RESETS, told, remedy, code, {"resets": resets})
