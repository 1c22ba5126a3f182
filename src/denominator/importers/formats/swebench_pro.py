"""SWE-bench Pro evaluation tables: one `eval_results.json` a run, {instance id: resolved}.

What is read: every `eval_results.json` at the top, or in a folder below; the folder's name is the run. Of an `index.html` at the
top the table of names and percents.

Traps: a table holds only the ids that were evaluated, and the tables of one leaderboard hold different ids; a percent over
its own ids therefore has another denominator in every row. An attempt that died of a rate limit is `false` like any other
that was not resolved. The page beside the tables prints percents that are typed by hand.
What was done: the ids of the table are rows, no plan is made of them; `--declare` names the ids that were scheduled. A value
that is no boolean is a row without a verdict, and blocks; so does an id that stands twice with two values. A percent of the page
belongs to a run only where its name, in letters and digits and without what stands before a plus sign, begins the name of that
folder and of no other; the others are a note, and can be declared (`published = "36.30 %"`). Names that only begin alike are not
matched: what takes "gpt-5-2025-08-07 (High)" for `gpt-5-250-turns-...` takes "claude-4-5-haiku" for `claude-45sonnet-...`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from denominator.errors import InputError
from denominator.importers.foreign import at, chosen, foreign_row, pointed, readable_id, undeclared
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Published, Recognition, Told
from denominator.wire.sources import Source, loose_json, remembered

FILE = "eval_results.json"
TABLE_BYTES = 4 << 20
"""A table of seven hundred ids takes forty thousand."""
PAGE = "index.html"
PAGE_BYTES = 4 << 20
PRINTED = re.compile(
    r'class="model-name"[^>]*>(?P<name>[^<]{1,200})<(?:(?!class="model-name").){0,2000}?'
    r'class="resolved-score"[^>]*>\s*(?P<percent>[0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%?\s*<',
    re.S,
)
RESOLVED = Ending(word="true", outcome="pass", judged=True, why="the table says that the instance was resolved")
NOT_RESOLVED = Ending(
    word="false", outcome="fail", origin="MODEL", judged=True,
    why="the table says that it was not; whether a rate limit or a broken box did it is not recorded",
)  # fmt: skip


class SwebenchPro:
    """{instance id: resolved} of one run or of several."""

    name = "swebench-pro"
    title = "SWE-bench Pro: eval_results.json"
    endings = (RESOLVED, NOT_RESOLVED)
    cannot_tell: Mapping[str, str] = {
        "model_id": "swebench-pro tables name a folder, not the model that was called",
        "harness_version": "swebench-pro tables record no version of the harness",
        "scoring_script_sha256": "swebench-pro tables record no digest of the grader",
        "env_image_digest": "swebench-pro tables record no image",
        "budget_tokens_per_task": "swebench-pro tables record no limit on tokens, turns or cost",
        "retry_policy": "swebench-pro tables record no retries",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """`eval_results.json` files whose values are true or false."""
        parts = tuple(Part(name=name) for name in _tables(files))
        if not parts:
            return None
        return Recognition(why=f"{len(parts)} tables of instance id and resolved ({FILE})", parts=parts)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The table of one run."""
        tables = _tables(files)
        run = chosen([Part(name=name) for name in tables], part, files.name)
        name, doubled = tables[run.name], list[str]()
        told = Told(files={name: "rows"})
        table = _table(files, name, doubled)
        for what in doubled:
            told.say("conflicting_rows", name, f"{what}: the last one is read")
        _published(files, run.name, list(tables), told)
        return ForeignRun(
            name=run.name,
            arm=run.name,
            document={"run_id": run.name, "name": "SWE-bench Pro", "harness_name": "SWE-bench Pro"},
            declared=undeclared(
                run.name, "a table of SWE-bench Pro holds the ids that were evaluated, not those that were scheduled"
            ),
            rows=_rows(run.name, name, table, told),
            told=told,
        )


def _tables(files: Source) -> dict[str, str]:
    """The file of each run by its name; runs whose folders have one name are named by the whole way to them."""
    return remembered(files, _tables, lambda: _by_name(files))


def _by_name(files: Source) -> dict[str, str]:
    found = [one for one in files.names() if one.rpartition("/")[2] == FILE and _is_table(files, one)]
    names = Counter(_run_of(one, files) for one in found)
    return {(name if names[name := _run_of(one, files)] == 1 else one.rpartition("/")[0] or name): one for one in found}


def _run_of(name: str, files: Source) -> str:
    return name.rpartition("/")[0].rpartition("/")[2] or files.name.removesuffix(".json")


def _is_table(files: Source, name: str) -> bool:
    try:
        return bool(_table(files, name))
    except InputError:
        return False


def _table(files: Source, name: str, doubled: list[str] | None = None) -> dict[str, object]:
    found = loose_json(files.read(name, TABLE_BYTES), name, doubled)
    if not isinstance(found, dict) or not any(isinstance(one, bool) for one in found.values()):
        raise InputError("is no table of instance id and true or false", where=name)
    return found


def _published(files: Source, run: str, runs: list[str], told: Told) -> None:
    """The percent that the page beside the tables prints of this run, where its name says which one it is."""
    if PAGE not in files.names():
        return
    try:
        text = files.read(PAGE, PAGE_BYTES).decode("utf-8", "replace")
    except InputError as error:
        told.notes.append(f"{PAGE}: {error.what}; what it prints is not known")
        return
    told.files[PAGE] = "printed percents"
    others = []
    for found in PRINTED.finditer(text):
        name = found["name"].strip()
        own = _plain(name.rpartition("+")[2])
        fits = [one for one in runs if own and _plain(one).startswith(own)]
        if fits == [run]:
            where = f"{PAGE}:{text.count(chr(10), 0, found.start()) + 1}"
            told.published.append(
                Published(
                    metric="resolved", value=found["percent"], unit="percent", role="rate", where=where, unit_of="draws"
                )
            )
        elif len(fits) != 1:
            others.append(f"{name} {found['percent']}")
    if others:
        told.notes.append(
            f"{PAGE} prints percents under names that begin the name of no folder, or of several, so nothing says which runs "
            f'these are of: {", ".join(others[:20])} (--declare with published = "..." holds one against a run)'
        )


def _plain(name: str) -> str:
    return "".join(one for one in name.lower() if one.isalnum())


def _rows(run: str, file: str, table: Mapping[str, object], told: Told) -> Iterator[ForeignRow]:
    for instance, value in table.items():
        where = at(file, pointed(instance), element={instance: value})
        if not (task := readable_id(told, where.file, instance)):
            continue
        ending = (RESOLVED if value else NOT_RESOLVED) if isinstance(value, bool) else None
        if ending is None:
            told.say("unknown_outcome", where.file, f"{task}: {str(value)[:40]!r} is neither true nor false", task)
        yield foreign_row(run, ending, task, importer="swebench-pro", source=where, numbered=False)


IMPORTER = SwebenchPro()
