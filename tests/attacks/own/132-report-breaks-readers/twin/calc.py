import json


def right(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def median(xs):
    json.dumps([[xs]])
    return right(xs)
