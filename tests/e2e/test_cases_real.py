"""Public cases about verdicts, scope, packs and leaks, each made to happen: an agent in the sandbox plays it, the run is judged.

`docs/evidence/cases-real.md` is what came out (`DENOMINATOR_EVIDENCE=write` writes it). Expectations are the cases' right
answers; what a case asks of a foreign ledger is tested with its files elsewhere.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attacks.toolchain import site, venv
from denominator.packs import load_pack
from denominator.records.draws import JudgedDraw
from denominator.records.rows import PatchFacts
from e2e import cases_page as page
from e2e import cases_scenes as scenes
from e2e import runs
from e2e.cases_lab import Task, play, played, write_envelope, write_pack
from e2e.engines import BUBBLEWRAP, Backend

__all__ = ["site", "venv"]
pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("cases-real"),
]
Make = Callable[[str], Path]
e2e = pytest.mark.e2e


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    return lambda name: tmp_path_factory.mktemp(name)


def play_bill(
    folder: Path, venv: Path, site: Path, names: list[str], backend: Backend = BUBBLEWRAP
) -> dict[str, JudgedDraw]:
    """Each scene of the task `bill` as one repeat."""
    write_pack(folder, scenes.BILL)
    # Wherever the checkout lies, the toolchain must not lie below a folder that the sandbox has for itself.
    shown = shutil.copytree(site, folder / "site")
    scripts = {"bill": [scenes.BILL_SCENES[name] for name in names]}
    terms = {"memory_mb": 512, "site": str(shown), **backend.terms}
    run = play(folder, scripts, mounts=[f"{venv}=/opt/venv"], sandbox=terms, env={**backend.env})
    assert {one["state"] for one in run.card["controls"]} == {"held"}
    printed = runs.texts(runs.opened(folder, "r"), "stdout")
    for number, name in enumerate(names, 1):
        if name in ("054", "063"):
            assert printed["bill", number].endswith("STATUS 0\n"), "in the agent's own sandbox its trick must work"
    return {name: run.row("bill", number) for number, name in enumerate(names, 1)}


def check(draw: JudgedDraw, want: page.Want) -> None:
    """A draw is what the case says."""
    said = page.said(draw)
    assert (said.exit, said.origin) == (want.exit, want.origin), draw
    assert want.mix in ("", said.mix) and want.reason in ("", said.reason), draw
    assert set(want.tags) <= set(said.tags), draw


def test_a_few_cases_in_one_run(make: Make, venv: Path, site: Path) -> None:
    """The representative of this module among the tests that always run."""
    names = ["054", "060", "069-p4", "059", "070-n1"]
    for name, draw in play_bill(make("few"), venv, site, names).items():
        check(draw, page.BILL[name])


@pytest.fixture(scope="module")
def bill(make: Make, venv: Path, site: Path) -> dict[str, JudgedDraw]:
    return play_bill(make("bill"), venv, site, list(scenes.BILL_SCENES))


@e2e
@pytest.mark.parametrize("name", scenes.BILL_SCENES)
def test_scene(bill: dict[str, JudgedDraw], name: str) -> None:
    check(bill[name], page.BILL[name])
    page.note(name, bill[name])


@e2e
def test_a_patch_is_base_against_final_tree(bill: dict[str, JudgedDraw]) -> None:
    """Case 070: a new file and a commit are work, and reading is none."""
    size = {}
    for name in ("070-n1", "070-n2", "070-n3"):
        row = bill[name].row
        assert row is not None and isinstance(row.patch, PatchFacts) and isinstance(row.patch.bytes, int)
        size[name[-2:]] = row.patch.bytes
    assert size["n1"] > 0 and size["n2"] > 0 and size["n3"] == 0


@e2e
def test_what_no_agent_could_pass_is_no_agents_fault(make: Make) -> None:
    """Cases 025, 057 and 058: the sandbox, the runner or the pack fails the reference patch too."""
    folder = make("broken")
    write_pack(folder, *scenes.BROKEN)
    wrong = scenes.python("def total(prices, vat):\n    return 1")
    run = play(folder, {task.id: [wrong if task.id == "pipe" else scenes.SOLVE] for task in scenes.BROKEN})
    for task in scenes.BROKEN:
        check(run.row(task.id), page.BROKEN[task.id])
        page.note(task.id, run.row(task.id))
    assert run.card["verdict"]["status"] == "blocked"
    assert "gold_must_pass is violated" in run.findings()
    assert '"pass":' not in str(run.card["equation"])
    page.told("025, 057, 058", "blocked: control gold_must_pass is violated; who passed is not shown")


@e2e
def test_a_control_that_passes_blocks_every_number(make: Make) -> None:
    """Case 061: tests that only look for a difference pass the impossible task."""
    folder = make("controls")
    write_pack(folder, *scenes.CONTROLS)
    run = play(folder, {task.id: ["echo '# touched' >> src/bill.py"] for task in scenes.CONTROLS})
    assert (run.told.code, run.card["verdict"]["status"]) == (1, "blocked")
    assert {one["name"]: one["state"] for one in run.card["controls"]}["must_fail"] == "violated"
    assert "pass" not in run.card["equation"], "a violated control hides who passed"
    assert all("not_measured" in str(one["value"]) for one in run.card["estimates"] if one["metric"] == "headline")
    page.note("061 neg-01", run.row("neg-01"))
    page.told("061", "blocked: control must_fail is violated: neg-01 expected fail, got pass; no number is shown")


@e2e
def test_whose_tests_passed(make: Make) -> None:
    """Case 062: only the agent's own tests ran (h1), or hidden ones beside them (h2)."""
    folder = make("weak")
    write_pack(folder, *scenes.WEAK)
    script = f"{scenes.SOLVE}\n{scenes.WRITE_TEST}"
    run = play(folder, {"h1": [script], "h2": [script]})
    assert {task: run.row(task).mix for task in ("h1", "h2")} == {"h1": "PASS_WEAK", "h2": "PASS_CONTRACT"}
    assert [run.row(task).exit for task in ("h1", "h2")] == ["pass", "pass"]
    assert "missing-hidden-tests" in run.findings()
    for task in ("h1", "h2"):
        page.note(f"062 {task}", run.row(task))


