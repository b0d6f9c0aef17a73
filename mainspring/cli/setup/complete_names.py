"""Completes names from the server: a parameter called `job` takes the name of a job."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import click
import msgspec
from click.shell_completion import CompletionItem

from mainspring.cli.doctor.probe import probe, target_of
from mainspring.cli.output.tables import names_in
from mainspring.client.transport.servers import find_token
from mainspring.errors import MainspringError
from mainspring.settings import ClientSettings
from mainspring.settings.contexts import contexts_path, read_contexts

PATIENCE = 0.5
"""Seconds that a press of the tab key waits at most."""
STATES = ("queued", "waiting", "running", "succeeded", "failed", "cancelled", "skipped")
TARGET = ("config", "home", "url", "namespace", "context")

Source = Callable[[click.Context], Iterator[str]]


class Names(click.types.StringParamType):
    """Text that completes to the names of a source; other text is accepted, too."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def shell_complete(
        self, context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[Any]]:
        with suppress(MainspringError):
            return [CompletionItem(name) for name in self._source(context) if name.startswith(incomplete)]
        return []


PATHS = {
    "job": "/api/v1/jobs?limit=500",
    "queue": "/api/v1/queues?limit=500",
    "trigger": "/api/v1/triggers?limit=500",
    "calendar": "/api/v1/calendars?limit=500",
    "run": "/api/v1/runs?limit=50",
    "executor": "/api/v1/executors?limit=500",
    "namespace": "/api/v1/namespaces",
}
"""The server's list of each kind."""


def names_on_server(target: ClientSettings, path: str) -> list[str]:
    """Read names from the server; raises UnavailableError if it does not answer within half a second."""
    answer = probe(target, path, patience=PATIENCE)
    with suppress(msgspec.DecodeError):
        return list(names_in(msgspec.json.decode(answer.content)))
    return []


def on_server(path: str) -> Source:
    def names(context: click.Context) -> Iterator[str]:
        target = target_of(**{name: context.params.get(name) for name in TARGET})
        yield from names_on_server(msgspec.structs.replace(target, token=find_token(target)), path)

    return names


def contexts(_context: click.Context) -> Iterator[str]:
    yield from read_contexts(contexts_path()).tables


def states(_context: click.Context) -> Iterator[str]:
    yield from STATES


SOURCES: dict[str, Source] = {
    **{kind: on_server(path) for kind, path in PATHS.items()},
    "context": contexts,
    "state": states,
}


def complete_names(command: click.Command) -> None:
    """Give each parameter that takes a name of a known kind its source."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            complete_names(inner)
    for parameter in command.params:
        source = source_of(command, parameter)
        if source is not None and parameter.type is click.STRING:
            parameter.type = Names(source)


def source_of(command: click.Command, parameter: click.Parameter) -> Source | None:
    name = parameter.name or ""
    if (
        name == "name"
        and command.callback is not None
        and command.callback.__module__ == "mainspring.cli.setup.context"
    ):
        return contexts
    return SOURCES.get(name) or SOURCES.get(name.removesuffix("s"))
