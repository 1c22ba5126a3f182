"""A probe beside an envelope: judged again from its bytes, refused where it is of something else, silent where all agrees."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from denominator.errors import Exit, IncompleteError, InputError
from denominator.metrics import METRICS
from denominator.pipeline.probe_scoring import score_folder
from denominator.pipeline.probed import OF_TOKENS, doubts
from denominator.records.envelopes import Clause, Comparison, GatewayTerms
from denominator.records.probes import Path as Way
from denominator.wiring.probes import check_probe, sealed_probe
from probe_stored import JSON_CASE, STORED, TEXT_CASE, answered, completion, kept, sealed, store
from unit.compare.arms import SEAL
from unit.envelopes.test_envelopes import DEMO, MODELLED, put

HERE = "https://api.example.org/v1"
MINE = put(put(put(MODELLED, "arm.model.endpoint", HERE), "arm.model.id", "some-model"), "arm.label", "big")
MINE = replace(MINE, gateway=GatewayTerms(probe="answers"))


@pytest.fixture
def where(tmp_path):
    """The envelope's place."""
    return str(tmp_path / "envelope.toml")


def found(envelope, where):
    return sealed_probe(envelope, envelope.arm[0], where)


def said(envelope, where) -> list[str]:
    """Doubts of a seal with this probe."""
    seal = replace(SEAL, envelope=envelope, arm=envelope.arm[0], probe=found(envelope, where))
    return list(doubts(seal))


def refused(envelope, where, kind=InputError):
    with pytest.raises(kind) as caught:
        check_probe(envelope, envelope.arm[0], where)
    assert caught.value.exit is Exit.USAGE
    return caught.value


def answers(**over):
    """A conformant endpoint but for fields of a whole answer; a field that is None is not there."""

    def answer(case, ask):
        if case.control:
            return kept(case, ask)
        document = completion("OK." if case.id == "say-ok" else '{"ok": true}') | over
        return answered(json.dumps({name: value for name, value in document.items() if value is not None}).encode())

    return answer


PLAIN = (JSON_CASE, replace(TEXT_CASE, mode="plain"))


def test_what_is_sealed_is_what_the_bytes_say(tmp_path, where):
    folder = store(tmp_path / "answers")
    (tmp_path / "answers" / "score.json").write_bytes(b"not believed")
    probe = found(MINE, where)
    assert (probe.seal_sha256, probe.model, probe.path, probe.missing) == (
        folder.seal_sha256,
        "some-model",
        "direct",
        0,
    )
    assert probe.fixture_sha256 == sealed(STORED).envelope.fixture_sha256
    assert probe.windows == (folder.windows()[0].started_at,)
    assert (probe.facts.models, probe.facts.finish_reasons) == (("some-model",), ("stop",))
    assert (probe.facts.usage_conventions, probe.facts.usage_plain) == (("openai_chat",), True)
    assert probe.sentences == score_folder(tmp_path / "answers").sentences != ()


def test_without_one_and_without_a_model_nothing_is_sealed(tmp_path, where):
    assert found(replace(MINE, gateway=GatewayTerms()), where) is None
    assert found(replace(DEMO, gateway=GatewayTerms(probe="gone")), where) is None


@pytest.mark.parametrize("spelt", ["https://API.example.org/v1/", "https://api.example.org:443/v1"])
def test_two_spellings_of_one_address_are_one(tmp_path, where, spelt):
    store(tmp_path / "answers")
    assert found(put(MINE, "arm.model.endpoint", spelt), where) == found(MINE, where)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("endpoint", "https://other.example.org/v1", "asked https://api.example.org/v1; arm big calls https://other"),
        ("endpoint", "https://api.example.org/v2", "arm big calls https://api.example.org/v2"),
        ("endpoint", "http://api.example.org/v1", "arm big calls http://api.example.org/v1"),
        ("id", "big", "asked the model some-model; arm big asks big"),
    ],
)
def test_a_probe_of_something_else_is_refused(tmp_path, where, field, value, words):
    store(tmp_path / "answers")
    (problem,) = refused(put(MINE, f"arm.model.{field}", value), where).problems
    assert problem.where == "gateway.probe" and words in problem.what and problem.fix


def test_every_difference_at_once_and_a_gateway_is_named(tmp_path, where):
    store(tmp_path / "answers", path=Way(kind="gateway", name="litellm", version="1.2"), url="http://127.0.0.1:4000/v1")
    first, second = refused(put(MINE, "arm.model.id", "big"), where).problems
    assert "127.0.0.1:4000/v1, a gateway (litellm 1.2); arm big calls https://api.example.org/v1" in first.what
    assert "asked the model" in second.what
    check_probe(
        put(MINE, "arm.model.endpoint", "http://127.0.0.1:4000/v1"), *placed_at("http://127.0.0.1:4000/v1", where)
    )


