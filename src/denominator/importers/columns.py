"""The columns that we know in foreign rows: how each is read, and what it is. Every other key stays in `extra`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from denominator.importers import values
from denominator.importers.raw import RawRow, json_text
from denominator.importers.values import BadValueError, Reader
from denominator.records.values import is_placeholder


@dataclass(frozen=True, slots=True)
class Column:
    """One known column: its names in the wild, its reader, what it says. `keep` leaves the raw text in `extra` too."""

    name: str
    reader: Reader
    says: str
    also: tuple[str, ...] = ()
    keep: bool = False


def _anything(value: object) -> object:
    return value


COLUMNS = (
    Column("task_id", values.name, "which task", ("task", "instance_id")),
    Column("run_id", values.name, "which run"),
    Column("repeat", values.ordinal, "which repeat of the task, from 1"),
    Column("attempt", values.ordinal, "which try inside the repeat, from 1"),
    Column("seed", values.integer, "the seed of the repeat"),
    Column("slice", values.text, "solvable (positive), negative, canary, floor"),
    Column("stratum", values.text, "a named part of the data set", ("suite",)),
    Column("outcome", values.text, "pass, fail, abstain, unscoreable: a judgement of the source"),
    Column("reason", values.text, "why a row is unscoreable: a judgement of the source"),
    Column("passed", values.flag, "pass or fail, as a boolean: a judgement of the source"),
    Column("task_pass", values.flag, "pass or fail under a locked contract: a judgement of the source"),
    Column("accepted", values.flag, "accepted by the checker: a judgement of the source"),
    Column("verdict", values.text, "pass or fail of a trial: a judgement of the source"),
    Column("result", values.text, "pass, fail or timeout of a repeat: a judgement of the source"),
    Column("bucket", values.text, "a failure-mix bucket: a judgement of the source"),
    Column("assumed_api", values.flag_or_names, "the source thinks that an API was invented: a judgement"),
    Column("excluded_after_lock", values.flag, "left out after the contract was locked"),
    Column("exit_code", values.integer, "exit status of the verify command", ("verify_exit",)),
    Column("agent_exit", values.integer, "exit status of the agent"),
    Column("tests_without_agent_pass", values.flag, "tests green with the agent off"),
    Column("tests_after_pass", values.flag, "tests green after the agent"),
    Column("negative_control", values.flag, "the task is a negative control"),
    Column("reward", values.number, "reward of the verifier: 1 green, 0 red, absent none", keep=True),
    Column("verify", values.table, "state and stage of the verifier", keep=True),
    Column("verify_report", values.table, "counts of the test report: expected, passed, failed, errors ...", keep=True),
    Column("expected_tests", values.count, "how many tests the report must account for; `expected` as a number too"),
    Column("runner", _anything, "the test runner, by name", ("test_runner",), keep=True),
    Column("verify_cmd", _anything, "the verify command: it names the runner", ("test_cmd",), keep=True),
    Column("baseline_collects", values.flag, "the tests load with the agent off"),
    Column("import_target", _anything, "the module that could not be imported", ("missing_module",), keep=True),
    Column("traceback_files", _anything, "files that the runner's traceback names", keep=True),
    Column("removed_files", _anything, "files that the attempt deleted", ("deleted", "deleted_files"), keep=True),
    Column("import_target_in_patch", values.flag, "the module that could not be imported is in the patch"),
    Column("changed_file_in_traceback", values.flag, "the runner's traceback names a file of the patch"),
    Column("agent_removed_tests", values.flag, "the attempt removed or broke what the runner was told to run"),
    Column("tests_executed", values.count, "how many tests the verifier ran; 0 is no verdict"),
    Column(
        "verdict_files",
        _anything,
        "verdict files of a trial's folder: path, what it says, read or not and why",
        keep=True,
    ),
    Column("tampered_files", values.names, "verdict files that the agent wrote itself", keep=True),
    Column("hidden_tests", values.table, "hidden tests: passed, failed; null = none were run", keep=True),
    Column("weak_tests", _anything, "of what kind the only passing tests are: mock, snapshot"),
    Column("written_tests", values.flag_or_names, "the agent wrote tests; a list of them too", ("agent_wrote_tests",)),
    Column("gold", values.table, "what the reference patch gave: verify_exit", keep=True),
    Column(
        "provider_error", values.table, "an error of the model provider that ended the row", ("provider",), keep=True
    ),
    Column("turn", values.count, "in which turn of the agent the row ended", ("turns", "n_turns", "num_turns")),
    Column("agent_error", values.table, "what ended the agent", keep=True),
    Column("verifier_error", values.table, "what ended the verifier", keep=True),
    Column("checker_error", _anything, "the checker itself failed", keep=True),
    Column("error", _anything, "an error without a final row", keep=True),
    Column("stop_reason", values.text, "what ended the attempt (closed list)"),
    Column("stopped_by", values.text, "who ended it", keep=True),
    Column("stop", values.text, "done; cap, run_cap ... when the run's token cap cut it", keep=True),
    Column("failure_mode", _anything, "how the source calls the ending: a note, never a cause", keep=True),
    Column("timeout", values.flag, "the source says that time ran out"),
    Column("oom", values.flag, "memory ran out", ("oom_killed",)),
    Column("killed_by", values.text, "who sent the signal that ended it", keep=True),
    Column("wall_s", values.seconds, "wall time", ("wall_clock_s", "wall_seconds", "seconds")),
    Column("agent_wall_s", values.seconds, "wall time of the agent alone"),
    Column("latency_s", values.seconds, "latency of one call"),
    Column("wall_ms", values.millis, "wall time in milliseconds"),
    Column("paused_s", values.seconds, "time that the provider kept the agent waiting", ("pause_s", "provider_wait_s")),
    Column("paused_ms", values.millis, "the same in milliseconds", ("pause_ms", "provider_wait_ms")),
    Column("working_s", values.seconds, "wall time without those pauses", ("active_s",)),
    Column("working_ms", values.millis, "the same in milliseconds", ("active_ms",)),
    Column("mono_start", values.number, "monotonic clock at the start, seconds", keep=True),
    Column("mono_end", values.number, "monotonic clock at the end, seconds", keep=True),
    Column("start", _anything, "wall-clock stamp of the start: notes only", ("started_at",), keep=True),
    Column("end", _anything, "wall-clock stamp of the end: notes only", ("completed_at", "ended_at"), keep=True),
    Column("stamp", _anything, "another wall-clock stamp: dates only", ("timestamp", "date"), keep=True),
    Column(
        "wall_cap", values.seconds, "declared limit on wall time", ("agent_cap_s", "timeout_s", "declared_budget_s")
    ),
    Column("queue_wait_ms", values.millis, "ready to started"),
    Column("cold_start", values.flag, "first use of a worker, image or connection"),
    Column("token_budget", values.count, "declared token limit"),
    Column("prompt_tokens", values.count, "input tokens", ("tokens_in", "input_tokens")),
    Column("completion_tokens", values.count, "output tokens", ("tokens_out", "output_tokens")),
    Column(
        "cached_tokens",
        values.count,
        "input tokens read from a cache",
        ("cache_read_input_tokens", "cache_read_tokens"),
    ),
    Column("cache_write_tokens", values.count, "input tokens written to a cache", ("cache_creation_input_tokens",)),
    Column("reasoning_tokens", values.count, "reasoning part of the output tokens"),
    Column("total_tokens", values.count, "input + output, checked"),
    Column("max_tokens", values.count, "limit on output tokens", ("max_output_tokens",)),
    Column("usage", values.table, "usage object of a provider", keep=True),
    Column("usage_convention", values.text, "cached_in_input, disjoint or reasoning_beside", keep=True),
    Column("usage_source", values.text, "provider, agent, estimated:NAME@VERSION or none", keep=True),
    Column("own_prompt_tokens", values.count, "input tokens as the agent counts them itself", ("n_input_tokens",)),
    Column("own_completion_tokens", values.count, "output tokens as the agent counts them", ("n_output_tokens",)),
    Column("own_cached_tokens", values.count, "cached input tokens as the agent counts them", ("n_cache_tokens",)),
    Column("own_calls", values.count, "model calls as the agent counts them"),
    Column("calls", values.count, "model calls made"),
    Column("tool_calls", _anything, "the tool calls with arguments and result digests", keep=True),
    Column("called", _anything, "names and paths that the patch calls", keep=True),
    Column("defined", _anything, "names that the repository or the patch defines", keep=True),
    Column("libraries", _anything, "packages that the task declares", ("declared_libraries",), keep=True),
    Column("language", _anything, "the language of the called names; Python when not stated", keep=True),
    Column("git_diff_bytes", values.count, "size of the work tree's difference", ("worktree_diff_bytes",)),
    Column("staged_bytes", values.count, "size of what is in the index only"),
    Column("untracked", _anything, "new files that are neither tracked nor ignored", ("untracked_files",), keep=True),
    Column("base_commit", values.text, "the commit that the attempt began at", keep=True),
    Column("head_commit", values.text, "the commit that the attempt ended at", keep=True),
    Column("base_to_head_bytes", values.count, "size of the commits since the base", ("committed_bytes",)),
    Column("made_by", values.text, "who wrote the patch: harness (from trees) or agent_text", ("patch_made_by",)),
    Column("apply_exit", values.integer, "exit status of applying the patch"),
    Column(
        "tree_digest_equals", values.text, "which tree the work tree equalled before applying: after = applied already"
    ),
    Column("patch_sha256", values.name, "digest of the patch"),
    Column("patch_bytes", values.count, "size of the patch"),
    Column("patch", values.text, "the patch itself", keep=True),
    Column(
        "changes", _anything, "changed paths, [op, path, ...], or {status, path, old_path}", ("changed",), keep=True
    ),
    Column("allowed_files", values.names, "globs of the files that a patch may touch"),
    Column("forbidden_paths", values.names, "globs of the files that no patch may touch"),
    Column("ignore", values.names, "globs of files that count as no change"),
    Column("outside_allowlist", _anything, "paths touched outside the allow-list", keep=True),
    Column("asked", values.flag, "the agent asked"),
    Column("abstained", values.flag, "the agent abstained", ("abstain",)),
    Column("required_missing", values.flag_or_names, "a required file or credential is absent; a list of them too"),
    Column("sentinel_changed", values.flag, "the file that nobody may change was changed"),
    Column("sentinel_before", values.name, "its digest before", ("sentinel_sha_before", "sentinel_sha256_before")),
    Column("sentinel_after", values.name, "its digest after", ("sentinel_sha_after", "sentinel_sha256_after")),
    Column("expected", values.text, "what the task expects: pass, fail, fail_or_abstain, must_ask"),
    Column("canary", values.text, "the token that no correct patch contains", keep=True),
    Column("stdout", values.text, "what the agent printed: searched for the canary, never for a verdict", keep=True),
    Column("stderr", _anything, "what the agent printed as errors: searched for the canary", keep=True),
    Column("log", _anything, "what the agent printed, another way: searched for the canary", keep=True),
    Column("model_requested", values.text, "model as asked for", ("model", "model_asked", "asked_model")),
    Column("model_served", values.text, "model as served", ("served_model", "model_echoed", "response_model")),
    Column("served_models", values.names, "models as served"),
    Column(
        "served_by", values.text_or_names, "host that served it, or several", ("host", "served_host", "served_hosts")
    ),
    Column("quant", values.text_or_names, "number format that was served", ("quantisation", "quantization")),
    Column(
        "fingerprints", values.text_or_names, "configuration that answered, as it names itself", ("system_fingerprint",)
    ),
    Column("prompt_sha256", values.name, "digest of the prompt as sent", ("prompt_digest", "prompt_sha")),
    Column("tools_sha256", values.name, "digest of the tool list as sent", ("tool_list_digest", "tool_list_sha256")),
    Column("mem_guaranteed_mb", values.count, "memory that was guaranteed, megabytes"),
    Column("mem_kill_mb", values.count, "memory at which it is killed, megabytes"),
    Column("access_class", values.text, "access class of the endpoint"),
    Column("server_class", values.text, "server class of the endpoint"),
    Column("verify_sha_used", values.text, "digest of the verify script as used"),
    Column("http_status", values.count, "status of one call; 0 = no answer"),
    Column("checkpoint", values.text, "a durable point of an attempt"),
    Column("payload_digest", values.text, "digest at the checkpoint"),
    Column("epoch", values.ordinal, "which start of the runner wrote the line"),
)
WORDS = frozenset({"task_id", "outcome", "reason", "verdict", "result", "stop_reason", "bucket", "patch", "slice"})
BY_NAME = {alias: column for column in COLUMNS for alias in (column.name, *column.also)}


@dataclass(slots=True)
class Cells:
    """One row after its columns were read. `nulls` are columns that were there and null; `memo` is what readers found."""

    raw: RawRow
    known: dict[str, object] = field(default_factory=dict)
    nulls: set[str] = field(default_factory=set)
    extra: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    memo: dict[str, object] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A text cell, empty when absent."""
        found = self.known.get(name, "")
        return found if isinstance(found, str) else ""

    def number(self, name: str) -> int | None:
        """A whole-number cell."""
        found = self.known.get(name)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def flag(self, name: str) -> bool | None:
        """A boolean cell."""
        found = self.known.get(name)
        return found if isinstance(found, bool) else None

    def names(self, name: str) -> tuple[str, ...] | None:
        """A list of names; None when absent or anything else."""
        found = self.known.get(name)
        listed = isinstance(found, list | tuple) and all(isinstance(one, str) for one in found)
        return tuple(str(one) for one in found) if listed and isinstance(found, list | tuple) else None

    def table(self, name: str) -> Mapping[str, object]:
        """An object cell, empty when absent."""
        found = self.known.get(name, {})
        return found if isinstance(found, dict) else {}


