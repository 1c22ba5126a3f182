"""Reading packs: everything that is wrong is said in one pass."""

from __future__ import annotations

import pytest

from denominator.errors import InputError
from denominator.packs import builtin_packs, find_pack, init_pack, load_pack
from unit.packs.making import add_task, edit, write


def test_a_sound_pack_is_read(pack):
    found = load_pack(pack)
    assert (found.pack.id, found.pack.provenance.created, found.lock) == ("tiny", "2026-11-29", None)
    assert [task.id for task in found.pack.tasks] == ["sums"]
    assert found.pack.tasks[0].verify.expected_tests == ("test_sum_even.SumTest.test_big_numbers",)


def test_who_wrote_the_tasks_may_stand_in_a_file_of_its_own(pack):
    text = (pack / "pack.toml").read_text()
    head, _, table = text.partition("[provenance]\n")
    assert load_pack(pack).pack.provenance.authors == ("the authors",)
    write(pack, {"provenance.toml": table + 'models = ["m"]\n[dates]\n"tasks/sums" = 2026-12-01\n'})
    with pytest.raises(InputError, match="has a table") as caught:
        load_pack(pack)
    assert "provenance.toml" in str(caught.value)
    write(pack, {"pack.toml": head})
    found = load_pack(pack).pack.provenance
    assert (found.authors, found.created, found.models) == (("the authors",), "2026-11-29", ("m",))
    assert found.dates == {"tasks/sums": "2026-12-01"}
    write(pack, {"provenance.toml": 'author = ["x"]\n'})
    with pytest.raises(InputError, match="authors"):
        load_pack(pack)


def test_mistakes_of_several_files_come_together(pack):
    edit(pack / "pack.toml", 'license = "MIT"', 'licence = "MIT"')
    edit(pack / "tasks/sums/task.toml", 'slice = "solvable"', 'slice = "solveable"')
    other = add_task(pack, "other")
    edit(other / "task.toml", "timeout_s = 30", 'timeout_s = "30"')
    third = add_task(pack, "third")
    write(third, {"task.toml": b'id = "\xff"'})
    (pack / "tasks" / "empty").mkdir()
    with pytest.raises(InputError) as caught:
        load_pack(pack)
    text = str(caught.value)
    for part in ("licence", "solveable", "solvable", "timeout_s", "not UTF-8", "tasks/empty"):
        assert part in text, part
    assert len(caught.value.problems) >= 5


def test_a_folder_must_carry_the_safe_name_of_its_id(pack):
    add_task(pack, "a:b", folder="a-b")
    with pytest.raises(InputError) as caught:
        load_pack(pack)
    assert "a=3ab" in str(caught.value)


def test_an_id_that_needs_escaping_lives_under_its_safe_name(pack):
    add_task(pack, "Task:1", folder="=54ask=3a1")
    assert {task.id for task in load_pack(pack).pack.tasks} == {"sums", "Task:1"}


@pytest.mark.parametrize(("old", "new"), [("schema_version = 1", "schema_version = 2")])
def test_an_unknown_version_is_refused(pack, old, new):
    edit(pack / "tasks/sums/task.toml", old, new)
    edit(pack / "pack.toml", old, new)
    with pytest.raises(InputError) as caught:
        load_pack(pack)
    assert len([p for p in caught.value.problems if "schema_version 2" in p.what]) == 2


def test_tasks_are_not_written_into_pack_toml(pack):
    with (pack / "pack.toml").open("a") as stream:
        stream.write(
            '\n[[tasks]]\nid = "x"\ntitle = "x"\nslice = "solvable"\nexpected = "pass"\nreason = "r"\nlicense = "MIT"\n'
            'allowed = ["*"]\nverify = {runner = "unittest", timeout_s = 1, level = "G2"}\n'
        )
    with pytest.raises(InputError, match="cannot be read") as caught:
        load_pack(pack)
    assert "[[tasks]]" in str(caught.value)


def test_a_folder_without_a_pack_says_what_to_do(tmp_path):
    with pytest.raises(InputError, match=r"pack\.toml") as caught:
        load_pack(tmp_path)
    assert "pack init" in caught.value.fix


def test_a_pack_without_tasks_is_refused(pack):
    for path in sorted((pack / "tasks").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    with pytest.raises(InputError) as caught:
        load_pack(pack)
    assert "holds no task" in str(caught.value)


def test_a_broken_lock_is_named(pack):
    (pack / "pack.lock").write_text('{"digest": 1, "digest": 2}')
    with pytest.raises(InputError) as caught:
        load_pack(pack)
    assert "pack.lock" in str(caught.value)


def test_built_in_names_and_paths(pack, monkeypatch):
    assert "holdout16" in builtin_packs()
    assert find_pack("holdout16") == builtin_packs()["holdout16"]
    assert find_pack(str(pack)) == pack
    monkeypatch.chdir(pack.parent)
    assert find_pack("tiny").resolve() == pack
    assert find_pack("./tiny", pack.parent).resolve() == pack


def test_a_folder_does_not_shadow_a_built_in_name(pack, monkeypatch):
    pack.rename(pack.parent / "holdout16")
    monkeypatch.chdir(pack.parent)
    assert find_pack("holdout16") == builtin_packs()["holdout16"]
    assert find_pack("./holdout16").resolve() == pack.parent / "holdout16"


def test_a_name_that_is_nowhere(tmp_path):
    with pytest.raises(InputError, match="holdout16"):
        find_pack("nowhere", tmp_path)


def test_the_skeleton_can_be_read(tmp_path):
    written = init_pack(tmp_path / "My Pack")
    assert "pack.toml" in written
    found = load_pack(tmp_path / "My Pack")
    assert (found.pack.id, len(found.pack.tasks)) == ("my-pack", 2)


def test_init_touches_no_full_folder(pack):
    before = (pack / "pack.toml").read_bytes()
    with pytest.raises(InputError, match="not empty"):
        init_pack(pack)
    assert (pack / "pack.toml").read_bytes() == before


def test_packages_of_a_task_come_before_those_of_its_pack(pack):
    assert not load_pack(pack).pack.tasks[0].packages, "nobody stated any: unknown, which is not none"
    other = add_task(pack, "other")
    edit(pack / "pack.toml", 'license = "MIT"', 'license = "MIT"\npackages = ["PyYAML:yaml"]')
    edit(other / "task.toml", "multi_file = false", "multi_file = false\npackages = []")
    packages = {task.id: task.packages for task in load_pack(pack).pack.tasks}
    assert packages == {"sums": ("PyYAML:yaml",), "other": ()}
