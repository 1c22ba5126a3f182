"""What is typed beside two sides: one run twice, fields that are none, a reason that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.cli.main import run_cli
from e2e.comparing import pair, table

Capsys = pytest.CaptureFixture[str]
A, B = table(both=4, a_only=3, b_only=2, neither=1)


def asked(capsys: Capsys, *args: object) -> tuple[int, str, str]:
    code = run_cli([*map(str, args)])
    said = capsys.readouterr()
    return code, said.out, said.err


def twice(args: list[object]) -> list[object]:
    """The files of the first side on both."""
    return [*args[:4], "--b", args[1], "--b", args[3]]


@pytest.mark.parametrize("verb", ["compare", "spread"])
def test_the_same_files_on_both_sides_are_refused(verb: str, tmp_path: Path, capsys: Capsys) -> None:
    code, out, err = asked(capsys, verb, *twice(pair(tmp_path, A, B)))
    assert (code, out) == (2, "") and "is named twice" in err


def test_one_run_twice_among_several_sides_is_refused(tmp_path: Path, capsys: Capsys) -> None:
    args = pair(tmp_path, A, B)
    folders = []
    for name, rows, manifest in (("a", args[1], args[3]), ("b", args[5], args[7])):
        folders.append(tmp_path / name)
        assert asked(capsys, "import", "rows", rows, manifest, "-o", folders[-1])[0] in (0, 1)
    assert "is named twice" in asked(capsys, "compare", *folders, folders[0])[2]
    assert asked(capsys, "compare", *folders)[0] == 0


def test_manifests_alone_may_be_held_against_themselves(tmp_path: Path, capsys: Capsys) -> None:
    manifest = pair(tmp_path, A, B)[3]
    code, out, _ = asked(capsys, "compare", manifest, manifest)
    assert code == 0 and "nothing that blocks differs" in " ".join(out.split())


@pytest.mark.parametrize("verb", ["compare", "spread"])
@pytest.mark.parametrize(
    ("field", "near"), [("modle_id", "model_id"), ("temprature", "temperature"), ("zzzzzz", "conditions.md")]
)
def test_a_treatment_that_names_no_condition_is_a_mistake(
    verb: str, field: str, near: str, tmp_path: Path, capsys: Capsys
) -> None:
    code, out, err = asked(capsys, verb, *pair(tmp_path, A, B), "--treatment", field)
    assert (code, out) == (2, "") and f'"{field}" names no condition' in err and near in err


def test_a_condition_of_a_house_that_a_side_states_is_known(tmp_path: Path, capsys: Capsys) -> None:
    args = pair(tmp_path, A, B, both_house_dial="low")
    assert asked(capsys, "compare", *args, "--treatment", "house_dial")[0] == 0


@pytest.mark.parametrize("verb", ["compare", "spread"])
@pytest.mark.parametrize("why", ["", "   ", "REPLACE: why"])
def test_equal_needs_a_reason(verb: str, why: str, tmp_path: Path, capsys: Capsys) -> None:
    code, out, err = asked(capsys, verb, *pair(tmp_path, A, B), "--equal", why)
    assert (code, out) == (2, "") and "gives no reason" in err
