"""Every row of the decision tables of METHODS M9, M13 and M15 by command line on rows of others, and on ledgers of ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from denominator.cli.main import run_cli
from denominator.gate import cite
from denominator.judge import judge
from denominator.publish import make_card, render_card
from denominator.records.keys import AttemptKey
from denominator.records.replays import Replay
from denominator.records.rows import Usage
from e2e.runs import ledger_of
from judging_data import REPLAY, ledger, own, run_control, terms

Rows = list[dict[str, Any]]
MANIFEST = {
    "name": "made-up", "invalid_rate_ceiling": 0.2, "on_timeout": "fail", "max_attempts": 1, "retry_policy": "none",
    "scorer": "tests", "hidden_tests": True, "concurrency": 4, "endpoint_host": "api.example", "selection": "convenience",
    "controls": [{"task_id": "n1", "expected": "fail"}],
}  # fmt: skip


@dataclass(frozen=True)
class Said:
    """What an import said, what `gate --cite` said of it, and both as text."""

    code: int
    card: dict[str, Any]
    text: str
    cite_code: int
    citation: dict[str, Any]
    cite_text: str

    @property
    def sentence(self) -> str:
        return str(self.card["verdict"]["sentence"])

    def estimate(self, metric: str) -> dict[str, Any]:
        return next(one for one in self.card["estimates"] if one["metric"] == metric)

    def told(self, rule: str) -> str:
        return "\n".join(one["what"] for one in self.card["verdict"]["findings"] if one["allow_name"] == rule)


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(files: dict[str, Any]) -> Said:
        folder, out = tmp_path / "in", tmp_path / "out"
        folder.mkdir()
        for name, content in files.items():
            text = json.dumps(content) if isinstance(content, dict) else "\n".join(map(json.dumps, content)) + "\n"
            (folder / name).write_text(text)
        code = run_cli(["import", "rows", str(folder), "--json", "-o", str(out)])
        captured = capsys.readouterr()
        assert captured.out, captured.err
        document = json.loads(captured.out)
        run_cli(["card", str(out)])
        text = capsys.readouterr().out
        cite_code = run_cli(["gate", str(out), "--cite", "--json"])
        citation = json.loads(capsys.readouterr().out)["citation"]
        assert run_cli(["gate", str(out), "--cite"]) == cite_code
        return Said(code, document["card"], text, cite_code, citation, capsys.readouterr().out)

    return run


# --- M13: failure classes by seed


def seeds(*numbers: int, n: int = 8, passes: int = 5, negative: str = "test_fail") -> Rows:
    """Seed logs over n positive tasks and one negative one; the first tasks pass, whatever the seed."""
    rows = []
    for seed in numbers:
        rows += [
            {"task_id": f"t{k}", "slice": "positive", "outcome": "pass" if k < passes else "test_fail", "seed": seed}
            for k in range(n)
        ]
        rows += [{"task_id": "n1", "slice": "negative", "outcome": negative, "seed": seed}] if negative else []
    return rows


HEADER = {"harness_version": "1.2", "prompt_hash": "ab12", "timeout": 300, "retry_cap": 0, "token_budget": 9000}


def with_header(**over: Any) -> dict[str, Any]:
    tasks = [f"t{k}" for k in range(8)] + ["n1"]
    return {**{k: v for k, v in MANIFEST.items() if k != "max_attempts"}, "task_ids": tasks, **HEADER, **over}


def test_m13_clean_is_k_of_n_with_class_counts_and_seeds_and_may_be_cited(say: Callable[..., Said]) -> None:
    said = say({"log.jsonl": seeds(7, 11, 13), "header.json": with_header(seeds=[7, 11, 13])})
    assert said.code == 0
    assert "15 of 24 declared draws (8 tasks, 3 repeats)" in said.sentence
    assert "Classes: pass 15, test_fail 9. Seeds: 11, 13, 7." in said.sentence
    assert "commits: harness not stated, task file not stated" in said.text
    assert (said.citation["status"], said.cite_code) == ("citeable", 0)
    assert said.citation["evaluated"] == "failure-classes"
    assert "THE SENTENCE YOU MAY SHIP" in said.cite_text


def test_m13_without_a_negative_slice_it_is_a_smoke_test_and_counts(say: Callable[..., Said]) -> None:
    header = with_header(seeds=[7, 11, 13], task_ids=[f"t{k}" for k in range(8)], controls=[])
    said = say({"log.jsonl": seeds(7, 11, 13, negative=""), "header.json": header})
    assert (said.code, said.card["verdict"]["rung"]) == (0, "counts")
    assert "a smoke test only" in said.told("no-negative-slice")
    assert "call it more than a smoke test" in said.card["verdict"]["may_not"]
    assert "no rate is claimed" in said.sentence
    assert (said.citation["status"], said.cite_code) == ("not_citeable", 1)
    assert "no negative slice: a smoke test only" in said.citation["reasons"]


def test_m13_a_false_pass_means_that_controls_failed_and_nothing_else_is_said(say: Callable[..., Said]) -> None:
    said = say({"log.jsonl": seeds(7, 11, 13, negative="pass"), "header.json": with_header(seeds=[7, 11, 13])})
    assert said.code == 1
    assert "controls failed and nothing else is said" in said.sentence
    assert "Classes" not in said.sentence
    for gone in ("15", "0.625", "62.5"):
        assert gone not in said.sentence + said.cite_text.replace("M15", "").replace("GL015", "")
    assert "say how many passed or failed" in said.card["verdict"]["may_not"]
    assert said.card["classes"] == {"not_measured": "hidden: a control is violated"}
    assert (said.citation["status"], said.cite_code) == ("not_citeable", 1)


@pytest.mark.parametrize("missing", [False, True], ids=["explicit", "no row"])
def test_m13_unresolved_means_nothing_comparative(say: Callable[..., Said], missing: bool) -> None:
    rows = seeds(7, 11, 13)
    rows = rows[1:] if missing else [{**rows[0], "outcome": "unresolved"}, *rows[1:]]
    said = say({"log.jsonl": rows, "header.json": with_header(seeds=[7, 11, 13])})
    assert said.code == 1
    assert "set it beside another run" in said.card["verdict"]["may_not"]
    assert said.cite_code == 1
    wanted = "0 unresolved, 1 without a row" if missing else "1 unresolved, 0 without a row"
    assert any(reason == f"nothing comparative: {wanted}" for reason in said.citation["reasons"])


@pytest.mark.parametrize(("numbers", "word"), [((7,), "a demonstration"), ((7, 11), "fewer than 3")])
def test_m13_fewer_than_three_seeds_are_printed_and_not_cited(
    say: Callable[..., Said], numbers: tuple[int, ...], word: str
) -> None:
    said = say({"log.jsonl": seeds(*numbers), "header.json": with_header(seeds=list(numbers))})
    assert said.code == 0
    assert word in said.told("few-seeds")
    assert (said.citation["status"], said.cite_code) == ("not_citeable", 1)


def test_m13_limits_that_differ_need_separate_logs(say: Callable[..., Said]) -> None:
    first = [{"header": {**HEADER, "seed": 7}}, *seeds(7)]
    other = [{"header": {**HEADER, "seed": 11, "timeout": 900}}, *seeds(11)]
    said = say({"seed-7.jsonl": first, "seed-11.jsonl": other})
    assert said.code == 1
    assert "timeout: 300 here, 900 in seed-11.jsonl" in said.told("limits-differ")
    assert "token_budget" not in said.told("limits-differ")


def test_m13_why_a_run_stopped_early_and_both_commits_are_printed(say: Callable[..., Said]) -> None:
    header = with_header(seeds=[7, 11, 13], harness_commit="c0ffee1", task_file_commit="beef002")
    stop = {"during": "t9", "reason": "operator"}
    said = say({"log.jsonl": seeds(7, 11, 13), "header.json": header, "stop.json": stop})
    assert "stopped early: operator" in said.told("stopped-early")
    assert "commits: harness c0ffee1, task file beef002" in said.text


# --- M15: citeability


FIELDS = {
    "access_class": "paid", "server_class": "shared", "attempt": 1, "cold_start": False, "queue_wait_ms": 3,
    "patch_sha256": "d1",
}  # fmt: skip
CARD = {
    "repo_revision": "r1", "prompt_sha256": "p1", "hidden_test_sha256": "h1", "allowed_files": ["src/**"], "timeout_s": 60,
    "token_budget": 9000,
}  # fmt: skip


def attempts(n: int = 10, passes: int = 6, **over: Any) -> Rows:
    rows = [
        {"task_id": f"t{k}", "stop_reason": "pass" if k < passes else "tests_red", **FIELDS, **over} for k in range(n)
    ]
    return [*rows, {"task_id": "n1", "stop_reason": "tests_red", **FIELDS, **over}]


def cards(n: int = 10, **over: Any) -> Rows:
    return [{"id": f"t{k}", "slice": "solvable", "expected": "pass", **CARD, **over} for k in range(n)] + [
        {"id": "n1", "slice": "negative", "expected": "fail", **CARD, **over}
    ]


def manifest(**over: Any) -> dict[str, Any]:
    made = {**MANIFEST, "task_ids": [*(f"t{k}" for k in range(10)), "n1"], "cite_rule": "first-complete", **over}
    return {name: value for name, value in made.items() if value is not None}


def m15(rows: Rows, **over: Any) -> dict[str, Any]:
    return {"runs.jsonl": rows, "tasks.jsonl": cards(), "manifest.json": manifest(**over)}


def test_m15_whole_rows_and_cards_are_citeable_with_their_sentence(say: Callable[..., Said]) -> None:
    said = say(m15(attempts()))
    assert said.code == 0
    assert (said.citation["status"], said.cite_code, said.citation["lacks"]) == ("citeable", 0, [])
    assert said.citation["sentence"] == said.sentence
    assert said.estimate("first_complete_pass_rate")["numerator"] == 6
    assert "Access class paid" in said.sentence.replace("access class paid", "Access class paid")


@pytest.mark.parametrize("field", FIELDS)
def test_m15_each_field_that_is_missing_is_named_with_row_and_task(say: Callable[..., Said], field: str) -> None:
    rows = attempts()
    rows[3] = {name: value for name, value in rows[3].items() if name != field}
    said = say(m15(rows))
    assert said.cite_code == 2
    assert said.citation["lacks"] == [{"row": "runs.jsonl:4", "task": "t3", "field": field}]
    assert f"runs.jsonl:4, t3: {field}" in said.cite_text


@pytest.mark.parametrize("field", CARD)
def test_m15_a_card_pins_its_fields(say: Callable[..., Said], field: str) -> None:
    files = m15(attempts())
    files["tasks.jsonl"][2].pop(field)
    said = say(files)
    assert said.cite_code == 2
    assert said.citation["lacks"] == [{"row": "", "task": "t2", "field": field}]


@pytest.mark.parametrize("placeholder", ["", "REPLACE ME", "<class>", "unspecified"])
def test_m15_placeholders_are_missing(say: Callable[..., Said], placeholder: str) -> None:
    said = say(m15(attempts(access_class=placeholder)))
    assert said.cite_code == 2
    assert {lack["field"] for lack in said.citation["lacks"]} == {"access_class"}


@pytest.mark.parametrize("stop", ["timeout", "no_patch", "budget"])
def test_m15_no_patch_digest_is_needed_where_the_ending_says_that_there_is_none(
    say: Callable[..., Said], stop: str
) -> None:
    rows = attempts()
    rows[9] = {**rows[9], "stop_reason": stop, "patch_sha256": None}
    said = say(m15(rows))
    assert said.citation["lacks"] == []
    assert said.cite_code == 0


def test_m15_truncation_above_zero_is_said_and_is_no_bad_patch(say: Callable[..., Said]) -> None:
    rows = attempts()
    rows[9] = {**rows[9], "stop_reason": "timeout", "patch_sha256": None}
    said = say(m15(rows))
    assert "1 cut by their own time or budget" in said.sentence
    assert "call an attempt that time or budget cut a bad patch" in said.citation["may_not"]


@pytest.mark.parametrize(("cold", "said_so"), [(2, False), (3, True)], ids=["exactly 0.20", "above"])
def test_m15_above_a_retry_rate_of_a_fifth_the_sentence_says_retries(
    say: Callable[..., Said], cold: int, said_so: bool
) -> None:
    rows = [{**row, "cold_start": k < cold} for k, row in enumerate(attempts())]
    said = say(m15(rows))
    assert ("Passes were reached by retries." in said.sentence) is said_so
    assert f"{cold} with a second attempt, a cold start or a transport error" in said.sentence
    assert any("a pass that a retry reached" in text for text in said.citation["may_not"]) is said_so


def test_m15_the_first_completed_attempt_counts_not_the_first(say: Callable[..., Said]) -> None:
    rows = attempts()
    lost = {**rows[0], "stop_reason": "transport", "patch_sha256": None}
    again = {**rows[0], "attempt": 2}
    said = say(m15([lost, again, *rows[1:]], max_attempts=2, retry_policy="transport: 1"))
    assert said.estimate("first_complete_pass_rate")["numerator"] == 6
    assert "1 with a second attempt" in said.sentence


def test_m15_without_a_stated_concurrency_there_is_no_headline(say: Callable[..., Said]) -> None:
    said = say(m15(attempts(), concurrency=None))
    assert said.card["verdict"]["rung"] == "counts"
    assert "concurrency was not sealed: no headline" in said.citation["reasons"]
    assert (said.citation["status"], said.cite_code) == ("not_citeable", 1)


@pytest.mark.parametrize("field", ["access_class", "server_class"])
def test_m15_mixed_classes_in_one_file_are_split_and_run_again(say: Callable[..., Said], field: str) -> None:
    rows = attempts()
    rows[0] = {**rows[0], field: "other"}
    said = say(m15(rows))
    assert (said.code, said.cite_code) == (1, 1)
    assert "several kinds in one file" in said.told("mixed-access-classes")


def test_m15_without_hidden_tests_nothing_is_cited(say: Callable[..., Said]) -> None:
    said = say(m15(attempts(), hidden_tests=False))
    assert said.cite_code == 1
    assert "not every task is known to have hidden tests" in said.citation["reasons"]


def test_m15_an_empty_file_is_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "runs.jsonl").write_text("")
    (tmp_path / "manifest.json").write_text(json.dumps(manifest()))
    assert run_cli(["import", "rows", str(tmp_path)]) == 2
    assert "0.0" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rule", "status", "code"), [("never: a trial", "not_citeable", 1), ("when the team agrees", "unchecked", 1)]
)
def test_a_rule_in_free_words_is_left_to_a_person_and_never_is_an_answer(
    say: Callable[..., Said], rule: str, status: str, code: int
) -> None:
    said = say(m15(attempts(), cite_rule=rule))
    assert (said.citation["status"], said.cite_code) == (status, code)
    assert rule in said.cite_text


# --- M9: frozen envelope


def dated(n: int, *dates: str, **over: Any) -> Rows:
    """n tasks, spread over the dates in turn, and one negative task."""
    made = [
        {
            "task_id": f"t{k:03}",
            "outcome": "pass" if k % 4 else "fail",
            "started_at": f"{dates[k % len(dates)]}T10:00:00Z",
        }
        for k in range(n)
    ]
    control = {"task_id": "n1", "outcome": "fail", "started_at": f"{dates[0]}T10:00:00Z"}
    return [{**row, "access_class": "paid", **over} for row in (*made, control)]


def m9(rows: Rows, **over: Any) -> dict[str, Any]:
    tasks = list(dict.fromkeys(row["task_id"] for row in rows))
    return {
        "runs.jsonl": rows,
        "envelope.json": {**MANIFEST, "task_ids": tasks, "cite_rule": "frozen-envelope", **over},
    }


def test_m9_one_date_is_tagged_and_the_sentence_names_date_host_and_access(say: Callable[..., Said]) -> None:
    said = say(m9(dated(20, "2026-03-01")))
    assert "single_date: every row started on 2026-03-01" in said.told("single-date")
    assert "On 2026-03-01 (UTC); endpoint api.example; access class paid." in said.sentence
    assert "20 tasks: directional" in said.sentence
    assert 'chosen for this reason: "convenience"' in said.sentence
    assert "say that it holds on another date" in said.card["verdict"]["may_not"]


def test_m9_two_hundred_tasks_on_two_dates_are_citable_inside_the_envelope(say: Callable[..., Said]) -> None:
    said = say(m9(dated(200, "2026-03-01", "2026-03-08")))
    assert "200 tasks on 2 dates: citable inside this envelope." in said.sentence
    assert "On 2026-03-01 and 2026-03-08 (UTC)" in said.sentence
    assert said.told("single-date") == "rows started on two UTC dates or more"


@pytest.mark.parametrize(("n", "dates"), [(199, ("2026-03-01", "2026-03-08")), (200, ("2026-03-01",))])
def test_m9_neither_fewer_tasks_nor_one_date_is_citable(
    say: Callable[..., Said], n: int, dates: tuple[str, ...]
) -> None:
    said = say(m9(dated(n, *dates)))
    assert "citable inside this envelope" not in said.sentence
    assert said.cite_code == 1


def test_m9_dates_are_those_of_utc(say: Callable[..., Said]) -> None:
    rows = [{**row, "started_at": "2026-03-02T01:00:00+03:00"} for row in dated(10, "2026-03-01")]
    assert "On 2026-03-01 (UTC)" in say(m9(rows)).sentence


def test_m9_over_the_ceiling_only_what_was_invalid_is_shown(say: Callable[..., Said]) -> None:
    calls = [{"task_id": f"t{k}", "attempt": 1, "status": 503 if k < 3 else 429, "latency_s": 1.0} for k in range(4)]
    calls += [{"task_id": f"t{k}", "attempt": 1, "status": 200, "latency_s": 1.0} for k in range(4, 10)]
    said = say(
        {"calls.jsonl": calls, "envelope.json": {**MANIFEST, "task_ids": [f"t{k}" for k in range(10)], "controls": []}}
    )
    assert said.code == 1
    assert "NO_AGGREGATE" in said.sentence
    told = said.told("invalid-rate-above-ceiling")
    assert "invalid_call_rate 4 of 10 is above the ceiling 0.2" in told
    assert "by class: rate_limited 1, server_error 3" in told
    shown = {one["metric"] for one in said.card["estimates"] if isinstance(one["value"], str)}
    assert shown <= {
        "invalid_call_rate", "invalid_task_rate", "no_valid_attempt_rate", "unscoreable_rate", "infra_censor_rate",
        "harness_error_rate", "flaky_rate",
    }  # fmt: skip


def test_m9_exactly_the_ceiling_does_not_block(say: Callable[..., Said]) -> None:
    calls = [{"task_id": f"t{k}", "attempt": 1, "status": 503 if k < 2 else 200} for k in range(10)]
    said = say(
        {"calls.jsonl": calls, "envelope.json": {**MANIFEST, "task_ids": [f"t{k}" for k in range(10)], "controls": []}}
    )
    assert "invalid_call_rate" not in said.told("invalid-rate-above-ceiling")


def test_m9_an_envelope_that_lacks_fields_is_not_cited(say: Callable[..., Said]) -> None:
    said = say(m9(dated(200, "2026-03-01", "2026-03-08"), scorer="unspecified"))
    assert "the envelope lacks scorer" in said.citation["reasons"]


# --- The same through ledgers of our own


def ours(seeds_: Iterable[int] = (1,), n: int = 10, negative: str = "red", **over: Any) -> Any:
    """A run of ours: n tasks for each seed, the first six pass; one negative task."""
    rows = []
    for repeat, seed in enumerate(seeds_, 1):
        facts = {
            "seed": seed, "access_class": "paid", "server_class": "shared", "queue_wait_ms": 3, "asked_model": "m",
            "started_at": f"2026-03-0{repeat}T10:00:00Z",
        }  # fmt: skip
        for k in range(n):
            place = AttemptKey("r1", f"t{k}", repeat)
            rows.append(own(f"t{k}", "green" if k < 6 else "red", key=place, **(facts | over)))
        control = AttemptKey("r1", "n1", repeat)
        rows.append(own("n1", negative, key=control, slice="negative", control="must_fail", **(facts | over)))
    return ledger(rows, [run_control("empty_patch_must_fail", "held")], source="own")


def judged(made: Any, **over: Any) -> Any:
    return judge(made, terms(origin="seal", selection="convenience", **over))


def test_ours_m13_clean_false_pass_and_seeds() -> None:
    clean = judged(ours((1, 2, 3)), repeats=3, cite_rule="failure-classes")
    assert cite(clean.sheet, clean.verdict).status == "citeable"
    assert "Seeds: 1, 2, 3." in clean.verdict.sentence
    assert "Flip rate between repeats: 0.000" in clean.verdict.sentence
    demo = judged(ours((1,)), cite_rule="failure-classes")
    assert cite(demo.sheet, demo.verdict).reasons == ("1 seed is a demonstration: 3 are the least to cite",)
    failed = judged(ours((1, 2, 3), negative="green"), repeats=3, cite_rule="failure-classes")
    assert "controls failed and nothing else is said" in failed.verdict.sentence
    assert cite(failed.sheet, failed.verdict).exit == 1


def test_ours_m15_whole_rows_are_citeable_and_each_gap_is_listed() -> None:
    whole = judged(ours(), cite_rule="first-complete")
    assert cite(whole.sheet, whole.verdict).status == "citeable"
    for field in ("access_class", "server_class", "queue_wait_ms", "cold_start"):
        from denominator.records.rows import UNREAD

        found = judged(ours(**{field: UNREAD}), cite_rule="first-complete")
        citation = cite(found.sheet, found.verdict)
        assert citation.exit == 2
        assert {lack.field for lack in citation.lacks} == {field}
        assert len(citation.lacks) == 11
    card = judged(ours(), cite_rule="first-complete", unpinned=(("t3", "token_budget"),))
    assert cite(card.sheet, card.verdict).exit == 2


def test_ours_without_a_model_there_is_no_class_of_access_to_record() -> None:
    from denominator.records.rows import UNREAD

    found = judged(ours(asked_model="none", access_class=UNREAD, server_class=UNREAD), cite_rule="first-complete")
    assert cite(found.sheet, found.verdict).status == "citeable"
    assert "no model was called" in found.verdict.sentence


def test_ours_m15_without_a_sealed_concurrency_there_is_no_headline() -> None:
    found = judged(ours(), missing=("run.concurrency",), cite_rule="first-complete")
    assert found.verdict.status == "blocked"
    assert any(one.allow_name == "unsealed-concurrency" and one.severity == "block" for one in found.findings)


@pytest.mark.parametrize(("flips", "hidden"), [(2, False), (3, True)], ids=["at the ceiling", "above"])
def test_ours_m9_flips_above_the_ceiling_leave_the_interval(flips: int, hidden: bool) -> None:
    replay = Replay(**(REPLAY | {"draws": 10, "flips": flips, "rate": f"0.{flips}00000"}))
    made = ours()
    given = terms(origin="seal", replays=(replay,))
    found = judge(made, given)
    headline = next(one for one in found.estimates if one.metric == "headline")
    text = render_card(make_card(made, given, found), 200)
    assert isinstance(headline.value, str) is not hidden
    assert isinstance(headline.lo, str)
    assert ("60.0 %" in text or "0.600  [" in text) is not hidden
    assert f"{flips} of 10 draws flipped" in found.verdict.sentence
    assert any("one number in the place of the interval" in line for line in found.verdict.may_not) is hidden


def test_ours_m9_over_the_ceiling_nothing_but_the_host_is_shown() -> None:
    made = ours(usage=Usage(calls=2), invalid_calls={"http_429": 1})
    found = judged(made, invalid_ceiling="0.10")
    assert found.verdict.status == "blocked"
    shown = {one.metric for one in found.estimates if isinstance(one.value, str)}
    assert "retry_rate" not in shown and "truncation_rate" not in shown
    assert "invalid_call_rate" in shown
    assert not any("first attempts were cut" in one.what for one in found.findings)


def test_a_real_run_names_its_date_and_keeps_to_its_own_rule(lab: Path, here: Path, cli: Callable[..., Any]) -> None:
    for name in ("window-script", "window-oracle"):  # alone: other tests begin runs beside them
        shutil.copytree(lab / "runs" / name, here / "runs" / name)
    where = ("window-script", "--runs-dir", str(here / "runs"))
    card = cli("card", *where, "--json").json
    started = {row.started_at[:10] for row in read_rows(lab)}
    assert len(started) in (1, 2)
    assert all(date in card["verdict"]["sentence"] for date in started)
    assert "no model was called" in card["verdict"]["sentence"]
    siblings = [one for one in card["verdict"]["findings"] if one["allow_name"] == "several-runs"]
    assert [one["severity"] for one in siblings] == ["held"]  # the oracle is another arm
    citation = cli("gate", *where, "--cite", "--json")
    assert citation.code == 1
    assert citation.json["citation"]["reasons"] == ["its own rule says so: never"]


def read_rows(lab: Path) -> Any:
    return ledger_of(lab, "window-script").rows


def test_two_real_runs_of_one_envelope_list_each_other(lab: Path, here: Path, cli: Callable[..., Any]) -> None:
    shutil.copytree(lab / "runs" / "window-script", here / "runs" / "window-script")
    seal = json.loads((lab / "runs" / "window-script" / "seal.json").read_text())
    for name, changed in (
        ("later", {"sealed_at": "2027-01-01T00:00:00Z"}),
        ("scratch-x", {}),
        ("other", {"pack_digest": "0" * 64}),
    ):
        (here / "runs" / name).mkdir()
        (here / "runs" / name / "seal.json").write_text(json.dumps(seal | changed))
    (here / "runs" / "broken").mkdir()
    (here / "runs" / "broken" / "seal.json").write_text("{")
    card = cli("card", "window-script", "--runs-dir", str(here / "runs"), "--json").json
    told = [one["what"] for one in card["verdict"]["findings"] if one["allow_name"] == "several-runs"]
    assert told == ["1 of 2 runs of this envelope, arm and pack; the others: later"]
    assert "One of 2 runs" in card["verdict"]["sentence"] or card["verdict"]["status"] == "blocked"


def test_one_run_of_several_lists_the_others() -> None:
    found = judged(ours(), siblings=("r2", "r3"))
    assert "One of 3 runs of this envelope, arm and pack; the others: r2, r3." in found.verdict.sentence
    assert "show it without the other runs of its envelope" in found.verdict.may_not
