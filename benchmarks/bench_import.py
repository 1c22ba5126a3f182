"""Import of large foreign results, beside the fastest parser of the same bytes: an Inspect log as `.eval` and as `.json`.

`bench_import.py [MB]` makes a log of so many megabytes (500 by default): samples with long messages and many events, once
as a zip file with zstd members and once as one indented document, as Inspect writes them. Every side runs in a process of its
own, in turn: the importer to its last row, `import inspect` to the judged card, and msgspec over every sample, once to plain values
and once to a typed record that passes over everything else. The smaller of these two is what the importer is held against, by the
clock where a core is idle. Processor seconds, of all processes of a side, and the way to the card are printed too.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from backports import zstd
from backports.zstd import zipfile

sys.path.insert(0, str(Path(__file__).parent))
from bench_judge import Clock, measured, peak_mb

from denominator.importers.formats.inspect import IMPORTER
from denominator.importers.formats.inspect.samples import Sample
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source

MB, ENOUGH_MB = 500, 400
SAMPLE_MB = 0.25
EPOCHS = 4
GOAL, MEMORY_MAX_MB = 2.0, 500
WALL_MAX = {"eval": 2.25, "json": 2.0}
"""The importer by the faster parser, in seconds of the clock: what is reached and a fifth more. Of an `.eval` file a second process
makes the digests of the samples, so this wants a second core that is idle; with one core, or where more runs than there are
cores, only `CPU_MAX` is held."""
CPU_MAX = {"eval": 4.3, "json": 2.0}
"""The same in processor seconds of all processes. Of an `.eval` file digest and checksum of every sample take seven tenths of what
unpacking and parsing take, and the second process unpacks it once more."""
ROUNDS = 3
WORDS = ("the", "test", "fails", "because", "parser", "reads", "past", "its", "end", "look", "at", "file", "line", "return",
         "value", "error", "import", "self", "None", "assert", "def", "class", "config", "token", "buffer", "offset")  # fmt: skip
EVAL, DOCUMENT = "log.eval", "log.json"
Side = Callable[[Path], dict[str, object]]


# --- the log


@cache
def prose() -> str:
    """Words and code, with quotes, newlines and brackets; every text is a piece of it."""
    pick = random.Random(3)
    words = pick.choices(WORDS, k=400_000)
    for at in range(0, len(words), 15):
        words[at] = pick.choice(['\n    print("{}")', "\\\\", "\n}", '{"id": [', "# \u00e9t\u00e9\n", name(pick)])
    return " ".join(words)


def text(pick: random.Random, length: int) -> str:
    """About so many characters."""
    start = pick.randrange(len(prose()) - length)
    return prose()[start : start + length]


def message(pick: random.Random, role: str, length: int) -> dict[str, object]:
    """One message of a conversation."""
    return {"id": name(pick), "content": text(pick, length), "source": "generate", "role": role, "model": "made-up-1"}


def name(pick: random.Random) -> str:
    """An id as Inspect makes them."""
    return f"{pick.getrandbits(128):022x}"


def sample(pick: random.Random, number: int, epoch: int) -> dict[str, object]:
    """A sample of about `SAMPLE_MB`: turns of a model and its tools, each of them a message and several events."""
    id_, begun = f"project-{number % 97}/issue-{number:05}", "2026-11-29T13:28:56.600595+00:00"
    asked = text(random.Random(number), 3_000)
    messages: list[dict[str, object]] = [{"id": name(pick), "content": asked, "source": "input", "role": "user"}]
    events: list[dict[str, object]] = [
        {"uuid": name(pick), "timestamp": begun, "working_start": 0.35, "event": "sample_init",
         "sample": {"input": asked, "target": "hidden tests", "id": id_}, "state": {"messages": []}}
    ]  # fmt: skip
    size = 0
    while size < SAMPLE_MB * 1e6:
        answer, seen = (
            message(pick, "assistant", pick.randrange(500, 3_000)),
            message(pick, "tool", pick.randrange(9_000)),
        )
        messages += [answer, seen]
        usage = {"input_tokens": pick.randrange(90_000), "output_tokens": 700, "total_tokens": 1}
        for event in (
            {"event": "span_begin", "id": name(pick), "type": "solver", "name": "react"},
            {"event": "model", "model": "made-up-1", "input": [], "input_refs": [[0, len(messages)]], "tools": [],
             "config": {"temperature": 0.2}, "output": {"model": "made-up-1", "choices": [{"message": answer}], "usage": usage},
             "call": {"request": {"model": "made-up-1"}, "response": {"content": answer["content"]}}, "retries": 0},
            {"event": "tool", "id": name(pick), "function": "bash", "arguments": {"cmd": text(pick, 200)},
             "result": seen["content"]},
            {"event": "state", "changes": [{"op": "add", "path": f"/messages/{n}", "value": text(pick, 60)} for n in range(3)]},
            {"event": "span_end", "id": name(pick)},
        ):  # fmt: skip
            events.append(
                {"uuid": name(pick), "span_id": name(pick), "timestamp": begun, "working_start": 1.5, **event}
            )
        size = sum(len(str(one["content"])) for one in messages) * 3
    tokens = {"input_tokens": 9_000, "output_tokens": 700, "total_tokens": 9_700}
    return {
        "id": id_, "epoch": epoch, "input": asked, "target": "hidden tests", "messages": messages,
        "output": {"model": "made-up-1", "choices": [{"message": messages[-2], "stop_reason": "stop"}], "usage": tokens},
        "scores": {"hidden_tests": {"value": pick.choice("CCI"), "answer": "patch", "history": []}},
        "metadata": {"repo": f"project-{number % 97}"}, "store": {}, "events": events, "model_usage": {"made-up-1": tokens},
        "started_at": begun, "completed_at": begun, "total_time": 61.25, "working_time": 60.5, "uuid": name(pick),
        "error_retries": [], "attachments": {}, "turn_count": 9, "message_count": len(messages),
    }  # fmt: skip


def header(tasks: int) -> dict[str, Any]:
    """What stands before the samples."""
    ids = [f"project-{number % 97}/issue-{number:05}" for number in range(tasks)]
    spec = {
        "eval_id": "made-up-eval", "run_id": "made-up-run", "task": "fixes", "task_id": "made-up-task",
        "created": "2026-11-29T13:28:54+00:00", "model": "made-up-1",
        "dataset": {"name": "fixes", "samples": tasks, "sample_ids": ids}, "config": {"epochs": EPOCHS},
        "packages": {"inspect_ai": "0.3.285"}, "scorers": [{"name": "hidden_tests"}],
    }  # fmt: skip
    stats = {"started_at": "2026-11-29T13:28:54+00:00", "completed_at": "2026-11-29T19:28:54+00:00", "model_usage": {}}
    results = {"total_samples": tasks * EPOCHS, "completed_samples": tasks * EPOCHS, "scores": []}
    return {"version": 2, "status": "success", "eval": spec, "plan": {}, "results": results, "stats": stats}


def samples(tasks: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Every sample with the name of its member."""
    pick = random.Random(5)
    for number in range(tasks):
        for epoch in range(1, EPOCHS + 1):
            id_ = f"project-{number % 97}_issue-{number:05}"
            yield f"samples/{id_}_epoch_{epoch}.json", sample(pick, number, epoch)


