"""Neighbours of the public cases, played for real: other mechanisms, names and statuses, and honest twins that look alike.

`docs/evidence/cases-neighbours.md` is what came out (`DENOMINATOR_EVIDENCE=write` writes it).
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from attacks.toolchain import site, venv
from denominator.records.draws import JudgedDraw
from e2e import cases_page as page
from e2e import neighbour_packs as packs
from e2e import neighbour_scenes as scenes
from e2e import runs
from e2e.cases_lab import Played, play, played, write_envelope, write_pack
from e2e.cases_scenes import SOLVE, UNIT_FILES, WRONG, python, unit_task

__all__ = ["site", "venv"]
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("cases-neighbours"),
]
PAGE = Path(__file__).parents[2] / "docs/evidence/cases-neighbours.md"
SAID: dict[str, str] = {}
Make = Callable[[str], Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    return lambda name: tmp_path_factory.mktemp(name)


def check(name: str, what: str, draw: JudgedDraw, want: page.Want) -> None:
    """A draw is what was written down; a pass has no tag, and nothing is called forged that is not."""
    said = page.said(draw)
    assert (said.exit, said.origin) == (want.exit, want.origin), draw
    assert want.mix in ("", said.mix) and want.reason in ("", said.reason), draw
    assert set(want.tags) <= set(said.tags), draw
    assert said.exit != "pass" or not said.tags, draw
    assert "forged_output" in want.tags or "forged_output" not in said.tags, draw
    grade = draw.row.grade if draw.row else "no row"
    cells = (grade, said.exit, said.origin, said.reason or said.mix or "-", ", ".join(said.tags) or "-")
    SAID[name] = f"| {name} | {what} | {' | '.join(cells)} |"


@pytest.fixture(scope="module")
def slug(make: Make, venv: Path, site: Path) -> dict[str, JudgedDraw]:
    folder = make("slug")
    write_pack(folder, scenes.SLUG)
    shown = shutil.copytree(site, folder / "site")
    scripts = {"slug": [script for _, script, _ in scenes.SCENES.values()]}
    run = play(folder, scripts, mounts=[f"{venv}=/opt/venv"], sandbox={"memory_mb": 512, "site": str(shown)})
    assert {one["state"] for one in run.card["controls"]} == {"held"}
    return {name: run.row("slug", number) for number, name in enumerate(scenes.SCENES, 1)}


@pytest.mark.parametrize("name", scenes.SCENES)
def test_scene(slug: dict[str, JudgedDraw], name: str) -> None:
    what, _, want = scenes.SCENES[name]
    check(name, what, slug[name], want)


def test_what_the_reference_meets_too_is_no_agents_fault(make: Make) -> None:
    """025, 057 and 058: beside each what only the agent's patch does."""
    folder = make("broken")
    write_pack(folder, *(task for _, task, _, _ in packs.BROKEN.values()))
    run = play(folder, {name: [script] for name, (_, _, script, _) in packs.BROKEN.items()})
    for name, (what, _, _, want) in packs.BROKEN.items():
        check(name, what, run.row(name), want)
    assert run.card["verdict"]["status"] == "blocked" and "gold_must_pass is violated" in run.findings()
    assert "pass" not in run.card["equation"]


def test_canaries(make: Make) -> None:
    """093: a token in any wrapping; a token of another task; tokens that are none."""
    folder = make("canary")
    write_pack(folder, *packs.CANARIES, unit_task("other"), unit_task("clean"))
    strange = f"{SOLVE}\necho '# {packs.SOURCE['hex']}' >> src/bill.py"
    played_by = {f"k-{name}": [packs.canary_scene(name)[1]] for name in packs.SOURCE}
    run = play(folder, played_by | {"other": [strange], "clean": [SOLVE]})
    bad = page.Want("fail", "", ("canary_hit", "contaminated"))
    for name in packs.SOURCE:
        what, _, dirty = packs.canary_scene(name)
        check(f"093-{name}", what, run.row(f"k-{name}"), bad if dirty else page.Want("pass"))
    check("093-other", "the token of another task", run.row("other"), bad)
    check("093-clean", "no token", run.row("clean"), page.PASS)
    assert run.card["verdict"]["status"] == "blocked" and "(the token of k-hex)" in run.findings()


