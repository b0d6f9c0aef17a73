"""`mainspring triggers load`: many triggers from a file of lines, sent in chunks."""

import re
from collections.abc import Iterable, Iterator

import click
import msgspec

from mainspring.cli.commands.runs.enqueue_file import open_lines, size_of
from mainspring.cli.output.progress import progress
from mainspring.cli.verbs import note_option, prints
from mainspring.client.client import Client
from mainspring.client.nouns.triggers import LOAD_MAX
from mainspring.errors import InvalidInputError, MainspringError

BYTES_MAX = 16 * 1024 * 1024
POSITION = re.compile(r"(?:triggers|\$|body)?\[(\d+)\]\.?")


class Line(msgspec.Struct, frozen=True):
    number: int
    trigger: msgspec.Raw

    @property
    def size(self) -> int:
        return len(bytes(self.trigger))


@click.command("load")
@click.argument("file")
@note_option
@prints(lambda found: click.echo(f"{found['triggers']} triggers loaded"), names=False)
def load_triggers(client: Client, *, file: str, note: str) -> dict[str, int]:
    """Load triggers from FILE: one JSON object per line, or - for stdin.

    An existing trigger gets the definition of its line. Lines are sent in chunks, each of which is loaded whole or not at
    all; after any failure, repeat the command.
    """
    loaded = 0
    with open_lines(file) as content, progress("loading", size_of(file)) as advance:
        try:
            for chunk in chunks(read_lines(content)):
                loaded += load_chunk(client, chunk, note)
                advance(sum(line.size for line in chunk), f"{loaded:,} triggers")
        except (MainspringError, KeyboardInterrupt):
            click.echo(f"mainspring: {loaded} triggers are loaded; repeat the command to load the rest", err=True)
            raise
    return {"triggers": loaded}


def load_chunk(client: Client, chunk: list[Line], note: str) -> int:
    try:
        return client.triggers.load([line.trigger for line in chunk], note=note)
    except InvalidInputError as error:
        raise at_line(error, chunk) from None


def read_lines(content: Iterable[bytes]) -> Iterator[Line]:
    for number, text in enumerate(content, start=1):
        if text.isspace():
            continue
        try:
            text.decode()
            msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InvalidInputError(f"line {number}", f"is not a JSON object: {error}", code="bad_line") from None
        yield Line(number, msgspec.Raw(text))


def chunks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    chunk: list[Line] = []
    size = 0
    for line in lines:
        if chunk and (len(chunk) == LOAD_MAX or size + line.size > BYTES_MAX):
            yield chunk
            chunk, size = [], 0
        chunk.append(line)
        size += line.size
    if chunk:
        yield chunk


def at_line(error: InvalidInputError, chunk: list[Line]) -> InvalidInputError:
    """Return the error with the line's number instead of its position in the chunk."""
    found = POSITION.match(error.field)
    if found is None:
        return error
    field = error.field[found.end() :]
    return type(error)(f"line {chunk[int(found[1])].number}: {field}".rstrip(": "), error.reason, code=error.code)
