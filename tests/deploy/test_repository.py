"""The signed repository: apt takes a package from it, and none that was changed or signed by somebody else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.places import ROOT

TOOLS = ("apt-ftparchive", "apt-get", "dpkg-deb", "gpg")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}, see tests/debian.sh")


def packed(folder: Path, version: str) -> Path:
    """Return a package with nothing in it."""
    tree = folder / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    said = f"Package: truedeal\nVersion: {version}\nArchitecture: all\nMaintainer: m <m@localhost>\nDescription: d\n"
    (tree / "DEBIAN/control").write_text(said, encoding="ascii")
    path = folder / f"truedeal_{version}_all.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, path], check=True, capture_output=True)
    shutil.rmtree(tree)
    return path


def index(folder: Path) -> None:
    """Make the repository of a folder."""
    subprocess.run(["sh", ROOT / "deploy/repository.sh", folder], check=True, capture_output=True)


class Box:
    """What apt knows of one repository, apart from this computer's own."""

    def __init__(self, folder: Path, repository: Path) -> None:
        """Trust the key that the repository has now."""
        self._folder = folder
        for name in ("state/lists/partial", "cache/archives/partial", "etc/trusted.gpg.d", "got"):
            (folder / name).mkdir(parents=True)
        (folder / "status").write_bytes(b"")
        shutil.copy(repository / "truedeal-archive.gpg", folder / "archive.gpg")
        source = f"deb [signed-by={folder}/archive.gpg] file:{repository} ./\n"
        (folder / "sources.list").write_text(source, encoding="ascii")

    def apt(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run apt."""
        settings = {
            "Dir::State": self._folder / "state",
            "Dir::State::status": self._folder / "status",
            "Dir::Cache": self._folder / "cache",
            "Dir::Etc": self._folder / "etc",
            "Dir::Etc::SourceList": self._folder / "sources.list",
            "Dir::Etc::SourceParts": "/dev/null",
            "APT::Sandbox::User": "root",
            "APT::Update::Error-Mode": "any",
        }
        options = [f"-o{name}={value}" for name, value in settings.items()]
        command = ["apt-get", *options, *words]
        return subprocess.run(command, check=False, capture_output=True, text=True, cwd=self._folder / "got")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a folder with a package and its index."""
    folder = tmp_path / "repository"
    folder.mkdir()
    packed(folder, "1.0")
    index(folder)
    return folder


@pytest.fixture
def box(tmp_path: Path, repository: Path) -> Box:
    """Return a box that trusts it."""
    return Box(tmp_path / "box", repository)


def test_a_box_takes_what_was_signed(box: Box, tmp_path: Path) -> None:
    """Index and package are verified by apt itself, with nothing allowed."""
    assert 0 == box.apt("update").returncode
    assert 0 == box.apt("download", "truedeal").returncode
    assert ["truedeal_1.0_all.deb"] == [path.name for path in (tmp_path / "box/got").iterdir()]


def test_a_changed_package_is_refused(box: Box, repository: Path) -> None:
    """One that has the same name and version, and pays 5 to 1."""
    assert 0 == box.apt("update").returncode
    path = repository / "truedeal_1.0_all.deb"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    refused = box.apt("download", "truedeal")
    assert (100, True) == (refused.returncode, "Hash Sum mismatch" in refused.stderr)


def test_a_changed_index_is_refused(box: Box, repository: Path) -> None:
    """Signed again by nobody."""
    path = repository / "InRelease"
    path.write_text(path.read_text(encoding="ascii").replace("Origin: truedeal", "Origin: somebody"), encoding="ascii")
    refused = box.apt("update")
    assert (100, True) == (refused.returncode, "BADSIG" in refused.stderr)


def test_an_index_of_another_maker_is_refused(box: Box, repository: Path) -> None:
    """A new key named test signs, and this box does not know it."""
    packed(repository, "2.0")
    index(repository)
    refused = box.apt("update")
    assert (100, True) == (refused.returncode, "NO_PUBKEY" in refused.stderr)
