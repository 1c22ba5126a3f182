"""Reports of real runs: the verb, and the pages in a real browser at three widths, in light and dark, on paper."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from denominator.pipeline.reporting import report_of, write_report
from denominator.pipeline.results import judge_ledger
from e2e.browser import Browser, browser
from e2e.test_probe_page_browser import contrast
from judging_data import by_outcome, ledger, terms
from report_pages import read
from runs_for_reports import make_reports

pytestmark = [pytest.mark.e2e, pytest.mark.needs_bwrap]
WIDTHS = (360, 768, 1280)
PAGES = ("run", "blocked", "pair", "refused")


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    """Reports of a demonstration: a run that failed some tasks, one with a violated control, two comparisons."""
    return make_reports(tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_well_formed_and_small(pages, name):
    data = pages[name].read_bytes()
    assert len(data) < 400_000
    read(data.decode())


def test_what_the_verb_says_is_what_it_wrote(pages):
    said = json.loads(pages["said"].read_text())
    data = Path(said["path"]).read_bytes()
    assert (said["sha256"], said["bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))
    assert data == pages["run"].read_bytes(), "the same run gives the same page"


def test_every_failing_attempt_is_there_with_its_change_and_its_report(pages):
    reader = read(pages["run"].read_text())
    for told in ("tally-report r1 a1", "Grader's report", "Change", "Agent stdout", "3 of 8", "Which rules were asked"):
        assert told in reader.text, told
    assert "/root" not in reader.text and "/home/" not in reader.text


def test_a_blocked_run_tells_no_pass_from_a_fail(pages):
    text = read(pages["blocked"].read_text()).text
    assert "pass or fail 2" in text and "GL010" in text and "receipt-rounding r1 a1" in text
    assert "are not shown: a control is violated" in text and "Not drawn: hidden" in text


@pytest.mark.parametrize("name", PAGES)
def test_it_opens_without_a_word_and_asks_for_nothing(tab, pages, name):
    tab.open(pages[name])
    assert tab.complaints() == []
    assert tab.asked_for() == []


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_fits_at_every_width_and_in_both_lights(tab, pages, name, width, dark, tmp_path):
    tab.open(pages[name])
    picture = tab.look(width, dark=dark)
    keep = Path(os.environ.get("DENOMINATOR_PICTURES", tmp_path))
    (keep / f"report-{name}-{width}-{'dark' if dark else 'light'}.png").write_bytes(picture)
    assert picture.startswith(b"\x89PNG") and len(picture) > 20_000
    for folded in (False, True):
        tab.ask(f"document.querySelectorAll('details').forEach(one => one.open = {str(folded).lower()})")
        assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
    paper = tab.ask("getComputedStyle(document.body).backgroundColor")
    assert contrast(tab.ask("getComputedStyle(document.body).color"), paper) >= 7
    panel = tab.ask("getComputedStyle(document.querySelector('.said')).backgroundColor")
    for kind in ("ins", "del", ".soft", "pre", "figcaption"):
        ink = tab.ask(f"(one => one ? getComputedStyle(one).color : '')(document.querySelector('{kind}'))")
        assert not ink or min(contrast(ink, paper), contrast(ink, panel)) >= 4.5, kind
    for ink in tab.ask(
        "[...new Set([...document.querySelectorAll('svg text')].map(one => getComputedStyle(one).fill))]"
    ):
        assert contrast(ink, paper) >= 4.5, "text of a drawing"


@pytest.mark.parametrize("name", PAGES)
def test_headings_captions_and_the_keyboard(tab, pages, name):
    tab.open(pages[name])
    tab.look(360)
    levels = tab.ask("[...document.querySelectorAll('h1,h2,h3,h4')].map(one => Number(one.tagName[1]))")
    assert levels[0] == 1 and all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert tab.ask(
        "[...document.querySelectorAll('table')].every(one => one.caption && one.querySelector('th[scope=col]'))"
    )
    assert tab.ask("[...document.querySelectorAll('tbody th')].every(one => one.textContent.trim())")
    assert tab.ask(
        "[...document.querySelectorAll('[role=img],[role=region]')].every(one => one.getAttribute('aria-label'))"
    )
    scrolls = "[...document.querySelectorAll('.wide,pre')].filter(one => one.scrollWidth > one.clientWidth)"
    assert tab.ask(f"{scrolls}.every(one => one.tabIndex === 0)")
    assert tab.ask(
        "[...document.querySelectorAll('details')].every(one => one.firstElementChild.tagName === 'SUMMARY')"
    )


def test_paper_hides_nothing(tab, pages):
    tab.open(pages["run"])
    tab.look(794, media="print", dark=True)
    shut = "[...document.querySelectorAll('details')].filter(one => !one.open && one.lastElementChild.getBoundingClientRect().height === 0)"
    assert tab.ask("document.querySelectorAll('details').length") > 4
    assert tab.ask(f"{shut}.length") == 0, "what is folded lies open on paper"
    assert tab.ask(
        "[...document.querySelectorAll('.wide,pre')].every(one => getComputedStyle(one).overflowX === 'visible')"
    )
    assert tab.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)", "paper is white"


def test_ten_thousand_attempts_open(tab, tmp_path):
    rows, labels = by_outcome(**{"pass": 6_000, "fail": 4_000})
    write_report(tmp_path / "large.html", report_of("large", judge_ledger(ledger(rows, labels), terms())))
    tab.open(tmp_path / "large.html")
    assert tab.complaints() == [] and tab.asked_for() == []
    tab.look(360)
    assert tab.ask("document.querySelectorAll('#attempts ~ details').length") == 600
    assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth")
