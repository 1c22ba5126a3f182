"""The runners of this machine, really run on small suites of ours: what they write today is read as what happened."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from denominator.readers.runners import RunnerInput, RunnerReading, read_ending
from denominator.records.values import NotMeasured

SUT = "def f(x):\n    return x + 1\n"
GOOD = "from sut import f\n\n\ndef test_a():\n    assert f(1) == 2\n\n\ndef test_b():\n    assert f(2) == 3\n"
IDS = ("test_s.py::test_a", "test_s.py::test_b")
HOOK = "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
SKIP = "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    pass\n"


def start(folder: Path, *command: str) -> tuple[int, bytes]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON", "NODE_", "GO"))
    }
    env = {**kept, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", "GOCACHE": str(folder.parent / "gocache")}
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
    )
    return done.returncode, done.stdout


def by_pytest(folder: Path, files: dict[str, str], *arguments: str, **more: object) -> RunnerReading:
    for name, text in {"sut.py": SUT, "pytest.ini": "[pytest]\n", **files}.items():
        (folder / name).write_text(text)
    report = folder / "report.xml"
    options = ("-p", "no:cacheprovider", "-p", "no:randomly", f"--junitxml={report}", "--rootdir=.")
    status, said = start(folder, sys.executable, "-m", "pytest", *options, *arguments)
    reports = (report.read_bytes(),) if report.exists() else ()
    given = {"expected": IDS, "touched": ("sut.py",), "baseline_collects": True, **more}
    return read_ending(RunnerInput(runner="pytest", exit=status, reports=reports, text=said, **given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("files", "arguments", "ending", "blames"),
    [
        ({"test_s.py": GOOD}, (), "passed", None),
        ({"test_s.py": GOOD, "sut.py": "def f(x):\n    return 0\n"}, (), "assertion_failed", None),
        ({"test_s.py": GOOD, "sut.py": "def g(x):\n    return 0\n"}, (), "collection_error", True),
        ({"test_s.py": GOOD, "sut.py": "def f(x) return\n"}, (), "collection_error", True),
        ({"test_s.py": "import not_in_this_image\n"}, (), "collection_error", False),
        ({"test_s.py": GOOD, "conftest.py": HOOK, "sut.py": "def f(x):\n    return 0\n"}, (), "disagrees", False),
        ({"test_s.py": GOOD, "conftest.py": "import not_in_this_image\n"}, (), "usage_error", False),
        ({"test_s.py": SKIP}, (), "all_skipped", None),
        ({"test_s.py": GOOD}, ("-k", "nothing"), "nothing_ran", False),
        ({"test_s.py": GOOD}, ("test_gone.py",), "usage_error", False),
        ({"test_s.py": GOOD}, ("--no-such-flag",), "usage_error", False),
        (
            {"test_s.py": GOOD, "conftest.py": "def pytest_collection_modifyitems(items):\n    1 / 0\n"},
            (),
            "internal_error",
            False,
        ),
        ({"test_s.py": GOOD + "\n\ndef test_c():\n    import os\n    os.kill(os.getpid(), 11)\n"}, (), "signal", True),
    ],
)
def test_pytest(
    tmp_path: Path, files: dict[str, str], arguments: tuple[str, ...], ending: str, blames: bool | None
) -> None:
    found = by_pytest(tmp_path, files, *arguments)
    assert found.ending == ending, found
    assert (None if isinstance(found.blames_patch, NotMeasured) else found.blames_patch) == blames, found


def test_a_hook_of_the_patch_that_resets_the_status_points_at_it(tmp_path: Path) -> None:
    files = {"test_s.py": GOOD, "conftest.py": HOOK, "sut.py": "def f(x):\n    return 0\n"}
    found = by_pytest(tmp_path, files, touched=("sut.py", "conftest.py"))
    assert found.ending == "disagrees" and found.blames_patch is True


def test_unittest_that_ran_nothing_is_no_pass(tmp_path: Path) -> None:
    status, said = start(tmp_path, sys.executable, "-m", "unittest", "discover")
    assert read_ending(RunnerInput(runner="unittest", exit=status, text=said, expected_n=1)).ending == "nothing_ran"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("reporter", ["tap", "junit"])
@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("import t from 'node:test'; t('a', () => {}); t('b', () => {})", "passed"),
        ("import t from 'node:test'; t('a', () => {}); t('b', () => { throw Error('no') })", "assertion_failed"),
        ("import x from './missing.mjs'", "collection_error"),
        ("console.log('ok 1 - a')", "nothing_ran"),
    ],
)
def test_node(tmp_path: Path, reporter: str, text: str, ending: str) -> None:
    (tmp_path / "s.test.mjs").write_text(text)
    options = (f"--test-reporter={reporter}", "--test-reporter-destination=report")
    status, said = start(tmp_path, "node", "--test", *options, "s.test.mjs")
    if not (tmp_path / "report").exists():
        pytest.skip(f"this node writes no {reporter} report")
    report = (tmp_path / "report").read_bytes()
    found = read_ending(RunnerInput(runner="node", exit=status, reports=(report,), text=said, expected_n=2))
    assert found.ending == ending, found


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("go") is None, reason="go is not installed")
@pytest.mark.parametrize(
    ("code", "ending"),
    [("a + b", "passed"), ("a - b", "assertion_failed"), ("a + nothing", "build_failed")],
)
def test_go(tmp_path: Path, code: str, ending: str) -> None:
    (tmp_path / "go.mod").write_text("module example.test/m\n\ngo 1.19\n")
    (tmp_path / "m.go").write_text(f"package m\n\nfunc Add(a, b int) int {{ return {code} }}\n")
    test = 'package m\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) { if Add(1, 1) != 2 { t.Fatal("no") } }\n'
    (tmp_path / "m_test.go").write_text(test)
    status, said = start(tmp_path, "go", "test", "-json", "./...")
    found = read_ending(
        RunnerInput(exit=status, reports=(said,), expected=("example.test/m::TestAdd",), touched=("m.go",))
    )
    assert found.ending == ending, (found, said)
    assert (found.blames_patch is True) == (ending == "build_failed")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not installed")
def test_cargo_leaves_with_one_status_for_three_endings(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n')
    test = "#[cfg(test)] mod tests { #[test] fn adds() { assert_eq!(super::add(1, 1), 2) } }\n"
    endings = {}
    for code in ("a - b", "a + nothing", "std::process::abort()"):
        (tmp_path / "src/lib.rs").write_text(f"pub fn add(a: i32, b: i32) -> i32 {{ {code} }}\n{test}")
        status, said = start(tmp_path, "cargo", "test", "--offline", "--lib", "--message-format=json")
        assert status == 101, said
        given = RunnerInput(
            runner="cargo", exit=status, reports=(said,), format="libtest", touched=("src/lib.rs",), text=said
        )
        endings[code] = read_ending(given)
    assert endings["a + nothing"].ending == "build_failed" and endings["a + nothing"].blames_patch is True
    assert endings["std::process::abort()"].ending == "worker_crashed"
    assert endings["a - b"].ending == "incomplete", "what ran is only in the text"
