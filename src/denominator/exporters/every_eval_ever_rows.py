"""Every Eval Ever 0.3.0 as the datastore keeps it: the aggregate document, and a row a declared draw beside it.

Both lie where the datastore looks for them (`data/COLLECTION/DEVELOPER/MODEL/UUID.json`, `UUID_samples.jsonl`). The mean of
`is_correct` over the rows is the score of the document: every declared draw of the solvable slice has a row, those that never
started or could not be scored too. Hidden tests do not leave the machine: `input.reference` names the digest of what graded,
`input.raw` the task by its pack. The document lists the ids that were scheduled as the official converter of another harness does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from denominator.errors import BlockedError
from denominator.exporters.every_eval_ever import EXPORTER as DOCUMENT
from denominator.records.draws import JudgedDraw
from denominator.records.exports import Export
from denominator.records.judgements import NEVER_STARTED, SCORED
from denominator.records.rows import AttemptRow, Usage

UNSAFE = '<>:"\\|?*'
UNKNOWN = "unknown"


class EveryEvalEverRows:
    """A folder of the datastore."""

    name = "every-eval-ever-rows"
    title = "Every Eval Ever 0.3.0: the document with a row a declared draw, in a folder of the datastore"
    ending = "json"
    cannot_say = (
        "a row is correct or not: abstentions, draws that could not be scored and such that never started are not correct, "
        "with what they are in `error` and `metadata`",
        "of a draw the attempt that counts is shown; attempts before it are a number",
        "prompts, patches, hidden tests and messages are not written",
        "a developer that nobody named is `unknown`, which the datastore warns about",
        *(one for one in DOCUMENT.cannot_say if not one.startswith("rows by instance")),
    )

    def files(self, run: Export) -> Iterator[tuple[str, bytes]]:
        """The two files. Raises as the document alone does; BlockedError too where draws have no id."""
        document: dict[str, Any] = json.loads(DOCUMENT.write(run))
        if run.judged.sheet.unnamed:
            what = f"{run.judged.sheet.unnamed} declared draws have no id: rows without them would have another mean"
            raise BlockedError(what, where=self.name, fix="export every-eval-ever writes the document alone")
        return self._files(run, document)

    def _files(self, run: Export, document: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
        draws = list(run.judged.sheet.of_slice("solvable"))
        rows = b"".join(_line(_row(draw, document, run)) for draw in draws)
        place = f"{_folder(document, run)}/{_uuid(document, rows)}"
        document["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": f"{place}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(rows).hexdigest(),
            "total_rows": len(draws),
        }
        tasks = list(dict.fromkeys(draw.draw.task_id for draw in draws))
        beside = document["evaluation_results"][0]["source_data"].setdefault("additional_details", {})
        beside["samples_number"] = str(len(tasks))
        if not any("," in one for one in tasks):
            beside["sample_ids"] = ",".join(tasks)
        whole = json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
        yield f"{place}.json", whole.encode("utf-8", "backslashreplace") + b"\n"
        yield f"{place}_samples.jsonl", rows


def _folder(document: Mapping[str, Any], run: Export) -> str:
    """Where the datastore looks: the developer is what stands before the first slash of the model's id."""
    model = str(document["model_info"]["id"])
    developer, slash, name = model.partition("/")
    developer, name = (
        (developer, name) if slash else (str(document["model_info"].get("developer", "")) or UNKNOWN, model)
    )
    return "/".join(("data", *map(_part, (run.card.pack or run.card.run_id, developer, name))))


def _part(text: str) -> str:
    """A part of a path as the datastore's own tool makes it."""
    safe = "".join("_" if one in UNSAFE or one == "/" or ord(one) < 32 else one for one in text).strip().rstrip(". ")
    return f"_{safe}" if safe in ("", "data") else safe


def _uuid(document: Mapping[str, Any], rows: bytes) -> str:
    """A name in the form of a random UUID, made of what it names: the same run gives the same name."""
    told = hashlib.sha256(json.dumps(document, sort_keys=True).encode() + rows).hexdigest()
    variant = "89ab"[int(told[16], 16) % 4]
    return f"{told[:8]}-{told[8:12]}-4{told[13:16]}-{variant}{told[17:20]}-{told[20:32]}"


def _line(row: Mapping[str, Any]) -> bytes:
    return (
        json.dumps(row, sort_keys=True, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace") + b"\n"
    )


def _row(draw: JudgedDraw, document: Mapping[str, Any], run: Export) -> dict[str, Any]:
    result = document["evaluation_results"][0]
    raw = f"pack:{run.card.pack_digest or run.card.pack}#{draw.draw.task_id}"
    reference = [_reference(draw.row)]
    passed = draw.exit == "pass"
    row: dict[str, Any] = {
        "schema_version": document["schema_version"],
        "evaluation_id": document["evaluation_id"],
        "model_id": document["model_info"]["id"],
        "evaluation_name": result["evaluation_name"],
        "evaluation_result_id": result["evaluation_result_id"],
        "sample_id": draw.draw.task_id,
        "sample_hash": hashlib.sha256((raw + "".join(reference)).encode("utf-8", "backslashreplace")).hexdigest(),
        "interaction_type": "agentic",
        "input": {"raw": raw, "reference": reference},
        "output": None,
        "messages": [],
        "answer_attribution": [],
        "evaluation": {"score": 1 if passed else 0, "is_correct": passed},
        "error": _error(draw),
        "metadata": dict(_metadata(draw)),
    }
    if draw.row is not None:
        row |= {"token_usage": _usage(draw.row.usage)}
        if isinstance(draw.row.wall_ms, int):
            row["performance"] = {"latency_ms": draw.row.wall_ms}
    return row


def _reference(row: AttemptRow | None) -> str:
    sha = row.grader_sha if row is not None else ""
    return f"hidden-tests:sha256:{sha}" if isinstance(sha, str) and sha else "hidden-tests:digest not measured"


def _error(draw: JudgedDraw) -> str | None:
    """Why a draw has no score; nothing for one that has."""
    if draw.exit in SCORED:
        return None
    if draw.exit == NEVER_STARTED:
        return "never started"
    return ": ".join(one for one in (draw.exit, draw.origin, draw.reason) if one)


def _metadata(draw: JudgedDraw) -> Iterator[tuple[str, str]]:
    yield from (("repeat", str(draw.draw.repeat)), ("exit", draw.exit), ("attempts", str(len(draw.tries))))
    for name in ("origin", "reason", "failure_class", "mix", "stratum"):
        if value := getattr(draw, name):
            yield name, value
    if draw.tags:
        yield "tags", ";".join(draw.tags)


def _usage(usage: Usage) -> dict[str, int] | None:
    """Tokens, cached ones inside the input; all three sums are needed."""
    if not isinstance(usage.prompt, int) or not isinstance(usage.completion, int):
        return None
    found = {
        "input_tokens": usage.prompt,
        "output_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
    }
    beside = {
        "input_tokens_cache_read": usage.cached_read,
        "input_tokens_cache_write": usage.cache_write,
        "reasoning_tokens": usage.reasoning,
    }
    return found | {name: value for name, value in beside.items() if isinstance(value, int)}


EXPORTER = EveryEvalEverRows()
