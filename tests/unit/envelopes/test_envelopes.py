"""Envelopes: what is missing is listed whole, what contradicts itself is refused."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from denominator.envelopes import complete, demo_envelope, envelope_template, read_envelope, require_complete, starter
from denominator.envelopes.fields import leaves, missing
from denominator.envelopes.gateway import gateway_problems
from denominator.envelopes.hints import HINTS, hint
from denominator.envelopes.template import OPTIONAL
from denominator.errors import Exit, IncompleteError, InputError
from denominator.gate.waivers import WAIVABLE
from denominator.records.envelopes import Arm, Envelope, ModelTerms
from denominator.records.findings import Waiver
from denominator.records.values import NotMeasured
from denominator.wire.toml import read_toml

DEMO = demo_envelope("oracle", "oracle", version="1")
MODEL = ModelTerms(
    id="big",
    snapshot="big-2026-10-01",
    endpoint="models.example.org/v1",
    access_class="pay_per_token",
    server_class="shared",
    temperature="0.0",
    seed="none",
    max_output_tokens=4096,
)


def put(envelope: Envelope, path: str, value: object) -> Envelope:
    """The envelope with one field changed; `arm` stands for the first arm."""
    head, _, rest = path.partition(".")
    inner = getattr(envelope, head)
    if head == "arm" and rest:
        return replace(envelope, arm=(put(inner[0], rest, value), *inner[1:]))
    return replace(envelope, **{head: put(inner, rest, value) if rest else value})


MODELLED = put(put(put(DEMO, "arm.model", MODEL), "budget.tokens", 1000), "sandbox.network", "gateway")


def where(envelope: Envelope) -> list[str]:
    return [problem.where for problem in complete(envelope)]


def test_the_demo_envelope_is_complete():
    assert complete(DEMO) == []
    assert complete(demo_envelope("s", "script", version="1", script="sha256:abc", repeats=3)) == []


def test_an_envelope_with_a_model_can_be_complete():
    assert complete(MODELLED) == []


def test_an_empty_envelope_lists_every_field_at_once():
    found = where(Envelope(arm=(Arm(),)))
    demanded = {path for path, value in leaves(Envelope(arm=(Arm(),))) if isinstance(value, NotMeasured)}
    assert set(found) == demanded - {"run.run_cap_tokens", "budget.calls"}
    assert len(found) > 35


def test_a_file_without_an_arm():
    assert "arm" in where(Envelope())


def test_the_template_is_read_and_lists_what_is_to_be_filled_in(tmp_path):
    path = tmp_path / "envelope.toml"
    path.write_text(envelope_template())
    assert envelope_template().startswith("#:schema ")
    envelope = read_envelope(path)
    listed = set(where(envelope))
    assert {
        "question",
        "arm[0].label",
        "arm[0].model.id",
        "budget.tokens",
        "policy.on_timeout",
        "ceilings.infra_rate",
    } <= listed
    assert listed == set(missing(envelope)), "nothing but what is missing"
    assert "pack" not in listed


def test_the_template_names_every_field_that_must_be_filled_in():
    text = envelope_template()
    for path in where(Envelope(arm=(Arm(),))):
        key = path.rsplit(".", 1)[-1]
        assert f"\n{key} = " in text or f"\n# {key} = " in text, path


def test_filling_in_the_template_completes_it():
    lines = []
    for line in envelope_template().splitlines():
        if line.startswith("# ") and line.endswith("# REPLACE"):
            line = line[2:]
        lines.append(line.replace("REPLACE: ", "our "))
    text = "\n".join(lines).replace("our policy.on_timeout", "fail").replace("our sandbox.network", "gateway")
    assert complete(read_toml(Envelope, text, "envelope.toml")) == []


UNCOMMENTED = re.compile(r"# (?=\[|[a-z_]+ = )")


@pytest.mark.parametrize("text", [envelope_template(), starter("oracle"), starter("command", model=True)])
def test_what_is_optional_stands_there_as_it_would_be_written(text):
    assert text.endswith(OPTIONAL)
    lines = OPTIONAL.replace("0.40", "0.01").splitlines()
    tables = [line for line in lines if line.startswith("# [")]
    assert tables == [
        "# [terms]", "# [gateway]", "# [[gateway.fault]]", "# [comparison]", "# [[clause]]", "# [[loosen]]", "# [[allow]]",
    ]  # fmt: skip
    assert all(lines[lines.index(table) - 1].startswith("# ") for table in tables), "each has a sentence before it"
    used = "\n".join(UNCOMMENTED.sub("", line) for line in lines)
    found = read_toml(Envelope, starter("oracle").removesuffix(OPTIONAL) + used.replace("margin = 0.05", ""), "e.toml")
    assert (found.comparison.primary, found.comparison.looks) == (("A", "B"), 0)
    assert (found.clause[0].name, found.loosen[0].field, found.allow[0].rule) == (
        "floor", "budget.wall_s", "inconclusive-control",
    )  # fmt: skip
    assert found.allow[0].rule in WAIVABLE
    assert (found.gateway.cassette, found.gateway.fault[0].kind) == ("tape", "rate_limit")
    modelled = replace(found, sandbox=replace(found.sandbox, network="gateway"), arm=MODELLED.arm)
    assert not list(gateway_problems(modelled)), "what stands there is what is taken"


@pytest.mark.parametrize(
    "value", ["", " ", "REPLACE: this", "<name>", "unspecified", "sha256:", "TODO", NotMeasured("later")], ids=repr
)
@pytest.mark.parametrize("path", ["question", "arm.agent_version", "metric.headline", "arm.model.endpoint"])
def test_placeholders_count_as_missing(path, value):
    expected = path.replace("arm.", "arm[0].")
    found = complete(put(MODELLED, path, value))
    assert [problem.where for problem in found] == [expected]
    assert found[0].what == "is not filled in" and found[0].fix == hint(expected)


def test_an_agent_without_a_model_owes_nothing_about_one():
    silent = put(DEMO, "arm.model", ModelTerms(id="none"))
    assert complete(put(silent, "budget.tokens", NotMeasured("no model"))) == []


def test_one_arm_with_a_model_brings_the_token_budget_back():
    two = replace(DEMO, arm=(DEMO.arm[0], replace(DEMO.arm[0], label="b", model=MODEL)))
    assert where(two) == ["budget.tokens", "sandbox.network"]


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("budget.tokens", 0, "budget.tokens"),
        ("budget.wall_s", -1, "budget.wall_s"),
        ("budget.working_s", 61, "budget.working_s"),
        ("budget.repeats", 0, "budget.repeats"),
        ("budget.attempts", 0, "budget.attempts"),
        ("budget.output_bytes", 0, "budget.output_bytes"),
        ("budget.incarnations_max", 0, "budget.incarnations_max"),
        ("policy.on_timeout", "pass", "policy.on_timeout"),
        ("metric.headline", "resolved_rate", "metric.headline"),
        ("policy.retry.verdict", 1, "policy.retry.verdict"),
        ("policy.retry.infra", -1, "policy.retry.infra"),
        ("policy.tool_loop_n", 1, "policy.tool_loop_n"),
        ("policy.tool_loop_n", 0, "policy.tool_loop_n"),
        ("policy.tool_loop_n", 2, None),
        ("policy.retry.backoff_s", (1, -1), "policy.retry.backoff_s"),
        ("sandbox.network", "open", "sandbox.network"),
        ("sandbox.memory_mb", 0, "sandbox.memory_mb"),
        ("run.concurrency", 0, "run.concurrency"),
        ("run.warmup_tasks", -1, "run.warmup_tasks"),
        ("run.baseline_repeats", 2, "run.baseline_repeats"),
        ("run.run_cap_tokens", 0, "run.run_cap_tokens"),
        ("budget.repeats", 3, None),
        ("ceilings.invalid_rate", "1.01", "ceilings.invalid_rate"),
        ("ceilings.infra_rate", "-0.1", "ceilings.infra_rate"),
        ("ceilings.retry_rate", "2", "ceilings.retry_rate"),
        ("ceilings.infra_rate", "NaN", "ceilings.infra_rate"),
        ("ceilings.infra_rate", "1", None),
        ("ceilings.infra_rate", "0", None),
        ("metric.scorer", "model", "metric.scorer"),
        ("metric.scorer", "person", "metric.scorer"),
        ("metric.scorer", "vibes", "metric.scorer"),
        ("metric.scorer", "golden_diff", None),
        ("terms.quota_assumed", True, "terms.quota_assumed"),
        ("terms.permanence_assumed", True, "terms.permanence_assumed"),
        ("terms.source", "https://example.org/terms", "terms.read_on"),
        ("arm.agent", "command", "arm[0].command"),
        ("arm.command", ("REPLACE: agent", "x"), "arm[0].command"),
        ("arm.agent", "script", "arm[0].script"),
        ("arm.label", "../x", "arm[0].label"),
        ("arm.model.snapshot", "big", "arm[0].model.snapshot"),
        ("arm.model.temperature", "-1", "arm[0].model.temperature"),
        ("comparison.primary", ("A",), "comparison.primary"),
        ("allow", (Waiver(rule="r", why="", who="w", until="u"),), "allow[0].why"),
    ],
)
def test_what_cannot_be_sealed_is_named(path, value, named):
    assert where(put(MODELLED, path, value)) == ([named] if named else [])


def test_a_model_that_no_network_reaches():
    assert where(put(MODELLED, "sandbox.network", "none")) == ["sandbox.network"]


def test_a_command_of_nothing():
    assert where(put(put(MODELLED, "arm.agent", "command"), "arm.command", (" ",))) == ["arm[0].command"] * 2
    assert where(put(put(MODELLED, "arm.agent", "command"), "arm.command", ("",))) == ["arm[0].command"]
    assert where(put(put(MODELLED, "arm.agent", "command"), "arm.command", ("agent", ""))) == []


def test_a_seed_for_each_repeat_or_none():
    assert where(put(put(DEMO, "budget.repeats", 3), "run.seeds", (1, 2))) == ["run.seeds"]
    assert where(put(put(DEMO, "budget.repeats", 3), "run.seeds", (1, 2, 3))) == []


def test_labels_are_unique_whatever_their_case():
    two = replace(DEMO, arm=(DEMO.arm[0], replace(DEMO.arm[0], label="Oracle")))
    assert where(two) == ["arm[0].label", "arm[1].label"]


def test_the_primary_comparison_names_arms_that_are_here():
    two = replace(DEMO, arm=(DEMO.arm[0], replace(DEMO.arm[0], label="b")))
    assert where(put(two, "comparison.primary", ("oracle", "c"))) == ["comparison.primary"]
    assert where(put(two, "comparison.primary", ("oracle", "b"))) == []


def test_problems_come_in_the_order_of_the_file():
    bad = put(put(put(DEMO, "provenance.purpose", "TODO"), "question", "TODO"), "budget.wall_s", 0)
    assert where(bad)[0] == "question" and where(bad)[-1] == "provenance.purpose"


def test_refusing_lists_all_fields_and_exits_2():
    with pytest.raises(IncompleteError) as caught:
        require_complete(put(put(DEMO, "question", ""), "budget.wall_s", 0), "envelope.toml")
    assert caught.value.exit == Exit.USAGE
    assert {problem.where for problem in caught.value.problems} >= {"question", "budget.wall_s"}
    require_complete(DEMO, "envelope.toml")


def test_hints_name_real_fields():
    known = {path.replace("arm[0]", "arm") for path, _ in leaves(Envelope(arm=(Arm(),)))} | {"arm"}
    assert set(HINTS) <= known


def test_unknown_keys_are_errors_with_the_nearest_name(tmp_path):
    path = tmp_path / "envelope.toml"
    path.write_text("[budget]\nwal_s = 3\n[policy]\non_timeout = 3\n")
    with pytest.raises(InputError) as caught:
        read_envelope(path)
    assert len(caught.value.problems) == 2 and "wall_s" in str(caught.value)


@pytest.mark.parametrize(
    ("data", "word"), [(b"\xff", "UTF-8"), (b"schema_version = 2\n", "schema_version 2"), (None, "no such file")]
)
def test_files_that_are_no_envelopes(tmp_path, data, word):
    path = tmp_path / "envelope.toml"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_envelope(path)
    assert word in str(caught.value)
