"""Small inputs of public reports in which a score was wrong, each in the format that it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from importer_examples import mini_swe_agent as mini
from importer_examples import openhands as hands
from importer_examples import swe_agent as swea
from importer_examples import swebench as swe
from importer_examples.swebench import PATCH, REPORT, ROOT, predictions, run_report, wrapped

TEN = [f"p__q-{n}" for n in range(1, 11)]
ODD = TEN[0]
CRITIC = "output.critic_attempt_1.jsonl"
ONE_TRY = hands.METADATA | {"n_critic_runs": 1}
MANIFEST: dict[str, Any] = {
    "run_id": "r", "dataset": {"name": "ten", "task_ids": TEN}, "model_id": "m", "max_attempts": 1, "retry_policy": "none",
    "scorer": "tests", "on_timeout": "fail", "invalid_rate_ceiling": 0.1,
}  # fmt: skip
OUTPUT = "+ : '>>>>> Start Test Output'\nPASSED tests/test_a.py::test_fix\n+ : '>>>>> End Test Output'\n"


@dataclass(frozen=True)
class Report:
    """One public report.

    `what` went wrong in public, in our words. `members` is the input; what `audit` must say of it follows: exit, passes and
    how many were scheduled, outcomes with how many ended so, kinds of defects (True: blocks), what it says of printed
    numbers, rules that block, pieces of its text.
    """

    number: int
    what: str
    members: Mapping[str, Any]
    exit: int
    name: str = ""
    passes: object = None
    scheduled: object = None
    outcomes: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    defects: Mapping[str, bool] = field(default_factory=dict)
    says: Mapping[tuple[str, str], str] = field(default_factory=dict)
    rules: Sequence[str] = ()
    text: Sequence[str] = ()


def lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """JSON lines."""
    return "".join(json.dumps(one) + "\n" for one in rows)


def graded(ok: bool = True, task: str = ODD) -> dict[str, Any]:
    """The folder of an instance with a report."""
    return {"report.json": wrapped(task, swe.report(ok)), "patch.diff": PATCH, "test_output.txt": OUTPUT}


def evaluation(
    odd: Mapping[str, Any], *, root: str = ROOT, report: str = REPORT, state: str = "resolved", handed: Any = None
) -> dict[str, Any]:
    """A run of the SWE-bench harness over ten ids: nine resolved, and one with the folder `odd` under `state` of its report."""
    folders = {task: graded(task=task) for task in TEN[1:]} | {ODD: dict(odd)}
    found: dict[str, Any] = {
        f"{root}/{task}/{name}": content for task, members in folders.items() for name, content in members.items()
    }
    lists = {"resolved_ids": TEN[1:]}
    lists[f"{state}_ids"] = [*lists.get(f"{state}_ids", []), ODD]
    return found | {report: run_report(**lists), "preds.json": handed or predictions(TEN)}


def error_of(text: str) -> str:
    """The harness's log of an instance that it could not grade."""
    stamp = swe.STAMP.replace("INFO", "ERROR")
    return f"{swe.STAMP}Creating container...\n{stamp}Error in evaluating model for {ODD}: {text}\n"


def named_tests(fix: Mapping[str, Sequence[str]], *, resolved: bool) -> dict[str, Any]:
    """An instance's report with these tests under FAIL_TO_PASS."""
    report = swe.report(resolved)
    report["tests_status"]["FAIL_TO_PASS"] = {"success": [], "failure": []} | fix
    return {"report.json": wrapped(ODD, report), "patch.diff": PATCH}


def output(
    rows: Sequence[Mapping[str, Any]], handed: Sequence[Mapping[str, Any]] | None = None, **more: Any
) -> dict[str, Any]:
    """An output folder of OpenHands with one attempt an id."""
    kept = rows if handed is None else handed
    return {CRITIC: lines(rows), "output.jsonl": lines(kept), "metadata.json": ONE_TRY} | more


def named(n: int) -> list[str]:
    """Ids of an OpenHands run."""
    return [f"a__b-{number}" for number in range(n)]


def ran(ids: Sequence[str], **over: Any) -> list[dict[str, Any]]:
    """Their rows, each with a patch."""
    return [hands.row(one, **over) for one in ids]


def verdicts(every: Sequence[str], **states: Sequence[str]) -> dict[str, Any]:
    """The run report under the name that OpenHands gives it."""
    return {"output.report.json": hands.report(every, **states)}


def outcome(task: str, word: str = "pass", **more: Any) -> dict[str, Any]:
    """A row of `import rows`."""
    return {"run_id": "r", "task_id": task, "attempt": 1, "outcome": word, **more}


def rows(found: Sequence[Mapping[str, Any]], manifest: Mapping[str, Any] = MANIFEST, **more: Any) -> dict[str, Any]:
    """Rows beside their manifest."""
    return {"rows.jsonl": lines(found), "manifest.json": dict(manifest)} | more


def gold() -> list[dict[str, Any]]:
    """Five gradings of each reference patch: the third never passes, the seventh fails once."""
    found = []
    for task in TEN:
        for day in range(5):
            bad = task == TEN[2] or (task == TEN[6] and day == 2)
            found.append(
                {
                    "task_id": task,
                    "agent": "gold",
                    "status": "fail" if bad else "pass",
                    "date": "2026-01-01",
                    "concurrency": 1,
                }
            )
    return found


