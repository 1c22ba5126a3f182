"""`spread` on rows of another harness: every line of its table, what refuses it, what is said beside the numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from denominator.cli.main import run_cli
from denominator.wire.codec import loads
from e2e.cli_lab import terminal
from e2e.comparing import manifest, pair, rows

Capsys = pytest.CaptureFixture[str]
CASE = Path(__file__).parents[1] / "data" / "spread" / "below-noise"
RANKING = ("better", "best", " wins", "beats", "improves", "worse")
SCREEN = ("silent on other tasks", "screening only", "refused on a flaky baseline")


class Said:
    """What `spread` said, as JSON and as text."""

    def __init__(self, code: int, out: str, text: str) -> None:
        self.code, self.raw, self.text = code, out, " ".join(text.split())
        self.document = loads(out, "stdout")
        self.spread: dict[str, Any] = self.document["spread"]

    @property
    def pair(self) -> dict[str, Any]:
        return dict(self.spread["pair"])

    @property
    def arm(self) -> dict[str, Any]:
        return dict(self.spread["arms"][0])


def spread(capsys: Capsys, *args: object) -> Said:
    codes, outs = [], []
    for more in (["--json"], []):
        codes.append(run_cli(["spread", *map(str, args), *more]))
        outs.append(capsys.readouterr().out)
    assert codes[0] == codes[1]
    said = Said(codes[0], *outs)
    assert not any(word in text.lower() for word in RANKING for text in (said.raw, said.text))
    return said


def one(capsys: Capsys, folder: Path, marks: Mapping[str, str], *more: object, **over: Any) -> Said:
    told = {"task_ids": sorted(marks), "repeats": max(map(len, marks.values())), **over}
    return spread(capsys, "--a", rows(folder, "A", marks), "--a", manifest(folder, "A", **told), *more)


def named(*marks: str) -> dict[str, str]:
    return {f"t{number:02}": letters for number, letters in enumerate(marks, 1)}


MIXED = ["PPFFF"] * 6

# name -> marks of arm A, marks of arm B, the line of the table, which arm is named
TABLE: dict[str, tuple[list[str], list[str], str, str]] = {
    "all ahead": (["PPPPF"] * 10, ["PPFFF"] * 10, "ahead_on_w_of_l", "A"),
    "the other arm ahead": (["FFFFP"] * 9 + ["PPPPP"], ["PPPFF"] * 9 + ["PPPPF"], "ahead_on_w_of_l", "B"),
    "many light tasks, three heavy ones": (
        ["PPPPP"] * 3 + ["PPPFF"] * 6 + ["PFFFF"] * 3,
        ["FFFFF"] * 3 + ["PPFFF"] * 6 + ["PFFFF"] * 3,
        "concentrated_in_few_tasks",
        "A",
    ),
    "three tasks and no other": (["PPPPP"] * 3 + MIXED, ["FFFFF"] * 3 + MIXED, "concentrated_in_few_tasks", "A"),
    "at the same end": (["PPPPP"] * 8 + ["FFFFF"] * 8 + ["PPFFF"], ["PPPPP"] * 8 + ["FFFFF"] * 8 + ["PFFFF"], "pack_saturated", ""),
    "nothing differs, nothing is pinned": (["PPFFF"] * 9, ["PPFFF"] * 9, "no_detectable_difference", ""),
    "noise": (["PPPFF", "PPFFF"] * 6, ["PPFFF", "PPPFF"] * 6, "no_detectable_difference", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_every_line_of_the_table(name: str, capsys: Capsys, tmp_path: Path) -> None:
    a, b, word, ahead = TABLE[name]
    said = spread(capsys, *pair(tmp_path, named(*a), named(*b)), "--treatment", "model_id")
    assert (said.code, said.spread["report"], said.pair["ahead"]) == (0, word, ahead), said.spread["sentence"]
    assert all(words in said.text for words in SCREEN)
    assert said.pair["tasks"] == len(a)
    for arm in said.spread["arms"]:
        assert len(arm["rows_digest"]) == len(arm["seal_digest"]) == 64


def test_arms_swapped_give_the_same_line_and_the_difference_with_the_other_sign(capsys: Capsys, tmp_path: Path) -> None:
    a, b, word, _ = TABLE["many light tasks, three heavy ones"]
    said = spread(capsys, *pair(tmp_path, named(*b), named(*a)))
    assert (said.spread["report"], said.pair["ahead"]) == (word, "B")
    assert said.pair["difference"].startswith("-") and said.pair["hi"].startswith("-")


def test_the_report_names_how_many_of_how_many(capsys: Capsys, tmp_path: Path) -> None:
    said = spread(capsys, *pair(tmp_path, named(*["PPPPF"] * 10, "PPFFF"), named(*["PPFFF"] * 10, "PPPFF")))
    assert "A passes more often on 10 of the 11 tasks that differ" in said.spread["sentence"]
    assert said.pair["more_a"] == [f"t{number:02}" for number in range(1, 11)]
    assert said.pair["more_b"] == ["t11"]


def test_saturated_is_at_least_eighty_in_a_hundred(capsys: Capsys, tmp_path: Path) -> None:
    for pinned, word in ((8, "pack_saturated"), (7, "no_detectable_difference")):
        marks = named(*["PPPPP"] * pinned, *["PPFFF"] * (10 - pinned))
        said = spread(capsys, *pair(tmp_path, marks, marks))
        assert (said.spread["report"], said.pair["pinned"]) == (word, pinned)


def test_a_task_at_opposite_ends_is_not_pinned(capsys: Capsys, tmp_path: Path) -> None:
    said = spread(capsys, *pair(tmp_path, named(*["PPPPP"] * 9), named(*["FFFFF"] * 9)))
    assert (said.pair["pinned"], said.spread["report"]) == (0, "ahead_on_w_of_l")


class TestBelowNoise:
    """Twenty tasks, five repeats, four points apart: the numbers of a public case, from bare rows."""

    ARGS = ("--a", CASE / "armA.jsonl", "--b", CASE / "armB.jsonl", "--declared", "20x5", "--equal", "one box, one day")

    def test_right_numbers(self, capsys: Capsys) -> None:
        said = spread(capsys, *self.ARGS)
        means = [arm["mean"]["value"] for arm in said.spread["arms"]]
        assert means == ["0.580000", "0.620000"]
        assert (said.pair["difference"], said.pair["p"], said.pair["sign_p"]) == ("-0.040000", "0.343750", "0.343750")
        assert (len(said.pair["more_a"]), len(said.pair["more_b"])) == (3, 7)
        assert said.spread["report"] == "no_detectable_difference"
        assert any("nothing is established" in note for note in said.spread["notes"])

    def test_without_what_nobody_stated_there_is_no_difference(self, capsys: Capsys) -> None:
        said = spread(capsys, *self.ARGS[:6])
        assert said.code == 3
        assert "not_measured" in said.spread
        assert not any(number in said.raw + said.text for number in ("0.04", "0.58", "0.62", "0.34"))

    def test_without_what_was_scheduled_there_is_no_number(self, capsys: Capsys) -> None:
        said = spread(capsys, *self.ARGS[:4], *self.ARGS[6:])
        assert (said.code, said.spread["report"]) == (1, "not_screenable")
        assert "GL002" in said.spread["sentence"]
        assert not any(number in said.raw + said.text for number in ("0.04", "0.58", "0.62", "0.34"))
        assert all(arm["per_task"] == [] for arm in said.spread["arms"])


def test_two_arms_that_differ_elsewhere_are_not_set_side_by_side(capsys: Capsys, tmp_path: Path) -> None:
    a, b, *_ = TABLE["all ahead"]
    said = spread(capsys, *pair(tmp_path, named(*a), named(*b), temperature=0.7))
    assert said.code == 3
    assert "temperature" in said.text
    assert "not_measured" in said.spread
    declared = spread(capsys, *pair(tmp_path, named(*a), named(*b), temperature=0.7), "--treatment", "temperature")
    assert declared.spread["report"] == "ahead_on_w_of_l"


class TestOneArm:
    """One arm: two questions, two numbers."""

    GOLDEN = (
        "PPPPP",
        "PPPPP",
        "PPPPF",
        "FFFFF",
        "PPPFF",
        "PPPPP",
        "PFFFF",
        "PPPPP",
        "FFFFF",
        "PPFFF",
        "PPPPP",
        "PPPPP",
    )

    def test_mean_of_other_tasks_and_of_these_again(self, capsys: Capsys, tmp_path: Path) -> None:
        said = one(capsys, tmp_path, named(*self.GOLDEN))
        assert said.arm["mean"]["value"] == "0.666667"
        assert 0.036 < float(said.arm["rerun"]["se"]) < 0.038
        assert abs(float(said.arm["rerun"]["spread95"]) - 1.959964 * 2**0.5 * float(said.arm["rerun"]["sd"])) < 1e-5
        assert float(said.arm["mean"]["lo"]) < float(said.arm["rerun"]["lo"])
        assert said.arm["flip"]["value"] == "0.166667"
        assert said.arm["caveat"] == ""
        assert "fresh single pass lands within" in said.text

    def test_per_task(self, capsys: Capsys, tmp_path: Path) -> None:
        said = one(capsys, tmp_path, named(*self.GOLDEN))
        assert [(task["passes"], task["marks"]) for task in said.arm["per_task"]] == [
            (marks.count("P"), marks) for marks in self.GOLDEN
        ]

    def test_one_repeat_says_unknown(self, capsys: Capsys, tmp_path: Path) -> None:
        said = one(capsys, tmp_path, named(*"PPPFFPPFPP"))
        assert "unknown" in said.arm["caveat"]
        assert all("not_measured" in said.arm["rerun"][name] for name in ("se", "sd", "spread95"))
        assert "not_measured" in said.arm["flip"]["value"]
        assert said.arm["resolves"] == []

    def test_below_five_the_instability_is_poorly_known(self, capsys: Capsys, tmp_path: Path) -> None:
        assert "poorly known" in one(capsys, tmp_path, named(*["PPF"] * 9)).arm["caveat"]

    def test_no_flip_is_not_certainty(self, capsys: Capsys, tmp_path: Path) -> None:
        said = one(capsys, tmp_path, named(*["PPPPP"] * 6, *["FFFFF"] * 4))
        assert said.arm["flip"]["value"] == "0.000000"
        assert float(said.arm["flip"]["hi"]) == pytest.approx(1 - 0.05**0.1, abs=1e-6)
        assert "not certainty" in said.arm["rerun"]["note"]

    def test_unseen_draws_leave_bounds(self, capsys: Capsys, tmp_path: Path) -> None:
        said = one(capsys, tmp_path, named("PPFFU", *["PPPFF"] * 11), invalid_rate_ceiling="0.10")
        assert said.arm["unseen"] == 1
        assert said.arm["mean_bounds"]["lo"] == "0.583333"
        assert said.arm["mean_bounds"]["hi"] == "0.600000"
        assert "not_measured" in said.arm["flip"]["value"]
        assert said.arm["flip_bounds"]["lo"] == said.arm["flip_bounds"]["hi"] == "0.600000"

    def test_few_tasks_give_counts(self, capsys: Capsys, tmp_path: Path) -> None:
        said = one(capsys, tmp_path, named(*["PPPFF"] * 5))
        assert "GL024" in said.arm["mean"]["value"]["not_measured"]
        assert "15 of 25 declared draws passed" in said.spread["sentence"]
        a, b = named(*["PPPFF"] * 5), named(*["PPFFF"] * 5)
        both = spread(capsys, *pair(tmp_path, a, b))
        hidden = [both.pair[name] for name in ("difference", "lo", "hi", "p", "sign_p", "these_tasks_p")]
        hidden += [both.pair["leave_one_out"]["lo"], both.pair["worst"]["hi"]]
        assert all("GL024" in one["not_measured"] for one in hidden)
        assert not any(number in both.raw + both.text for number in ("0.200", "0.062500", "0.063"))

    def test_harness_notes(self, capsys: Capsys, tmp_path: Path) -> None:
        marks = named(*["PPPFF"] * 9)
        path = rows(tmp_path, "A", marks, wall_s=2)
        lines = path.read_text().splitlines()
        first = json.loads(lines[0]) | {"wall_s": 7}
        path.write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")
        told = manifest(tmp_path, "A", task_ids=sorted(marks), repeats=5)
        said = spread(capsys, "--a", path, "--a", told)
        notes = said.arm["notes"]
        assert [(slow["task_id"], slow["attempts"]) for slow in notes["slow"]] == [("t01", 1)]
        assert "cold starts: not stated" in said.text
        assert "temperature: 0" in said.text
        assert notes["retries_declared"]


def test_a_flaky_baseline_is_refused(capsys: Capsys, tmp_path: Path) -> None:
    a, b, *_ = TABLE["all ahead"]
    flips = [
        {"task_id": "t03", "agent": None, "repeat": k, "status": status} for k, status in enumerate(("pass", "fail", "pass"), 1)
    ]  # fmt: skip
    baseline = tmp_path / "baseline.jsonl"
    baseline.write_text("".join(json.dumps(line) + "\n" for line in flips))
    single = one(capsys, tmp_path, named(*a), "--a", baseline)
    args = pair(tmp_path, named(*a), named(*b))
    for said in (single, spread(capsys, *args, "--a", baseline), spread(capsys, *args, "--both", baseline)):
        assert said.code == 1
        assert said.spread["report"] == "not_screenable"
        assert "flaky baseline" in said.spread["sentence"] and "t03" in said.spread["sentence"]
        assert "not_measured" in said.spread["pair"]


def test_drawings_without_colour_and_in_ascii(capsys: Capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one(capsys, tmp_path, named("PPPFF", "FFFFF", "PPPPP", *["PFFFF"] * 6))
    args = ["--a", str(tmp_path / "A.jsonl"), "--a", str(tmp_path / "manifest-A.json")]
    assert run_cli(["spread", *args]) == 0
    text = capsys.readouterr().out
    assert "t01  ■■■··" in text
    assert "■ pass" in text
    monkeypatch.setattr("denominator.cli.spread.FANCY", "\udc80")
    assert run_cli(["spread", *args]) == 0
    text = capsys.readouterr().out
    assert "t01  ###.." in text
    assert "# pass, . fail" in text
    assert text.isascii()
    assert "\x1b" not in text
    assert run_cli(["spread", *args, "--no-plots"]) == 0
    assert "###" not in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["heat-map", "slope"])
def test_drawings_as_svg(kind: str, capsys: Capsys, tmp_path: Path) -> None:
    a, b, *_ = TABLE["noise"]
    args = ["spread", *map(str, pair(tmp_path, {**named(*a), "a<&\"'>b": "PPPFF"}, {**named(*b), "a<&\"'>b": "PPPFF"}))]
    target = tmp_path / "drawing.svg"
    assert run_cli([*args, "--svg", str(target), "--drawing", kind]) == 0
    root = ElementTree.parse(target).getroot()
    names = [child.tag.rpartition("}")[2] for child in root]
    assert names[:2] == ["title", "desc"]
    assert "script" not in {element.tag.rpartition("}")[2] for element in root.iter()}
    assert run_cli([*args, "--svg", str(target)]) == 2, "nothing is written over"
    assert run_cli([*args, "--svg", str(tmp_path / "forest.svg"), "--drawing", "forest"]) == 2
    capsys.readouterr()


def test_what_is_withheld_is_not_drawn(capsys: Capsys, tmp_path: Path) -> None:
    target = tmp_path / "drawing.svg"
    assert run_cli(["spread", "--a", str(CASE / "armA.jsonl"), "--svg", str(target)]) == 1
    assert not target.exists()
    assert "drawing.svg was not written" in capsys.readouterr().err


def test_two_that_are_not_comparable_are_not_drawn_and_the_reasons_are_given(capsys: Capsys, tmp_path: Path) -> None:
    target, sides = tmp_path / "drawing.svg", ("--a", str(CASE / "armA.jsonl"), "--b", str(CASE / "armB.jsonl"))
    plain = run_cli(["spread", *sides, "--declared", "20x5"])
    reasons = capsys.readouterr().out
    assert run_cli(["spread", *sides, "--declared", "20x5", "--svg", str(target)]) == plain == 3
    shown = capsys.readouterr()
    assert shown.out == reasons and "not comparable" in reasons.lower()
    assert "drawing.svg was not written" in shown.err and not target.exists()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--b", CASE / "armB.jsonl"), "arm A is not named"),
        (("x", "--a", CASE / "armA.jsonl"), "named twice"),
        (("--a", CASE / "armA.jsonl", "--declared", "20by5"), "TASKSxREPEATS"),
        (("--a", CASE / "armA.jsonl", "--declared", "0x5"), "TASKSxREPEATS"),
        (("--a", CASE / "armA.jsonl", "--drawing", "forest"), "--svg"),
        (("no-such-run",), "no-such-run"),
    ],
)
def test_what_cannot_be_read_is_said(args: tuple[object, ...], says: str, capsys: Capsys) -> None:
    assert run_cli(["spread", *map(str, args)]) == 2
    assert says in capsys.readouterr().err


def test_at_a_terminal_marks_are_painted_unless_nobody_wants_it(tmp_path: Path) -> None:
    marks = named(*["PPPFF"] * 9)
    told = manifest(tmp_path, "A", task_ids=sorted(marks), repeats=5)
    args = ("spread", "--a", str(rows(tmp_path, "A", marks)), "--a", str(told))
    said = terminal(tmp_path, *args)
    assert said.code == 0
    assert "\x1b[32m■\x1b[0m" in said.err
    assert "\x1b[3" not in terminal(tmp_path, *args, env={"NO_COLOR": "1"}).err


def test_rows_in_another_order_are_the_same_document(capsys: Capsys, tmp_path: Path) -> None:
    a, b, *_ = TABLE["noise"]
    args = pair(tmp_path, named(*a), named(*b))
    first = spread(capsys, *args)
    for name in "AB":
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(reversed(path.read_text().splitlines())) + "\n")
    again = spread(capsys, *args)
    for arm in (*first.spread["arms"], *again.spread["arms"]):
        arm.pop("seal_digest")
    assert (again.spread["arms"], again.spread["pair"]) == (first.spread["arms"], first.spread["pair"])
