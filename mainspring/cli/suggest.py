"""Suggests the nearest name on the server for one that does not exist."""

from contextlib import suppress

import click

from mainspring.cli.client import TARGET
from mainspring.cli.setup.complete_names import PATHS, names_on_server
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import MainspringError, NotFoundError

GUESSED = ("job", "queue", "trigger", "executor", "namespace")
"""Kinds whose names people type from memory; they copy ids."""


def suggest(error: NotFoundError, context: click.Context) -> None:
    """Add the nearest name to the error's message, if the server answers quickly."""
    target = context.meta.get(TARGET)
    if target is None or error.kind not in GUESSED or "did you mean" in str(error):
        return
    with suppress(MainspringError):
        error.args = (f"{error}{did_you_mean(error.key, names_on_server(target, PATHS[error.kind]))}",)
