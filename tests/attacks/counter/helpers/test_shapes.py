from helpers import check

from calc import median


def test_shape():
    check(median([4, 1, 3, 2]), 8)
