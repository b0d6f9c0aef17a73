"""Lays out columns for a terminal: lines fold between words, and words such as ids are never cut."""

import textwrap
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

GAP = 2


def widths_of(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the width of each column; if they do not fit, shrink the widest first, to its longest word at most."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(size_of, column)) for column in columns]
    least = [max(size_of(word) for cell in column for word in cell.split() or [""]) for column in columns]
    excess = sum(widths) + GAP * (len(widths) - 1) - room
    while excess > 0 and (wide := [place for place, width in enumerate(widths) if width > least[place]]):
        widths[max(wide, key=widths.__getitem__)] -= 1
        excess -= 1
    return widths


def folded(row: Sequence[str], widths: Sequence[int]) -> list[list[str]]:
    """Return the lines of one row, each with a piece of every cell."""
    pieces = [
        [value]
        if size_of(value) <= width
        else textwrap.wrap(value, width, break_long_words=False, break_on_hyphens=False)
        for value, width in zip(row, widths, strict=True)
    ]
    return [list(line) for line in zip_longest(*pieces, fillvalue="")]


def padded(piece: str, width: int) -> str:
    return piece + " " * (width - size_of(piece))


def size_of(text: str) -> int:
    """Return the width of a text on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF") for each in text)
