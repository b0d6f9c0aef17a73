"""Transactions as the acts of both databases see them: four verbs over statements that have names.

An act is written once, as a coroutine. PostgreSQL awaits each verb; on SQLite no verb ever suspends, so that the writing
thread drives the whole coroutine to its end inside one transaction.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.triggers.trigger import Trigger
from mainspring.store.aside import Aside
from mainspring.store.sql import Filled

T = TypeVar("T")
P = ParamSpec("P")


class Row(Protocol):
    """A row by the names of its columns; instants are `datetime`, ids are bytes."""

    def __getitem__(self, column: str, /) -> Any: ...

    def keys(self) -> Iterable[str]: ...


S = TypeVar("S", bound=msgspec.Struct)


def struct_of(kind: type[S], row: Row, **others: object) -> S:
    """The struct whose fields are the columns of the same names, but for the others."""
    return kind(**{name: row[name] for name in kind.__struct_fields__ if name not in others}, **others)


class Blob(msgspec.Struct, frozen=True):
    """Bytes of any length, or none, as a field of `rows`; on SQLite the field is a start and a length in one blob."""

    value: bytes | None


class Tx(Protocol):
    """One transaction. Two kinds of parameters stand for many values:

    A sequence is an array of the database; on SQLite a JSON array, or, of ids, a blob beside as many elements of `:rows`.
    `rows`, a sequence of mappings with the same fields, are arrays by the names of these fields; on SQLite `:rows` is a
    JSON array of objects, and each field of ids a blob.

    SQLite keeps history in a table a day: `day`, an instant, says which one a statement with the gap `{day}` is about.
    """

    aside: Aside
    """The rows that cannot be read."""

    async def one(self, statement: str | Filled, **parameters: object) -> Row | None:
        """The first row, or None."""

    async def all(self, statement: str | Filled, **parameters: object) -> Sequence[Row]: ...

    async def past(self, statement: str, runs: Sequence[RunId], **parameters: object) -> Sequence[Row]:
        """Rows of days on which something about these runs (`ids`) may be stored; PostgreSQL gets their start as `since`."""

    async def run(self, statement: str | Filled, **parameters: object) -> int:
        """How many rows were changed."""

    async def triggers(self, statement: str, **parameters: object) -> Sequence[Any]:
        """Rows of triggers, as `read_trigger` takes them."""

    def read_trigger(self, row: Any, /) -> Trigger: ...

    async def batch(self, statement: str, each: Sequence[Mapping[str, object]]) -> None:
        """Run a statement once with each of these parameters."""


async def holds(tx: Tx, statement: str, **parameters: object) -> bool:
    """Whether a statement that asks `AS held` says so."""
    row = await tx.one(statement, **parameters)
    return row is not None and bool(row["held"])


Act = Callable[[Tx], Coroutine[Any, Any, T]]


class Transactions(Protocol):
    """Runs acts; one that the database refuses for another transaction's sake is run again from its beginning."""

    aside: Aside

    async def read(self, act: Act[T]) -> T:
        """Each statement sees the database as it is then."""

    async def read_together(self, act: Act[T]) -> T:
        """All statements run in one transaction."""

    async def write(self, act: Act[T]) -> T:
        """All statements take effect, or none does."""

    async def write_history(self, act: Act[T], *, now: datetime) -> T:
        """The same for an act that writes to the history of that day, which is made if it does not exist."""

    async def write_history_once(self, act: Act[T], *, now: datetime) -> T:
        """The same for an act of a single statement, which needs no transaction around it."""

    async def write_once(self, act: Act[T]) -> T:
        """For an act of a single statement, which needs no transaction around it."""


class Acts:
    """Base of the classes that hold a noun's acts."""

    def __init__(self, transactions: Transactions) -> None:
        self.transactions = transactions


A = TypeVar("A", bound=Acts)
Method = Callable[Concatenate[A, Tx, P], Coroutine[Any, Any, T]]
Bound = Callable[Concatenate[A, P], Coroutine[Any, Any, T]]


def reads(act: Method[A, P, T]) -> Bound[A, P, T]:
    """Make a verb of the store from an act that reads."""

    async def verb(self: A, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.transactions.read(lambda tx: act(self, tx, *args, **kwargs))

    return verb


def reads_together(act: Method[A, P, T]) -> Bound[A, P, T]:
    """The same, for statements that need one transaction around them."""

    async def verb(self: A, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.transactions.read_together(lambda tx: act(self, tx, *args, **kwargs))

    return verb


def writes(act: Method[A, P, T]) -> Bound[A, P, T]:
    """Make a verb of the store from an act that writes."""

    async def verb(self: A, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.transactions.write(lambda tx: act(self, tx, *args, **kwargs))

    return verb


def writes_history(act: Method[A, P, T]) -> Bound[A, P, T]:
    """The same, for an act that writes to the history of the day of its argument `now`."""

    async def verb(self: A, /, *args: P.args, **kwargs: P.kwargs) -> T:
        now: Any = kwargs["now"]
        return await self.transactions.write_history(lambda tx: act(self, tx, *args, **kwargs), now=now)

    return verb


def writes_history_once(act: Method[A, P, T]) -> Bound[A, P, T]:
    """The same, for an act of a single statement."""

    async def verb(self: A, /, *args: P.args, **kwargs: P.kwargs) -> T:
        now: Any = kwargs["now"]
        return await self.transactions.write_history_once(lambda tx: act(self, tx, *args, **kwargs), now=now)

    return verb


def writes_once(act: Method[A, P, T]) -> Bound[A, P, T]:
    """The same, for an act of a single statement."""

    async def verb(self: A, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.transactions.write_once(lambda tx: act(self, tx, *args, **kwargs))

    return verb
