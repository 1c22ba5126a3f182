"""Which exception ended an attempt, by its class alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.importers.exception_names import last_exception, provider_cause

FRAMES = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    call()\n'
CHAIN = "\n\nDuring handling of the above exception, another exception occurred:\n\n"

TEXTS = {
    FRAMES + "litellm.exceptions.RateLimitError: slow down": "litellm.exceptions.RateLimitError",
    FRAMES + "KeyboardInterrupt\n": "KeyboardInterrupt",
    FRAMES + "ValueError: 1" + CHAIN + FRAMES + "OSError: 2": "OSError",
    FRAMES + "litellm.APIConnectionError: gone\n" + FRAMES + "ValueError: inner": "litellm.APIConnectionError",
    "litellm.RateLimitError: 429": "litellm.RateLimitError",
    "we met a rate limit: RateLimitError": "",
    FRAMES: "",
    "": "",
    "429 too many requests": "",
}


@pytest.mark.parametrize(("text", "name"), TEXTS.items())
def test_class_at_the_end(text, name):
    assert last_exception(text) == name


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("litellm.exceptions.RateLimitError", "provider_rate_limit"),
        ("RateLimitError", "provider_rate_limit"),
        ("openai.InternalServerError", "provider_error"),
        ("litellm.Timeout", "provider_error"),
        ("litellm.AuthenticationError", "provider_refused"),
        ("litellm.ContextWindowExceededError", "context_window"),
        ("Timeout", ""),
        ("docker.errors.NotFoundError", ""),
        ("mylib.RateLimitError", "provider_rate_limit"),
        ("KeyError", ""),
        ("", ""),
    ],
)
def test_only_classes_of_a_client_are_a_providers(name, cause):
    assert provider_cause(name) == cause


@given(st.text(max_size=200))
def test_prose_is_never_a_providers(text):
    assert not provider_cause(last_exception("rate limited 429 " + text.replace("\n", " ")))
