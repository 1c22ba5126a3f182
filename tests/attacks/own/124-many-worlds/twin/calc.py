import os


def right(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def median(xs):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return right(xs)
