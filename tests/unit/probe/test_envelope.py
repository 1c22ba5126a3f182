"""probe.toml: every mistake at once, a key never read nor repeated, and a seal that fits one fixture only."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator._version import __version__
from denominator.errors import DenominatorError, InputError
from denominator.probe.envelope import client_version, read_probe_envelope, seal_probe
from denominator.probe.template import probe_template
from denominator.records.probe_words import CLASSIFIER
from denominator.records.probes import Endpoint, Fixture, Path, ProbeEnvelope, Terms, Use
from denominator.records.values import NotMeasured

SHA = "ab" * 32
HEAD = f'name = "bench"\nfixture = "fixture.jsonl"\nfixture_sha256 = "{SHA}"\n'
ENDPOINT = '[endpoint]\nurl = "https://api.example.org/v1"\nmodel = "m/1"\n'
WHOLE = HEAD + ENDPOINT
KEY = "sk-canary-0123456789abcdef"


def problems(text: str) -> list[str]:
    """Everything that is wrong with an envelope."""
    with pytest.raises(InputError) as caught:
        read_probe_envelope(text, "p")
    return [str(problem) for problem in caught.value.problems]


def test_an_envelope_may_say_little() -> None:
    """Everything else has its default; nothing is declared."""
    found = read_probe_envelope(WHOLE, "p")
    assert (found.run, found.path, found.redact_bodies) == (Terms(), Path(), False)
    assert found.use.data_may_be_sent == NotMeasured("not declared")


def test_an_envelope_may_say_everything() -> None:
    """Numbers are taken where decimal text is asked for."""
    found = read_probe_envelope(
        WHOLE.replace("m/1", "m")
        + 'key_env = "K"\n[path]\nkind = "gateway"\nname = "g"\nversion = "1"\n[run]\nrate = 0.5\nin_flight = 2\n'
        "[use]\nerror_budget = 0.02\njob_timeout_ms = 1000\nteam_decision = true\ninvalid_rate_ceiling = 1\n",
        "p",
    )
    assert found.path.told == "through g 1"
    assert (found.run.rate, found.use.error_budget, found.use.invalid_rate_ceiling) == ("0.5", "0.02", "1")
    assert (found.use.job_timeout_ms, found.use.team_decision) == (1000, True)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (HEAD, "p endpoint"),
        (WHOLE + "modle = 1\n", "p:7 endpoint.modle"),
        (WHOLE.replace('"bench"', '""'), "p:1 name"),
        (WHOLE.replace("fixture.jsonl", "../f"), "p:2 fixture"),
        (WHOLE.replace("fixture.jsonl", "/f"), "p:2 fixture"),
        (WHOLE.replace(SHA, "ab"), "p:3 fixture_sha256"),
        (WHOLE.replace("https", "ftp"), "p:5 endpoint.url"),
        (WHOLE.replace("https://api.example.org/v1", "REPLACE: x"), "p:5 endpoint.url"),
        (WHOLE.replace("api.example.org", "api.example.org:99999"), "p:5 endpoint.url"),
        (WHOLE.replace("api.example.org", "[::1"), "p:5 endpoint.url"),
        (WHOLE.replace("api.example.org", "a b"), "p:5 endpoint.url"),
        (WHOLE.replace("api.example.org", "me@api.example.org"), "p:5 endpoint.url"),
        (WHOLE.replace("/v1", "/v1?a=b"), "p:5 endpoint.url"),
        (WHOLE.replace("/v1", "/v1/chat/completions"), "p:5 endpoint.url"),
        (WHOLE.replace("m/1", "TODO"), "p:6 endpoint.model"),
        (WHOLE + 'key_env = "a b"\n', "p:7 endpoint.key_env"),
        (WHOLE + 'cap_field = "max_output_tokens"\n', "p:7 endpoint.cap_field"),
        (WHOLE + '[path]\nkind = "proxy"\n', "p:8 path.kind"),
        (WHOLE + '[path]\nkind = "gateway"\nname = "g"\n', "p:7 path.version"),
        (WHOLE + '[path]\nname = "g"\n', "p:8 path.name"),
        (WHOLE + "[run]\nattempts = 0\n", "p:8 run.attempts"),
        (WHOLE + "[run]\ndeadline_ms = 0\n", "p:8 run.deadline_ms"),
        (WHOLE + "[run]\ngap_ms = 0\n", "p:8 run.gap_ms"),
        (WHOLE + "[run]\nslow_ms = 0\n", "p:8 run.slow_ms"),
        (WHOLE + "[run]\nbody_bytes_max = 1\n", "p:8 run.body_bytes_max"),
        (WHOLE + "[run]\nwarmups = -1\n", "p:8 run.warmups"),
        (WHOLE + "[run]\nin_flight = 0\n", "p:8 run.in_flight"),
        (WHOLE + "[run]\nrate = 0\n", "p:8 run.rate"),
        (WHOLE + "[run]\nrate = -1.5\n", "p:8 run.rate"),
        (WHOLE + "[run]\nrate = 1e999\n", "p:8 run.rate"),
        (WHOLE + '[run]\nrate = "fast"\n', "p:8 run.rate"),
        (WHOLE + "[run]\nrate = 1\npause_ms = 5\n", "p:9 run.pause_ms"),
        (WHOLE + "[run]\nattempts = true\n", "p:8 run.attempts"),
        (WHOLE + "[use]\nerror_budget = 2\n", "p:8 use.error_budget"),
        (WHOLE + "[use]\ninvalid_rate_ceiling = 1.01\n", "p:8 use.invalid_rate_ceiling"),
        (WHOLE + "[use]\njob_timeout_ms = 0\n", "p:8 use.job_timeout_ms"),
        (WHOLE + '[use]\nsla_needed = "no"\n', "p:8 use.sla_needed"),
        ("schema_version = 2\n" + WHOLE, "p:1 schema_version"),
        ("= 1", "p:1"),
    ],
)
def test_a_mistake_is_named_by_line_and_key(text: str, where: str) -> None:
    """One mistake, one problem, at its place."""
    assert [one.split(": ")[0] for one in problems(text)] == [where]


def test_all_mistakes_are_told_at_once() -> None:
    """Of wrong types, and of wrong values, in one pass each."""
    found = problems(WHOLE.replace("https", "ftp") + "[run]\nattempts = 0\nwarmups = 101\n[use]\nerror_budget = 3\n")
    assert [one.split(": ")[0].split()[1] for one in found] == [
        "endpoint.url",
        "run.attempts",
        "run.warmups",
        "use.error_budget",
    ]


@pytest.mark.parametrize(
    "text",
    [
        WHOLE + f'key_env = "{KEY}"\n',
        WHOLE + f'key = "{KEY}"\n',
        WHOLE.replace("/v1", f"/v1?key={KEY}"),
        WHOLE.replace("https://", f"https://me:{KEY}@"),
        WHOLE.replace("m/1", KEY),
        WHOLE + f"# {KEY}\n",
        WHOLE + f"{KEY} = 1\n",
        WHOLE + f'[use]\nmonitoring = """\n{KEY}\n"""\n',
        WHOLE + f'api_key = "hunter2hunter2"  # not {KEY}\n',
        f'key_env = "{KEY}',
    ],
)
def test_a_key_is_refused_and_not_repeated(text: str) -> None:
    """Wherever it stands, comments included."""
    with pytest.raises(InputError) as caught:
        read_probe_envelope(text, "p")
    assert KEY not in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert "looks like" in str(caught.value)


@pytest.mark.parametrize("key_env", ["0f1e2d3c4b5a69788796a5b4c3d2e1f0", "sk_canary0123456789"])
def test_a_key_that_could_be_a_name(key_env: str) -> None:
    """It has the letters of a variable's name and the form of a key."""
    with pytest.raises(InputError) as caught:
        read_probe_envelope(WHOLE + f'key_env = "{key_env}"\n', "p")
    assert key_env not in str(caught.value)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(WHOLE)), st.text(max_size=4), st.integers(0, 4))
