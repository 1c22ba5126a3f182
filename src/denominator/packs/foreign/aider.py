"""Exercises of aider's polyglot benchmark: `<language>/exercises/practice/<name>/` with `.docs`, `.meta` and a test file.

The agent's task is the instructions and the stub; `.meta` (the example solution) and the tests are hidden. Python exercises
come in whole, with pytest's ids; those of other languages come with their files and no way to run them.
"""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.packs.foreign.draft import Draft, DraftTask
from denominator.packs.foreign.pytests import node_ids
from denominator.records.trees import Change, Patch
from denominator.wire.sources import Source, loose_json
from denominator.wire.trees import unified

CONFIG = ".meta/config.json"
DOCS = (".docs/introduction.md", ".docs/instructions.md", ".docs/instructions.append.md")
TIMEOUT_S = 180
"""What the benchmark itself gives the tests of an exercise."""
RUNNERS = {"python": "pytest"}


def find(files: Source) -> list[str]:
    """The folders of exercises."""
    return sorted(name.removesuffix(CONFIG).rstrip("/") for name in files.names() if name.endswith(CONFIG))


def read(files: Source) -> Draft:
    """Every exercise as a task."""
    rule = "every exercise below the named folder, as aider's polyglot benchmark lays them out"
    draft = Draft(name="aider exercises", rule=rule)
    for folder in find(files):
        try:
            draft.tasks.append(_task(files, folder))
        except InputError as error:
            draft.refuse(folder, error.what)
    return draft


def _task(files: Source, folder: str) -> DraftTask:
    mine = {name[len(folder) + 1 if folder else 0 :]: name for name in files.names() if _below(name, folder)}
    config = loose_json(files.read(mine[CONFIG]), mine[CONFIG])
    listed = config.get("files") if isinstance(config, dict) else None
    if not isinstance(listed, dict):
        raise InputError("its config.json lists no files", where=folder)
    solution, tests, examples = (_names(listed, key) for key in ("solution", "test", "example"))
    missing = [one for one in (*solution, *tests) if one not in mine]
    if not solution or not tests or missing:
        raise InputError(f"it names no solution or tests, or files that are absent: {', '.join(missing)}", where=folder)
    parts, language = folder.split("/"), _language(folder)
    prompt = b"\n".join(files.read(mine[one]) for one in DOCS if one in mine)
    repo = {
        name: path for name, path in mine.items() if name not in tests and not name.startswith((".meta/", ".docs/"))
    }
    runner, lost = RUNNERS.get(language, "command"), list[str]()
    found = [node_ids(one, files.read(mine[one])) for one in tests]
    ids = tuple(one for some in found if some for one in some) if runner == "pytest" and None not in found else ()
    if runner != "pytest":
        lost.append(f"how the tests of {language or 'this language'} are run: fill in [verify] command and report")
    elif not ids:
        lost.append("ids of its tests: they cannot be told from the text, fill in expected_tests")
    gold = _gold(files, mine, solution, examples)
    if not gold:
        lost.append("a reference patch: the example is not laid out as the solution is")
    return DraftTask(
        id="/".join((language, parts[-1])) if language else parts[-1],
        title=f"{parts[-1]} ({language or 'unknown language'})",
        family=language,
        files={
            "prompt.md": prompt or b"REPLACE: the exercise has no instructions\n",
            **{f"repo/{name}": files.read(path) for name, path in repo.items()},
            **{f"hidden/{one}": files.read(mine[one]) for one in tests},
            **({"gold.patch": gold} if gold else {}),
        },
        lost=tuple(lost),
        license="MIT",
        allowed=solution,
        multi_file=len(solution) > 1,
        runner=runner,
        level="G2" if ids else "G1",
        timeout_s=TIMEOUT_S,
        expected_tests=ids,
    )


def _below(name: str, folder: str) -> bool:
    return name.startswith(f"{folder}/") if folder else True


def _language(folder: str) -> str:
    before = folder.partition("/exercises/")[0] if "/exercises/" in folder else ""
    return before.rpartition("/")[2]


def _names(listed: Mapping[str, object], key: str) -> tuple[str, ...]:
    found = listed.get(key)
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def _gold(files: Source, mine: Mapping[str, str], solution: tuple[str, ...], examples: tuple[str, ...]) -> bytes:
    """The difference between stub and example, where there is one example a solution file."""
    pairs = list(zip(solution, examples, strict=False))
    if len(solution) != len(examples) or any(two not in mine for _, two in pairs):
        return b""
    contents = {two: files.read(mine[two]) for _, two in pairs}
    changes = tuple(
        Change(path=one, op="modify", kind="file", mode=0o644, size=len(contents[two]), blob=two) for one, two in pairs
    )
    patch = Patch(base_tree="", final_tree="", changes=changes)
    return unified(patch, lambda path: files.read(mine[path]), contents.__getitem__).encode()
