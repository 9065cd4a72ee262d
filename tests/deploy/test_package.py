"""The Debian packages: what is in them, for which machine, and that the same sources give the same bytes."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import io
import marshal
import platform
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

from deploy.command_line import PLACES
from deploy.core.build import unable
from deploy.core.sources import compiled, listed
from firmware_bridge import VERSION
from firmware_bridge.program import manifest
from tests.deploy.boxes.build import built_once, package
from tests.places import ROOT

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb, see tests/debian.sh")

OURS = ("firmware_bridge", "drivers", "gamecore", "hal_sim")
ELF_MACHINES = {"amd64": 62, "arm64": 183}
ARCHITECTURES = tuple(ELF_MACHINES)
REVISIONS = {"amd64": 1, "arm64": 2}
BUILD_ONLY = ("setuptools", "shtab", "pip", "wheel", "pkg_resources")


def contents(path: Path) -> tarfile.TarFile:
    """Return the files of a package."""
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, capture_output=True).stdout
    return tarfile.open(fileobj=io.BytesIO(data))


def sources(*folders: str) -> set[str]:
    """Return our modules with their data, by their paths in the repository."""
    kept = {".py", ".toml", ".json", ".typed", ".html", ".js", ".css"}
    found = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in kept)
    return {str(path.relative_to(ROOT)) for path in found}


def is_experimental(source: str) -> bool:
    """Whether no table needs a source: the simulator, and the driver that cannot prove a key, but for its messages."""
    driver = source.startswith("drivers/angel_eye/") and not source.endswith(("__init__.py", "messages.py"))
    return driver or source.startswith("hal_sim/")


def byte_code(source: str) -> str:
    """Return where the byte code of a source lies: beside it, wherever the tests keep their own."""
    folder, _, name = source.rpartition("/")
    return f"{folder}/__pycache__/{name.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc"


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
    return built_once(tmp_path_factory, architecture, REVISIONS[architecture])


def test_the_package_says_what_it_is(architecture: str, built: Path) -> None:
    """Name, architecture, its own number, and the Python that the wheels in it are made for."""
    assert ("truedeal", architecture) == (field(built, "Package"), field(built, "Architecture"))
    assert str(REVISIONS[architecture]) == field(built, "Version").rpartition("-")[2]
    assert {"python3 (>= 3.11)", "python3 (<< 3.12)", "libusb-1.0-0"} <= set(field(built, "Depends").split(", "))


def test_the_package_holds_the_program_and_its_surroundings(built: Path) -> None:
    """Program, units, rules, user, samples and handbook are where Debian looks for them, nothing in /etc."""
    names = {name.removeprefix("./") for name in contents(built).getnames()}
    expected = {
        "usr/bin/truedeal",
        "usr/lib/systemd/system/truedeal.service",
        "usr/lib/systemd/system/truedeal-anchor.service",
        "usr/lib/systemd/system/truedeal-console.service",
        "usr/lib/udev/rules.d/60-truedeal.rules",
        "usr/lib/sysusers.d/truedeal.conf",
        "usr/share/doc/truedeal/HANDBOOK.md",
        "usr/share/doc/truedeal/copyright",
        "usr/share/man/man1/truedeal.1.gz",
        "usr/share/bash-completion/completions/truedeal",
        "usr/share/zsh/vendor-completions/_truedeal",
    }
    expected |= {f"usr/share/truedeal/config/{path.name}" for path in (ROOT / "deploy/config").iterdir()}
    assert set() == expected - names
    assert set() == {name for name in names if name.startswith("etc")}


def test_the_package_holds_every_source_and_every_library(built: Path) -> None:
    """All our modules with their data and byte code, every library of the lock, nothing that only builds."""
    names = {name.removeprefix("./usr/lib/truedeal/") for name in contents(built).getnames()}
    left_out = {source for source in sources(*OURS) if is_experimental(source)}
    assert set() == sources(*OURS) - left_out - names
    assert set() == left_out & names
    wanted = {byte_code(source) for source in names if source.startswith(OURS) and source.endswith(".py")}
    assert wanted == {name for name in names if name.startswith(OURS) and name.endswith(".pyc")}
    locked = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    libraries = {f"{name.replace('-', '_')}-{version}.dist-info" for name, version in locked if name not in BUILD_ONLY}
    assert set() == libraries - {name.lower() for name in names}
    assert set() == {name for name in names if name.split("/")[0].split("-")[0] in BUILD_ONLY}


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


def test_the_core_is_compiled_for_the_machine_that_builds(architecture: str, built: Path) -> None:
    """Each compiled module lies beside its source there; the other architecture's package has the sources alone."""
    names = {name.removeprefix("./usr/lib/truedeal/") for name in contents(built).getnames()}
    native = ELF_MACHINES[architecture] == {"x86_64": 62, "aarch64": 183}.get(platform.machine())
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    modules = compiled(listed(ROOT)) if native and not unable() else []
    expected = {name.removesuffix(".py") + suffix for name in modules}
    assert expected == {name for name in names if name.startswith("gamecore/") and name.endswith(".so")}


