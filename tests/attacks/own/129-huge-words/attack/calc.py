def median(xs):
    raise AssertionError("\ud800\x1b[2J\n" * 10_000_000)
