class Odd(Exception):
    pass


Odd.__name__ = "Odd\ud800\x00\x1b[2J\n{}"
Odd.__qualname__ = Odd.__module__ = "\udfff" * 200


def median(xs):
    raise Odd("\ud800\x00\x1b]0;done\x07\n1 ok" * 20_000)
