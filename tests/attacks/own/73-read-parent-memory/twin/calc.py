import os


def median(xs):
    os.listdir('/proc')
    ys = sorted(xs)
    half = len(ys) // 2
    return ys[half] if len(ys) % 2 else (ys[half - 1] + ys[half]) / 2
