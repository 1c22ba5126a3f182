"""The one scanner of what leaves: by form, by value, in encodings; it keeps everything else to the letter."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.wire.secrets import NONE, Secrets, secrets_of

VALUE = "made-up-canary-7f3a91"
KNOWN = Secrets({"MY_KEY": VALUE})
PEM = "-----BEGIN PRIVATE KEY-----\nTUFERS1VUA==\n-----END PRIVATE KEY-----"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def test_which_variables_hold_secrets() -> None:
    found = secrets_of(
        {
            "OPENAI_API_KEY": "abcd1234", "GH_TOKEN": "x", "HF_AUTH_TOKEN": VALUE, "PASSWORD": "postgres", "PATH": "/usr/bin/1234567",
            "WORK": VALUE, "GITHUB_TOKEN": "ghs-made-up-1", "SSH_KEY": "/root/.ssh/id_ed25519", "MONKEY": VALUE, "ENDPOINT": "named-1234",
        },
        "ENDPOINT",
    )  # fmt: skip
    assert [*found.values] == ["ENDPOINT", "GITHUB_TOKEN", "HF_AUTH_TOKEN", "OPENAI_API_KEY"]
    assert VALUE not in repr(found)


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        (f"key {VALUE}.", "key (left out: the value of MY_KEY)."),
        ("a sk-" + "a1" * 12 + " b", "a (left out: an access key) b"),
        ("password=hunter2-made-up ok", "password=(left out: a password) ok"),
        (f"x\n{PEM}\ny", "x\n(left out: a private key)\ny"),
        ("plain text, sha " + "0f" * 32, "plain text, sha " + "0f" * 32),
    ],
)
def test_only_the_secret_goes(text: str, covered: str) -> None:
    assert KNOWN.covered(text) == covered
    assert KNOWN.covered(covered) == covered


@pytest.mark.parametrize(
    "form", [str.encode, lambda v: base64.b64encode(v.encode()), lambda v: v.encode().hex().encode()]
)
def test_a_known_value_is_found_in_other_dress(form) -> None:
    (said,) = KNOWN.known_in(b"something " + form(VALUE) + b" else")
    assert said.startswith("the value of MY_KEY (") and VALUE not in said


def test_a_line_that_holds_a_value_in_other_dress_goes_whole() -> None:
    dressed = base64.b64encode(VALUE.encode()).decode()
    made = KNOWN.covered(f"before\n# {dressed}\nafter")
    assert made.split("\n")[::2] == ["before", "after"] and dressed not in made
    across = KNOWN.covered(f"before\n{dressed[:9]}\n{dressed[9:]}\nafter")
    assert across.startswith("(left out: the value of MY_KEY")


def test_a_large_file_is_searched_as_it_stands() -> None:
    assert [*KNOWN.known_in(bytes(2 << 20) + VALUE.encode())] == ["the value of MY_KEY (plain)"]


@given(JSON)
def test_a_document_keeps_its_shape(value) -> None:
    made = NONE.covered_json({"a": value, "token": f"x {VALUE}"})
    assert isinstance(made, dict) and made["token"] == f"x {VALUE}"
    held = KNOWN.covered_json({"a": [value, VALUE]})
    assert VALUE not in repr(held)
