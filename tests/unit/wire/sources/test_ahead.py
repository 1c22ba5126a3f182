"""Members one after the other with their digests, with and without the second process that makes them."""

from __future__ import annotations

import gc
import hashlib
import os
import random
import select
from itertools import islice
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.wire.sources import Source, ahead, digest_of, open_source, wholes
from denominator.wire.sources import second as module
from denominator.wire.sources.second import Second
from unit.wire.sources.zips import Made, zip_of

PROC = Path("/proc/self/fd")
MOST = 10_000


class Awake(Second):
    """Has begun when it is made and is waited for, so that a test knows who digests."""

    made: int = 0
    given: int = 0

    def __init__(self, descriptor: int, most: int) -> None:
        super().__init__(descriptor, most)
        Awake.made += 1
        select.select([self._child.stdout], [], [], 60)

    @property
    def told(self) -> bool:
        return bool(select.select([self._child.stdout], [], [], 60)[0])

    def take(self) -> str:
        found = super().take()
        Awake.given += bool(found)
        return found


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process from the first byte on."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core: there is no second process")
    monkeypatch.setattr(module, "Second", Awake)
    monkeypatch.setattr(ahead, "ENOUGH_BYTES", 0)
    monkeypatch.setattr(ahead, "SMALL", 100)
    monkeypatch.setattr(Awake, "made", 0)
    monkeypatch.setattr(Awake, "given", 0)