def test_everything_in_the_package_belongs_to_root_and_only_to_it(built: Path) -> None:
    """Nobody else can write what the daemon runs; only the program is executable; nothing tells where it was built."""
    members = contents(built).getmembers()
    assert {(0, 0)} == {(member.uid, member.gid) for member in members}
    assert {0o755, 0o644} == {member.mode & 0o7777 for member in members}
    assert ["./usr/bin/truedeal"] == [m.name for m in members if m.isfile() and m.mode & 0o111]
    assert [] == [m.name for m in members if m.name.endswith(("direct_url.json", "RECORD", "INSTALLER"))]


def test_the_same_sources_give_the_same_bytes(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A second build, elsewhere, differs in no byte."""
    first = built_once(tmp_path_factory, "amd64")
    second = package(tmp_path, "amd64", first.parent / "maker")
    for name in (first.name, first.name.replace("truedeal_", "truedeal-sim_")):
        builds = [path.parent / name for path in (first, second)]
        assert 1 == len({hashlib.sha256(path.read_bytes()).hexdigest() for path in builds}), name


def test_every_file_of_the_program_is_signed(built: Path, tmp_path: Path) -> None:
    """What is unpacked on a box is what the list names, by the key of the build."""
    contents(built).extractall(tmp_path, filter="data")
    folder = tmp_path / "usr/lib/truedeal"
    makers = tmp_path / "makers"
    makers.mkdir()
    (makers / "test.pub").write_bytes((built.parent / "test.pub").read_bytes())
    found = manifest.read(folder, makers)
    assert ("", "test", VERSION) == (found.wrong, found.signer, found.version)
    assert [] == [each for each in manifest.differences(folder, found.files) if each]


def test_byte_code_is_that_of_its_source_and_is_not_compared_with_it(built: Path) -> None:
    """It carries the digest of the source, no time, and names the source where it will lie."""
    files = contents(built)
    source = "./usr/lib/truedeal/firmware_bridge/cli.py"
    code, text = (files.extractfile(name) for name in (byte_code(source), source))
    assert code is not None
    assert text is not None
    data = code.read()
    assert (importlib.util.MAGIC_NUMBER, 1) == (data[:4], int.from_bytes(data[4:8], "little"))
    assert importlib.util.source_hash(text.read()) == data[8:16]
    assert source[1:] == marshal.loads(data[16:]).co_filename  # noqa: S302  byte code of our own build


def test_the_simulator_has_a_package_of_its_own(architecture: str, built: Path) -> None:
    """It is whole, lies elsewhere, and is never beside the table's; it starts nothing by itself."""
    path = built.with_name(built.name.replace("truedeal_", "truedeal-sim_"))
    assert ("truedeal-sim", architecture, "truedeal") == tuple(
        field(path, name) for name in ("Package", "Architecture", "Conflicts")
    )
    assert "truedeal-sim" == field(built, "Conflicts")
    names = {name.removeprefix("./") for name in contents(path).getnames()}
    assert {f"usr/lib/truedeal-sim/{source}" for source in sources(*OURS)} <= names
    files = {name for name in names if not (name + "/").startswith("usr/lib/truedeal-sim/")}
    own = {"usr/bin/truedeal-sim", "usr/share/doc/truedeal-sim/copyright"}
    own |= {place.format(program="truedeal-sim") for place in PLACES.values()}
    folders = {str(folder) for name in own for folder in Path(name).parents}
    assert own == files - {"", *folders, "usr/lib"}


def test_each_package_tells_of_the_commands_that_it_has(built: Path) -> None:
    """The simulator's commands are in the page and in the completion of its own package, and in no other."""
    for program, has in (("truedeal", False), ("truedeal-sim", True)):
        files = contents(built.with_name(built.name.replace("truedeal_", f"{program}_")))
        texts = []
        for place in PLACES.values():
            opened = files.extractfile(f"./{place.format(program=program)}")
            assert opened is not None
            data = opened.read()
            texts.append((gzip.decompress(data) if place.endswith(".gz") else data).decode())
        assert [(True, has)] * 3 == [
            ("--anchors" in text.replace("\\-", "-"), "--scenarios" in text.replace("\\-", "-")) for text in texts
        ]


def test_a_key_in_the_repository_is_refused() -> None:
    """A maker's key is never where it could be committed."""
    command = ["sh", str(ROOT / "deploy/package.sh"), "--key", str(ROOT / "LICENSE"), "--arch", "amd64"]
    refused = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (1, True) == (refused.returncode, "lies in the repository" in refused.stderr)
