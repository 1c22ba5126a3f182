"""Reading what someone hostile left, and the digest that anyone can compute with coreutils."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.wire.trees import TreeLimits, read_file, read_tree, tree_digest

DOCS = Path(__file__).parents[4] / "docs/formats/trees.md"


def paths(tree):
    return [entry.path for entry in tree.entries]


def test_the_digest_is_the_documented_command_line(tmp_path):
    root = tmp_path / "tree"
    (root / "pkg/deep").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git/config").write_text("left out")
    (root / "pkg/.git").write_text("left out too")
    (root / "a b.py").write_text("one")
    (root / "pkg/deep/ünï.py").write_text("two")
    (root / "run.sh").write_text("three")
    (root / "run.sh").chmod(0o777)
    script = DOCS.read_text().split("```sh\n")[1].split("```")[0]
    done = subprocess.run(["bash", "-c", script], cwd=root, capture_output=True, text=True, check=True)
    tree = read_tree(root)
    assert paths(tree) == ["a b.py", "pkg/deep/ünï.py", "run.sh"]
    assert done.stdout.split()[0] == tree.digest == tree_digest(reversed(tree.entries))


def test_the_umask_does_not_change_the_digest(tmp_path):
    (tmp_path / "a").write_text("x")
    (tmp_path / "a").chmod(0o600)
    before = read_tree(tmp_path)
    (tmp_path / "a").chmod(0o666)
    assert read_tree(tmp_path) == before
    (tmp_path / "a").chmod(0o700)
    assert read_tree(tmp_path).digest != before.digest


def test_names_that_lie_are_refused_in_printable_words(tmp_path):
    for name in (b"bad\xff", b"new\nline", "bidi\u202etxt".encode(), b"esc\x1b[0m"):
        (Path(os.fsdecode(os.fsencode(tmp_path))) / os.fsdecode(name)).write_bytes(b"x")
    os.mkdir(os.fsencode(tmp_path) + b"/dir\x07")
    tree = read_tree(tmp_path)
    assert tree.entries == ()
    assert sorted(r.path for r in tree.refused) == [
        "bad\\xff",
        "bidi\\x202etxt",
        "dir\\x07",
        "esc\\x1b[0m",
        "new\\x0aline",
    ]
    assert {r.why for r in tree.refused} == {"the name is not UTF-8", "the name holds control characters"}


def test_links_are_text_and_never_followed(tmp_path):
    (tmp_path / "out").symlink_to("/etc")
    (tmp_path / "loop").symlink_to("loop")
    os.symlink(b"/etc/\xff", os.fsencode(tmp_path) + b"/odd")
    tree = read_tree(tmp_path)
    assert [(e.path, e.kind, e.size) for e in tree.entries] == [
        ("loop", "link", 4),
        ("odd", "link", 6),
        ("out", "link", 4),
    ]


def test_a_fifo_does_not_block_the_reader(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    assert [(e.path, e.kind) for e in read_tree(tmp_path).entries] == [("fifo", "other")]
    with pytest.raises(OSError, match="no regular file"):
        read_file(tmp_path, "fifo")


def test_caps_refuse_with_a_reason(tmp_path):
    (tmp_path / "large").write_bytes(b"x" * 11)
    (tmp_path / "m1").write_bytes(b"x" * 9)
    (tmp_path / "m2").write_bytes(b"x" * 9)
    (tmp_path / ("n" * 60)).write_bytes(b"")
    deep = tmp_path / "d/d/d/d"
    deep.mkdir(parents=True)
    tree = read_tree(tmp_path, TreeLimits(file_bytes=10, total_bytes=15, path_bytes=50, depth=3))
    assert paths(tree) == ["m1"]
    assert {r.path: r.why for r in tree.refused} == {
        "d/d/d/d": "more than 3 folders deep",
        "large": "is larger than 10 bytes",
        "m2": "all files together are larger than 15 bytes",
        "n" * 60: "the path is longer than 50 bytes",
    }


def test_a_sparse_giant_is_not_read(tmp_path):
    with (tmp_path / "giant").open("wb") as file:
        file.truncate(1 << 40)
    assert [r.path for r in read_tree(tmp_path).refused] == ["giant"]


def test_folders_deeper_than_a_path_may_be_long(tmp_path):
    start = os.open(tmp_path, os.O_RDONLY)
    fd = start
    for _ in range(200):
        os.mkdir("d" * 200, dir_fd=fd)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(fd)
    tree = read_tree(tmp_path)
    assert [r.why for r in tree.refused] == ["the path is longer than 1000 bytes"]
    shutil.rmtree(tmp_path, ignore_errors=True)
    subprocess.run(["rm", "-rf", str(tmp_path)], check=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_refused(tmp_path):
    (tmp_path / "secret").write_text("x")
    (tmp_path / "secret").chmod(0)
    (tmp_path / "dir").mkdir()
    (tmp_path / "dir").chmod(0)
    assert [r.path for r in read_tree(tmp_path).refused] == ["dir", "secret"]
    (tmp_path / "dir").chmod(0o700)


@pytest.mark.parametrize("path", ["link/f", "dir/../f", "lastlink"])
def test_read_file_follows_nothing(tmp_path, path):
    (tmp_path / "dir").mkdir()
    (tmp_path / "dir/f").write_text("x")
    (tmp_path / "link").symlink_to("dir")
    (tmp_path / "lastlink").symlink_to("dir/f")
    with pytest.raises(OSError):
        read_file(tmp_path, path)


def test_a_missing_root_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_tree(tmp_path / "nowhere")
