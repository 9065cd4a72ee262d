"""Accessibility by axe-core, run within the page: under its own content policy, without a tag of a script."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page

GRAVE = ("serious", "critical")
_RUN = """
async () => {
  const found = await axe.run(document, { resultTypes: ["violations"], preload: false });
  const words = (one) => `${one.target} ${one.failureSummary}`;
  return found.violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(words)]);
}
"""


@cache
def script() -> str:
    """The program of axe."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def grave(page: Page) -> list[str]:
    """Every serious or critical finding on a page, with where it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(script())
    return [
        f"{impact} {rule}: {'; '.join(' '.join(node.split()) for node in nodes[:3])}"
        for rule, impact, nodes in page.evaluate(_RUN)
        if impact in GRAVE
    ]
