"""What is worked out of a source is worked out once for each source and key, and goes when the source goes."""

from __future__ import annotations

import gc
import weakref

import pytest

from denominator.wire.sources import open_source, remembered


def test_once_for_each_source_and_key(tmp_path):
    made = []

    def make():
        made.append(1)
        return len(made)

    one, other = open_source(tmp_path), open_source(tmp_path)
    assert [remembered(one, "a", make), remembered(one, "a", make), remembered(one, "b", make)] == [1, 1, 2]
    assert remembered(other, "a", make) == 3


def test_an_error_is_not_kept(tmp_path):
    source = open_source(tmp_path)
    with pytest.raises(ValueError):
        remembered(source, "a", lambda: int("x"))
    assert remembered(source, "a", lambda: 1) == 1


def test_it_goes_with_its_source(tmp_path):
    class Big(list):
        pass

    source = open_source(tmp_path)
    gone = weakref.ref(remembered(source, "a", Big))
    assert gone() is not None
    del source
    gc.collect()
    assert gone() is None
