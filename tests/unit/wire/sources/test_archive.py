"""Zip files: what is read, and what is refused in words with the name of the member."""

from __future__ import annotations

import io
import re
import stat
import struct
import sys
import tracemalloc
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.wire.sources import directory, open_source
from unit.wire.sources.zips import Made, central, end, local, zip64_of, zip_of


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "log.eval"


def opened(path: Path, data: bytes) -> dict[str, bytes]:
    path.write_bytes(data)
    source = open_source(path)
    return {name: source.read(name) for name in source.names()}


def refused(path: Path, data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        opened(path, data)
    assert caught.value.where.startswith("log.eval")
    return str(caught.value)


@pytest.mark.parametrize("method", [0, 8, 93])
def test_members_of_every_method_are_read(archive: Path, method: int) -> None:
    data = b'{"a": 1}' * 50_000
    assert opened(archive, zip_of([Made(name=b"s/a.json", data=data, method=method)])) == {"s/a.json": data}


def test_what_the_standard_library_writes_is_read(archive: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.comment = b"a comment"
        file.mkdir("folder") if sys.version_info >= (3, 11) else None
        file.writestr("folder/ä.json", b"[1]")
        with file.open("large.json", "w", force_zip64=True) as inner:
            inner.write(b"[2]")
    assert opened(archive, made.getvalue()) == {"folder/ä.json": b"[1]", "large.json": b"[2]"}


def test_frames_behind_each_other_are_one_member(archive: Path) -> None:
    from backports import zstd

    made = Made(name=b"a", data=b"one two", method=93, packed=zstd.compress(b"one ") + zstd.compress(b"two"))
    assert opened(archive, zip_of([made])) == {"a": b"one two"}


def test_a_large_archive_has_a_larger_end_record(archive: Path) -> None:
    full = 0xFFFFFFFF
    extra = struct.pack("<2H2Q", 1, 16, 3, 5)
    packed = Made(
        name=b"b", data=b"[1]", packed=zlib.compress(b"[1]", 9)[2:-4], size=full, packed_size=full, extra=extra
    )
    assert opened(archive, zip64_of([Made(name=b"a"), packed])) == {"a": b"{}", "b": b"[1]"}


def test_of_a_name_that_stands_twice_the_last_entry_counts(archive: Path) -> None:
    archive.write_bytes(zip_of([Made(name=b"a", data=b"1"), Made(name=b"b"), Made(name=b"a", data=b"2")]))
    source = open_source(archive)
    assert (source.names(), source.read("a"), getattr(source, "twice", 0)) == (("a", "b"), b"2", 1)


def test_a_zip_inside_is_a_member_like_any_other(archive: Path) -> None:
    inner = zip_of([Made(name=b"x")])
    assert opened(archive, zip_of([Made(name=b"inner.zip", data=inner, method=0)])) == {"inner.zip": inner}


def test_dead_bytes_between_members_are_passed_over(archive: Path) -> None:
    assert opened(archive, zip_of([Made(name=b"a"), Made(name=b"b", gap=local(Made(name=b"old")))])).keys() == {
        "a",
        "b",
    }


@pytest.mark.parametrize(
    "name",
    [b"../a", b"a/../../b", b"..\\a", b"a\\..\\b", b"/etc/passwd", b"\\\\host\\a", b"C:\\a", b"c:a", b"a\0b", b""],
)
def test_names_that_lead_out_are_refused(archive: Path, name: bytes) -> None:
    assert "leads out" in refused(archive, zip_of([Made(name=b"good"), Made(name=name)]))


@pytest.mark.parametrize("name", ["2025-01-01__12:00:00/a.json", "a\\b.json", "..a/b..", "samples/a b_epoch_1.json"])
def test_names_that_only_look_odd_are_members(archive: Path, name: str) -> None:
    assert opened(archive, zip_of([Made(name=name.encode())])).keys() == {name}


def test_names_that_are_no_utf8(archive: Path) -> None:
    made = [Made(name=b"\xff\xfe", flags=0x800), Made(name=b"\x84")]
    assert opened(archive, zip_of(made)).keys() == {"\\xff\\xfe", "ä"}


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(archive: Path, kind: int) -> None:
    assert "log.eval/a: is a link or a device" in refused(archive, zip_of([Made(name=b"a", mode=kind | 0o777)]))


@pytest.mark.parametrize("flags", [0x1, 0x41, 0x2000])
def test_locked_members_are_refused(archive: Path, flags: int) -> None:
    assert "locked with a password" in refused(archive, zip_of([Made(name=b"a", flags=flags)]))


def test_a_lock_that_only_the_member_shows(archive: Path) -> None:
    assert "says something else" in refused(archive, zip_of([Made(name=b"a", local_flags=1)]))


def test_a_header_of_another_member(archive: Path) -> None:
    assert "says something else" in refused(archive, zip_of([Made(name=b"a", local_name=b"b")]))


@pytest.mark.parametrize("method", [0, 8, 93])
@pytest.mark.parametrize(("size", "word"), [(5, "more"), (15, "fewer"), (0, "more")])
def test_a_size_that_is_a_lie(archive: Path, method: int, size: int, word: str) -> None:
    text = refused(archive, zip_of([Made(name=b"a", data=b"0123456789", method=method, size=size)]))
    assert f"log.eval/a: is damaged: it holds {word} bytes than the {size} it says" in text


@pytest.mark.parametrize("packed", [1, 5])
@pytest.mark.parametrize("method", [8, 93])
def test_a_member_that_breaks_off(archive: Path, method: int, packed: int) -> None:
    whole = Made(name=b"a", data=bytes(range(200)), method=method)
    made = Made(name=b"a", data=whole.data, method=method, packed=whole.body[:packed])
    assert "log.eval/a: is damaged: it breaks off" in refused(archive, zip_of([made]))


@pytest.mark.parametrize("method", [0, 8, 93])
def test_a_checksum_that_does_not_hold(archive: Path, method: int) -> None:
    assert "log.eval/a: is damaged: its checksum is another" in refused(
        archive, zip_of([Made(name=b"a", method=method, crc=7)])
    )


def test_bytes_behind_the_end_of_a_member(archive: Path) -> None:
    made = Made(name=b"a")
    assert "is damaged" in refused(archive, zip_of([Made(name=b"a", packed=made.body + b"more")]))


def test_a_method_that_is_not_read(archive: Path) -> None:
    assert "log.eval/a: is packed by method 14" in refused(archive, zip_of([Made(name=b"a", method=14)]))


def test_a_bomb_that_says_so(archive: Path) -> None:
    assert "log.eval/a: says that" in refused(archive, zip_of([Made(name=b"a", size=1 << 31)]))


def test_a_member_larger_than_any(archive: Path) -> None:
    extra = struct.pack("<2HQ", 1, 8, 1 << 40)
    assert "unpack to 1099511627776" in refused(archive, zip_of([Made(name=b"a", size=0xFFFFFFFF, extra=extra)]))


@pytest.mark.parametrize(("method", "word"), [(8, "more bytes than"), (93, "unpack to more than")])
def test_a_bomb_that_lies_takes_no_memory(archive: Path, method: int, word: str) -> None:
    made = zip_of([Made(name=b"a", data=bytes(200 << 20), method=method, size=16 << 20)])
    tracemalloc.start()
    try:
        assert word in refused(archive, made)
        assert tracemalloc.get_traced_memory()[1] < 80 << 20
    finally:
        tracemalloc.stop()


def test_members_that_share_a_header(archive: Path) -> None:
    assert "two members share bytes" in refused(archive, zip_of([Made(name=b"a"), Made(name=b"b", offset=0)]))


def test_members_that_lie_in_each_other(archive: Path) -> None:
    inner = local(Made(name=b"b", data=b"x" * 100, method=0))
    outer = Made(name=b"a", data=inner, method=0)
    made = [outer, Made(name=b"b", data=b"x" * 100, method=0, offset=len(local(Made(name=b"a", data=b"", method=0))))]
    assert "two members share bytes" in refused(archive, zip_of(made))


def test_a_header_that_is_quoted_by_the_one_before(archive: Path) -> None:
    """The extra field of the first header covers the second: both unpack the same bytes."""
    second = Made(name=b"b", data=b"y" * 1000)
    first = Made(
        name=b"a",
        data=b"y" * 1000,
        local_extra=bytes(len(second.body)) + local(second)[: -len(second.body)],
        packed=b"",
        packed_size=len(second.body),
    )
    place = len(local(first)) - len(local(second)) + len(second.body)
    body = local(first) + second.body

    rows = central(first, 0) + central(second, place)
    assert "log.eval/a: shares bytes with another member" in refused(
        archive, body + rows + end(2, len(rows), len(body))
    )


def test_a_million_entries_are_refused_by_their_number(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "MEMBERS_MAX", 10)
    assert "more than 10 members" in refused(archive, zip_of([Made(name=b"%d" % number) for number in range(11)]))
    assert "its directory cannot be read" in refused(archive, zip_of([Made(name=b"a"), Made(name=b"b")], count=1))
    assert "holds 2 entries and says 3" in refused(archive, zip_of([Made(name=b"a"), Made(name=b"b")], count=3))


def test_a_directory_that_claims_more_than_there_is_takes_no_memory(archive: Path) -> None:
    whole = zip_of([Made(name=b"a")])
    tracemalloc.start()
    try:
        claim = whole[:-22] + end(60_000, 200 << 20, 0)
        assert "no whole zip file" in refused(archive, claim)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_every_cut_is_refused(archive: Path) -> None:
    whole = zip_of([Made(name=b"a", data=b"[1]"), Made(name=b"b", data=b"[2]", method=93)], comment=b"x")
    for length in range(4, len(whole)):
        assert "log.eval" in refused(archive, whole[:length])


def test_data_before_the_archive_is_another_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a": 1}\n' + zip_of([Made(name=b"a")]))
    assert open_source(path).names() == ("rows.jsonl",)


def test_two_archives_behind_each_other_are_none(archive: Path) -> None:
    one = zip_of([Made(name=b"a")])
    assert "its directory is not where it says" in refused(archive, one + one)


def test_an_end_in_a_comment_is_no_second_end(archive: Path) -> None:
    fake = end(0, 0, 0)
    text = refused(archive, zip_of([Made(name=b"a")], comment=b"x" + fake))
    assert "two ends" in text
    assert opened(archive, zip_of([Made(name=b"a")], comment=fake + b"x")).keys() == {"a"}
    assert "it has no end" in refused(archive, zip_of([Made(name=b"a")]) + b"x")


def test_an_archive_without_members_is_one(archive: Path) -> None:
    assert opened(archive, end(0, 0, 0)) == {}


def test_one_of_several_parts(archive: Path) -> None:
    assert "another part" in refused(archive, zip_of([Made(name=b"a", disk=1)]))
    whole = zip_of([Made(name=b"a")])
    assert "several parts" in refused(archive, whole[:-18] + b"\1\0" + whole[-16:])


def test_a_name_that_is_not_there(archive: Path) -> None:
    archive.write_bytes(zip_of([Made(name=b"a")]))
    source = open_source(archive)
    for ask in (source.size, source.read):
        with pytest.raises(InputError, match=re.escape("log.eval/b: there is no such member")):
            ask("b")


def test_many_readers_at_once(archive: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    data = [bytes([number]) * 300_000 for number in range(20)]
    archive.write_bytes(zip_of([Made(name=b"%d" % number, data=one) for number, one in enumerate(data)]))
    source = open_source(archive)
    names: Sequence[str] = [str(number % 20) for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(source.read, names)) == [data[int(name)] for name in names]
