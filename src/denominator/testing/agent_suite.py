"""What every agent must hold to (docs/formats/agent.md). Each check returns the breaches found; none is a pass."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from denominator.ports import Agent, AgentPlan, AgentTask, Job, Limits, Mount, Sandbox

FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
GOLD_MARK = b"denominator-gold-mark-5f0c"
TAKEN = frozenset({"prompt.md"})


def check_plan(make: Callable[[], Agent], task: AgentTask) -> list[str]:
    """Everything that can be told without running the plan."""
    agent = make()
    marked = replace(task, gold=(task.gold or b"") + GOLD_MARK)
    plan = agent.plan(marked if not agent.needs_gold else task)
    found = [] if agent.name and agent.version() else ["name or version is empty"]
    if agent.plan(task) != agent.plan(task) or make().plan(task) != agent.plan(task):
        found.append("two plans of one task differ")
    if replace_attempt(agent, task) != agent.plan(task):
        found.append("the plan tells one attempt from another")
    if not agent.needs_gold and GOLD_MARK in _everything(plan):
        found.append("the plan holds gold that the agent does not declare")
    return found + _form(plan)


def replace_attempt(agent: Agent, task: AgentTask) -> AgentPlan:
    """The plan of a later attempt of another run: it must be the same."""
    return agent.plan(replace(task, key=replace(task.key, run_id="another", attempt=task.key.attempt + 1)))


def _form(plan: AgentPlan) -> list[str]:
    found = [f"argv holds {part!r}" for part in plan.argv if not isinstance(part, str) or "\0" in part]
    if plan.argv and not plan.argv[0]:
        found.append("the command's name is empty")
    for name, value in plan.env.items():
        if not VARIABLE.fullmatch(name) or "\0" in value:
            found.append(f"variable {name!r} cannot be set")
    for name in plan.files:
        if not FILE_NAME.fullmatch(name) or name in TAKEN:
            found.append(f"file {name!r} has no safe name of its own")
    try:
        json.dumps([list(plan.argv), dict(plan.env)], ensure_ascii=False).encode()
    except (TypeError, UnicodeEncodeError) as error:
        found.append(f"command and environment cannot be recorded: {error}")
    return found + _leaks(plan)


def _leaks(plan: AgentPlan) -> list[str]:
    hosts = {str(Path.home()), str(Path.cwd()), *(str(mount.host) for mount in plan.mounts)} - {"/", "/tmp", "/work"}
    shown = [*plan.argv, *(f"{name}={value}" for name, value in plan.env.items())]
    found = [f"host path {host} in {text!r}" for host in sorted(hosts) for text in shown if host in text]
    found += [f"mount {mount.inside} is writable" for mount in plan.mounts if mount.writable]
    return found + [f"mount {mount.inside!r} is not absolute" for mount in plan.mounts if mount.inside[:1] != "/"]


def _everything(plan: AgentPlan) -> bytes:
    text = "\0".join([*plan.argv, *plan.env.values()]).encode("utf-8", "surrogateescape")
    return text + b"\0".join(plan.files.values())


def check_run(
    agent: Agent, task: AgentTask, sandbox: Sandbox, folder: Path, prepare: Callable[[Path], None]
) -> list[str]:
    """Runs the plan in a real sandbox on a small repository that `prepare` writes; it must start and come to an end."""
    plan = agent.plan(task)
    if not plan.argv:
        return []
    limits = suite_limits()
    work = sandbox.workspace(folder / "work", role="agent", slot=0, disk_bytes=limits.disk_bytes)
    out = sandbox.workspace(folder / "out", role="agent", slot=0, disk_bytes=limits.disk_bytes)
    try:
        prepare(work)
        sandbox.hand_over(work, role="agent", slot=0)
        job = job_of(plan, task.prompt, folder / "in", work=work, out=out, limits=limits)
        ended = sandbox.run(job)
        if ended.start_error:
            return [f"did not start: {ended.start_error}"]
        return [] if ended.killed_by == "nobody" else [f"did not end by itself: {ended.killed_by}"]
    finally:
        sandbox.discard(work)
        sandbox.discard(out)


def job_of(
    plan: AgentPlan, prompt: str, shown: Path, *, work: Path, out: Path, limits: Limits, socket: Path | None = None
) -> Job:
    """The job that carries a plan out, `shown` being a new folder for /in."""
    shown.mkdir(mode=0o755)
    for name, data in {**plan.files, "prompt.md": prompt.encode()}.items():
        (shown / name).write_bytes(data)
        (shown / name).chmod(0o644)
    mounts: Sequence[Mount] = (Mount(host=shown, inside="/in"), *plan.mounts)
    return Job(
        argv=plan.argv,
        role="agent",
        limits=limits,
        workdir=work,
        outdir=out,
        mounts=mounts,
        env=dict(plan.env),
        socket=socket,
    )


def suite_limits() -> Limits:
    """Small, and enough for a driver."""
    mb = 2**20
    return Limits(
        wall_s=60,
        memory_bytes=512 * mb,
        processes=64,
        disk_bytes=64 * mb,
        file_bytes=32 * mb,
        open_files=256,
        output_bytes=8 * mb,
    )
