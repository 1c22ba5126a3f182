"""Task cards and image listings of other harnesses under the same lint rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import DenominatorError, InputError
from denominator.packs.lint import CardReport, card_files, lint_cards
from denominator.packs.lint.cards import keys

SOUND = {
    "id": "s",
    "prompt": "Round half to even in money sums.",
    "fail_to_pass": ["test_sum_even"],
    "test_cmd": "run-tests",
}


def lint(folder: Path, *cards: dict[str, Any], name: str = "tasks.jsonl") -> CardReport:
    path = folder / name
    path.write_text("".join(json.dumps(card) + "\n" for card in cards))
    return lint_cards([path])


def blocks(report: CardReport) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for f in report.findings:
        if f.severity == "block":
            found.setdefault(f.code, []).append(f.what)
    return found


BAD: list[tuple[str, dict[str, Any], str, str]] = [
    # Nothing to check.
    ("no ids", {"fail_to_pass": []}, "PL001", "no expected test ids"),
    ("blank ids", {"fail_to_pass": ["", " "], "pass_to_pass": []}, "PL001", "no expected test ids"),
    ("ids as a text", {"fail_to_pass": "[]"}, "PL001", "no expected test ids"),
    ("null", {"fail_to_pass": None}, "PL001", "no expected test ids"),
    ("only tests that hold already", {"fail_to_pass": [], "pass_to_pass": ["t2"]}, "PL001", "no test must turn green"),
    ("no hidden test", {"hidden_test": ""}, "PL001", "no hidden tests"),
    ("no test of any kind", {"fail_to_pass": ..., "test_cmd": ...}, "PL001", "no tests are named"),
    ("a command of spaces", {"test_cmd": " "}, "PL006", "runs nothing"),
    (
        "an assertion list that the reward counts",
        {"reward_basis": ["DB", "ENV_ASSERTION"], "env_assertions": []},
        "PL001",
        "env_assertions is part of the reward and empty",
    ),
    ("inside the reward", {"reward": {"assertions": [], "weight": 1}}, "PL001", "reward.assertions is part of the reward"),
    (
        "nested",
        {"evaluation_criteria": {"reward_basis": ["NL_ASSERTION"], "nl_assertions": []}},
        "PL001",
        "nl_assertions is part of the reward",
    ),
    # A masked status.
    ("a pipe", {"test_cmd": "run-tests --all | tee out.txt"}, "PL006", "without pipefail"),
    ("or true", {"test_cmd": "run-tests || true"}, "PL006", "replaces its exit status"),
    ("a tail", {"test_cmd": "run-tests; echo done"}, "PL006", "run-tests"),
    ("a shell in a list", {"test_cmd": ["bash", "-c", "run-tests | tail -5"]}, "PL006", "inside bash -c"),
    # Leaks.
    ("an id", {"prompt": "Failing now: test_sum_even"}, "PL003", "test_sum_even"),
    ("a path", {"hidden_test": "tests/hidden/test_tax.py", "prompt": "See tests/hidden/test_tax.py"}, "PL003", "tests/hidden/test_tax.py"),
    ("a dotted module", {"hidden_test": "tests/hidden/test_tax.py", "prompt": "python -m tests.hidden.test_tax"}, "PL003", "test_tax"),
    ("a class and method", {"fail_to_pass": ["t/test_x.py::TestVat::test_low"], "prompt": "TestVat::test_low fails"}, "PL003", "TestVat"),
    ("a file stem in a README", {"hidden_test": "tests/test_vat_rates.py", "readme": "see test_vat_rates"}, "PL003", "test_vat_rates"),
    ("a code comment", {"files": {"src/a.py": "# checked by test_sum_even\nx = 1\n"}}, "PL003", "test_sum_even"),
    ("a comment key", {"comments": ["# keep test_sum_even green"]}, "PL003", "test_sum_even"),
    ("a sentence", {"hidden_ids": ["money › rounds half to even"], "prompt": "It rounds half to even."}, "PL003", "rounds half to even"),
    ("gold lines", {"gold_lines": ["return total.quantize(CENT, rounding=EVEN)"], "readme": "return total.quantize(CENT, rounding=EVEN)"},
     "PL002", "total.quantize"),
    ("a gold patch", {"patch": "--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-x\n+return total.quantize(CENT, rounding=EVEN)\n",
                      "hints_text": "return total.quantize(CENT, rounding=EVEN)"}, "PL002", "total.quantize"),
    ("an expected value", {"expected_values": ["12.34"], "prompt": "For example 12.34 is right."}, "PL004", "12.34"),
    ("text of the tests", {"test_patch": "--- /dev/null\n+++ b/tests/test_m.py\n@@ -0,0 +1 @@\n+WANT = '2024-02-29T23:59:60Z'\n",
                           "problem_statement": "such as 2024-02-29T23:59:60Z"}, "PL004", "2024-02-29T23:59:60Z"),
    ("a canary", {"canary": "TOKEN-0123456789abc", "prompt": "TOKEN-0123456789abc"}, "PL007", "canary"),
    # Ids.
    ("an id that escapes", {"id": "../x"}, "PL010", "leaves its folder"),
    ("an id listed twice", {"fail_to_pass": ["test_sum_even", "test_sum_even"]}, "PL019", "listed 2 times"),
    # Answers.
    ("a hidden test in the image", {"hidden_test": "tests/test_b.py", "agent_image_has": ["/app/tests/test_b.py"]}, "PL025", "/app/tests/test_b.py"),
    ("a fix in a temporary folder", {"files_outside_repo": ["/tmp/fix.patch"]}, "PL026", "/tmp/fix.patch"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "word"), [pytest.param(*case[1:], id=case[0]) for case in BAD])
def test_a_bad_card_is_named_and_the_sound_one_beside_it_is_clean(
    tmp_path: Path, change: dict[str, Any], code: str, word: str
) -> None:
    bad = {key: value for key, value in {**SOUND, "id": "bad", **change}.items() if value is not ...}
    report = lint(tmp_path, bad, SOUND)
    assert any(word in what for what in blocks(report).get(code, [])), report.findings
    assert report.rejected == (bad["id"],) and report.clean == ("s",)
    assert all(f.where.startswith("tasks.jsonl:1") for f in report.findings if f.severity == "block")


@pytest.mark.parametrize(
    "card",
    [
        SOUND,
        {"id": "t", "test_cmd": "set -o pipefail; run-tests | tee out.txt"},
        {"id": "t", "negative_control": True, "fail_to_pass": [], "pass_to_pass": ["t2"], "test_cmd": "x"},
        {"id": "t", "assertions": ["total == 3"], "reward_basis": ["ASSERTION"]},
        {"id": "t", "assertions": [{"func": "paid"}], "reward": {"assertions": 1.0}},
        {"id": "t", "fail_to_pass": '["t1"]', "pass_to_pass": "[]", "prompt": "Do it."},
        {"instance_id": "t", "FAIL_TO_PASS": ["t1"], "problem_statement": "Even rounding", "base_commit": "abc"},
        {"id": "t", "hidden_test": "tests/hidden/test_sum.py", "hidden_ids": ["test_sum_even"], "prompt": "Round half to even."},
        {"id": "t", "expected_values": ["12.34"], "prompt": "12.345 and 112.34 are others", "test_cmd": "x"},
    ],
)  # fmt: skip
def test_what_is_fine_stays_fine(tmp_path: Path, card: dict[str, Any]) -> None:
    report = lint(tmp_path, card)
    assert blocks(report) == {} and report.rejected == () and len(report.clean) == 1


LISTING = {"base_commit": "c0", "base_date": "2024-03-01", "hidden_tests": ["tests/hidden/test_bill.py"]}


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"reachable_newer": ["c7", "c8", "tag:v9"]}, "3 reachable objects newer than base c0: c7, c8, tag:v9"),
        ({"reflog": ["c7"]}, "1 reachable objects newer than base c0: c7"),
        ({"stash": ["stash@{0}"]}, "stash@{0}"),
        ({"tags": ["v9"], "branches": ["main"]}, "1 reachable objects newer than base c0: v9"),
        ({"commits": [{"id": "c9", "date": "2024-04-01"}, {"id": "b1", "date": "2024-02-01"}]}, "base c0: c9"),
        ({"files_outside_repo": ["/tmp/fix.patch"]}, "/tmp/fix.patch"),
        ({"tmp_files": ["/var/tmp/notes"]}, "/var/tmp/notes"),
        (
            {"agent_image_has": ["tests/hidden/test_bill.py"]},
            "hidden test inside the agent image: tests/hidden/test_bill.py",
        ),
        ({"agent_image_has": ["/repo/tests/hidden/test_bill.py"]}, "hidden test inside the agent image"),
        (
            {"ignored_build_output": ["build/__pycache__/test_bill.cpython-311.pyc"]},
            "hidden test inside the agent image",
        ),
        ({"agent_image_has": ["src/later.bundle"]}, "left-over that may hold later work"),
        (
            {"image_files": ["repo.git/HEAD", "repo.git/objects/pack/p.pack", "repo.git/refs/x"]},
            "brings a history: repo.git",
        ),
    ],
)
def test_a_listing_that_holds_an_answer_is_rejected(tmp_path: Path, more: dict[str, Any], word: str) -> None:
    path = tmp_path / "pack_scan.json"
    path.write_text(json.dumps(LISTING | more))
    report = lint_cards([path])
    assert any(word in what for found in blocks(report).values() for what in found), report.findings
    assert report.rejected == ("pack_scan",)


def test_a_listing_without_an_answer_is_clean(tmp_path: Path) -> None:
    path = tmp_path / "pack_scan.json"
    more = {
        "reachable_newer": [], "tags": [], "branches": ["main"], "commits": ["c0"], "files_outside_repo": ["/etc/hosts"],
        "agent_image_has": ["src/bill.py", "tests/test_other.py"],
    }  # fmt: skip
    path.write_text(json.dumps(LISTING | more))
    report = lint_cards([path])
    assert report.clean == ("pack_scan",) and {f.severity for f in report.findings} <= {"note"}


def test_a_folder_of_cards_and_a_listing_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_text(json.dumps(SOUND) + "\n")
    (tmp_path / "pack_scan.json").write_text(json.dumps(LISTING | {"reachable_newer": ["c7"]}))
    report = lint_cards(card_files(tmp_path))
    assert (report.rejected, report.clean) == (("pack_scan",), ("s",))
    (tmp_path / "pack.toml").write_text("")
    assert card_files(tmp_path) == ()


@pytest.mark.parametrize(
    ("document", "ids"),
    [([SOUND, {**SOUND, "id": "t"}], ("s", "t")), ({"tasks": [SOUND]}, ("s",)), ({"x": {"test_cmd": "t"}}, ("x",)), (SOUND, ("s",))],
)  # fmt: skip
def test_documents_of_several_forms(tmp_path: Path, document: Any, ids: tuple[str, ...]) -> None:
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(document))
    assert lint_cards([path]).clean == ids


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 1',
        '{"id": "a", "id": "b"}\n',
        "[1]\n",
        "",
        '{"task_id": "a", "status": "pass"}\n',
        '{"id": "a"}\n{"id": ',
    ],
)
def test_what_is_no_card_is_refused_in_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        lint_cards([path])
    assert "x.jsonl" in str(caught.value)


def test_ids_alone_are_judged_as_ids_and_nothing_is_known_of_their_tests(tmp_path: Path) -> None:
    report = lint(tmp_path, {"id": "fine"}, {"id": "../../evil"}, {"id": "Task-1"}, {"id": "task-1"})
    assert (report.rejected, report.unknown, report.clean) == (("../../evil", "task-1"), ("fine", "Task-1"), ())


def test_keys_that_nobody_reads_and_rules_that_were_not_asked_are_said(tmp_path: Path) -> None:
    report = lint(tmp_path, SOUND | {"colour": "red"})
    assert report.not_read == ("colour",) and "flaky-baseline" in report.not_evaluated


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
OTHERS = {
    "id",
    "prompt",
    "reward",
    "assertions",
    "reachable_newer",
    "agent_image_has",
    "files_outside_repo",
    "test_patch",
}
GROUPS = (keys.FLIP, keys.HIDDEN, keys.IDS, keys.COMMAND, keys.GOLD, keys.VALUES, keys.FILES, keys.REFS, keys.ABOUT)
KEYS = st.sampled_from(sorted(OTHERS.union(*GROUPS)))


@given(st.lists(st.dictionaries(KEYS, JSON, max_size=6), min_size=1, max_size=3))
def test_no_card_brings_the_reader_down(tmp_path_factory: pytest.TempPathFactory, cards: list[dict[str, Any]]) -> None:
    try:
        report = lint(tmp_path_factory.mktemp("cards"), *cards)
    except DenominatorError:
        return
    assert not [f for f in report.findings if "could not be evaluated" in f.what]
    assert len({*report.rejected, *report.unknown, *report.clean}) <= len(cards)
