"""The earliest failure that nothing recovered from: image, sandbox, node, provider, limit, disk, in the order of the clock."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from denominator.importers.columns import Cells
from denominator.importers.logs.calls import Timed
from denominator.importers.logs.limits import Limit, capped_at
from denominator.importers.logs.told import Told
from denominator.readers.logs import BY_NAME
from denominator.readers.logs.signatures.k8s import REASONS
from denominator.records.rows import Failure
from denominator.records.words import KilledBy, Phase, Reason, Writer

PHASES = {Phase.RUN: 0, Phase.SETUP: 0, Phase.AGENT: 1, Phase.APPLY: 2, Phase.VERIFY: 3, Phase.HARNESS: 1}
CLOCK = re.compile(r"(?:.*[T ])?([0-2]?\d):([0-5]\d):([0-6]\d)(?:[.,](\d{1,9}))?")
STARTUP = frozenset({"image_unavailable", "image_missing", "image_throttled", "sandbox_start", "sandbox_config"})
STARTED = frozenset({"started", "pulled", "scheduled", "created", "running"})
CHILD = frozenset({"oomkilling", "systemoom"})
GONE = re.compile(r"\b40[0134]\b|denied|not found|unknown|forbidden|unauthori[sz]ed|does not exist", re.IGNORECASE)
NO_DISK_MB = 1


def first_failure(cells: Cells, told: Told, limit: Limit, stated: Failure | None, *, graded: bool) -> Failure | None:
    """The earliest of all failures. What the row itself states has no time and comes last in its phase."""
    found = [*_image(told), *_nodes(told, limit), *_container(told), *_provider(told, stated)]
    found += [] if graded else [*_disk(cells, told)]
    if limit.elsewhere:
        found.append(_timed(Reason.HARNESS_TIMEOUT, Writer.HARNESS, Phase.AGENT, capped_at(told)))
    if stated is not None and stated.writer != Writer.PROVIDER:
        found.append(Timed(stated))
    capped = capped_at(told)
    own = capped is not None and not limit.elsewhere
    found = [one for one in found if not (own and one.at_ms is not None and one.at_ms > (capped or 0))]
    return min(found, key=_order).failure if found else None


def _order(one: Timed) -> tuple[int, int, int]:
    return (PHASES.get(Phase(one.failure.phase), 1), -1 if one.at_ms is None else one.at_ms, one.failure.seq)


def _timed(cause: str, writer: str, phase: str, at_ms: int | None = None, seq: int = 0) -> Timed:
    return Timed(Failure(seq=seq, cause=cause, writer=writer, phase=phase), at_ms)


def _image(told: Told) -> Iterable[Timed]:
    pull = told.table("image_pull")
    status, error = pull.get("status"), str(pull.get("error") or pull.get("message") or "")
    good = isinstance(status, int) and 200 <= status < 400 and not error
    if not pull or good or pull.get("outcome") in ("ok", "success") or pull.get("recovered") is True:
        return
    if status is None and not error and pull.get("ok") is not False:
        return
    at = pull.get("at_ms")
    yield _timed(image_cause(status, error), Writer.SANDBOX, Phase.SETUP, at if isinstance(at, int) else None)


def image_cause(status: object, error: str) -> str:
    """Throttled and a registry that is down may heal; an image that is refused or absent never does."""
    number = status if isinstance(status, int) else 0
    if number == 429 or _known("registry_throttled", error):
        return "image_throttled"
    if 400 <= number < 500 and number != 408:
        return "image_missing"
    if number >= 500 or number == 408:
        return "image_unavailable"
    return "image_missing" if _known("image_wrong", error) or GONE.search(error) else "image_unavailable"


def _known(signature: str, text: str) -> bool:
    return re.search(BY_NAME[signature].pattern, text.encode("utf-8", "replace"), re.IGNORECASE) is not None


def _nodes(told: Told, limit: Limit) -> Iterable[Timed]:
    """Reasons of pod and node events, fields of an API object; a start-up trouble ends when the pod starts after all."""
    listed = [one for name in ("pod_events", "node_events") for one in _list(told.facts.get(name))]
    events = [one for one in (*listed, *told.story.pods) if isinstance(one, dict)]
    reasons = [str(one.get("reason") or one.get("type") or "").lower().replace("_", "") for one in events]
    for place, (event, reason) in enumerate(zip(events, reasons, strict=True)):
        cause = REASONS.get(reason, "")
        message = str(event.get("message") or "")
        if cause == "image_unavailable" and message:
            cause = image_cause(0, message)
        healed = cause in STARTUP or reason == "failedscheduling"
        if not cause or reason in CHILD or (healed and STARTED & set(reasons[place + 1 :])):
            continue
        if cause == Reason.HARNESS_TIMEOUT and limit.fields.get("killed_by") == KilledBy.BUDGET_WALL:
            continue
        phase = Phase.SETUP if healed else Phase.AGENT
        yield _timed(cause, Writer.SANDBOX, phase, _at(event), place + 1)
    if limit.node and not events:
        yield _timed(Reason.EVICTED, Writer.SANDBOX, Phase.AGENT)


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def _at(event: Mapping[str, object]) -> int | None:
    """When, in milliseconds of the day: the log's clock has no date."""
    if isinstance(known := event.get("at_ms"), int):
        return known
    found = CLOCK.match(str(event.get("at") or event.get("time") or event.get("last_seen") or ""))
    if found is None:
        return None
    hours, minutes, seconds = (int(found[place]) for place in (1, 2, 3))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(((found[4] or "") + "000")[:3])


