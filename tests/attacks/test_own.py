"""Attacks of our own on the channel of level G3, each beside an honest twin. What is attacked is in `own/<id>/attack`."""

import functools
import json
import os
import time
from pathlib import Path

import pytest

from attacks import phases
from denominator.adapters.graders.clean_tree import CleanTree
from denominator.ports import GradeOrder
from denominator.records.packs import Task, Verify
from unit.adapters.graders.grading import LIMITS, write

OWN = Path(__file__).parent / "own"
EVIDENCE = Path(__file__).parents[2] / "docs/evidence/attacks.md"
ATTACKS = {path.parent.name: json.loads(path.read_text()) for path in sorted(OWN.glob("*/expected.json"))}
# The few that show a kind each: an answer that lies, a crash, a hang, a file, a service.
SHORT = ("62-duplicate-keys", "70-kill-attendant", "83-forged-status", "84-response-splitting")
# task -> hidden files, expected ids, counter-test, service
TASKS = {
    "calls": (
        [phases.HERE / "counter/sut"],
        ("test_hidden.Median.test_values", "test_hidden.Median.test_no_mutation"),
        "test_shapes.Shapes.test_shape",
        "",
    ),
    "tool": (
        [OWN / "_task/tool"],
        ("test_tool.Tool.test_sorted", "test_tool.Tool.test_more"),
        "test_counter.Counter.test_reverse",
        "",
    ),
    "app": (
        [OWN / "_task/app"],
        ("test_app.App.test_totals",),
        "test_counter.Counter.test_wrong",
        "exec /usr/bin/python3 app.py",
    ),
}
ROWS: dict[str, tuple[str, str]] = {}
TIMEOUT_S = 45

pytestmark = pytest.mark.needs_bwrap


def grade(sandbox, folder, name, kind):
    """What G3 says of the attack, or of its twin."""
    hidden, expected, counter, service = TASKS[ATTACKS[name]["task"]]
    files = {path.name: path.read_text() for source in hidden for path in source.glob("*.py")}
    verify = Verify(
        runner="unittest",
        level="G3",
        timeout_s=TIMEOUT_S,
        expected_tests=expected,
        counter_tests=(counter,),
        service=service,
    )
    task = Task(
        id="own", title="", slice="solvable", expected="pass", reason="", license="MIT", allowed=("**",), verify=verify
    )
    order = GradeOrder(
        task=task,
        tree=write(folder / kind, {path.name: path.read_text() for path in (OWN / name / kind).iterdir()}),
        hidden=write(folder / "hidden", files),
        limits=LIMITS,
        python="/usr/bin/python3",
        site="",
    )
    return CleanTree().grade(order, sandbox)


def judge(sandbox, folder, name):
    """The attack earns nothing and stays in the denominator, in time; its twin passes. The row of the evidence."""
    start = time.monotonic()
    attack = grade(sandbox, folder, name, "attack")
    took = time.monotonic() - start
    twin = grade(sandbox, folder, name, "twin")
    said = [(each.grade, each.why, each.broken, each.ended.stderr[-1500:]) for each in (attack, twin)]
    assert attack.grade in ("red", "tampered") and not attack.broken, said
    assert took < TIMEOUT_S + 30, said
    assert (twin.grade, twin.level) == ("green", "G3"), said
    ROWS[name] = attack.grade, twin.grade


@pytest.mark.parametrize("name", SHORT)
def test_an_attack_of_each_kind_earns_nothing(sandbox, tmp_path, name):
    judge(sandbox, tmp_path, name)


@pytest.mark.e2e
@pytest.mark.parametrize("name", sorted(set(ATTACKS) - set(SHORT)))
def test_an_attack_on_the_channel_earns_nothing(sandbox, tmp_path, name):
    judge(sandbox, tmp_path, name)


def evidence() -> str:
    """The page docs/evidence/attacks.md."""
    lines = [
        "# Attacks of our own on level G3",
        "",
        "Written by `tests/attacks/test_own.py` from a whole run (set `DENOMINATOR_EVIDENCE=write`); the same test fails when a run",
        "differs from this page. Each solution is wrong and attacks the channel between tests and solution, or what lies beside it:",
        "to pass, or to leave the denominator by a fault that looks like the harness's. Its twin does the honest thing of the same",
        "kind (prints, forks, nests, writes, serves) and is right. The bench: tasks of calls, a command line and an HTTP service.",
        "",
        "| attack | what it does | how | attack | twin |",
        "|---|---|---|---|---|",
    ]
    for name, words in sorted(ROWS.items()):
        entry = ATTACKS[name]
        lines.append(f"| {name} | {entry['title']} | {entry['how']} | {' | '.join(words)} |")
    return "\n".join(lines) + "\n"


def test_the_evidence_is_current():
    if ROWS.keys() != ATTACKS.keys():
        pytest.skip("not every attack ran in this process")
    if os.environ.get("DENOMINATOR_EVIDENCE") == "write":
        EVIDENCE.write_text(evidence())
    assert EVIDENCE.read_text() == evidence()


def test_every_attack_stands_on_the_page():
    page = EVIDENCE.read_text()
    assert [name for name in ATTACKS if f"| {name} | {ATTACKS[name]['title']} |" not in page] == []
    assert len(ATTACKS) >= 20 and functools.reduce(
        lambda all_, one: all_ | {one["task"]}, ATTACKS.values(), set()
    ) == set(TASKS)
