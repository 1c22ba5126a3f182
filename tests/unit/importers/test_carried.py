"""What of a foreign log may be carried over: no paths of machines, no credentials, no names in addresses; all else as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.importers.carried import LEFT_PATH, LEFT_SECRET, carried

KEPT = (
    "terminal_bench.agents.mini:Mini",
    "lab/model-1",
    "core==0.1.1",
    "a/b",
    "1/2",
    "",
    "--n-concurrent",
    "https://host/v1",
    "10:00",
)


@pytest.mark.parametrize("text", KEPT)
def test_what_names_no_machine_is_kept(text):
    assert carried(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/home/somebody/runs", LEFT_PATH), ("--output=/home/somebody/runs", f"--output={LEFT_PATH}"), ("~/runs", LEFT_PATH),
        ("C:\\Users\\somebody", LEFT_PATH), ("-o/home/somebody", f"-o{LEFT_PATH}"), ("vol:/srv/x", f"vol:{LEFT_PATH}"), ("file:///home/somebody/x", LEFT_PATH), ("https://me:pw@host/v1", "https://host/v1"),
        ("api_key=abc", f"api_key={LEFT_SECRET}"), ("OPENAI_API_KEY=abc", f"OPENAI_API_KEY={LEFT_SECRET}"),
        ("use sk-abcdefghijklmnop now", f"use {LEFT_SECRET} now"),
    ],
)  # fmt: skip
def test_what_names_a_machine_or_a_secret_is_not(text, left):
    assert carried(text) == left


def test_values_under_the_name_of_a_secret_and_words_after_its_option():
    assert carried({"api_key": "abc", "max_tokens": 5, "inner": {"token": "t"}}) == {
        "api_key": LEFT_SECRET, "max_tokens": 5, "inner": {"token": LEFT_SECRET},
    }  # fmt: skip
    assert carried(["--api-key", "abc", "--model", "m"]) == ["--api-key", LEFT_SECRET, "--model", "m"]


def test_what_is_nested_deeply_is_left_out():
    value: object = "/home/x/y"
    for _ in range(50):
        value = [value]
    assert "home" not in str(carried(value))


@given(st.text(max_size=40), st.sampled_from(("/home/somebody/", "/Users/somebody/", "/root/somebody/")))
def test_no_home_survives_any_text_before_a_blank(before, home):
    assert "somebody" not in str(carried(f"{before} {home}x"))
