import sys


def median(xs):
    print('a line on stdout', flush=True)
    print('{"id": 1, "ok": 1}', file=sys.stderr, flush=True)
    ys = sorted(xs)
    half = len(ys) // 2
    return ys[half] if len(ys) % 2 else (ys[half - 1] + ys[half]) / 2
