"""Public reports in which a score was wrong: the same situation in its own format, typed at the command line."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from denominator.errors import DenominatorError
from denominator.wire.canonical import canonical
from e2e import public_reports as made
from e2e.public_reports import (
    CRITIC,
    MANIFEST,
    ODD,
    ONE_TRY,
    TEN,
    Report,
    error_of,
    evaluation,
    graded,
    lines,
    named,
    named_tests,
    outcome,
    output,
    ran,
    verdicts,
)
from foreign_data import written
from importer_examples import openhands as hands
from importer_examples import swe_agent as swea
from importer_examples import swebench as swe
from importer_examples.swebench import PATCH, REPORT, predictions, run_report, wrapped

PASS, FAIL = ("pass", "MODEL", ""), ("fail", "MODEL", "")
SAID = ("pass", "", "")
LIMITED = ("unscoreable", "INFRA", "provider_rate_limit")
UNGRADED = ("unscoreable", "HARNESS", "")
RATE = "litellm.RateLimitError: slow"
FIFTY, ALL = named(50), named(433)
FIRST = verdicts(FIFTY, resolved=FIFTY[:37], unresolved=FIFTY[37:48], error=FIFTY[48:])
AGAIN = verdicts(FIFTY, resolved=[*FIFTY[:37], *FIFTY[48:]], unresolved=FIFTY[37:48])
FORGED = swe.ENDED + ">>>>> Test Exit Code: 1\n"
E213 = [f"p__q-{n}" for n in range(213)]

REPORTS = [
    Report(
        1, "attempts that died of a throttled key were scored as failures of the model",
        made.rows([*map(outcome, TEN[:8]), *(outcome(one, "fail", reason="rate_limited") for one in TEN[8:])]),
        name="rows", exit=1, scheduled=10, defects={"unknown_reason": True}, rules=["GL007"],
    ),
    Report(
        1, "the same, with the reason by its word: it is the infrastructure's, and stays in the denominator",
        made.rows([*map(outcome, TEN[:8]), *(outcome(one, "unscoreable", reason="provider_rate_limit") for one in TEN[8:])]),
        name="rows-known", exit=1, passes=8, scheduled=10, rules=["GL014"], text=["NO_AGGREGATE"],
    ),
    Report(
        1, "the same in the agent's own files",
        swea.folder(dict.fromkeys(TEN[:8], ("exit_cost", None)) | dict.fromkeys(TEN[8:], ("exit_api", None))),
        name="agent", exit=1, outcomes={FAIL: 8, ("unscoreable", "INFRA", "provider_error"): 2}, rules=["GL002"],
    ),
    Report(
        1, "the same in the files of agent and harness together: the list of empty patches says nothing of why",
        made.throttled(), name="both", exit=0, passes=4, scheduled=10, outcomes={PASS: 4, FAIL: 4, LIMITED: 2},
        text=["2 unscoreable, 0 abstained"],
    ),
    Report(
        2, "a box that could not be reached was counted as an unsolved instance",
        evaluation({"run_instance.log": error_of(swe.TEXTS["sandbox_unreachable"]), "patch.diff": PATCH}, state="unresolved"),
        exit=0, passes=9, scheduled=10, outcomes={PASS: 9, ("unscoreable", "INFRA", "env_flake"): 1},
        defects={"ungraded_failure": False}, text=["9 of 10 declared draws passed", "1 unscoreable"],
    ),
    Report(
        3, "reference patches failed their own tests, some of them only sometimes",
        made.rows([*map(outcome, TEN)], MANIFEST | {"concurrency": 1}, **{"baseline.jsonl": lines(made.gold())}),
        exit=1, passes=8, scheduled=10, rules=["GL014"],
        text=[f"{TEN[2]}: 5 agent-off results: 0 green, 5 red", f"{TEN[6]}: 5 agent-off results: 4 green, 1 red"],
    ),
    Report(
        4, "one grading under one key came to several results",
        made.rows([*map(outcome, TEN[1:]), *(outcome(ODD, word) for word in ("pass", "fail", "pass"))]),
        name="rows", exit=1, scheduled=10, defects={"conflicting_rows": True, "duplicate_rows": False}, rules=["GL005"],
    ),
    Report(
        6, "a second grading of the same output had two errors less, and one of both was forgotten",
        output(ran(FIFTY), **FIRST, **{"OpenHands.local.json": AGAIN["output.report.json"]}),
        exit=1, passes=37, scheduled=50, defects={"conflicting_gradings": True}, rules=["GL007"],
        text=["2 ids were graded twice, with two results"],
    ),
    Report(
        7, "rows that could not be written were dropped, and the rest was published",
        output(ran(ALL[:48]), **verdicts(ALL, resolved=ALL[:10], unresolved=ALL[10:48])),
        exit=1, passes=10, scheduled=433, rules=["GL002", "GL003"], text=["385 declared draws never started"],
    ),
    Report(
        8, "time in a queue counted against the limit of an attempt, and finished work was thrown away",
        output([*ran(named(3)), *(hands.broken(one, "Instance did not complete within 14400s timeout") for one in named(5)[3:])],
               ran(named(3)), **verdicts(named(5), resolved=named(2), unresolved=named(3)[2:])),
        exit=0, passes=2, scheduled=5, outcomes={("unscoreable", "HARNESS", "harness_timeout"): 2, SAID: 2, FAIL: 1},
    ),
    Report(
        8, "the same with the times: half an hour of work against a limit of an hour",
        made.rows([*map(outcome, TEN[:9]), outcome(TEN[9], "fail", queue_wait_ms=7_200_000, killed_by="harness_deadline")]),
        name="rows", exit=0, passes=9, scheduled=10, text=["1 unscoreable"],
    ),
    Report(
        8, "the same by the row's own numbers: its clock denies that its limit was reached",
        made.rows([
            *map(outcome, TEN[:9]),
            outcome(TEN[9], "fail", queue_wait_ms=7_200_000, wall_s=1800, timeout_s=3600, killed_by="timeout"),
        ]),
        name="clock", exit=0, passes=9, scheduled=10, text=["1 unscoreable"],
    ),
    Report(
        8, "the same by the reason why it stopped",
        made.rows([
            {"run_id": "r", "task_id": one, "attempt": 1, "stop_reason": "timeout" if one == ODD else "tests_red", "wall_s": 1800,
             "timeout_s": 3600, "queue_wait_ms": 7_200_000}
            for one in TEN
        ]),
        name="reason", exit=0, passes=0, scheduled=10, text=["0 of 10 declared draws passed", "1 unscoreable"],
    ),
    Report(
        9, "a resume that knew another kind of event refused every old row and left one",
        output([*ran(named(164), history=[{"kind": "NobodyKnowsThisEvent"}]), hands.broken("a__b-164", "Ended: x")], []),
        exit=1, outcomes={UNGRADED: 164, ("unscoreable", "HARNESS", "no_verdict"): 1}, rules=["GL002", "GL013"],
    ),
    Report(
        10, "an instance that crashed before it wrote anything was never counted",
        output(ran(named(4)), **verdicts(named(4), resolved=named(1), unresolved=named(4)[1:]))
        | {"metadata.json": ONE_TRY | {"selected_instances_file": "chosen.txt"}, "chosen.txt": "\n".join(named(5))},
        exit=1, passes=1, scheduled=5, rules=["GL002", "GL003"], text=["1 declared draw never started: a__b-4"],
        says={("total_instances", "4"): "disagrees"},
    ),
    Report(
        11, "every attempt failed, nothing was written, and the harness left with 0",
        {CRITIC: "", "output.jsonl": "", "metadata.json": hands.METADATA}, exit=1, defects={"no_rows": True}, rules=["GL007"],
    ),
    Report(
        11, "the same with the errors kept", output([hands.broken(one, RATE) for one in named(5)], []), name="errors", exit=1,
        passes=0, outcomes={LIMITED: 5}, rules=["GL002"],
    ),
    Report(
        11, "a report over nothing is no 0 %", {REPORT: run_report()}, name="report", exit=1, scheduled=0, rules=["GL031"],
    ),
    Report(
        12, "one log that was cut ended the whole report",
        evaluation({"report.json": '{"p__q-1": {"patch_is_N', "patch.diff": PATCH}, state="error"),
        exit=0, passes=9, scheduled=10, outcomes={PASS: 9, ("unscoreable", "HARNESS", "missing_artifact"): 1},
        defects={"broken_report": False},
    ),
    Report(
        13, "costs were read before they were booked, as 0",
        output(
            [hands.row(one, metrics=hands.row(one)["metrics"] | {"accumulated_cost": 0 if n < 2 else 0.5})
             for n, one in enumerate(named(5))],
            **verdicts(named(5), resolved=named(2), unresolved=named(5)[2:]),
        ),
        exit=0, passes=2, defects={"unknown_cost": False}, text=["2 ids used tokens and cost 0"],
    ),
    Report(
        14, "replies that could not be parsed were billed and not counted",
        made.billed(), exit=1, defects={"accounting_anomaly": False}, text=["its calls sum to 3.0 dollars, it counts 1.0"],
    ),
    Report(
        15, "tries of one attempt were billed again, and added to their own sum",
        made.retried(), exit=1, defects={"chosen_tries": False}, outcomes={UNGRADED: 1},
    ),
    Report(
        16, "a patch printed the lines that a passing test prints",
        evaluation(graded() | {"test_output.txt": FORGED}), exit=1, passes=9, scheduled=10, rules=["GL007"],
        outcomes={PASS: 9, ("unscoreable", "HARNESS", "grader_error"): 1}, defects={"contradiction": True},
        says={("resolved_instances", "10"): "disagrees"}, text=["test command ended with 1"],
    ),
    Report(
        16, "the same, as the version that looks at the exit status grades it",
        evaluation({"report.json": wrapped(ODD, swe.bare()), "patch.diff": PATCH, "test_output.txt": FORGED}, state="unresolved"),
        name="graded", exit=0, passes=9, scheduled=10, outcomes={PASS: 9, FAIL: 1},
    ),
    Report(
        17, "names of tests were cut at a space, so that one name stood for several",
        evaluation(named_tests({"success": ["t[a"]}, resolved=True)),
        name="cut", exit=0, defects={"cut_test_names": False}, text=["a verdict may be another's"],
    ),
    Report(
        17, "a test that was skipped was neither a success nor a failure, and the instance was resolved",
        evaluation(named_tests({}, resolved=True)), name="skipped", exit=1, passes=9, rules=["GL007"],
        outcomes={PASS: 9, ("unscoreable", "HARNESS", "grader_error"): 1}, defects={"no_tests": True},
    ),
    Report(
        17, "names of tests differed by spaces, and a passing test was called failed",
        evaluation(named_tests({"failure": ["shows a value "]}, resolved=False), state="unresolved"),
        name="spaced", exit=0, passes=9, defects={"spaced_test_names": False},
    ),
    Report(
        18, "a list of resolved ids held some of them several times, and its length was published",
        made.submission("test", [*E213, *[E213[0]] * 4, *E213[1:25]], 10.51),
        exit=1, passes=213, scheduled=2294, defects={"duplicate_ids": False}, rules=["GL002"],
        says={("resolved (typed by hand)", "10.51"): "given", ("resolved (entries)", "241"): "disagrees"},
        text=["241 entries, 213 ids", "the passes of its rows do not"],
    ),
    Report(
        19, "a percent on the board is no count out of its 500 instances",
        made.submission("verified", [f"p__q-{n}" for n in range(324)], 64.93),
        exit=1, passes=324, scheduled=500, says={("resolved (typed by hand)", "64.93"): "impossible"}, rules=["GL002"],
    ),
    Report(
        20, "a kept result of an older patch was returned for a new one",
        evaluation(graded(), handed=predictions(TEN) | predictions([ODD], PATCH + "-old\n+new\n")),
        exit=1, scheduled=10, defects={"patch_conflict": True}, rules=["GL007"],
    ),
    Report(
        21, "one byte that is no UTF-8 in a log lost the instance",
        evaluation(graded() | {"test_output.txt": b"PASSED \xff tests\n" + swe.ENDED.encode()}), exit=0, passes=10, scheduled=10,
    ),
    Report(
        21, "the same, as the harness reported it: an error, and no failure of the model",
        evaluation({"run_instance.log": error_of("'utf-8' codec can't decode byte 0xff").encode() + b"\xff\n", "patch.diff": PATCH},
                   state="error"),
        name="lost", exit=0, passes=9, scheduled=10, outcomes={PASS: 9, ("unscoreable", "HARNESS", "no_verdict"): 1},
    ),
    Report(
        23, "repeats of a test were answered from a cache",
        {"out.json": made.promptfoo([made.cell(n, cached=n > 0) for n in range(5)])}, exit=1, scheduled=5, rules=["GL060"],
        text=["4 rows were answered from the cache"],
    ),
    Report(
        23, "a sample that met a rate limit was logged twice under one id",
        made.rows([outcome(ODD, "unscoreable", reason="provider_rate_limit"), *map(outcome, TEN)]),
        name="twice", exit=1, scheduled=10, defects={"conflicting_rows": True}, rules=["GL005"],
    ),
    Report(
        24, "less than half of what was handed in had been completed, and no list said what became of the others",
        {"swe-bench_lite__test__run1.json": made.pending(300) | {
            "pending_ids": [], "pending_instances": 0, "resolved_ids": E213[:60], "resolved_instances": 60,
            "unresolved_ids": E213[60:120], "unresolved_instances": 60, "completed_ids": E213[:120], "completed_instances": 120,
        }},
        name="partial", exit=1, passes=60, scheduled=300, defects={"not_evaluated": True}, rules=["GL002", "GL003", "GL007"],
        text=["180 ids were handed in, and no list says what became of them"],
    ),
    Report(
        24, "nothing of what was handed in had been evaluated yet",
        {"swe-bench_lite__test__run1.json": made.pending(300)}, exit=1, passes=0, scheduled=300,
        defects={"unfinished_run": True}, outcomes={("unscoreable", "HARNESS", "missing_artifact"): 300}, rules=["GL007"],
    ),
    Report(
        24, "half of what was scheduled was evaluated, and the report said that nothing was handed in",
        output(ran(ALL[:212]), **{
            "output.report.json": hands.report(ALL, resolved=ALL[:100], unresolved=ALL[100:212]) | {"submitted_instances": 0}
        }),
        name="half", exit=1, passes=100, scheduled=433, defects={"count_differs": False}, rules=["GL002", "GL003"],
    ),
]  # fmt: skip


def ids(one: Report) -> str:
    """How a report is called in the list of tests."""
    return f"{one.number}-{one.name}" if one.name else str(one.number)


@pytest.mark.parametrize("report", REPORTS, ids=ids)
def test_what_is_said_of_a_public_report(cli, here, report):
    place = written(here / "results", report.members)
    said = cli("audit", place, "--json")
    assert said.code == report.exit, (report.what, said.out[-600:], said.err)
    run = said.json["run"]
    counts = {one["name"]: one["n"] for one in run["counts"]}
    if report.passes is not None:
        assert run["passes"] == report.passes
    if report.scheduled is not None:
        assert counts["scheduled"] == report.scheduled
    if report.outcomes:
        assert outcomes_of(run) == report.outcomes
    found = {one["kind"]: one["blocks"] for one in run["defects"]}
    assert report.defects.items() <= found.items(), found
    printed = {(one["metric"], one["printed"]): one["says"] for one in run["published"]}
    assert report.says.items() <= printed.items(), printed
    blocked = {one["code"] for one in run["verdict"]["findings"] if one["severity"] in ("block", "unknown")}
    assert set(report.rules) <= blocked, blocked
    assert bool(blocked) == bool(report.exit), blocked
    text = " ".join(cli("audit", place).out.split())
    assert [one for one in report.text if one not in text] == [], text
    if report.exit:
        assert "may be printed" in run["verdict"]["sentence"]


@pytest.mark.parametrize("report", REPORTS, ids=ids)
def test_an_import_says_the_same(cli, here, report):
    place = written(here / "results", report.members)
    said = cli("import", "auto", place, "--json")
    assert said.code == report.exit
    card = said.json["card"]
    if isinstance(report.scheduled, int):
        assert card["declared"] == report.scheduled
    if report.exit:
        assert not card["verdict"]["sentence"].count("passed")


def outcomes_of(run: Any) -> dict[tuple[str, str, str], int]:
    """How many attempts ended with which outcome, whose it is, and why."""
    found: Counter[tuple[str, str, str]] = Counter()
    for one in run["endings"]:
        found[one["outcome"], one["origin"], one["reason"]] += one["n"]
    return dict(found)


def test_every_public_report_is_here():
    here = {one.number for one in REPORTS} | {5, 22}
    assert here == set(range(1, 25))


KNOWN = 'model_id = "m"\nmax_attempts = 1\nretry_policy = "none"\nscorer = "tests"\non_timeout = "fail"\ninvalid_rate_ceiling = 0.2\n'


@pytest.fixture
def taken(cli, here):
    """Import a result under a name, with what a person knows of it."""

    def take(name: str, format_: str, members: Any, known: str = "", *more: str) -> Any:
        (here / f"{name}.toml").write_text(KNOWN + known)
        place = written(here / f"{name}-results", members)
        said = cli("import", format_, place, *more, "--declare", here / f"{name}.toml", "-o", here / name)
        assert said.code == 0, said.out
        return here / name

    return take


def test_4_gradings_of_one_patch_that_differ_are_listed_and_no_run_speaks_alone(cli, here):
    """The same predictions came to another number of resolved instances at each grading."""
    for number, ok in enumerate((True, False, True)):
        odd = {"report.json": wrapped(ODD, swe.report(ok)), "patch.diff": PATCH}
        root, report = f"logs/run_evaluation/grading{number}/{swe.FOLDER}", f"{swe.FOLDER}.grading{number}.json"
        written(here / "all", evaluation(odd, root=root, report=report, state="resolved" if ok else "unresolved"))
    said = cli("audit", here / "all", "--json")
    assert said.code == 1
    (one,) = said.json["regraded"]
    assert (one["task_id"], sorted(one["verdicts"].values())) == (ODD, ["fail", "pass", "pass"])
    assert "ONE PATCH, SEVERAL VERDICTS" in cli("audit", here / "all").out


@pytest.mark.parametrize("versions", [("4.1", "5.0"), ("5.0", "5.0")])
def test_5_two_graders_of_one_set_of_patches_are_no_two_arms(cli, taken, versions):
    """One set of predictions got 28 here and 27 at the hosted service, which was read as a difference of agents."""
    sides = []
    for number, version in enumerate(versions):
        members = evaluation(graded(ok=not number), state="unresolved" if number else "resolved")
        sides.append(taken(f"side{number}", "swebench", members, f'harness_version = "{version}"\n'))
    said = cli("compare", *sides, "--equal", "the predictions are the same", "--json")
    assert said.code == 3
    assert not said.json["comparison"]["estimates"]
    text = " ".join(cli("compare", *sides, "--equal", "the predictions are the same").out.split())
    assert (
        f"hold the same patch or solution in each of the 10 draws that have one, and the verdicts differ on {ODD}"
        in text
    )
    assert ("harness_version differs" in text) == (versions[0] != versions[1])


def test_5_other_patches_are_compared_and_a_shared_one_is_noted(cli, taken):
    """Where the arms did other work, one flipped verdict of a patch that they share is told, and refuses nothing."""
    sides = []
    for number in range(2):
        members = evaluation(graded(ok=not number), state="unresolved" if number else "resolved")
        if number:
            other = PATCH + "+x\n"
            members = {name: other if name.endswith(f"{TEN[3]}/patch.diff") else held for name, held in members.items()}
            members["preds.json"] = predictions(TEN) | predictions([TEN[3]], other)
        sides.append(taken(f"side{number}", "swebench", members))
    said = cli("compare", *sides, "--equal", "one configuration", "--json")
    assert said.code == 0
    assert any(f"two verdicts: {ODD}" in note for note in said.json["comparison"]["notes"])


def test_22_one_set_of_solutions_on_two_hosts_is_no_two_models(cli, taken):
    """A limit of milliseconds passed fewer of the same solutions on a slow host."""
    sides = [
        taken(host, "evalplus", made.evalplus(passing), f'runner = "{host}"\n', "--run", "base")
        for host, passing in (("laptop", 8), ("slow", 4))
    ]
    said = cli("compare", *sides, "--equal", "the same solutions")
    assert said.code == 3
    assert "the grader differs there, no arm does" in " ".join(said.out.split())


@pytest.mark.parametrize("value", [float("nan"), b"bytes", object(), {1, 2}])
def test_7_what_cannot_be_written_fails_loudly(value):
    """A writer met values that are no JSON and dropped their rows."""
    with pytest.raises((DenominatorError, TypeError, ValueError)):
        canonical({"task_id": "a", "value": value})


def rows_kept(cli: Any, here: Any, number: int) -> list[Any]:
    """The rows of a report as they are kept by an import."""
    report = next(one for one in REPORTS if one.number == number)
    cli("import", "auto", written(here / "in", report.members), "-o", here / "kept")
    found: list[Any] = json.loads((here / "kept" / "ledger.json").read_text())["rows"]
    return found


def test_13_a_cost_of_nothing_for_tokens_that_were_used_is_unknown(cli, here):
    costs = [one["own_account"]["cost"] for one in rows_kept(cli, here, 13)]
    assert sorted(map(str, costs))[:3] == ["0.5"] * 3
    assert sum("not_measured" in one for one in costs if isinstance(one, dict)) == 2


def test_14_a_cost_that_its_own_calls_deny_is_unknown(cli, here):
    costs = [one["own_account"]["cost"] for one in rows_kept(cli, here, 14)]
    assert sum(isinstance(one, dict) for one in costs) == 1


def test_15_a_sum_over_tries_is_not_added_to_them(cli, here):
    (row,) = rows_kept(cli, here, 15)
    said = row["own_account"]
    assert (said["prompt"], said["completion"], said["cost"]) == (2000, 100, "1.0")