def write(folder: Path, mb: int) -> None:
    """Both logs, with the same samples; and where each stands in the document, for parsers that need not find it."""
    tasks = max(1, round(mb / SAMPLE_MB / EPOCHS))
    head = header(tasks)
    with (
        zipfile.ZipFile(folder / EVAL, "w", zipfile.ZIP_ZSTANDARD, compresslevel=3) as packed,
        (folder / DOCUMENT).open("w", buffering=1 << 20) as document,
    ):
        begun = json.dumps(head, indent=2).removesuffix("\n}") + ',\n  "samples": ['
        document.write(begun)
        places, at_byte = [], len(begun)
        for at, (member, one) in enumerate(samples(tasks)):
            packed.writestr(member, json.dumps(one, indent=2))
            shown = json.dumps(one, indent=2).replace("\n", "\n    ")
            before = ("," if at else "") + "\n    "
            document.write(before + shown)
            places.append((at_byte + len(before), len(shown)))
            at_byte += len(before) + len(shown)
        document.write("\n  ]\n}\n")
        packed.writestr("header.json", json.dumps(head))
    (folder / "spans.json").write_text(json.dumps(places))


# --- the sides, each in a process of its own


def rows(name: str) -> Side:
    """The importer, to its last row."""

    def run(folder: Path) -> dict[str, object]:
        clock = Clock()
        made = sum(1 for _ in IMPORTER.read(open_source(folder / name)).rows)
        return {**clock.read(), "mb": peak_mb(), "rows": made}

    return run


def whole(name: str) -> Side:
    """`import inspect`, to the judged card."""

    def run(folder: Path) -> dict[str, object]:
        clock = Clock()
        found = import_foreign(IMPORTER, open_source(folder / name))
        return {
            **clock.read(),
            "mb": peak_mb(),
            "rows": found.endings.total(),
            "status": found.result.judged.verdict.status,
        }

    return run


