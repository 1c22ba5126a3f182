"""The report of an endpoint bench in a real browser: three widths, light and dark, print; nothing logged, nothing fetched."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.browser import Browser, browser
from e2e.probe_lab import CONFORMANT, Probe, replaying

pytestmark = pytest.mark.e2e
WIDTHS = (360, 768, 1280)


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    """A report of a real probe, made by the command line."""
    folder = tmp_path_factory.mktemp("page")
    with replaying() as url:
        probe = Probe(folder, url)
        probe.say("init", "p", "--url", url, "--model", CONFORMANT)
        probe.say("run", "p/probe.toml", "-o", "out")
        probe.say("show", "out", "--html", "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as made:
        yield made


def test_it_opens_without_a_word_on_the_console_and_asks_for_nothing(tab, page):
    tab.open(page)
    assert tab.complaints() == []
    assert tab.asked_for() == []
    assert tab.ask("document.querySelector('h1').innerText") == "Endpoint bench p"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_fits_at_every_width_and_in_both_lights(tab, page, width, dark, tmp_path):
    tab.open(page)
    picture = tab.look(width, dark=dark)
    keep = Path(os.environ.get("DENOMINATOR_PICTURES", tmp_path))
    (keep / f"probe-{width}-{'dark' if dark else 'light'}.png").write_bytes(picture)
    assert picture.startswith(b"\x89PNG") and len(picture) > 20_000
    assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
    ink, paper = tab.ask("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    assert contrast(ink, paper) >= 7
    soft = tab.ask("getComputedStyle(document.querySelector('.soft')).color")
    assert contrast(soft, paper) >= 4.5


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2.2."""
    lights = sorted((light(one), light(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def light(colour: str) -> float:
    parts = [int(word) / 255 for word in colour.removeprefix("rgb(").rstrip(")").split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_headings_go_down_by_one_and_every_table_has_a_caption_and_heads(tab, page):
    tab.open(page)
    levels = tab.ask("[...document.querySelectorAll('h1,h2,h3,h4')].map(one => Number(one.tagName[1]))")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert tab.ask(
        "[...document.querySelectorAll('table')].every(one => one.caption && one.querySelectorAll('th[scope=col]').length > 0)"
    )
    assert tab.ask("[...document.querySelectorAll('[role=img]')].every(one => one.getAttribute('aria-label'))")
    assert tab.ask("document.documentElement.lang") == "en"


def test_what_scrolls_is_reached_by_the_keyboard(tab, page):
    tab.open(page)
    tab.look(360)
    assert tab.ask(
        "[...document.querySelectorAll('.wide')].filter(one => one.scrollWidth > one.clientWidth).every(one => one.tabIndex === 0)"
    )


def test_paper_hides_nothing(tab, page):
    tab.open(page)
    tab.look(794, media="print")
    assert tab.ask(
        "[...document.querySelectorAll('.wide')].every(one => getComputedStyle(one).overflowX === 'visible')"
    )
