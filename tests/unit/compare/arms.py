"""Two arms for tests of comparing: from stated conditions and outcomes, or from seals of ours."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

from denominator.compare.comparable import comparable
from denominator.compare.fields import CORE
from denominator.envelopes import demo_envelope, terms_of
from denominator.judge import judge
from denominator.records.boxes import Box, Protection, SandboxFacts
from denominator.records.comparisons import Comparability, Side
from denominator.records.conditions import Condition
from denominator.records.envelopes import Arm, ModelTerms
from denominator.records.keys import DrawKey
from denominator.records.packs import LockedTask, Task, Verify
from denominator.records.rows import Declared
from denominator.records.seals import CauseRule, Plan, Seal, SealedMount, SealedTask
from denominator.records.values import NotMeasured
from judging_data import by_outcome, ledger, own, terms

STATED: dict[str, Any] = {one.name: f"{one.name}-1" for one in CORE} | {"temperature": 0, "model_id": "prov/fam"}


def side(name: str, stated: dict[str, Any] | None = None, rows: Any = None, labels: Any = None, **over: Any) -> Side:
    """An arm of foreign rows (three passes, two fails by default) under stated conditions; a NotMeasured is explicit."""
    if rows is None:
        rows, labels = by_outcome(**{"pass": 3, "fail": 2})
    conditions = tuple(_condition(key, value) for key, value in (STATED if stated is None else stated).items())
    declared = over.pop("declared", None)
    judged = judge(ledger(rows, labels, declared), terms(conditions=conditions, **over))
    return Side(name=name, sheet=judged.sheet, verdict=judged.verdict)


def _condition(name: str, value: Any) -> Condition:
    return Condition(name=name, value=value if isinstance(value, NotMeasured) else json.dumps(value))


def ask(a: Any = None, b: Any = None, **asked: Any) -> Comparability:
    """May these two be compared? Tables of conditions become arms."""
    made = [one if isinstance(one, Side) else side(name, one) for name, one in (("A", a), ("B", b))]
    return comparable(*made, **asked)


def blocked(found: Comparability) -> set[str]:
    """The names of the fields that block."""
    return {one.name for one in found.fields if one.blocks}


MODEL = ModelTerms(
    id="prov/big", snapshot="big-2026-10-01", endpoint="https://models.example.org/v1/", access_class="pay_per_token",
    server_class="shared", temperature="0.0", seed="7", max_output_tokens=4096,
)  # fmt: skip
DEMO = demo_envelope("first", "oracle", version="1")
ARM = Arm(
    label="first", agent="command", agent_version="1", model=MODEL, command=("agent", "{prompt_file}"),
    env={"MODE": "plain"}, mounts=("agent=/opt/agent",), harness_commit="c0ffee",
)  # fmt: skip
ENVELOPE = replace(
    DEMO,
    arm=(ARM,),
    budget=replace(DEMO.budget, tokens=20000),
    sandbox=replace(DEMO.sandbox, network="gateway"),
    run=replace(DEMO.run, seeds=(7,)),
    terms=replace(DEMO.terms, allowance="500 a day", source="https://models.example.org/terms", read_on="2026-11-29"),
)


def _task(name: str) -> SealedTask:
    verify = Verify(runner="unittest", timeout_s=5, level="G3", expected_tests=("t::a",))
    task = Task(
        id=name,
        title=name,
        slice="solvable",
        expected="pass",
        reason="x",
        license="MIT",
        allowed=("**",),
        verify=verify,
    )
    return SealedTask(
        task=task, locked=LockedTask(id=name, digest="d", prompt_sha256="p", base_tree="b", hidden_tree="h")
    )


TASKS = tuple(_task(f"t{number:02}") for number in range(1, 6))
SEAL = Seal(
    envelope=ENVELOPE, arm=ARM, pack_id="p", pack_version="1", pack_digest="d" * 64, pack_reason="convenience",
    pack_license="MIT", selection_rule="convenience", tasks=TASKS,
    plan=Plan(draws=tuple(Declared(draw=DrawKey(one.task.id)) for one in TASKS), order_digest="o" * 64),
    rules_digest="r" * 64, causes=(CauseRule(cause="unknown", origin="HARNESS", may_rerun=False),),
    box=Box(**{f.name: f.name if f.name != "cpu_count" else "8" for f in fields(Box) if f.name != "schema_version"}),
    sandbox=SandboxFacts(
        name="bubblewrap", version="1", mode="user", usable=True,
        protections=(Protection(name="no_network", holds=True, how="tried"),),
    ),
    grader_sha="g" * 64, baseline_digest="b" * 64, unsandboxed=False, version="0.1.0", commit="c" * 40,
    sealed_at="2026-11-29T12:00:00.000Z", mounts=(SealedMount(inside="/opt/agent", sha256="a" * 64),),
)  # fmt: skip


def put(record: Any, path: str, value: Any) -> Any:
    """A frozen record with one field changed, by its dotted path; `tasks` and `arm` stand for every one of them."""
    head, _, rest = path.partition(".")
    inner = getattr(record, head)
    if rest and isinstance(inner, tuple):
        return replace(record, **{head: tuple(put(one, rest, value) for one in inner)})
    return replace(record, **{head: put(inner, rest, value) if rest else value})


def sealed_rows(served: str = "big-2026-10-01", **over: Any) -> list[Any]:
    """Five attempts of a run of ours that a model answered."""
    return [
        own(one.task.id, "green" if number else "red", **{"served_models": (served,), **over})
        for number, one in enumerate(TASKS)
    ]


def sealed_side(name: str, seal: Seal, rows: Any = None) -> Side:
    """An arm of a run of ours under a seal."""
    judged = judge(ledger(sealed_rows() if rows is None else rows, source="own"), terms_of(seal))
    return Side(name=name, sheet=judged.sheet, verdict=judged.verdict)
