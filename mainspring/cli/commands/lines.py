"""Files of lines, one JSON object each, that commands send in chunks."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, TypeVar

import click
import msgspec

from mainspring.errors import InvalidInputError

STDIN = "-"
POSITION = re.compile(r"(?:runs|triggers|\$|body)?\[(\d+)\]\.?")
"""The place of a line in its chunk, in the field of a server's error."""


class OutputLine(msgspec.Struct, frozen=True):
    number: int
    size: int


L = TypeVar("L", bound=OutputLine)


def open_lines(file: str) -> AbstractContextManager[IO[bytes]]:
    if file == STDIN:
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise click.UsageError(f"--from: {file} cannot be read: {error.strerror}.") from None


def size_of(file: str) -> int | None:
    return None if file == STDIN else Path(file).stat().st_size


def read_line(number: int, text: bytes) -> dict[str, msgspec.Raw]:
    """Decode one line; raises InvalidInputError with its number."""
    try:
        # Values are passed on undecoded, so invalid UTF-8 is found here.
        text.decode()
        return msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"line {number}", f"is not a JSON object: {error}", code="bad_line") from None


def chunks(lines: Iterable[L], *, lines_max: int, bytes_max: int) -> Iterator[list[L]]:
    """Group lines into chunks within both limits; a line over the limit is a chunk of its own."""
    chunk: list[L] = []
    size = 0
    for line in lines:
        if chunk and (len(chunk) == lines_max or size + line.size > bytes_max):
            yield chunk
            chunk, size = [], 0
        chunk.append(line)
        size += line.size
    if chunk:
        yield chunk


def at_line(error: InvalidInputError, chunk: Sequence[OutputLine]) -> InvalidInputError:
    """Return the error with the line's number instead of its position in the chunk."""
    found = POSITION.match(error.field)
    if found is None:
        return error
    field = error.field[found.end() :]
    return type(error)(f"line {chunk[int(found[1])].number}: {field}".rstrip(": "), error.reason, code=error.code)
