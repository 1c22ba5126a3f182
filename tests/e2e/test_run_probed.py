"""A run that is sealed with a probe of its endpoint: both really ask one server, and the gate says when it answers otherwise."""

from __future__ import annotations

import json
import shutil

import pytest

from denominator.pipeline.probe_scoring import score_folder
from denominator.testing.scripted_server import MODEL, Fault, Say, ScriptedServer
from denominator.wire.codec import to_json
from e2e import model_runs, probe_cli, runs

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("probed"),
]
TASK = "clamp-low"
TOOL = {
    "type": "function",
    "function": {"name": "bash", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}},
}
CASES = (
    {"id": "say", "group": "accounting", "kind": "answer", "prompt": "Say OK.", "mode": "both", "expect": {}},
    {
        "id": "call", "group": "tools", "kind": "call", "prompt": "List the files.", "request": {"tools": [TOOL]},
        "expect": {"name": "bash"},
    },
)  # fmt: skip


def commands(request):
    """The bench gets words or a call, the agent the answer to its task."""
    asked = str(request["messages"][0]["content"])
    if asked == "Say OK.":
        return [Say("OK")]
    return ["ls"] if asked == "List the files." else [runs.SOLVE[TASK]]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A probed server, and run `same` (as probed) and run `moved` (the server answers otherwise)."""
    folder = tmp_path_factory.mktemp("probed")
    other = {}

    def fault(_number, request):
        if not other:
            return None
        answer = server.answer(request) | {"model": other["model"]}
        answer["choices"][0]["finish_reason"] = other["finish"]
        return Fault(200, body=answer)

    with ScriptedServer(commands, fault) as server:
        data = "".join(json.dumps(case) + "\n" for case in CASES).encode()
        toml = probe_cli.write_probe(folder, server.url, data)
        toml.write_text(toml.read_text().replace('model = "m"', f'model = "{MODEL}"'))
        probe_cli.say(folder, "run", "probe.toml", "-o", "answers", "-q")
        model_runs.situation(folder, server, ["once"], [TASK])
        text = (folder / "envelope.toml").read_text()
        (folder / "plain.toml").write_text(text)
        (folder / "envelope.toml").write_text(text + '[gateway]\nprobe = "answers"\n')
        done = {"same": model_runs.run(folder, "same")}
        other |= {"model": "scripted-2", "finish": "content_filter"}
        done["moved"] = model_runs.run(folder, "moved")
        yield folder, done


def said(folder, run_id):
    card = runs.cli(folder, "card", run_id, "--json").json
    return card, [(one["severity"], one["what"]) for one in card["verdict"]["findings"] if one["code"] == "GL075"]


def test_the_seal_holds_what_the_bytes_gave(lab):
    folder, done = lab
    assert [one.code for one in done.values()] in ([0, 0], [0, 1], [1, 1]), [one.err for one in done.values()]
    score = score_folder(folder / "answers")
    sealed = json.loads((folder / "runs" / "same" / "seal.json").read_text())["probe"]
    assert (sealed["seal_sha256"], sealed["model"]) == (score.seal_sha256, MODEL)
    assert sealed["facts"] == to_json(score.facts)
    assert (score.facts.usage_plain, score.facts.usage_on_stream) == (True, True)
    assert score.facts.finish_reasons == ("stop", "tool_calls")


def test_a_run_that_is_answered_as_probed_holds(lab):
    folder, _ = lab
    card, found = said(folder, "same")
    assert found == [("held", "no call shows what a sealed probe of the endpoint never saw")]
    (line,) = [one for one in card["notes"] if "probed" in one]
    assert line.startswith("endpoint probed before: bench ")
    assert line in " ".join(runs.cli(folder, "card", "same").out.split())


def test_one_that_is_answered_otherwise_says_so_and_blocks_nothing(lab):
    folder, _ = lab
    _, found = said(folder, "moved")
    assert {one for one, _ in found} == {"note"}
    assert [what.partition(", which")[0] for _, what in found] == [
        "1 call with the model scripted-2", "1 call with the finish reason content_filter",
    ]  # fmt: skip
    assert all("the endpoint is not the one that was probed, or it changed" in what for _, what in found)


def test_what_the_facts_leave_open_is_said_before_anything_runs(lab):
    folder, done = lab
    sealed = runs.cli(folder, "seal", "envelope.toml", "--run-id", "only", env=ENV)
    for err in (done["same"].err, sealed.err, model_runs.resume(folder, "only").err):
        told = " ".join(err.split())
        assert "no answer ended with the finish reason length (only stop, tool_calls)" in told
        assert "the sealed snapshot scripted-1-2026-11-29 was never answered: the probe heard scripted-1" in told
    document = runs.cli(folder, "seal", "envelope.toml", "--run-id", "only-2", "--json", env=ENV).json
    assert len(document[0]["doubts"]) == 2
    assert runs.cli(folder, "seal", "plain.toml", "--run-id", "only-3", "--json", env=ENV).json[0]["doubts"] == []


ENV = {model_runs.KEY_ENV: model_runs.KEY}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (f'id = "{MODEL}"', 'id = "big"', f"asked the model {MODEL}; arm once asks big"),
        ("/v1", "/v2", "arm once calls http://127.0.0.1"),
        ('probe = "answers"', 'probe = "gone"', "the probe of gateway.probe cannot be used: no such file"),
        (
            "[gateway]",
            '[comparison]\nprimary = ["once", "other"]\nquestion = "non_inferior"\nmargin = "0.99"\n[gateway]',
            "the treatment scripted-1-2026-11-29 would never count as delivered: the probe heard scripted-1",
        ),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_written(lab, old, new, words):
    folder, _ = lab
    text = (folder / "envelope.toml").read_text().replace(old, new)
    (folder / "odd.toml").write_text(text.replace('treatment = ["agent"]', 'treatment = ["model.snapshot"]'))
    for verb in (("seal",), ("run", "--dry-run"), ("run",), ("envelope", "check")):
        more = () if verb[0] == "envelope" else ("--run-id", "odd")
        done = runs.cli(folder, *verb, "odd.toml", *more, env=ENV)
        assert done.code == 2, (done.out, done.err)
        assert words in " ".join((done.out + done.err).split())
    assert not (folder / "runs" / "odd").exists()
