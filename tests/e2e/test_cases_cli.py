"""Public cases through the command line: `import rows FOLDER --json` and as text, each answer read from its case.json.

One table says what a kind of answer means on a card; nothing in it knows a case by name, except where a `must` is prose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from denominator.cli.main import run_cli
from denominator.wire.codec import loads

CASES = Path(__file__).parents[1] / "cases" / "import"
NAMES = sorted(path.name for path in CASES.iterdir())
EXITS = ("pass", "fail", "abstain", "unscoreable")
Card = dict[str, Any]


class Said:
    """What one import said: exit code, JSON on stdout, text on stdout."""

    def __init__(self, code: int, out: str, text: str) -> None:
        self.code = code
        self.raw, self.text = out, text
        document = loads(out, "stdout")
        self.card: Card = document["card"]
        self.report = document["report"]
        self.printed = " ".join(text.split())

    def estimate(self, metric: str) -> dict[str, Any]:
        return next(one for one in self.card["estimates"] if one["metric"] == metric)

    def findings(self, *severities: str) -> list[dict[str, Any]]:
        return [one for one in self.card["verdict"]["findings"] if one["severity"] in severities]

    def told(self, *severities: str) -> str:
        return "\n".join(f"{one['allow_name']} {one['what']} {one['where']}" for one in self.findings(*severities))


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Said]:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(name: str) -> Said:
        codes, outs = [], []
        for more in (["--json"], []):
            codes.append(run_cli(["import", "rows", str(CASES / name), *more]))
            outs.append(capsys.readouterr().out)
        assert codes[0] == codes[1]
        return Said(codes[0], *outs)

    return run


@cache
def answer_of(name: str) -> dict[str, Any]:
    return json.loads((CASES / name / "case.json").read_text("utf-8"))["right_answer"]


def fraction(said: Said, metric: str) -> str:
    found = said.estimate(metric)
    return f"{found['numerator']}/{found['denominator']}"


def rate(said: Said, metric: str) -> float:
    return round(float(said.estimate(metric)["value"]), 3)


def ci(said: Said, metric: str) -> list[float]:
    found = said.estimate(metric)
    return [round(float(found["lo"]), 3), round(float(found["hi"]), 3)]


def withheld(said: Said, metric: str) -> bool:
    return "not_measured" in said.estimate(metric)["numerator"]


FRACTIONS = {"headline": "headline", "secondary": "scoreable_rate"}
RATES = {
    "headline_rate": "headline",
    "secondary_rate": "scoreable_rate",
    "unscoreable_rate": "unscoreable_rate",
    "invalid_rate": "unscoreable_rate",
}
INTERVALS = {"headline_ci95": "headline", "secondary_ci95": "scoreable_rate"}
COUNTS: dict[str, Callable[[Said], Any]] = {
    "declared": lambda said: said.card["declared"],
    "scheduled_n": lambda said: said.card["declared"],
    "locked_n": lambda said: said.card["declared"],
    "never_started": lambda said: said.card["never_started"],
    "pass_all": lambda said: said.card["equation"]["pass"],
    "exits": lambda said: sum(said.card["equation"][exit_] for exit_ in EXITS),
    "deduplicated": lambda said: said.report["deduplicated"],
    "rows": lambda said: said.report["physical_lines"],
    "physical_lines": lambda said: said.report["physical_lines"],
    "complete_rows": lambda said: said.report["physical_lines"] - len(said.report["torn"]),
    "torn_bytes": lambda said: sum(one["length"] for one in said.report["torn"]),
    "bad_lines": lambda said: bad_lines(said),
    "rows_if_repaired": lambda said: repaired(said),
    "never_finished": lambda said: re.findall(r"during (\S+?)(?:, |:)", said.told("block")),
    "w1_wall_s": lambda said: clock(said, "w1"),
    "w2_wall_s": lambda said: clock(said, "w2"),
} | {exit_: lambda said, exit_=exit_: said.card["equation"][exit_] for exit_ in EXITS}
# What the authors of a case would have printed: it must not be found, so it is checked as forbidden.
FORBIDDEN = ("vanishing_rate", "rate_authors_wanted")
# A number that a blocked card withholds must be absent; its counts are what the gate lets through.
MAY_BE_WITHHELD = {**FRACTIONS, **RATES, **INTERVALS, "headline_if_forced": "headline", "rate_over_lock": "headline"}


def bad_lines(said: Said) -> list[int]:
    found = (re.match(r"bad_line: line (\d+)", one["what"]) for one in said.findings("block"))
    return [int(one[1]) for one in found if one]


def repaired(said: Said) -> int:
    repairs = said.report["repairable"]
    blank = sum("blank_line" in one["what"] for one in said.findings("note"))
    return said.report["physical_lines"] - len(repairs) - blank + sum(len(one["recoverable"]) for one in repairs)


def clock(said: Said, task: str) -> float:
    found = re.search(rf"{task}: wall stamps say \S+ s, the monotonic clock says (\S+) s", said.told("note"))
    assert found is not None
    return float(found[1])


@pytest.mark.parametrize("name", NAMES)
def test_numbers(name: str, say: Callable[[str], Said]) -> None:
    said = say(name)
    for key, value in answer_of(name).get("numbers", {}).items():
        blocked = said.card["verdict"]["status"] == "blocked"
        if key in FORBIDDEN:
            _nowhere(said, value)
        elif key in MAY_BE_WITHHELD and blocked and MAY_BE_WITHHELD[key] != "unscoreable_rate":
            assert withheld(said, MAY_BE_WITHHELD[key]), key
            for number in value if isinstance(value, list) else [value]:
                _nowhere(said, number)
        elif key in FRACTIONS:
            assert fraction(said, FRACTIONS[key]) == value, key
            _printed(said, FRACTIONS[key], value)
        elif key in RATES:
            assert rate(said, RATES[key]) == value, key
        elif key in INTERVALS:
            assert ci(said, INTERVALS[key]) == value, key
        else:
            assert COUNTS[key](said) == value, key


def _printed(said: Said, metric: str, value: str) -> None:
    """Numerator and denominator stand beside the metric's name in the text."""
    assert re.search(rf"{metric} +{value}\b", said.text)


