"""Inspect logs: `.eval` files (zip, packed with zstd or deflate) and `.json` logs, one or a folder of them.

What is read: of a `.eval` file `header.json`, each `samples/ID_epoch_N.json` by itself, and `summaries.json` only for samples
whose member is missing or damaged; without a header the log was never finished, and `_journal/start.json` with the
summaries of the journal stand for it. Of a `.json` log the values beside `samples`, then its samples one by one; the
file is never held as a whole. Events and messages are passed over, but for the sample as it was run, answers from the cache
and retries of calls. The package inspect-ai is not needed.

Epochs are repeats of a task. Tries after an error (`error_retries`) are attempts of one draw, in order. In a folder every log
is a run of its own, but for retried logs of one task: the newest counts, and names the earlier ones.

Traps
- Scheduled are the ids of `eval.dataset` times `config.epochs`. A log that was stopped holds fewer samples; those that are
  missing were scheduled and have no row. `dataset.samples` counts the dataset before `limit` or `sample_id` chose from it.
  Where no ids are listed only `results.total_samples` is known.
- `scored_samples` counts ids after reduction, not attempts: an id of whose three epochs one broke off is averaged over two,
  without a mark. A published mean of several epochs is a mean of means over the ids that are left, and no count out of
  what was planned; it is kept as it was printed, and held against the means of ids. Of partial credit it is no count at all.
- `completed_samples` counts what no error ended, unscored samples too. It is held against the samples themselves.
- JSON is not strict: an unscored sample has the value NaN, which is read as null. Inspect leaves it out of its means; here it
  stays in the denominator. Its reason says whose it is: `refusal`, `no_response` and `invalid_response_format` are the
  model's, every other one the scorer's.
- "P", numbers between 0 and 1 and other texts are partial credit. The log draws no line from which on that is a pass, so
  there is no verdict and no number. The row keeps the value (`extra.score`), for `pass_from` in a declaration to decide.
- A sample can have several scores, or a table of them. `results.headline` chooses (Inspect fills it with the first score where the
  task names none), else `eval.headline_metric`, else the only scorer; else they must agree, or the disagreement blocks.
- Scores can be edited after the run. The value that stands is a person's word then, no fact of a scorer; `extra` keeps
  the first one. Samples that a person invalidated stay in the denominator.
- A limit ends a sample, and Inspect scores what it left: `on_timeout` is grade. A limit that nobody scored is the sample's
  own spent budget. `operator` is a person, not a budget.
- With `score_on_error` a sample that broke off has a score. A correct one counts. Any other is not held against the model:
  the error decides whose ending it was, by the class of the exception that Inspect itself wrote.
- `sample.model_usage` and `total_time` are of the last try alone, `stats.model_usage` of all of them; `error_retries` keep
  neither, and tries that were cancelled leave no record at all. Tokens by row are a lower bound, and the difference is
  told. `input_tokens` holds cached ones in some versions and not in others: the total tells which.
- `eval-retry` takes finished samples from the log before, without a mark. One that began before its log did is told.
- Under one id the dataset may have changed between epochs or logs: the sample as it was run is digested, and differences block.
- A provider can let another model answer (`model_fallbacks`): every model that did is a served one, and it is told.
- An answer from Inspect's cache makes an epoch no new draw: such rows are marked as played.
- A name may stand twice in the zip file: the last entry counts, and it is told.
- `revision` is the repository of the task, with a short commit and whether it was dirty; it is not Inspect's own.

What was done about each stands beside it. Paths, keys and names of people in arguments, errors and edits are not carried over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from denominator.errors import InputError
from denominator.importers.foreign import chosen, no_counts
from denominator.importers.formats.inspect import stated
from denominator.importers.formats.inspect.endings import ENDINGS
from denominator.importers.formats.inspect.logs import Log, logs_of, table
from denominator.importers.formats.inspect.printed import published
from denominator.importers.formats.inspect.rows import Reading
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source


class Inspect:
    """A log of one task by one model."""

    name = "inspect"
    title = "Inspect logs: .eval and .json"
    endings: tuple[Ending, ...] = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "task_slice_sha256": "Inspect records name and ids of a dataset, no digest of what its samples hold",
        "model_snapshot": "Inspect records the name that was asked for; which snapshot answered only some providers say",
        "agent_version": "Inspect records the name of a solver, no version of it",
        "harness_commit": "Inspect records its version and the commit of the task's repository, not its own commit",
        "scoring_script_sha256": "Inspect records names and options of scorers, no digest of their code",
        "env_image_digest": "Inspect records the kind of sandbox and its configuration, no digest of an image",
        "tool_list_digest": "Inspect records the tools of single calls, no list that holds for the run",
        "tool_timeout_s": "Inspect records no time limit of tools",
        "network": "Inspect records nothing of the network of its sandbox",
        "runner": "Inspect records nothing of the machine it runs on",
        "cpus": "Inspect records nothing of the machine it runs on",
        "controls": "Inspect knows no tasks that must fail",
        "pass_from": "Inspect draws no line from which on partial credit has passed",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Headers of Inspect, in zip files or at the beginning of JSON documents."""
        try:
            groups = _groups(logs_of(files)[0])
        except InputError:
            return None
        if not groups:
            return None
        why = f"{len(groups)} {'log' if len(groups) == 1 else 'logs'} with the header of Inspect"
        return Recognition(why=why, parts=tuple(Part(name=group[0].name, title=_title(group)) for group in groups))

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One log. An earlier log of a retried task can be named too."""
        logs, faults = logs_of(files)
        groups = _groups(logs)
        if not groups:
            what = "; ".join(f"{name}: {fault}" for name, fault in list(faults.items())[:3])
            raise InputError(f"holds no log of Inspect{f' ({what})' if what else ''}", where=files.name)
        earlier = [log for group in groups for log in group[1:]]
        log = next((one for one in earlier if one.name == part), None) or _named(groups, part, files.name)
        told = Told(files=log.looked_at())
        for name, fault in faults.items():
            told.say("unreadable_log", name, f"looks like a log of Inspect and cannot be read: {fault}", blocks=False)
        if twice := getattr(log.files, "twice", 0):
            told.say(
                "member_twice",
                log.name,
                f"{twice} members stand twice in the zip file: the last one counts",
                blocks=False,
            )
        _tell_earlier(groups, log, told)
        return _run(log, told)


def _run(log: Log, told: Told) -> ForeignRun:
    plan, headline = stated.plan_of(log, told), stated.headline(log)
    document = stated.document(log, headline.scorer.rpartition("/")[2] or headline.score)
    told.published.extend(published(log))
    told.notes.extend(stated.notes(log))
    planned = frozenset(chain.from_iterable(one.tasks for one in plan.tasks))
    epochs = plan.tasks[0].repeats if plan.tasks else 1
    reading = Reading(log, stated.run_id(log), headline, planned, epochs, told)
    return ForeignRun(
        name=log.name,
        arm=str(document.get("model_id", "")),
        version=_version(log),
        document=document,
        declared=plan,
        rows=_rows(reading, told),
        told=told,
        unknown=stated.unknown(log, document),
    )


def _rows(reading: Reading, told: Told) -> Iterator[ForeignRow]:
    """The samples; what they hold says whether a printed mean can be a count of them at all."""
    yield from reading.rows()
    if reading.seen.parts:
        no_counts(told)


def _version(log: Log) -> str:
    found = log.header.get("version")
    return str(found) if isinstance(found, int) else ""


def _groups(logs: Sequence[Log]) -> list[list[Log]]:
    """Logs of one task and model together, the newest first; in the order of their names otherwise."""
    groups: dict[tuple[str, str], list[Log]] = {}
    for log in logs:
        task, model = log.spec.get("task_id"), log.spec.get("model")
        groups.setdefault((str(task or log.name), str(model)), []).append(log)
    for group in groups.values():
        group.sort(key=lambda one: (str(one.spec.get("created", "")), one.name), reverse=True)
    return sorted(groups.values(), key=lambda group: group[0].name)


def _named(groups: Sequence[Sequence[Log]], part: str, where: str) -> Log:
    one = chosen([Part(name=group[0].name) for group in groups], part, where)
    return next(group[0] for group in groups if group[0].name == one.name)


def _title(group: Sequence[Log]) -> str:
    log = group[0]
    dataset = table(log.spec.get("dataset"))
    ids = dataset.get("sample_ids")
    many = f", {len(ids)} ids" if isinstance(ids, list) else ""
    older = f", after {len(group) - 1} earlier" if len(group) > 1 else ""
    return f"{str(log.spec.get('task', ''))[:80]} by {str(log.spec.get('model', ''))[:80]}, {log.status or '?'}{many}{older}"


def _tell_earlier(groups: Sequence[Sequence[Log]], log: Log, told: Told) -> None:
    """Tries of the same task in other logs: their samples are not in this one, unless it took them over."""
    for group in groups:
        if log not in group:
            continue
        for other in group:
            if other is not log:
                which = "an earlier" if group.index(other) > group.index(log) else "a later"
                what = f"is {which} log of the same task (status {other.status or 'unknown'}): it is not read"
                told.say("other_log_of_task", other.name, what, blocks=False)


IMPORTER = Inspect()
