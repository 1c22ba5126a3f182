"""Where a link leads is read, never followed."""

import os
from pathlib import Path

import pytest

from denominator.pipeline.links import leads_outside, link_targets
from denominator.records.packs import Task, Verify
from denominator.records.trees import Patch

TASK = Task(
    id="bill", title="", slice="solvable", expected="pass", reason="", license="MIT", allowed=("src/**",),
    forbidden=("src/shut.py",), verify=Verify(runner="unittest", level="G2", timeout_s=1),
)  # fmt: skip


@pytest.mark.parametrize(
    ("target", "inside", "outside"),
    [
        ("../tax.py", "tax.py", True),
        ("../../tax.py", "", True),
        ("/etc/passwd", "", True),
        ("/work", "", True),
        ("/workshop/x", "", True),
        ("/work/src/ok.py", "src/ok.py", False),
        ("ok.py", "src/ok.py", False),
        ("shut.py", "src/shut.py", True),
        ("./a/../../src/ok.py", "src/ok.py", False),
    ],
)
def test_where_it_leads(tmp_path: Path, target: str, inside: str, outside: bool) -> None:
    (tmp_path / "src").mkdir()
    os.symlink(target, tmp_path / "src/bill.py")
    patch = Patch(
        base_tree="", final_tree="", changes=(), refused=("src/bill.py: is a link", "pipe: is no regular file")
    )
    assert link_targets(tmp_path, patch) == {"src/bill.py": inside}
    assert leads_outside(TASK, inside) is outside