def read_cells(raw: RawRow, renames: Mapping[str, str], only: frozenset[str] | None = None) -> Cells:
    """Read every column of a row; a value that cannot be what its column says is a problem with its key."""
    cells = Cells(raw)
    for key, value in raw.value.items():
        column = _column_of(renames.get(key, key), value)
        if column is None or (only is not None and key not in renames and column.name not in only):
            cells.extra[key] = json_text(value)
        else:
            _read_one(cells, key, column, value)
    return cells


def _column_of(name: str, value: object) -> Column | None:
    """The column of a key. A number under `expected` is a number of tests, a word is an ending."""
    counts = name == "expected" and isinstance(value, int | Decimal) and not isinstance(value, bool)
    return BY_NAME.get("expected_tests" if counts else name)


def _read_one(cells: Cells, key: str, column: Column, value: object) -> None:
    if value is None or (value == "" and column.name not in WORDS):
        cells.nulls.add(column.name)
        return
    if column.keep:
        cells.extra[key] = json_text(value)
    try:
        found = column.reader(value)
    except BadValueError as error:
        cells.problems.append(f"{key}: {error}")
        return
    if column.name not in WORDS and is_placeholder(found):
        cells.nulls.add(column.name)
    elif cells.known.setdefault(column.name, found) != found:
        cells.problems.append(f"{key}: disagrees with another column that also says {column.name}")
