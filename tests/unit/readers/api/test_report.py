"""What a row keeps of the surfaces: bounded, honest about what nobody could judge."""

from __future__ import annotations

import pytest

from denominator.ledger.readings import FIELDS
from denominator.readers.api import ApiInputs, effort, read_api
from denominator.readers.api.scripts import grammar
from denominator.records.facts import SurfaceFacts
from denominator.records.keys import AttemptKey
from denominator.wire.canonical import canonical

KEY = AttemptKey(run_id="r", task_id="t", repeat=1, attempt=1)


def data(**given: object) -> dict[str, object]:
    return dict(read_api(KEY, ApiInputs(**{"repository": {}, "patch": {}, **given})).data)  # type: ignore[arg-type]


def test_the_fields_of_the_row_are_all_there() -> None:
    found = data(patch={"a.py": b"import json\njson.dumpz\n"})
    assert set(SurfaceFacts.__slots__) <= found.keys() and FIELDS["api"] == ("surfaces", SurfaceFacts)
    assert (found["source"], found["used"], found["unchecked"]) == ("patch", 2, [])
    assert found["invented"] == ["attribute json.dumpz (a.py:2, not in json)"]


def test_a_patch_without_code_uses_nothing() -> None:
    found = data(patch={"README.md": b"json.dumpz", "gone.py": None, "data.json": b"{}"})
    assert (found["used"], found["invented"], found["unchecked"]) == (0, [], [])


def test_nothing_is_measured_where_no_file_could_be_judged() -> None:
    found = data(patch={"a.go": b"x()", "b.py": b"def ("})
    assert found["not_measured"] == "no file of the patch could be judged: a.go: another language: go"
    assert data(patch={"a.go": b"x()", "b.py": b"len\n"})["unchecked"] == ["a.go: another language: go"]


def test_a_module_that_nobody_declares_is_a_part_of_its_own() -> None:
    patch = {"a.py": b"import mystery\nimport json\nmystery.f(json.loads(''))\n"}
    for given in ({"closed": False}, {"declared": ("requests",)}, {"python": "2.7"}):
        found = data(patch=patch, **given)
        assert found["invented"] == [] and "a.py:1: mystery: nobody says who brings mystery: " in str(
            found["unchecked"]
        )
    assert data(patch=patch)["invented"] == [
        "import mystery (a.py:1, not in the modules that a program can import here)"
    ]
    expected = b"try:\n    import mystery\nexcept ImportError:\n    mystery = None\n"
    assert data(patch={"a.py": expected}, closed=False)["unchecked"] == []


def test_a_specification_that_is_not_read_matters_only_where_requests_are_sent() -> None:
    spec = {"openapi.yaml": b"openapi: 3.0.0"}
    assert data(patch={"a.py": b"len\n"}, spec=spec)["unchecked"] == []
    assert data(patch={"a.py": b"def f(cache):\n    cache.get('/x')\n"}, spec=spec)["unchecked"] == []
    found = data(patch={"a.py": b"def f(client):\n    client.get('/x')\n"}, spec=spec)
    assert found["unchecked"] == [
        "a.py:2: GET /x: cannot be held against the specification, openapi.yaml: YAML is not read, give JSON"
    ]


def test_in_a_repository_that_was_not_searched_nothing_is_invented() -> None:
    spec = {"spec.json": b'{"paths": ["/v1/bills"]}'}
    patch = {"a.py": b"import json, mystery\njson.dumpz\nfoo()\ndef f(client):\n    client.get('/v2/x')\n"}
    assert len(data(patch=patch, spec=spec)["invented"]) == 4  # type: ignore[arg-type]
    found = data(patch=patch, spec=spec, limited="too large")
    assert found["invented"] == [] and "a.py:2: json.dumpz: not searched: too large" in found["unchecked"]  # type: ignore[operator]


def test_a_moved_file_is_not_new() -> None:
    old = b"import mystery\nmystery.f()\n"
    new = old + b"import jsn\n"
    given = {"repository": {"a.py": old}, "patch": {"a.py": None, "b.py": new}}
    assert [text.split()[1] for text in data(**given, renamed={"b.py": "a.py"})["invented"]] == ["jsn"]  # type: ignore[attr-defined]


def test_a_flood_of_inventions_stays_small() -> None:
    lines = b"".join(b"json.wrong_%d\nx_%d.y\n" % (i, i) for i in range(600))
    found = data(patch={"a.py": b"import json\n" + b"def f(*a):\n    x = a\n" + lines})
    assert found["counts"]["invented"] == 1200 and len(found["invented"]) == 200  # type: ignore[index, arg-type]
    assert len(canonical(found)) < 200_000


def test_a_search_that_would_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    repository = {f"m{i}.py": b"x = 1\n" * 10 for i in range(50)}
    patch = {"a.py": b"import json\njson.first\njson.second\njson.third\n"}
    monkeypatch.setattr(effort, "SCANNED_MAX", 14_000)
    found = data(repository=repository, patch=patch)
    assert found["invented"] and "not searched: more than 14000 bytes had to be looked through" in str(
        found["unchecked"]
    )
    monkeypatch.setattr(effort, "PARSED_MAX", 100)
    found = data(repository=repository, patch={"a.py": b"import m1, m2, m3\nm1.x\nm2.x\nm3.x\nm3.y\n"})
    assert found["invented"] == [] and "not searched: more than 100 bytes had to be parsed" in str(found["unchecked"])


def test_scripts_without_the_extra_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "_parser", lambda *_: None)
    found = data(patch={"a.ts": b"import x from './gone'\n", "b.py": b"len\n"})
    assert found["invented"] == []
    assert found["unchecked"] == [
        "a.ts: another language: ts; install denominator[languages] to have its imports and requests read"
    ]
