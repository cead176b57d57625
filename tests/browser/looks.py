"""What a person sees of a page: whether all can use it, and pictures of it to look at."""

import os
from pathlib import Path
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.visits import PHONE, WIDE

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
_GRAVE = {"serious", "critical"}
_WHOLE = {"resultTypes": ["violations"]}
_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""All that another scheme can change."""
_AXE_IS_THERE = Axe("null")
"""The page has the script since the first scheme."""
_TURN = """async scheme => {
    const console = window.Alpine?.$data(document.documentElement)
    if (console && "adminTheme" in console) console.adminTheme = scheme
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    for (const one of document.getAnimations())
        if (one.effect.getComputedTiming().endTime !== Infinity) one.finish()
}"""
"""The console asks the system once, as a page opens: a page that is open is told. Then let transitions end."""


def assert_accessible(page: Page, *, schemes: tuple[Scheme, ...] = SCHEMES) -> None:
    """axe-core finds nothing serious on the page as it stands, light and dark. It is left in the last of `schemes`."""
    found = []
    for scheme in schemes:
        _show(page, scheme)
        axe, asked = (Axe(), _WHOLE) if scheme == schemes[0] else (_AXE_IS_THERE, _WHOLE | _COLOURS)
        for finding in axe.run(page, options=asked).response["violations"]:
            if finding["impact"] in _GRAVE:
                places = "".join(f"\n    {node['html'][:200]}  {_why(node)}" for node in finding["nodes"][:5])
                found.append(f"{scheme}: {finding['id']}: {finding['help']}{places}")
    assert not found, "\n".join([page.url, *found])


def assert_fits(page: Page) -> None:
    """Nothing makes the page itself scroll sideways."""
    wide = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1], f"{page.url} is {wide[0]} pixels wide in a window of {wide[1]}"


def pictures(page: Page, name: str, *, widths: tuple[int, ...] = (WIDE, PHONE), full: bool = True) -> None:
    """Pictures of the page, light and dark, at each width, in the folder that SCREENSHOTS names; without it none."""
    folder = os.environ.get("SCREENSHOTS")
    if not folder:
        return
    before = page.viewport_size
    for width in widths:
        page.set_viewport_size({"width": width, "height": 844 if width == PHONE else 900})
        for scheme in SCHEMES:
            _show(page, scheme)
            page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=full)
    if before:
        page.set_viewport_size(before)


def _show(page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    page.evaluate(_TURN, scheme)


def _why(node: dict[str, list[dict[str, str]]]) -> str:
    return "; ".join(check["message"] for check in node.get("any", []))
