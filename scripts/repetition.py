"""Pairs of places in Python files that share six or more lines of the same shape.

The shape of a line is its tokens with names, strings and numbers replaced, so that copies with other names are found too.
"""

import io
import keyword
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

RUN = 6
"""Lines that make a repetition."""
COMMON = 8
"""A run that stands in more places than this is an idiom, and is left out."""
WEIGHT = 14
"""Names, strings and numbers in those lines; with fewer of them, lines are punctuation."""


@dataclass(frozen=True)
class Line:
    number: int
    shape: str
    weight: int


@dataclass(frozen=True)
class Pair:
    """Two places that share `length` lines, by the numbers of their first lines."""

    first: tuple[Path, int]
    second: tuple[Path, int]
    length: int


def shapes(text: str) -> list[Line]:
    """The lines of code, without blank lines, comments, imports and docstrings."""
    by_line: dict[int, list[str]] = defaultdict(list)
    weights: dict[int, int] = defaultdict(int)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        shape = shape_of(token)
        if shape:
            by_line[token.start[0]].append(shape)
            weights[token.start[0]] += shape in {"N", "S", "0"}
    lines = (Line(number, " ".join(parts), weights[number]) for number, parts in sorted(by_line.items()))
    return [
        line
        for line in lines
        if line.shape not in {"S", ")", "]", "}", "):"} and not line.shape.startswith(("import ", "from "))
    ]


def is_field(line: Line) -> bool:
    return line.shape.startswith("N : ")


def shape_of(token: tokenize.TokenInfo) -> str:
    match token.type:
        case tokenize.NAME:
            return token.string if keyword.iskeyword(token.string) else "N"
        case tokenize.STRING:
            return "S"
        case tokenize.NUMBER:
            return "0"
        case tokenize.OP:
            return token.string
    return ""


def repeated_pairs(texts: Mapping[Path, str], *, fields: bool = True) -> list[Pair]:
    """Every pair of files once, by its longest shared run; runs inside one file too.

    Without `fields`, lines that declare a field or parameter (a name, its type, perhaps a default) are passed over.
    """
    files = {path: [one for one in shapes(text) if fields or not is_field(one)] for path, text in texts.items()}
    places: dict[tuple[str, ...], list[tuple[Path, int]]] = defaultdict(list)
    for path, lines in files.items():
        for start in range(len(lines) - RUN + 1):
            window = lines[start : start + RUN]
            if sum(line.weight for line in window) >= WEIGHT:
                places[tuple(line.shape for line in window)].append((path, start))
    longest: dict[tuple[Path, Path], Pair] = {}
    for first, second in shared(places):
        pair = Pair(first, second, reach(files[first[0]], first[1], files[second[0]], second[1]))
        key = (first[0], second[0])
        if key not in longest or longest[key].length < pair.length:
            longest[key] = pair
    return sorted(longest.values(), key=lambda pair: -pair.length)


def shared(
    places: Mapping[tuple[str, ...], list[tuple[Path, int]]],
) -> Iterator[tuple[tuple[Path, int], tuple[Path, int]]]:
    for found in places.values():
        if 1 < len(found) <= COMMON:
            for index, first in enumerate(found):
                for second in found[index + 1 :]:
                    if first[0] != second[0] or second[1] - first[1] >= RUN:
                        yield first, second


def reach(one: list[Line], start: int, other: list[Line], begin: int) -> int:
    """How many lines the two places share from here on."""
    length = 0
    while (
        start + length < len(one)
        and begin + length < len(other)
        and one[start + length].shape == other[begin + length].shape
    ):
        length += 1
    return length
