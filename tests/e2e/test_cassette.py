"""A run is recorded against a real server and played again without one: the same ledger, never new draws."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from denominator.pipeline.results import judge_run
from denominator.testing.scripted_server import ScriptedServer
from denominator.wire.cassettes import read_cassette
from e2e import runs
from e2e.playing import KEY, OF_PLAYING, envelope, install, logged, same

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASKS = ("clamp-low", "double-it")
WITH_KEY = {"RUN_PROVIDER_KEY": KEY}
AT = '{"at": ""}'


def commands(request) -> list[str]:
    solves = "low" in request["messages"][0]["content"]
    return ["ls", runs.SOLVE["clamp-low"] if solves else "echo '# tried' >> twice.py", "git diff --stat"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run `rec` against a server that is gone afterwards, its cassette in `tape`, and run `again` played from it."""
    folder = tmp_path_factory.mktemp("tape")
    runs.make_pack(folder, *TASKS)
    install(folder)
    tables = {"run": {"warmup_tasks": 1}, "budget": {"tokens": 1_000_000, "repeats": 2}}
    with ScriptedServer(commands) as server:
        url = server.url
        (folder / "envelope.toml").write_text(envelope(folder, url, AT, gateway='volatile = ["at"]\n', **tables))
        done = runs.cli(folder, "run", "envelope.toml", "--run-id", "rec", "--record", "at-once", env=WITH_KEY)
        assert done.code in (0, 1), done.err
        assert len({key for request in server.requests for key in [request["at"]]}) == len(server.requests)
    made = runs.cli(folder, "runs", "cassette", "rec", "-o", "tape", "--json", env=WITH_KEY)
    assert made.code == 0, made.err
    assert made.json["cassette"]["calls"] == len(read_cassette(folder / "tape").calls) == 4 * 5
    assert made.json["cassette"]["volatile"] == ["at"]
    played = envelope(folder, url, AT, gateway='cassette = "tape"\nvolatile = ["at"]\n', **tables)
    (folder / "played.toml").write_text(played)
    done = runs.cli(folder, "run", "played.toml", "--run-id", "again")
    assert done.code == 1, (done.out, done.err)
    return folder


def test_what_is_played_is_the_same_ledger_and_says_that_it_was_played(lab: Path) -> None:
    first, again = runs.ledger_of(lab, "rec"), runs.ledger_of(lab, "again")
    # The requests hold a time, which is volatile: their digests differ, and nothing else does.
    same(first, again, but=OF_PLAYING | {"request_sha256"})
    assert [row.grade for row in again.rows] == ["green", "green", "red", "red"]
    assert {row.played for row in first.rows} == {False} and {row.played for row in again.rows} == {True}
    sha = read_cassette(lab / "tape").sha256
    assert {call.cassette for call in again.calls} == {sha}
    assert all(row.usage.complete is True and row.usage.calls == 4 for row in again.rows)


def test_a_run_can_keep_its_answers_at_once(lab: Path) -> None:
    assert read_cassette(lab / "at-once").sha256 == read_cassette(lab / "tape").sha256
    taken = runs.cli(lab, "run", "envelope.toml", "--run-id", "never", "--record", "tape", env=WITH_KEY)
    assert taken.code == 2 and "nothing is overwritten" in taken.err


def test_no_key_was_needed_and_none_is_anywhere(lab: Path) -> None:
    for root in ("tape", "at-once", "runs"):
        for path in (lab / root).rglob("*"):
            assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


def test_its_seal_names_the_recording_and_its_card_prints_no_rate(lab: Path) -> None:
    run = runs.opened(lab, "again")
    sha = read_cassette(lab / "tape").sha256
    assert run.seal.cassette is not None
    assert (run.seal.cassette.sha256, run.seal.cassette.run_id) == (sha, "rec")
    assert run.seal.cassette.seal == runs.opened(lab, "rec").seal_digest
    card = runs.cli(lab, "card", "again")
    assert card.code == 1
    assert f"PLAYED from cassette {sha[:12]} of run rec" in card.out
    assert "GL060" in card.out and "%" not in card.out.split("FINDINGS")[0].split("RATES")[0]
    assert judge_run(run).judged.verdict.status == "blocked"


