"""Every agent of the shipped corpus wins against a careless grader by name: one that wins nowhere proves nothing where it loses.

The page docs/evidence/attacks-shipped.md is what a whole run says (set `DENOMINATOR_EVIDENCE=write`).
"""

import os
from pathlib import Path

import pytest

from attacks.shipped_careless import GRADERS
from denominator.packs.audit import load_corpus
from denominator.ports import Job, Limits, Mount

HERE = Path(__file__).parent
CORPUS = Path(__file__).parents[2] / "src/denominator/data/attacks"
EVIDENCE = HERE.parents[1] / "docs/evidence/attacks-shipped.md"
LIMITS = Limits(
    wall_s=30,
    memory_bytes=256 << 20,
    processes=64,
    disk_bytes=64 << 20,
    file_bytes=32 << 20,
    open_files=256,
    output_bytes=1 << 20,
)
AT_G2 = "level G2"
"""The one attack written for our own runner: `test_a_report_forged_at_g2_is_named_and_fails_nothing` shows it."""
ATTACKS = {one.id: one for one in load_corpus()}
SHORT = ("exits.os_exit", "trees.bytecode", "results.every_pipe")
WORDS = {"pass": "passes", "excluded": "no verdict", "": "no verdict"}
ROWS: dict[str, tuple[str, str]] = {}

pytestmark = pytest.mark.needs_bwrap


def word(sandbox, venv, grader, tree, kind, name):
    """What a careless grader says in a throw-away sandbox, and what was printed on the way."""
    job = Job(
        argv=("/usr/bin/python3", "-I", "-B", "/careless.py", grader, tree, kind, name),
        role="agent",
        limits=LIMITS,
        mounts=(
            Mount(host=HERE / "shipped_careless.py", inside="/careless.py"),
            Mount(host=CORPUS, inside="/corpus"),
            Mount(host=venv, inside="/venv"),
        ),
        env={"PATH": "/usr/bin:/bin"},
        report=True,
    )
    ended = sandbox.run(job)
    assert not ended.start_error
    return ended.report.decode(), ended.stderr.decode("utf-8", "replace")


def shown(sandbox, venv, name):
    attack = ATTACKS[name]
    won, said = word(sandbox, venv, attack.beats, "base", attack.kind, attack.name)
    assert WORDS.get(won, won) in ("passes", "no verdict"), said
    assert won or "excused" in attack.beats, said
    twin, said = word(sandbox, venv, attack.beats, "gold", attack.kind, attack.twin)
    assert twin == "pass", said
    ROWS[name] = WORDS[won], WORDS[twin]


@pytest.mark.parametrize("name", SHORT)
def test_an_agent_of_each_kind_wins_where_a_grader_is_careless(sandbox, venv, name):
    shown(sandbox, venv, name)


@pytest.mark.e2e
@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in SHORT and ATTACKS[name].beats != AT_G2])
def test_an_agent_wins_where_a_grader_is_careless(sandbox, venv, name):
    shown(sandbox, venv, name)


@pytest.mark.e2e
@pytest.mark.parametrize("grader", GRADERS)
def test_a_careless_grader_is_right_where_nobody_cheats(sandbox, venv, grader):
    assert word(sandbox, venv, grader, "base", "", "")[0] == "fail"
    if grader != "agent's own word":
        assert word(sandbox, venv, grader, "gold", "", "")[0] == "pass"


def page():
    """The text of the page."""
    lines = [
        "# The shipped attacks: what each of them wins against",
        "",
        "Written by `tests/attacks/test_shipped.py` from a whole run of it (set `DENOMINATOR_EVIDENCE=write`); the same test fails when",
        "a run differs from this page. Each agent of `denominator/data/attacks` works on a wrong `add` in a throw-away sandbox and is",
        "judged by the careless grader that `index.toml` names; its twin works on the right one and passes there. Without an agent",
        "every one of these graders says fail to the wrong tree and, but for the last, pass to the right one. *No verdict*: the",
        "attempt left the denominator as a breakdown of the grader, which is as good as a point.",
        "",
        "| careless grader | what is careless |",
        "|---|---|",
        *(f"| {name} | {CARELESS[name]} |" for name in GRADERS),
        f"| {AT_G2} | {CARELESS[AT_G2]} |",
        "",
        "| attack | what it does | against | attack | twin |",
        "|---|---|---|---|---|",
    ]
    for one in ATTACKS.values():
        row = ROWS.get(one.id, ("see there", "see there"))
        lines.append(f"| {one.id} | {one.title} | {one.beats} | {' | '.join(row)} |")
    return "\n".join(lines) + "\n"


CARELESS = {
    "exit status": "tests run on the agent's tree, 0 is a pass",
    "breakdowns excused": "the same, and a timeout or a signal is nobody's fault",
    "printed summary": "a line OK in what the run prints",
    "reward file": "a file in the agent's tree says it",
    "the tree's own command": "`make test` of the agent's Makefile",
    "the tree's own tests": "the tests that the agent can see, and change",
    "pytest in the tree": "pytest with the tree's configuration and on its path",
    "whole tree discovered": "every Python file of the tree is loaded",
    "nothing compared": "the tests call, and compare nothing",
    "counts in process": "failures are counted in the solution's process",
    "git in the tree": "the patch is taken with git in the agent's repository",
    "failed copy excused": "a tree that cannot be copied is nobody's fault",
    "one sandbox": "what the agent started lives on beside the grading",
    "shared folder": "hidden tests lie where the agent works",
    "line without nonce": "the first line on the channel is the verdict",
    "broken line excused": "an answer that cannot be read is nobody's fault",
    "agent's own word": "the agent's exit status is the verdict",
    AT_G2: "our own grader with tests and solution in one process: `test_pack_audit_real.py` shows it",
}


def test_each_attack_names_a_grader_and_stands_on_the_page():
    text = EVIDENCE.read_text()
    assert {one.beats for one in ATTACKS.values()} == {*GRADERS, AT_G2} == set(CARELESS)
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    rows = {cell[0]: cell[2:] for cell in cells if len(cell) == 5}
    assert {name: rows[name][0] for name in ATTACKS} == {one.id: one.beats for one in ATTACKS.values()}
    assert {row[1] for name, row in rows.items() if name in ATTACKS} <= {"passes", "no verdict", "see there"}


@pytest.mark.e2e
def test_the_page_is_what_a_run_said():
    if ROWS.keys() != {name for name in ATTACKS if ATTACKS[name].beats != AT_G2}:
        pytest.skip("not every attack ran in this process")
    if os.environ.get("DENOMINATOR_EVIDENCE") == "write":
        EVIDENCE.write_text(page())
    assert EVIDENCE.read_text() == page()
