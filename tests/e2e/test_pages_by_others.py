"""Our pages before other people's judges: the validator of the HTML standard, and axe-core in a real browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench_data import TWICE, bench, trials_of, write
from denominator.pipeline.reporting import report_of, write_report
from denominator.pipeline.results import judge_ledger
from denominator.publish.html.card import card_html
from denominator.publish.html.probe import probe_html
from e2e.browser import Browser, browser
from e2e.comparing import FIELDS
from e2e.node_environment import node_environment
from judging_data import by_outcome, ledger, own, terms
from probe_data import FIRST, SECOND
from probe_stored import answered, kept, store
from runs_for_reports import make_reports
from unit.publish.html.test_card_page import HOSTILE, report, story

pytestmark = [pytest.mark.e2e, pytest.mark.needs_bwrap]
WIDTHS = (390, 820, 1280)
NAMES = ("run", "blocked", "pair", "refused", "import", "violated", "hostile", "probe", "large")
RUN_AXE = """axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(
  found.violations.map(one => [one.id, one.nodes.length, one.nodes[0].html.slice(0, 200)])))"""


@pytest.fixture(scope="module")
def tools() -> Path:
    """The validator and axe-core, from their lock."""
    for program in ("npm", "java"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    return node_environment("pages") / "node_modules"


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    """A page of every kind: of real runs, of an import with everything beside it, and of what is hidden, hostile, large."""
    folder = tmp_path_factory.mktemp("pages")
    made = {name: path for name, path in make_reports(folder).items() if path.suffix == ".html"}
    made["import"] = imported(folder)
    made["probe"] = folder / "probe.html"
    for name, page in {
        "violated": card_html(report_of("v", judge_ledger(ledger(broken()), terms(origin="seal")))),
        "hostile": card_html(report(stories=(story(HOSTILE[:40], text=f"+{HOSTILE}\n-{HOSTILE}", why=HOSTILE),))),
    }.items():
        made[name] = folder / f"{name}.html"
        made[name].write_text(page)
    rows, labels = by_outcome(**{"pass": 6_000, "fail": 4_000})
    made["large"] = folder / "large.html"
    write_report(made["large"], report_of("large", judge_ledger(ledger(rows, labels), terms())))
    return made


def broken():
    return [own("neg-01", slice="negative", control="must_fail"), *(own(f"t{n}") for n in range(6))]


def imported(folder: Path) -> Path:
    """A kept import beside a fault bench and a probe; `probe.html` is the probe's own page."""
    from denominator.cli.main import run_cli
    from denominator.pipeline.probe_scoring import score_folder

    def some(case, ask):
        return answered(b"{}", "500 Internal Server Error") if ask.seq % 5 == 0 else kept(case, ask)

    tasks = [f"t{k}" for k in range(10)]
    (folder / "rows").mkdir()
    told = {**FIELDS, "harness": "a runner", "model_id": "some-model", "run_id": "nightly", "task_ids": tasks}
    (folder / "rows" / "run.manifest.json").write_text(json.dumps(told))
    (folder / "rows" / "outcomes.json").write_text(json.dumps([{"task_id": t, "passed": t != "t3"} for t in tasks]))
    run_cli(["import", "rows", str(folder / "rows"), "-o", str(folder / "kept")])
    plan = bench(tasks)
    write(folder / "bench", plan, trials_of(plan, {"t3#1 patch_applied:kill": {"ended": "fail", "applied": TWICE}}))
    store(folder / "probe", {FIRST: some, SECOND: kept})
    page = folder / "import.html"
    run_cli(["report", str(folder / "kept"), "-o", str(page), *_beside(folder)])
    (folder / "probe.html").write_text(probe_html(score_folder(folder / "probe")))
    return page


def _beside(folder: Path) -> list[str]:
    return ["--with", str(folder / "bench"), "--with", str(folder / "probe")]


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as made:
        yield made


def complaints(tools: Path, *paths: Path) -> list[str]:
    jar = tools / "vnu-jar" / "build" / "dist" / "vnu.jar"
    words = ["java", "-jar", str(jar), "--format", "json", "--also-check-css", *map(str, paths)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    return [f"{one['url']}: {one['message']}" for one in json.loads(done.stderr)["messages"]]


def test_the_validator_says_nothing_of_any_page(tools, pages):
    assert set(NAMES) <= set(pages)
    assert complaints(tools, *(pages[name] for name in NAMES)) == []


def test_the_validator_would_say_something(tools, pages, tmp_path):
    page = tmp_path / "wrong.html"
    page.write_text(pages["run"].read_text().replace("</main>", "<p><div>x</div></p></main>"))
    assert complaints(tools, page)


@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing(tools, tab, pages, name):
    """Folded and open, on a phone in light and on a wide screen in dark. The large page once: it has 600 stories."""
    script = (tools / "axe-core" / "axe.min.js").read_text()
    views = [(390, False)] if name == "large" else [(390, False), (1280, True)]
    tab.open(pages[name])
    for width, dark in views:
        tab.view(width, dark=dark)
        for opened in (False, True) if name != "large" else (False,):
            tab.ask(f"document.querySelectorAll('details').forEach(one => one.open = {str(opened).lower()})")
            tab.ask(script)
            said = tab.call("Runtime.evaluate", expression=RUN_AXE, awaitPromise=True, returnByValue=True)
            assert json.loads(said["result"]["value"]) == [], (width, dark, opened)
    if name == "run":
        tab.ask(
            "document.querySelector('.soft').style.color = '#ddd'; document.querySelector('h2').outerHTML = '<h5>x</h5>'"
        )
        tab.view(1280)
        said = tab.call("Runtime.evaluate", expression=RUN_AXE, awaitPromise=True, returnByValue=True)
        assert {one[0] for one in json.loads(said["result"]["value"])} >= {"color-contrast", "heading-order"}


@pytest.mark.parametrize("name", NAMES)
def test_no_width_scrolls_the_page(tab, pages, name):
    start = time.monotonic()
    tab.open(pages[name])
    print(f"{name}: {pages[name].stat().st_size} bytes, interactive after {time.monotonic() - start:.2f} s")
    assert tab.complaints() == [] and tab.asked_for() == []
    for width in WIDTHS:
        tab.view(width)
        for opened in (False, True):
            tab.ask(f"document.querySelectorAll('details').forEach(one => one.open = {str(opened).lower()})")
            assert tab.ask("document.documentElement.scrollWidth <= window.innerWidth"), (width, opened)


def test_the_keyboard_reaches_every_fold_and_every_part_that_scrolls(tab, pages):
    tab.open(pages["import"])
    tab.view(390)
    reached = []
    for _ in range(400):
        for kind in ("keyDown", "keyUp"):
            tab.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        place = tab.ask(
            "(at => at === document.body ? -1 : [...document.querySelectorAll('*')].indexOf(at))(document.activeElement)"
        )
        if place in reached:
            break
        reached.append(place)
    wanted = tab.ask(
        "[...document.querySelectorAll('a,summary,.wide,pre')].filter(one => one.checkVisibility())"
        ".map(one => [...document.querySelectorAll('*')].indexOf(one))"
    )
    assert wanted and set(wanted) <= set(reached)
