"""Schemas of the documents by name."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from denominator.wire.documents import DOCUMENTS
from denominator.wire.schema import schema

FORMATS = Path(__file__).parents[3] / "docs" / "formats" / "README.md"


def test_every_document_has_a_schema_that_says_what_it_is():
    for cls in DOCUMENTS.values():
        made = schema(cls)
        jsonschema.Draft202012Validator.check_schema(made)
        assert made["title"] == cls.__name__
        assert all(each.get("description") for each in made["$defs"].values())
        assert json.loads(json.dumps(made)) == made


def test_the_formats_page_lists_every_document():
    page = FORMATS.read_text(encoding="utf-8")
    assert [name for name in DOCUMENTS if f"`{name}`" not in page] == []


def test_a_versioned_document_requires_its_version():
    made = schema(DOCUMENTS["seal"])["$defs"]["Seal"]
    assert "schema_version" in made["required"]
    assert made["properties"]["schema_version"] == {"const": 1}
