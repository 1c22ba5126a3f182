import ctypes


def median(xs):
    ctypes.CDLL(None).getpid()
    ys = sorted(xs)
    half = len(ys) // 2
    return ys[half] if len(ys) % 2 else (ys[half - 1] + ys[half]) / 2
