"""LiveCodeBench: `*_eval_all.json`, a list of questions with the samples that were graded.

What is read: every `*_eval_all.json`; the `pass@1` of `*_eval.json` beside it, as a printed number. Samples of a question are its
repeats, in their order. A question's id is the task, its difficulty the stratum.

Scheduled: nothing says so. The file holds the questions of a release and of a window of dates that it does not name. The number of
samples that was asked for stands in the file's name ("Scenario.codegeneration_10_0.2": ten, at temperature 0.2).

Traps:
- `*_eval.json` is keyed by position, not by id, and a continued run overwrites positions: it is refused by itself.
- `graded_list` is false where the grader itself broke (`error_code` -5, TestRunnerError): its result looks like a wrong
  answer (-2).
- `error_code` -3 is a time limit: a slow host has more of them, and the host is not recorded.
- A check that did not come back at all leaves false without any code: nobody knows whose that is, and the source counts it.
- Contests have dates: a question from before a model's training ended may have been read by it.

What was done: false with a code is the ending that the code names; true, and false without a code, are the source's judgement.
Each question's `pass@1` must be the share of its own list; a difference blocks. A list of another length than the name says
blocks. Contest dates stay with the row and their range is told. A file that breaks off blocks, and what came before is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from denominator.errors import InputError
from denominator.importers.foreign import chosen, undeclared
from denominator.importers.formats.livecodebench.endings import ENDINGS
from denominator.importers.formats.livecodebench.rows import Reading, rows_of
from denominator.records.foreign import ForeignRun, Part, Published, Recognition, Told
from denominator.wire.sources import Source, loose_json

ALL, BY_POSITION = "_eval_all.json", "_eval.json"
LOOKED_AT = 1 << 20
NAMED = re.compile(r"Scenario\.([a-z]{1,40})_([1-9][0-9]{0,4})_([0-9]{1,2}(?:\.[0-9]{1,6})?)\Z")
REFUSED = "is keyed by position, not by question: a continued run overwrites positions, so nobody can say which question is which"


class LiveCodeBench:
    """Questions with lists of graded samples."""

    name = "livecodebench"
    title = "LiveCodeBench: *_eval_all.json"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_id": "livecodebench files name no model; the folder does, if nobody renamed it",
        "model_snapshot": "livecodebench files name no model",
        "agent_id": "livecodebench files record no agent: a model was asked once",
        "harness_version": "livecodebench files record no version",
        "harness_commit": "livecodebench files record no commit",
        "dataset_version": "livecodebench files record no release of the questions",
        "scoring_script_sha256": "livecodebench files record no digest of the tests",
        "env_image_digest": "livecodebench files record no image and no host",
        "seed": "livecodebench files record no seed",
        "max_output_tokens": "livecodebench files record no limit on answers",
        "budget_tokens_per_task": "livecodebench files record no limit on tokens",
        "verify_timeout_s": "livecodebench files record no time limit of tests",
        "retry_policy": "livecodebench files do not say whether the run was continued",
        "concurrency": "livecodebench files do not say how many checks ran at once",
        "task_slice_sha256": "livecodebench files record no digest of the questions",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Names, and the keys of the first question; the file by position too, to say why it is refused."""
        parts = tuple(Part(name=name, title=file) for name, file in _parts(files).items())
        if parts:
            return Recognition(why=f"questions with samples (*{ALL})", parts=parts)
        refused = next((one for one in files.names() if _by_position(files, one)), "")
        why = f"*{BY_POSITION}, which {REFUSED}"
        return Recognition(why=why, parts=(Part(name=refused, title="refused by itself"),)) if refused else None

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The samples of one file. InputError: only the file by position is there."""
        parts = _parts(files)
        if not parts and (by_position := [one for one in files.names() if one.endswith(BY_POSITION)]):
            raise InputError(REFUSED, where=by_position[0], fix=f"give the *{ALL} of the same run")
        name = chosen([Part(name=one) for one in parts], part, files.name).name
        file, told = parts[name], Told()
        told.files[file] = "questions with their samples"
        document, samples, unknown = _named(file)
        _printed(files, file.removesuffix(ALL) + BY_POSITION, told)
        return ForeignRun(
            name=name,
            arm=file.rpartition("/")[0].rpartition("/")[2] or name,
            document={"run_id": name, "name": "LiveCodeBench", "harness_name": "LiveCodeBench", "scorer": "tests", **document},
            declared=undeclared(name, "LiveCodeBench files hold the questions that were graded, not those that were scheduled"),
            rows=rows_of(files, Reading(name, file, samples), told),
            told=told,
            unknown=unknown,
        )  # fmt: skip


def _parts(files: Source) -> dict[str, str]:
    found = [
        name for name in files.names() if name.endswith(ALL) and _has(files, name, b'"question_id"', b'"output_list"')
    ]
    whole = len(found) > 1
    return {(name if whole else name.rpartition("/")[2]).removesuffix(ALL): name for name in found}


def _by_position(files: Source, name: str) -> bool:
    return name.endswith(BY_POSITION) and _has(files, name, b'"pass@1"', b'"detail"')


def _has(files: Source, name: str, *keys: bytes) -> bool:
    """Is it a list in whose beginning these keys stand?"""
    try:
        with files.open(name) as stream:
            start = stream.read(LOOKED_AT)
    except InputError:
        return False
    return start.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"[" and all(key in start for key in keys)


def _named(file: str) -> tuple[dict[str, object], int, dict[str, str]]:
    """What the name that the tool gives a file says: scenario, samples a question (0: not stated), temperature."""
    if told := NAMED.match(file.rpartition("/")[2].removesuffix(ALL)):
        return {"scenario": told[1], "repeats": int(told[2]), "temperature": Decimal(told[3])}, int(told[2]), {}
    why = "the name of the file is not the tool's own, and nothing inside says it"
    return {}, 0, {"temperature": why, "repeats": why}


def _printed(files: Source, name: str, told: Told) -> None:
    """The mean that the file by position prints."""
    if name not in files.names():
        return
    told.files[name] = "a printed number"
    try:
        found = loose_json(files.read(name), name)
    except InputError as error:
        told.notes.append(f"{name} was not read: {error.what}")
        return
    value = found[0].get("pass@1") if isinstance(found, list) and found and isinstance(found[0], dict) else None
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        text = format(value, "f") if isinstance(value, Decimal) else str(value)
        where = f"{name}#/0/pass@1"
        told.published.append(
            Published(
                metric="pass@1", value=text, unit="share", role="rate", of="questions", where=where, unit_of="tasks"
            )
        )


IMPORTER = LiveCodeBench()