def cell(number: int, *, cached: bool) -> dict[str, Any]:
    """A row of promptfoo: the same test again."""
    given = {"x": 1}
    return {
        "id": f"r{number}", "promptIdx": 0, "testIdx": number, "promptId": "p", "vars": given, "success": True, "score": 1,
        "testCase": {"vars": given, "assert": [{"type": "contains", "value": "a"}]}, "failureReason": 0, "error": None,
        "provider": {"id": "acme:m-1", "label": ""}, "response": {"output": "same", "cached": cached}, "latencyMs": 2,
        "cost": 0.001, "tokenUsage": {"total": 10, "prompt": 7, "completion": 3, "numRequests": 1},
    }  # fmt: skip


def promptfoo(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A document of promptfoo whose one test was asked for five times."""
    results = {"version": 3, "timestamp": "2026-01-01T00:00:00.000Z", "prompts": [], "results": list(found)}
    config = {"tests": [{"vars": {"x": 1}}], "evaluateOptions": {"repeat": 5}}
    return {"evalId": "e1", "results": results, "config": config, "metadata": {"promptfooVersion": "0.123.1"}}


def evalplus(passing: int) -> dict[str, Any]:
    """Twenty solutions and their results, of which some pass."""
    tasks = [f"HumanEval/{n}" for n in range(20)]
    words = ["pass" if n < passing else "fail" for n in range(20)]
    results = {
        task: [
            {
                "task_id": task, "solution": f"s{n}", "base_status": words[n], "plus_status": words[n], "base_fail_tests": [],
                "plus_fail_tests": [],
            }
        ]
        for n, task in enumerate(tasks)
    }  # fmt: skip
    samples = lines([{"task_id": task, "solution": f"s{n}"} for n, task in enumerate(tasks)])
    return {"m.jsonl": samples, "m_eval_results.json": {"date": "2026-01-01 10:00", "hash": "h1", "eval": results}}


def submission(split: str, resolved: Sequence[str], percent: float) -> dict[str, Any]:
    """A submission to the public leaderboard with a percent that was typed by hand."""
    top = f"evaluation/{split}/20260101_x"
    about = {
        "info": {"name": "x", "resolved": percent},
        "tags": {"checked": True, "model": ["m"], "system": {"attempts": "1"}},
    }
    lists = {"no_generation": [], "no_logs": [], "resolved": list(resolved)}
    return {f"{top}/results/results.json": lists, f"{top}/metadata.yaml": json.dumps(about)}


def billed() -> dict[str, Any]:
    """Ten trajectories of mini-swe-agent; the calls of one sum to three dollars where it counts one."""
    found = mini.folder(dict.fromkeys(TEN, ("Submitted", mini.PATCH)))
    told = found[f"{ODD}/{ODD}.traj.json"]
    told["info"]["model_stats"] = {"instance_cost": 1.0, "api_calls": 1}
    call = {"response": {"model": "acme/m-1", "usage": mini.USAGE}, "cost": 1.0, "timestamp": 1764500000.5}
    told["messages"][2:3] = [{"role": "assistant", "content": "t", "extra": call} for _ in range(3)]
    return found


def retried() -> dict[str, Any]:
    """A trajectory of SWE-agent's retry agent: two tries, and the sum of both at the top."""
    one = swea.trajectory("submitted", swea.PATCH)
    stats = {"instance_cost": 1.0, "tokens_sent": 2000, "tokens_received": 100, "api_calls": 4}
    info = one["info"] | {
        "model_stats": stats,
        "best_attempt_idx": 1,
        "rloop_model_stats": {"instance_cost": 0.0, "api_calls": 0},
    }
    pred = {"model_name_or_path": "m", "instance_id": "t1", "model_patch": swea.PATCH}
    return {"t1/t1.traj": one | {"info": info, "attempts": [one, one]}, "t1/t1.pred": pred}


def pending(n: int) -> dict[str, Any]:
    """A report of the hosted evaluation in which nothing was evaluated yet."""
    ids = [f"p__q-{number}" for number in range(n)]
    empty = ("completed", "resolved", "unresolved", "failed", "error")
    return {
        **{f"{one}_ids": [] for one in empty}, **{f"{one}_instances": 0 for one in empty}, "total_instances": n,
        "submitted_instances": n, "pending_instances": n, "submitted_ids": ids, "pending_ids": ids,
    }  # fmt: skip


def throttled() -> dict[str, Any]:
    """Ten runs of mini-swe-agent and their evaluation: two died of a throttled key, and were handed in as empty patches."""
    endings = dict.fromkeys(TEN[:8], ("Submitted", PATCH)) | dict.fromkeys(TEN[8:], ("RateLimitError", ""))
    report = run_report(resolved_ids=TEN[:4], unresolved_ids=TEN[4:8], empty_patch_ids=TEN[8:])
    folders = {
        f"{ROOT}/{task}/{name}": held
        for n, task in enumerate(TEN[:8])
        for name, held in graded(n < 4, task).items()
        if name != "test_output.txt"
    }
    return mini.folder(endings) | folders | {REPORT: report}
