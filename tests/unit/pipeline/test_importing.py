"""Which files of a folder an import reads."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from denominator.pipeline.importing import import_paths


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_a_folder_that_cannot_be_looked_into_is_an_error_and_no_missing_row(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        row = {"task_id": name, "tests_without_agent_pass": False, "tests_after_pass": True}
        (tmp_path / name / "meta.json").write_text(json.dumps(row))
    assert len(import_paths([tmp_path], None, (), None)[1].ledger.rows) == 2
    (tmp_path / "b").chmod(0)
    try:
        with pytest.raises(PermissionError):
            import_paths([tmp_path], None, (), None)
    finally:
        (tmp_path / "b").chmod(0o755)