@e2e
def test_a_verifier_that_changes_mid_run_judges_nothing(make: Make) -> None:
    """Case 064: somebody edits the sealed tests of a run between its second and third attempt."""
    folder = make("changed")
    write_pack(folder, scenes.unit_task("t1"))
    wait = "while [ ! -e /opt/scenes/go ]; do sleep 0.1; done"
    wrong = scenes.python("# tried\n" + scenes.WRONG)
    write_envelope(folder, {"t1": [scenes.SOLVE, wrong, f"{wait}\n{scenes.SOLVE}", scenes.SOLVE]}, concurrency=1)
    process = runs.start(folder, "run", "envelope.toml", "--run-id", "r", "--json")
    while process.poll() is None and _started(folder) < 3:
        time.sleep(0.1)
    hidden = folder / "runs/r/pack/tasks/t1/hidden/test_vat_unit.py"
    hidden.chmod(0o644)
    hidden.write_text(hidden.read_text().replace("110", "100"))
    (folder / "scenes/go").touch()
    run = played(folder, runs.Done(process))
    assert [run.row("t1", n).exit for n in (1, 2, 3, 4)] == ["pass", "fail", "unscoreable", "unscoreable"]
    assert [run.row("t1", n).origin for n in (1, 2, 3, 4)] == ["MODEL", "MODEL", "HARNESS", "HARNESS"]
    assert (run.told.code, run.card["verdict"]["status"]) == (1, "blocked")
    assert "changed-seal changed since the seal" in run.findings()
    for number in (1, 2, 3, 4):
        page.note(f"064 attempt {number}", run.row("t1", number))
    page.told("064", "blocked: the hidden tests of t1 changed since the seal")


def _started(folder: Path) -> int:
    """Attempts that have begun; 0 while there is no run yet."""
    if not (folder / "runs/r/seal.json").exists():
        return 0
    return sum(event.kind == "started" for event in runs.opened(folder, "r").journal.events())


@e2e
def test_names_that_break_paths(make: Make) -> None:
    """Case 086: every id has a folder of its own, keeps its name, and is run like any other."""
    folder = make("names")
    tasks = [scenes.unit_task(id_) for id_ in scenes.IDS]
    root = write_pack(folder, *tasks)
    ids = {task.id for task in load_pack(root).pack.tasks}
    folders = [path.name for path in (root / "tasks").iterdir()]
    assert ids == set(scenes.IDS) and len({name.casefold() for name in folders}) == len(ids)
    run = play(folder, {"CON": [scenes.SOLVE]})
    assert {draw.draw.task_id for draw in run.result.judged.sheet.draws} == ids
    assert run.row("CON").exit == "pass" and run.card["equation"]["never_started"] == 0
    page.told(
        "086", f"{len(ids)} ids run, each in a folder of its own; ../../evil and task-1 beside Task-1 are refused"
    )