@pytest.mark.parametrize("name", NAMES)
def test_verdict_and_exit_code(name: str, say: Callable[[str], Said]) -> None:
    said, word = say(name), answer_of(name).get("verdict", "").split()
    status = said.card["verdict"]["status"]
    assert said.code == (0 if status == "publishable" else 1)
    assert said.text.startswith(status.upper())
    if word:
        assert status == ("publishable" if word[0] == "PUBLISHABLE" else "blocked")
        assert ("NO_AGGREGATE" in said.card["verdict"]["sentence"]) == (word[0] == "NO_AGGREGATE")


WORDS = {
    "dataset_size_mismatch": "dataset-size-mismatch",
    "ledger_does_not_balance": "unbalanced-ledger",
    "post_lock_exclusion": "post-lock-exclusion",
    "corrupt": "bad_line",
}


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_found_in_our_words_with_their_ids_and_numbers(name: str, say: Callable[[str], Said]) -> None:
    answer = answer_of(name)
    said = say(name)
    told = said.told("block", "unknown")
    expected = [*answer.get("blocks", []), *re.findall(r"\((corrupt [^)]*)\)", answer.get("verdict", ""))]
    for block in expected:
        head, *rest = block.replace(":", " ").replace(",", " ").split()
        assert WORDS[head] in told
        assert all(word in told for word in rest if any(char.isdigit() for char in word))
    for key in ("resume_set", "bad_lines", "recoverable"):
        for word in answer.get(key, []):
            assert re.search(rf"(?<!\w){re.escape(str(word))}(?!\w)", told), (key, word)


def _numbers_in(text: str) -> Iterator[str]:
    yield from re.findall(r"\d+/\d+|\d+\.\d+(?: ?%)?|n=\d+|\d+ %", text)


@pytest.mark.parametrize("name", NAMES)
def test_what_must_not_be_said_is_in_neither_form(name: str, say: Callable[[str], Said]) -> None:
    said = say(name)
    for forbidden in answer_of(name).get("must_not", []):
        for number in _numbers_in(forbidden):
            if number == "0.889":
                # "bare": it may stand only beside its own k/n, in the row of a metric that names it.
                assert all("16/18" in line for line in said.text.splitlines() if "0.889" in line)
            elif number.startswith("n="):
                assert said.card["declared"] != int(number[2:])
            else:
                _nowhere(said, number)


