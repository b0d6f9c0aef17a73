"""Sheets: the columns and facts of a noun, declared once for every command that prints it."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import click
import msgspec

from mainspring.cli.output.exits import OK
from mainspring.cli.output.tables import cell, note, print_content, print_facts, print_table

Read = Callable[[Any], object]
Field = str | tuple[str, str | Read]
"""A title, which names the attribute too; or a title with the attribute's path, or with a function of the thing."""
Fact = tuple[str, object]


class Sheet(msgspec.Struct, frozen=True):
    """How the things of one noun are printed."""

    noun: str
    columns: Sequence[Field] = ()
    facts: Sequence[Field] = ()
    more_facts: Callable[[Any], Sequence[Fact]] = lambda _thing: ()
    """Facts whose number differs from thing to thing."""
    word: Read = attrgetter("state")
    """The thing's state in a word or two, shown before an operator confirms a pattern."""
    outcome: Read = attrgetter("state")
    """The thing's state, printed after a verb."""
    by_prefix: bool = False
    """Whether the server filters the noun's list by the beginning of names."""
    items: str = ""
    """The attribute of a page that holds the things; the plural of the noun if empty."""

    @property
    def plural(self) -> str:
        return self.items or f"{self.noun}s"

    def print(self, content: Any) -> None:
        """Print a page or several things as a table, one thing as its facts."""
        things = content if isinstance(content, list | tuple) else getattr(content, self.plural, None)
        if things is None:
            self.print_facts(content)
            return
        self.print_table(things)
        if following := getattr(content, "next", None):
            note(f"more: --cursor {following}")

    def print_table(self, things: Sequence[Any]) -> None:
        titles, *rows = self.rows(things)
        print_table([str(title) for title in titles], rows)

    def rows(self, things: Sequence[Any]) -> list[list[object]]:
        """The titles of the columns, then a row for each thing."""
        readers = [reader_of(field) for field in self.columns]
        return [[title_of(field) for field in self.columns], *([read(thing) for read in readers] for thing in things)]

    def print_facts(self, thing: Any, beside: Sequence[Fact] = ()) -> None:
        print_facts([*self.facts_of(thing), *self.more_facts(thing), *beside])

    def print_outcome(self, thing: Any) -> None:
        click.echo(f"{cell(thing.name)}: {self.outcome(thing)}")

    def facts_of(self, thing: Any) -> list[Fact]:
        return [(title_of(field), reader_of(field)(thing)) for field in self.facts]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A command's result, if its content alone does not say how to print it or how to exit."""

    content: Any
    show: Callable[[Any], None] | None = None
    """Prints the content for people, instead of the command's sheet."""
    exit_code: int = OK


def print_answer(result: Any, show: Callable[[Any], None], output: str) -> None:
    """Print a command's result as asked for, and exit if the result names a code."""
    answer = result if isinstance(result, Answer) else Answer(content=result)
    if output == "table":
        (answer.show or show)(answer.content)
    else:
        print_content(answer.content, output)
    if answer.exit_code:
        click.get_current_context().exit(answer.exit_code)


def title_of(field: Field) -> str:
    return field if isinstance(field, str) else field[0]


def reader_of(field: Field) -> Read:
    source = field.replace(" ", "_") if isinstance(field, str) else field[1]
    return attribute(source) if isinstance(source, str) else source


def attribute(path: str) -> Read:
    """Read an attribute: names are joined, and an empty one counts as none."""
    read = attrgetter(path)

    def joined(thing: Any) -> object:
        value = read(thing)
        if isinstance(value, list | tuple):
            return ", ".join(map(cell, value)) or None
        return None if value in ("", {}) else value

    return joined


def nonzero(path: str) -> Read:
    """Read a count that is left out while it is zero."""
    read = attrgetter(path)
    return lambda thing: read(thing) or None
