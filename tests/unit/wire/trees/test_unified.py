"""Unified diffs in pure Python agree with git, and are strict where git guesses."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.wire.trees import (
    DiffError,
    apply_unified,
    copy_tree,
    diff_trees,
    parse_unified,
    patched_files,
    read_tree,
    unified,
)

GIT = shutil.which("git")
ENV = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
SIGN = ("-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "core.autocrlf=false")


def git(root, *args):
    done = subprocess.run([GIT, *SIGN, *args], cwd=root, env=ENV, capture_output=True, check=True)
    return done.stdout


def plant(root: Path, spec):
    taken = []
    for path, (data, run) in sorted(spec.items()):
        if any(path.startswith(f"{other}/") for other in taken):
            continue
        taken.append(path)
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
        (root / path).chmod(0o755 if run else 0o644)


LINE = st.sampled_from(
    [b"a\n", b"b\n", b"\n", b" c\n", b"-d\n", b"+e\n", b"x\ry\n", b"\xff\n", b"\\ n\n", b"@@ -1 +1 @@\n", b"-- \n"]
)
DATA = st.tuples(st.lists(LINE, max_size=12), st.sampled_from([b"", b"", b"end", b"\r"])).map(
    lambda t: b"".join(t[0]) + t[1]
)
NAMES = st.lists(st.sampled_from(["a", "b", "c d", "ü", 'q"t', " e", "b"]), min_size=1, max_size=3).map("/".join)
TREES = st.dictionaries(NAMES, st.tuples(DATA, st.booleans()), min_size=1, max_size=6)


@pytest.mark.skipif(GIT is None, reason="git is not here")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(TREES, TREES, st.sampled_from([(), ("-M",), ("-C", "--find-copies-harder"), ("--no-renames", "-U0"), ("-U1",)]))
def test_what_git_diff_says_applies_to_what_git_has(tmp_path_factory, one, two, flags):
    root = tmp_path_factory.mktemp("git")
    repo, base = root / "repo", root / "base"
    repo.mkdir()
    plant(repo, one)
    git(repo, "init", "-q", ".")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", "base")
    copy_tree(repo, base)
    for path in repo.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    plant(repo, two)
    git(repo, "add", "-A")
    diff = git(repo, "diff", "--cached", "--text", *flags)
    if not diff:
        assert read_tree(base) == read_tree(repo)
        return
    apply_unified(base, diff)
    assert read_tree(base) == read_tree(repo)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(TREES, TREES)
def test_a_shown_patch_reads_back(tmp_path_factory, one, two):
    root = tmp_path_factory.mktemp("show")
    for name, spec in (("base", one), ("final", two)):
        (root / name).mkdir()
        plant(root / name, {p: (d.replace(b"\xff", "ÿ".encode()), r) for p, (d, r) in spec.items()})
    base, final = read_tree(root / "base"), read_tree(root / "final")
    patch, blobs = diff_trees(base, root / "final", final)
    text = unified(patch, lambda path: (root / "base" / path).read_bytes(), blobs.__getitem__)
    shown = "\n".join(line for line in text.split("\n") if not line.startswith("# "))
    if not patch.changes:
        assert text == ""
        return
    mixed = [c for c in patch.changes if c.op == "modify" and base.by_path()[c.path].mode != c.mode]
    if not mixed:
        apply_unified(root / "base", shown.encode())
        assert read_tree(root / "base") == final


def test_a_shown_patch_names_what_it_does_not_show(tmp_path):
    (tmp_path / "base").mkdir()
    (tmp_path / "final").mkdir()
    (tmp_path / "final/pic").write_bytes(b"\0\1")
    (tmp_path / "final/l").symlink_to("pic")
    base = read_tree(tmp_path / "base")
    patch, blobs = diff_trees(base, tmp_path / "final", read_tree(tmp_path / "final"))
    text = unified(patch, lambda _: b"", blobs.__getitem__)
    assert "# pic: 0 -> 2 bytes, not shown as text" in text
    assert "# refused: l: is a link" in text


BASE = {"a.py": (b"1\n2\n3\n", 0o644), "b.py": (b"x", 0o644)}
HEAD = b"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"


def apply(diff: bytes):
    return patched_files(BASE.get, parse_unified(diff))


def test_a_plain_diff_without_git_header_is_read():
    assert apply(b"--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-2\n+two\n") == {"a.py": (b"1\ntwo\n3\n", 0o644)}


def test_a_mail_around_it_is_let_through():
    diff = b"From abc\nSubject: x\n\n---\n a.py | 1 +\n\n" + HEAD + b"@@ -2 +2 @@\n-2\n+two\n-- \n2.39.5\n\n"
    assert apply(diff) == {"a.py": (b"1\ntwo\n3\n", 0o644)}


def test_a_context_line_that_an_editor_stripped_is_an_empty_line():
    files = {"a": (b"1\n\n3\n", 0o644)}
    diff = b"--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n\n-3\n+4\n"
    assert patched_files(files.get, parse_unified(diff)) == {"a": (b"1\n\n4\n", 0o644)}


WRONG = {
    "moved by one line": (HEAD + b"@@ -1 +1 @@\n-2\n+two\n", "hunk 1 does not fit at line 1"),
    "context differs": (HEAD + b"@@ -1,2 +1,2 @@\n 1 \n-2\n+two\n", "hunk 1 does not fit"),
    "newline differs": (HEAD + b"@@ -3 +3 @@\n-3\n\\ No newline at end of file\n+4\n", "hunk 1 does not fit"),
    "hunks out of order": (HEAD + b"@@ -3 +3 @@\n-3\n+4\n@@ -1 +1 @@\n-1\n+0\n", "hunk 2 does not fit"),
    "no newline in the middle": (HEAD + b"@@ -1 +1 @@\n-1\n+0\n\\ No newline at end of file\n", "lack its newline"),
    "cut off": (HEAD + b"@@ -1,3 +1,3 @@\n 1\n", "the hunk is cut off"),
    "too many": (HEAD + b"@@ -1 +1 @@\n-1\n-2\n+0\n", "as many lines|no part|no line"),
    "not there": (b"--- a/no\n+++ b/no\n@@ -1 +1 @@\n-1\n+0\n", "is not there"),
    "there already": (b"--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+1\n", "is there already"),
    "not all deleted": (b"--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", "leaves lines"),
    "twice": ((HEAD + b"@@ -1 +1 @@\n-1\n+0\n") * 2, "is changed twice"),
    "climbs": (b"--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+0\n", "not a plain relative path"),
    "absolute": (b"--- a//x\n+++ b//x\n@@ -1 +1 @@\n-1\n+0\n", "not a plain relative path"),
    "into .git": (b"--- /dev/null\n+++ b/.git/config\n@@ -0,0 +1 @@\n+1\n", "not a plain relative path"),
    "link": (
        b"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n",
        "no regular file",
    ),
    "binary": (b"diff --git a/b b/b\nindex 1..2\nBinary files a/b and b/b differ\n", "binary"),
    "empty": (b"nothing here\n", "holds no file"),
    "garbage between": (HEAD + b"@@ -1 +1 @@\n-1\n+0\ngarbage\n" + HEAD, "no part of a diff"),
    "other names": (b"diff --git a/a.py b/a.py\n--- a/b.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+0\n", "do not agree"),
    "other mode": (b"diff --git a/a.py b/a.py\nold mode 100755\nnew mode 100644\n", "has mode 644"),
    "no change": (b"diff --git a/a.py b/a.py\nindex 1..2\n", "nothing changes"),
}


@pytest.mark.parametrize("name", WRONG)
def test_strict(name):
    diff, why = WRONG[name]
    with pytest.raises(DiffError, match=why):
        apply(diff)


def test_nothing_is_written_when_a_later_file_does_not_fit(tmp_path):
    (tmp_path / "a.py").write_bytes(b"1\n")
    diff = b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+0\n--- a/no\n+++ b/no\n@@ -1 +1 @@\n-1\n+0\n"
    with pytest.raises(DiffError):
        apply_unified(tmp_path, diff)
    assert (tmp_path / "a.py").read_bytes() == b"1\n"


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([*HEAD.split(b"\n"), b"@@ -1 +1 @@", b"-1", b"+0", b""])).map(b"\n".join)
)
def test_any_bytes_are_read_or_refused(data):
    try:
        parse_unified(data)
    except DiffError as error:
        assert error.where.startswith("diff")