def _nowhere(said: Said, number: str | float) -> None:
    """Not as it is, not as a percentage, not in any estimate, in JSON or text. Versions and digests are no numbers."""
    forms = {str(number)}
    if isinstance(number, float):
        forms |= {f"{number:.3f}", f"{100 * number:.1f} %", f"{100 * number:.1f}%", f"{number:.6f}"}
    elif re.fullmatch(r"\d+\.\d+", number):
        forms |= {f"{float(number):.3f}"}
    for form in forms:
        for place in (said.raw, said.text):
            assert not re.search(rf"(?<![\w.]){re.escape(form)}(?![\w])", place), form
    if "/" in str(number):
        values = {one["value"] for one in said.card["estimates"] if isinstance(one["value"], str)}
        assert f"{float(Fraction(str(number))):.6f}" not in values


MUST: dict[str, Callable[[Said], bool]] = {
    "both fractions, each with numerator and denominator named, headline over declared n": lambda said: (
        said.estimate("headline")["denominator"] == said.card["declared"] and "scored draws" in said.text
    ),
    "a rate EQUAL to the ceiling (0.10) does not block, one above does": lambda said: not said.findings("block"),
    "note: controls none declared (foreign manifest), sentence capped at counts": lambda said: (
        "controls: none declared (foreign manifest)" in said.told("note") and said.card["verdict"]["rung"] == "counts"
    ),
    "name the ids": lambda said: "t03, t07" in said.told("block") and "t03, t07" in said.printed,
    "suite C is printed with 0 scoreable of 4": lambda said: "C 0 scoreable of 4" in said.printed,
    "ids with a final row beat their error rows; repeats of one error are one exit": lambda said: (
        "output_errors.jsonl:8" in said.told("note") and said.card["equation"]["unscoreable"] == 6
    ),
    "report the exact duplicate": lambda said: "byte-identical repeat of line 2" in said.told("note"),
    "keep 3 rows, report the torn tail with its byte offset, move it aside or truncate before appending": lambda said: (
        said.report["torn"][0]["offset"] == 309 and "byte 309 are kept aside" in said.told("note")
    ),
    "name line and offset": lambda said: "line 2 at byte 104" in said.told("block"),
    "repair only on request and write a repair record": lambda said: "recoverable on request" in said.told("block"),
    "reject with line number and key; never write such a value": lambda said: (
        said.told("block").count("wall_clock_s") == 3 and not re.search(r"\bNaN\b[^ ]|:Infinity|1e999[,}]", said.raw)
    ),
    "durations from the monotonic clock; wall stamps only for ordering notes": lambda said: (
        clock(said, "w1"), clock(said, "w2")) == (41, 44),
    "one safe, reversible folder name per id; no collision; original id kept inside the file": lambda said: (
        len({safe.casefold() for _, safe in said.report["safe_names"]}) == len(said.report["safe_names"]) == 9
    ),
    "ids that escape the run folder are refused at freeze time": lambda said: (
        said.told("block").count("leaves its folder") == 2
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_what_must_be_said(name: str, say: Callable[[str], Said]) -> None:
    said = say(name)
    for must in answer_of(name).get("must", []):
        assert MUST[must](said), must


@pytest.mark.parametrize("name", NAMES)
def test_buckets_notes_and_refusals(name: str, say: Callable[[str], Said], capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_of(name)
    said = say(name)
    buckets = list(answer.get("buckets", {}).values())
    assert {bucket: buckets.count(bucket) for bucket in buckets} == {
        bucket: said.card["mix"][bucket] for bucket in buckets
    }
    for note in answer.get("notes", []):
        assert said.told("note").count(note.split()[0]) == 2
    for task, word in answer.get("rows", {}).items():
        assert word == "refuse"
        assert task in said.told("block")
        assert task not in said.card["never_started"]
    capsys.readouterr()


def test_every_must_of_the_cases_is_checked() -> None:
    said = {must for name in NAMES for must in answer_of(name).get("must", [])}
    assert set(MUST) == said
