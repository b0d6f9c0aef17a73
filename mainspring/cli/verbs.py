"""Decorators that make a function a command: they add the common options, open the client and print the result."""

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Self, cast

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.selection import act_on_each, choose, names_argument, pattern_options
from mainspring.cli.durations import read_seconds
from mainspring.cli.options import client_options, options, output_option, report_option
from mainspring.cli.output.sheets import Sheet, print_answer
from mainspring.cli.output.tables import cell, note
from mainspring.client.client import Client

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]
Show = Callable[[Any], None]
TARGET = ("config", "home", "url", "namespace", "context")

reason_option = click.option("--reason", default="", help="Reason, shown with it and kept in the audit log.")
lasts_option = click.option(
    "--for", "lasts", callback=read_seconds, metavar="TIME", help="End it after a time, such as 2h."
)
note_option = click.option("--note", default="", help="Note, kept in the audit log.")


def page_options(limit: int, most: int = 500) -> Decorator:
    return options(
        click.option("--limit", type=click.IntRange(1, most), default=limit, show_default=True, help="Rows on a page."),
        click.option("--cursor", help="Cursor of the next page, printed after the page before."),
    )


def calls(function: Function) -> Function:
    """Pass an open client to the function, before its own options."""

    @client_options
    @functools.wraps(function)
    def command(**given: Any) -> Any:
        with open_target(given) as client:
            return function(client, **given)

    return command


def prints(show: Sheet | Show, *, names: bool = True) -> Decorator:
    """Pass an open client to the function; print its result by the sheet, or as JSON, YAML or names."""
    shown = show.print if isinstance(show, Sheet) else show

    def decorate(function: Function) -> Function:
        @options(client_options, output_option if names else report_option)
        @functools.wraps(function)
        def command(*, output: str, **given: Any) -> None:
            with open_target(given) as client:
                print_answer(function(client, **given), shown, output)

        return command

    return decorate


def lists(show: Sheet | Show, *, limit: int = 50, most: int = 500, names: bool = True) -> Decorator:
    """Do the same for a function that reads one page."""
    return options(page_options(limit, most), prints(show, names=names))


def acts_on(sheet: Sheet, verb: str, *, show: Show | None = None) -> Decorator:
    """Call the function with a client and a name, for each name that is given or matched by a pattern."""

    def decorate(function: Function) -> Function:
        @options(names_argument(sheet.noun), pattern_options, client_options, output_option)
        @functools.wraps(function)
        def command(*, yes: bool, dry_run: bool, output: str, **given: Any) -> None:
            words = given.pop(sheet.plural)
            with open_target(given) as client:
                names = choose(client, sheet, words, verb, yes=yes, dry_run=dry_run)
                act = functools.partial(function, client, **given)
                act_on_each(names, act, show or sheet.print_outcome, output)

        return command

    return decorate


def deletes(sheet: Sheet) -> Decorator:
    """Call the function with a client, a name and a note, for each name, and report each deletion."""

    def decorate(function: Function) -> Function:
        @options(names_argument(sheet.noun), pattern_options, note_option, client_options)
        @functools.wraps(function)
        def command(*, yes: bool, dry_run: bool, **given: Any) -> None:
            words = given.pop(sheet.plural)
            with open_target(given) as client:
                names = choose(client, sheet, words, "delete", yes=yes, dry_run=dry_run)
                act = functools.partial(delete, functools.partial(function, client, **given), sheet.noun)
                act_on_each(names, act, note, "table")

        return command

    return decorate


def deletes_one(noun: str) -> Decorator:
    """Call the function with a client and one name, and report the deletion."""

    def decorate(function: Function) -> Function:
        @click.argument("name")
        @calls
        @functools.wraps(function)
        def command(client: Client, *, name: str, **given: Any) -> None:
            note(delete(functools.partial(function, client, **given), noun, name))

        return command

    return decorate


def delete(function: Function, noun: str, name: str) -> str:
    function(name)
    return f"{noun} {cell(name)} is deleted"


def acts_on_ids(sheet: Sheet, find: Callable[[Client, str], str]) -> Decorator:
    """Call the function with a client and an id, for each id or beginning of one, and print each thing's facts."""

    def decorate(function: Function) -> Function:
        @options(click.argument(sheet.noun, nargs=-1, required=True), client_options, output_option)
        @functools.wraps(function)
        def command(*, output: str, **given: Any) -> None:
            words = given.pop(sheet.noun)
            with open_target(given) as client:
                act_on_each(words, lambda text: function(client, find(client, text), **given), sheet.print, output)

        return command

    return decorate


def open_target(given: dict[str, Any]) -> AbstractContextManager[Client]:
    """Open a client for the server that a command's options name, and take those options out."""
    return cast("AbstractContextManager[Client]", LazyClient({name: given.pop(name) for name in TARGET}))


class LazyClient:
    """Opens a client when it is first used, so that a command refuses wrong options before it looks for a token."""

    def __init__(self, target: dict[str, Any]) -> None:
        self._target = target
        self._client: Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._client is not None:
            self._client.close()

    def __getattr__(self, name: str) -> Any:
        if self._client is None:
            self._client = open_client(**self._target)
        return getattr(self._client, name)
