"""Ways to put a bug into the product while a block lasts; the product itself knows nothing of it."""

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows.graph import graph_of
from mainspring.store import sql

ABSENT = object()
Change = Callable[[], AbstractContextManager[None]]


def nothing() -> AbstractContextManager[None]:
    return nullcontext()


class Outgrown(Exception):  # noqa: N818 it is no error of the product
    """The product has changed: what the bug would replace is not there any more."""


def forget_graphs() -> None:
    graph_of.cache_clear()
    own_graph.cache_clear()


@contextmanager
def replaced(owner: Any, name: str, value: object) -> Iterator[None]:
    before = inspect.getattr_static(owner, name, ABSENT)
    setattr(owner, name, value)
    # Graphs know moves that were decided by other words.
    forget_graphs()
    try:
        yield
    finally:
        forget_graphs()
        if before is ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, before)


def rewrites(owner: Any, name: str, *changes: tuple[str, str]) -> Change:
    """Other words in the source of a function or method; where they are looked up is left as it is."""
    return partial(_rewritten, owner, name, changes)


@contextmanager
def _rewritten(owner: Any, name: str, changes: tuple[tuple[str, str], ...]) -> Iterator[None]:
    before = inspect.getattr_static(owner, name)
    with replaced(owner, name, compiled(before, changes)):
        yield


def compiled(function: FunctionType, changes: tuple[tuple[str, str], ...]) -> FunctionType:
    source = textwrap.dedent(inspect.getsource(function))
    source = source[source.index("async def" if inspect.iscoroutinefunction(function) else "def") :]
    for old, new in changes:
        if old not in source:
            raise Outgrown(f"{function.__qualname__} has no {old!r}")
        source = source.replace(old, new)
    scope: dict[str, Any] = {}
    exec(source, function.__globals__, scope)  # noqa: S102 the project's own source
    made: FunctionType = scope[function.__name__]
    made.__kwdefaults__, made.__defaults__ = function.__kwdefaults__, function.__defaults__
    return made


def requeries(name: str, *changes: tuple[str, str], database: str = "sqlite") -> Change:
    """Other words in a named query of one database."""
    return partial(_requeried, name, changes, database)


@contextmanager
def _requeried(name: str, changes: tuple[tuple[str, str], ...], database: str) -> Iterator[None]:
    read = sql.read_file

    def read_changed(file: Path) -> Iterator[tuple[str, str]]:
        for query, text in read(file):
            mine = query == name and file.parents[1].name in (database, sql.SHARED.parent.name)
            yield query, changed(query, text, changes) if mine else text

    with replaced(sql, "read_file", read_changed):
        sql.load.cache_clear()
        try:
            yield
        finally:
            sql.load.cache_clear()


def changed(query: str, text: str, changes: tuple[tuple[str, str], ...]) -> str:
    for old, new in changes:
        if old not in text:
            raise Outgrown(f"the query {query} has no {old!r}")
        text = text.replace(old, new)
    return text


def sets(owner: Any, name: str, value: object) -> Change:
    """Another value."""
    return partial(replaced, owner, name, value)


def together(*changes: Change) -> Change:
    @contextmanager
    def all_of_them() -> Iterator[None]:
        with ExitStack() as stack:
            for change in changes:
                stack.enter_context(change())
            yield

    return all_of_them
