"""The conditions of a run of ours: named, known where they can be, "none" where they cannot apply, unknown with a reason."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from denominator.envelopes import complete, terms_of
from denominator.envelopes.conditions import conditions_of, endpoint
from denominator.envelopes.treatments import STATED
from denominator.records.conditions import condition
from denominator.records.envelopes import Clause, Comparison, Envelope
from denominator.records.values import NotMeasured
from unit.compare.arms import SEAL, put

NO_MODEL = put(SEAL, "arm.model.id", "none")
OF_MODEL = (
    "model_id", "model_snapshot", "temperature", "seed", "max_output_tokens", "budget_tokens_per_task", "endpoint_host",
    "endpoint_path", "endpoint_route", "access_class", "server_class", "usage_convention", "endpoint_terms", "provider_region",
    "tool_list_digest",
)  # fmt: skip


def told(seal, name):
    value = condition(conditions_of(seal), name)
    return value if isinstance(value, NotMeasured) else json.loads(value)


def test_every_name_once_and_in_canonical_text():
    found = conditions_of(SEAL)
    assert len({one.name for one in found}) == len(found)
    assert {one.by for one in found} == {"declared", "recorded", "derived"}
    assert told(SEAL, "temperature") == 0 and told(SEAL, "seed") == 7
    assert [one.name for one in found if isinstance(one.value, NotMeasured)] == ["provider_region"]


@pytest.mark.parametrize("name", OF_MODEL)
def test_what_only_a_model_has_is_none_without_one(name):
    assert told(NO_MODEL, name) == "none" != told(SEAL, name)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("arm.model.temperature", "temperature"), ("arm.model.snapshot", "model_snapshot"), ("arm.agent", "agent_id"),
        ("envelope.policy.retry.timeout", "retry_policy"), ("envelope.policy.on_timeout", "on_timeout"),
        ("envelope.budget.wall_s", "wall_cap_s"), ("box.toolchain_digest", "toolchain_digest"), ("arm.model.endpoint", "endpoint_host"),
    ],
)  # fmt: skip
def test_what_is_not_known_says_why(path, name):
    assert told(put(SEAL, path, NotMeasured("later")), name) == NotMeasured("later")


def test_an_empty_envelope_has_conditions_too():
    bare = replace(SEAL, envelope=Envelope(), tasks=(), causes=())
    assert isinstance(told(bare, "wall_cap_s"), NotMeasured) and told(bare, "verify_timeout_s") == "none"


@pytest.mark.parametrize(
    ("text", "host", "path"),
    [
        ("https://Models.Example.org/v1/", "models.example.org", "/v1"), ("models.example.org/v1", "models.example.org", "/v1"),
        ("http://name:secret@localhost:8080", "localhost:8080", "/"), ("host/v1?key=abc", "host", "/v1"),
    ],
)  # fmt: skip
def test_endpoints(text, host, path):
    assert endpoint(text) == (host, path)


def test_no_credentials_of_an_endpoint_are_kept():
    seal = put(SEAL, "arm.model.endpoint", "https://name:hunter2@models.example.org/v1?key=hunter2")
    assert "hunter2" not in repr(conditions_of(seal))


def test_which_code_it_was():
    silent = put(SEAL, "arm.harness_commit", "")
    assert told(silent, "harness_commit") == "c" * 40
    changed = replace(silent, commit="c" * 40 + "+changes")
    assert told(changed, "harness_commit").startswith("c" * 40 + "+changes, rules rrrr")
    installed = put(silent, "box.harness_commit", NotMeasured("installed without its repository"))
    assert told(installed, "harness_commit") == "release 0.1.0"


def test_what_a_control_group_allows_or_else_the_machine():
    assert told(put(SEAL, "box.cgroup_cpu_limit", "200000/100000 us"), "cpus") == "200000/100000 us"
    for limit in ("unlimited", NotMeasured("no control groups")):
        assert told(put(SEAL, "box.cgroup_cpu_limit", limit), "cpus") == 8


def test_terms_carry_what_was_sealed_about_comparing():
    clause = Clause(name="floor", metric="headline", why="house", at_least="0.5")
    plan = Comparison(primary=("a", "b"), looks=2)
    envelope = replace(SEAL.envelope, treatment=("model_id",), comparison=plan, clause=(clause,))
    found = terms_of(replace(SEAL, envelope=envelope))
    assert (found.arm, found.treatment, found.comparison, found.clauses) == ("first", ("model_id",), plan, (clause,))
    assert found.conditions == conditions_of(replace(SEAL, envelope=envelope))


def test_the_names_of_a_seal_are_listed_for_treatments():
    assert set(STATED) == {one.name for one in conditions_of(SEAL)} and list(STATED) == sorted(set(STATED))


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("model_id", ""), ("arm.model.id", ""), ("agent", ""), ("budget.wall_s", ""), ("prompt_id", ""),
        ("modle_id", "one of: model_id"), ("temprature", "one of: temperature"), ("", "docs/formats"), ("zzz", "docs/formats"),
    ],
)  # fmt: skip
def test_a_treatment_names_a_condition(told, says):
    problems = [one for one in complete(replace(SEAL.envelope, treatment=(told,))) if one.where.startswith("treatment")]
    assert [one.where for one in problems] == (["treatment[0]"] if says else [])
    assert not says or says in problems[0].fix


@pytest.mark.parametrize(
    ("field", "name"), [("ceilings.replay_flips", "replay_ceiling"), ("ceilings.retry_rate", "retry_ceiling")]
)
def test_the_gate_holds_a_run_against_the_ceilings_that_were_sealed(field, name):
    assert getattr(terms_of(SEAL), name) == "0.20"
    assert getattr(terms_of(put(SEAL, f"envelope.{field}", "0.05")), name) == "0.05"
