"""Tokens -> statements, pipelines and commands."""

from __future__ import annotations

from dataclasses import dataclass, field

from denominator.packs.lint.shell.tokens import ShellError, Token, tokenize


@dataclass(slots=True)
class Command:
    """A simple command's words, or the statements of a group."""

    at: int
    words: list[str] = field(default_factory=list)
    group: list[Statement] | None = None
    subshell: bool = False


@dataclass(slots=True)
class Pipeline:
    """Commands joined by |; `negated` by a leading !; `joined` is the operator before it (&& or ||)."""

    commands: list[Command] = field(default_factory=list)
    negated: bool = False
    joined: str = ""


@dataclass(slots=True)
class Statement:
    """Pipelines joined by && and ||, ended by ; or & or a new line."""

    pipelines: list[Pipeline] = field(default_factory=list)
    background: bool = False


def parse(text: str) -> list[Statement]:
    """The statements of a command line. Raises `ShellError` for what is not one."""
    tokens = tokenize(text)
    statements, at = _statements(tokens, 0, "")
    if at != len(tokens):
        raise ShellError(f"{tokens[at].text!r} where a command should start")
    return statements


def _statements(tokens: list[Token], at: int, closer: str) -> tuple[list[Statement], int]:
    found: list[Statement] = []
    while at < len(tokens):
        token = tokens[at]
        if token.text == closer and token.word == (closer == "}"):
            return found, at
        if not token.word and token.text in (";", "\n"):
            at += 1
            continue
        statement, at = _statement(tokens, at)
        if at < len(tokens) and not tokens[at].word and tokens[at].text == "&":
            statement.background = True
            at += 1
        found.append(statement)
    if closer:
        raise ShellError(f"nothing closes with {closer}")
    return found, at


def _statement(tokens: list[Token], at: int) -> tuple[Statement, int]:
    statement, joined = Statement(), ""
    while True:
        pipeline, at = _pipeline(tokens, at)
        pipeline.joined = joined
        statement.pipelines.append(pipeline)
        if at < len(tokens) and not tokens[at].word and tokens[at].text in ("&&", "||"):
            joined = tokens[at].text
            at = _skip_newlines(tokens, at + 1)
        else:
            return statement, at


def _pipeline(tokens: list[Token], at: int) -> tuple[Pipeline, int]:
    pipeline = Pipeline()
    while at < len(tokens) and tokens[at].word and tokens[at].text == "!":
        pipeline.negated = not pipeline.negated
        at += 1
    while True:
        command, at = _command(tokens, at)
        pipeline.commands.append(command)
        if at < len(tokens) and not tokens[at].word and tokens[at].text in ("|", "|&"):
            at = _skip_newlines(tokens, at + 1)
        else:
            return pipeline, at


def _command(tokens: list[Token], at: int) -> tuple[Command, int]:
    if at >= len(tokens):
        raise ShellError("a command is missing at the end")
    first = tokens[at]
    if first.text == "(" and not first.word:
        return _group(tokens, at, ")")
    if first.text == "{" and first.word:
        return _group(tokens, at, "}")
    command = Command(first.at)
    while at < len(tokens) and tokens[at].word:
        command.words.append(tokens[at].text)
        at += 1
    if not command.words:
        raise ShellError(f"{first.text!r} where a command should be")
    if at < len(tokens) and tokens[at].text == "(":
        raise ShellError("a function or an array is not read here")
    return command, at


def _group(tokens: list[Token], at: int, closer: str) -> tuple[Command, int]:
    inside, end = _statements(tokens, at + 1, closer)
    if not inside:
        raise ShellError("an empty group")
    end += 1
    while end < len(tokens) and tokens[end].word and tokens[end].text.isdigit():
        end += 1
    return Command(tokens[at].at, group=inside, subshell=closer == ")"), end


def _skip_newlines(tokens: list[Token], at: int) -> int:
    while at < len(tokens) and not tokens[at].word and tokens[at].text == "\n":
        at += 1
    return at
