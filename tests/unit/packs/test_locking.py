"""Locks: digests that coreutils reproduce, and every difference named."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import string
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.packs import (
    copy_frozen,
    copy_pack,
    find_pack,
    frozen_tree,
    load_pack,
    make_lock,
    pack_digest,
    read_lock,
    require_locked,
    verify_lock,
)
from denominator.wire.canonical import canonical
from denominator.wire.names import safe_name
from denominator.wire.trees import read_tree
from unit.packs.making import add_task, edit, make_pack, write

DOC = Path(__file__).parents[3] / "docs" / "formats" / "pack.md"


def one_liner() -> str:
    """The command of the documentation, as it stands there."""
    return re.search(r"```sh\n(find .*?)```", DOC.read_text(), re.DOTALL)[1]


def coreutils_digest(root: Path) -> str:
    done = subprocess.run(["bash", "-c", one_liner()], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.split()[0]


def lock(root: Path) -> None:
    (root / "pack.lock").write_bytes(canonical(make_lock(load_pack(root), None, "test")))


needs_coreutils = pytest.mark.skipif(
    not (shutil.which("sha256sum") and shutil.which("find") and shutil.which("xargs")),
    reason="needs coreutils and findutils",
)


@needs_coreutils
def test_coreutils_gives_our_digest(pack):
    write(
        pack,
        {
            "tasks/sums/repo/with space.txt": "x",
            "tasks/sums/repo/Z.txt": "x",
            "tasks/sums/repo/a-b/c": "1",
            "tasks/sums/repo/a/c": "1",
            "tasks/sums/repo/täst.txt": "ü",
            "tasks/sums/repo/__pycache__/core.pyc": b"\0",
            "tasks/sums/repo/core.py~": "old",
            "tasks/sums/repo/.core.py.swp": "old",
            "tasks/sums/repo/.DS_Store": "old",
            "tasks/sums/repo/.mypy_cache/x/y.json": "{}",
            "pack.lock": "{}",
        },
    )
    assert pack_digest(pack) == coreutils_digest(pack)


@needs_coreutils
def test_coreutils_gives_the_built_in_packs_digest():
    root = find_pack("holdout16")
    assert pack_digest(root) == coreutils_digest(root)


NAMES = st.text(string.ascii_letters + string.digits + " .-_=äß+日~#'\"$", min_size=1, max_size=12).filter(
    lambda name: name.strip(".") == name and name.strip() == name
)


@needs_coreutils
@settings(max_examples=25, deadline=None)
@given(files=st.dictionaries(st.lists(NAMES, min_size=1, max_size=3).map(tuple), st.binary(max_size=20), max_size=6))
def test_coreutils_agrees_on_any_names(tmp_path_factory, files):
    root = make_pack(tmp_path_factory.mktemp("p"))
    for parts, data in files.items():
        target = root.joinpath("tasks/sums/repo/extra", *parts)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except OSError:  # one name is a file and a folder
            continue
    assert pack_digest(root) == coreutils_digest(root)


def test_a_lock_holds_until_something_moves(pack):
    lock(pack)
    found = load_pack(pack)
    assert verify_lock(found).holds
    assert require_locked(found).digest == pack_digest(pack)


@pytest.mark.parametrize(
    ("change", "field", "path"),
    [
        ({"tasks/sums/prompt.md": "Other words.\n"}, "changed", "tasks/sums/prompt.md"),
        ({"tasks/sums/repo/new.txt": "x"}, "unlisted", "tasks/sums/repo/new.txt"),
        ({"tasks/sums/repo/README.md": None}, "missing", "tasks/sums/repo/README.md"),
    ],
)
def test_each_kind_of_difference_is_named(pack, change, field, path):
    lock(pack)
    write(pack, change)
    check = verify_lock(load_pack(pack))
    assert (getattr(check, field), check.holds) == ((path,), False)
    with pytest.raises(InputError) as caught:
        require_locked(load_pack(pack))
    assert path in str(caught.value)


def test_an_executable_bit_is_a_change(pack):
    lock(pack)
    (pack / "tasks/sums/repo/adder/core.py").chmod(0o755)
    assert verify_lock(load_pack(pack)).changed == ("tasks/sums/repo/adder/core.py",)


def test_a_hand_edited_lock_disagrees_with_itself(pack):
    lock(pack)
    found = load_pack(pack)
    for edited in (
        replace(found.lock, files=found.lock.files[1:]),
        replace(found.lock, digest="0" * 64),
        replace(found.lock, pack_version="9.9.9"),
        replace(found.lock, tasks=(replace(found.lock.tasks[0], hidden_tree="0" * 64),)),
        replace(found.lock, tasks=()),
    ):
        check = verify_lock(replace(found, lock=edited))
        assert check.defects, edited


def test_an_unlocked_pack_says_so(pack):
    with pytest.raises(InputError, match="not locked"):
        verify_lock(load_pack(pack))


def test_a_new_digest_needs_a_new_version(pack):
    lock(pack)
    edit(pack / "tasks/sums/prompt.md", "two numbers", "two small numbers")
    with pytest.raises(InputError) as caught:
        lock(pack)
    assert "raise the version" in str(caught.value) and "tasks/sums/prompt.md" in str(caught.value)
    edit(pack / "pack.toml", 'version = "1.0.0"', 'version = "1.0.1"')
    lock(pack)
    assert verify_lock(load_pack(pack)).holds


def test_locking_the_same_files_again_is_allowed(pack):
    lock(pack)
    first = (pack / "pack.lock").read_bytes()
    lock(pack)
    assert (pack / "pack.lock").read_bytes() == first


def test_a_prompt_change_moves_the_prompt_and_no_tree(pack):
    old = make_lock(load_pack(pack), None, "t").tasks[0]
    edit(pack / "tasks/sums/prompt.md", "two", "any two")
    new = make_lock(load_pack(pack), None, "t").tasks[0]
    assert new == replace(old, prompt_sha256=new.prompt_sha256, digest=new.digest) and new != old


def test_trees_ignore_bytecode_that_installers_leave(pack):
    repo = pack / "tasks/sums/repo"
    clean = frozen_tree(repo)
    assert clean.digest == read_tree(repo).digest
    write(repo, {"adder/__pycache__/core.cpython-311.pyc": b"\0", "stray.pyc": b"\0"})
    assert frozen_tree(repo) == clean
    copied = copy_frozen(repo, pack / "copy")
    assert copied == clean == read_tree(pack / "copy")


def test_an_absent_folder_is_the_empty_tree(tmp_path):
    (tmp_path / "empty").mkdir()
    assert frozen_tree(tmp_path / "nothing").digest == read_tree(tmp_path / "empty").digest
    copy_frozen(tmp_path / "nothing", tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []


def test_links_and_pipes_and_sockets_are_refused_and_named(pack):
    repo = pack / "tasks/sums/repo"
    (repo / "link").symlink_to("/etc/hostname")
    (repo / "folder-link").symlink_to("..")
    os.mkfifo(repo / "pipe")
    cwd = Path.cwd()
    server = socket.socket(socket.AF_UNIX)
    try:
        os.chdir(repo)
        server.bind("sock")
    finally:
        os.chdir(cwd)
        server.close()
    with pytest.raises(InputError) as caught:
        lock(pack)
    named = {problem.where for problem in caught.value.problems}
    assert named == {f"tasks/sums/repo/{name}" for name in ("link", "folder-link", "pipe", "sock")}
    assert not (pack / "pack.lock").exists()


def test_names_that_break_lines_are_refused(pack):
    (pack / "tasks/sums/repo/two\nlines").write_text("x")
    (pack / "tasks/sums/repo/back\\slash").write_text("x")
    (pack / os.fsdecode(b"tasks/sums/repo/\xff")).write_text("x")
    with pytest.raises(InputError) as caught:
        pack_digest(pack)
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize("bad", ["../../evil", "..\\..\\evil", "line\nbreak"])
def test_ids_that_escape_are_refused(pack, bad):
    add_task(pack, "replaced", folder=safe_name(bad))
    edit(pack / "tasks" / safe_name(bad) / "task.toml", 'id = "replaced"', f"id = {json.dumps(bad)}")
    with pytest.raises(InputError) as caught:
        lock(pack)
    assert "unsafe id" in str(caught.value)


def test_ids_that_differ_in_case_only_are_refused(pack):
    add_task(pack, "Sums", folder="=53ums")
    with pytest.raises(InputError, match="cannot be locked") as caught:
        lock(pack)
    assert "collides" in str(caught.value)


def test_a_git_source_that_is_not_here_is_not_fetched(pack):
    task = pack / "tasks/sums"
    edit(
        task / "task.toml", 'kind = "folder"', f'kind = "git"\nurl = "https://example.org/x.git"\ncommit = "{"a" * 40}"'
    )
    lock(pack)
    (pack / "pack.lock").unlink()
    shutil.rmtree(task / "repo")
    with pytest.raises(InputError) as caught:
        lock(pack)
    assert "git -C CLONE archive " + "a" * 40 in str(caught.value)


def test_a_lock_is_read_as_it_was_written(pack):
    made = make_lock(load_pack(pack), None, "test")
    (pack / "pack.lock").write_bytes(canonical(made))
    assert read_lock(pack / "pack.lock") == made


def test_a_lock_of_a_later_format_is_refused(pack):
    made = replace(make_lock(load_pack(pack), None, "test"), schema_version=2)
    (pack / "pack.lock").write_bytes(canonical(made))
    with pytest.raises(InputError) as caught:
        read_lock(pack / "pack.lock")
    assert "schema_version 2" in str(caught.value)


def test_a_private_copy_is_the_same_pack(pack):
    (pack / "tasks/sums/repo/run.sh").write_text("#!/bin/sh\n")
    (pack / "tasks/sums/repo/run.sh").chmod(0o775)
    lock(pack)
    write(pack, {"tasks/sums/hidden/__pycache__/x.pyc": b"\0"})
    copied = copy_pack(pack, pack.parent / "run" / "pack")
    assert verify_lock(load_pack(copied)).holds
    assert not list(copied.rglob("*.pyc"))
    assert copied.stat().st_mode & 0o077 == 0
    assert read_tree(copied / "tasks/sums/repo").digest == load_pack(pack).lock.tasks[0].base_tree
