"""Importers by name: ours, those of other packages, and packages that are broken."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.wiring.importers import all_importers, importer, importer_names


def package(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: str) -> None:
    """A package of somebody else with one importer, as an installer leaves it."""
    module = name.replace("-", "_")
    (folder / f"{module}.py").write_text(code)
    meta = folder / f"{module}-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text(f"[denominator.importers]\n{name} = {module}:IMPORTER\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, module, raising=False)


def test_every_importer_of_ours_is_listed_by_its_own_name_and_loads():
    names = importer_names()
    assert "swebench-pro" in names
    assert list(names) == sorted(names)
    found = list(all_importers())
    assert [one.name for one in found] == list(names)
    assert all(one.title and one.endings is not None and one.cannot_tell for one in found)


def test_an_unknown_name_is_told_with_the_nearest():
    with pytest.raises(InputError, match="no format is called") as told:
        importer("swebench-pr")
    assert "swebench-pro" in told.value.fix


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("raise ZeroDivisionError('oh')", "ZeroDivisionError"),
        ("IMPORTER = object()", "lacks name, title, endings, cannot_tell, recognise, read"),
        ("import does_not_exist_at_all", "ModuleNotFoundError"),
        ("", "AttributeError"),
    ],
)
def test_a_broken_package_is_named_and_hides_no_other(tmp_path, monkeypatch, code, what):
    package(tmp_path, monkeypatch, "other-harness", code)
    assert "other-harness" in importer_names()
    assert importer("swebench-pro").name == "swebench-pro"
    with pytest.raises(InputError) as told:
        importer("other-harness")
    assert what in str(told.value)
    assert "'other-harness' of other-harness" in told.value.what


def test_an_importer_under_another_name_than_its_own_is_refused(tmp_path, monkeypatch):
    code = "from denominator.importers.formats.swebench_pro import IMPORTER\n"
    package(tmp_path, monkeypatch, "other-name", code)
    with pytest.raises(InputError, match="calls itself 'swebench-pro'"):
        importer("other-name")
