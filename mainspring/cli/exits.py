"""What a command's exit code says: 0 ok, 1 failure, 2 usage, 3 not found or refused, 4 schema, 5 unreachable."""

import click

from mainspring.errors import (
    AccessDeniedError,
    ConfigError,
    ConflictError,
    InvalidInputError,
    MainspringError,
    NotFoundError,
    SchemaError,
    UnavailableError,
)

FAILURE = 1

CODES: tuple[tuple[type[Exception], int], ...] = (
    (ConfigError, 2),
    (NotFoundError, 3),
    (ConflictError, 3),
    (InvalidInputError, 3),
    (AccessDeniedError, 3),
    (SchemaError, 4),
    (UnavailableError, 5),
)


def exit_code(error: Exception) -> int:
    return next((code for kind, code in CODES if isinstance(error, kind)), FAILURE)


def show_error(error: Exception) -> None:
    line = " ".join(str(error).split())
    known = isinstance(error, MainspringError | TimeoutError)
    click.echo(f"mainspring: {line if known else f'{type(error).__name__}: {line} (--debug shows more)'}", err=True)
