"""SQL lives only in store/, per database, and no statement reads a clock."""

import ast
import re
from collections.abc import Iterator

from tests.architecture.source import PACKAGE, Source, package

STATEMENT = re.compile(
    r"\bSELECT\b.+\bFROM\b|\bINSERT\s+INTO\b|\bUPDATE\s+\w+\s+SET\b|\bDELETE\s+FROM\b|\bCREATE\s+(TABLE|INDEX|FUNCTION)\b",
    re.DOTALL,
)
CLOCK = re.compile(
    r"\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|unixepoch|julianday)\s*\(|\bCURRENT_(TIME|DATE)",
    re.IGNORECASE,
)
CLOCK_QUERY = re.compile(r"^-- clock\b.*?(?=^-- \w+$|\Z)", re.DOTALL | re.MULTILINE)
"""The one query that asks the database for its time: `Store.clock`."""

CLOCK_OF_CALLERS = [
    "store/postgres/functions/settle.sql: clock_timestamp(",
    "store/postgres/functions/sql_enqueue.sql: clock_timestamp(",
]
"""Other people's transactions enqueue and settle by functions, without a server whose clock could be an argument."""

DRIVERS = {"asyncpg", "sqlite3", "psycopg", "aiosqlite", "sqlalchemy"}


def strings(source: Source) -> Iterator[tuple[int, str]]:
    """Text in the code, without docstrings and other bare strings."""
    bare = {id(found.value) for found in source.parts if isinstance(found, ast.Expr)}
    for found in source.parts:
        if isinstance(found, ast.Constant) and isinstance(found.value, str) and id(found) not in bare:
            yield found.lineno, found.value


def test_nothing_outside_the_store_contains_sql() -> None:
    found = [
        f"{source.name}:{line}"
        for source in package()
        if not source.inside.startswith("store/")
        for line, text in strings(source)
        if STATEMENT.search(text)
    ]

    assert found == []


def test_nothing_outside_a_database_s_own_folder_imports_its_driver() -> None:
    found = [
        f"{source.name}:{line} imports {name}"
        for source in package()
        if not re.match(r"store/\w+/", source.inside)
        for line, name in source.imported()
        if name.partition(".")[0] in DRIVERS
    ]

    assert found == []


def test_no_statement_reads_a_clock() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {match[0]}"
        for path in sorted(PACKAGE.rglob("*.sql"))
        for match in CLOCK.finditer(CLOCK_QUERY.sub("", without_comments(path.read_text())))
    ]

    assert found == CLOCK_OF_CALLERS


def without_comments(text: str) -> str:
    return re.sub(r"--(?! clock\b).*", "", text)
