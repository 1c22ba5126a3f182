"""Rows of a SWE-bench dataset as JSON lines (or a list): problem, base commit, reference patch, test patch, test ids.

The repositories are yours to give: a folder that holds a tree of each instance's base commit, named `<owner>__<name>-<commit>`,
`<owner>__<name>` or by the instance's id. Without one the task comes in as a git source whose repo/ you lay yourself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from denominator.errors import InputError
from denominator.packs.foreign.draft import UNKNOWN_TIMEOUT_S, Draft, DraftTask
from denominator.wire.sources import Source, loose_json, loose_lines
from denominator.wire.trees import parse_unified
from denominator.wire.trees.fit import patched_files

LINES = (".jsonl", ".ndjson", ".jsonl.gz")
NEEDED = ("instance_id", "repo", "base_commit", "problem_statement")
IMAGE = "the image of the instance: which Python and which packages its tests need"
HINTS = "hints_text: comments that were written after the problem, which no agent may see"


def find(files: Source) -> list[str]:
    """Files that hold rows of such a dataset, by their first row."""
    return [name for name in files.names() if name.endswith((".jsonl", ".ndjson", ".json")) and _looks(files, name)]


def read(files: Source, repos: Source | None = None) -> Draft:
    """Every row as a task. `repos` holds trees of the base commits."""
    draft = Draft(name="SWE-bench instances", rule="every instance of the named file", lost=(IMAGE, HINTS))
    for name in find(files):
        for where, row in _rows(files, name):
            if isinstance(row, str):
                draft.refuse(where, row)
                continue
            try:
                draft.tasks.append(_task(row, repos))
            except InputError as error:
                draft.refuse(str(row.get("instance_id") or where)[:120], error.what)
    return draft


def _looks(files: Source, name: str) -> bool:
    try:
        for _, row in _rows(files, name):
            return isinstance(row, dict) and {*NEEDED, "patch"} <= row.keys()
    except InputError:
        pass
    return False


def _rows(files: Source, name: str) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """(place, row), or (place, why there is none)."""
    if name.endswith(".json"):
        found = loose_json(files.read(name), name)
        for number, one in enumerate(found if isinstance(found, list) else [found], 1):
            yield f"{name}#{number}", one if isinstance(one, dict) else "is no object"
        return
    for line in loose_lines(files, name):
        yield f"{name}:{line.number}", line.value if isinstance(line.value, dict) else line.fault or "is no object"


def _task(row: Mapping[str, Any], repos: Source | None) -> DraftTask:
    wrong = [key for key in NEEDED if not isinstance(row.get(key), str) or not row[key].strip()]
    if wrong:
        raise InputError(f"has no {', '.join(wrong)}")
    instance, repo, commit = row["instance_id"], row["repo"], row["base_commit"]
    gold, test_patch = _text(row.get("patch")), _text(row.get("test_patch"))
    lost = [f"{key}: {row[key]}" for key in ("version", "environment_setup_commit") if isinstance(row.get(key), str)]
    files: dict[str, bytes] = {"prompt.md": row["problem_statement"].encode()}
    if gold:
        files["gold.patch"] = gold.encode()
    tree = _tree(repos, instance, repo, commit)
    if tree is None:
        lost.append(f"the repository: lay commit {commit} of {repo} into repo/ (docs/formats/pack.md)")
        lost.append("the hidden tests: they are a patch on that repository; import again with --repos FOLDER")
    else:
        files |= {f"repo/{name}": data for name, data in tree.items()}
        files |= {f"hidden/{name}": data for name, data in _hidden(tree, test_patch).items()}
    wanted = (*_ids(row.get("FAIL_TO_PASS")), *_ids(row.get("PASS_TO_PASS")))
    plain = bool(wanted) and all("::" in one for one in wanted)
    if not plain:
        lost.append("how its tests are run: their ids are not pytest's, fill in [verify] command and report")
    touched = _touched(gold)
    return DraftTask(
        id=instance,
        title=row["problem_statement"].strip().splitlines()[0][:120],
        family=repo,
        files=files,
        lost=tuple(lost),
        multi_file=len(touched) > 1,
        forbidden=_touched(test_patch),
        runner="pytest" if plain else "command",
        level="G2" if plain else "G1",
        expected_tests=wanted if plain else (),
        timeout_s=UNKNOWN_TIMEOUT_S,
        git_url=f"https://github.com/{repo}",
        git_commit=commit,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _ids(value: object) -> tuple[str, ...]:
    """Test ids: a list, or a list as JSON text, which is how the dataset is mostly stored."""
    if isinstance(value, str):
        try:
            value = loose_json(value.encode(), "test ids")
        except InputError:
            return ()
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _touched(patch: str) -> tuple[str, ...]:
    try:
        return tuple(sorted({path for one in parse_unified(patch.encode()) for path in (one.old, one.new) if path}))
    except InputError:
        return ()


def _tree(repos: Source | None, instance: str, repo: str, commit: str) -> dict[str, bytes] | None:
    if repos is None:
        return None
    flat = repo.replace("/", "__")
    for home in (instance, f"{flat}-{commit}", f"{flat}-{commit[:12]}", flat):
        found = {one[len(home) + 1 :]: repos.read(one) for one in repos.names() if one.startswith(f"{home}/")}
        if found:
            return {name: data for name, data in found.items() if not name.startswith(".git/")}
    return None


def _hidden(tree: Mapping[str, bytes], test_patch: str) -> dict[str, bytes]:
    """The test files as the test patch leaves them."""
    if not test_patch.strip():
        raise InputError("has no test_patch")

    def content(path: str) -> tuple[bytes, int] | None:
        return (tree[path], 0o644) if path in tree else None

    found = patched_files(content, parse_unified(test_patch.encode()))
    return {path: one[0] for path, one in found.items() if one is not None}
