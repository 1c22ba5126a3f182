"""The conditions of a run of ours, field by field under the names of docs/formats/conditions.md.

A field that cannot apply is the known value "none" (an agent that calls no model has no temperature). What this platform
does not record is unknown with the reason, and equals nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from decimal import Decimal, InvalidOperation

from denominator.envelopes.fields import NONE, calls_model
from denominator.records.boxes import Fact
from denominator.records.conditions import Condition, Conditions
from denominator.records.envelopes import Arm
from denominator.records.field_names import known_snapshot
from denominator.records.seals import Seal, SealedTask
from denominator.records.values import NotMeasured
from denominator.wire.byvalue import by_value
from denominator.wire.canonical import digest

HARNESS = "denominator"
NO_IMAGE = "no image: toolchain_digest says what is installed"
AGENTS_OWN = "the agent's own: agent_id and agent_version name it"
UNLIMITED = "unlimited"

Told = tuple[str, object]


def conditions_of(seal: Seal) -> Conditions:
    """Every field of the seal that can move its number, in a fixed order, values in canonical text."""
    given = (
        *((name, value, "declared") for name, value in (*_subject(seal), *_model(seal), *_caps(seal), *_policy(seal))),
        *((name, value, "declared") for name, value in _gateway(seal)),
        *((name, value, "recorded") for name, value in (*_box(seal), *_notes(seal))),
        *((name, value, "derived") for name, value in _derived(seal)),
    )
    return tuple(Condition(name=name, value=_text(value), by=by) for name, value, by in given)


def _text(value: object) -> str | NotMeasured:
    return value if isinstance(value, NotMeasured) else by_value(value)


def _subject(seal: Seal) -> Iterable[Told]:
    arm = seal.arm
    yield "agent_id", agent_id(arm)
    yield "agent_version", arm.agent_version
    yield "agent_env", dict(arm.env) or NONE
    yield "agent_mounts", agent_mounts(seal)
    yield "harness_name", HARNESS
    yield "harness_version", seal.version


def agent_mounts(seal: Seal) -> object:
    """What an agent sees of the host by what it holds, wherever it lies there."""
    if not seal.arm.mounts:
        return NONE
    known = {one.inside: one.sha256 for one in seal.mounts}
    unread = [inside for inside, sha in known.items() if isinstance(sha, NotMeasured)]
    if unread or len(known) < len(seal.arm.mounts):
        what = ", ".join(sorted(unread)) or "the mounts"
        return NotMeasured(f"what {what} held was not sealed")
    return known


def agent_id(arm: Arm) -> object:
    """An agent by name; one that is a command or a script by what it is made of too."""
    if isinstance(arm.agent, NotMeasured) or not (arm.command or arm.script):
        return arm.agent
    made = {"command": list(arm.command), "script": arm.script}
    return {"agent": arm.agent, **{name: value for name, value in made.items() if value}}


def _model(seal: Seal) -> Iterable[Told]:
    """What only an arm that calls a model has."""
    model = seal.arm.model
    host, path = endpoint(model.endpoint)
    terms = seal.envelope.terms
    told: Mapping[str, object] = {
        "model_id": model.id,
        "model_snapshot": known_snapshot(model.id, model.snapshot),
        "temperature": _number(model.temperature),
        "seed": _number(model.seed),
        "max_output_tokens": model.max_output_tokens,
        "budget_tokens_per_task": seal.envelope.budget.tokens,
        "endpoint_host": host,
        "endpoint_path": path,
        "endpoint_route": "gateway",
        "access_class": model.access_class,
        "server_class": model.server_class,
        "usage_convention": "provider's own, read by the gateway",
        "endpoint_terms": {"allowance": terms.allowance, "reset_rule": terms.reset_rule, "source": terms.source},
        "terms_read_on": terms.read_on or NONE,
        "provider_region": NotMeasured("no response names it"),
    }
    silent = not calls_model(seal.arm)
    yield from ((name, NONE if silent else value) for name, value in told.items())


def endpoint(stated: str | NotMeasured) -> tuple[str | NotMeasured, str | NotMeasured]:
    """(host, path) of an endpoint, with or without a scheme; credentials before the host are left out."""
    if isinstance(stated, NotMeasured):
        return stated, stated
    rest = stated.partition("://")[2] if "://" in stated else stated
    host, _, path = rest.partition("/")
    return host.rpartition("@")[2].lower(), "/" + path.partition("?")[0].rstrip("/")


def _number(stated: str | NotMeasured) -> object:
    """A number that people write as text, as a number; any other text as it is."""
    if isinstance(stated, NotMeasured):
        return stated
    try:
        found = Decimal(stated)
    except InvalidOperation:
        return stated
    return found if found.is_finite() else stated


def _caps(seal: Seal) -> Iterable[Told]:
    """Budgets and limits. No tool and no turn has a limit of its own here; memory is guaranteed to nobody."""
    budget, box, run = seal.envelope.budget, seal.envelope.sandbox, seal.envelope.run
    yield "wall_cap_s", budget.wall_s
    yield "working_cap_s", budget.working_s
    yield "tool_call_cap", budget.tool_calls
    yield "call_cap", budget.calls if isinstance(budget.calls, int) else NONE
    yield "turn_cap", NONE
    yield "tool_timeout_s", NONE
    yield "output_cap_bytes", budget.output_bytes
    yield "max_attempts", budget.attempts
    yield "repeats", budget.repeats
    yield "incarnations_max", budget.incarnations_max
    yield "network", box.network
    yield "mem_guaranteed_mb", NONE
    yield "mem_kill_mb", box.memory_mb
    yield "processes", box.processes
    yield "disk_mb", box.disk_mb
    yield "file_mb", box.file_mb
    yield "open_files", box.open_files
    yield "site_packages", box.site or NONE
    yield "concurrency", run.concurrency
    yield "seeds", list(run.seeds) or NONE
    yield "warmup_tasks", run.warmup_tasks
    yield "run_cap_tokens", run.run_cap_tokens if isinstance(run.run_cap_tokens, int) else NONE


def _gateway(seal: Seal) -> Iterable[Told]:
    """How calls are carried. Whether texts are kept moves no number."""
    terms = seal.envelope.gateway
    retries = {"retries": terms.retries, "retry_on": sorted(terms.retry_on), "wait_max_s": terms.wait_max_s}
    yield "transport_retries", retries if terms.retries else NONE
    yield "provider_faults", [asdict(one) for one in terms.fault] or NONE
    yield "cassette", _cassette(seal)


def _cassette(seal: Seal) -> object:
    """The recording that answers, by what it holds; what may differ from it is a part of it."""
    if not seal.envelope.gateway.cassette:
        return NONE
    if seal.cassette is None:
        return NotMeasured("what the cassette held was not sealed")
    return {"sha256": seal.cassette.sha256, "volatile": sorted(seal.envelope.gateway.volatile)}


def _policy(seal: Seal) -> Iterable[Told]:
    envelope, policy = seal.envelope, seal.envelope.policy
    retry = {name: getattr(policy.retry, name) for name in policy.retry.__dataclass_fields__}
    unknown = next((value for value in retry.values() if isinstance(value, NotMeasured)), None)
    yield "retry_policy", retry if unknown is None else unknown
    yield "on_timeout", policy.on_timeout
    yield "never_started_allowed", sorted(policy.never_started_allowed) or NONE
    yield "house_reasons", NONE
    yield "tool_loop_n", policy.tool_loop_n
    yield "headline_metric", envelope.metric.headline
    yield "scorer", envelope.metric.scorer
    yield "invalid_rate_ceiling", _number(envelope.ceilings.invalid_rate)
    yield "infra_rate_ceiling", _number(envelope.ceilings.infra_rate)


def _box(seal: Seal) -> Iterable[Told]:
    box = seal.box
    yield "cpus", _number(_tightest(box.cgroup_cpu_limit, box.cpu_count))
    yield "toolchain_digest", box.toolchain_digest
    held = sorted(one.name for one in seal.sandbox.protections if one.holds)
    image = {"image": seal.envelope.sandbox.image} if seal.envelope.sandbox.image else {}
    yield "sandbox", {"name": seal.sandbox.name, "mode": seal.sandbox.mode, "protections": held, **image}
    yield "runner", box.host
    yield "kernel", box.kernel
    yield "cpu_model", box.cpu_model
    yield "memory_bytes", _number(_tightest(box.cgroup_memory_limit, box.memory_bytes))


def _tightest(limit: Fact, machine: Fact) -> Fact:
    """What a control group allows; where it sets no limit, or none is visible, what the machine has."""
    return limit if isinstance(limit, str) and limit != UNLIMITED else machine


def _notes(seal: Seal) -> Iterable[Told]:
    yield "arm", seal.arm.label
    yield "operator", seal.envelope.provenance.operator
    yield "purpose", seal.envelope.provenance.purpose
    yield "sentence", seal.envelope.cite.sentence
    yield "sealed_at_utc", seal.sealed_at
    yield "baseline_digest", seal.baseline_digest


def _derived(seal: Seal) -> Iterable[Told]:
    """Digests of what is sealed as a whole."""
    yield "harness_commit", _commit(seal)
    yield "env_image_digest", _environment(seal)
    yield "task_slice_sha256", digest([_task(one) for one in _by_id(seal)])
    yield "prompt_id", digest([[one.task.id, one.locked.prompt_sha256] for one in _by_id(seal)])
    yield "prompt_template_sha256", NONE
    yield "tool_list_digest", NONE if not calls_model(seal.arm) else AGENTS_OWN
    yield "scoring_script_sha256", seal.grader_sha
    yield "verify_timeout_s", _by_task(seal, {one.task.id: one.task.verify.timeout_s for one in seal.tasks})
    yield "grading_levels", _by_task(seal, {one.task.id: one.task.verify.level for one in seal.tasks})
    yield "rules_digest", seal.rules_digest
    yield "causes_digest", digest([asdict(one) for one in seal.causes])
    yield "task_order_sha256", seal.plan.order_digest


def _commit(seal: Seal) -> object:
    """What the arm says of its own agent's code; else of this harness.

    A release has one commit. Of a checkout with changes the parts that judge are named by their digests.
    """
    if seal.arm.harness_commit:
        return seal.arm.harness_commit
    if isinstance(seal.box.harness_commit, NotMeasured):
        return f"release {seal.version}" if seal.version else seal.box.harness_commit
    if not seal.commit.endswith("+changes"):
        return seal.commit
    return f"{seal.commit}, rules {seal.rules_digest[:12]}, grader {seal.grader_sha[:12]}"


def _environment(seal: Seal) -> object:
    """The image that everything runs in, where the box shows one; what is installed is pinned by the toolchain's digest."""
    found = seal.box.container_image
    return found if isinstance(found, str) else NO_IMAGE


def _by_id(seal: Seal) -> list[SealedTask]:
    return sorted(seal.tasks, key=lambda one: one.task.id)


def _task(one: SealedTask) -> list[object]:
    """A task without its prompt (a field of its own), its time limit and its prose."""
    task, verify = one.task, one.task.verify
    return [
        task.id, task.slice, task.control, task.expected, list(task.allowed), list(task.forbidden),
        list(task.required_files), task.canary, one.locked.base_tree, one.locked.hidden_tree, verify.runner,
        verify.command, verify.report, sorted(verify.expected_tests), sorted(verify.counter_tests),
        *([verify.service, verify.generated_counter_tests] if verify.service or verify.generated_counter_tests else []),
    ]  # fmt: skip


def _by_task(seal: Seal, told: Mapping[str, object]) -> object:
    """One value where every task has it; else a digest of all."""
    values = list(dict.fromkeys(told.values()))
    if len(values) == 1:
        return values[0]
    return f"by task {digest(dict(told))}" if seal.tasks else NONE
