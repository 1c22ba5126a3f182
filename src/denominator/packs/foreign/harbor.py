"""Task folders of Harbor (`task.toml`, `instruction.md`, `environment/`, `tests/`) and Terminal-Bench 1 (`task.yaml`).

What an image is made of cannot come in: files that its Dockerfile copies into the work folder are the snapshot, everything
else that it does is listed as lost. Harbor's `tests/test.sh` is run by a command that writes its container paths as ours.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from posixpath import join, normpath
from typing import Any

from denominator.errors import InputError
from denominator.packs.foreign.draft import UNKNOWN_TIMEOUT_S, Draft, DraftTask
from denominator.packs.foreign.ours import TABLE
from denominator.packs.foreign.pytests import node_ids
from denominator.packs.foreign.returned import OF_PACK, returned
from denominator.wire.sources import Source, loose_yaml
from denominator.wire.toml import toml_values
from denominator.wire.trees import path_problem

HARBOR, TERMINAL = "task.toml", "task.yaml"
APP = "/app"
OF_TERMINAL = ("instruction", "category", "max_test_timeout_sec")
RUN = "run-harbor.sh"
SCRIPT = """\
#!/bin/sh
# Runs test.sh of a Harbor task in this work folder: paths of its container are written as ours, and its reward decides.
set -eu
rm -rf .verifier
mkdir .verifier
sed -e "s#/logs/verifier#$PWD/.verifier#g" -e "s#{workdir}\\b#$PWD#g" -e "s#/tests\\b#$HIDDEN#g" \\
  "$HIDDEN/test.sh" > .verifier/test.sh
{shell} .verifier/test.sh || true
reward=$(cat .verifier/reward.txt)
[ "$reward" = 1 ] || [ "$reward" = 1.0 ]
"""
COMMAND = f'sh "$HIDDEN/{RUN}"'
REWRITTEN = (
    "container paths in tests/test.sh are written as ours when it runs ({workdir}, /tests, /logs/verifier); in other "
    "files they stay"
)
SOLUTION = "the reference solution: it is a script, not a patch; make gold.patch of what it changes"


def find(files: Source) -> list[str]:
    """The folders of tasks."""
    names = set(files.names())
    marked = (one for one in names if one.rpartition("/")[2] in (HARBOR, TERMINAL))
    folders = sorted({one.rpartition("/")[0] for one in marked})
    return [one for one in folders if _in(one, "instruction.md") in names or _in(one, TERMINAL) in names]


def read(files: Source) -> Draft:
    """Every task folder as a task."""
    draft = Draft(name="Harbor and Terminal-Bench tasks", rule="every task folder below the named one")
    for folder in find(files):
        try:
            draft.tasks.append(_task(files, folder))
        except InputError as error:
            draft.refuse(folder or files.name, error.what)
    if any(task.reason for task in draft.tasks):
        draft.lost = (OF_PACK,)
    return draft


def _task(files: Source, folder: str) -> DraftTask:
    mine = {
        name[len(folder) + 1 if folder else 0 :]: name
        for name in files.names()
        if not folder or name.startswith(f"{folder}/")
    }
    return _harbor(files, mine, folder) if HARBOR in mine else _terminal(files, mine, folder)


def _harbor(files: Source, mine: Mapping[str, str], folder: str) -> DraftTask:
    said = toml_values(_text(files, mine[HARBOR]), mine[HARBOR])
    tests = {name.removeprefix("tests/"): path for name, path in mine.items() if name.startswith("tests/")}
    if "test.sh" not in tests:
        raise InputError("has no tests/test.sh")
    if _table(said, "verifier").get("environment_mode") == "separate":
        raise InputError("its verifier runs in a container of its own, which no sandbox of ours is")
    if any(name.startswith("steps/") for name in mine):
        raise InputError("has several steps, and a task of ours has one")
    task, environment = _table(said, "task"), _table(said, "environment")
    image = _image(files, mine, "environment/")
    lost = [*image.lost, REWRITTEN.format(workdir=image.workdir)]
    lost += [f"[environment] {key} = {value}" for key, value in environment.items() if key != "build_timeout_sec"]
    lost += [f"[agent] {key} = {value}" for key, value in _table(said, "agent").items()]
    lost += [SOLUTION] if any(name.startswith("solution/") for name in mine) else []
    lost += _unread(said)
    name = str(task.get("name") or folder.rpartition("/")[2] or files.name)
    plain = DraftTask(
        id=name,
        title=str(task.get("description") or name)[:120],
        family=str(_table(said, "metadata").get("category", "")),
        files={
            "prompt.md": files.read(mine["instruction.md"]),
            **{f"repo/{one}": data for one, data in image.files.items()},
            **{f"hidden/{one}": files.read(path) for one, path in tests.items()},
            f"hidden/{RUN}": SCRIPT.format(workdir=image.workdir, shell=_shell(files, tests["test.sh"])).encode(),
        },
        lost=tuple(lost),
        runner="command",
        command=COMMAND,
        level="G1",
        timeout_s=_seconds(_table(said, "verifier").get("timeout_sec")),
        executable=("hidden/test.sh",),
    )
    table = _table(said, "metadata").get(TABLE)
    return returned(files, mine, table, plain) if isinstance(table, dict) else plain


READ = {
    "task": ("name", "description", "version"),
    "metadata": ("category", TABLE),
    "verifier": ("timeout_sec", "environment_mode"),
}
ELSEWHERE = ("schema_version", "version", "environment", "agent")


def _unread(said: Mapping[str, Any]) -> Iterator[str]:
    """What task.toml says and no field of ours holds."""
    for key, value in said.items():
        if key in ELSEWHERE:
            continue
        for name, one in value.items() if isinstance(value, dict) else ():
            if name not in READ.get(key, ()):
                yield f"[{key}] {name} = {str(one)[:100]}"
        if not isinstance(value, dict):
            yield f"{key} = {str(value)[:100]}"


def _terminal(files: Source, mine: Mapping[str, str], folder: str) -> DraftTask:
    said = loose_yaml(files.read(mine[TERMINAL]), mine[TERMINAL])
    if not isinstance(said, dict) or not isinstance(said.get("instruction"), str):
        raise InputError("its task.yaml states no instruction")
    tests = {name.removeprefix("tests/"): path for name, path in mine.items() if name.startswith("tests/")}
    image = _image(files, mine, "")
    ids = [
        node_ids(name, files.read(path)) for name, path in tests.items() if name.rpartition("/")[2].startswith("test_")
    ]
    known = tuple(one for some in ids if some for one in some) if ids and None not in ids else ()
    lost = [
        *image.lost,
        *([] if known else ["ids of its tests: they cannot be told from the text, fill in expected_tests"]),
    ]
    lost += [f"{key}: {str(value)[:100]}" for key, value in said.items() if key not in OF_TERMINAL]
    lost += ["run-tests.sh: what it installs before the tests ran"] if "run-tests.sh" in mine else []
    lost += [SOLUTION] if any(name.startswith("solution") for name in mine) else []
    inside = sum(files.read(path).count(image.workdir.encode()) for path in tests.values())
    lost += [f"the tests name {image.workdir} {inside} times, which is the work folder here"] if inside else []
    name = folder.rpartition("/")[2] or files.name
    return DraftTask(
        id=name,
        title=name,
        family=str(said.get("category", "")),
        files={
            "prompt.md": said["instruction"].encode(),
            **{f"repo/{one}": data for one, data in image.files.items()},
            **{f"hidden/{one}": files.read(path) for one, path in tests.items()},
        },
        lost=tuple(lost),
        runner="pytest",
        level="G2" if known else "G1",
        expected_tests=known,
        timeout_s=_seconds(said.get("max_test_timeout_sec")),
    )


class _Image:
    """What a Dockerfile puts into the work folder, and what else it does."""

    def __init__(self) -> None:
        self.workdir = APP
        self.files: dict[str, bytes] = {}
        self.lost: list[str] = []


def _image(files: Source, mine: Mapping[str, str], below: str) -> _Image:
    image = _Image()
    dockerfile = mine.get(f"{below}Dockerfile")
    if dockerfile is None:
        image.lost.append("the image: no Dockerfile is there")
        return image
    for word, rest in _instructions(_text(files, dockerfile)):
        if word == "WORKDIR":
            image.workdir = normpath(join(image.workdir, rest))
        elif word in ("COPY", "ADD"):
            _copy(image, files, mine, below, rest)
        elif word != "CMD":
            image.lost.append(f"the image: {word} {rest[:100]}")
    return image


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    for line in text.replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word and not word.startswith("#"):
            yield word.upper(), " ".join(rest.split())


def _copy(image: _Image, files: Source, mine: Mapping[str, str], below: str, rest: str) -> None:
    words = _words(rest)
    *sources, dest = [one for one in words if not one.startswith("--")] or [""]
    place = normpath(join(image.workdir, dest))
    inside = place == image.workdir or place.startswith(f"{image.workdir}/")
    found = {
        one: path for one, path in mine.items() if any(_under(one, normpath(join(below, source))) for source in sources)
    }
    found = {one: path for one, path in found.items() if one != f"{below}Dockerfile"}
    if any(one.startswith("--from") for one in words) or not inside or not found or path_problem(place.strip("/")):
        image.lost.append(f"the image: COPY {rest[:100]}")
        return
    home = place[len(image.workdir) :].strip("/")
    single = len(sources) == 1 and normpath(join(below, sources[0])) in mine and not dest.endswith(("/", "."))
    for one, path in found.items():
        source = next(normpath(join(below, source)) for source in sources if _under(one, normpath(join(below, source))))
        name = one.rpartition("/")[2] if one == source else one if source == "." else one[len(source) + 1 :]
        image.files[home if single and home else join(home, name)] = files.read(path)


def _under(name: str, folder: str) -> bool:
    return folder == "." or name == folder or name.startswith(f"{folder}/")


def _words(rest: str) -> list[str]:
    try:
        listed = json.loads(rest) if rest.startswith("[") else shlex.split(rest)
    except ValueError:
        return []
    return [one for one in listed if isinstance(one, str)]


def _text(files: Source, name: str) -> str:
    return files.read(name).decode("utf-8", "replace")


def _shell(files: Source, name: str) -> str:
    return "bash" if b"bash" in files.read(name).partition(b"\n")[0] else "sh"


def _table(said: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = said.get(key)
    return found if isinstance(found, dict) else {}


def _seconds(value: object) -> int:
    try:
        return max(1, round(float(str(value))))
    except (ValueError, OverflowError):
        return UNKNOWN_TIMEOUT_S


def _in(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
