"""The rows of one result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from denominator.importers.foreign import at, foreign_row, readable_id
from denominator.importers.formats.every_eval_ever import printed, stated
from denominator.importers.formats.every_eval_ever.documents import Result, table, text
from denominator.importers.measured import count_or, millis_or, spent_or
from denominator.records.foreign import Ending, ForeignRow, Told
from denominator.records.rows import Count, Usage
from denominator.records.values import NotMeasured
from denominator.wire.sources import Source, digest_of, loose_lines
from denominator.wire.sources.loose import Line

CORRECT = Ending(
    word="is_correct true",
    origin="MODEL",
    outcome="pass",
    judged=True,
    why="the row says correct, and its score is the highest of the metric",
)
INCORRECT = Ending(
    word="is_correct false", outcome="fail", origin="MODEL", judged=True,
    why="the row says incorrect, its score is the lowest of the metric, and no error stands beside it",
)  # fmt: skip
ERRED = Ending(
    word="is_correct false, with an error", outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
    why="an error stands beside the row: one text for timeouts, refusals and broken harnesses, and nobody says whose it was",
)  # fmt: skip
OPEN = Ending(
    word="no verdict", outcome="unscoreable", origin="HARNESS", reason="no_verdict", judged=True,
    why="is_correct is missing, or the score beside it is no verdict: converters call every score above 0 correct",
)  # fmt: skip
NO_TOKENS = "the row holds no tokens"
UNCLEAR = NotMeasured("nobody says whether input_tokens holds the cached ones: the total is no sum of either")
NO_CALLS = NotMeasured("every-eval-ever counts turns and tool calls, no calls of a model")
NAMED = 50


class Rows:
    """The rows of a result, and what came up among its lines."""

    def __init__(self, files: Source, result: Result, told: Told, planned: frozenset[str]) -> None:
        self._files, self._result, self._told, self._planned = files, result, told, planned
        self._ends = printed.ends_of(result)
        self._seen: dict[tuple[str, int], str] = {}
        self._others: Counter[str] = Counter()
        self._open: dict[str, dict[str, None]] = {}
        self._lines = 0

    def rows(self) -> Iterator[ForeignRow]:
        """Each line of the result, once; then everything that was noticed."""
        if not self._result.samples:
            what = (
                "the document prints a score and names no rows that are here: out of which it was made cannot be told"
            )
            self._told.say("no_rows", self._result.where, what)
            return
        for line in loose_lines(self._files, self._result.samples):
            self._lines += 1
            where = f"{self._result.samples}:{line.number}"
            if line.fault or not isinstance(line.value, dict):
                self._told.say("torn_tail" if line.torn else "bad_line", where, line.fault or "is no JSON object")
            elif self._is_own(line.value) and (found := self._row(line, where)):
                yield found
        self._tell()

    def _is_own(self, row: Mapping[str, Any]) -> bool:
        """Is it a row of this result, of this evaluation and this model?"""
        given = text(row.get("evaluation_result_id"))
        own = self._result.text("evaluation_result_id")
        named = text(row.get("evaluation_name"))
        if (given != own) if given and own else (named != self._result.text("evaluation_name")):
            self._others[(given or named)[:200]] += 1
            return False
        for kind, theirs, ours in (
            ("foreign_rows", row.get("evaluation_id"), self._result.document.get("evaluation_id")),
            ("another_model", row.get("model_id"), table(self._result.document.get("model_info")).get("id")),
        ):
            if theirs != ours:
                self._note(kind, text(row.get("sample_id")))
                return False
        return True

    def _row(self, line: Line, where: str) -> ForeignRow | None:
        row: Mapping[str, Any] = line.value
        task = readable_id(self._told, where, row.get("sample_id"))
        more = table(row.get("metadata"))
        repeat = _number(more, "epoch") or _number(more, "repeat") or 1
        if not task or not self._first((task, repeat), line.sha256, where):
            return None
        if self._planned and task not in self._planned:
            self._note("not_scheduled", task)
        verdict = table(row.get("evaluation"))
        ending = self._ending(verdict, text(row.get("error")), task)
        return foreign_row(
            stated.run_id(self._result), ending, task, importer="every-eval-ever", repeat=repeat,
            source=at(self._result.samples, line=line.number, sha256=line.sha256), usage=_usage(table(row.get("token_usage"))),
            wall_ms=millis_or(table(row.get("performance")).get("latency_ms"), "the row holds no latency"),
            extra=dict(_extra(row, verdict)),
        )  # fmt: skip

    def _first(self, draw: tuple[str, int], sha: str, where: str) -> bool:
        if (before := self._seen.get(draw)) is None:
            self._seen[draw] = sha
            return True
        same = before == sha
        what = f"sample {draw[0]} repeat {draw[1]} stands twice" + (
            "" if same else ", with different rows; the first counts"
        )
        self._told.say("duplicate_rows" if same else "conflicting_rows", where, what, draw[0], blocks=not same)
        return False

    def _ending(self, verdict: Mapping[str, Any], error: str, task: str) -> Ending:
        said, score = verdict.get("is_correct"), verdict.get("score")
        if not isinstance(said, bool) or isinstance(score, bool) or not isinstance(score, int | Decimal):
            self._note("no_verdict", task)
            return OPEN
        if isinstance(self._ends, NotMeasured):
            self._note("less_is_wanted", task)
            return OPEN
        if error and not said:
            return ERRED
        if score != self._ends[1 if said else 0]:
            self._note("no_pass_line", task)
            return OPEN
        if error:
            self._note("error_beside_pass", task)
        return CORRECT if said else INCORRECT

    def _note(self, kind: str, task: str) -> None:
        self._open.setdefault(kind, {})[task[:200]] = None

    def _tell(self) -> None:
        for kind, tasks in sorted(self._open.items()):
            what, blocks = TELLING[kind]
            named = (one for one in tuple(tasks)[:NAMED] if one)
            self._told.say(kind, self._result.samples, f"{len(tasks)} samples: {what}", *named, blocks=blocks)
        if self._others:
            each = ", ".join(f"{name} {many}" for name, many in sorted(self._others.items())[:20])
            self._told.notes.append(f"rows of other results of the same file: {each}")
        if not self._seen:
            self._told.say("no_rows", self._result.samples, "no row is of this result")
        self._held_against(table(self._result.document.get("detailed_evaluation_results")))

    def _held_against(self, said: Mapping[str, Any]) -> None:
        """What the document says of its file of rows."""
        many = count_or(said.get("total_rows"), "")
        where = f"{self._result.file}#/detailed_evaluation_results"
        if isinstance(many, int) and many != self._lines:
            self._told.say(
                "missing_rows" if many > self._lines else "more_rows",
                where,
                f"total_rows is {many}, the file has {self._lines}",
            )
        sha = text(said.get("checksum"))
        if (
            said.get("hash_algorithm") == "sha256"
            and sha
            and digest_of(self._files, self._result.samples) != sha.lower()
        ):
            self._told.say(
                "changed_rows", where, "the file of rows has another digest than its document says", blocks=False
            )


def _number(table_: Mapping[str, Any], name: str) -> int:
    """A number from 1 in a table of texts, else 0."""
    told = table_.get(name)
    told = str(told) if isinstance(told, int) and not isinstance(told, bool) else text(told)
    return int(told) if told.isascii() and told.isdecimal() and len(told) <= 6 else 0


def _usage(used: Mapping[str, Any]) -> Usage:
    """Tokens of a row; of the prompt only where the total says what is in it."""
    given, made, total = (
        spent_or(used.get(name), NO_TOKENS) for name in ("input_tokens", "output_tokens", "total_tokens")
    )
    read, wrote = (count_or(used.get(f"input_tokens_cache_{name}"), NO_TOKENS) for name in ("read", "write"))
    prompt: Count = given
    cached = sum(one for one in (read, wrote) if isinstance(one, int))
    if cached and isinstance(given, int) and isinstance(made, int):
        prompt = given if total == given + made else given + cached if total == given + made + cached else UNCLEAR
    reasoning = count_or(used.get("reasoning_tokens"), NO_TOKENS)
    return Usage(
        prompt=prompt, completion=made, cached_read=read, cache_write=wrote, reasoning=reasoning, calls=NO_CALLS
    )


def _extra(row: Mapping[str, Any], verdict: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Small things that a reader may want: no input, no answer, no message."""
    for name in ("interaction_type", "sample_hash"):
        if told := text(row.get(name)):
            yield name, told[:128]
    for name in ("score", "num_turns", "tool_calls_count"):
        value = verdict.get(name)
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            yield name, value
    if error := text(row.get("error")):
        yield "error_characters", len(error)


TELLING: dict[str, tuple[str, bool]] = {
    "no_verdict": ("is_correct or the score is missing", True),
    "less_is_wanted": ("less of the metric is wanted, or it has no ends: no score is a verdict", True),
    "no_pass_line": ("the score is none of both ends of the metric, or is_correct contradicts it", True),
    "error_beside_pass": ("an error stands beside a row that says correct; it counts as the row says", False),
    "not_scheduled": ("the document does not list them among its sample_ids", True),
    "foreign_rows": ("the rows are of another evaluation_id, and are left out", True),
    "another_model": ("the rows are of another model_id, and are left out", True),
}
