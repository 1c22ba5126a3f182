"""What the kit writes is what the harness reads."""

import importlib.util
import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import denominator.adapters.graders as graders
from denominator.adapters.graders.frames import read_frames
from unit.adapters.graders.making import NONCE

FRAMES = Path(graders.__file__).parent / "kit/runner/frames.py"
spec = importlib.util.spec_from_file_location("kit_frames", FRAMES)
kit_frames = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kit_frames)


def written(calls):
    reader, writer = os.pipe()
    channel = kit_frames.Channel(writer, NONCE)
    for kind, fields in calls:
        channel.send(kind, **fields)
    assert not os.get_inheritable(writer)
    os.close(writer)
    with open(reader, "rb") as file:
        return file.read()


TEXTS = st.text(max_size=30)


@given(st.dictionaries(TEXTS, st.sampled_from(["passed", "failed", "skipped"]), max_size=5), st.integers(0, 255))
def test_round_trip(results, code):
    calls = [("hello", {}), ("loading", {}), ("collected", {"ids": list(results)})]
    calls += [("test", {"id": id_, "word": word, "why": "\n x"}) for id_, word in results.items()]
    report = read_frames(written([*calls, ("end", {"code": code})]), NONCE, "G2")
    assert (report.forged, report.torn, report.end) == ("", False, code)
    assert report.results == {id_: [word] for id_, word in results.items()}
    assert report.collected == tuple(results)


def test_the_secret_matters():
    data = written([("hello", {})])
    assert read_frames(data, NONCE, "G2").hello
    assert not read_frames(data, "00" * 16, "G2").hello
