"""Legal journals for tests of the fold: what the pipeline writes about attempts, transaction by transaction, with deaths between."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from denominator.records.boxes import Box, SandboxFacts
from denominator.records.envelopes import Arm, Envelope, ModelTerms
from denominator.records.events import Event
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.packs import LockedTask, Task, Verify
from denominator.records.rows import Declared
from denominator.records.seals import Plan, Seal, SealedTask
from denominator.records.values import NotMeasured

RUN = "r1"
DRAWS = tuple(DrawKey(task, repeat) for repeat in (1, 2) for task in ("alpha", "beta"))
Transaction = list[tuple[str, dict[str, Any], dict[str, Any]]]  # kind, payload, other fields of the event


def a_seal() -> Seal:
    unknown = NotMeasured("a test")
    fields = Box.__dataclass_fields__
    box = Box(**{name: unknown for name in fields if name != "schema_version"})
    verify = Verify(runner="unittest", timeout_s=5, level="G2", expected_tests=("t.T.test",))
    tasks = tuple(
        SealedTask(
            task=Task(
                id=name, title="", slice="solvable", expected="pass", reason="", license="MIT", allowed=("**",),
                verify=verify,
            ),
            locked=LockedTask(id=name, digest="d", prompt_sha256="p", base_tree="b", hidden_tree="h"),
        )
        for name in ("alpha", "beta")
    )  # fmt: skip
    return Seal(
        envelope=Envelope(), arm=Arm(label="a", model=ModelTerms(id="none")), pack_id="p", pack_version="1", pack_digest="d",
        pack_reason="", pack_license="MIT", selection_rule="", tasks=tasks,
        plan=Plan(draws=tuple(Declared(draw=draw, stratum="s") for draw in DRAWS), warmup=("alpha",)),
        rules_digest="", causes=(), box=box, baseline_digest="base", grader_sha="", unsandboxed=False, version="", commit="",
        sandbox=SandboxFacts(name="", version="", mode="", usable=True, protections=()), sealed_at="",
    )  # fmt: skip


@dataclass(frozen=True)
class Lived:
    """One attempt as it was lived: its events, and what a right fold must say of it."""

    key: AttemptKey
    events: list[Event] = field(default_factory=list)
    expected: dict[str, Any] = field(default_factory=dict)


def incarnation(number: int, after: str, ending: str) -> list[Transaction]:
    """The transactions of one incarnation that starts after a checkpoint; every figure names the incarnation."""
    mark = 1000 * number

    def step(
        checkpoint: str, kind: str, payload: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any], dict[str, Any]]:
        return (f"checkpoint.{kind}", payload or {}, {"checkpoint": checkpoint})

    agent = [
        ("agent.ended", {"exit": 0, "signal": 0, "killed_by": "nobody", "oom": False, "wall_ms": mark + 1, "paused_ms": 0,
          "working_ms": mark + 1, "setup_ms": mark + 2, "after_cap": False, "asked": False, "abstained": number % 2 == 0,
          "enforced": {"wall": f"{mark}"}}, {}),
        ("patch", {"sha256": f"patch-{number}", "bytes": mark, "touched": ["a.py"], "outside": [], "base_tree": "b",
          "final_tree": f"final-{number}", "canary_hits": []}, {"blob": f"patch-{number}"}),
        step("patch_drafted", "done"),
    ]  # fmt: skip
    closed = [("closed", {"stop_reason": ending, "wall_ms": mark + 9}, {})]
    failed = [("failure", {"cause": "oom_sandbox", "recovered": False}, {"phase": "agent", "writer": "sandbox"})]
    graded = [
        ("graded", {"grade": "green" if ending == "pass" else "red", "level": "G2", "stage": "finished", "exit": 0, "signal": 0,
          "expected": ["t.T.test"], "passed": ["t.T.test"] if ending == "pass" else [], "sentinels_expected": 2,
          "sentinels_failed": 2, "wall_ms": mark + 5, "grader_sha": "g", "report_sha": f"report-{number}"}, {}),
        step("tests_run", "done"), step("grade_recorded", "intent"), step("grade_recorded", "done"), *closed,
    ]  # fmt: skip
    started = [("started", {"queue_wait_ms": mark + 3, "cold_start": number == 1, "from": after}, {})]
    phases = {
        "": [[step("context_loaded", "intent")], [step("context_loaded", "done")], [step("patch_drafted", "intent")],
             [*agent, *failed, *closed] if ending == "infra" else agent],
        "patch_drafted": [[step("patch_applied", "intent")], [("applied", {"tree": f"applied-{number}"}, {}), step("patch_applied", "done")]],
        "patch_applied": [[step("tests_run", "intent")], graded],
    }  # fmt: skip
    names = list(phases)
    todo = names[names.index(after) :] if ending != "infra" else [""]
    return [started, *(transaction for name in todo for transaction in phases[name])]


@st.composite
def attempts(draw: st.DrawFn) -> list[Lived]:
    """Every promised attempt of a run, some with deaths, some still open, one a warm-up, some with a retry."""
    lived = [_lived(draw, AttemptKey(RUN, "alpha", 0, 1), "warmup", 1)]
    for place, one in enumerate(DRAWS):
        first = _lived(draw, AttemptKey(RUN, one.task_id, one.repeat, 1), "plan", 100 * (place + 1))
        lived.append(first)
        if first.expected.get("stop_reason") == "infra":
            lived.append(_lived(draw, AttemptKey(RUN, one.task_id, one.repeat, 2), "retry", 100 * (place + 1) + 5000))
    return lived


def _lived(draw: st.DrawFn, key: AttemptKey, cause: str, seq: int) -> Lived:
    ending = draw(st.sampled_from(("pass", "tests_red", "infra")))
    deaths = draw(st.lists(st.integers(0, 9), max_size=3))
    finishes = draw(st.booleans())
    promise = {
        "slice": "solvable",
        "cause": "plan" if cause == "warmup" else cause,
        "purpose": "warmup" if cause == "warmup" else "solve",
    }
    rows: list[tuple[int, str, dict[str, Any], dict[str, Any]]] = [(1, "promised", promise, {"phase": "run"})]
    expected: dict[str, Any] = {"cause": promise["cause"], "started": False, "closed": False}
    after = ""
    lives: list[int | None] = [*deaths, *([None] if finishes else [])]
    for number, survived in enumerate(lives, start=1):
        if expected["closed"]:
            break
        transactions = incarnation(number, after, ending)
        for transaction in transactions[: survived if survived is not None else len(transactions)]:
            for kind, payload, more in transaction:
                rows.append((number, kind, payload, more))
                _expect(expected, number, kind, payload)
                if kind == "checkpoint.done" and more["checkpoint"] in ("patch_drafted", "patch_applied"):
                    after = more["checkpoint"]
    return Lived(key, [_event(key, seq + n, *row) for n, row in enumerate(rows)], expected)


def _expect(expected: dict[str, Any], number: int, kind: str, payload: dict[str, Any]) -> None:
    """What a fold must know after one more event, said another way: by whom each fact was made last."""
    if kind == "started":
        expected.setdefault("queue_wait_ms", payload["queue_wait_ms"])
        expected.update(started=True, incarnations=number, cold_start=payload["cold_start"])
    elif kind == "agent.ended":
        expected.update(agent_ms=payload["wall_ms"], abstained=payload["abstained"], setup_ms=payload["setup_ms"])
    elif kind == "patch":
        expected.update(patch_sha=payload["sha256"])
    elif kind == "applied":
        expected.update(applied_tree=payload["tree"])
    elif kind == "graded":
        expected.update(grade=payload["grade"], report_sha=payload["report_sha"])
    elif kind == "closed":
        expected.update(closed=True, stop_reason=payload["stop_reason"])


def _event(
    key: AttemptKey | None, seq: int, number: int, kind: str, payload: dict[str, Any], more: dict[str, Any]
) -> Event:
    fields = {
        "seq": seq, "run_id": RUN, "key": key, "incarnation": number, "t_mono_ns": seq, "boot_id": "b", "t_wall": "",
        "phase": "agent", "writer": "harness", "kind": kind, "checkpoint": "", "stream": "", "payload": payload, "blob": "",
        "prev_sha": "", "sha": str(seq),
    }  # fmt: skip
    return Event(**(fields | more))  # type: ignore[arg-type]


def an_event(
    key: AttemptKey | None, seq: int, kind: str, payload: dict[str, Any] | None = None, number: int = 1, **more: Any
) -> Event:
    """Any event."""
    return _event(key, seq, number, kind, payload or {}, more)
