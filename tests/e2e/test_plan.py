"""`plan`: sizes, costs and refusals through the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from denominator.cli.main import run_cli
from denominator.wire.codec import loads
from e2e import runs
from e2e.comparing import manifest, rows

Capsys = pytest.CaptureFixture[str]


def plan(capsys: Capsys, *args: object) -> tuple[int, dict[str, Any], str]:
    """Exit code, the document, the text."""
    codes, outs = [], []
    for more in (["--json"], []):
        codes.append(run_cli(["plan", *map(str, args), *more]))
        outs.append(capsys.readouterr().out)
    assert codes[0] == codes[1]
    return codes[0], loads(outs[0], "stdout")["plan"], " ".join(outs[1].split())


def given(document: dict[str, Any]) -> dict[str, tuple[Any, str]]:
    return {one["name"]: (one["value"], one["by"]) for one in document["given"]}


def test_a_table_the_least_sizes_and_their_cost(capsys: Capsys) -> None:
    code, found, text = plan(capsys, "--difference", "0.10", "--tokens-per-attempt", "1000")
    assert code == 0
    least = {one["repeats"]: (one["tasks"], one["attempts"], one["tokens"]) for one in found["least"]}
    assert least[1] == (168, 336, 336_000)
    cells = {(one["tasks"], one["repeats"]): one["mdd"] for one in found["cells"]}
    assert cells[40, 1] == "0.195100"
    assert "not_measured" in cells[20, 1]
    assert "40 0.195 / 0.172" in text
    assert "20 - / 0.032" in text
    assert "tasks like these" in text and "these tasks again" in text


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--difference", "0.10", "--tasks", "12", "--repeats", "1"), "compare nothing"),
        (("--difference", "0.10", "--tasks", "40", "--repeats", "1"), "6/40 = 0.15"),
        (
            ("--difference", "0.19", "--tasks", "32", "--repeats", "1", "--discordant", "0.2"),
            "even if every discordant",
        ),
        (("--margin", "0.05", "--tasks", "51", "--repeats", "1"), "it takes 52 tasks"),
        (("--difference", "0.10", "--tasks", "4", "--repeats", "5"), "it takes 6 tasks"),
        (("--difference", "0.0001", "--repeats", "5"), "no number of tasks"),
    ],
)
def test_designs_that_cannot_answer_are_refused(args: tuple[str, ...], says: str, capsys: Capsys) -> None:
    code, found, text = plan(capsys, *args)
    assert code == 1
    assert any(says in reason for reason in found["refusals"]), found["refusals"]
    assert "REFUSED" in text


def test_a_design_that_can(capsys: Capsys) -> None:
    code, found, _ = plan(capsys, "--difference", "0.10", "--tasks", "60", "--repeats", "5")
    assert (code, found["refusals"]) == (0, [])
    assert found["asked"]["attempts"] == 600
    assert "not_measured" in found["asked"]["tokens"]


def test_fewer_discordant_tasks_than_the_difference(capsys: Capsys) -> None:
    code, found, _ = plan(capsys, "--difference", "0.30")
    assert (code, given(found)["discordant"][0]) == (0, "0.30")
    assert run_cli(["plan", "--difference", "0.30", "--discordant", "0.2"]) == 2
    assert "discordant" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((), "nothing is asked for"),
        (("--difference", "lots"), "no plain decimal"),
        (("--difference", "nan"), "no plain decimal"),
        (("--difference", "1e-999999"), "no plain decimal"),
        (("--difference", "0"), "not between 0 and 1"),
        (("--difference", "0.1", "--power", "0.5"), "above 0.5"),
        (("--difference", "0.1", "--flip", "0.6"), "from 0 to 0.50"),
        (("--difference", "0.1", "--test", "chi"), "neither exact nor midp"),
        (("--difference", "0.1", "--tasks", "0"), "0 is not in the range"),
        (("--difference", "0.1", "--from", "no-such-run"), "no-such-run"),
    ],
)
def test_what_cannot_be_read_is_said(args: tuple[str, ...], says: str, capsys: Capsys) -> None:
    assert run_cli(["plan", *args]) == 2
    assert says in capsys.readouterr().err


def test_several_mistakes_in_one_pass(capsys: Capsys) -> None:
    assert run_cli(["plan", "--difference", "2", "--power", "0.1", "--flip", "0.9"]) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in ("--difference", "--power", "--flip"))


def test_a_run_gives_its_flip_rate_and_its_tokens(capsys: Capsys, tmp_path: Path) -> None:
    marks = {f"t{number:02}": "PPPFF" for number in range(1, 10)}
    folder = tmp_path / "arm"
    folder.mkdir()
    rows(folder, "A", marks)
    manifest(folder, "A", task_ids=sorted(marks), repeats=5)
    code, found, _ = plan(capsys, "--difference", "0.2", "--from", folder)
    inputs = given(found)
    assert code == 0
    assert inputs["flip"][0] == inputs["discordant"][0] == "0.500000", "0.6, and no true flip rate is above one half"
    assert "not_measured" in inputs["tokens_per_attempt"][0]
    _, over, _ = plan(capsys, "--difference", "0.2", "--from", folder, "--flip", "0.1")
    assert given(over)["flip"] == ("0.1", "option")


def test_a_withheld_number_plans_nothing(capsys: Capsys, tmp_path: Path) -> None:
    path = rows(tmp_path, "A", {f"t{number:02}": "PPPFF" for number in range(1, 10)})
    assert run_cli(["plan", "--difference", "0.2", "--from", str(path)]) == 1
    said = capsys.readouterr()
    assert "withheld by GL002" in said.err
    assert "0.6" not in said.out + said.err


@pytest.mark.parametrize(("over", "code"), [({"model_id": "prov/other"}, 3), ({}, 0)])
def test_two_runs_plan_together_only_where_they_are_comparable(
    over: dict[str, Any], code: int, capsys: Capsys, tmp_path: Path
) -> None:
    marks = {f"t{number:02}": "PF" for number in range(1, 11)}
    for name, more in (("a", {}), ("b", over)):
        (tmp_path / name).mkdir()
        rows(tmp_path / name, name, marks)
        manifest(tmp_path / name, name, task_ids=sorted(marks), repeats=2, **more)
    args = [word for name in ("a", "b") for word in ("--from", str(tmp_path / name))]
    assert run_cli(["plan", "--difference", "0.5", *args]) == code
    assert ("are not comparable" in capsys.readouterr().err) == (code == 3)


def test_an_envelope_gives_size_and_test(capsys: Capsys, tmp_path: Path) -> None:
    runs.make_pack(tmp_path, "clamp-low", "double-it")
    text = runs.envelope([{"label": "a", "agent": "oracle"}], budget={"repeats": 3, "tokens": 500})
    text += '\n[comparison]\nprimary = ["a", "b"]\ntest = "midp"\nquestion = "equivalent"\nmargin = "0.10"\n'
    path = tmp_path / "envelope.toml"
    path.write_text(text)
    code, found, _ = plan(capsys, "--difference", "0.3", "--envelope", path)
    inputs = given(found)
    assert [inputs[name][0] for name in ("tasks", "repeats", "test", "margin", "tokens_per_attempt")] == [
        "1", "3", "midp", "0.10", "500",
    ], "one of the two tasks is a floor"  # fmt: skip
    assert "at most" in inputs["tokens_per_attempt"][1]
    assert code == 1
    assert any("1 task" in reason for reason in found["refusals"])


def test_a_plan_from_an_envelope_is_at_the_level_of_its_family(capsys: Capsys, tmp_path: Path) -> None:
    runs.make_pack(tmp_path, "clamp-low", "double-it")
    least = {}
    for family in ("", 'family = ["a:c", "a:d", "a:e", "a:f"]\n'):
        path = tmp_path / "envelope.toml"
        path.write_text(
            runs.envelope([{"label": "a", "agent": "oracle"}]) + f'\n[comparison]\nprimary = ["a", "b"]\n{family}'
        )
        _, found, _ = plan(capsys, "--difference", "0.2", "--tasks", "100", "--repeats", "1", "--envelope", path)
        least[bool(family)] = found["least"][0]["tasks"]
        told = given(found)["alpha"]
    assert told[0] == "0.010000" and "0.05 shared out over 5 declared pairs" in told[1]
    assert least[True] > least[False]
