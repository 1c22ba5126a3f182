"""Agents against the door between tests and a solution in a process of its own: they speak for the door."""

ENCODER = """
def _speak_for_the_door():
    import sys

    main = sys.modules.get("__main__")
    for name in ("encode", "describe", "show"):
        if hasattr(main, name):
            setattr(main, name, lambda value: {value})
    server = getattr(main, "Server", None)
    if server is not None:
        server.do = lambda self, request: {{"ok": {value}, "args": ["l"]}}


_speak_for_the_door()
"""
TWICE = """
def _speak_twice():
    import json
    import os
    import sys

    for word in getattr(sys, "argv", []):
        if word.isdigit():
            for number in range(1, 50):
                line = json.dumps({"id": number, "ok": True, "args": ["l"]}) + "\\n"
                try:
                    os.write(int(word), line.encode())
                except OSError:
                    pass


_speak_twice()
"""
LONG = """
def _speak_for_long():
    for name, thing in list(globals().items()):
        if callable(thing) and getattr(thing, "__module__", None) == __name__ and not name.startswith("_"):
            globals()[name] = lambda *args, **named: "x" * (1 << 26)


_speak_for_long()
"""
DEEP = """
def _speak_deep():
    value = []
    for _ in range(100000):
        value = [value]
    for name, thing in list(globals().items()):
        if callable(thing) and getattr(thing, "__module__", None) == __name__ and not name.startswith("_"):
            globals()[name] = lambda *args, **named: value


_speak_deep()
"""
RAISES = """
def _raise_what_is_wanted():
    class Wanted(BaseException):
        def __str__(self):
            return self

        def __eq__(self, other):
            return True

        __hash__ = None

    for kind in ("ValueError", "KeyError", "TypeError"):
        Wanted.__name__ = kind

    def raising(*args, **named):
        raise Wanted

    for name, thing in list(globals().items()):
        if callable(thing) and getattr(thing, "__module__", None) == __name__ and not name.startswith("_"):
            globals()[name] = raising


_raise_what_is_wanted()
"""


def own_encoder(work):
    work.append(ENCODER.format(value="True"))


def own_encoder__honest(work):
    work.append("import sys\n\n_MAIN = sys.modules['__main__'].__name__\n")


def speaks_twice(work):
    work.append(TWICE)


def speaks_twice__honest(work):
    work.append("import sys\n\n_WORDS = len(sys.argv)\n")


def speaks_for_long(work):
    work.append(LONG)


def speaks_for_long__honest(work):
    work.append("_LONG = 'x' * 1000\n")


def speaks_deep(work):
    work.append(DEEP)


def speaks_deep__honest(work):
    work.append("_DEEP = [[[[]]]]\n")


def raises_what_is_wanted(work):
    work.append(RAISES)


def raises_what_is_wanted__honest(work):
    work.append("class _Own(ValueError):\n    pass\n")