def decoder(of: Any) -> Callable[[bytes], Any]:
    """msgspec, to plain values or to a typed record."""
    return msgspec.json.Decoder(of).decode


def members(of: Any) -> Side:
    """Every sample of the zip file, unpacked and decoded."""

    def run(folder: Path) -> dict[str, object]:
        clock, decode, made = Clock(), decoder(of), 0
        with (folder / EVAL).open("rb") as file, zipfile.ZipFile(file) as packed:
            for one in packed.infolist():
                if one.filename.startswith("samples/"):
                    start = one.header_offset + 30 + len(one.filename)
                    decode(zstd.decompress(os.pread(file.fileno(), one.compress_size, start)))
                    made += 1
        return {**clock.read(), "mb": peak_mb(), "rows": made}

    return run


def placed(of: Any) -> Side:
    """Every raw sample of the document, decoded; where each stands is known beforehand, and finding it costs nothing."""

    def run(folder: Path) -> dict[str, object]:
        places = json.loads((folder / "spans.json").read_bytes())
        clock, decode = Clock(), decoder(of)
        with (folder / DOCUMENT).open("rb") as file:
            for at, length in places:
                decode(os.pread(file.fileno(), length, at))
        return {**clock.read(), "mb": peak_mb(), "rows": len(places)}

    return run


class Slices(msgspec.Struct):
    """A document of which the samples stay raw."""

    samples: list[msgspec.Raw]


def sliced(of: Any) -> Side:
    """The whole document in memory, its samples as raw slices, then each of them decoded."""

    def run(folder: Path) -> dict[str, object]:
        clock, decode = Clock(), decoder(of)
        found = decoder(Slices)((folder / DOCUMENT).read_bytes()).samples
        for one in found:
            decode(one)
        return {**clock.read(), "mb": peak_mb(), "rows": len(found)}

    return run


SIDES: dict[str, Side] = {
    "eval rows": rows(EVAL),
    "eval typed": members(Sample),
    "eval plain": members(Any),
    "eval card": whole(EVAL),
    "json rows": rows(DOCUMENT),
    "json typed": sliced(Sample),
    "json plain": sliced(Any),
    "json placed": placed(Sample),
    "json card": whole(DOCUMENT),
}


def main(mb: int) -> int:
    """Make the logs, run the sides in turn, print, compare."""
    with tempfile.TemporaryDirectory(prefix="bench-import-") as name:
        folder = Path(name)
        write(folder, mb)
        sizes = {one: (folder / one).stat().st_size / 1e6 for one in (EVAL, DOCUMENT)}
        rounds = [{side: measured(__file__, side, folder) for side in SIDES} for _ in range(ROUNDS)]
    print(
        f"{rounds[-1]['eval rows']['rows']} samples; "
        + ", ".join(f"{one} {size:.0f} MB" for one, size in sizes.items())
    )
    least = {side: {of: min(one[side][of] for one in rounds) for of in ("cpu", "wall")} for side in SIDES}
    memory = {side: max(one[side]["mb"] for one in rounds) for side in SIDES}
    for side, of in least.items():
        print(f"{side:<12}{of['wall']:8.2f} s wall {of['cpu']:8.2f} s cpu {memory[side]:5} MB")
    kept, load, cores = True, os.getloadavg()[0], len(os.sched_getaffinity(0))
    idle = 1 < cores >= load
    for kind in ("eval", "json"):
        peers = [f"{kind} {one}" for one in ("plain", "typed")]
        cpu, wall = (least[f"{kind} rows"][of] / min(least[one][of] for one in peers) for of in ("cpu", "wall"))
        most = max(memory[f"{kind} rows"], memory[f"{kind} card"])
        why = "" if idle else ", not held: no idle core"
        print(f"{kind}: {wall:.2f} wall to the faster parser (goal {GOAL}, limit {WALL_MAX[kind]}{why})")
        print(f"{kind}: {cpu:.2f} cpu (limit {CPU_MAX[kind]})")
        card = least[f"{kind} card"]["wall"] / min(least[one]["wall"] for one in peers)
        print(f"{kind}: {card:.2f} wall to the judged card; {most} MB (goal and limit {MEMORY_MAX_MB})")
        kept &= most <= MEMORY_MAX_MB
        kept &= mb < ENOUGH_MB or (cpu <= CPU_MAX[kind] and (not idle or wall <= WALL_MAX[kind]))
    print(f"{cores} cores, load {load:.1f}")
    return 0 if kept else 1


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in SIDES:
        print(json.dumps(SIDES[sys.argv[1]](Path(sys.argv[2]))))
        sys.exit(0)
    sys.exit(main(*map(int, sys.argv[1:2] or [MB])))
