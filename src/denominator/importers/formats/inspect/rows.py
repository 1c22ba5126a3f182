"""The samples of a log as rows: epochs are repeats, tries after an error are attempts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any

from denominator.errors import InputError
from denominator.importers.carried import carried
from denominator.importers.clocks import moment
from denominator.importers.foreign import at, foreign_row, readable_id
from denominator.importers.formats.inspect import endings
from denominator.importers.formats.inspect import scores as said
from denominator.importers.formats.inspect.logs import Held, Log, table
from denominator.importers.formats.inspect.noticed import Noticed
from denominator.importers.formats.inspect.printed import COMPLETED, total_of
from denominator.importers.formats.inspect.samples import (
    Event,
    Sample,
    Score,
    Wrong,
    content_digest,
    content_of,
    raw_digest,
    sample_of,
)
from denominator.importers.formats.inspect.spent import cost_of, tokens_of, usage_of
from denominator.importers.measured import count_or, ms_or, text_or
from denominator.records.foreign import Ending, ForeignRow, Told
from denominator.records.rows import Source, Usage
from denominator.records.values import NotMeasured
from denominator.wire.times import read_time

IMPORTER = "inspect"
NOT_KEPT = NotMeasured("error_retries keep neither usage nor times of earlier tries")
NO_USAGE = Usage(prompt=NOT_KEPT, completion=NOT_KEPT, calls=NOT_KEPT)
TRIES_MAX = 1_000


@dataclass(slots=True)
class Reading:
    """One log while it is read."""

    log: Log
    run: str
    headline: said.Headline
    planned: frozenset[str]
    epochs: int
    told: Told
    seen: Noticed = field(default_factory=Noticed)
    began: datetime | None = None
    recovered: bool = False
    thin: dict[tuple[str, int], Sample] | None = None

    def rows(self) -> Iterator[ForeignRow]:
        """Every sample that the log holds; then what is only in its summaries; then everything that was noticed."""
        stats, error = table(self.log.header.get("stats")), table(self.log.header.get("error"))
        self.began = read_time(started) if isinstance(started := stats.get("started_at"), str) else None
        self.recovered = str(error.get("message", "")).startswith("Eval recovered from crash")
        try:
            for held in self.log.samples():
                yield from self._of_held(held)
        except InputError as broken:
            self.told.say("torn_log", broken.where or self.log.name, f"{broken.what}; the samples before it are read")
        for (task, epoch), line in self._summaries().items():
            if (task, epoch) not in self.seen.keys and (task.replace("/", "_"), epoch) not in self.seen.renamed:
                self.seen.note("sample_missing", task)
                yield from self._of_sample(line, at(self._summary_place(), element=f"{task} {epoch}"), thin=True)
        self._tell()

    def _of_held(self, held: Held) -> Iterator[ForeignRow]:
        sha = held.sha256
        try:
            if held.fault:
                raise InputError(held.fault, where=held.place)
            sample = held.sample or sample_of(held.data, held.place)
            yield from self._of_sample(sample, at(held.place, sha256=sha), held)
        except InputError as broken:
            self.told.say("broken_sample", held.place, broken.what, *([held.id] if held.id else []))
            line = self._summaries().get((held.id, held.epoch))
            if line is not None:
                yield from self._of_sample(line, at(held.place, sha256=sha), held, True)
            elif held.id and (task := readable_id(self.told, held.place, held.id)):
                self.seen.keys.setdefault((task, held.epoch), sha)
                yield self._row(endings.BROKEN, task, held.epoch, 1, at(held.place, sha256=sha))

    def _of_sample(
        self, sample: Sample, source: Source, held: Held | None = None, thin: bool = False
    ) -> Iterator[ForeignRow]:
        key = self._key(sample, source, held)
        if key is None or not self._first(key, source):
            return
        task, epoch = key
        tries = sample.error_retries or self._unkept(sample)
        for number, wrong in enumerate(tries, 1):
            failed = endings.of_error(wrong.message, wrong.traceback, self.recovered)
            kept = {"error": carried(wrong.message[:200]), "try": number}
            again = "plan" if number == 1 else "retry"
            yield self._row(failed, task, epoch, number, source, kept, cause=again, usage=NO_USAGE, wall_ms=NOT_KEPT)
        self.seen.completed += sample.error is None
        ending, verdict = self._ending(sample, task, source)
        fields = self._facts(sample)
        if ending is endings.ERROR_CORRECT:
            fields["first_unrecovered"] = self._error(sample).facts.get(
                "first_unrecovered", ending.facts["first_unrecovered"]
            )
        kept = self._kept(sample, verdict, task, source, thin)
        number = len(tries) + 1
        yield self._row(ending, task, epoch, number, source, kept, cause="retry" if tries else "plan", **fields)

    def _row(
        self, ending: Ending | None, task: str, epoch: int, number: int, source: Source,
        extra: Mapping[str, object] | None = None, **fields: Any,
    ) -> ForeignRow:  # fmt: skip
        return foreign_row(
            self.run, ending, task, importer=IMPORTER, source=source, repeat=epoch, attempt=number, extra=extra,
            asked_model=text_or(self.log.spec.get("model"), "the log names no model"), **fields,
        )  # fmt: skip

    def _key(self, sample: Sample, source: Source, held: Held | None) -> tuple[str, int] | None:
        """Id and epoch, of the sample itself. What its member is called says the same, or it is told."""
        own = str(sample.id) if isinstance(sample.id, int) and not isinstance(sample.id, bool) else sample.id
        task = own if isinstance(own, str) and own in self.seen.ids else readable_id(self.told, source.file, own)
        if task:
            self.seen.ids.add(task)
        epoch = count_or(sample.epoch, "")
        if not isinstance(epoch, int) or not 0 < epoch < 1 << 31:
            self.told.say("bad_value", source.file, f"epoch {str(sample.epoch)[:40]!r} is no number from 1", task)
            return None
        if held and held.id and task:
            self._renamed(held, task, epoch, source)
        return (task, epoch) if task else None

    def _renamed(self, held: Held, task: str, epoch: int, source: Source) -> None:
        """A member that holds another sample than it is called after counts once: as the one that it holds."""
        if held.id not in (task, task.replace("/", "_")):
            what = f"the member of {held.id[:80]!r} holds {task[:80]!r}"
        elif held.epoch != epoch:
            what = f"the member of epoch {held.epoch} holds epoch {epoch}"
        else:
            return
        self.seen.renamed.add((held.id, held.epoch))
        self.told.say("renamed_sample", source.file, what, task, blocks=False)

    def _first(self, key: tuple[str, int], source: Source) -> bool:
        """Each sample counts once: an equal copy is told, another content under one key blocks."""
        if (before := self.seen.keys.get(key)) is None:
            self.seen.keys[key] = source.sha256
            if self.planned and (key[0] not in self.planned or key[1] > self.epochs):
                self.seen.note("not_scheduled", key[0])
            return True
        same = before == source.sha256
        what = "stands twice, byte for byte" if same else "stands twice with other contents; the first one is kept"
        kind = "duplicate_rows" if same else "conflicting_rows"
        self.told.say(kind, source.file, f"{key[0]}, epoch {key[1]}, {what}", key[0], blocks=not same)
        return False

    def _unkept(self, sample: Sample) -> list[Wrong]:
        """Earlier tries of which the summaries keep the number alone."""
        many = count_or(sample.retries, "")
        return [Wrong()] * min(many, TRIES_MAX) if isinstance(many, int) and sample.error_retries is None else []

    def _error(self, sample: Sample) -> Ending:
        wrong = Wrong(sample.error) if isinstance(sample.error, str) else sample.error or Wrong()
        return endings.of_error(wrong.message, wrong.traceback, self.recovered, _calls(sample))

    def _ending(self, sample: Sample, task: str, source: Source) -> tuple[Ending | None, said.Verdict]:
        verdict = said.verdict_of(sample.scores or _older(sample), self.headline)
        self.seen.parts |= verdict.word in (said.PARTIAL, said.SEVERAL)
        if verdict.edited:
            self.seen.note("edited_score", task)
        if sample.invalidation is not None:
            self.seen.note("invalidated", task)
            return endings.INVALIDATED, verdict
        if sample.error is not None:
            ending = endings.of_broken_sample(self._error(sample), verdict)
            if verdict.word not in (said.NONE, said.UNSCORED):
                self.seen.note("scored_on_error", task)
            return ending, verdict
        limit = sample.limit if isinstance(sample.limit, str) else sample.limit.type if sample.limit else ""
        found = endings.of_sample(limit, verdict)
        if found is None:
            self.seen.note("unknown_ending", task, source.file, f"limit {limit[:60]!r}")
        elif found is endings.SEVERAL:
            self.seen.note("several_scores", task, source.file, ", ".join(verdict.names)[:300])
        elif found is endings.PARTIAL:
            self.seen.note("no_pass_line", task)
        elif found is endings.UNSCORED:
            self.seen.note("unscored", task)
        elif found is endings.NO_SCORE:
            self.seen.note("no_score", task)
        return found, verdict

    def _facts(self, sample: Sample) -> dict[str, Any]:
        """Times and usage of the last try; what its events say of the provider."""
        events = sample.events
        self.seen.tokens += tokens_of(sample.model_usage)
        why = "the log keeps no events of this sample"
        return {
            "started_at": moment(sample.started_at, "the log keeps no time of it"),
            "wall_ms": ms_or(sample.total_time, "the log keeps no time of it"),
            "working_ms": ms_or(sample.working_time, "the log keeps no working time of it"),
            "usage": usage_of(sample.model_usage, _calls(sample)),
            "served_models": self._served(sample),
            "provider_retries": NotMeasured(why) if events is None else sum(map(_retries, _said(events, "retries"))),
            "played": "read" in _said(events or (), "cache"),
        }

    def _served(self, sample: Sample) -> tuple[str, ...]:
        """Models that answered: of the last answer, and those that stood in for the one that was asked."""
        others = [one.fallback_model for one in sample.model_fallbacks or ()]
        if others:
            self.seen.note("other_model", str(sample.id))
        named = [*([sample.output.model] if sample.output else ()), *others]
        return tuple(dict.fromkeys(one for one in named if isinstance(one, str) and one))

    def _kept(self, sample: Sample, verdict: said.Verdict, task: str, source: Source, thin: bool) -> dict[str, object]:
        """What else a reader may want of a sample."""
        limit = sample.limit if isinstance(sample.limit, str) else sample.limit.type if sample.limit else ""
        wrong = sample.error if isinstance(sample.error, str) else sample.error.message if sample.error else ""
        kept: dict[str, object] = {
            "score_name": verdict.name, "score": _short(verdict.value), "score_reason": verdict.reason,
            "score_before": _short(verdict.before) if verdict.edited else "", "limit": limit[:60],
            "error": carried(wrong[:200]) if wrong else "", "uuid": _short(sample.uuid), "turns": _short(sample.turn_count),
            "messages": _short(sample.message_count), "cost_usd": cost_of(sample.model_usage),
            "content_sha256": self._content(sample, task, source), "from_summary": thin or "",
            "reused": self._reused(sample, task) or "",
        }  # fmt: skip
        return {
            name: value
            for name, value in kept.items()
            if value not in ("", None) and not isinstance(value, NotMeasured)
        }

    def _content(self, sample: Sample, task: str, source: Source) -> str:
        """What the sample held when it was run; other contents under one id are no repeats of one task."""
        content = content_of(sample)
        if not content:
            return ""
        raw = raw_digest(content)
        first = self.seen.contents.get(task)
        if first is not None and first[0] == raw:
            return first[1]
        found = content_digest(content, source.file)
        if first is None:
            self.seen.contents[task] = (raw, found)
        elif found != first[1]:
            self.seen.note("mixed_content", task, source.file)
        return found

    def _reused(self, sample: Sample, task: str) -> bool:
        """Was it run before this log began? Nothing else shows that it was taken from an earlier one."""
        started = read_time(sample.started_at) if isinstance(sample.started_at, str) else None
        if started is None or self.began is None or started >= self.began:
            return False
        self.seen.note("reused_sample", task)
        return True

    def _summaries(self) -> dict[tuple[str, int], Sample]:
        if self.thin is None:
            try:
                self.thin = self.log.summaries()
            except InputError as broken:
                self.thin = {}
                self.told.say("broken_summaries", broken.where or self.log.name, broken.what, blocks=False)
        return self.thin

    def _summary_place(self) -> str:
        return f"{self.log.inside}summaries.json"

    def _tell(self) -> None:
        if not self.seen.keys:
            self.told.say(
                "no_samples", self.log.name, "the log keeps no sample, so no number of it can be held against rows"
            )
        self.seen.tell(self.told, self.log.name)
        printed = count_or(table(self.log.header.get("results")).get(COMPLETED), "")
        if isinstance(printed, int) and printed != self.seen.completed:
            what = f"{printed} samples ended without an error by its own count, {self.seen.completed} by its samples"
            self.told.say("counts_differ", f"{self.log.head}#/results/{COMPLETED}", what, blocks=False)
        total, held = total_of(self.log), self.seen.tokens
        if isinstance(total, int) and total != held:
            in_sum = "earlier tries, and what was cut off before it was logged, are in the sum alone"
            in_rows = "samples that were reused from an earlier log are in the rows alone"
            why = f"{in_sum}: tokens by row are a lower bound" if total > held else in_rows
            self.told.notes.append(
                f"tokens: {held} in the last tries of the samples, {total} in the sum of the log: {why}"
            )


def _older(sample: Sample) -> dict[str, Score]:
    """The one score that logs of version 1 keep without a name."""
    return {"score": sample.score} if sample.score is not None else {}


def _calls(sample: Sample) -> int | None:
    return None if sample.events is None else _said(sample.events, "event").count("model")


def _said(events: Iterable[Event], name: str) -> list[Any]:
    """What events say under one name: most of them say nothing there, and a log holds hundreds of thousands."""
    return list(filter(None, map(attrgetter(name), events)))


def _retries(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 31 else 0


def _short(value: object) -> object:
    """A scalar that is no long text; anything else as its kind alone."""
    if isinstance(value, str):
        return value[:200]
    return (
        value
        if value is None or isinstance(value, bool | int) or not isinstance(value, list | dict)
        else type(value).__name__
    )
