"""What importers of coding agents' output folders share: patches, predictions, exit statuses, settings, verdicts beside them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from denominator.errors import InputError
from denominator.importers.foreign import chosen, text_of
from denominator.records.foreign import Part, Recognition, Told
from denominator.records.rows import PatchFacts
from denominator.wire.sources import Source, loose_json, loose_lines, loose_yaml

NAMED = 20
"""So many ids a message names."""
HEAD_BYTES = 1 << 16
NO_STATUS = ("null", "None", "~")
"""How YAML writes a key that says nothing."""
LOOKED_AT = 64
"""So many members that may be run reports are looked into."""


class Handed(NamedTuple):
    """A text that was handed in as a patch: its digest and size, and whether it holds what a patch consists of."""

    facts: PatchFacts
    is_diff: bool

    @property
    def empty(self) -> bool:
        """Does it change nothing?"""
        return self.facts.bytes == 0


def handed(text: object) -> Handed | None:
    """What a text is as a patch; one of white space alone is empty. None: there is no text."""
    if not isinstance(text, str):
        return None
    data = text.encode("utf-8", "surrogatepass") if text.strip() else b""
    facts = PatchFacts(sha256=hashlib.sha256(data).hexdigest(), bytes=len(data))
    return Handed(facts, any(mark in f"\n{text}" for mark in ("\ndiff --git ", "\n--- ", "\n+++ ", "\n@@ ")))


def head_of(files: Source, name: str, most: int = HEAD_BYTES) -> bytes:
    """The first bytes of a member; none where it cannot be read."""
    try:
        with files.open(name) as stream:
            return stream.read(most)
    except InputError:
        return b""


def folder_of(name: str) -> str:
    """The folder of a member, "" at the top."""
    return name.rpartition("/")[0]


def last_of(name: str) -> str:
    """The last part of a member's name, or of a folder's."""
    return name.rpartition("/")[2]


def run_names(folders: Iterable[str], top: str) -> dict[str, str]:
    """Run name -> folder: its last part where only one has it, the whole of it elsewhere; `top` names the root."""
    listed = sorted(set(folders))
    lasts = Counter(last_of(one) for one in listed)
    return {(top if not one else one if lasts[last_of(one)] > 1 else last_of(one)): one for one in listed}


class Prediction(NamedTuple):
    """What a file of predictions holds of an id. `patch` None: there is no text."""

    model: str
    patch: Handed | None


def predictions(files: Source, name: str, told: Told) -> dict[str, Prediction]:
    """Predictions of a `.json` (a list, or by id) or `.jsonl` file. Of an id that stands there twice the last one counts."""
    found: dict[str, Prediction] = {}
    twice: list[str] = []
    told.files[name] = "predictions"
    for task, one in _entries(files, name, told):
        if task in found:
            twice.append(task)
        model = one.get("model_name_or_path")
        found[task] = Prediction(model if isinstance(model, str) else "", handed(one.get("model_patch")))
    if twice:
        what = f"{len(twice)} ids stand more than once: the last one of each is taken, as graders do"
        told.say("duplicate_predictions", name, what, *sorted(set(twice))[:NAMED])
    return found


def _entries(files: Source, name: str, told: Told) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if name.endswith(".jsonl"):
        for line in loose_lines(files, name):
            if line.fault:
                told.say(
                    "torn_tail" if line.torn else "bad_line", f"{name}:{line.number}", line.fault, blocks=not line.torn
                )
            else:
                yield from _entry("", line.value, f"{name}:{line.number}", told)
        return
    try:
        value = loose_json(files.read(name), name)
    except InputError as error:
        told.say("broken_file", name, error.what)
        return
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _entry(key, one, name, told)
    elif isinstance(value, list):
        for one in value:
            yield from _entry("", one, name, told)
    else:
        told.say("broken_file", name, "holds no predictions")


def _entry(key: str, one: object, where: str, told: Told) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not isinstance(one, dict):
        told.say("bad_row", where, f"the prediction of {key[:80]!r} is no object", *((key,) if key else ()))
        one = {} if key else None
    if one is None:
        return
    task = one.get("instance_id", key)
    if not isinstance(task, str) or not task:
        told.say("bad_row", where, "a prediction names no instance")
        return
    if key and task != key:
        told.say("id_mismatch", where, f"the prediction under {key[:80]!r} is of {task[:80]!r}", task)
    yield task, one


def exit_statuses(files: Source, name: str, told: Told) -> dict[str, str]:
    """Id -> exit status, of a file that lists ids by status. An id under two of them has the last one, and is told."""
    told.files[name] = "exit statuses"
    found: dict[str, str] = {}
    try:
        value = loose_yaml(files.read(name), name)
    except InputError as error:
        told.say("broken_file", name, error.what)
        return found
    table = value.get("instances_by_exit_status") if isinstance(value, dict) else None
    if not isinstance(table, dict):
        told.say("broken_file", name, "lists no instances by exit status")
        return found
    for word, ids in table.items():
        status = "" if word is None or word in NO_STATUS else str(word)
        for task in ids if isinstance(ids, list) else ():
            if not isinstance(task, str):
                told.say("refused_id", name, f"an id under {status[:60]!r} is no text")
            elif found.setdefault(task, status) != status:
                what = f"{task} stands under {found[task][:60]!r} and {status[:60]!r}: one of them is wrong"
                told.say("conflicting_endings", name, what, task)
                found[task] = status
    return found


def evaluations(files: Source) -> tuple[str, ...]:
    """Members that a swebench harness wrote: reports of instances, and run reports. They are named here, and not read."""
    found, looked = [], 0
    for name in files.names():
        last = last_of(name)
        if last == "report.json":
            found.append(name)
        elif last.endswith(".json") and not last.endswith(".traj.json") and last != "preds.json" and looked < LOOKED_AT:
            looked += 1
            if any(mark in head_of(files, name, 4096) for mark in (b'"submitted_instances"', b'"total_instances"')):
                found.append(name)
    return tuple(found)


def tell_evaluations(found: tuple[str, ...], told: Told) -> None:
    """Say that verdicts lie beside the run, and who reads them."""
    for name in found:
        told.files[name] = "an evaluation: `denominator import swebench` reads it"
    if found:
        told.notes.append(
            f"{len(found)} files of an evaluation lie here (first: {found[0]}); their verdicts are read by "
            "`denominator import swebench`, not here"
        )


LIMITS = frozenset(("turn_cap", "cost_cap_usd", "wall_cap_s", "working_cap_s", "tool_timeout_s", "call_cap"))


class Trajectories(Protocol):
    """A folder of one run, as far as its trajectories go: members by id."""

    @property
    def trajectories(self) -> Mapping[str, object]:
        """Members by id."""
        ...


F = TypeVar("F", bound=Trajectories)


def recognised(tool: str, files: Source, folders: Callable[[Source], Mapping[str, F]]) -> Recognition | None:
    """Is it output of this tool? Not surely so where an evaluation lies beside it, whose importer knows more."""
    try:
        runs = folders(files)
        if not runs:
            return None
        graded = bool(evaluations(files))
    except InputError:
        return None
    n = sum(len(one.trajectories) for one in runs.values())
    why = f"{n} trajectories of {tool}" + (", with an evaluation beside them" if graded else "")
    parts = tuple(Part(name=name, title=f"{len(one.trajectories)} trajectories") for name, one in runs.items())
    return Recognition(why=why, parts=parts, sure=not graded)


def opened(tool: str, files: Source, runs: Mapping[str, F], part: str) -> tuple[str, F, Told]:
    """The run that was chosen, its folder, and what is told of evaluations beside it. InputError: none, or several."""
    if not runs:
        raise InputError(f"holds no trajectories of {tool}", where=files.name)
    name = chosen([Part(name=one) for one in runs], part, files.name).name
    told = Told()
    tell_evaluations(evaluations(files), told)
    return name, runs[name], told


@dataclass(slots=True)
class Settings:
    """What every record of a run states of its own conditions: one value a field, or several, and then none of the run's."""

    seen: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    values: dict[str, dict[str, object]] = field(default_factory=dict)

    def take(self, task: str, found: Mapping[str, object]) -> None:
        """The conditions that one record states."""
        for name, value in found.items():
            text = text_of(value)
            self.values.setdefault(name, {}).setdefault(text, value)
            tasks = self.seen.setdefault(name, {}).setdefault(text, [])
            if len(tasks) < NAMED:
                tasks.append(task)

    def settle(self, document: dict[str, object], unknown: dict[str, str], told: Told, where: str) -> None:
        """What all agree on goes into the document; what differs is told, blocks, and is unknown."""
        for name, values in sorted(self.values.items()):
            if len(values) == 1:
                document[name] = next(iter(values.values()))
                continue
            document.pop(name, None)
            listed = sorted(values)
            words = ", ".join(one[:60] for one in listed[:6])
            unknown[name] = f"its records name {len(values)} values of it: {words}"
            few = min(self.seen[name].values(), key=len)
            told.say(_kind(name), where, f"{name} is not the same in all records: {words}", *few)


def _kind(name: str) -> str:
    if name in LIMITS:
        return "limits_differ"
    return "several_models" if name in ("model_id", "model_snapshot") else "settings_differ"


WANTED = (
    "model_id",
    "agent_version",
    "harness_version",
    "harness_commit",
    "temperature",
    "seed",
    "max_output_tokens",
    "tool_timeout_s",
    "turn_cap",
    "retry_policy",
    "prompt_template_sha256",
)


def lacking(document: Mapping[str, object], unknown: dict[str, str], never: Mapping[str, str]) -> None:
    """A reason for each condition that the format can hold and no file of this run does."""
    for name in WANTED:
        if name not in document and name not in never:
            unknown.setdefault(name, f"no file of this run states {name}")


def counted(value: object) -> int | None:
    """A count as JSON holds it, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63 else None


def table_of(value: object, *path: str) -> dict[str, Any]:
    """An object inside objects; an empty one where the way ends."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
