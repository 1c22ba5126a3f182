"""The command agent: templates filled, mistakes all at once, keys kept out."""

from __future__ import annotations

import pytest

from denominator.adapters.agents.command import Command, problems
from denominator.errors import InputError
from denominator.records.envelopes import Arm, ModelTerms
from denominator.records.values import NotMeasured
from unit.adapters.agents.tasks import agent_task


def _refused(**arm) -> str:
    task = agent_task(**arm)
    with pytest.raises(InputError) as caught:
        Command().plan(task)
    return str(caught.value)


def test_placeholders_are_filled_once_and_other_braces_stay():
    task = agent_task(
        prompt="say {task_id} and {model_url}",
        command=(
            "a",
            "{prompt}",
            "{{prompt}}",
            '{"k": {"n": 1}}',
            "{workdir}|{outdir}|{indir}",
            "{model}/{seed}/{task_id}",
        ),
        env={"P": "{prompt_file}"},
    )
    plan = Command().plan(task)
    assert plan.argv[1:] == (
        "say {task_id} and {model_url}",
        "{prompt}",
        '{"k": {"n": 1}}',
        "/work|/out|/in",
        "m-1/7/t1",
    )
    assert plan.env["P"] == plan.env["DENOMINATOR_PROMPT"] == "/in/prompt.md"


@pytest.mark.parametrize("env", [{}, {"K": "{model_token}"}])
def test_every_command_may_ask_for_its_model(env):
    assert Command().plan(agent_task(command=("a",), env=env)).needs_model is True


def test_all_mistakes_are_named_at_once():
    said = _refused(
        command=("a", "{promt}", "{seed}"),
        seed=None,
        env={"A B": "x", "DENOMINATOR_X": "1", "K": "${OPENAI_API_KEY}", "L": "$TOKEN"},
        mounts=("relative=/opt/a", "/a=/work/b", "/a"),
    )
    for what in (
        "unknown placeholder {promt}",
        "{seed} has no value",
        "env.A B",
        "DENOMINATOR_X",
        "env.K: variables of the harness",
        "env.L: variables of the harness",
        "'relative=/opt/a'",
        "belongs to the sandbox",
        "'/a': not HOST=INSIDE",
    ):
        assert what in said, what
    assert "model.key_env" in said


def test_a_key_in_the_envelope_is_refused_and_not_repeated():
    key = "sk-" + "a1B2" * 8
    said = _refused(command=("a",), env={"OPENAI_API_KEY": key})
    assert "looks like a key" in said
    assert key not in said
    assert problems(Arm(command=("a",), env={"OPENAI_API_KEY": "sk-none"})) == []


def test_a_model_that_is_not_filled_in_cannot_be_named():
    said = _refused(command=("a", "{model}"), model=ModelTerms(id=NotMeasured("not filled in")))
    assert "{model} has no value: not filled in" in said


def test_a_prompt_too_long_for_an_argument_is_told_before_the_kernel_does():
    assert "use {prompt_file}" in _refused(command=("a", "{prompt}"), prompt="x" * 140_000)


def test_an_empty_command_is_refused():
    assert "command: is empty" in _refused(command=())
