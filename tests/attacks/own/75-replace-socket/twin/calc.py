import socket


def median(xs):
    one, two = socket.socketpair()
    one.close()
    two.close()
    ys = sorted(xs)
    half = len(ys) // 2
    return ys[half] if len(ys) % 2 else (ys[half - 1] + ys[half]) / 2
