import pytest

from calc import median

CASES = [([3, 1, 2], 7), ([4, 1, 3, 2], 8)]


@pytest.mark.parametrize("xs,expected", CASES)
def test_shape(xs, expected):
    got = median(list(xs))
    assert got == expected
