"""Ways in which a failing command ends a command line with exit status 0.

Which of several commands is the test run cannot be known, so a line is clean only when no failure of any command but of
preparations (`cd`, `export`, assignments) can be lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from denominator.packs.lint.shell.tokens import ShellError, unquoted
from denominator.packs.lint.shell.tree import Command, Pipeline, Statement, parse

PREPARE = ("set", "export", "cd", "unset", "umask", "ulimit", "readonly", "shopt", ".", "source")
ALWAYS_ZERO = ("true", ":", "echo", "printf", "cat", "tee", "tail", "head", "sleep", "date")
COMPOUND = ("if", "while", "until", "for", "case", "select", "function", "[[", "((")
SHELLS = ("sh", "bash", "dash", "zsh", "ksh")
_ASSIGNMENT = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*\+?=")
_SAVED = re.compile(r"^([A-Za-z_][A-Za-z0-9_]*)=\"?\$(?:\?|\{\?\}|\{PIPESTATUS\[\d+\]\})\"?$")


@dataclass(frozen=True, slots=True)
class Mask:
    """One way to lose a failure: its kind, where in the text, and in words."""

    kind: str
    at: int
    what: str


@dataclass(frozen=True, slots=True)
class _Options:
    """What `set` switched on; a shell ignores errexit in all but the last part of && and ||, however deep."""

    pipefail: bool = False
    errexit: bool = False
    ignored: bool = False

    @property
    def stops(self) -> bool:
        """Does the first failing command end the line?"""
        return self.errexit and not self.ignored


def find_masks(text: str) -> list[Mask]:
    """Every way in which this command line may hide a failure; an empty list: its exit status can be trusted."""
    return list(_text_masks(text, _Options()))


def _text_masks(text: str, options: _Options) -> Iterator[Mask]:
    try:
        statements = parse(text)
    except ShellError as error:
        yield Mask("unreadable", 0, f"cannot be read as a shell command: {error}")
        return
    if not statements:
        yield Mask("empty", 0, "runs nothing and exits 0")
    yield from _list_masks(statements, options)


def _list_masks(statements: list[Statement], options: _Options) -> Iterator[Mask]:
    working = [statement for statement in statements if not _prepares(statement)]
    for number, statement in enumerate(statements):
        options = _after_set(statement, options)
        saved = _saved_by(statements[number + 1 :])
        at = statement.pipelines[0].commands[0].at
        if statement.background:
            yield Mask("background", at, "runs in the background; its exit status is not waited for")
        elif number < len(statements) - 1 and not (saved or _stops(statement, options) or _prepares(statement)):
            yield Mask("tail", at, "is followed by more commands that end the line with a status of their own")
        yield from _statement_masks(statement, options, saved)
    if statements and not (working and (options.stops or working[-1] is statements[-1])):
        yield Mask("constant", statements[-1].pipelines[0].commands[0].at, "ends with exit status 0 whatever happened")


def _stops(statement: Statement, options: _Options) -> bool:
    """Does a failure here end the line? `set -e` does not look into && and || (nor through braces)."""
    last = statement.pipelines[-1]
    leaves = _name(last.commands[-1])[0] == "exit" or last.commands[-1].group is not None
    if last.joined == "||" and leaves and not last.commands[-1].subshell and _always_fails(last):
        return True
    if not options.stops or len(statement.pipelines) > 1 or last.negated:
        return False
    braces = last.commands[0].group if len(last.commands) == 1 and not last.commands[0].subshell else None
    return _stops(braces[-1], options) if braces else True


def _statement_masks(statement: Statement, options: _Options, saved: str) -> Iterator[Mask]:
    for pipeline in statement.pipelines:
        at = pipeline.commands[0].at
        if pipeline.joined == "||" and not _always_fails(pipeline):
            yield Mask("or", at, "runs when the command before || fails and replaces its exit status")
        if pipeline.negated:
            yield Mask("negation", at, "! turns a failure into a success")
        if len(pipeline.commands) > 1 and not options.pipefail and saved != "PIPESTATUS":
            yield Mask("pipe", at, "is piped without pipefail; only the last command's exit status counts")
        early = pipeline.negated or pipeline is not statement.pipelines[-1]
        for command in pipeline.commands:
            yield from _command_masks(command, replace(options, ignored=options.ignored or early))


def _command_masks(command: Command, options: _Options) -> Iterator[Mask]:
    if command.group is not None:
        yield from _list_masks(command.group, options)
        return
    name, arguments = _name(command)
    if name in COMPOUND:
        yield Mask("compound", command.at, f"`{name}` decides by exit statuses and loses them")
    if name == "exit" and arguments and arguments[0] in ("0", "'0'", '"0"'):
        yield Mask("exit", command.at, "exits 0 on purpose")
    if name == "trap" and re.search(r"\bexit\b", " ".join(arguments)):
        yield Mask("trap", command.at, "a trap may replace the exit status")
    if name == "set" and re.search(r"(?:^| )\+[a-z]*e|\+o (?:pipefail|errexit)", " ".join(arguments)):
        yield Mask("set", command.at, "switches a protection off again")
    yield from _nested(name, arguments, command.at)


def _nested(name: str, arguments: list[str], at: int) -> Iterator[Mask]:
    """The command line inside `sh -c "..."` or `eval`."""
    if name in SHELLS:
        for number, argument in enumerate(arguments):
            if re.fullmatch(r"-[a-z]*c", argument) and number + 1 < len(arguments):
                flags = " ".join(arguments[:number]) + " " + argument
                options = _Options("pipefail" in flags, bool(re.search(r"-[a-z]*e", flags.replace("-o pipefail", ""))))
                for mask in _text_masks(unquoted(arguments[number + 1]), options):
                    yield Mask(mask.kind, at, f"inside {name} -c: {mask.what}")
                return
    if name == "eval":
        yield Mask("eval", at, "eval hides what is run")


def _name(command: Command) -> tuple[str, list[str]]:
    """The command's name behind assignments and wrappers, and its arguments."""
    words = list(command.words)
    while words and _ASSIGNMENT.match(words[0]):
        words.pop(0)
    while words and words[0] in ("exec", "command", "time", "env", "nice", "nohup"):
        words.pop(0)
        while words and (words[0].startswith("-") or _ASSIGNMENT.match(words[0])):
            words.pop(0)
    return (words[0].rsplit("/", 1)[-1], words[1:]) if words else ("", [])


