"""What must hold of a run whenever its processes are dead, and what must hold once it has been resumed to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from denominator.errors import DenominatorError
from denominator.ledger.fold import fold
from denominator.pipeline.world import OpenRun
from denominator.records.events import Event
from denominator.records.trees import Patch
from denominator.records.words import Checkpoint
from denominator.wire.codec import from_json, loads
from denominator.wire.trees import patched_tree, read_tree
from effects import applications
from simulation.small_world import ENDINGS, Seen

ONCE = ("promised", "closed", "graded", "patch", "applied")
OVER = ("checkpoint.intent", "checkpoint.done", "failure", "started", *ONCE)


def after_a_crash(run: OpenRun, reported: Iterable[Event], seen: Seen, *, edited: bool) -> list[str]:
    """Violations in what a crash left. `edited`: a person changed a tree meanwhile, so an unknown state is right."""
    events = list(run.journal.events())
    found = [*seen.wrong, *(f"the chain is broken: {defect}" for defect in run.journal.verify())]
    known = {event.sha for event in events}
    found += [f"reported durable and gone: {_named(event)}" for event in reported if event.sha not in known]
    found += _blobs(run, events, seen)
    for ours in _by_attempt(events).values():
        found += _attempt(run, ours)
    if not edited:
        found += [f"unknown state: {_named(event)}" for event in events if event.kind == "unknown_state"]
    return found


def at_the_end(run: OpenRun, code: object, seen: Seen, *, blind: bool, full: bool) -> list[str]:
    """Violations in what a run that ended by itself left.

    `blind`: two that did not see each other worked in one folder. One may pull the ground from under the other, which then
    ends its attempt as the harness's own failure: said loudly, censored, and nothing is written twice. `full`: the disk had
    no room at some time, which ends an attempt as INFRA, and the sealed policy gives it one more.
    """
    events = list(run.journal.events())
    ledger = fold(run.seal, run.run_id, events, run.journal.calls())
    found = [] if code == 0 else [f"the last resume ended with {code}"]
    rows = {(row.key.task_id, row.key.attempt): row for row in ledger.rows}
    wanted = {(one.draw.task_id, 1): ENDINGS[one.draw.task_id] for one in run.seal.plan.draws}
    if ("hungry", 1) in wanted:
        wanted |= {("hungry", 1): "infra", ("hungry", 2): ENDINGS["hungry"]}
    got = {key: str(row.stop_reason) for key, row in rows.items()}
    if full:
        infra = {task for (task, attempt), word in got.items() if attempt == 1 and word == "infra"}
        wanted |= {(task, 1): "infra" for task in infra} | {(task, 2): ENDINGS[task] for task in infra}
        got |= {key: wanted.get(key, "") for key, word in got.items() if word == "infra" and key[1] == 2}
    if blind:
        got |= {key: wanted.get(key, "") for key, word in got.items() if word == "harness"}
        wanted = {key: word for key, word in wanted.items() if key in got}
    if got != wanted or not {(one.draw.task_id, 1) for one in run.seal.plan.draws} <= set(got):
        found.append(f"not the ledger of an uninterrupted run: {got}")
    found += [f"defect: {defect.what}" for defect in ledger.defects]
    starts = Counter(event.key for event in events if event.kind == "started")
    found += [f"{paid} drafts in {starts[key]} starts" for key, paid in seen.paid.items() if paid > starts[key]]
    if run.folder.work.exists():
        found.append("scratch of closed attempts is left")
    path = run.folder.ledger
    if not path.is_file() or path.read_bytes().count(b"\n") != len(rows):
        found.append("ledger.jsonl is not the ledger")
    return found


def said_done(run: OpenRun) -> list[str]:
    """Violations where a process ended with exit code 0: all is closed, and the files say so."""
    events = list(run.journal.events())
    promised, closed = ({event.key for event in events if event.kind == kind} for kind in ("promised", "closed"))
    found = [f"exit 0 and open: {key}" for key in promised - closed]
    path = run.folder.ledger
    if not path.is_file() or path.read_bytes().count(b"\n") != len(closed):
        found.append("exit 0, and ledger.jsonl does not say what was done")
    return found


def _blobs(run: OpenRun, events: Iterable[Event], seen: Seen) -> list[str]:
    """Every blob that was reported, or that the journal names, is there and whole."""
    named = {event.blob for event in events if event.blob}
    for event in events:
        if event.kind == "patch":
            patch = _read(run, event.blob)
            named |= {change.blob for change in patch.changes if change.blob} if patch else set()
    found = []
    for sha in sorted(named | seen.blobs):
        try:
            run.blobs.get(sha)
        except DenominatorError as error:
            found.append(f"{'named by the journal' if sha in named else 'reported durable'}: {error.what}")
    return found


def _read(run: OpenRun, sha: str) -> Patch | None:
    try:
        return from_json(Patch, loads(run.blobs.get(sha)), sha)
    except DenominatorError:
        return None


def _by_attempt(events: Iterable[Event]) -> dict[object, list[Event]]:
    found: dict[object, list[Event]] = {}
    for event in events:
        if event.key is not None:
            found.setdefault(event.key, []).append(event)
    return found


def _attempt(run: OpenRun, events: list[Event]) -> list[str]:
    checks: tuple[Callable[[OpenRun, list[Event]], Iterable[str]], ...] = (_once, _order, _starts, _effect)
    return [f"{_named(events[0])}: {text}" for check in checks for text in check(run, events)]


def _once(run: OpenRun, events: list[Event]) -> Iterable[str]:
    """One promise, one ending, one verdict, one patch; one application, or one more after a move to another scratch."""
    counts = Counter(event.kind for event in events)
    resets = sum(event.kind == "started" and "reset" in event.payload for event in events)
    for kind in ONCE:
        most = 1 + resets if kind == "applied" else 1
        if counts[kind] > most:
            yield f"{counts[kind]} events {kind}, at most {most}"
    for (_, place, generation), times in applications(events).items():
        if times > 1:
            yield f"applied {times} times in {place or 'the run folder'} after {generation} resets"


def _order(run: OpenRun, events: list[Event]) -> Iterable[str]:
    """Promised first, nothing after the ending, nothing of an incarnation after a newer one began, intent before done."""
    if events[0].kind != "promised":
        yield f"{events[0].kind} before a promise"
    newest, closed, intents = 0, False, set[tuple[int, str]]()
    for event in events:
        if closed:
            yield f"{event.kind} after the ending"
        if event.kind in OVER and event.kind != "promised" and event.incarnation < newest:
            yield f"{event.kind} of incarnation {event.incarnation} after {newest} began"
        if event.kind == "started":
            newest = max(newest, event.incarnation)
        if event.kind == "checkpoint.intent":
            intents.add((event.incarnation, event.checkpoint))
        if event.kind == "checkpoint.done" and (event.incarnation, event.checkpoint) not in intents:
            yield f"{event.checkpoint} done without an intent"
        closed = closed or event.kind == "closed"


def _starts(run: OpenRun, events: list[Event]) -> Iterable[str]:
    """Incarnations are numbered 1, 2, 3 ... and no number is used twice."""
    numbers = [event.incarnation for event in events if event.kind == "started"]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"incarnations {numbers}"


def _effect(run: OpenRun, events: list[Event]) -> Iterable[str]:
    """What was applied and graded is what the stored patch makes of the base, once."""
    patch = next((_read(run, event.blob) for event in events if event.kind == "patch"), None)
    if patch is None:
        return
    base = read_tree(run.task_folder(events[0].key.task_id if events[0].key else "") / "repo", trusted=True)
    expected = patched_tree(base, patch).digest
    for event in events:
        if event.kind == "applied" and event.payload["tree"] != expected:
            yield "another tree was applied than the patch makes"
        if event.kind == "graded" and run.blobs.has(event.blob) and run.blobs.get(event.blob).decode() != expected:
            yield "another tree was graded than the patch makes"
    done = any(event.checkpoint == Checkpoint.PATCH_APPLIED and event.kind == "checkpoint.done" for event in events)
    if any(event.kind == "graded" for event in events) and not done:
        yield "graded before it was applied"


def _named(event: Event) -> str:
    place = f"{event.key.task_id} a{event.key.attempt} i{event.incarnation} " if event.key else ""
    return f"{place}{event.kind} {event.checkpoint}".rstrip()
