class Number(float):
    def __eq__(self, other):
        return float(self) == other

    __hash__ = float.__hash__


def right(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def median(xs):
    return Number(right(xs))