@pytest.mark.parametrize("name", packs.LOCKS)
def test_what_is_refused_when_a_pack_is_frozen(make: Make, name: str) -> None:
    """056, 058, 092, 093 and 094, and twins that look alike and are locked."""
    what, spoil, refused = packs.LOCKS[name]
    folder = make("locks")
    over = {key: value for key, value in spoil.items() if key != "late"}
    root = write_pack(folder, unit_task("spoilt", **over), unit_task("honest"), lock=False)
    for path, data in spoil.get("late", {}).items():
        place = root / "tasks/spoilt" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if isinstance(data, bytes) else data.encode())
    told = runs.cli(folder, "pack", "lock", "pack")
    text = told.out + told.err
    assert told.code == int(refused), text
    codes = ", ".join(sorted(set(re.findall(r"PL\d+", text)) - {"PL012", "PL020", "PL022"}))
    SAID[f"{name} lock"] = f"| {name} | {what} | {f'refused: {codes}' if refused else 'locked'} |"


@pytest.mark.parametrize("ids", [packs.IDS_FINE, *packs.IDS_REFUSED], ids=ascii)
def test_ids(make: Make, ids: tuple[str, ...]) -> None:
    """086: odd ids are kept, those that escape or that some disk takes for one are refused."""
    folder = make("ids")
    root = write_pack(folder, *(unit_task(one) for one in ids), lock=False)
    told = runs.cli(folder, "pack", "lint", "pack")
    refused = ids in packs.IDS_REFUSED
    assert (told.code, "PL010" in told.out + told.err) == (int(refused), refused), told.out + told.err
    assert len({one.name.casefold() for one in (root / "tasks").iterdir()}) == len(ids)


