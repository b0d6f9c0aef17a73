"""Acting on several things: names, and patterns such as `report-*`, whose matches the operator confirms first."""

import fnmatch
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import click

from mainspring.cli.options import F, options
from mainspring.cli.output.exits import OK, exit_code, show_error
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import cell, print_content, print_table
from mainspring.cli.suggest import suggest
from mainspring.client.client import Client
from mainspring.errors import MainspringError, NotFoundError, UnavailableError

T = TypeVar("T")

PATTERN = re.compile(r"[*?\[]")
PAGE = 500
SHOWN = 20

pattern_options = options(
    click.option("--yes", is_flag=True, help="Act on every match of a pattern without asking."),
    click.option("--dry-run", is_flag=True, help="Show the matches and change nothing."),
)


def names_argument(kind: str) -> Callable[[F], F]:
    """An argument for one or several names or patterns."""
    return click.argument(f"{kind}s", nargs=-1, required=True, metavar=f"{kind.upper()}...")


def choose(client: Client, sheet: Sheet, words: Sequence[str], verb: str, *, yes: bool, dry_run: bool) -> list[str]:
    """Return the chosen names, each once; the matches of a pattern only if the operator confirms them."""
    if not dry_run and not any(map(PATTERN.search, words)):
        return list(dict.fromkeys(words))
    found = dict(matching(client, sheet, words))
    if dry_run:
        print_table((sheet.noun, "state"), list(found.items()))
        click.get_current_context().exit(OK)
    if not yes:
        confirm(sheet.noun, verb, found)
    return list(found)


def matching(client: Client, sheet: Sheet, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each matching name with its state; a plain name matches itself, known to the server or not."""
    for word in words:
        first = PATTERN.split(word, maxsplit=1)[0]
        states = dict(known(client, sheet, first))
        if first == word:
            yield word, states.get(word, "unknown")
            continue
        found = [(name, state) for name, state in states.items() if fnmatch.fnmatchcase(name, word)]
        if not found:
            raise NotFoundError(sheet.noun, word, "no name matches it")
        yield from found


def confirm(kind: str, verb: str, found: dict[str, str]) -> None:
    """Show the matches and ask; without a terminal, raise UsageError that names --yes."""
    count = f"{len(found)} {kind}{'' if len(found) == 1 else 's'}"
    if not sys.stdin.isatty():
        raise click.UsageError(f"This would {verb} {count}: --yes does it, --dry-run shows them.")
    for name, state in list(found.items())[:SHOWN]:
        click.echo(f"  {cell(name)}  {state}", err=True)
    if len(found) > SHOWN:
        click.echo(f"  and {len(found) - SHOWN} more", err=True)
    click.confirm(f"{verb} {count}?", abort=True, err=True)


def act_on_each(names: Sequence[str], act: Callable[[str], T], show: Callable[[T], None], output: str) -> None:
    """Act on one name after the other and show each result; programs get a list if there are several names."""

    def done(name: str) -> T:
        found = act(name)
        if output == "table":
            show(found)
        return found

    found, code = try_each(names, done)
    if output != "table":
        print_content(found[0] if len(names) == 1 else found, output)
    click.get_current_context().exit(code)


def try_each(names: Sequence[str], act: Callable[[str], T]) -> tuple[list[T], int]:
    """Return the results and an exit code; of several names, a refused one is reported and the others follow."""
    if len(names) == 1:
        return [act(names[0])], OK
    found: list[T] = []
    code = OK
    for name in names:
        try:
            found.append(act(name))
        except UnavailableError:
            raise
        except MainspringError as error:
            code = code or refused(error)
    return found, code


def refused(error: MainspringError) -> int:
    if isinstance(error, NotFoundError):
        with suppress(MainspringError):
            suggest(error, click.get_current_context())
    show_error(error)
    return exit_code(error)


def paged(read: Callable[[str | None], Any], items: str) -> Iterator[Any]:
    """Yield every item of a list, page after page."""
    cursor: str | None = None
    while True:
        page = read(cursor)
        yield from getattr(page, items)
        if (cursor := page.next) is None:
            return


def known(client: Client, sheet: Sheet, prefix: str) -> Iterator[tuple[str, str]]:
    """The names on the server with the state of each; those that begin otherwise may be among them."""
    read, filters = getattr(client, sheet.plural).list, {"prefix": prefix or None} if sheet.by_prefix else {}
    for thing in paged(lambda cursor: read(limit=PAGE, cursor=cursor, **filters), sheet.plural):
        yield thing.name, cell(sheet.word(thing))