def out_of_memory(told: Told) -> bool | None:
    """Did the kernel kill for memory, the sandbox or a child of it? None when nobody says."""
    container = told.table("container")
    events = container.get("oom_kill_events", container.get("oom_kills"))
    said = [told.flag("oom_killed"), container.get("oom_killed"), events > 0 if isinstance(events, int) else None]
    known = [one for one in said if isinstance(one, bool)]
    return any(known) if known else None


def _container(told: Told) -> Iterable[Timed]:
    """The sandbox itself was killed for memory; a child that was, while the sandbox lived on, is no ending."""
    container, sender = told.table("container"), told.text("killed_by")
    died = container.get("container_died")
    whole = container.get("oom_killed") is True or (died is True and out_of_memory(told))
    alone = told.flag("oom_killed") is True and not container and not told.story.at.get("agent_done")
    if died is False or (sender and sender not in ("kernel", "kernel_oom", "oom", "oom_killer", "cgroup_oom")):
        return
    if whole or alone:
        at = next((told.story.at[name] for name in ("sandbox_exit", "container_exit") if name in told.story.at), None)
        yield _timed(Reason.OOM_SANDBOX, Writer.SANDBOX, Phase.AGENT, at)


def _provider(told: Told, stated: Failure | None) -> Iterable[Timed]:
    """The call that was given up: by the cause that the row states, at the time that the log gives."""
    lost = told.story.calls.lost
    by_row = stated if stated is not None and stated.writer == Writer.PROVIDER else None
    if by_row is not None:
        yield Timed(by_row, lost.at_ms if lost else None)
    elif lost is not None:
        yield lost


def _disk(cells: Cells, told: Told) -> Iterable[Timed]:
    """A disk without a free megabyte, measured, where no verdict came into being."""
    value = told.facts.get("disk_free_mb")
    sizes = list(value.values()) if isinstance(value, dict) else [value]
    full = any(isinstance(one, int | Decimal) and not isinstance(one, bool) and one < NO_DISK_MB for one in sizes)
    if full:
        verified = "exit_code" in cells.known or "verify_report" in cells.known
        phase = Phase.VERIFY if verified else Phase.AGENT
        yield _timed(Reason.DISK_FULL, Writer.VERIFIER if verified else Writer.HARNESS, phase)
