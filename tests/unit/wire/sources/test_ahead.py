"""Members one after the other with their digests, with and without the second process that makes them."""

from __future__ import annotations

import gc
import hashlib
import os
import random
import select
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.wire.sources import Source, ahead, digest_of, digested, open_source, wholes
from denominator.wire.sources.second import SHARED_BYTES, Second
from unit.wire.sources.zips import Made, zip_of

PROC = Path("/proc/self/fd")


class Awake(Second):
    """Has begun when it is made, so that a test knows who digests."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        Awake.made += 1
        select.select([self._child.stdout], [], [], 60)


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process from the first byte on."""
    try:
        Second().close()
    except OSError as error:
        pytest.skip(str(error))
    monkeypatch.setattr(ahead, "Second", Awake)
    monkeypatch.setattr(ahead, "ENOUGH_BYTES", 0)
    monkeypatch.setattr(ahead, "SMALL", 100)
    monkeypatch.setattr(Awake, "made", 0)


def noise(length: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(length)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


MEMBERS = {f"{n:03}": noise(n * 37 % 5_000 + 90 * (n % 3), n) for n in range(120)}


def archive(path: Path, **changed: Made) -> Source:
    made = {
        name: Made(name=name.encode(), data=data, method=93 * (at % 2))
        for at, (name, data) in enumerate(MEMBERS.items())
    }
    path.write_bytes(zip_of([*{**made, **changed}.values()]))
    return open_source(path)


def folder(path: Path) -> Source:
    path.mkdir()
    for name, data in MEMBERS.items():
        (path / name).write_bytes(data)
    return open_source(path)


def length(data: bytes, _name: str) -> int:
    return len(data)


def all_of(source: Source) -> list[tuple[str, int | None, bytes, str, str]]:
    return [tuple(one) for one in wholes(source, source.names(), 10_000, length)]


WHOLE = [(name, len(data), data, sha(data), "") for name, data in MEMBERS.items()]


@pytest.mark.parametrize("made", [archive, folder])
def test_members_come_in_order_with_their_digests(made, tmp_path: Path) -> None:
    assert all_of(made(tmp_path / "a")) == WHOLE


@pytest.mark.parametrize("made", [archive, folder])
def test_a_second_process_changes_nothing(made, tmp_path: Path, second: None) -> None:
    assert all_of(made(tmp_path / "a")) == WHOLE
    assert Awake.made == 1


def test_no_second_process_is_begun_for_a_small_source(tmp_path: Path, second: None, monkeypatch) -> None:
    monkeypatch.setattr(ahead, "ENOUGH_BYTES", 1 << 20)
    assert all_of(archive(tmp_path / "a")) == WHOLE
    assert Awake.made == 0


def refused() -> Second:
    raise OSError("no process can be had")


def test_where_no_process_can_be_had_the_digests_are_made_here(tmp_path: Path, second: None, monkeypatch) -> None:
    monkeypatch.setattr(ahead, "Second", refused)
    assert all_of(archive(tmp_path / "a")) == WHOLE


@pytest.mark.parametrize("after", [0, 1, 7, 60])
def test_a_process_that_is_killed_is_not_missed(after: int, tmp_path: Path, second: None, monkeypatch) -> None:
    class Killed(Awake):
        def give(self, data: bytes) -> bool:
            nonlocal after
            after -= 1
            if after < 0:
                self._child.kill()
                self._child.wait()
            return super().give(data)

    monkeypatch.setattr(ahead, "Second", Killed)
    assert all_of(archive(tmp_path / "a")) == WHOLE
    assert Awake.made == 1


def test_damaged_members_are_told_in_their_place(tmp_path: Path, second: None) -> None:
    wrong = Made(name=b"040", data=MEMBERS["040"], crc=1)
    longer = Made(name=b"050", data=MEMBERS["050"], size=len(MEMBERS["050"]) - 1)
    bomb = Made(name=b"060", data=b"0" * 20_000)
    found = all_of(archive(tmp_path / "a", **{"040": wrong, "050": longer, "060": bomb}))
    told = {name: (seen, data, digest, fault) for name, seen, data, digest, fault in found if fault}
    assert {name: fault for name, (*_, fault) in told.items()} == {
        "040": "is damaged: its checksum is another",
        "050": f"is damaged: it holds more bytes than the {len(MEMBERS['050']) - 1} it says",
        "060": "holds more than 10000 bytes",
    }
    assert {one[:3] for one in told.values()} == {(None, b"", sha(b""))}
    assert [one for one in found if not one[4]] == [one for one in WHOLE if one[0] not in told]


def test_a_member_that_is_missing_is_told(tmp_path: Path) -> None:
    (one,) = wholes(archive(tmp_path / "a"), ["x"], 100, length)
    assert (one.seen, one.data, one.fault) == (None, b"", "there is no such member")


def test_what_was_digested_is_not_read_again(tmp_path: Path) -> None:
    source = archive(tmp_path / "a", **{"040": Made(name=b"040", data=MEMBERS["040"], crc=1)})
    all_of(source)
    (tmp_path / "a").write_bytes(b"")
    assert digest_of(source, "041") == sha(MEMBERS["041"])
    with pytest.raises(InputError):
        digest_of(source, "040")


def values(read: list[int], many: int, size: int) -> Iterator[tuple[int, bytes]]:
    for number in range(many):
        read.append(number)
        yield number, noise(size, number)


@pytest.mark.parametrize(("size", "most"), [(1_000, ahead.WAITING), (1 << 20, 5), (6 << 20, 1), (50, 1)])
def test_few_values_and_few_bytes_wait(size: int, most: int, second: None) -> None:
    read: list[int] = []
    for place, one in enumerate(digested(values(read, 40, size), lambda of, _data: of)):
        assert one.of == one.seen == place
        assert len(read) - place <= most


def test_an_error_comes_after_what_was_before_it(second: None) -> None:
    def torn() -> Iterator[tuple[int, bytes]]:
        yield from values([], 9, 1_000)
        raise InputError("breaks off", where="a")

    found: list[int] = []
    with pytest.raises(InputError, match="breaks off"):
        found.extend(one.of for one in digested(torn(), lambda _of, _data: 0))
    assert found == list(range(9))


def test_who_stops_asking_leaves_no_process_and_no_file_open(second: None) -> None:
    before = len(list(PROC.iterdir())) if PROC.exists() else 0
    given = digested(values([], 100, 1_000), lambda _of, _data: 0)
    next(given)
    del given
    gc.collect()
    assert Awake.made == 1
    assert (len(list(PROC.iterdir())) if PROC.exists() else 0) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_shared_memory_is_used_again_and_again(second: None) -> None:
    process, pick, waiting, end = Awake(), random.Random(2), [], 0
    for _ in range(300):
        data = noise(pick.choice([1, 10, 1_000, 50_000, 300_000]), pick.random())
        assert process.give(data)
        end = max(end, process._given[-1][1])
        waiting.append(data)
        while waiting and (len(waiting) > 12 or pick.random() < 0.4):
            first = waiting.pop(0)
            assert process.take() == (sha(first), zlib.crc32(first))
    process.close()
    assert end < 8 << 20


def test_what_does_not_fit_is_not_taken(second: None) -> None:
    process = Awake()
    assert not process.give(bytes(SHARED_BYTES + 1))
    assert process.give(bytes(SHARED_BYTES - 10))
    assert not process.give(bytes(11))
    assert process.give(bytes(10))
    assert process.take() == (sha(bytes(SHARED_BYTES - 10)), zlib.crc32(bytes(SHARED_BYTES - 10)))
    assert process.give(bytes(11))
    process.close()
