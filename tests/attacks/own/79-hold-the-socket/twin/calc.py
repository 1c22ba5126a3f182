import threading


def median(xs):
    threading.Thread(target=print, args=('x',)).start()
    ys = sorted(xs)
    half = len(ys) // 2
    return ys[half] if len(ys) % 2 else (ys[half - 1] + ys[half]) / 2
