"""The folder of slips: written once, found by a part of the id, every change noticed."""

from __future__ import annotations

import hashlib

import pytest

from denominator.errors import InputError
from denominator.pipeline.slip_harness import digest_of_folder
from denominator.pipeline.slip_store import append_line, before_of, find_id, keep_slip, read_entry, standings
from denominator.slips.tiers import Entry
from slip_data import entry, line, slip


@pytest.fixture
def store(tmp_path):
    return tmp_path / "slips"


def test_a_slip_is_written_once_under_the_sha256_of_its_bytes(store):
    slip_id = keep_slip(store, slip())
    path = store / f"{slip_id}.json"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == slip_id
    before = path.stat().st_mtime_ns, path.stat().st_ino
    assert keep_slip(store, slip()) == slip_id and (path.stat().st_mtime_ns, path.stat().st_ino) == before
    assert read_entry(store, slip_id) == Entry(slip_id, slip())


@pytest.mark.parametrize("shape", ["{}", "slip:{}", "[slip:{}]", "slip:{}#headline", " {} "])
def test_an_id_is_found_by_eight_digits_or_more(store, shape):
    slip_id = keep_slip(store, slip())
    for digits in (8, 12, 64):
        assert find_id(store, shape.format(slip_id[:digits])) == slip_id
    assert find_id(store, slip_id[:8].upper()) == slip_id


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("abc", "abc is too short: an id needs 8 digits"),
        ("", "is no id of a slip"),
        ("../../x", "is no id of a slip"),
        ("latest", "is no id of a slip"),
        ("a" * 65, "is no id of a slip"),
        ("0123456789", "no slip has the id 0123456789"),
    ],
)
def test_ids_that_find_nothing(store, typed, word):
    keep_slip(store, slip())
    with pytest.raises(InputError, match=word):
        find_id(store, typed)


def test_an_ambiguous_id_names_what_it_could_be(store):
    store.mkdir()
    for last in ("0", "1"):
        (store / f"{'ab' * 31}a{last}.json").write_text("{}")
    with pytest.raises(InputError, match="ambiguous: 2 slips begin so") as error:
        find_id(store, "abababab")
    assert "abababab" in error.value.fix
    with pytest.raises(InputError, match="no slip has the id"):
        find_id(store / "nowhere", "abababab")


def test_a_file_in_the_place_of_the_folder_is_said(store):
    store.write_text("")
    with pytest.raises(InputError, match="is no folder"):
        standings(store)


def test_a_changed_slip_is_refused_and_the_others_are_listed(store):
    one, two = keep_slip(store, slip(1)), keep_slip(store, slip(2))
    path = store / f"{one}.json"
    path.write_bytes(path.read_bytes().replace(b'"k":10', b'"k":12'))
    with pytest.raises(InputError, match="was changed: its sha256 is"):
        read_entry(store, one)
    found, broken = standings(store)
    assert [each.id for each in found] == [two] and len(broken) == 1


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"schema_version": 2}', '{"schema_version": 1}', "\ufeff{}", '{"k": 0.5}']
)
def test_what_is_no_slip_is_refused_in_words(store, text):
    store.mkdir()
    data = text.encode()
    (store / f"{hashlib.sha256(data).hexdigest()}.json").write_bytes(data)
    found, broken = standings(store)
    assert not found and len(broken) == 1 and broken[0].exit == 2


def test_lines_are_appended_and_chained(store):
    slip_id = keep_slip(store, slip())
    first = append_line(store, slip_id, line("verdict", tier="external", caveat="14 tasks"))
    second = append_line(store, slip_id, line("signoff", role="quote_reviewer"))
    assert (
        first.before == slip_id
        and second.before == hashlib.sha256((store / f"{slip_id}.lines.jsonl").read_bytes().splitlines()[0]).hexdigest()
    )
    assert read_entry(store, slip_id).lines == (first, second)


@pytest.mark.parametrize("how", ["edit", "drop_first", "drop_last", "drop_all", "no_lines", "no_head", "cut"])
def test_no_line_is_changed_or_taken_out_unseen(store, how):
    slip_id = keep_slip(store, slip())
    for caveat in ("one", "two", "three"):
        append_line(store, slip_id, line("verdict", tier="external", caveat=caveat))
    path, head = store / f"{slip_id}.lines.jsonl", store / f"{slip_id}.head"
    rows = path.read_bytes().splitlines(keepends=True)
    changed = {
        "edit": [rows[0], rows[1].replace(b"two", b"ten"), rows[2]],
        "drop_first": rows[1:],
        "drop_last": rows[:2],
        "drop_all": [],
        "cut": [*rows[:2], rows[2][:-5]],
    }
    if how in changed:
        path.write_bytes(b"".join(changed[how]))
    else:
        (path if how == "no_lines" else head).unlink()
    with pytest.raises(InputError):
        read_entry(store, slip_id)
    with pytest.raises(InputError):
        append_line(store, slip_id, line("signoff"))


def test_a_new_slip_is_held_against_the_last_one_with_a_number_of_its_arm_and_pack():
    entries = [entry(slip(1)), entry(slip(2)), entry(slip(3), line("revoked", caveat="x")), entry(slip(4, arm="other"))]
    assert before_of(entries, slip(5)) == entries[1]
    assert before_of([*reversed(entries)], slip(5)) == entries[1]
    assert before_of(entries, slip(1)) is None  # a later run is none before it
    assert before_of(entries, slip(5, arm="third")) is None


def test_a_folder_is_hashed_whole_and_what_is_left_out_is_a_part_of_the_digest(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("1")
    (tmp_path / ".hidden").write_text("x")
    whole = digest_of_folder(tmp_path, ())
    (tmp_path / ".hidden").write_text("y")
    assert digest_of_folder(tmp_path, ()) != whole
    less = digest_of_folder(tmp_path, (".hidden",))
    (tmp_path / ".hidden").write_text("z")
    assert digest_of_folder(tmp_path, (".hidden",)) == less
    (tmp_path / ".hidden").unlink()
    assert digest_of_folder(tmp_path, ()) not in (less, whole)
    with pytest.raises(InputError, match="leaves out nothing"):
        digest_of_folder(tmp_path, (".hidden",))
    with pytest.raises(InputError, match="is no folder"):
        digest_of_folder(tmp_path / "none", ())
    (tmp_path / "src" / "link").symlink_to("a.py")
    linked = digest_of_folder(tmp_path, ())
    (tmp_path / "src" / "link").unlink()
    assert linked != digest_of_folder(tmp_path, ())
