"""Static files: what is served, as what, and what never is."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.console.settings import Extra
from firmware_bridge.console.web.app import STATIC
from firmware_bridge.console.web.static_files import TYPES
from tests.firmware_bridge.console.rig import Console, at_console


def test_every_file_of_the_page_is_of_a_kind_that_is_served() -> None:
    """No file lies there that a page could not load, but the types for those who write the page."""
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert files
    assert {"types"} == {path.relative_to(STATIC).parts[0] for path in files if path.suffix not in TYPES}


def test_files_come_with_their_type_and_a_tag(tmp_path: Path) -> None:
    """A browser that has a file is told so, and gets it again once it has changed."""
    (tmp_path / "deep").mkdir()
    file = tmp_path / "deep" / "a.js"
    file.write_text("1", encoding="ascii")

    async def scene(console: Console) -> None:
        browser = await console.browser()
        first = await browser.get("/extra/x/deep/a.js")
        assert ("1", "text/javascript; charset=utf-8") == (first.text, first.headers["content-type"])
        again = await browser.get("/extra/x/deep/a.js", **{"If-None-Match": first.headers["etag"]})
        assert (304, b"") == (again.status_code, again.content)
        file.write_text("2", encoding="ascii")
        changed = await browser.get("/extra/x/deep/a.js", **{"If-None-Match": first.headers["etag"]})
        assert (200, "2") == (changed.status_code, changed.text)

    at_console(tmp_path, scene, extra=[Extra("x", (), tmp_path)])


@pytest.mark.parametrize(
    "path",
    [
        "",
        "folder",
        "nothing.js",
        ".hidden.js",
        "%2e%2e/outside.js",
        "..%2foutside.js",
        "folder//a.js",
        "folder/.git/a.js",
        "link.js",
        "a.py",
        "a.js%00.js",
        "a.js/",
        "%2fetc%2fpasswd.txt",
    ],
)
def test_nothing_else_is_served(tmp_path: Path, path: str) -> None:
    """No folder, nothing hidden, nothing outside, nothing behind a link, no other kind of file."""
    inside = tmp_path / "inside"
    (inside / "folder" / ".git").mkdir(parents=True)
    for name in ("outside.js", "inside/a.js", "inside/a.py", "inside/.hidden.js", "inside/folder/.git/a.js"):
        (tmp_path / name).write_text("secret", encoding="ascii")
    (inside / "link.js").symlink_to(tmp_path / "outside.js")

    async def scene(console: Console) -> None:
        browser = await console.browser()
        assert 404 == (await browser.get(f"/extra/x/{path}")).status_code

    at_console(tmp_path, scene, extra=[Extra("x", (), inside)])
