"""Several things at once: names, and patterns such as `report-*`, which are shown and confirmed before anything is done."""

import fnmatch
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import click

from mainspring.cli.options import F, options
from mainspring.cli.output.exits import OK, exit_code, show_error
from mainspring.cli.output.tables import cell, note, print_content, print_table
from mainspring.cli.suggest import suggest
from mainspring.client.client import Client
from mainspring.errors import MainspringError, NotFoundError, UnavailableError

T = TypeVar("T")

Known = Iterable[tuple[str, str]]
"""Names, and how each of them stands."""
PATTERN = re.compile(r"[*?\[]")
PAGE = 500
SHOWN = 20

pattern_options = options(
    click.option("--yes", is_flag=True, help="Do it to all that a pattern matches, without asking."),
    click.option("--dry-run", is_flag=True, help="Only show what a pattern matches."),
)


def names_argument(kind: str) -> Callable[[F], F]:
    """Names or patterns of such things."""
    return click.argument(f"{kind}s", nargs=-1, required=True, metavar=f"{kind.upper()}...")


def choose(client: Client, kind: str, words: Sequence[str], verb: str, *, yes: bool, dry_run: bool) -> list[str]:
    """The names that are meant, each once. A pattern is looked up, shown, and done only if that is confirmed."""
    if not dry_run and not any(map(PATTERN.search, words)):
        return list(dict.fromkeys(words))
    found = dict(matching(client, kind, words))
    if dry_run:
        print_table((kind, "state"), list(found.items()))
        click.get_current_context().exit(OK)
    if not yes:
        confirm(kind, verb, found)
    return list(found)


def matching(client: Client, kind: str, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names and how each of them stands; a name that is no pattern stands for itself, whether it is there or not."""
    for word in words:
        first = PATTERN.split(word, maxsplit=1)[0]
        known = dict(KNOWN[kind](client, first))
        if first == word:
            yield word, known.get(word, "unknown")
            continue
        found = [(name, state) for name, state in known.items() if fnmatch.fnmatchcase(name, word)]
        if not found:
            raise NotFoundError(kind, word, "no name matches it")
        yield from found


def confirm(kind: str, verb: str, found: dict[str, str]) -> None:
    """Show and ask at a terminal; elsewhere there is nobody to ask, so it takes --yes."""
    count = f"{len(found)} {kind}{'' if len(found) == 1 else 's'}"
    if not sys.stdin.isatty():
        raise click.UsageError(f"This would {verb} {count}: --yes does it, --dry-run shows them.")
    for name, state in list(found.items())[:SHOWN]:
        click.echo(f"  {cell(name)}  {state}", err=True)
    if len(found) > SHOWN:
        click.echo(f"  and {len(found) - SHOWN} more", err=True)
    click.confirm(f"{verb} {count}?", abort=True, err=True)


def steer_each(names: Sequence[str], act: Callable[[str], T], show: Callable[[T], None], output: str) -> None:
    """Do it to one after the other and print each, as a list for programs if there are several."""

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
    """What came of each, and an exit code: of several, one that is refused is told at once and the others go on."""
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


def delete_each(names: Sequence[str], delete: Callable[[str], object], kind: str) -> None:
    def act(name: str) -> str:
        delete(name)
        return name

    steer_each(names, act, lambda name: note(f"{kind} {cell(name)} is deleted"), "table")


def refused(error: MainspringError) -> int:
    if isinstance(error, NotFoundError):
        with suppress(MainspringError):
            suggest(error, click.get_current_context())
    show_error(error)
    return exit_code(error)


def paged(read: Callable[[str | None], Any], items: str) -> Iterator[Any]:
    """Everything of a list, page after page."""
    cursor: str | None = None
    while True:
        page = read(cursor)
        yield from getattr(page, items)
        if (cursor := page.next) is None:
            return


def known_triggers(client: Client, prefix: str) -> Known:
    read = paged(lambda cursor: client.triggers.list(prefix=prefix or None, limit=PAGE, cursor=cursor), "triggers")
    return [(one.name, one.state) for one in read]


def known_jobs(client: Client, prefix: str) -> Known:
    read = paged(lambda cursor: client.jobs.list(prefix=prefix or None, limit=PAGE, cursor=cursor), "jobs")
    return [(one.name, one.origin) for one in read]


def known_queues(client: Client, _prefix: str) -> Known:
    read = paged(lambda cursor: client.queues.list(limit=PAGE, cursor=cursor), "queues")
    return [(one.name, "open" if one.paused is None else "paused") for one in read]


def known_executors(client: Client, _prefix: str) -> Known:
    read = paged(lambda cursor: client.executors.list(limit=PAGE, cursor=cursor), "executors")
    return [(one.name, one.state) for one in read]


def known_calendars(client: Client, _prefix: str) -> Known:
    read = paged(lambda cursor: client.calendars.list(limit=PAGE, cursor=cursor), "calendars")
    return [(one.name, f"version {one.version}") for one in read]


KNOWN: dict[str, Callable[[Client, str], Known]] = {
    "trigger": known_triggers,
    "job": known_jobs,
    "queue": known_queues,
    "executor": known_executors,
    "calendar": known_calendars,
}
