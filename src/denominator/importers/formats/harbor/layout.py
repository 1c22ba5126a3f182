"""Where jobs and trials stand in a source, and what their own files say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import InputError
from denominator.importers.foreign import text_of
from denominator.records.foreign import Told
from denominator.wire.sources import Source, loose_json

MARKS = ("config.json", "lock.json", "result.json")
INSIDE = (*MARKS, "trial.log", "exception.txt")
HEAD = 8 << 10
JOB, TRIAL = "job", "trial"
LABEL_CHARS = 120


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent of a job: what tells it from the others, and a name for people."""

    identity: str
    label: str
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Place:
    """A job, or trials without one. `root` is its folder ("" the source itself), `trials` the folders of its trials."""

    root: str
    kind: str
    trials: tuple[str, ...]
    name: str = ""

    def file(self, name: str) -> str:
        """A file of the job itself."""
        return f"{self.root}/{name}" if self.root else name


def places(files: Source) -> tuple[Place, ...]:
    """The jobs of a source, and trials that lie in no job, by their folder; each named so that no two share a name."""
    folders = _folders(files.names())
    found: list[Place] = []
    loose: dict[str, list[str]] = {}
    taken: set[str] = set()
    for root in sorted(folders, key=lambda one: (one.count("/") + bool(one), one)):
        if any(above in taken for above in _above(root)) or not folders[root] & set(MARKS):
            continue
        kind = _kind(files, root, folders[root])
        if kind == JOB:
            found.append(Place(root=root, kind=JOB, trials=_trials(root, folders)))
        elif kind == TRIAL:
            loose.setdefault(root.rpartition("/")[0] if root else "", []).append(root)
        taken |= {root} if kind else set()
    for above, roots in loose.items():
        root = roots[0] if len(roots) == 1 else above
        found.append(Place(root=root, kind=TRIAL, trials=tuple(sorted(roots))))
    return _named(found, files.name)


def _named(found: list[Place], whole: str) -> tuple[Place, ...]:
    short = [one.root.rpartition("/")[2] for one in found]
    for one, name in zip(found, short, strict=True):
        one.name = (name if short.count(name) == 1 else one.root) or whole.removesuffix(".json")
    return tuple(sorted(found, key=lambda one: one.root))


def _folders(names: Iterable[str]) -> dict[str, set[str]]:
    """The files of every folder; a folder that holds only folders stands here too."""
    found: dict[str, set[str]] = {}
    for name in names:
        folder, _, file = name.rpartition("/")
        found.setdefault(folder, set()).add(file)
        while folder:
            folder = folder.rpartition("/")[0]
            found.setdefault(folder, set())
    return found


def _above(root: str) -> Iterable[str]:
    while root:
        root = root.rpartition("/")[0]
        yield root


def _trials(root: str, folders: Mapping[str, set[str]]) -> tuple[str, ...]:
    """The folders right below a job that are trials by their name or by a file of theirs."""
    before = f"{root}/" if root else ""
    below = (one for one in folders if one and one.startswith(before) and "/" not in one[len(before) :])
    return tuple(
        sorted(one for one in below if one != root and ("__" in one[len(before) :] or folders[one] & set(INSIDE)))
    )


def _kind(files: Source, root: str, inside: set[str]) -> str:
    """Job, trial or neither, by the first bytes of the three files."""
    heads = {mark: _head(files, f"{root}/{mark}" if root else mark) if mark in inside else b"" for mark in MARKS}
    config, lock, result = (heads[mark] for mark in MARKS)
    if (b'"trial_name"' in result and b'"task_name"' in result) or (b'"trial_name"' in config and b'"task"' in config):
        return TRIAL
    jobs = (
        b'"n_total_trials"' in result and b'"stats"' in result,
        b'"job_name"' in config and (b'"n_attempts"' in config or b'"agents"' in config),
        b'"harbor"' in lock and b'"n_concurrent_trials"' in lock,
    )
    return JOB if any(jobs) else ""


def holds(files: Source, name: str) -> bool:
    """Is there such a member? Asked without walking through all of them."""
    try:
        return files.size(name) >= 0
    except InputError:
        return False


def _head(files: Source, name: str) -> bytes:
    try:
        with files.open(name) as stream:
            return stream.read(HEAD)
    except InputError:
        return b""


def document(files: Source, name: str, told: Told | None, what: str) -> Mapping[str, Any]:
    """A JSON object of a job or trial; empty where it is missing, or damaged (a defect says so)."""
    if not holds(files, name):
        return {}
    if told is not None:
        told.files[name] = what
    try:
        found = loose_json(files.read(name), name)
    except InputError as error:
        if told is not None:
            told.say("broken_file", name, f"{error.what}; what it says of the run is unknown")
        return {}
    if isinstance(found, dict):
        return found
    if told is not None:
        told.say("broken_file", name, "is no JSON object; what it says of the run is unknown")
    return {}


def agents_of(config: Mapping[str, Any], lock: Mapping[str, Any]) -> tuple[Agent, ...]:
    """The agents of a job, each once: from its configuration, else from its lock."""
    listed = tables(config.get("agents")) or [table(one.get("agent")) for one in tables(lock.get("trials"))]
    found: dict[str, Mapping[str, Any]] = {}
    for one in listed:
        if one:
            found.setdefault(identity_of(one), one)
    labels: list[str] = []
    for one in found.values():
        words = (one.get("import_path") or one.get("name"), one.get("model_name"))
        label = "__".join(str(word) for word in words if word)[:LABEL_CHARS] or "agent"
        labels.append(f"{label}#{labels.count(label) + 1}" if label in labels else label)
    return tuple(Agent(identity, label, one) for (identity, one), label in zip(found.items(), labels, strict=True))


def identity_of(agent: Mapping[str, Any]) -> str:
    """What tells one agent of a job from another: a lock leaves out what is not set, a configuration says null."""
    kept = {name: agent.get(name) for name in ("name", "import_path", "model_name", "kwargs")}
    return text_of({name: value for name, value in kept.items() if value})


def table(value: object) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def tables(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def word(value: object) -> str:
    """A text that says something, or ""."""
    return value.strip() if isinstance(value, str) else ""