def placed_at(url, where):
    return put(MINE, "arm.model.endpoint", url).arm[0], where


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda folder: (folder / "seal.json").unlink(), "no such file"),
        (lambda folder: (folder / "fixture.jsonl").write_bytes(b"{}\n"), "is not the fixture that was sealed"),
        (lambda folder: next(folder.glob("blobs/*/*")).write_bytes(b"x"), "holds other bytes"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(tmp_path, where, break_it, words):
    store(tmp_path / "answers")
    break_it(tmp_path / "answers")
    error = refused(MINE, where)
    assert error.what.startswith("the probe of gateway.probe cannot be used")
    assert words in str(error) and error.fix


def test_answers_that_were_kept_as_digests_are_enough(tmp_path, where):
    store(tmp_path / "answers", redact_bodies=True)
    store(tmp_path / "whole")
    whole = found(replace(MINE, gateway=GatewayTerms(probe="whole")), where)
    assert found(MINE, where).facts == whole.facts


def test_a_probe_that_was_never_asked_is_refused(tmp_path, where):
    store(tmp_path / "answers", {})
    (problem,) = refused(MINE, where).problems
    assert "no window" in problem.what and problem.fix == f"denominator probe run {tmp_path / 'answers'}"


def test_an_endpoint_that_tells_all_leaves_only_what_nobody_asked(tmp_path, where):
    """The stored cases cut no answer; the snapshot is the one that answers."""
    store(tmp_path / "answers", answers(model="big-2026-10-01"), PLAIN)
    (only,) = said(MINE, where)
    assert "no answer ended with the finish reason length (only stop)" in only and "\n  next: " in only
    cut = [{"index": 0, "message": {"role": "assistant", "content": "OK"}, "finish_reason": "length"}]
    store(tmp_path / "cut", answers(model="big-2026-10-01", choices=cut), PLAIN)
    assert said(replace(MINE, gateway=GatewayTerms(probe="cut")), where) == []


def test_without_usage_budgets_hold_worst_cases(tmp_path, where):
    store(tmp_path / "answers", answers(usage=None, model="big-2026-10-01"), PLAIN)
    first = said(MINE, where)[1]
    assert "no answer told its usage" in first and "budget.tokens 1000, and sums of tokens" in first
    capped = replace(MINE, run=replace(MINE.run, run_cap_tokens=5000))
    assert "budget.tokens 1000 and run.run_cap_tokens 5000" in said(capped, where)[1]
    check_probe(capped, capped.arm[0], where)


def test_streams_without_usage_are_named_apart(tmp_path, where):
    def answer(case, ask):
        whole = kept(case, ask)
        return whole if ask.mode == "plain" else no_usage(whole)

    def no_usage(whole):
        events = [one for one in whole.partition(b"\r\n\r\n")[2].split(b"\n\n") if one and b"prompt_tokens" not in one]
        return answered(b"".join(one + b"\n\n" for one in events), kind="text/event-stream")

    store(tmp_path / "answers", answer)
    told = "\n".join(said(MINE, where))
    assert "not every stream told its usage, though it was asked to" in told and "no answer told" not in told


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("some-model", "the sealed snapshot big-2026-10-01 was never answered: the probe heard some-model"),
        ("other", "neither some-model nor big-2026-10-01 was ever answered: the probe heard other"),
        (None, "neither some-model nor big-2026-10-01 was ever answered: no answer named a model"),
    ],
)
def test_a_name_that_was_never_answered_is_said(tmp_path, where, model, words):
    store(tmp_path / "answers", answers(model=model), PLAIN)
    assert [one for one in said(MINE, where) if words in one]
    check_probe(MINE, MINE.arm[0], where)


def test_an_endpoint_that_never_answered_and_a_part_of_a_bench_are_said(tmp_path, where):
    store(tmp_path / "answers", lambda case, _: None if case.id == "json-ok" else b"", PLAIN)
    never, nothing = said(MINE, where)
    assert "3 planned attempts never asked" in never
    assert "no whole answer to a good request was heard" in nothing


@pytest.mark.parametrize("metric", OF_TOKENS)
def test_a_clause_on_tokens_needs_usage(tmp_path, where, metric):
    assert metric in {one.entry.name for one in METRICS}
    store(tmp_path / "answers", answers(usage=None), PLAIN)
    store(tmp_path / "counted", answers(), PLAIN)
    bound = replace(MINE, clause=(Clause(name="cheap", metric=metric, why="money", at_most="9"),))
    error = refused(bound, where, IncompleteError)
    assert [one.where for one in error.problems] == ["clause[0].metric"]
    assert f"cheap bounds {metric}, and no answer of the probe told its tokens" in str(error)
    counted = replace(bound, gateway=GatewayTerms(probe="counted"))
    check_probe(counted, counted.arm[0], where)


def declared(field, **over):
    """The model is the treatment of the declared primary comparison, the second arm asks for another one."""
    other = replace(
        MINE.arm[0], label="small", model=replace(MINE.arm[0].model, id="small", snapshot="small-2026-01-01")
    )
    comparison = Comparison(primary=("big", "small"), **over)
    return replace(MINE, arm=(MINE.arm[0], other), treatment=(field,), comparison=comparison)


@pytest.mark.parametrize(
    ("field", "model", "shown"),
    [
        ("model_snapshot", "some-model", False),
        ("model_snapshot", "prov/big-2026-10-01", True),
        ("arm.model.id", "some-model", True),
        ("arm.model.id", "some-model-2026-08-01", True),
        ("arm.model.id", "other", False),
        ("arm.model.id", None, False),
        ("temperature", "other", True),
    ],
)
def test_a_treatment_that_no_answer_could_show_is_refused(tmp_path, where, field, model, shown):
    store(tmp_path / "answers", answers(model=model), PLAIN)
    envelope = declared(field)
    if shown:
        check_probe(envelope, envelope.arm[0], where)
        return
    (problem,) = refused(envelope, where, IncompleteError).problems
    assert "would never count as delivered" in problem.what
    easy = declared(field, delivered_floor="0")
    check_probe(easy, easy.arm[0], where)
    same = replace(envelope, arm=(envelope.arm[0], replace(envelope.arm[0], label="small")))
    check_probe(same, same.arm[0], where)
    check_probe(replace(envelope, comparison=Comparison()), envelope.arm[0], where)
