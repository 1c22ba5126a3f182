"""`pack import` and `pack export`: tasks of other harnesses become a pack that can be locked, and back; what is lost is said."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from denominator.packs import find_pack, load_pack
from denominator.wire.trees import read_tree
from e2e.runs import cli as command

bwrap = pytest.mark.skipif(not shutil.which("bwrap"), reason="needs bubblewrap")
STUB = 'def shout(text):\n    """In capitals."""\n'
EXAMPLE = 'def shout(text):\n    """In capitals."""\n    return text.upper()'
TESTS = """import unittest

from shout import shout


class ShoutTest(unittest.TestCase):
    def test_word(self):
        self.assertEqual(shout("a"), "A")

    def test_none(self):
        self.assertEqual(shout(""), "")
"""


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root


def exercise(root: Path, language: str = "python", name: str = "shout", **other: str) -> Path:
    home = f"{language}/exercises/practice/{name}"
    listed = {"solution": ["shout.py"], "test": ["shout_test.py"], "example": [".meta/example.py"]}
    files = {
        ".meta/config.json": json.dumps({"authors": ["x"], "files": listed}),
        ".meta/example.py": EXAMPLE,
        ".docs/instructions.md": "# Instructions\n\nWrite `shout`.\n",
        "shout.py": STUB,
        "shout_test.py": TESTS,
        **other,
    }
    return write(root, {f"{home}/{path}": text for path, text in files.items()})


def filled_in(pack: Path) -> None:
    """What only a person knows: licence, reasons, author, date; and a counter-test for each task that has ids."""
    for path in [pack / "pack.toml", *pack.glob("tasks/*/task.toml")]:
        text = path.read_text().replace('"REPLACE: a date, unquoted, for example 2026-11-29"', "2026-11-29")
        path.write_text(text.replace("REPLACE:", "as told:"))


def test_an_exercise_of_aider_comes_in_whole(cli, here):
    exercise(here / "polyglot")
    exercise(here / "polyglot", "go", "shout")
    said = cli("pack", "import", "auto", here / "polyglot", "-o", here / "pack")
    assert said.code == 0, said.err
    tasks = {task.id: task for task in load_pack(here / "pack").pack.tasks}
    assert tasks.keys() == {"python/shout", "go/shout"}
    task = tasks["python/shout"]
    assert task.verify.runner == "pytest" and task.verify.level == "G2"
    assert task.verify.expected_tests == (
        "shout_test.py::ShoutTest::test_word",
        "shout_test.py::ShoutTest::test_none",
    )
    assert task.allowed == ("shout.py",)
    home = here / "pack" / "tasks" / "python=2fshout"
    assert sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()) == [
        "gold.patch", "hidden/shout_test.py", "prompt.md", "repo/shout.py", "task.toml",
    ]  # fmt: skip
    assert "+    return text.upper()" in (home / "gold.patch").read_text()
    losses = (here / "pack" / "IMPORTED.md").read_text()
    assert "go/shout: how the tests of go are run" in losses and "python/shout:" not in losses


@bwrap
@pytest.mark.needs_bwrap
def test_what_came_in_is_locked_by_its_own_tests(here):
    exercise(here / "polyglot")
    assert command(here, "pack", "import", "aider", "polyglot", "-o", "pack").code == 0
    filled_in(here / "pack")
    task = here / "pack" / "tasks" / "python=2fshout"
    toml = task / "task.toml"
    toml.write_text(
        toml.read_text().replace('runner = "pytest"', 'runner = "unittest"')
        .replace("shout_test.py::ShoutTest::", "test_shout.ShoutTest.")
        .replace("expected_tests", 'counter_tests = ["test_shout.ShoutTest.test_wrong"]\nexpected_tests')
    )  # fmt: skip
    (task / "hidden" / "shout_test.py").unlink()
    wrong = '\n    def test_wrong(self):\n        self.assertEqual(shout("a"), "wrong")\n'
    (task / "hidden" / "test_shout.py").write_text(TESTS + wrong)
    done = command(here, "pack", "lock", "pack")
    assert done.code == 0, done.out + done.err
    runs = load_pack(here / "pack").lock.baseline.runs
    assert {(one.on, one.grade) for one in runs} == {("base", "red"), ("gold", "green")}


def harbor_task(root: Path, name: str, dockerfile: str, test: str = "", **more: str) -> Path:
    check = "mkdir -p /logs/verifier\nif grep -q hello /app/answer.txt; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n"
    files = {
        "task.toml": f'schema_version = "1.4"\n[task]\nname = "demo/{name}"\n[verifier]\ntimeout_sec = 20.0\n'
        "[environment]\ncpus = 2\n",
        "instruction.md": "Write hello into answer.txt\n",
        "environment/Dockerfile": dockerfile,
        "tests/test.sh": "#!/bin/sh\n" + (test or check),
        "solution/solve.sh": "echo hello > /app/answer.txt\n",
        **more,
    }
    return write(root, {f"{name}/{path}": text for path, text in files.items()})


def test_a_task_of_harbor_brings_what_its_image_copies_and_tells_the_rest(cli, here):
    harbor_task(
        here / "tasks",
        "a",
        "FROM debian:12-slim\nRUN apt-get update && \\\n  apt-get install -y curl\nWORKDIR /work\nCOPY src/ .\n"
        'COPY ["one file.txt", "/work/data/"]\nCOPY secret /etc/secret\nADD --chown=1 lib ./lib\n',
        **{
            "environment/src/main.py": "x = 1\n",
            "environment/src/deep/more.py": "y = 1\n",
            "environment/one file.txt": "1\n",
            "environment/secret": "s\n",
            "environment/lib/z.py": "z = 1\n",
        },
    )
    said = cli("pack", "import", "harbor", here / "tasks", "-o", here / "pack", "--json")
    assert said.code == 0, said.err
    repo = here / "pack" / "tasks" / "demo=2fa" / "repo"
    assert sorted(path.relative_to(repo).as_posix() for path in repo.rglob("*") if path.is_file()) == [
        "data/one file.txt", "deep/more.py", "lib/z.py", "main.py",
    ]  # fmt: skip
    lost = json.loads(said.out)["lost"]["demo/a"]
    assert [one for one in lost if one.startswith("the image: ")] == [
        "the image: FROM debian:12-slim",
        "the image: RUN apt-get update && apt-get install -y curl",
        "the image: COPY secret /etc/secret",
    ]
    assert "[environment] cpus = 2" in lost


@bwrap
@pytest.mark.needs_bwrap
def test_the_reward_of_a_harbor_task_decides_here_too(here):
    harbor_task(here / "tasks", "a", "FROM x\nWORKDIR /app\n")
    assert command(here, "pack", "import", "harbor", "tasks", "-o", "pack").code == 0
    filled_in(here / "pack")
    task = here / "pack" / "tasks" / "demo=2fa"
    (task / "repo").mkdir(exist_ok=True)
    (task / "repo" / "answer.txt").write_text("\n")
    (task / "gold.patch").write_text(
        "diff --git a/answer.txt b/answer.txt\n--- a/answer.txt\n+++ b/answer.txt\n@@ -1 +1 @@\n-\n+hello\n"
    )
    done = command(here, "pack", "verify", "pack", "--repeats", "1", "--json")
    grades = (
        {(one["on"], one["grade"]) for one in json.loads(done.out)["runs"]} if "runs" in json.loads(done.out) else None
    )
    assert grades == {("base", "red"), ("gold", "green")} or '"stable"' in done.out, done.out + done.err


def test_a_terminal_bench_task_brings_the_ids_of_its_tests(cli, here):
    write(
        here / "tb" / "fix-it",
        {
            "task.yaml": "instruction: |-\n  Fix it.\nparser_name: pytest\nmax_test_timeout_sec: 90.0\ncategory: repair\n",
            "Dockerfile": "FROM x\nWORKDIR /app\nCOPY broken.py /app/broken.py\n",
            "broken.py": "x = (\n",
            "run-tests.sh": "pip install pytest\n",
            "tests/test_outputs.py": "def test_a():\n    open('/app/broken.py')\n\nasync def test_b():\n    pass\n",
            "solution.sh": "true\n",
        },
    )
    assert cli("pack", "import", "auto", here / "tb", "-o", here / "pack").code == 0
    (task,) = load_pack(here / "pack").pack.tasks
    assert (task.id, task.family, task.verify.timeout_s, task.verify.runner) == ("fix-it", "repair", 90, "pytest")
    assert task.verify.expected_tests == ("test_outputs.py::test_a", "test_outputs.py::test_b")
    assert "the tests name /app 1 times" in (here / "pack" / "IMPORTED.md").read_text()
    assert (here / "pack" / "tasks" / "fix-it" / "repo" / "broken.py").is_file()


ROW = {
    "instance_id": "acme__lib-7",
    "repo": "acme/lib",
    "base_commit": "a" * 40,
    "problem_statement": "Sums are wrong\n\nsee add()",
    "hints_text": "it is the minus",
    "patch": "diff --git a/lib.py b/lib.py\n--- a/lib.py\n+++ b/lib.py\n@@ -1 +1 @@\n-add = lambda a, b: a - b\n"
    "+add = lambda a, b: a + b\n",
    "test_patch": "diff --git a/tests/test_lib.py b/tests/test_lib.py\n--- a/tests/test_lib.py\n+++ b/tests/test_lib.py\n"
    "@@ -1,2 +1,4 @@\n def test_old():\n     pass\n+def test_new():\n+    from lib import add; assert add(1, 1) == 2\n",
    "FAIL_TO_PASS": '["tests/test_lib.py::test_new"]',
    "PASS_TO_PASS": ["tests/test_lib.py::test_old"],
    "version": "1.2",
}


def test_an_instance_of_swebench_needs_its_repository_and_hides_what_the_test_patch_writes(cli, here):
    rows = here / "rows.jsonl"
    rows.write_text(json.dumps(ROW) + "\n" + json.dumps(ROW | {"instance_id": "x__y-1", "repo": ""}) + "\n{broken\n")
    said = cli("pack", "import", "swebench", rows, "-o", here / "bare", "--json")
    told = json.loads(said.out)
    assert said.code == 1 and told["tasks"] == ["acme__lib-7"]
    assert [one["task"] for one in told["refused"]] == ["x__y-1", "rows.jsonl:3"]
    assert any("lay commit aaaa" in one for one in told["lost"]["acme__lib-7"])
    write(
        here / "repos" / "acme__lib",
        {"lib.py": "add = lambda a, b: a - b\n", "tests/test_lib.py": "def test_old():\n    pass\n"},
    )
    said = cli("pack", "import", "swebench", rows, "-o", here / "whole", "--repos", here / "repos")
    assert said.code == 1
    (task,) = load_pack(here / "whole").pack.tasks
    assert task.verify.expected_tests == ("tests/test_lib.py::test_new", "tests/test_lib.py::test_old")
    assert task.source.commit == "a" * 40 and task.forbidden == ("tests/test_lib.py",)
    home = here / "whole" / "tasks" / "acme__lib-7"
    assert "test_new" in (home / "hidden/tests/test_lib.py").read_text()
    assert "test_new" not in (home / "repo/tests/test_lib.py").read_text()
    assert "it is the minus" not in "".join(path.read_text() for path in home.rglob("*") if path.is_file())


def test_mistakes_are_told_and_nothing_is_written(cli, here):
    (here / "empty").mkdir()
    said = cli("pack", "import", "auto", here / "empty", "-o", here / "pack")
    assert said.code == 2 and "holds none of these" in said.err
    exercise(here / "two")
    harbor_task(here / "two", "a", "FROM x\n")
    assert "say which" in cli("pack", "import", "auto", here / "two", "-o", here / "pack").err
    (here / "used").mkdir()
    (here / "used" / "mine").write_text("1")
    assert cli("pack", "import", "aider", here / "two", "-o", here / "used").code == 2
    assert cli("pack", "export", "harbor", "holdout16", "-o", here / "used").code == 2
    config = here / "two" / "python/exercises/practice/shout/.meta/config.json"
    config.write_text("{")
    said = cli("pack", "import", "aider", here / "two", "-o", here / "pack")
    assert said.code == 2 and "no task can be imported" in said.err
    assert not (here / "pack").exists()


@bwrap
@pytest.mark.needs_bwrap
def test_an_exported_task_gives_its_reward_in_a_container_of_harbor(cli, here):
    """Base gives 0 and gold gives 1, with /app, /tests and /logs where Harbor has them."""
    assert cli("pack", "export", "harbor", "holdout16", "-o", here / "tasks").code == 0
    source = load_pack(find_pack("holdout16"))
    wanted = [task for task in source.pack.tasks if task.slice == "solvable"][:2]
    assert {path.name for path in (here / "tasks").iterdir()} == {task.id for task in source.pack.tasks}
    for task in wanted:
        home = here / "tasks" / task.id
        for patched, reward in ((False, "0"), (True, "1")):
            box = here / f"{task.id}-{patched}"
            shutil.copytree(home / "environment" / "repo", box / "app")
            (box / "logs").mkdir()
            script = "sh /solution/solve.sh && sh /tests/test.sh" if patched else "sh /tests/test.sh"
            ran = subprocess.run(
                ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin",
                 "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev",
                 "--tmpfs", "/tmp", "--bind", box / "app", "/app", "--bind", box / "logs", "/logs",
                 "--ro-bind", home / "tests", "/tests", "--ro-bind", home / "solution", "/solution",
                 "--setenv", "PATH", "/usr/bin:/bin", "sh", "-c", script],
                capture_output=True, text=True, timeout=120,
            )  # fmt: skip
            assert (box / "logs/verifier/reward.txt").read_text().strip() == reward, ran.stdout + ran.stderr


def test_what_goes_out_comes_in_again(cli, here):
    out = cli("pack", "export", "harbor", "holdout16", "-o", here / "tasks").out
    assert out.count("Harbor looks at no paths") == 1
    assert out.count("lost of 6 tasks (") == 1
    assert cli("pack", "import", "harbor", here / "tasks", "-o", here / "pack").code == 0
    source = load_pack(find_pack("holdout16"))
    assert load_pack(here / "pack").pack.tasks == source.pack.tasks
    for folder in sorted(path for path in (here / "pack" / "tasks").iterdir()):
        theirs = find_pack("holdout16") / "tasks" / folder.name
        for name in ("repo", "hidden"):
            assert read_tree(folder / name).digest == read_tree(theirs / name).digest, (folder.name, name)
        assert (folder / "prompt.md").read_bytes() == (theirs / "prompt.md").read_bytes()
        assert (folder / "gold.patch").exists() is (theirs / "gold.patch").exists()
    told = (here / "pack" / "IMPORTED.md").read_text().splitlines()[4:]
    assert len(told) == 1
    assert "lock anew" in told[0]


def retold(here: Path, change: str) -> Path:
    """An export of a control, of which somebody changed something."""
    home = here / "tasks" / "receipt-rounding"
    toml = home / "task.toml"
    if change == "older":
        lines = toml.read_text().splitlines(keepends=True)
        toml.write_text("".join(one for one in lines if not one.startswith(("runner", "level", "command", "report"))))
    if change == "test.sh":
        (home / "tests/test.sh").write_text((home / "tests/test.sh").read_text() + "exit 0\n")
    if change == "hidden":
        (home / "tests/hidden/test_receipt.py").write_text("import unittest\n")
    if change == "slice":
        toml.write_text(toml.read_text().replace('slice = "negative"', 'slice = "negativ"'))
    if change == "control":
        toml.write_text(toml.read_text().replace('control = "noop_must_stay_green"', "control = 3"))
    return home


@pytest.mark.parametrize(
    ("change", "kept", "told"),
    [
        ("older", True, "the export does not say"),
        ("test.sh", True, "its tests are not those that were exported"),
        ("hidden", True, "its tests are not those that were exported"),
        ("slice", False, "it is an ordinary task here: slice"),
        ("control", False, "it is an ordinary task here: "),
    ],
)
def test_a_control_that_cannot_come_back_whole_is_a_control_or_a_loss(cli, here, change, kept, told):
    assert cli("pack", "export", "harbor", "holdout16", "-o", here / "tasks").code == 0
    said = cli("pack", "import", "harbor", retold(here, change), "-o", here / "pack", "--json")
    assert said.code == 0, said.err
    (task,) = load_pack(here / "pack").pack.tasks
    assert (task.slice, task.control) == (("negative", "noop_must_stay_green") if kept else ("solvable", ""))
    assert (task.verify.runner, task.verify.level, task.verify.counter_tests) == ("command", "G1", ())
    (lost,) = said.json["lost"].values()
    assert sum(told in one for one in lost) == 1, lost


def test_what_a_task_of_harbor_says_and_no_field_of_ours_holds_is_listed(cli, here):
    home = harbor_task(here / "tasks", "a", "FROM x\n") / "a"
    text = (home / "task.toml").read_text()
    (home / "task.toml").write_text(
        text.replace("[task]\n", '[metadata]\ndifficulty = "hard"\ncategory = "c"\n[task]\nkeywords = ["k"]\n')
        + "[solution.env]\nKEY = 1\n"
    )
    said = cli("pack", "import", "harbor", here / "tasks", "-o", here / "pack", "--json")
    (lost,) = said.json["lost"].values()
    assert {"[metadata] difficulty = hard", "[task] keywords = ['k']", "[solution] env = {'KEY': 1}"} <= set(lost)