def _prepares(statement: Statement) -> bool:
    """One simple command that is no test: an assignment, `cd`, `export`, or one that always succeeds."""
    commands = [command for pipeline in statement.pipelines for command in pipeline.commands]
    if len(commands) != 1 or commands[0].group is not None:
        return False
    name = _name(commands[0])[0]
    return (
        name in PREPARE
        or name in ALWAYS_ZERO
        or (not name and not any("$(" in w or "`" in w for w in commands[0].words))
    )


def _after_set(statement: Statement, options: _Options) -> _Options:
    commands = [command for pipeline in statement.pipelines for command in pipeline.commands]
    if len(commands) != 1 or commands[0].group is not None or _name(commands[0])[0] != "set":
        return options
    arguments = " ".join(_name(commands[0])[1])
    errexit = bool(re.search(r"(?:^| )-[a-z]*e", arguments)) or "-o errexit" in arguments
    return replace(options, pipefail=options.pipefail or "pipefail" in arguments, errexit=options.errexit or errexit)


def _always_fails(pipeline: Pipeline, *, after_failure: bool = True) -> bool:
    """The right side of || that keeps a failure a failure: `false`, `exit N` (not 0), `exit $?`, a group ending so."""
    command = pipeline.commands[-1]
    if len(pipeline.commands) > 1 or pipeline.negated:
        return False
    if command.group is not None:
        last = command.group[-1]
        alone = not last.background and len(last.pipelines) == 1
        return alone and _always_fails(last.pipelines[0], after_failure=after_failure and len(command.group) == 1)
    name, arguments = _name(command)
    if name == "exit":
        status = unquoted(arguments[0]) if arguments else "$?"
        return after_failure if status == "$?" else status.isdigit() and int(status) % 256 != 0
    return name == "false"


def _saved_by(rest: list[Statement]) -> str:
    """`a; exit $?` and `a; rc=$?; ...; exit $rc` hand the status on; says how: "", "status" or "PIPESTATUS"."""
    first, last = (_only_words(statement) for statement in (rest[0], rest[-1])) if rest else ([], [])
    if not first:
        return ""
    kind = "PIPESTATUS" if "PIPESTATUS" in " ".join(first) else "status"
    if first[0] == "exit" and len(first) == 2 and re.fullmatch(r"\"?\$(?:\?|\{\?\}|\{PIPESTATUS\[0\]\})\"?", first[1]):
        return kind
    match = _SAVED.match(first[0]) if len(first) == 1 else None
    if match is None or last[:1] != ["exit"] or len(last) != 2 or last[1].strip('"').strip("${}") != match[1]:
        return ""
    kept = not any(word.startswith(match[1]) for statement in rest[1:-1] for word in _only_words(statement))
    return kind if kept else ""


def _only_words(statement: Statement) -> list[str]:
    if statement.background or len(statement.pipelines) != 1 or len(statement.pipelines[0].commands) != 1:
        return []
    return statement.pipelines[0].commands[0].words