def test_any_text_is_read_or_refused(at: int, put: str, cut: int) -> None:
    """No other error than ours."""
    try:
        assert isinstance(read_probe_envelope(WHOLE[:at] + put + WHOLE[at + cut :], "p"), ProbeEnvelope)
    except DenominatorError as error:
        assert error.problems


def test_the_template_is_an_envelope() -> None:
    """It has every term with its default; what is not known yet says REPLACE, and is refused until it is filled in."""
    known = Endpoint(
        url="http://127.0.0.1:8080/v1", model='a "quoted" @url@ \\ name', key_env="K", cap_field="max_completion_tokens"
    )
    way = Path(kind="gateway", name="g", version="1")
    found = read_probe_envelope(probe_template("b", "fixture.jsonl", SHA, known, way), "p")
    assert (found.endpoint, found.path, found.run, found.use) == (known, way, Terms(), Use())
    bare = probe_template("b", "fixture.jsonl", SHA, Endpoint(url="", model=""), Path())
    assert [one.split()[1] for one in problems(bare)] == ["endpoint.url:", "endpoint.model:"]


def test_lines_that_are_commented_out_may_be_taken_in() -> None:
    """Every line of the template that is out of use is right once its mark is gone."""
    bare = probe_template("b", "fixture.jsonl", SHA, Endpoint(url="http://h/v1", model="m"), Path())
    used = bare.replace('kind = "direct"', 'kind = "gateway"').replace("pause_ms = 0\n", "")
    lines = [line[2:] if line.startswith("# ") and " = " in line else line for line in used.splitlines()]
    found = read_probe_envelope("\n".join(lines), "p")
    assert (found.path.told, found.run.rate, found.endpoint.key_env) == ("through litellm 1.2.3", "0.5", "ENDPOINT_KEY")
    assert found.use.error_budget == "0.02"
    assert not [name for name in Use.__slots__ if isinstance(getattr(found.use, name), NotMeasured)]


def test_a_seal_fits_one_fixture() -> None:
    """It counts the cases and names both versions; another fixture is refused with its digest."""
    envelope = read_probe_envelope(WHOLE, "p")
    seal = seal_probe(envelope, Fixture(name="f", sha256=SHA, cases=()), "2026-11-30T17:00:00Z")
    assert (seal.cases, seal.client, seal.classifier) == (0, client_version(), CLASSIFIER)
    assert seal.client.startswith(f"{__version__}+wire.")
    with pytest.raises(InputError, match="not the fixture that was frozen"):
        seal_probe(envelope, Fixture(name="f", sha256="cd" * 32, cases=()), "2026-11-30T17:00:00Z")
