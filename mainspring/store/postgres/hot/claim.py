"""Claims as PostgreSQL returns them: columns that are encoded as a whole."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain, repeat
from typing import Any, TypeVar

import asyncpg

from mainspring.domain.ids import RunId, Token
from mainspring.domain.metadata import for_handler
from mainspring.domain.runs.attempt import Claim
from mainspring.store.postgres.codecs import read_instant, read_integers, read_uuids

T = TypeVar("T")


def read_claim(row: Iterable[Any], token: Token, now: datetime) -> Claim:
    session, runs, lines, jobs, attempts, inputs, extras, deadlines, reached = row
    return Claim(
        session,
        token,
        read_uuids(runs),
        read_integers(lines),
        read_integers(jobs),
        read_integers(attempts),
        inputs,
        read_extras(extras, deadlines, now),
        reached,
    )


def read_bundled(rows: Sequence[asyncpg.Record], token: Token, now: datetime) -> Claim:
    """The bundles of one session as one claim."""
    sessions, runs, lines, jobs, attempts, inputs, extras, deadlines, reached, _, sizes, *_ = zip(*rows, strict=True)
    joined = (
        sessions[0],
        *map(b"".join, (runs, lines, jobs, attempts)),
        list(chain.from_iterable(inputs)),
        one_column(extras, sizes),
        one_column(deadlines, sizes),
        next(filter(None, reached), None),
    )
    return read_claim(joined, token, now)


def inputs_apart(claims: Sequence[Claim]) -> list[RunId]:
    """The runs whose inputs are kept apart, which an empty input in their rows stands for; in order."""
    return sorted(
        run
        for claim in claims
        if b"" in claim.inputs
        for run, raw in zip(claim.runs, claim.inputs, strict=True)
        if not raw
    )


def fill_inputs(claims: Sequence[Claim], payloads: Mapping[RunId, bytes]) -> None:
    """Put the inputs that are kept apart into their columns."""
    for claim in claims:
        claim.inputs[:] = [raw or payloads.get(run, b"") for run, raw in zip(claim.runs, claim.inputs, strict=True)]


def one_column(columns: Sequence[list[T] | None], sizes: Sequence[int]) -> list[T | None] | None:
    """A column is missing where no run has anything for it."""
    if not any(columns):
        return None
    filled = (column or repeat(None, size) for column, size in zip(columns, sizes, strict=True))
    return list(chain.from_iterable(filled))


def read_extras(
    extras: list[bytes | None] | None, deadlines: list[bytes | None] | None, now: datetime
) -> list[bytes | None]:
    """The metadata that handlers see; a column is missing where no run has anything for it."""
    if deadlines is None:
        return extras or []
    return [
        for_handler(extra, read_instant(deadline), now)
        for extra, deadline in zip(extras or repeat(None), deadlines, strict=False)
    ]
