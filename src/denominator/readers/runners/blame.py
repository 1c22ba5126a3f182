"""Does an ending point at the patch? By a file that it changed, a module that it holds, a test file that it removed."""

from __future__ import annotations

from pathlib import PurePosixPath

from denominator.readers.runners.kinds.shape import Runner
from denominator.readers.runners.shape import RunnerInput, Trouble
from denominator.readers.runners.signals import CRASHES
from denominator.records.values import NotMeasured
from denominator.records.words import RunnerEnding as E

Blame = bool | NotMeasured
PACKAGE_FILES = ("__init__", "index", "mod", "lib")
TOPS = ("src", "lib", "python", "app", "pkg")
NO_PATCH = NotMeasured("the paths of the patch are not known")
NO_FILE = NotMeasured("the ending points at no file")


def blames_patch(
    ending: E, given: RunnerInput, runner: Runner, troubles: tuple[Trouble, ...], signal: int = 0
) -> Blame:
    """True, False, or why nobody can say. What fails without the agent too is never the patch's doing."""
    if ending in (E.COLLECTION_ERROR, E.BUILD_FAILED):
        return _loading(ending, given, runner, troubles)
    if ending in (E.INTERNAL_ERROR, E.ERRORS_ONLY):
        return _in_trace(given, troubles)
    if ending in (E.USAGE_ERROR, E.NOTHING_RAN):
        return _removed_or_broke(given, runner, troubles)
    if ending == E.DISAGREES:
        return _bends_runner(given, runner)
    if ending == E.TEST_TIMEOUT or (ending in (E.SIGNAL, E.WORKER_CRASHED) and signal in CRASHES):
        return True if given.baseline_collects and given.touched else NotMeasured("no healthy baseline is known")
    return NO_FILE


def _loading(ending: E, given: RunnerInput, runner: Runner, troubles: tuple[Trouble, ...]) -> Blame:
    """Tests that do not load, code that does not build: a target in the patch, and a baseline that did load."""
    if given.baseline_collects is False:
        return False
    if isinstance(given.touched, NotMeasured):
        return NO_PATCH
    hit = _hits(given, troubles)
    dependency = bool(troubles) and all(trouble.kind == "dependency" for trouble in troubles)
    if dependency and not hit:
        hit = any(PurePosixPath(path).name in runner.manifests for path in given.touched)
    if hit:
        if given.baseline_collects or ending == E.BUILD_FAILED:
            return True
        return NotMeasured("the target is in the patch, but it is not known whether the baseline collects")
    if ending == E.BUILD_FAILED and given.baseline_collects and given.touched and not dependency:
        return True
    return False if _points(given, troubles) or dependency else NO_FILE


def _in_trace(given: RunnerInput, troubles: tuple[Trouble, ...]) -> Blame:
    if isinstance(given.touched, NotMeasured):
        return NO_PATCH
    if _hits(given, troubles):
        return True
    return False if _points(given, troubles) else NO_FILE


def _removed_or_broke(given: RunnerInput, runner: Runner, troubles: tuple[Trouble, ...]) -> Blame:
    """Deleted or emptied tests and configuration, or a configuration in the patch that the runner names."""
    if any(is_test(path) or _is_config(path, runner) for path in given.removed):
        return True
    if isinstance(given.touched, NotMeasured):
        return NO_PATCH
    if _hits(given, troubles):
        return True
    if any(is_test(path) or _is_config(path, runner) for path in given.touched):
        said = any(trouble.text for trouble in troubles)
        return False if said else NotMeasured("the patch changes tests or configuration; nothing says that they broke")
    return False


def _bends_runner(given: RunnerInput, runner: Runner) -> Blame:
    """A status that denies the report: a patch that touches the runner's own files can have bent it."""
    if isinstance(given.touched, NotMeasured):
        return NO_PATCH
    return any(_is_config(path, runner) for path in (*given.touched, *given.removed))


def _hits(given: RunnerInput, troubles: tuple[Trouble, ...]) -> bool:
    touched = () if isinstance(given.touched, NotMeasured) else given.touched
    paths = (*touched, *given.removed)
    files = [name for trouble in troubles for name in trouble.files] + [n for n in given.named if "/" in n or "." in n]
    modules = [name for trouble in troubles for name in trouble.modules] + list(given.named)
    return any(same_file(path, name) for path in paths for name in files) or any(
        holds_module(path, name) for path in paths for name in modules
    )


def _points(given: RunnerInput, troubles: tuple[Trouble, ...]) -> bool:
    return bool(given.named) or any(trouble.files or trouble.modules for trouble in troubles)


def same_file(path: str, named: str) -> bool:
    """Is the named file (absolute, or relative to any folder) this path of the repository?"""
    named = named.replace("\\", "/").removeprefix("./")
    return named == path or named.endswith("/" + path) or ("/" in named and path.endswith("/" + named))


def holds_module(path: str, module: str) -> bool:
    """Is this path the module, a package on the way to it, or a file inside it? Modules may be dotted, `::` or paths."""
    wanted, pure = _module_parts(module), PurePosixPath(path)
    if not wanted or not pure.name:
        return False
    parts = list(pure.with_suffix("").parts)
    if parts and parts[-1] in PACKAGE_FILES and len(parts) > 1:
        parts.pop()
    for start in range(len(parts)):
        rest = parts[start:]
        top = start == 0 or parts[start - 1] in TOPS
        if (
            rest == wanted
            or (start == 0 and module.startswith("/") and wanted[-len(rest) :] == rest)
            or (top and (rest == wanted[: len(rest)] or wanted == rest[: len(wanted)]))
        ):
            return True
    return False


def _module_parts(module: str) -> list[str]:
    text = module.replace("\\", "/")
    if "/" in text:
        parts = [part for part in text.split("/") if part not in ("", ".", "..")]
        return [*parts[:-1], parts[-1].split(".")[0]] if parts else []
    return [part for part in text.replace("::", ".").split(".") if part not in ("", "crate", "self", "super")]


def is_test(path: str) -> bool:
    """A path that by its name or folder holds tests."""
    pure = PurePosixPath(path)
    name = pure.name
    folders = {part.lower() for part in pure.parts[:-1]}
    return (
        name == "conftest.py"
        or name.startswith("test_")
        or pure.stem.endswith(("_test", "_tests", ".test", ".spec", "Test", "Tests"))
        or bool(folders & {"tests", "test", "__tests__", "spec"})
    )


def _is_config(path: str, runner: Runner) -> bool:
    pure = PurePosixPath(path)
    usual = ("conftest.py", "sitecustomize.py", "usercustomize.py")
    return pure.name in runner.manifests or pure.suffix == ".pth" or pure.name in usual
