"""Which changes are of tests, of their runner, or of what starts by itself: by name and by the part that matters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.meddling import KINDS, Sides, git_startup, meddled_with
from denominator.readers.meddling.sections import PARTS, part_of
from denominator.records.trees import Change, Patch

MAKE = (
    "CC = cc\n.PHONY: test lint\nall: build\n\techo all\ntest: build\n\tpytest -q\nbuild:\n\tcc\nlint:\n\truff check\n"
)


def found(
    path: str,
    op: str = "modify",
    before: str | None = "",
    after: str | None = "x",
    command: str = "",
    base: bool = True,
) -> tuple[str, ...]:
    change = Change(path=path, op=op, kind="file", mode=0o644, size=1, blob="b")
    sides = Sides(
        base={path} if base else set(),
        before=lambda _: before.encode() if before is not None else None,
        after=lambda _: after.encode() if after is not None else None,
        command=command,
    )
    return meddled_with(Patch(base_tree="", final_tree="", changes=(change,)), sides)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("conftest.py", "runner"), ("src/deep/conftest.py", "runner"), ("pytest.ini", "runner"), (".pytest.ini", "runner"),
        ("tox.ini", "runner"), ("jest.config.ts", "runner"), (".mocharc.json", "runner"), ("pytest.py", "runner"),
        ("src/unittest/__init__.py", "runner"), ("evil.pth", "startup"), ("lib/sitecustomize.py", "startup"),
        ("usercustomize/__init__.py", "startup"), (".bashrc", "startup"), ("home/.profile", "startup"), (".envrc", "startup"),
        ("tests/test_a.py", "tests"), ("pkg/widget.spec.ts", "tests"), ("tests/data/expected.json", "tests"),
        ("calc.py", ""), ("testing.md", ""), ("contest.py", ""), ("docs/pytest.ini.md", ""), ("src/profile.py", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("op", ["modify", "delete", "chmod"])
def test_files_that_are_what_they_are_by_name(path: str, kind: str, op: str) -> None:
    assert found(path, op) == ((f"{kind}: {op} {path}",) if kind else ())


def test_a_new_test_is_welcome_and_a_new_hook_is_not() -> None:
    assert found("tests/test_new.py", "add", base=False) == ()
    assert found("tests/conftest.py", "add", base=False) == ("runner: add tests/conftest.py",)


@pytest.mark.parametrize(
    ("path", "before", "after", "command", "counts"),
    [
        ("pyproject.toml", "[project]\nname='a'", "[project]\nname='b'", "", False),
        ("pyproject.toml", "[project]\nname='a'", "[project]\nname='a'\n[tool.pytest.ini_options]\naddopts='-x'", "", True),
        ("pyproject.toml", "[tool.pytest.ini_options]\nx='1'", "[tool.pytest.ini_options]\nx = '1' # same", "", False),
        ("pyproject.toml", "", "[project.entry-points.pytest11]\np='m'", "", True),
        ("pyproject.toml", "", "not toml [", "", True),
        ("setup.cfg", "[metadata]\nname=a", "[metadata]\nname=b", "", False),
        ("setup.cfg", "[metadata]\nname=a", "[metadata]\nname=a\n[tool:pytest]\naddopts=-p x", "", True),
        ("package.json", '{"version": "1"}', '{"version": "2"}', "", False),
        ("package.json", '{"scripts": {"test": "jest"}}', '{"scripts": {"test": "true"}}', "", True),
        ("package.json", None, '{"name": "x"}', "", False),
        ("x.dist-info/entry_points.txt", None, "[pytest11]\nevil = evil", "", True),
        ("x.egg-info/entry_points.txt", None, "[console_scripts]\na = b", "", False),
        ("Makefile", MAKE, MAKE.replace("pytest -q", "true"), "make test", True),
        ("Makefile", MAKE, MAKE.replace("\tcc", "\ttrue"), "make test", True),
        ("Makefile", MAKE, "SHELL = /bin/true\n" + MAKE, "make test", True),
        ("Makefile", MAKE, MAKE.replace("ruff check", "true"), "make test", False),
        ("Makefile", MAKE, MAKE + "format:\n\truff format\n", "make -s test", False),
        ("Makefile", MAKE, MAKE.replace("echo all", "true"), "make", True),
        ("Makefile", MAKE, "", "python -m pytest", False),
        ("run_tests.sh", "pytest", "true", "sh ./run_tests.sh", True),
        ("solve.py", "a", "b", "python3 solve.py < in.txt", False),
    ],
)  # fmt: skip
def test_of_a_file_with_many_uses_only_the_runners_part_counts(
    path: str, before: str | None, after: str, command: str, counts: bool
) -> None:
    said = found(path, "modify" if before is not None else "add", before, after, command, before is not None)
    assert bool(said) is counts and all(one.startswith("runner: ") for one in said)


def test_what_was_not_taken_over_counts_and_what_the_task_is_about_does_not() -> None:
    patch = Patch(base_tree="", final_tree="", changes=(), refused=("conftest.py: is a link", "tests/t.py: is a link"))
    sides = Sides(base={"tests/t.py"}, before=lambda _: None, after=lambda _: None)
    assert meddled_with(patch, sides) == ("runner: put conftest.py", "tests: put tests/t.py")
    about = Sides(base={"tests/t.py"}, before=lambda _: None, after=lambda _: None, part_of_task={"conftest.py"})
    assert meddled_with(patch, about) == ("tests: put tests/t.py",)


@pytest.mark.parametrize(
    ("config", "keys"),
    [
        ('[core]\n\tbare = false\n\tpager = cat\n[user]\n\tname = a\n[alias]\n\tst = status -sb\n[core]\nfsmonitor=true', []),
        ("[core]\n\tfsmonitor = ./evil.sh", ["core.fsmonitor"]),
        ("[CORE] HooksPath = /work/h", ["core.hookspath"]),
        ('[filter "x"]\nclean = sh -c id', ["filter.x.clean"]),
        ('[alias]\n\tx = "!id"', ["alias.x"]),
        ("[include]\npath = ../evil", ["include.path"]),
        ("[core]\n\teditor = \"sh -c 'id'\"", ["core.editor"]),
        ("[core]\\\n\n\tsshCommand = id", ["core.sshcommand"]),
    ],
)  # fmt: skip
def test_settings_of_git_that_run_something(config: str, keys: list[str]) -> None:
    assert git_startup(config.encode(), ()) == tuple(f".git/config: {key}" for key in keys)


def test_hooks_that_git_brings_run_nothing() -> None:
    assert git_startup(None, ["pre-commit.sample", "post-checkout"]) == (".git/hooks/post-checkout",)


@given(st.sampled_from(sorted(PARTS)), st.binary(max_size=400), st.sampled_from(["", "make", "make test"]))
def test_no_bytes_break_a_reader(path: str, data: bytes, command: str) -> None:
    part = part_of(path, data, command)
    assert part is None or isinstance(part, str)
    assert part_of(path, data, command) == part
    git_startup(data, [])


@given(st.text(max_size=30), st.sampled_from(["add", "modify", "delete", "chmod", "retype"]), st.booleans())
def test_whatever_the_name_the_answer_names_it(path: str, op: str, base: bool) -> None:
    said = found(path, op, base=base)
    assert said == () or (said[0].partition(":")[0] in KINDS and said[0].endswith(f" {path}"))
