"""Difference and application: what a hostile tree holds never travels, and what is honest always does."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.errors import UnknownStateError
from denominator.wire.trees import (
    ApplyError,
    TreeLimits,
    apply_patch,
    copy_tree,
    diff_trees,
    patched_tree,
    read_tree,
    touched,
)


def write(root: Path, files: dict[str, bytes | None]) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        if data is None:
            (root / path).unlink()
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
    return root


@pytest.fixture
def base(tmp_path):
    return write(tmp_path / "base", {"a.py": b"one\n", "b.py": b"two\n", "pkg/c.py": b"three\n", "d/e/f": b"f"})


@pytest.fixture
def final(base, tmp_path):
    copy_tree(base, tmp_path / "final")
    return tmp_path / "final"


def both(base, final, **limits):
    return diff_trees(read_tree(base), final, read_tree(final), TreeLimits(**limits))


def ops(patch):
    return {change.path: change.op for change in patch.changes}


def test_nothing_changed_is_no_change(base, final):
    patch, blobs = both(base, final)
    assert (patch.changes, patch.refused, blobs) == ((), (), {})
    assert patch.base_tree == patch.final_tree


def test_every_honest_operation_travels(base, final, tmp_path):
    write(final, {"a.py": b"ONE\n", "b.py": None, "new/x.py": b"x", "pkg/c.py": None, "moved.py": b"three\n"})
    (final / "d/e/f").chmod(0o755)
    patch, blobs = both(base, final)
    assert ops(patch) == {
        "a.py": "modify",
        "b.py": "delete",
        "d/e/f": "chmod",
        "moved.py": "add",
        "new/x.py": "add",
        "pkg/c.py": "delete",
    }
    assert [c.renamed_from for c in patch.changes if c.path == "moved.py"] == ["pkg/c.py"]
    assert touched(patch) == ("a.py", "b.py", "d/e/f", "moved.py", "new/x.py", "pkg/c.py")
    after = apply_patch(base, patch, blobs.__getitem__, tmp_path / "out")
    assert after.digest == read_tree(final).digest == patched_tree(read_tree(base), patch).digest
    assert not (tmp_path / "out/pkg").exists()


def test_only_kept_changes_are_applied(base, final, tmp_path):
    write(final, {"a.py": b"ONE\n", "tests/conftest.py": b"evil"})
    patch, blobs = both(base, final)

    def keep(change):
        return change.path == "a.py"

    after = apply_patch(base, patch, blobs.__getitem__, tmp_path / "out", keep)
    assert [e.path for e in after.entries] == ["a.py", "b.py", "d/e/f", "pkg/c.py"]
    assert (tmp_path / "out/a.py").read_bytes() == b"ONE\n"
    assert after.digest == patched_tree(read_tree(base), patch, keep).digest


def test_links_and_devices_are_refused_and_named(base, final, tmp_path):
    (final / "link.py").symlink_to("/etc/passwd")
    (final / "a.py").unlink()
    (final / "a.py").symlink_to("b.py")
    os.mkfifo(final / "pipe")
    patch, blobs = both(base, final)
    assert ops(patch) == {}
    assert patch.refused == ("a.py: is a link", "link.py: is a link", "pipe: is no regular file")
    assert touched(patch) == ("a.py", "link.py", "pipe")
    after = apply_patch(base, patch, blobs.__getitem__, tmp_path / "out")
    assert after.digest == patch.base_tree


def test_hard_links_are_refused_and_do_not_delete(base, final, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(b"hidden")
    (final / "a.py").unlink()
    os.link(secret, final / "a.py")
    patch, blobs = both(base, final)
    assert ops(patch) == {}
    assert patch.refused == ("a.py: has 2 names (hard links)",)
    assert blobs == {}
    assert read_tree(final, trusted=True).refused == ()


def test_a_tree_too_large_to_read_deletes_nothing(base, final):
    for number in range(30):
        write(final, {f"0junk/{number}": b""})
    patch, _ = diff_trees(read_tree(base), final, read_tree(final, TreeLimits(files=20)))
    assert [c for c in patch.changes if c.op == "delete"] == []
    assert patch.refused == (": more than 20 paths; the rest was not read",)


def test_folders_without_end_are_a_refusal_too(base, final):
    for number in range(30):
        (final / f"empty{number}").mkdir()
    assert read_tree(final, TreeLimits(files=30)).refused[0].path == ""


def test_a_patch_too_large_is_cut_and_says_so(base, final):
    write(final, {"a.py": b"x" * 100, "b.py": b"y" * 10})
    patch, blobs = both(base, final, patch_bytes=50)
    assert ops(patch) == {"b.py": "modify"}
    assert patch.refused == ("a.py: the patch is larger than 50 bytes",)
    assert list(blobs.values()) == [b"y" * 10]


def test_a_tree_that_changes_meanwhile_is_loud(base, final):
    write(final, {"a.py": b"ONE\n"})
    tree = read_tree(final)
    write(final, {"a.py": b"TWO\n"})
    with pytest.raises(UnknownStateError, match=r"a\.py.*changed while"):
        diff_trees(read_tree(base), final, tree)


def test_bits_that_give_power_do_not_travel(base, final, tmp_path):
    write(final, {"tool": b"#!/bin/sh\n"})
    (final / "tool").chmod(0o6777)
    patch, blobs = both(base, final)
    apply_patch(base, patch, blobs.__getitem__, tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out/tool").stat().st_mode) == 0o755


def test_no_write_goes_through_a_link_of_the_base(base, tmp_path):
    outside = write(tmp_path / "outside", {"keep": b"keep"})
    (base / "dir").symlink_to(outside)
    final = tmp_path / "final"
    copy_tree(base, final)
    (final / "dir").unlink()
    write(final, {"dir/x.py": b"evil"})
    patch, blobs = both(base, final)
    with pytest.raises(ApplyError):
        apply_patch(base, patch, blobs.__getitem__, tmp_path / "out", lambda c: c.path == "dir/x.py")
    assert os.listdir(outside) == ["keep"]
    after = apply_patch(base, patch, blobs.__getitem__, tmp_path / "out2")
    assert after.digest == patch.final_tree


def test_another_base_or_other_bytes_do_not_apply(base, final, tmp_path):
    write(final, {"a.py": b"ONE\n"})
    patch, _ = both(base, final)
    with pytest.raises(ApplyError, match="not those that the patch names"):
        apply_patch(base, patch, lambda _: b"other", tmp_path / "out")
    write(base, {"b.py": b"moved on"})
    with pytest.raises(ApplyError, match="the patch is for tree"):
        apply_patch(base, patch, lambda _: b"ONE\n", tmp_path / "out2")


def test_files_become_folders_and_back(base, final, tmp_path):
    write(final, {"a.py": None, "d/e/f": None})
    write(final, {"a.py/x": b"x"})
    (final / "d/e").rmdir()
    write(final, {"d/e": b"now a file"})
    patch, blobs = both(base, final)
    after = apply_patch(base, patch, blobs.__getitem__, tmp_path / "out")
    assert after.digest == patch.final_tree


NAMES = st.lists(st.sampled_from("ab"), min_size=1, max_size=3).map("/".join)
TREES = st.dictionaries(NAMES, st.tuples(st.sampled_from([b"", b"1", b"2"]), st.booleans()), max_size=6)


def plant(root: Path, spec) -> None:
    root.mkdir()
    taken: list[str] = []
    for path, (data, run) in sorted(spec.items()):
        if any(path.startswith(f"{other}/") for other in taken):
            continue
        taken.append(path)
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
        (root / path).chmod(0o755 if run else 0o644)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(TREES, TREES)
def test_any_two_trees_round_trip(tmp_path_factory, one, two):
    root = tmp_path_factory.mktemp("trees")
    plant(root / "base", one)
    plant(root / "final", two)
    base, final = read_tree(root / "base"), read_tree(root / "final")
    patch, blobs = diff_trees(base, root / "final", final)
    assert patched_tree(base, patch) == final
    assert apply_patch(root / "base", patch, blobs.__getitem__, root / "out") == final
