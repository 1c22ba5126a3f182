"""The patch program of the sandbox: exact, all or nothing, and of one mind with the harness's own reader of diffs."""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.adapters.agents.inside.apply_patch import PatchError, apply
from denominator.wire.trees import apply_unified, read_tree

_lines = st.lists(st.sampled_from(["a", "b", "c", "", " x", "-- y", "+z", "\r", "@@"]), max_size=8)


def _write(root: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def _read(root: Path) -> dict[str, tuple[bytes, bool]]:
    files = (p for p in sorted(root.rglob("*")) if p.is_file() and ".git" not in p.parts)
    return {str(p.relative_to(root)): (p.read_bytes(), bool(p.stat().st_mode & 0o100)) for p in files}


def _git(root: Path, *argv: str) -> bytes:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "core.autocrlf=false"]
    return subprocess.run(["git", *identity, *argv], cwd=root, check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path_factory.mktemp("repository")
    _git(root, "init", "-q")
    return root


def _text(lines: list[str], newline: bool) -> bytes:
    return ("\n".join(lines) + ("\n" if newline and lines else "")).encode()


@given(st.dictionaries(st.sampled_from(["f", "d/g", "ü x"]), st.tuples(_lines, st.booleans(), _lines, st.booleans())))
@settings(max_examples=25, deadline=None)
def test_what_git_writes_is_applied_byte_for_byte(repository, tmp_path_factory, contents):
    before = {n: _text(a, x) for n, (a, x, _, _) in contents.items() if a}
    after = {n: _text(b, y) for n, (_, _, b, y) in contents.items() if b}
    _git(repository, "rm", "-rfq", "--ignore-unmatch", ".")
    _write(repository, before)
    _git(repository, "add", "-A")
    _git(repository, "commit", "-qm", "base", "--allow-empty")
    _git(repository, "rm", "-rfq", "--ignore-unmatch", ".")
    _write(repository, after)
    _git(repository, "add", "-A")
    diff = _git(repository, "diff", "--cached", "HEAD", "--no-color", "--no-ext-diff", "-M")
    if not diff:
        return
    root = _write(tmp_path_factory.mktemp("tree"), before)
    apply(diff, root)
    assert _read(root) == {name: (data, False) for name, data in sorted(after.items())}


def test_a_diff_without_git_headers_is_applied(tmp_path):
    _write(tmp_path, {"a.txt": b"one\ntwo\n"})
    assert apply(b"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_bytes() == b"one\n2\n"


def test_modes_renames_and_removals(tmp_path):
    _write(tmp_path, {"old.sh": b"x\n", "gone": b"1\n"})
    apply(
        b"diff --git a/old.sh b/new.sh\nold mode 100644\nnew mode 100755\nsimilarity index 100%\n"
        b"rename from old.sh\nrename to new.sh\n"
        b"diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
        b"diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n",
        tmp_path,
    )
    assert _read(tmp_path) == {"empty": (b"", False), "new.sh": (b"x\n", True)}


@pytest.mark.parametrize(
    ("diff", "why"),
    [
        (b"", "holds no file"),
        (b"--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-three\n+2\n", "does not fit"),
        (b"--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n", "cut off"),
        (b"--- a/a\n+++ b/a\n@@ nonsense\n", "not a hunk header"),
        (b"--- a/../b\n+++ b/../b\n@@ -0,0 +1 @@\n+x\n", "leaves the tree"),
        (b"--- a/none\n+++ b/none\n@@ -1 +1 @@\n-x\n+y\n", "no such file"),
        (b"diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n", "exists"),
        (b"diff --git a/a b/a\nGIT binary patch\nliteral 1\n", "binary"),
    ],
)
def test_what_does_not_fit_changes_nothing(tmp_path, diff, why):
    good = b"--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n"
    root = _write(tmp_path, {"a": b"one\ntwo\n", "b": b"1\n"})
    with pytest.raises(PatchError, match=why):
        apply((good + diff) if diff else diff, root)
    assert _read(root) == {"a": (b"one\ntwo\n", False), "b": (b"1\n", False)}


def _gold_patches() -> list[Path]:
    pack = Path(str(files("denominator"))) / "data" / "packs" / "holdout16" / "tasks"
    return sorted(pack.glob("*/gold.patch"))


@pytest.mark.parametrize("gold", _gold_patches(), ids=lambda path: path.parent.name)
def test_gold_gives_the_tree_that_the_harness_expects(tmp_path, gold):
    for side in ("ours", "theirs"):
        shutil.copytree(gold.parent / "repo", tmp_path / side)
    apply(gold.read_bytes(), tmp_path / "ours")
    apply_unified(tmp_path / "theirs", gold.read_bytes())
    assert read_tree(tmp_path / "ours").digest == read_tree(tmp_path / "theirs").digest
    assert read_tree(tmp_path / "ours").digest != read_tree(gold.parent / "repo").digest
