"""The statement as its consumers read it."""

from __future__ import annotations

import json
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.exporters.intoto import EXPORTER
from denominator.pipeline.exporting import export
from denominator.pipeline.results import judge_saved, save_imported
from denominator.wire.canonical import canonical
from unit.exporters.export_lab import run_of, solvable


def test_subjects_are_the_files_as_sha256sum_sees_them(tmp_path: Path) -> None:
    result = run_of()
    save_imported(tmp_path / "kept", result.ledger, result.terms, result.card)
    data = export(result, EXPORTER, kept=tmp_path / "kept")
    made = json.loads(data)
    assert data == canonical(made) + b"\n"
    assert made["_type"] == "https://in-toto.io/Statement/v1"
    lines = "".join(f"{one['digest']['sha256']}  {one['name']}\n" for one in made["subject"])
    assert sorted(one["name"] for one in made["subject"]) == ["card.json", "ledger.json", "terms.json"]
    checked = subprocess.run(["sha256sum", "-c"], input=lines, cwd=tmp_path / "kept", text=True, capture_output=True)
    assert checked.returncode == 0, checked.stderr


def test_the_predicate_is_what_the_card_says(tmp_path: Path) -> None:
    result = run_of()
    save_imported(tmp_path / "kept", result.ledger, result.terms, result.card)
    again = judge_saved(tmp_path / "kept")
    said = json.loads(export(again, EXPORTER, kept=tmp_path / "kept"))["predicate"]
    assert (said["headline"]["numerator"], said["headline"]["denominator"], said["headline"]["value"]) == (
        11,
        16,
        "0.687500",
    )
    assert said["verdict"]["sentence"].startswith("made-up: 11 of 16 declared draws")
    assert said["card_sha256"] == sha256((tmp_path / "kept" / "card.json").read_bytes()).hexdigest()
    assert "GL003 held" not in said["findings"] and all(one.startswith("GL") for one in said["findings"])
    assert said["controls"] == [{"name": "must_fail", "task_id": "n1", "state": "held"}]


def test_what_is_withheld_is_withheld(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("{}")
    said = {
        name: json.loads(export(result, EXPORTER, kept=tmp_path))["predicate"]
        for name, result in {"violated": run_of(control="green"), "few": run_of(solvable(4))}.items()
    }
    assert set(said["violated"]["headline"]["value"]) == {"not_measured"}
    assert "pass" not in said["violated"]["equation"]
    assert set(said["few"]["headline"]["value"]) == {"not_measured"}


def test_without_files_there_is_nothing_to_speak_of(tmp_path: Path) -> None:
    for kept in (None, tmp_path):
        with pytest.raises(InputError, match="no file of it is stored"):
            export(run_of(), EXPORTER, kept=kept)
