"""`probe init`: what it writes, what it refuses, and that no key is written or said."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path

import jsonschema

KEY = "canary-0123456789abcdef-key"


def test_it_writes_a_fixture_and_an_envelope_that_fit(here: Path, cli):
    said = cli("probe", "init", "bench")
    assert said.code == 0
    data = (here / "bench" / "fixture.jsonl").read_bytes()
    written = tomllib.loads((here / "bench" / "probe.toml").read_text("utf-8"))
    assert written["fixture_sha256"] == hashlib.sha256(data).hexdigest()
    assert written["name"] == "bench"
    assert f"fixture sha256 {written['fixture_sha256']}" in said.out
    assert "next: fill in endpoint.url and endpoint.model" in said.out
    schema = json.loads(cli("schema", "probe-case").out)
    for line in data.splitlines():
        jsonschema.validate(json.loads(line), schema)


def test_what_was_said_is_filled_in(here: Path, cli):
    said = cli("probe", "init", "b c", "--url", "http://h/v1", "--model", "m", "--gateway", "g=1.2", "--json")
    assert (said.code, said.err) == (0, "")
    assert said.json["next"] == "denominator probe run 'b c/probe.toml' -o 'b c/answers'"
    lines = (here / "b c" / "fixture.jsonl").read_bytes().splitlines()
    assert (said.json["open"], said.json["warnings"], said.json["cases"]) == ([], [], len(lines))
    written = tomllib.loads((here / "b c" / "probe.toml").read_text("utf-8"))
    assert written["endpoint"] == {"url": "http://h/v1", "model": "m", "cap_field": "max_tokens"}
    assert written["path"] == {"kind": "gateway", "name": "g", "version": "1.2"}


def test_nothing_is_written_over(here: Path, cli):
    (here / "bench").mkdir()
    (here / "bench" / "probe.toml").write_text("mine")
    said = cli("probe", "init", "bench")
    assert said.code == 2
    assert "exists and was left as it is" in said.err
    assert (here / "bench" / "probe.toml").read_text() == "mine"
    assert not (here / "bench" / "fixture.jsonl").exists()


def test_a_fixture_of_ones_own_is_copied_byte_for_byte_and_warned_about(here: Path, cli):
    own = '{"id": "a", "group": "accounting",  "kind": "answer", "prompt": "Say OK."}'
    (here / "own.jsonl").write_text(own)
    said = cli("probe", "init", "bench", "--fixture", "own.jsonl")
    assert said.code == 0
    assert (here / "bench" / "fixture.jsonl").read_text() == own
    assert "warning: own.jsonl: 1 case: fewer than 20 carry no decision of a team" in said.err


def test_a_bad_fixture_is_refused_with_every_line_and_nothing_is_written(here: Path, cli):
    (here / "own.jsonl").write_text(f'{{"id": "a"}}\n{{"prompt": "mail me@company.io"}}\n{{"x": "sk-{KEY}"}}\n')
    said = cli("probe", "init", "bench", "--fixture", "own.jsonl")
    assert said.code == 2
    assert "own.jsonl:1 group: is missing" in said.err
    assert "own.jsonl:2 prompt: looks like an e-mail address" in said.err
    assert "own.jsonl:3 x: looks like an access key" in said.err
    assert "company.io" not in said.err and KEY not in said.err
    assert not (here / "bench").exists()


def test_the_key_of_the_endpoint_is_in_no_file_and_no_output(here: Path, cli, monkeypatch):
    monkeypatch.setenv("ENDPOINT_KEY", KEY)
    said = cli("probe", "init", "bench", "--url", "http://h/v1", "--model", "m", "--key-env", "ENDPOINT_KEY", "--json")
    assert said.code == 0
    texts = [path.read_text("utf-8") for path in (here / "bench").iterdir()]
    assert not any(KEY in text for text in (*texts, said.out, said.err))
    row = {"id": "a", "group": "accounting", "kind": "answer", "prompt": f"Say {KEY[::-1]}."}
    (here / "own.jsonl").write_text(json.dumps(row))
    said = cli("probe", "init", "other", "--key-env", "ENDPOINT_KEY", "--fixture", "own.jsonl")
    assert said.code == 2
    assert "holds the key of the endpoint" in said.err
    assert KEY not in said.err and not (here / "other").exists()


def test_a_key_on_the_command_line_is_refused_and_not_repeated(here: Path, cli):
    for args in (
        ["--key-env", f"sk-{KEY}"],
        ["--url", f"https://h/v1?api_key={KEY}"],
        ["--url", f"https://u:{KEY}@h/v1"],
    ):
        said = cli("probe", "init", "bench", *args)
        assert said.code == 2
        assert KEY not in said.out + said.err
        assert not (here / "bench").exists()


def test_what_cannot_be_is_refused(here: Path, cli):
    for args in (["--gateway", "litellm"], ["--gateway", "=1"], ["--url", "h/v1"], ["--fixture", "nowhere.jsonl"]):
        said = cli("probe", "init", "bench", *args)
        assert (said.code, said.out) == (2, "")
        assert not (here / "bench").exists()
