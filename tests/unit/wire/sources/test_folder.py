"""Folders and single files: links, pipes, odd names, and what is put in a file's place after it was listed."""

from __future__ import annotations

import gzip
import os
import re
import socket
import tempfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.wire.sources import Source, folder, lines_of, open_source

NOBODY = 65534


def refused(call: object, *given: object) -> str:
    with pytest.raises(InputError) as caught:
        call(*given)  # type: ignore[operator]
    return str(caught.value)


def test_plain_files_are_members_in_order(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    for name in ("b/c/x.json", ".aider.results.json", "a.json"):
        (tmp_path / name).write_text(name)
    source = open_source(tmp_path)
    assert source.name == tmp_path.name
    assert source.names() == (".aider.results.json", "a.json", "b/c/x.json")
    assert [source.read(name).decode() for name in source.names()] == list(source.names())
    assert source.size("b/c/x.json") == 10


def test_links_in_and_out_are_no_members(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret").write_text("s")
    run = tmp_path / "run"
    run.mkdir()
    (run / "own").write_text("o")
    (run / "link").symlink_to("own")
    (run / "away").symlink_to("../out/secret")
    (run / "folder").symlink_to("../out")
    (run / "self").symlink_to(".")
    (run / "gone").symlink_to("nowhere")
    assert open_source(run).names() == ("own",)


def test_a_link_that_a_person_names_is_followed(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "a").write_text("1")
    (tmp_path / "link").symlink_to("run")
    (tmp_path / "file").symlink_to("run/a")
    assert open_source(tmp_path / "link").names() == ("a",)
    assert open_source(tmp_path / "file").read("file") == b"1"


def test_pipes_sockets_and_devices_are_no_members_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(tmp_path)
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
        assert open_source(tmp_path).names() == ()
    assert "no plain file" in refused(open_source, tmp_path / "pipe")
    assert "no plain file" in refused(open_source, Path("/dev/zero"))


def test_folders_of_programs_are_left_out(tmp_path: Path) -> None:
    for name in (".git", "node_modules", "kept"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_text("1")
    assert open_source(tmp_path).names() == ("kept/a",)


def test_a_file_that_became_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    run = tmp_path / "run"
    (run / "sub").mkdir(parents=True)
    (run / "a").write_text("1")
    (run / "sub" / "b").write_text("2")
    source = open_source(run)
    (run / "a").unlink()
    (run / "a").symlink_to("../secret")
    assert "a: cannot be read" in refused(source.read, "a")
    assert "a: cannot be read" in refused(source.size, "a")
    (run / "sub").rename(tmp_path / "moved")
    (run / "sub").symlink_to("../moved")
    assert "sub/b: cannot be read" in refused(source.read, "sub/b")


def test_a_file_that_became_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    source = open_source(tmp_path)
    (tmp_path / "a").unlink()
    os.mkfifo(tmp_path / "a")
    assert "a: is no plain file" in refused(source.read, "a")


def test_a_folder_that_was_moved_is_still_the_one_that_was_opened(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "a").write_text("1")
    source = open_source(tmp_path / "run")
    (tmp_path / "run").rename(tmp_path / "other")
    assert source.read("a") == b"1"


def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff"))).write_text("1")
    source = open_source(tmp_path)
    assert source.names() == ("a\\xff",)
    assert source.read("a\\xff") == b"1"
    (tmp_path / "a\\xff").write_text("2")
    assert "a\\xff: is the name of two files" in refused(open_source, tmp_path)


def test_a_file_named_in_no_utf8(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff"))
    path.write_text("1")
    assert open_source(path).read("a\\xff") == b"1"
    assert "b\\xff: no such file" in refused(open_source, Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff")))


def test_depth_has_a_limit(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*("d" for _ in range(folder.DEPTH_MAX)))
    deep.mkdir(parents=True)
    (deep / "a").write_text("1")
    assert len(open_source(tmp_path).names()) == 1
    (deep / "e").mkdir()
    assert "more than 24 deep" in refused(open_source, tmp_path)


def test_the_count_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "FILES_MAX", 3)
    for number in range(4):
        (tmp_path / str(number)).write_text("1")
    assert "holds more than 3 files" in refused(open_source, tmp_path)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may read everything: the ordinary user that the system knows for this may not."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_may_not_be_looked_into_is_refused() -> None:
    """It may hold rows, and a run without them would be another run."""
    with tempfile.TemporaryDirectory(prefix="denominator-sources-") as name:
        path = Path(name)
        path.chmod(0o755)
        (path / "closed").mkdir(mode=0)
        try:
            with as_nobody():
                assert "closed: cannot be read" in refused(open_source, path)
        finally:
            (path / "closed").chmod(0o755)
        (path / "closed" / "a").write_text("1")
        (path / "closed" / "a").chmod(0)
        with as_nobody():
            source = open_source(path)
            assert "closed/a: cannot be read" in refused(source.read, "closed/a")


@pytest.mark.parametrize("name", ["nowhere", "a\0b", "x" * 300])
def test_what_is_not_there(tmp_path: Path, name: str) -> None:
    assert re.search("no such file|cannot be read", refused(open_source, tmp_path / name))


def test_a_member_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    for source in (open_source(tmp_path), open_source(tmp_path / "a")):
        for ask in (source.read, source.size, lambda name, of=source: list(lines_of(of, name))):
            assert "b: there is no such file" in refused(ask, "b")


def test_a_document_has_a_limit_and_memory_grows_with_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100)
    source = open_source(tmp_path)
    assert source.read("a", 100) == b"x" * 100
    assert "a: holds more than 99 bytes" in refused(source.read, "a", 99)
    tracemalloc.start()
    try:
        source.read("a")
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"one\r\n\ntwo")
    lines = [(line.number, line.data, line.whole) for line in lines_of(open_source(tmp_path), "a")]
    assert lines == [(1, b"one", True), (2, b"", True), (3, b"two", False)]
    monkeypatch.setattr("denominator.wire.sources.base.LINE_BYTES", 2)
    assert "a:1: holds a line of more than 2 bytes" in refused(list, lines_of(open_source(tmp_path), "a"))


def packed(tmp_path: Path, data: bytes, name: str = "rows.jsonl.gz") -> Source:
    path = tmp_path / name
    path.write_bytes(data)
    return open_source(path)


@pytest.mark.parametrize(
    ("name", "member"), [("a.jsonl.gz", "a.jsonl"), ("A.JSON.GZ", "A.JSON"), (".gz", ".gz"), ("log", "log")]
)
def test_gzip_is_its_content(tmp_path: Path, name: str, member: str) -> None:
    data = b'{"a": 1}\n' * 100_000
    source = packed(tmp_path, gzip.compress(data), name)
    assert source.names() == (member,)
    assert source.read(member) == data
    assert sum(1 for _ in lines_of(source, member)) == 100_000
    assert "there is no such file" in refused(source.read, "else")


def test_gzip_streams_behind_each_other_and_padding(tmp_path: Path) -> None:
    source = packed(
        tmp_path, gzip.compress(b"one ") + bytes(100_000) + gzip.compress(b"") + gzip.compress(b"two") + bytes(7)
    )
    assert source.read("rows.jsonl") == b"one two"


def test_every_cut_of_a_gzip_file_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(b"some text, some more text" * 20)
    for length in range(2, len(whole)):
        source = packed(tmp_path, whole[:length])
        assert "rows.jsonl: is damaged" in refused(source.read, "rows.jsonl")


def test_damage_of_a_gzip_file_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(b"some text, some more text" * 20)
    for data in (whole[:-8] + bytes(8), whole + b"rest", whole[:20] + b"\xff" + whole[21:]):
        assert "rows.jsonl: is damaged" in refused(packed(tmp_path, data).read, "rows.jsonl")


def test_a_gzip_bomb_takes_no_memory(tmp_path: Path) -> None:
    once = gzip.compress(bytes(64 << 20))
    source = packed(tmp_path, once * 4)
    assert "holds more than" in refused(source.read, "rows.jsonl")
    tracemalloc.start()
    try:
        with source.open("rows.jsonl") as stream:
            assert sum(len(data) for data in iter(lambda: stream.read(1 << 20), b"")) == 256 << 20
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
