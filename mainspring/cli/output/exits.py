"""What a command's exit code says, and the one line that goes with it."""

import click

from mainspring.cli.output.terminal import escape
from mainspring.errors import (
    AccessDeniedError,
    ConfigError,
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    MainspringError,
    NotFoundError,
    SchemaError,
    UnavailableError,
)

OK = 0
FAILURE = 1
USAGE = 2
REFUSED = 3
SCHEMA = 4
UNREACHABLE = 5
TIMEOUT = 6
CHANGES = 7
NOT_IMPORTED = 8
INTERRUPTED = 130
BROKEN_PIPE = 141

MEANINGS = {
    OK: "it worked",
    FAILURE: "it did not: a run that was waited for failed, a check of `doctor` failed, or something unexpected",
    USAGE: "the command or a setting is wrong; nothing was asked of a server",
    REFUSED: "the server refused: not found, in conflict, not valid, or the token does not reach that far",
    SCHEMA: "the database's schema does not fit this version",
    UNREACHABLE: "no server or database could be reached, or it cannot take more now: try again later",
    TIMEOUT: "`--timeout` passed; what was waited for goes on",
    CHANGES: "`plan` found something to do",
    NOT_IMPORTED: "`import` understood only a part, and named the lines that it did not",
    INTERRUPTED: "interrupted by Ctrl-C",
    BROKEN_PIPE: "whoever read the output stopped reading",
}
"""Stable: scripts may rely on them."""

CODES: tuple[tuple[type[Exception], int], ...] = (
    (ConfigError, USAGE),
    (UnicodeEncodeError, USAGE),
    (NotFoundError, REFUSED),
    (ConflictError, REFUSED),
    (InvalidInputError, REFUSED),
    (AccessDeniedError, REFUSED),
    (ForbiddenError, REFUSED),
    (SchemaError, SCHEMA),
    (UnavailableError, UNREACHABLE),
    (TimeoutError, TIMEOUT),
)

ADVICE = {
    "unreachable": "start one with 'mainspring up', or name another by --url or --context",
    **dict.fromkeys(
        ("access_denied", "token_unknown", "token_expired", "token_revoked"),
        "'mainspring config show --origin' says where the token comes from",
    ),
}
"""What to do about it, by the code of the error; many errors say so themselves."""


def exit_code(error: Exception) -> int:
    return next((code for kind, code in CODES if isinstance(error, kind)), FAILURE)


def show_usage(error: click.ClickException) -> None:
    """One line, as for every other error; the help as a whole for a group that is called without a command."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None or isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    line = " ".join(error.format_message().split())
    click.echo(escape(f"mainspring: {line} See '{context.command_path} --help'."), err=True)


def show_error(error: Exception) -> None:
    line = " ".join(str(error).split())
    if isinstance(error, UnicodeEncodeError):
        line = f"{error.object[error.start]!r} is no character: the text that was given is not UTF-8"
    elif not isinstance(error, MainspringError | TimeoutError):
        line = f"{type(error).__name__}: {line} (--debug shows more)"
    advice = ADVICE.get(getattr(error, "code", ""))
    click.echo(escape(f"mainspring: {line}{f'; {advice}' if advice else ''}"), err=True)
