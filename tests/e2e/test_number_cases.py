"""Situations about tokens, calls and attempts: the right numbers on the card, the tempting ones nowhere.

A card that the gate blocks withholds what says how good the agent is; the same rows with everything declared show it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e.situations import CASES, NUMBERS, Said, import_case

FOLDERS = {path.name: path for path in sorted((CASES / "numbers").iterdir())}
DECLARED = {"on_timeout": "fail", "retry_policy": "one more try", "scorer": "tests", "hidden_tests": True}
NAIVE = ("naive_formula", "naive_code_gives")


def answer(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDERS[name] / "case.json").read_text("utf-8"))["right_answer"]
    return found


@pytest.fixture
def declared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """The rows of a case under a manifest that names the tasks and states what the card wants to know."""

    def read(name: str, *extra_tasks: str, **more: object) -> Said:
        folder = tmp_path / name
        folder.mkdir()
        rows = next(path for path in sorted(FOLDERS[name].iterdir()) if path.suffix == ".jsonl")
        (folder / rows.name).write_bytes(rows.read_bytes())
        ids = [json.loads(line)["task_id"] for line in rows.read_text("utf-8").splitlines()]
        stated = next((path for path in FOLDERS[name].iterdir() if path.stem in ("manifest", "harness_config")), None)
        before = json.loads(stated.read_text("utf-8")) if stated else {}
        before.pop("task_count", None)
        manifest = {**before, **DECLARED, "task_ids": [*dict.fromkeys(ids), *extra_tasks], **more}
        (folder / (stated.name if stated else "manifest.json")).write_text(json.dumps(manifest), "utf-8")
        return import_case([folder], tmp_path / "out", capsys)

    return read


@pytest.mark.parametrize("name", FOLDERS)
def test_what_is_printed_is_right_and_what_is_withheld_is_nowhere(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = import_case([FOLDERS[name]], tmp_path / "out", capsys)
    blocked = said.card["verdict"]["status"] == "blocked"
    for key, value in answer(name).get("numbers", {}).items():
        if key in NAIVE:
            assert not re.search(rf"(?<![\d.]){re.escape(str(value))}", said.text), key
            continue
        found = NUMBERS[key](said)
        assert found == value or (blocked and (found is None or "not_measured" in str(found))), (key, found)


def numbers(said: Said, name: str, *keys: str) -> None:
    for key in keys:
        assert NUMBERS[key](said) == answer(name)["numbers"][key], key


def test_a_second_try_is_a_number_of_its_own(declared: Callable[..., Said]) -> None:
    name = "080-second-tries-hidden-in-the-rate"
    said = declared(name)
    assert said.card["verdict"]["status"] == "publishable"
    numbers(said, name, *answer(name)["numbers"])
    assert said.estimate("acceptance")["secondary"]
    assert "within 2 attempts" in said.estimate("accepted_within_k")["estimand"]
    assert re.search(r"headline +56/72 +0\.778", said.text)
    assert re.search(r"accepted_within_k +59/72 +0\.819", said.text)
    assert "tokens_per_accepted 88000/59 1491.525 [" in said.text


def test_nothing_accepted_has_no_price_but_a_least_one(declared: Callable[..., Said]) -> None:
    name = "081-nothing-accepted"
    said = declared(name, max_attempts=1)
    numbers(said, name, "accepted", "tokens", "qap", "first_try_share", "acceptance")
    tax = said.estimate("retry_tax")
    assert (tax["numerator"], tax["denominator"]) == (3000, 3000)
    assert "Infinity" not in json.dumps(said.card)
    assert said.estimate("first_try_share")["value"]["not_measured"] == "nothing was accepted"


def test_a_cap_censors_the_arm(declared: Callable[..., Said]) -> None:
    name = "041-cost-cap-truncates-trials"
    said = declared(name, "z09", "z10")
    numbers(said, name, "declared", "cut", "never_started", "tokens")
    assert said.card["verdict"]["status"] == "blocked"
    for metric in ("acceptance", "tokens_per_accepted", "retry_tax"):
        assert "not_measured" in said.estimate(metric)["numerator"]
    assert "4/8" not in said.text


def test_invalid_calls_three_ways(declared: Callable[..., Said]) -> None:
    name = "042-invalid-rate-diluted"
    said = declared(name)
    numbers(said, name, *(key for key in answer(name)["numbers"] if key not in NAIVE))
    touched = said.estimate("invalid_task_rate")
    assert (touched["denominator"], touched["unit"]) == (10, "declared tasks")
    assert dict(said.estimate("invalid_call_rate")["by"]) == {
        "no_answer": "1",
        "rate_limited": "1",
        "server_error": "2",
    }
    assert said.estimate("no_valid_attempt_rate")["numerator"] == 0


def test_first_complete_is_not_attempt_one(declared: Callable[..., Said]) -> None:
    name = "101-first-attempt-vs-first-completed"
    said = declared(name, max_attempts=2)
    numbers(said, name, "n_tasks", "first_complete_pass", "retry_rate", "truncation_rate")
    first = said.estimate("first_complete_pass_rate")
    assert (first["numerator"], first["denominator"]) == (2, 3)
    assert said.estimate("accepted_within_k")["numerator"] == 3