@e2e
@pytest.mark.parametrize("ids", [("../../evil",), ("..\\..\\evil",), ("Task-1", "task-1")])
def test_ids_that_escape_or_collide_are_refused(make: Make, ids: tuple[str, ...]) -> None:
    folder = make("evil")
    write_pack(folder, *(scenes.unit_task(id_) for id_ in ids), lock=False)
    told = runs.cli(folder, "pack", "lock", "pack")
    assert (told.code in (1, 2) and "PL010" in told.out + told.err) or "unsafe id" in told.out + told.err, told.err
    assert not (folder / "pack" / "pack.lock.json").exists()


@e2e
@pytest.mark.parametrize("run_id", ["../evil", "a/../../b", ".."])
def test_run_ids_that_escape_are_refused(make: Make, run_id: str) -> None:
    folder = make("run-ids")
    write_pack(folder, scenes.unit_task("t1"))
    write_envelope(folder, {"t1": ["true"]})
    before = sorted(path.name for path in folder.iterdir())
    told = runs.cli(folder, "run", "envelope.toml", "--run-id", run_id)
    assert told.code == 2, told.err
    assert sorted(path.name for path in folder.iterdir() if path.name != "runs") == before


@e2e
@pytest.mark.parametrize("case", page.REJECTED)
def test_a_pack_that_is_rejected_when_it_is_frozen(make: Make, case: str) -> None:
    """Cases 056, 058, 092 and 094 (and 093's card): `pack lock` refuses, and names each finding."""
    folder = make("rejected")
    spoil, codes, says = page.REJECTED[case]
    root = write_pack(folder, _spoilt(spoil), scenes.unit_task("honest"), lock=False)
    for name, text in spoil.get("late", {}).items():
        (root / "tasks/spoilt" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "tasks/spoilt" / name).write_text(text)
    told = runs.cli(folder, "pack", "lock", "pack")
    assert told.code == 1, told.out + told.err
    text = told.out + told.err
    assert all(code in text for code in codes) and all(word in text for word in says), text
    assert "honest" not in text.replace("honestly", "")
    page.told(case, f"pack lock refuses: {', '.join(codes)}")


def _spoilt(spoil: dict[str, Any]) -> Task:
    return scenes.unit_task("spoilt", **{key: value for key, value in spoil.items() if key != "late"})


@e2e
def test_who_looks_for_the_answer_finds_none(make: Make) -> None:
    """Case 092, as a run: what z1 read in public is not there. Looking is written down; only what it patches counts."""
    folder = make("answer")
    write_pack(folder, scenes.unit_task("z1"), scenes.unit_task("z2"))
    run = play(folder, {"z1": [scenes.LOOK_FOR_ANSWER], "z2": [f"git log --oneline -3\n{scenes.SOLVE}"]})
    printed = runs.texts(runs.opened(folder, "r"), "stdout")["z1", 1]
    assert "COMMITS 1" in printed and "FOUND" not in printed, printed
    assert (run.row("z1").exit, run.row("z2").exit) == ("fail", "pass")
    for task in ("z1", "z2"):
        page.note(f"092 {task}", run.row(task))


@e2e
def test_a_canary_in_patch_or_log(make: Make) -> None:
    """Case 093: in a patch, plain and in base64; printed from a card that reached the agent."""
    folder = make("canary")
    write_pack(folder, *scenes.CANARIES)
    run = play(folder, scenes.CANARY_SCENES)
    assert {"contaminated", "canary_hit"} <= set(run.row("k1").tags) and run.row("k1").exit == "fail"
    assert {"contaminated", "canary_hit"} <= set(run.row("k3").tags) and run.row("k3").exit == "fail"
    assert "canary_echo" in run.row("k2").tags and run.row("k2").exit != "pass"
    assert run.card["verdict"]["status"] == "blocked" and "pass" not in run.card["equation"]
    for task in ("k1", "k2", "k3", "s1"):
        page.note(f"093 {task}", run.row(task))
    page.told("093", "blocked: control canary is violated; the canary slice is in no rate")


@e2e
def test_the_evidence_is_current() -> None:
    if missing := page.missing():
        pytest.skip(f"not every case ran in this process: {', '.join(missing)}")
    if os.environ.get("DENOMINATOR_EVIDENCE") == "write":
        page.PAGE.write_text(page.text())
    assert page.PAGE.read_text() == page.text()
