"""A foreign run of few rows is judged in memory, one of many from a file by kind: the card is the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from denominator.importers.foreign import at, declared, failure, foreign_row, undeclared
from denominator.pipeline.foreign import import_foreign
from denominator.pipeline.foreign_declared import read_declared
from denominator.pipeline.judging_file import judge_file, open_ledger
from denominator.pipeline.results import judge_saved
from denominator.records.foreign import Ending, ForeignRun, Part, Recognition, Told
from denominator.records.rows import PatchFacts, Usage
from denominator.wire.canonical import canonical
from denominator.wire.sources import Source, open_source

PASSED = Ending(word="pass", outcome="pass", judged=True, why="the source says so")
FAILED = Ending(word="fail", outcome="fail", judged=True, why="the source says so")
LOST = Ending(word="lost", outcome="unscoreable", reason="no_verdict", judged=True, why="the source says so")
GREEN = Ending(word="green", outcome="pass", origin="MODEL", facts={"grade": "green"}, why="its tests were green")
RED = Ending(word="red", outcome="fail", origin="MODEL", facts={"grade": "red"}, why="its tests were red")
LIMIT = Ending(
    word="429", outcome="unscoreable", origin="INFRA", reason="provider_rate_limit",
    facts={"first_unrecovered": failure("provider_rate_limit", "provider", "agent")}, why="the provider refused",
)  # fmt: skip
ENDINGS = (PASSED, FAILED, LOST, GREEN, RED, LIMIT)
WAYS = (*ENDINGS, None)


class Made:
    """A format whose runs are given in Python."""

    name = "made"
    title = "made by a test"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {"seed": "made runs record no seed"}

    def __init__(self, rows, plan):
        self.given, self.plan = rows, plan

    def recognise(self, files: Source) -> Recognition | None:
        return Recognition(why="it is made", parts=(Part(name="r"),))

    def read(self, files: Source, part: str = "") -> ForeignRun:
        told = Told(files=dict.fromkeys(files.names(), "rows"))
        return ForeignRun(
            name="r",
            arm="acme",
            document={"run_id": "r", "model_id": "m"},
            declared=self.plan,
            told=told,
            rows=self._rows(told),
        )

    def _rows(self, told):
        for number, (task, repeat, attempt, way, tokens, extra) in enumerate(self.given):
            ending = WAYS[way]
            if ending is None:
                told.say("unknown_ending", "rows", f"{task} ended in a way that nobody listed", task)
            where = at("rows.json", f"/{number}", element=[task, number])
            yield foreign_row(
                "r", ending, task, importer="made", source=where, repeat=repeat, attempt=attempt, extra=extra,
                usage=Usage(prompt=tokens), patch=PatchFacts(sha256="", bytes=tokens % 3),
            )  # fmt: skip
        told.notes.append("all rows were read")


ROW = st.tuples(
    st.sampled_from("abcdef"), st.integers(1, 2), st.integers(1, 2), st.integers(0, len(WAYS) - 1), st.integers(0, 5),
    st.dictionaries(st.sampled_from(["note", "repo", "cost", "arm"]), st.sampled_from(["x", "y", 1, None]), max_size=2),
)  # fmt: skip
PLAN = st.one_of(
    st.just(undeclared("r", "made runs keep no plan")),
    st.builds(lambda n: undeclared("r", "only a number", n), st.integers(0, 14)),
    st.builds(
        lambda tasks, repeats: declared("r", sorted(tasks), repeats),
        st.sets(st.sampled_from("abcdefg")),
        st.integers(1, 2),
    ),
)
KNOWN = 'scorer = "tests"\ninvalid_rate_ceiling = 0.5\n'
DECLARED = st.sampled_from(
    [
        "",
        KNOWN,
        KNOWN + 'controls = [{task_id = "a", expected = "fail"}]\nstrata = {b = 1}\n',
        KNOWN + "max_attempts = 2\n",
    ]
)


@settings(max_examples=60, phases=(Phase.explicit, Phase.reuse, Phase.generate), deadline=None)
@given(st.lists(ROW, max_size=14), PLAN, DECLARED)
def test_both_ways_give_the_same_card(rows, plan, known):
    unique = {row[:3]: row for row in rows}
    with TemporaryDirectory() as name:
        here = Path(name)
        (here / "rows.json").write_text(json.dumps(rows))
        (here / "known.toml").write_text(known)
        declaring = read_declared(here / "known.toml") if known else None
        files = open_source(here / "rows.json")
        made = Made(list(unique.values()), plan)
        held = import_foreign(made, files, "r", declaring, here / "held")
        filed = import_foreign(made, files, "r", declaring, here / "filed", most=0)
        assert held.endings == filed.endings
        assert canonical(held.result.card) == canonical(filed.result.card)
        assert held.result.judged.verdict == filed.result.judged.verdict
        assert (here / "held" / "ledger.json").is_file()
        again = replace(judge_saved(here / "held").card, notes=())
        if not unique:
            return
        assert {one.name for one in (here / "filed").iterdir()} == {
            "ledger.jsonl", "beside.jsonl", "terms.json", "declared.json", "card.json",
        }  # fmt: skip
        with open_ledger(here / "filed" / "ledger.jsonl") as file:
            assert canonical(replace(judge_file(here / "filed" / "ledger.jsonl", file).card, notes=())) == canonical(
                again
            )
        beside = [json.loads(line) for line in (here / "filed" / "beside.jsonl").read_text().splitlines()]
        assert [one["pointer"] for one in beside] == [f"/{number}" for number in range(len(unique))]


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)
    (tmp_path / "rows.json").write_text("[]")
    made = Made([("a", 1, 1, 0, 1, {})], declared("r", ["a"]))
    files = open_source(tmp_path / "rows.json")
    found = import_foreign(made, files, "r", most=0)
    assert len(found.result.ledger.rows) == 1
    assert found.result.ledger.rows[0].key.task_id == "a"
    assert list((tmp_path / "scratch").iterdir()) == []
    assert import_foreign(made, files, "r", None, tmp_path / "kept", most=0).result.exit == found.result.exit
    assert sorted(one.name for one in tmp_path.iterdir()) == ["kept", "rows.json", "scratch"]
