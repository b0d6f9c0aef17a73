"""Exit codes, and the one line that an error prints."""

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
    OK: "success",
    FAILURE: "failure: a run that the command waited for failed, a check of `doctor` failed, or an unexpected error",
    USAGE: "the command or a setting is wrong; no server was called",
    REFUSED: "the server refused: not found, conflict, invalid input, or missing permission",
    SCHEMA: "the database's schema does not fit this version",
    UNREACHABLE: "no server or database could be reached, or it is overloaded: try again later",
    TIMEOUT: "`--timeout` passed; the run continues",
    CHANGES: "`plan` found changes",
    NOT_IMPORTED: "`import` could not import every line, and named the others",
    INTERRUPTED: "interrupted by Ctrl-C",
    BROKEN_PIPE: "the reader of the output closed the pipe",
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
"""Remedies by error code, for errors that do not name one themselves."""


def exit_code(error: Exception) -> int:
    return next((code for kind, code in CODES if isinstance(error, kind)), FAILURE)


def show_usage(error: click.ClickException) -> None:
    """Print a usage error in one line; for a group without a command, print its help."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None or isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    line = " ".join(error.format_message().split())
    click.echo(escape(f"mainspring: {line} See '{context.command_path} --help'."), err=True)


def show_error(error: Exception) -> None:
    line = " ".join(str(error).split())
    if isinstance(error, UnicodeEncodeError):
        line = f"{error.object[error.start]!r} is no character: the given text is not UTF-8"
    elif not isinstance(error, MainspringError | TimeoutError):
        line = f"{type(error).__name__}: {line} (--debug shows more)"
    advice = ADVICE.get(getattr(error, "code", ""))
    click.echo(escape(f"mainspring: {line}{f'; {advice}' if advice else ''}"), err=True)
