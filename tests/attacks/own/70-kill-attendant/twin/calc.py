import os
import signal


def median(xs):
    child = os.fork()
    if not child:
        signal.pause()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    ys = sorted(xs)
    half = len(ys) // 2
    return ys[half] if len(ys) % 2 else (ys[half - 1] + ys[half]) / 2
