"""Frozen tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.values import NotMeasured

NOT_STATED = NotMeasured("nobody says which packages may be used")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSource:
    """Where the snapshot is: `folder` (repo/) or `git` (url and commit, materialised under repo/ at lock time)."""

    kind: str = "folder"
    url: str = ""
    commit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    """How a task is graded. `command` is used by runner `command` only; ids are exact.

    `service` is a shell command that serves the solution at `$PORT`, for tests that ask it by `sut.Service`. With
    `generated_counter_tests` each grading also makes counter-tests of its own from plain equalities of the expected tests.
    """

    runner: str
    timeout_s: int
    level: str
    expected_tests: tuple[str, ...] = ()
    counter_tests: tuple[str, ...] = ()
    command: str = ""
    report: str = ""
    service: str = ""
    generated_counter_tests: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What a task needs around its repository. `image` is a container image by name, best with a digest; "" for the run's own."""

    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One frozen unit of work. Paths in `allowed` and `forbidden` are globs relative to the repository.

    `packages` are the libraries that a solution may use beside the standard one: `requests`, or `PyYAML:yaml` where the
    modules are named. An empty list allows none.
    """

    id: str
    title: str
    slice: str
    expected: str
    reason: str
    license: str
    allowed: tuple[str, ...]
    verify: Verify
    source: TaskSource = TaskSource()
    control: str = ""
    family: str = ""
    multi_file: bool = False
    forbidden: tuple[str, ...] = ()
    required_files: tuple[str, ...] = ()
    canary: str = ""
    spec_paths: tuple[str, ...] = ()
    packages: tuple[str, ...] | NotMeasured = NOT_STATED
    environment: Environment = Environment()
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The rule by which tasks were chosen, and the minima that it declares."""

    rule: str
    controls_min: int = 0
    multi_file_min: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Who wrote the tasks, which models helped, when. Dates are ISO 8601.

    `dates` are those of single tasks or files that are not of `created`, by their path. `retired` are ids that were
    taken out, each as "id: why".
    """

    authors: tuple[str, ...] = ()
    created: str = ""
    models: tuple[str, ...] = ()
    models_note: str = ""
    dates: Mapping[str, str] = field(default_factory=dict)
    retired: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceFile(Provenance):
    """The same as a file of its own, provenance.toml."""

    schema_version: int = 1


NO_PROVENANCE = Provenance()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditTerms:
    """What the authors declare for `pack audit`. `mutants_min` is [k, n]: hidden tests kill at least k of n mutants of gold.

    The texts are for people: what may and may not be claimed, a score without a model ("none" is an answer), what was done
    against contamination, when and how the pack is renewed, whom to tell of a flaw, when it was last looked at (ISO 8601).
    """

    mutants_min: tuple[int, ...] = ()
    claim: str = ""
    no_claim: str = ""
    baseline: str = ""
    contamination: str = ""
    update_plan: str = ""
    contact: str = ""
    reviewed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A folder of tasks, as written by people. `expires` is the last day (UTC, ISO 8601) on which a run may start."""

    id: str
    version: str
    title: str
    license: str
    reason: str
    selection: Selection
    provenance: Provenance = NO_PROVENANCE
    packages: tuple[str, ...] | NotMeasured = NOT_STATED
    tasks: tuple[Task, ...] = ()
    expires: str = ""
    audit: AuditTerms = AuditTerms()
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedFile:
    """One file of a locked pack: path relative to the pack, sha256 of its bytes, executable or not."""

    path: str
    sha256: str
    executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedTask:
    """Digests of one task: of everything, of the prompt, of what the agent sees, of what grades.

    `image` is what the image of the task meant when it was locked: "NAME@sha256:...", "" where it names none.
    """

    id: str
    digest: str
    prompt_sha256: str
    base_tree: str
    hidden_tree: str
    gold_sha256: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineRun:
    """One agent-off grading: `on` is base or gold."""

    task_id: str
    on: str
    repeat: int
    grade: str
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    ms: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The agent-off results of a pack on a box at a concurrency, shared by all arms and named by digest.

    Each task is in one list at most: `flaky` showed both results on one tree, `expired` has a gold patch that was green at
    the lock and is red every time now, `wrong` has another result than it must, `ungraded` was left without a verdict.
    `terms_digest` is of the sandbox that it was taken under.
    """

    pack_digest: str
    box_digest: str
    concurrency: int
    repeats: int
    taken_at: str
    runs: tuple[BaselineRun, ...]
    flaky: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    ungraded: tuple[str, ...] = ()
    grader_sha: str = ""
    terms_digest: str = ""
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PackLock:
    """`pack.lock`: every file's digest, per-task digests, the pack digest, and what the baseline showed at lock time."""

    pack_id: str
    pack_version: str
    digest: str
    files: tuple[LockedFile, ...]
    tasks: tuple[LockedTask, ...]
    baseline: Baseline | None = None
    schema_version: int = 1
    made_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPack:
    """A pack on disk: its root folder as text, what people wrote, and its lock if there is one."""

    root: str
    pack: Pack
    lock: PackLock | None = None
    extra: dict[str, str] = field(default_factory=dict)
