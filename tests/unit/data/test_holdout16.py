"""The built-in pack is what it says: red where it must be red, green where it must be green, and no weaker than it looks.

Everything here runs our own trusted texts, so a plain subprocess in a temporary folder stands in for the grading sandbox.
"""

import ast
import copy
import json
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACK = ROOT / "src/denominator/data/packs/holdout16"
DEMO = ROOT / "src/denominator/data/demo"
KIT = ROOT / "src/denominator/adapters/graders/kit"
DATA = ROOT / "tests/data/holdout16"
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
MUTANTS_EACH, MUTANTS_SAMPLED = 60, 12
LINE_THAT_TELLS_MIN = 25
HIDDEN_RUNNER = """
import io, json, sys, unittest
kit, hidden, quick, *ids = sys.argv[1:]
sys.path[:0] = [kit, hidden]
import sut
if quick == "quick":
    sut.Session.__init__.__defaults__ = (1.0,)
    sut.run.__defaults__ = ("", None, 1.0)
class Result(unittest.TestResult):
    passed = ()
    def addSuccess(self, test):
        self.passed = (*self.passed, test.id())
result = Result()
result.failfast = quick == "quick"
suite = unittest.TestLoader().loadTestsFromNames(ids) if ids else unittest.TestLoader().discover(hidden)
suite.run(result)
json.dump({"passed": result.passed, "failed": [t.id() for t, _ in result.failures], "errors": [[str(t), e] for t, e in result.errors]}, sys.stdout)
"""


def load(task_id):
    return tomllib.loads((PACK / "tasks" / task_id / "task.toml").read_text(encoding="utf-8"))


IDS = sorted(path.name for path in (PACK / "tasks").iterdir())
TASKS = {task_id: load(task_id) for task_id in IDS}
WITH_GOLD = [i for i in IDS if TASKS[i]["slice"] in ("solvable", "canary", "floor")]
NOOPS = [i for i in IDS if TASKS[i].get("control") == "noop_must_stay_green"]
HARD = [i for i in IDS if TASKS[i]["slice"] in ("solvable", "canary")]
UNSATISFIABLE = [i for i in IDS if TASKS[i].get("control") in ("must_fail", "must_ask")]


def solution(task_id, folder, patch=None):
    """The task's repository in `folder`, with a patch applied."""
    shutil.copytree(PACK / "tasks" / task_id / "repo", folder, dirs_exist_ok=True)
    if patch is not None:
        subprocess.run(["git", "apply", "--whitespace=nowarn", str(patch)], cwd=folder, check=True, capture_output=True)
    return folder


