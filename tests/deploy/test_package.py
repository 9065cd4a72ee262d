"""The Debian packages: what is in them, for which machine, and that the same sources give the same bytes."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import struct
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.deploy.build import ROOT, built_once, package

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb, see tests/debian.sh")

ELF_MACHINES = {"amd64": 62, "arm64": 183}
ARCHITECTURES = tuple(ELF_MACHINES)
BUILD_ONLY = ("setuptools", "pip", "wheel", "pkg_resources")


def contents(path: Path) -> tarfile.TarFile:
    """Return the files of a package."""
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, capture_output=True).stdout
    return tarfile.open(fileobj=io.BytesIO(data))


def field(path: Path, name: str) -> str:
    """Return a field of a package's description."""
    return subprocess.run(
        ["dpkg-deb", "--field", path, name], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture(params=ARCHITECTURES)
def architecture(request: pytest.FixtureRequest) -> str:
    """Return each architecture."""
    return str(request.param)


@pytest.fixture
def built(architecture: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the package of an architecture."""
    return built_once(tmp_path_factory, architecture)


def test_the_package_says_what_it_is(architecture: str, built: Path) -> None:
    """Name, architecture, and the Python that the wheels in it are made for."""
    assert ("truedeal", architecture) == (field(built, "Package"), field(built, "Architecture"))
    assert {"python3 (>= 3.11)", "python3 (<< 3.12)", "libusb-1.0-0"} <= set(field(built, "Depends").split(", "))


def test_the_package_holds_the_program_and_its_surroundings(built: Path) -> None:
    """Program, units, rules, user, samples and handbook are where Debian looks for them, nothing in /etc."""
    names = {name.removeprefix("./") for name in contents(built).getnames()}
    expected = {
        "usr/bin/truedeal",
        "usr/lib/systemd/system/truedeal.service",
        "usr/lib/systemd/system/truedeal-console.service",
        "usr/lib/udev/rules.d/60-truedeal.rules",
        "usr/lib/sysusers.d/truedeal.conf",
        "usr/share/doc/truedeal/HANDBOOK.md",
        "usr/share/doc/truedeal/copyright",
    }
    expected |= {f"usr/share/truedeal/config/{path.name}" for path in (ROOT / "deploy/config").iterdir()}
    assert set() == expected - names
    assert set() == {name for name in names if name.startswith("etc")}


def test_the_package_holds_every_source_and_every_library(built: Path) -> None:
    """All our modules with their data, every library of the lock, nothing that only builds, no byte code."""
    names = {name.removeprefix("./usr/lib/truedeal/") for name in contents(built).getnames()}
    ours = [ROOT / folder for folder in ("firmware_bridge", "drivers", "gamecore", "hal_sim")]
    kept = {".py", ".toml", ".json", ".typed", ".html", ".js", ".css"}
    sources = {str(path.relative_to(ROOT)) for folder in ours for path in folder.rglob("*") if path.suffix in kept}
    assert set() == sources - names
    locked = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    libraries = {f"{name.replace('-', '_')}-{version}.dist-info" for name, version in locked if name not in BUILD_ONLY}
    assert set() == libraries - {name.lower() for name in names}
    assert set() == {name for name in names if name.split("/")[0].split("-")[0] in BUILD_ONLY or name.endswith(".pyc")}


def test_the_package_holds_no_other_machines_code(architecture: str, built: Path) -> None:
    """Every compiled library in it is for its architecture."""
    files = contents(built)
    machines = {}
    for member in files:
        opened = files.extractfile(member) if member.isfile() else None
        head = opened.read(20) if opened is not None else b""
        if head[:4] == b"\x7fELF":
            machines[member.name] = struct.unpack_from("<H", head, 18)[0]
    assert {} == {name: machine for name, machine in machines.items() if machine != ELF_MACHINES[architecture]}


def test_everything_in_the_package_belongs_to_root_and_only_to_it(built: Path) -> None:
    """Nobody else can write what the daemon runs; only the program is executable; nothing tells where it was built."""
    members = contents(built).getmembers()
    assert {(0, 0)} == {(member.uid, member.gid) for member in members}
    assert {0o755, 0o644} == {member.mode & 0o7777 for member in members}
    assert ["./usr/bin/truedeal"] == [m.name for m in members if m.isfile() and m.mode & 0o111]
    assert [] == [m.name for m in members if m.name.endswith(("direct_url.json", "RECORD", "INSTALLER"))]


def test_the_same_sources_give_the_same_bytes(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A second build, elsewhere, differs in no byte."""
    builds = [built_once(tmp_path_factory, "amd64"), package(tmp_path, "amd64")]
    first, second = (hashlib.sha256(path.read_bytes()).hexdigest() for path in builds)
    assert first == second
