"""`mainspring triggers load`: many triggers from a file of lines, sent in chunks."""

from collections.abc import Iterable, Iterator

import click
import msgspec

from mainspring.cli.commands.lines import OutputLine, at_line, chunks, open_lines, read_line, size_of
from mainspring.cli.output.progress import progress
from mainspring.cli.verbs import note_option, prints
from mainspring.client.client import Client
from mainspring.client.nouns.triggers import LOAD_MAX
from mainspring.errors import InvalidInputError, MainspringError

BYTES_MAX = 16 * 1024 * 1024


class TriggerLine(OutputLine, frozen=True):
    trigger: msgspec.Raw


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
            for chunk in chunks(read_lines(content), lines_max=LOAD_MAX, bytes_max=BYTES_MAX):
                loaded += load_chunk(client, chunk, note)
                advance(sum(line.size for line in chunk), f"{loaded:,} triggers")
        except (MainspringError, KeyboardInterrupt):
            click.echo(f"mainspring: {loaded} triggers are loaded; repeat the command to load the rest", err=True)
            raise
    return {"triggers": loaded}


def load_chunk(client: Client, chunk: list[TriggerLine], note: str) -> int:
    try:
        return client.triggers.load([line.trigger for line in chunk], note=note)
    except InvalidInputError as error:
        raise at_line(error, chunk) from None


def read_lines(content: Iterable[bytes]) -> Iterator[TriggerLine]:
    for number, text in enumerate(content, start=1):
        if text.isspace():
            continue
        read_line(number, text)
        yield TriggerLine(number, len(text), msgspec.Raw(text))
