"""Where the tool calls of an attempt look beyond the task: what the harness knows of the places, and the calls it saw."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from denominator.errors import DenominatorError
from denominator.packs.listing import list_files
from denominator.pipeline.host_words import inside_words
from denominator.pipeline.material import Material
from denominator.pipeline.trajectories import ATIF
from denominator.readers.beyond import Places, looked_beyond
from denominator.readers.tools import read_trajectory
from denominator.readers.tools.call import Read
from denominator.records.values import NotMeasured

GOLD = "gold.patch"
RUN_FILES = ("journal.db", "pack.lock", "baseline.json", "ledger.jsonl")
OWN = ("/work", "/in", "/out", "/tmp", "/dev", "/opt", "/usr", "/run/denominator")
WORK, HOME = "/work", "/home/agent"
SHORT = 6
"""A name of so few characters is a word like others."""
COMMON = frozenset(
    ("src", "lib", "tests", "test", "docs", "app", "python", "build", "bin", "tools", "scripts", "utils")
)


def reaches_of(material: Material, wire: Read, own: Read) -> tuple[str, ...]:
    """`kind: what was named` of the calls on the wire, in the agent's own log, and in its trajectory."""
    calls = tuple(_calls(wire, own, _trajectory(material)))
    if not calls:
        return ()
    told = inside_words(material)
    return looked_beyond(((tool, told(text)) for tool, text in calls), places_of(material))


def places_of(material: Material) -> Places:
    """What the harness knows of where things lie. A hidden file's name counts only where the repository has none of it."""
    run, task = material.run, material.run.task_folder(material.task.id)
    files = [file.path for file in list_files(task / "repo").files]
    visible = {path.rpartition("/")[2] for path in files}
    hidden = [file.path for file in list_files(task / "hidden").files] if (task / "hidden").is_dir() else []
    names = sorted({path.rpartition("/")[2] for path in hidden} - visible)
    places = (run.folder.root, run.pack_root, run.folder.root.parent)
    roots = sorted({str(form) for root in places for form in (Path.cwd() / root, root.resolve())})
    tasks = [one.task.id for one in run.seal.tasks if one.task.id != material.task.id]
    return Places(
        named={
            "the run": (*(root for root in roots if root.count("/") > 1), *RUN_FILES),
            "the answer": () if GOLD in visible else (GOLD,),
        },
        sought={
            "hidden tests": tuple(name for name in names if len(name) > SHORT and not name.startswith("__")),
            "another task": tuple(one for one in tasks if len(one) > SHORT),
        },
        own=(*OWN, *_toolchain(material)),
        home=HOME,
        cwd=WORK,
        projects=tuple(_projects(task / "repo", files)),
    )


def _toolchain(material: Material) -> Iterator[str]:
    """Folders that the sandbox shows beside the system's: the interpreter's, and the agent's own."""
    terms = material.run.seal.envelope.sandbox
    for program in (Path(terms.python), Path(terms.python).resolve()):
        yield str(program.parent.parent)
    if terms.site:
        yield terms.site
    yield from (mount.rpartition("=")[2] for mount in material.run.seal.arm.mounts)


def _projects(repo: Path, files: list[str]) -> Iterator[str]:
    """The names of the task's own project: what its metadata says, and its packages at the top or below src."""
    try:
        stated = tomllib.loads((repo / "pyproject.toml").read_text("utf-8")).get("project")
    except (OSError, ValueError):
        stated = None
    if isinstance(stated, dict) and isinstance(stated.get("name"), str):
        yield stated["name"].lower().replace("-", "_")
    for path in files:
        parts = PurePosixPath(path.removeprefix("src/")).parts
        if len(parts) == 2 and parts[1] == "__init__.py" and parts[0].lower() not in COMMON:
            yield parts[0].lower()


def _trajectory(material: Material) -> Read:
    sha = material.streams.get(ATIF)
    try:
        return read_trajectory(material.run.blobs.get(sha)) if sha else NotMeasured("the agent has no trajectory")
    except (DenominatorError, OSError):
        return NotMeasured("the trajectory is not there")


def _calls(*reads: Read) -> Iterator[tuple[str, str]]:
    """Tool and arguments of every call, once each."""
    seen: set[tuple[str, str]] = set()
    for read in reads:
        for call in () if isinstance(read, NotMeasured) else read.calls:
            if isinstance(call.arguments, str) and (one := (call.tool, call.arguments)) not in seen:
                seen.add(one)
                yield one