def grade(task_id, folder, mode="full", ids=()):
    """What the hidden tests say about the tree in `folder`."""
    hidden = PACK / "tasks" / task_id / "hidden"
    done = subprocess.run(
        [PYTHON, "-I", "-B", "-c", HIDDEN_RUNNER, str(KIT), str(hidden), mode, *ids],
        cwd=folder,
        env={"SUT_DIR": str(folder), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@cache
def grade_patch(task_id, patch=None):
    with TemporaryDirectory() as folder:
        return grade(task_id, solution(task_id, Path(folder), patch))


def gold(task_id):
    return PACK / "tasks" / task_id / "gold.patch"


def is_green(task_id, report):
    """Every expected test passed, every counter-test failed on an assertion, and nothing else was seen."""
    verify = TASKS[task_id]["verify"]
    return (
        sorted(report["passed"]) == sorted(verify["expected_tests"])
        and not report["errors"]
        and sorted(report["failed"]) == sorted(verify["counter_tests"])
    )


def added_lines(task_id):
    """Lines that the gold patch adds, by file: `{path: {line number: text}}`."""
    added, path, number = {}, None, 0
    for line in gold(task_id).read_text(encoding="utf-8").splitlines():
        if line.startswith("+++ b/"):
            path = line[6:]
        elif line.startswith("@@"):
            number = int(re.search(r"\+(\d+)", line)[1])
        elif line.startswith("+"):
            added.setdefault(path, {})[number] = line[1:]
            number += 1
        elif line.startswith(" "):
            number += 1
    return added


def test_counts_by_slice_and_control():
    kinds = [TASKS[i].get("control") or TASKS[i]["slice"] for i in IDS]
    assert {kind: kinds.count(kind) for kind in sorted(set(kinds))} == {
        "canary": 1,
        "floor": 1,
        "must_ask": 1,
        "must_fail": 1,
        "noop_must_stay_green": 4,
        "solvable": 8,
    }
    pack = tomllib.loads((PACK / "pack.toml").read_text(encoding="utf-8"))
    assert (
        sum(TASKS[i]["multi_file"] for i in IDS if TASKS[i]["slice"] == "solvable")
        >= pack["selection"]["multi_file_min"]
    )
    assert len(NOOPS) >= pack["selection"]["controls_min"]


@pytest.mark.parametrize("task_id", IDS)
def test_card_agrees_with_the_files(task_id):
    task, folder = TASKS[task_id], PACK / "tasks" / task_id
    assert task["id"] == task_id and task["schema_version"] == 1
    assert set(task) - {"control", "required_files", "canary"} == {
        "schema_version",
        "id",
        "title",
        "slice",
        "expected",
        "family",
        "reason",
        "license",
        "multi_file",
        "allowed",
        "forbidden",
        "source",
        "verify",
    }
    found = [
        f"{path.stem}.{node.name}.{item.name}"
        for path in sorted((folder / "hidden").glob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.FunctionDef) and item.name.startswith("test_")
    ]
    assert sorted(found) == sorted(task["verify"]["expected_tests"] + task["verify"]["counter_tests"])
    assert task["verify"]["counter_tests"]
    assert gold(task_id).exists() == (task_id in WITH_GOLD)
    for name in task.get("required_files", ()):
        assert not (folder / "repo" / name).exists()
    if task_id in WITH_GOLD:
        touched = list(added_lines(task_id))
        assert all(any(fnmatch(path, glob) for glob in task["allowed"]) for path in touched)
        assert task["multi_file"] == (len(touched) > 1)


@pytest.mark.parametrize("task_id", IDS)
def test_hidden_tests_reach_the_solution_only_through_sut(task_id):
    for path in (PACK / "tasks" / task_id / "hidden").glob("*.py"):
        names = [
            alias.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import)
            for alias in node.names
        ]
        assert sorted(names) == ["sut", "unittest"]
        assert "open(" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("task_id", WITH_GOLD)
def test_base_is_red_and_gold_is_green(task_id):
    assert not set(TASKS[task_id]["verify"]["expected_tests"]) <= set(grade_patch(task_id)["passed"])
    report = grade_patch(task_id, gold(task_id))
    assert is_green(task_id, report), report


@pytest.mark.parametrize("task_id", NOOPS)
def test_control_is_green_as_it_stands(task_id):
    report = grade_patch(task_id)
    assert is_green(task_id, report), report


@pytest.mark.parametrize("task_id", UNSATISFIABLE)
def test_unsatisfiable_task_is_red(task_id):
    report = grade_patch(task_id)
    assert not set(TASKS[task_id]["verify"]["expected_tests"]) <= set(report["passed"])
    assert sorted(report["failed"]) >= sorted(TASKS[task_id]["verify"]["counter_tests"])
    for patch in sorted((DATA / "wrong" / task_id).glob("*.patch")):
        assert not set(TASKS[task_id]["verify"]["expected_tests"]) <= set(grade_patch(task_id, patch)["passed"]), (
            patch.name
        )


@pytest.mark.parametrize("task_id", IDS)
def test_visible_tests_pass_before_and_after(task_id):
    with TemporaryDirectory() as folder:
        for patch in (None, gold(task_id)) if task_id in WITH_GOLD else (None,):
            tree = solution(task_id, Path(folder) / ("gold" if patch else "base"), patch)
            done = subprocess.run([PYTHON, "-B", "-m", "unittest", "-q"], cwd=tree, capture_output=True, text=True)
            assert done.returncode == 0 and "Ran 0 tests" not in done.stderr, done.stderr


@pytest.mark.parametrize("task_id", HARD)
def test_plausible_wrong_fixes_are_red(task_id):
    patches = sorted((DATA / "wrong" / task_id).glob("*.patch"))
    assert len(patches) >= 2
    for patch in patches:
        passed = set(grade_patch(task_id, patch)["passed"])
        assert not set(TASKS[task_id]["verify"]["expected_tests"]) <= passed, patch.name
        assert passed & set(TASKS[task_id]["verify"]["expected_tests"]), (
            f"{patch.name} is not plausible: no hidden test passes"
        )


@pytest.mark.parametrize("task_id", IDS)
def test_nothing_gives_the_answer_away(task_id):
    folder = PACK / "tasks" / task_id
    prompt = (folder / "prompt.md").read_text(encoding="utf-8")
    texts = [
        path.read_text(encoding="utf-8")
        for path in sorted((folder / "repo").rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    ]
    visible = prompt + "".join(texts)
    for name in TASKS[task_id]["verify"]["expected_tests"] + TASKS[task_id]["verify"]["counter_tests"]:
        module, cls, test = name.split(".")
        assert module not in visible and cls not in visible and f"{test}(" not in prompt
        assert not (folder / "repo/tests" / f"{module}.py").exists()
    if task_id in WITH_GOLD:
        words = prompt + "".join(
            path.read_text(encoding="utf-8")
            for path in [folder / "repo/README.md", *(folder / "repo/tests").glob("*.py")]
        )
        code = {line.strip() for text in texts for line in text.splitlines()}
        for line in (line.strip() for lines in added_lines(task_id).values() for line in lines.values()):
            assert len(line) < LINE_THAT_TELLS_MIN or line not in words, line
            assert not any(
                line in other and other.startswith("#") for other in code if len(line) >= LINE_THAT_TELLS_MIN
            ), line
    token = TASKS[task_id].get("canary")
    if token:
        assert token not in visible + gold(task_id).read_text(encoding="utf-8")
        assert any(token in path.read_text(encoding="utf-8") for path in (folder / "hidden").glob("*.py"))


def test_no_byproducts_in_the_pack():
    assert not [
        path
        for path in PACK.rglob("*")
        if path.name in ("__pycache__", ".git") or path.suffix in (".pyc", ".orig", ".rej")
    ]


FLIPS = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
EDGES = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
SWAPS = {ast.Add: ast.Sub, ast.Sub: ast.Add}


def changes(node):
    """Ways to spoil one node: pairs of a name and a function that changes the node in place."""
    if isinstance(node, ast.Compare):
        for table, name in ((FLIPS, "flip"), (EDGES, "edge")):
            if type(node.ops[0]) in table:
                yield name, lambda n, t=table: n.ops.__setitem__(0, t[type(n.ops[0])]())
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield "plus one", lambda n: setattr(n, "value", n.value + 1)
        yield "minus one", lambda n: setattr(n, "value", n.value - 1)
    if isinstance(node, ast.BoolOp):
        yield "and/or", lambda n: setattr(n, "op", ast.Or() if isinstance(n.op, ast.And) else ast.And())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "drop not", lambda n: setattr(n, "operand", ast.UnaryOp(op=ast.Not(), operand=n.operand))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "drop minus", lambda n: setattr(n, "op", ast.UAdd())
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return None", lambda n: setattr(n, "value", ast.Constant(value=None))
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in SWAPS:
        yield "swap + -", lambda n: setattr(n, "op", SWAPS[type(n.op)]())


def mutants(source, lines):
    """Pairs of a description and a spoiled source, for nodes on the given lines."""
    tree = ast.parse(source)
    for index, node in enumerate(ast.walk(tree)):
        if getattr(node, "lineno", None) not in lines:
            continue
        for number, (name, _) in enumerate(changes(node)):
            spoiled = copy.deepcopy(tree)
            target = list(ast.walk(spoiled))[index]
            list(changes(target))[number][1](target)
            yield f"{lines[node.lineno].strip()} [{node.col_offset} {name}]", ast.unparse(spoiled)


def survives(task_id, path, source):
    with TemporaryDirectory() as folder:
        solution(task_id, Path(folder), gold(task_id))
        (Path(folder) / path).write_text(source, encoding="utf-8")
        report = grade(task_id, Path(folder), "quick", TASKS[task_id]["verify"]["expected_tests"])
        return set(report["passed"]) == set(TASKS[task_id]["verify"]["expected_tests"])


@pytest.mark.slow
@pytest.mark.parametrize("most", [MUTANTS_SAMPLED, pytest.param(MUTANTS_EACH, marks=pytest.mark.e2e)])
@pytest.mark.parametrize("task_id", WITH_GOLD)
def test_mutants_of_gold_are_killed(task_id, most):
    """At least 80 % of the spoiled versions of the lines that gold adds turn a hidden test red; one more of a sample may live."""
    equivalent = tomllib.loads((DATA / "equivalent_mutants.toml").read_text(encoding="utf-8")).get(task_id, {})
    found = []
    with TemporaryDirectory() as folder:
        tree = solution(task_id, Path(folder), gold(task_id))
        for path, lines in added_lines(task_id).items():
            found += [
                (name, path, text)
                for name, text in mutants((tree / path).read_text(encoding="utf-8"), lines)
                if name not in equivalent
            ]
    step = max(1, -(-len(found) // most))
    chosen = found[::step]
    with ThreadPoolExecutor(2) as pool:
        alive = list(pool.map(lambda mutant: survives(task_id, *mutant[1:]), chosen))
    left = [name for (name, _, _), lives in zip(chosen, alive, strict=True) if lives]
    assert len(left) <= 0.2 * len(chosen) + (most == MUTANTS_SAMPLED), f"{len(left)} of {len(chosen)} live: {left}"


def play(task_id, steps, folder):
    """The steps of a demo script that change the tree, in a git repository of its own as in a real workspace."""
    solution(task_id, folder)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    for step in steps:
        if "run" in step:
            subprocess.run(["sh", "-c", step["run"]], cwd=folder, check=True, capture_output=True)
        elif "patch" in step:
            subprocess.run(["git", "apply", "-"], input=step["patch"], cwd=folder, text=True, check=True)
        elif "write" in step:
            (folder / step["write"]).write_text(step["content"], encoding="utf-8")
        else:
            assert set(step) <= {"ask", "abstain", "sleep_s"}


DEMO_GREEN = {
    "careful": {
        "config-interpolation",
        "recurring-dates",
        "stock-reservations",
        "tally-report",
        "log-redaction",
        "page-count",
        *NOOPS,
    },
    "hasty": {"config-interpolation", "tally-report"},
}


@pytest.mark.parametrize("name", sorted(DEMO_GREEN))
def test_demo_script_plays(name):
    """Every step works, and the trees that the script leaves are green exactly where the demo says so."""
    script = tomllib.loads((DEMO / f"script_{name}.toml").read_text(encoding="utf-8"))
    green = set()
    for task in script["task"]:
        with TemporaryDirectory() as folder:
            play(task["id"], task["step"], Path(folder))
            if is_green(task["id"], grade(task["id"], Path(folder))):
                green.add(task["id"])
    assert green == DEMO_GREEN[name]


def test_careful_script_shows_every_ending():
    steps = {
        task["id"]: task["step"]
        for task in tomllib.loads((DEMO / "script_careful.toml").read_text(encoding="utf-8"))["task"]
    }
    assert sorted(steps) == IDS
    keys = {task_id: {key for step in these for key in step} for task_id, these in steps.items()}
    assert "ask" in keys["region-surcharge"] and "abstain" in keys["equal-split"] and "sleep_s" in keys["fanout-limit"]
    assert any(
        fnmatch(step.get("write", ""), glob)
        for step in steps["tally-report"]
        for glob in TASKS["tally-report"]["forbidden"]
    )
    assert keys["cache-expiry-tags"] == {"run"}
