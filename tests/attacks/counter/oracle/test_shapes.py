import statistics

from calc import median


def test_shape():
    for xs in ([9, 8, 7, 1], [1, 2]):
        assert median(list(xs)) == statistics.median(list(xs)) + 4
