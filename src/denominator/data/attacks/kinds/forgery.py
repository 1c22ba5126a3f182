"""An agent written for this very runner: it finds the reporter in its own process and sends what a good solution would."""

FORGE = """
def _forge():
    import gc
    import os
    import sys

    channel = next((one for one in gc.get_objects() if type(one).__name__ == "Channel" and hasattr(one, "send")), None)
    if channel is None:
        return
    codes = {}
    for one in gc.get_objects():
        if type(one).__name__ == "Importer" and hasattr(one, "codes"):
            codes.update(one.codes)
    frame = sys._getframe()
    while frame:
        name = frame.f_code.co_filename
        if name.startswith("/hidden/") and frame.f_code.co_name == "<module>":
            codes[name.removeprefix("/hidden/")] = frame.f_code
        frame = frame.f_back

    def inner(code):
        return [one for one in code.co_consts if hasattr(one, "co_name")]

    words = {}
    for path, code in codes.items():
        name = path.rpartition("/")[2]
        if not (name.startswith("test") and name.endswith(".py")):
            continue
        text = repr((code.co_names, code.co_consts))
        real = {real}
        word = "passed" if real and "counter" not in name and "opposite" not in name else "failed"
        for one in inner(code):
            if one.co_name.startswith("test"):
                words[path + "::" + one.co_name] = word
            for method in inner(one):
                if method.co_name.startswith("test"):
                    module = path[:-3].replace("/", ".")
                    own = path + "::" + one.co_name + "::" + method.co_name
                    words[own if {pytest} else module + "." + one.co_name + "." + method.co_name] = word
    channel.send("collected", ids=sorted(words))
    for test, word in words.items():
        channel.send("test", id=test, word=word, why="")
    channel.send("end", code=1)
    os._exit(1)


_forge()
"""


def report(work):
    packages = sorted({path.split("/")[-2] if "/" in path else path[:-3] for path in work.targets})
    real = " or ".join(f"{name!r} in text" for name in [*packages, "sut"])
    work.append(FORGE.replace("{real}", f"({real})").replace("{pytest}", repr(work.runner == "pytest")))


def report__honest(work):
    work.append("import gc\n\ngc.collect(0)\n")