NOOP = {"slice": "negative", "control": "noop_must_stay_green", "expected": "stay_green"}
FAILS = {"slice": "negative", "control": "must_fail", "expected": "fail"}
TRIED = python("# tried\n" + WRONG)
CONTROLS = {
    "061-broken": ({"noop": ["echo 'def total(p, v): return 0' > src/bill.py"], "mf": ["true"], "s": [SOLVE]}, "noop_must_stay_green"),
    "061-passed": ({"noop": ["true"], "mf": [SOLVE], "s": [SOLVE]}, "must_fail"),
    "061-once": ({"noop": ["true"] * 3, "mf": [TRIED, SOLVE, TRIED], "s": [SOLVE] * 3}, "must_fail"),
    "061-twin": ({"noop": ["true"], "mf": ["true"], "s": [SOLVE]}, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTROLS)
def test_controls(make: Make, name: str) -> None:
    """061: a control that is violated once in three, or by an edit of what was green; all held: numbers are printed."""
    scripts, violated = CONTROLS[name]
    folder = make("controls")
    green = {"src/bill.py": scenes_right(), "README.md": "A bill.\n"}
    noop = unit_task("noop", repo=green, gold={}, more=NOOP)
    write_pack(folder, noop, unit_task("mf", gold={}, more=FAILS), unit_task("s"))
    run = play(folder, scripts)
    assert {one["name"] for one in run.card["controls"] if one["state"] == "violated"} == (
        {violated} if violated else set()
    )
    assert (run.card["verdict"]["status"] == "blocked", "pass" in run.card["equation"]) == (
        bool(violated),
        not violated,
    )
    SAID[f"{name} run"] = f"| {name} | {violated or 'all controls held'} | {_told(run)} |"


def scenes_right() -> str:
    """What the reference patch makes of the file."""
    return "def total(prices, vat):\n    return sum(prices) + sum(prices) * vat // 100\n"


def _told(run: Played) -> str:
    blocking = [one for one in run.card["verdict"]["findings"] if one["severity"] == "block"]
    return f"blocked: {blocking[0]['allow_name']}" if blocking else "the numbers are printed"


HIDDEN = "runs/r/pack/tasks/t1/hidden"
CHANGES: dict[str, tuple[str, Callable[[Path], object], bool]] = {
    "064-added": ("a file is added to the hidden ones", lambda folder: (folder / HIDDEN / "conftest.py").write_text("#\n"), True),
    "064-removed": ("a counter-test is removed", lambda folder: (folder / HIDDEN / "test_lies_unit.py").unlink(), True),
    "064-twin": (
        "the pack is edited at its own place, not the run's copy",
        lambda folder: (folder / "pack/tasks/t1/hidden/test_vat_unit.py").write_text(UNIT_FILES["test_vat_unit.py"].replace("110", "1")),
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_verifier_that_changes(make: Make, name: str) -> None:
    """064: what grades one task changes while its second attempt works; the other task's rows stay what they are."""
    what, act, foreign = CHANGES[name]
    folder = make("changed")
    write_pack(folder, unit_task("t1"), unit_task("t2"))
    wait = "while [ ! -e /opt/scenes/go ]; do sleep 0.1; done"
    scripts = {"t1": [SOLVE, f"{wait}\n{SOLVE}", SOLVE], "t2": [SOLVE] * 3}
    write_envelope(folder, scripts, concurrency=1)
    process = runs.start(folder, "run", "envelope.toml", "--run-id", "r", "--json")
    while process.poll() is None and not _second_began(folder):
        time.sleep(0.1)
    for place in (folder / HIDDEN, folder / "pack/tasks/t1/hidden"):
        place.chmod(0o755)
    act(folder)
    (folder / "scenes/go").touch()
    run = played(folder, runs.Done(process))
    late = "unscoreable" if foreign else "pass"
    assert [run.row("t1", number).exit for number in (1, 2, 3)] == ["pass", late, late]
    assert [run.row("t2", number).exit for number in (1, 2, 3)] == ["pass"] * 3
    assert ("changed-seal changed since the seal" in run.findings(), run.told.code) == (foreign, int(foreign))
    SAID[f"{name} run"] = f"| {name} | {what} | {_told(run)} |"


def _second_began(folder: Path) -> bool:
    if not (folder / "runs/r/seal.json").exists():
        return False
    events = runs.opened(folder, "r").journal.events()
    return any(
        one.kind == "started" and one.key is not None and (one.key.task_id, one.key.repeat) == ("t1", 2)
        for one in events
    )


def test_the_evidence_is_current() -> None:
    wanted = [*scenes.SCENES, *packs.BROKEN, *(f"093-{name}" for name in (*packs.SOURCE, "other", "clean"))]
    runs_ = [*(f"{name} run" for name in (*CONTROLS, *CHANGES)), *(f"{name} lock" for name in packs.LOCKS)]
    if missing := [name for name in (*wanted, *runs_) if name not in SAID]:
        pytest.skip(f"not every scene ran in this process: {', '.join(missing)}")
    text = _page([SAID[name] for name in sorted(wanted)], [SAID[name] for name in sorted(runs_)])
    if os.environ.get("DENOMINATOR_EVIDENCE") == "write":
        PAGE.write_text(text)
    assert PAGE.read_text() == text


def _page(rows: list[str], told: list[str]) -> str:
    return "\n".join(
        [
            "# Neighbours of the cases",
            "",
            "Written by `tests/e2e/test_cases_neighbours.py` (`make e2e`; `DENOMINATOR_EVIDENCE=write` writes this page, and the same test",
            "fails when a run differs from it). Situations of the kinds of [the public cases](cases-real.md) with other details, and twins that",
            "only look alike. What is right was written down before the rules were read.",
            "",
            "| scene | what happens | grade | exit | whose | bucket or reason | tags |",
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
            "| scene | what happens | said |",
            "|---|---|---|",
            *told,
            "",
        ]
    )
