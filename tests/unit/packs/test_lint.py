"""Every lint rule: a pack that it must reject, and the sound pack that it must let through."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.catalog import index
from denominator.packs import find_pack, init_pack, load_pack
from denominator.packs.lint import LINT_ENTRIES, blocking, lint_pack
from denominator.packs.lint import rules as rules_package
from denominator.packs.lint.rules import RULES
from denominator.records.packs import Baseline, BaselineRun, PackLock
from unit.packs.making import FILES, add_task, edit, make_pack, write

TOML, REPO, HIDDEN = "tasks/sums/task.toml", "tasks/sums/repo/", "tasks/sums/hidden/"
Change = Callable[[Path], object]


def put(**files: str) -> Change:
    return lambda root: write(root, {path.replace("__", "/"): text for path, text in files.items()})


def at(path: str, text: str | bytes | None) -> Change:
    return lambda root: write(root, {path: text})


def swap(old: str, new: str, path: str = TOML) -> Change:
    return lambda root: edit(root / path, old, new)


def both(*changes: Change) -> Change:
    return lambda root: [change(root) for change in changes]


def append(path: str, text: str) -> Change:
    return lambda root: (root / path).write_text((root / path).read_text() + text)


EXPECTED = 'expected_tests = ["test_sum_even.SumTest.test_big_numbers"]'
COUNTER = 'counter_tests = ["test_opposite.OppositeTest.test_wrong_sum"]'
GOLD_LINE = "carried = [int(digit) for digit in (left, right)]"
SHORT_GOLD = "--- a/adder/core.py\n+++ b/adder/core.py\n@@ -1,2 +1,2 @@\n def add(left, right):\n-    return left - right\n+    return left + right\n"
MENDED = (
    "def add(left, right):\n    carried = [int(digit) for digit in (left, right)]\n    return carried[0] + carried[1]\n"
)
TOKEN = "TOKEN-0123456789abc"


def zipped(text: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("adder/core.py", text)
    return made.getvalue()


TODO_TEST = "import unittest\n\n\nclass SumTest(unittest.TestCase):\n    def test_big_numbers(self):\n        {}\n"
COMMAND = 'runner = "command"\ncommand = "{}"\nreport = "out.xml"'


def negative(name: str = "neg", extra: str = "", gold: bool = False, **words: str) -> Change:
    def change(root: Path) -> None:
        where = add_task(root, name, extra=extra, slice="negative", **words)
        if gold:
            write(where, {"gold.patch": FILES["gold.patch"]})

    return change


# rule -> the ways to break it; each: name, change, severity
BAD: dict[str, list[tuple[str, Change, str]]] = {
    "PL001": [
        (
            "no hidden files",
            both(at(HIDDEN + "test_sum_even.py", None), at(HIDDEN + "test_opposite.py", None)),
            "block",
        ),
        ("no ids", swap(EXPECTED, "expected_tests = []"), "block"),
        (
            "only bytecode",
            both(
                at(HIDDEN + "test_sum_even.py", None),
                at(HIDDEN + "test_opposite.py", None),
                at(HIDDEN + "x.pyc", b"\0"),
            ),
            "block",
        ),
        (
            "exit status alone",
            both(
                swap(EXPECTED, ""),
                swap('runner = "unittest"', 'runner = "command"\ncommand = "./t"'),
                swap('"G2"', '"G1"'),
            ),
            "note",
        ),
    ],
    "PL002": [
        ("in the prompt", append("tasks/sums/prompt.md", f"Use `{GOLD_LINE}`.\n"), "block"),
        ("wrapped in white space", append("tasks/sums/prompt.md", GOLD_LINE.replace(" ", "  ") + "\n"), "block"),
        ("commented out", append(REPO + "adder/core.py", f"# {GOLD_LINE}\n"), "block"),
        ("trailing comment", append(REPO + "adder/core.py", f"X = 1  # {GOLD_LINE}\n"), "block"),
        (
            "in a docstring",
            append(REPO + "adder/core.py", f'def f():\n    """Adds.\n\n    {GOLD_LINE}\n    """\n'),
            "block",
        ),
        ("in the README", append(REPO + "README.md", f"    {GOLD_LINE}\n"), "block"),
        (
            "a fix of one short line",
            both(
                at("tasks/sums/gold.patch", SHORT_GOLD),
                append("tasks/sums/prompt.md", "Make it `return left + right`.\n"),
            ),
            "block",
        ),
        ("in the specification", at("tasks/sums/spec/api.md", f"{GOLD_LINE}\n"), "block"),
    ],
    "PL003": [
        ("a test id in the prompt", append("tasks/sums/prompt.md", "Failing now: test_big_numbers\n"), "block"),
        ("in capitals", append("tasks/sums/prompt.md", "Failing now: TEST_BIG_NUMBERS\n"), "block"),
        ("a file in the prompt", append("tasks/sums/prompt.md", "See tests/hidden/test_sum_even.py\n"), "block"),
        ("a module in the README", append(REPO + "README.md", "run test_sum_even to check\n"), "block"),
        ("a class in a comment", append(REPO + "adder/core.py", "# checked by OppositeTest\n"), "block"),
        ("in a configuration file", at(REPO + "setup.cfg", "[tests]\nonly = test_wrong_sum\n"), "block"),
        (
            "code of a test in the prompt",
            append("tasks/sums/prompt.md", "\n    def test_big_numbers(self):\n"),
            "block",
        ),
        (
            "a whole id",
            append(REPO + "README.md", "pytest test_sum_even.SumTest.test_big_numbers\n"),
            "block",
        ),
        ("the name of a file", at(REPO + "out/test_sum_even.log", "red\n"), "block"),
        ("the name of a file that may be a test", at(REPO + "tests/test_big_numbers.py", "pass\n"), "note"),
        (
            "the title of a test",
            both(
                swap(EXPECTED, 'expected_tests = ["sums > carries over three digits"]'),
                append("tasks/sums/prompt.md", "It carries over three digits.\n"),
            ),
            "block",
        ),
        (
            "a visible test of the same name",
            at(REPO + "tests/test_x.py", "def test_big_numbers():\n    pass\n"),
            "note",
        ),
        (
            "a copy of a hidden file",
            at(REPO + "old/check.py", "import sut\n\n\nassert sut.call('adder.core:add', 20, 22) == 42\n"),
            "block",
        ),
    ],
    "PL004": [
        (
            "a line of test code",
            append(REPO + "README.md", "assert sut.call('adder.core:add', 20, 22) == 42\n"),
            "block",
        ),
        (
            "an expected value",
            both(
                append(HIDDEN + "test_sum_even.py", "WANT = '2024-02-29T23:59:60Z'\n"),
                append("tasks/sums/prompt.md", "For example 2024-02-29T23:59:60Z.\n"),
            ),
            "block",
        ),
        (
            "a long number",
            both(
                append(HIDDEN + "test_sum_even.py", "WANT = 1709251200\n"),
                append(REPO + "README.md", "gives 1709251200\n"),
            ),
            "block",
        ),
    ],
    "PL005": [
        ("a git folder", at(REPO + ".git/HEAD", "ref: refs/heads/main\n"), "block"),
        ("an empty git folder", lambda root: (root / REPO / ".git").mkdir(), "block"),
        ("a git file", at(REPO + ".git", "gitdir: ../x\n"), "block"),
        ("a nested one", at(REPO + "vendor/lib/.hg/store", "x"), "block"),
        ("a bundle", at(REPO + "later.bundle", "x"), "block"),
        (
            "a repository under another name",
            put(**{f"tasks/sums/repo/mirror/{name}": "x" for name in ("HEAD", "objects/x", "refs/x")}),
            "block",
        ),
    ],
    "PL006": [
        ("a pipe (case 058)", swap('runner = "unittest"', COMMAND.format("run-tests --all | tee out.txt")), "block"),
        ("or true", swap('runner = "unittest"', COMMAND.format("run-tests || true")), "block"),
    ],
    "PL007": [
        (
            "encoded",
            both(
                swap("[source]", f'canary = "{TOKEN}"\n[source]'),
                at(REPO + "x.txt", base64.b64encode(TOKEN.encode())),
            ),
            "block",
        ),
        (
            "in the repository",
            both(
                swap("[source]", 'canary = "TOKEN-0123456789abc"\n[source]'),
                append(REPO + "README.md", "token-0123456789ABC\n"),
            ),
            "block",
        ),
        (
            "in the prompt",
            both(
                swap("[source]", 'canary = "TOKEN-0123456789abc"\n[source]'),
                append("tasks/sums/prompt.md", "TOKEN-0123456789abc\n"),
            ),
            "block",
        ),
        (
            "in a path",
            both(
                swap("[source]", 'canary = "TOKEN-0123456789abc"\n[source]'), at(REPO + "TOKEN-0123456789abc.txt", "")
            ),
            "block",
        ),
        (
            "in gold",
            both(
                swap("[source]", 'canary = "TOKEN-0123456789abc"\n[source]'),
                swap("int(digit)", 'int(digit or "TOKEN-0123456789abc")', "tasks/sums/gold.patch"),
            ),
            "block",
        ),
        ("too short", swap("[source]", 'canary = "abc"\n[source]'), "block"),
        ("a canary task without one", swap('slice = "solvable"', 'slice = "canary"'), "block"),
        (
            "shared by two tasks",
            both(
                swap("[source]", 'canary = "TOKEN-0123456789abc"\n[source]'),
                lambda root: add_task(root, "two", extra='canary = "TOKEN-0123456789abc"'),
            ),
            "block",
        ),
    ],
    "PL010": [
        ("equal but for case", lambda root: add_task(root, "Sums", folder="=53ums"), "block"),
        (
            "equal but for composed letters",
            lambda root: [
                add_task(root, "caf\u00e9", folder="caf=c3=a9"),
                add_task(root, "cafe\u0301", folder="cafe=cc=81"),
            ],
            "block",
        ),
        ("the pack's own id", swap('id = "tiny"', 'id = "../tiny"', "pack.toml"), "block"),
    ],
    "PL011": [
        ("a placeholder in the pack", swap('reason = "convenience"', 'reason = "REPLACE: why"', "pack.toml"), "block"),
        ("no licence", swap('license = "MIT"', 'license = " "'), "block"),
        ("no authors", swap('authors = ["the authors"]', 'authors = ["<name>"]', "pack.toml"), "block"),
        (
            "a branch for a commit",
            swap('kind = "folder"', 'kind = "git"\nurl = "https://example.org/x"\ncommit = "main"'),
            "block",
        ),
        ("no address", swap('kind = "folder"', f'kind = "git"\ncommit = "{"a" * 40}"'), "block"),
        ("an empty prompt", at("tasks/sums/prompt.md", "\n"), "block"),
        ("no prompt", at("tasks/sums/prompt.md", None), "block"),
    ],
    "PL012": [
        ("fewer controls", swap("controls_min = 0", "controls_min = 1", "pack.toml"), "block"),
        ("fewer multi-file tasks", swap("multi_file_min = 0", "multi_file_min = 1", "pack.toml"), "block"),
        ("less than a holdout", lambda root: None, "note"),
    ],
    "PL013": [
        ("outside", swap('allowed = ["adder/*.py"]', 'allowed = ["other/*.py"]'), "block"),
        ("forbidden", swap('forbidden = ["tests/**"]', 'forbidden = ["adder/core.py"]'), "block"),
        ("nothing allowed", swap('allowed = ["adder/*.py"]', "allowed = []"), "block"),
    ],
    "PL014": [("one file only", swap("multi_file = false", "multi_file = true"), "block")],
    "PL015": [
        ("no gold", at("tasks/sums/gold.patch", None), "block"),
        ("gold of another revision", swap("left - right", "left * right", REPO + "adder/core.py"), "block"),
        ("no patch at all", at("tasks/sums/gold.patch", "solved!\n"), "block"),
        ("an empty patch", at("tasks/sums/gold.patch", ""), "block"),
        ("a control with gold", negative(control="must_fail", expected="fail", gold=True), "block"),
        ("a no-op with gold", negative(control="noop_must_stay_green", expected="stay_green", gold=True), "block"),
    ],
    "PL016": [
        (
            "it is there",
            negative(control="must_ask", expected="abstain", extra='required_files = ["README.md"]'),
            "block",
        ),
        ("nothing named", negative(control="must_ask", expected="abstain"), "block"),
        ("absent elsewhere", swap("[source]", 'required_files = ["config.json"]\n[source]'), "block"),
    ],
    "PL017": [
        ("no type", negative(control="", expected="fail"), "block"),
        ("a control among the solvable", swap('control = ""', 'control = "must_fail"'), "block"),
        (
            "a contradiction",
            negative(control="must_ask", expected="pass", extra='required_files = ["absent"]'),
            "block",
        ),
        ("a slice as a control", negative(control="floor", expected="pass"), "block"),
        ("a task that is to fail", swap('expected = "pass"', 'expected = "fail"'), "block"),
    ],
    "PL018": [
        ("ids from an exit status", swap('runner = "unittest"', 'runner = "command"\ncommand = "./t"'), "block"),
        (
            "a process of its own for pytest",
            both(swap('"G2"', '"G3"'), swap('runner = "unittest"', 'runner = "pytest"')),
            "block",
        ),
        ("no command", swap('runner = "unittest"', 'runner = "command"\nreport = "r.xml"'), "block"),
        ("a command that nobody runs", swap('runner = "unittest"', 'runner = "unittest"\ncommand = "./t"'), "block"),
        ("nobody knows it", swap('runner = "unittest"', 'runner = "unitest"'), "block"),
    ],
    "PL019": [
        ("twice", swap(EXPECTED, EXPECTED.replace("]", ', "test_sum_even.SumTest.test_big_numbers"]')), "block"),
        (
            "in both lists",
            swap(
                COUNTER,
                COUNTER.replace("test_opposite.OppositeTest.test_wrong_sum", "test_sum_even.SumTest.test_big_numbers"),
            ),
            "block",
        ),
        ("empty", swap(EXPECTED, EXPECTED.replace("]", ', " "]')), "block"),
    ],
    "PL020": [("none", swap(COUNTER, ""), "block")],
    "PL021": [
        ("large", at(REPO + "dump.txt", b"a\n" * (3 << 20)), "note"),
        ("huge", at(REPO + "dump.txt", b"a\n" * (17 << 20)), "block"),
    ],
    "PL022": [
        ("a link", lambda root: (root / REPO / "link").symlink_to("/etc/hostname"), "block"),
        ("a binary", at(REPO + "tool", b"\x7fELF\0"), "note"),
        ("not UTF-8", at(REPO + "old.txt", b"caf\xe9\n"), "note"),
        ("an executable document", lambda root: (root / "tasks/sums/prompt.md").chmod(0o755), "note"),
    ],
    "PL023": [
        ("no date", swap('version = "1.0.0"', 'version = "1.0.0"\nexpires = "next year"', "pack.toml"), "block"),
        ("no such day", swap('version = "1.0.0"', 'version = "1.0.0"\nexpires = "2027-02-30"', "pack.toml"), "block"),
        ("another form", swap('version = "1.0.0"', 'version = "1.0.0"\nexpires = "20270228"', "pack.toml"), "block"),
    ],
    "PL024": [
        ("today", append(HIDDEN + "test_sum_even.py", "DAY = str(date.today())\n"), "note"),
        ("now, in another language", at(HIDDEN + "day.test.js", "const day = Date.now();\n"), "note"),
    ],
    "PL025": [
        ("a hidden test under its own path", at(REPO + "test_sum_even.py", FILES["hidden/test_sum_even.py"]), "block"),
        ("below another folder", at(REPO + "old/test_sum_even.py", FILES["hidden/test_sum_even.py"]), "block"),
        ("an earlier version", at(REPO + "test_sum_even.py", "pass\n"), "note"),
        ("the mended file", at(REPO + "build/lib/core.py", MENDED), "block"),
        ("in an archive", at(REPO + "dist/adder.zip", zipped(MENDED)), "block"),
        ("compressed", at(REPO + "core.py.gz", gzip.compress(MENDED.encode())), "block"),
        ("in base64", at(REPO + "notes.txt", base64.encodebytes(MENDED.encode())), "block"),
        (
            "a hidden test, packed twice",
            at(REPO + "x.bin", gzip.compress(zipped(FILES["hidden/test_sum_even.py"]))),
            "block",
        ),
    ],
    "PL026": [
        ("a history of a shell", at(REPO + ".bash_history", "ls\n"), "block"),
        ("of an interpreter", at(REPO + "home/.python_history", "1\n"), "block"),
        ("a patch of the same file", at(REPO + "fix.patch", SHORT_GOLD), "block"),
        (
            "counted from another folder",
            at(REPO + "x/fix.diff", SHORT_GOLD.replace("adder/core", "src/adder/core")),
            "block",
        ),
        ("another patch", at(REPO + "debian/rules.patch", SHORT_GOLD.replace("adder/core", "other")), "note"),
        ("no patch at all", at(REPO + "notes.diff", "see above\n"), "note"),
        (
            "a piece without a head",
            at(REPO + "notes.diff", "x\n+    carried = [int(digit) for digit in (left, right)]\n"),
            "block",
        ),
        ("scratch", at(REPO + "tmp/x.txt", "x\n"), "note"),
        (
            "build output",
            both(at(REPO + ".gitignore", "# made\n*.egg-info/\n/dist\n"), at(REPO + "dist/adder.txt", "x\n")),
            "note",
        ),
    ],
    "PL027": [
        ("pass", at(HIDDEN + "test_sum_even.py", TODO_TEST.format("pass")), "block"),
        ("a docstring", at(HIDDEN + "test_sum_even.py", TODO_TEST.format('"""Later."""')), "block"),
        ("dots", at(HIDDEN + "test_sum_even.py", TODO_TEST.format("...")), "block"),
    ],
    "PL028": [
        ("no reason", append("pack.toml", 'retired = ["old"]\n'), "block"),
        ("an empty reason", append("pack.toml", 'retired = ["old: TODO"]\n'), "block"),
        ("is a task", append("pack.toml", 'retired = ["sums: its gold was wrong"]\n'), "block"),
        ("no date", append("pack.toml", 'dates = {"tasks/sums" = "lately"}\n'), "block"),
    ],
    "PL031": [
        ("an import", both(swap('"G2"', '"G3"'), append(HIDDEN + "test_sum_even.py", "import adder\n")), "block"),
        (
            "an import of a part",
            both(
                swap('"G2"', '"G3"'),
                append(HIDDEN + "test_sum_even.py", "def late():\n    from adder.core import add\n"),
            ),
            "block",
        ),
        (
            "the folder",
            both(
                swap('"G2"', '"G3"'), append(HIDDEN + "test_sum_even.py", '\nimport os\nHERE = os.environ["SUT_DIR"]\n')
            ),
            "block",
        ),
        (
            "ids without a report",
            swap('runner = "unittest"\ntimeout_s', 'runner = "command"\ncommand = "./t"\ntimeout_s'),
            "block",
        ),
        (
            "a service that nobody starts",
            swap('runner = "unittest"', 'runner = "command"\ncommand = "./t"\nreport = "tap"\nservice = "./s"'),
            "block",
        ),
    ],
    "PL032": [
        (
            name,
            both(at(HIDDEN + "cases.py", "CASES = [1]\n"), append(HIDDEN + "test_sum_even.py", f"\n\n{line}\n")),
            "block",
        )
        for name, line in {
            "itself": "TEXT = open(__file__).read()",
            "itself as a path": "TEXT = Path(__file__).read_text()",
            "with_name": 'TEXT = Path(__file__).with_name("cases.py").read_text()',
            "loaded by path": 'SPEC = spec_from_file_location("cases", HERE / "cases.py")',
            "started": 'DONE = subprocess.run([sys.executable, "cases.py"], check=True)',
            "joined": 'DONE = runpy.run_path(os.path.join(os.path.dirname(__file__), "cases.py"))',
        }.items()
    ],
    "PL030": [
        ("no name", swap("[source]", 'packages = ["Py YAML"]\n[source]'), "block"),
        ("no module", swap("[source]", 'packages = ["PyYAML:"]\n[source]'), "block"),
        ("no top-level module", swap("[source]", 'packages = ["PyYAML:yaml.load"]\n[source]'), "block"),
        ("modules not named", swap("[source]", 'packages = ["requests"]\n[source]'), "note"),
        ("no such file", swap("[source]", 'spec_paths = ["docs/api.json"]\n[source]'), "block"),
        ("no JSON", at("tasks/sums/spec/api.json", "{"), "block"),
        ("YAML", at("tasks/sums/spec/api.yaml", "openapi: 3.0.0\n"), "note"),
        (
            "a reference that invents",
            at(
                "tasks/sums/gold.patch",
                SHORT_GOLD.replace("return left + right", "return left.plus(right) or int.add(1)"),
            ),
            "block",
        ),
        (
            "a reference with an undeclared package",
            both(
                swap("[source]", 'packages = ["PyYAML:yaml"]\n[source]'),
                at("tasks/sums/gold.patch", SHORT_GOLD.replace("return left + right", "import numpy")),
            ),
            "block",
        ),
    ],
}
CASES = [
    pytest.param(code, change, severity, id=f"{code} {name}")
    for code, cases in BAD.items()
    for name, change, severity in cases
]


@pytest.mark.parametrize(("code", "change", "severity"), CASES)
def test_a_bad_pack_is_named(pack, code, change, severity):
    change(pack)
    found = [finding for finding in lint_pack(load_pack(pack)) if finding.code == code]
    assert severity in {finding.severity for finding in found}
    assert all(finding.where and finding.fix and finding.what and finding.subject for finding in found)


def test_a_sound_pack_is_let_through(pack):
    findings = lint_pack(load_pack(pack))
    assert blocking(findings) == ()
    # What is left: nothing was run yet, and one task is no holdout.
    assert {(finding.code, finding.severity) for finding in findings} == {("PL008", "unknown"), ("PL012", "note")}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            append("tasks/sums/prompt.md", "`def add(left, right):` keeps its signature.\n"),
            id="an interface in the prompt",
        ),
        pytest.param(
            append("tasks/sums/prompt.md", "Round half to even in money sums; big numbers too.\n"),
            id="plain words (case 094 c)",
        ),
        pytest.param(
            at(REPO + "notes.txt", base64.b64encode(b"nothing of the kind, " * 9)), id="base64 of something else"
        ),
        pytest.param(at(REPO + "docs/history.md", "1.0: first\n"), id="a history of versions"),
        pytest.param(append(REPO + "adder/core.py", "\n\ndef test_numbers_big():\n    return 1\n"), id="another name"),
        pytest.param(at(REPO + "run.sh", "#!/bin/sh\nexec true\n"), id="a script"),
        pytest.param(at(REPO + ".gitignore", "*.pyc\n"), id="a git setting"),
        pytest.param(at(REPO + "core.py", "def add(left, right):\n    return 0\n"), id="a file of the same name"),
        pytest.param(
            at(HIDDEN + "test_sum_even.py", TODO_TEST.format("self.check()")), id="a test that calls a helper"
        ),
        pytest.param(at(REPO + "__pycache__/x.pyc", b"\0"), id="bytecode"),
        pytest.param(
            both(
                at(HIDDEN + "cases.py", "CASES = [1]\n"),
                at(HIDDEN + "core.py", "CASES = [1]\n"),
                at(HIDDEN + "cases.json", "[1]\n"),
                append(
                    HIDDEN + "test_sum_even.py",
                    "\n\nfrom pathlib import Path\n\nimport cases\n\nTEXT = Path(__file__).with_name('cases.json').read_text()\n"
                    "SAID = sut.run(['python', 'core.py'])\nNAME = 'cases.py'\n",
                ),
            ),
            id="hidden modules that are imported, and data that is read",
        ),
        pytest.param(
            both(
                swap('"G2"', '"G1"'),
                swap('runner = "unittest"', COMMAND.format("python3 $HIDDEN/test_sum_even.py")),
                append(HIDDEN + "test_sum_even.py", "\n\nTEXT = open(__file__).read()\n"),
            ),
            id="a command's test that reads itself",
        ),
        pytest.param(
            both(
                swap("[source]", 'canary = "TOKEN-0123456789abc"\n[source]'),
                append(HIDDEN + "test_sum_even.py", "# TOKEN-0123456789abc\n"),
            ),
            id="a hidden canary",
        ),
        pytest.param(
            both(
                swap('"G2"', '"G1"'),
                swap('runner = "unittest"', COMMAND.format("set -eo pipefail; run-tests | tee out.txt")),
            ),
            id="a pipe with pipefail",
        ),
        pytest.param(negative(control="noop_must_stay_green", expected="stay_green"), id="a no-op control"),
        pytest.param(
            negative(control="must_ask", expected="abstain", extra='required_files = ["absent.json"]'),
            id="a file that is absent",
        ),
        pytest.param(negative(control="must_fail", expected="fail_or_abstain"), id="a task that must fail"),
    ],
)
def test_what_is_fine_stays_fine(pack, change):
    change(pack)
    assert [f"{f.code} {f.what} {f.where}" for f in blocking(lint_pack(load_pack(pack)))] == []


def with_baseline(root: Path, **fields: tuple[str, ...]):
    found = load_pack(root)
    runs = (BaselineRun(task_id="sums", on="base", repeat=1, grade="green", detail="all ids passed"),)
    baseline = Baseline(
        pack_digest="d",
        box_digest="b",
        concurrency=1,
        repeats=3,
        taken_at="2026-11-29T00:00:00.000Z",
        runs=runs,
        **fields,
    )
    lock = PackLock(pack_id="tiny", pack_version="1.0.0", digest="d", files=(), tasks=(), baseline=baseline)
    return replace(found, lock=lock)


def test_a_task_that_is_green_already(pack):
    (finding,) = [f for f in lint_pack(with_baseline(pack, wrong=("sums",))) if f.code == "PL008"]
    assert (finding.severity, finding.subject) == ("block", "sums")
    assert "base green" in finding.what


def test_a_task_that_showed_both_results(pack):
    findings = lint_pack(with_baseline(pack, flaky=("sums",)))
    assert [(f.code, f.severity) for f in findings if f.code in ("PL008", "PL009")] == [("PL009", "block")]


def test_a_task_that_the_baseline_does_not_know(pack):
    add_task(pack, "later")
    (finding,) = [f for f in lint_pack(with_baseline(pack)) if f.code == "PL008"]
    assert (finding.severity, finding.subject) == ("unknown", "later")


@pytest.mark.parametrize("written", ['"2027-01-31"', "2027-01-31"], ids=["a text", "a date of TOML"])
def test_an_expiry_date_is_held_against_today(pack, written):
    swap('version = "1.0.0"', f'version = "1.0.0"\nexpires = {written}', "pack.toml")(pack)
    days = {"2026-12-01": "", "2027-01-01": "note", "2027-01-31": "note", "2027-02-01": "block"}
    for day, severity in days.items():
        found = [f for f in lint_pack(load_pack(pack), day + "T12:00:00.000Z") if f.code == "PL023"]
        assert [f.severity for f in found] == ([severity] if severity else []), day
        assert severity != "block" or "pack_expired" in found[0].what
    assert not [f for f in lint_pack(load_pack(pack)) if f.code == "PL023"]


def test_a_history_is_named_by_what_it_holds(pack):
    git = pack / REPO / ".git"
    files = {
        "HEAD": "ref: refs/heads/main\n",
        "refs/heads/main": "a" * 40 + "\n",
        "refs/tags/v9": "b" * 40 + "\n",
        "refs/stash": "c" * 40 + "\n",
        "packed-refs": f"# pack-refs with: peeled\n{'d' * 40} refs/remotes/origin/fix\n^{'e' * 40}\n",
        "ORIG_HEAD": "f" * 40 + "\n",
        "logs/HEAD": "x",
        "objects/ab/" + "c" * 38: "x",
        "objects/pack/pack-1.pack": "x",
    }
    write(git, files)
    (git / "refs/heads/loop").symlink_to("/")
    (finding,) = [f for f in lint_pack(load_pack(pack)) if f.code == "PL005"]
    assert finding.what.removeprefix("the repository brings a history: .git, with ").split(", ") == [
        "branch main", "remote branch origin/fix", "the stash", "tag v9", "ORIG_HEAD",
        "a reflog of HEAD", "1 loose objects", "1 packs of objects",
    ]  # fmt: skip


def test_a_git_source_is_held_to_the_same_rules(pack):
    swap('kind = "folder"', f'kind = "git"\nurl = "https://example.org/x"\ncommit = "{"a" * 40}"')(pack)
    assert not blocking(lint_pack(load_pack(pack)))
    write(pack, {REPO + ".git/HEAD": "x", REPO + "fix.patch": SHORT_GOLD})
    assert {f.code for f in blocking(lint_pack(load_pack(pack)))} >= {"PL005", "PL026"}


def test_a_stated_expiry_answers_for_a_test_that_looks_at_the_clock(pack):
    append(HIDDEN + "test_sum_even.py", "DAY = str(date.today())\n")(pack)
    swap('version = "1.0.0"', 'version = "1.0.0"\nexpires = "2099-01-31"', "pack.toml")(pack)
    assert not [f for f in lint_pack(load_pack(pack)) if f.code == "PL024"]


def test_a_rule_that_crashes_is_unknown_and_hides_no_other(pack, monkeypatch):
    def crash(rule, material):
        raise ZeroDivisionError("bug")
        yield

    crashing = tuple(replace(rule, check=crash) if rule.code == "PL002" else rule for rule in RULES)
    monkeypatch.setattr("denominator.packs.lint.run.RULES", crashing)
    swap(EXPECTED, "expected_tests = []")(pack)
    findings = {finding.code: finding for finding in lint_pack(load_pack(pack))}
    assert findings["PL002"].severity == "unknown" and "ZeroDivisionError" in findings["PL002"].what
    assert findings["PL001"].severity == "block"


def test_places_are_files_with_lines(pack):
    append("tasks/sums/prompt.md", "\n\nFailing now: test_big_numbers\n")(pack)
    swap("multi_file = false", "multi_file = true")(pack)
    where = {finding.code: finding.where for finding in blocking(lint_pack(load_pack(pack)))}
    assert where == {"PL003": "tasks/sums/prompt.md:4", "PL014": "tasks/sums/task.toml:10"}


def test_findings_come_worst_first_and_in_one_order(pack):
    swap('license = "MIT"', 'license = "TODO"')(pack)
    findings = lint_pack(load_pack(pack))
    assert [f.severity for f in findings] == ["block", "unknown", "note"] or findings[0].severity == "block"
    assert findings == lint_pack(load_pack(pack))


def test_the_skeleton_lists_what_is_to_be_filled_in(tmp_path):
    init_pack(tmp_path / "new")
    findings = blocking(lint_pack(load_pack(tmp_path / "new")))
    said = {finding.what for finding in findings}
    for field in ("title", "license", "reason", "selection.rule", "provenance.created", "provenance.authors"):
        assert f"{field} is not filled in" in said
    assert any("prompt.md" in what for what in said)
    assert {finding.code for finding in findings} == {"PL011"}, "nothing but what its author has to say"


def test_the_skeleton_is_sound_once_it_is_filled_in(tmp_path):
    for name in init_pack(tmp_path / "new"):
        path = tmp_path / "new" / name
        text = path.read_text().replace('"REPLACE: a date, unquoted, for example 2026-11-29"', "2026-11-29")
        path.write_text(text.replace("REPLACE: ", "Our "))
    assert not blocking(lint_pack(load_pack(tmp_path / "new")))


def test_the_built_in_pack_is_sound():
    assert [
        f"{f.code} {f.subject} {f.what} {f.where}" for f in blocking(lint_pack(load_pack(find_pack("holdout16"))))
    ] == []


# Rules and their files


def test_every_rule_file_is_listed_and_documented():
    folder = Path(rules_package.__file__).parent
    files = sorted(path.stem for path in folder.glob("pl*.py"))
    assert files == [rule.check.__module__.rsplit(".", 1)[1] for rule in RULES]
    assert [name[:5].upper() for name in files] == [rule.code for rule in RULES]
    for rule in RULES:
        assert all(f"\n{word}:" in rule.doc for word in ("Why", "Bad", "Good", "Fix")), rule.code
    assert len(index(LINT_ENTRIES)) == len(RULES)


def test_every_rule_has_a_bad_case_here():
    assert set(BAD) | {"PL008", "PL009"} == {rule.code for rule in RULES}


# Cases from the field


def test_case_094_names_in_prompts(tmp_path):
    rows = json.loads((Path(__file__).parents[2] / "cases/packs/094-prompt-leaks.json").read_text())
    make_pack(tmp_path / "p")
    for row in rows["tasks"]:
        where = add_task(tmp_path / "p", row["id"])
        name = row["hidden_test"].rsplit("/", 1)[-1]
        edit(
            where / "task.toml",
            EXPECTED,
            f"expected_tests = {json.dumps([f'{name[:-3]}.{i}' for i in row['hidden_ids']])}",
        )
        write(where, {"prompt.md": row["prompt"] + "\n", f"hidden/{name}": "pass\n", "hidden/test_sum_even.py": None})
    blocked = {
        (f.subject, f.what.rsplit(" ", 1)[1])
        for f in blocking(lint_pack(load_pack(tmp_path / "p")))
        if f.code == "PL003"
    }
    for task_id, wanted in rows["findings"].items():
        assert any(subject == task_id and word in wanted[0] for subject, word in blocked), task_id
    assert not {subject for subject, _ in blocked} & set(rows["clean"])