def test_it_stands_beside_nothing_as_new_draws(lab: Path) -> None:
    done = runs.cli(lab, "compare", "rec", "again", "--treatment", "cassette")
    assert done.code == 3
    assert "was played from a recording of" in " ".join(done.out.split())
    again = runs.cli(lab, "replay", "again", "--early", "a test")
    assert again.code == 2 and "the same draws" in again.err
    tape = runs.cli(lab, "runs", "cassette", "again", "-o", "second")
    assert tape.code == 2 and "itself played" in tape.err and not (lab / "second").exists()


def test_a_request_that_was_not_recorded_ends_its_attempt_and_the_run_goes_on(lab: Path) -> None:
    text = (lab / "played.toml").read_text().replace('volatile = ["at"]', "")
    (lab / "strict.toml").write_text(text.replace(r"{\"at\": \"\"}", r"{\"top_p\": 0.5}"))
    done = runs.cli(lab, "run", "strict.toml", "--run-id", "other")
    assert done.code == 1, done.err
    rows = runs.ledger_of(lab, "other").rows
    assert len(rows) == 4
    assert {(row.stop_reason, row.first_unrecovered.cause) for row in rows} == {("harness", "cassette_mismatch")}
    draws = judge_run(runs.opened(lab, "other")).judged.sheet.draws
    assert {(draw.exit, draw.origin, draw.reason) for draw in draws} == {("unscoreable", "HARNESS", "missing_artifact")}
    calls = runs.ledger_of(lab, "other").calls
    assert {(call.error, call.sent, call.differs) for call in calls} == {
        ("cassette_mismatch", False, ("top_p: only here",))
    }
    assert any("cassette_mismatch: top_p: only here" in line for line in logged(lab, "other"))
    shown = runs.cli(lab, "show", "double-it", "--run", "other")
    assert "cassette_mismatch" in shown.out + shown.err


def test_a_changed_cassette_is_refused_before_anything_runs(lab: Path, tmp_path: Path) -> None:
    broken = tmp_path / "tape"
    shutil.copytree(lab / "tape", broken)
    victim = next(path for path in (broken / "blobs").rglob("*") if path.is_file())
    victim.write_bytes(b"other")
    (lab / "broken.toml").write_text((lab / "played.toml").read_text().replace('"tape"', f'"{broken}"'))
    done = runs.cli(lab, "run", "broken.toml", "--run-id", "never")
    assert done.code == 2 and "damaged" in done.err
    assert not (lab / "runs" / "never").exists()
    gone = lab / "gone.toml"
    gone.write_text((lab / "played.toml").read_text().replace('"tape"', '"nowhere"'))
    assert runs.cli(lab, "run", "gone.toml", "--run-id", "never").code == 2


def test_an_unfinished_run_and_a_taken_name_make_no_cassette(lab: Path) -> None:
    sealed = runs.cli(lab, "seal", "played.toml", "--run-id", "waiting")
    assert sealed.code == 0, sealed.err
    assert (lab / "runs" / "waiting" / "cassette" / "cassette.json").is_file()
    again = runs.cli(lab, "runs", "cassette", "rec", "-o", "tape")
    assert again.code == 2 and "nothing is overwritten" in again.err


def test_a_copy_that_changed_is_not_resumed(lab: Path) -> None:
    sealed = runs.cli(lab, "seal", "played.toml", "--run-id", "spoiled")
    assert sealed.code == 0, sealed.err
    head = lab / "runs" / "spoiled" / "cassette" / "calls.jsonl"
    head.write_bytes(head.read_bytes()[:-2] + b"\n")
    done = runs.cli(lab, "resume", "spoiled")
    assert done.code == 2 and "recording" in done.err