def noise(length: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(length)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


MEMBERS = {f"{n:03}": noise(n * 37 % 5_000 + 90 * (n % 3), n) for n in range(120)}
AWAY = sum(len(data) > 100 for data in MEMBERS.values())


def archive(path: Path, **changed: Made) -> Source:
    made = {name: Made(name=name.encode(), data=MEMBERS[name], method=93 * (int(name) % 2)) for name in MEMBERS}
    path.write_bytes(zip_of([*{**made, **changed}.values()]))
    return open_source(path)


def folder(path: Path) -> Source:
    path.mkdir()
    for name, data in MEMBERS.items():
        (path / name).write_bytes(data)
    return open_source(path)


def length(data: bytes, _name: str) -> int:
    return len(data)


def all_of(source: Source, most: int = MOST) -> list[tuple[object, ...]]:
    return [tuple(one) for one in wholes(source, source.names(), most, length)]


WHOLE = [(name, len(data), data, sha(data), "") for name, data in MEMBERS.items()]


@pytest.mark.parametrize("made", [archive, folder])
def test_members_come_in_order_with_their_digests(made, tmp_path: Path) -> None:
    assert all_of(made(tmp_path / "a")) == WHOLE


def test_a_second_process_changes_nothing(tmp_path: Path, second: None) -> None:
    assert all_of(archive(tmp_path / "a")) == WHOLE
    assert (Awake.made, Awake.given) == (1, AWAY)


def test_only_some_members_in_any_order(tmp_path: Path, second: None) -> None:
    names = random.Random(1).sample(sorted(MEMBERS), 70)
    found = [tuple(one) for one in wholes(archive(tmp_path / "a"), iter(names), MOST, length)]
    assert found == [WHOLE[int(name)] for name in names]


@pytest.mark.parametrize(("name", "value"), [("ENOUGH_BYTES", 1 << 20), ("LARGE", 0)])
def test_small_sources_and_large_members_are_read_alone(
    name: str, value: int, tmp_path: Path, second: None, monkeypatch
) -> None:
    monkeypatch.setattr(ahead, name, value)
    assert all_of(archive(tmp_path / "a")) == WHOLE
    assert Awake.given == 0


def test_where_no_process_can_be_had_the_digests_are_made_here(tmp_path: Path, second: None, monkeypatch) -> None:
    def refused(_descriptor: int, _most: int) -> Second:
        raise OSError("no process can be had")

    monkeypatch.setattr(module, "Second", refused)
    assert all_of(archive(tmp_path / "a")) == WHOLE


@pytest.mark.parametrize("after", [0, 1, 7, 60])
def test_a_process_that_is_killed_is_not_missed(after: int, tmp_path: Path, second: None, monkeypatch) -> None:
    class Killed(Awake):
        def take(self) -> str:
            nonlocal after
            after -= 1
            if after < 0:
                self._child.kill()
                self._child.wait()
            return super().take()

    monkeypatch.setattr(module, "Second", Killed)
    assert all_of(archive(tmp_path / "a")) == WHOLE
    assert Awake.made == 1


def test_nobody_waits_for_a_process_that_is_late(tmp_path: Path, second: None, monkeypatch) -> None:
    class Late(Awake):
        """Every third time that anybody looks, nothing is there yet."""

        looks = 0

        @property
        def told(self) -> bool:
            Late.looks += 1
            return Late.looks % 3 > 0 and super().told

    monkeypatch.setattr(module, "Second", Late)
    assert all_of(archive(tmp_path / "a")) == WHOLE
    assert 20 < Awake.given <= AWAY


def damaged(path: Path) -> Source:
    wrong = Made(name=b"040", data=MEMBERS["040"], crc=1)
    longer = Made(name=b"050", data=MEMBERS["050"], size=len(MEMBERS["050"]) - 1)
    bomb = Made(name=b"060", data=b"0" * 20_000)
    cut = Made(name=b"070", packed=b"\x03", data=MEMBERS["070"])
    return archive(path, **{"040": wrong, "050": longer, "060": bomb, "070": cut})


def test_damaged_members_are_told_in_their_place(tmp_path: Path, second: None) -> None:
    found = all_of(damaged(tmp_path / "a"))
    told = {one[0]: one for one in found if one[4]}
    assert {name: one[4] for name, one in told.items()} == {
        "040": "is damaged: its checksum is another",
        "050": f"is damaged: it holds more bytes than the {len(MEMBERS['050']) - 1} it says",
        "060": f"holds more than {MOST} bytes",
        "070": "is damaged: it breaks off",
    }
    assert {one[1:4] for one in told.values()} == {(None, b"", sha(b""))}
    assert [one for one in found if not one[4]] == [one for one in WHOLE if one[0] not in told]
    assert Awake.given == AWAY - 4


def test_damage_is_told_alike_without_a_second_process(tmp_path: Path, second: None, monkeypatch) -> None:
    found = all_of(damaged(tmp_path / "a"))
    monkeypatch.setattr(ahead, "ENOUGH_BYTES", 1 << 40)
    assert all_of(open_source(tmp_path / "a")) == found


def test_a_member_that_is_missing_is_told(tmp_path: Path, second: None) -> None:
    (one, two) = wholes(archive(tmp_path / "a"), ["x", "041"], MOST, length)
    assert (one.seen, one.data, one.fault) == (None, b"", "there is no such member")
    assert two.sha256 == sha(MEMBERS["041"])


@pytest.mark.parametrize("first", [0, 1])
def test_a_file_that_changes_meanwhile_is_refused(first: int, tmp_path: Path, second: None) -> None:
    found = wholes(archive(tmp_path / "a"), sorted(MEMBERS), MOST, length)
    assert len([*islice(found, first)]) == first
    with (tmp_path / "a").open("ab") as file:
        file.write(b"more")
    with pytest.raises(InputError, match="was changed while it was read"):
        list(found)


def test_what_was_digested_is_not_read_again(tmp_path: Path) -> None:
    source = damaged(tmp_path / "a")
    all_of(source)
    (tmp_path / "a").write_bytes(b"")
    assert digest_of(source, "041") == sha(MEMBERS["041"])
    with pytest.raises(InputError):
        digest_of(source, "040")


def test_who_stops_asking_leaves_no_process_and_no_file_open(tmp_path: Path, second: None) -> None:
    source = archive(tmp_path / "a")
    # What other tests left behind is closed by the same collection, and is none of ours.
    gc.collect()
    before = len(list(PROC.iterdir())) if PROC.exists() else 0
    given = wholes(source, sorted(MEMBERS), MOST, length)
    next(given)
    child = next(one for one in gc.get_objects() if isinstance(one, Awake))._child
    assert child.poll() is None
    del given
    gc.collect()
    assert child.poll() is not None
    assert (len(list(PROC.iterdir())) if PROC.exists() else 0) <= before


def test_no_second_process_outlives_its_first(tmp_path: Path) -> None:
    archive(tmp_path / "a")
    descriptor = os.open(tmp_path / "a", os.O_RDONLY)
    process = Second(descriptor, MOST)
    select.select([process._child.stdout], [], [], 60)
    assert process.begun
    process._child.stdin.close()
    assert process._child.wait(60) == 0
    os.close(descriptor)
