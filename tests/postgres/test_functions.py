"""Functions of PostgreSQL come from files: replaced when their text changes, dropped one release after the last use."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from mainspring.errors import SchemaError
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.function_files import KEPT, PLANS, parse, read_functions
from mainspring.store.postgres.schema import FOLDER, PostgresSchema

HEAD = "CREATE SCHEMA mainspring; CREATE TABLE mainspring.functions (name text PRIMARY KEY, checksum text, retired_by text);"
TRIGGER_FUNCTIONS = {"keep_payload", "make_lines", "note_step", "refuse_change"}
"""Stand with their tables, in a migration."""


def answering(name: str, answer: int, head: str = "") -> str:
    return f"""-- Say it.
CREATE OR REPLACE FUNCTION mainspring.{name}() RETURNS integer
LANGUAGE plpgsql
{head}AS $$
BEGIN
  RETURN {answer};
END $$;
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("migrations", "functions"):
        (tmp_path / name).mkdir()
    (tmp_path / "migrations" / "0001_initial.sql").write_text(HEAD)
    write(tmp_path, answering("one", 1), answering("two", 2))
    return tmp_path


def write(folder: Path, *functions: str) -> None:
    (folder / "functions" / "numbers.sql").write_text("\n".join(functions))


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    opened = Database(postgres_url, size=4, application="test")
    yield opened
    await opened.close()


async def names(database: Database) -> set[str]:
    found = "SELECT proname FROM pg_proc WHERE pronamespace = 'mainspring'::regnamespace"
    return {row["proname"] for row in await database.fetch(found)}


async def columns(database: Database, table: str) -> set[str]:
    found = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0"
    return {row["attname"] for row in await database.fetch(found, f"mainspring.{table}")}


@pytest.mark.postgres
async def test_a_function_whose_text_changed_is_replaced_and_no_other(database: Database, folder: Path) -> None:
    first = await PostgresSchema(database, folder).migrate()
    write(folder, answering("one", 1), answering("two", 22))
    schema = PostgresSchema(database, folder)
    with pytest.raises(SchemaError, match=r"other functions than this version \(two\): run `mainspring migrate`"):
        await schema.check()
    waiting = await schema.pending()
    second = await schema.migrate()
    await schema.check()

    assert first == ["0001_initial", "functions/numbers"]
    assert second == list(waiting) == ["functions/numbers"]
    assert "two" in waiting["functions/numbers"]
    assert "one" not in waiting["functions/numbers"]
    assert await database.fetchval("SELECT mainspring.two()") == 22
    assert await schema.migrate() == []


@pytest.mark.postgres
async def test_a_comment_is_no_change(database: Database, folder: Path) -> None:
    await PostgresSchema(database, folder).migrate()
    write(folder, answering("one", 1).replace("Say", "Tell"), answering("two", 2))

    assert await PostgresSchema(database, folder).pending() == {}


@pytest.mark.postgres
async def test_a_function_that_is_gone_is_dropped_one_release_later(database: Database, folder: Path) -> None:
    await PostgresSchema(database, folder, "1.0").migrate()
    write(folder, answering("one", 1))
    kept = []
    for version in ("1.1", "1.1", "1.2"):
        schema = PostgresSchema(database, folder, version)
        await schema.migrate()
        await schema.check()
        kept.append(await names(database))

    assert kept == [{"one", "two"}, {"one", "two"}, {"one"}]


@pytest.mark.postgres
async def test_the_release_before_finds_its_functions_or_brings_them_back(database: Database, folder: Path) -> None:
    await PostgresSchema(database, folder, "1.0").migrate()
    before = PostgresSchema(database, folder, "1.0")
    await before.check()
    write(folder, answering("one", 11))
    await PostgresSchema(database, folder, "1.1").migrate()
    with pytest.raises(SchemaError, match="run `mainspring migrate`"):
        await before.check()
    await before.migrate()
    await before.check()

    assert await database.fetchval("SELECT mainspring.one() + mainspring.two()") == 3


@pytest.mark.postgres
async def test_migrates_at_once_replace_each_file_once(database: Database, folder: Path) -> None:
    await PostgresSchema(database, folder).migrate()
    write(folder, answering("one", 11), answering("two", 22))
    answers = await asyncio.gather(*(PostgresSchema(database, folder).migrate() for _ in range(4)))

    assert sorted(answers) == [[], [], [], ["functions/numbers"]]


@pytest.mark.postgres
async def test_a_database_has_the_functions_of_the_files_with_their_plans(database: Database) -> None:
    await PostgresSchema(database).migrate()
    written = {function.name: function for function in read_functions(FOLDER / "functions")}
    pinned = {
        row["proname"]: set(row["proconfig"])
        for row in await database.fetch("SELECT proname, proconfig FROM pg_proc WHERE proconfig IS NOT NULL")
    }

    assert await names(database) == written.keys() | TRIGGER_FUNCTIONS
    assert pinned["claim_4"] == {f"{name}={value}" for name, value in PLANS["nested"].items()}
    assert "enable_sort=off" in pinned["claim_bundled_1"]


@pytest.mark.postgres
async def test_functions_with_the_owner_s_rights_need_a_grant(database: Database, postgres_url: str) -> None:
    await PostgresSchema(database).migrate()
    connection = await asyncpg.connect(postgres_url)
    rows = await connection.fetch(
        "SELECT proname FROM pg_proc WHERE pronamespace = 'mainspring'::regnamespace AND prosecdef"
        " AND NOT has_function_privilege('public', oid, 'EXECUTE')"
    )
    await connection.close()

    assert {row["proname"] for row in rows} == {"enqueue", "enqueue_many", "settle", "make_lines", "note_step"}


def test_a_plan_stands_for_its_settings() -> None:
    (function,) = parse("numbers", answering("one", 1, "-- plan: nested, unsorted\n"))

    assert [line for line in function.sql.splitlines() if line.startswith("SET ")] == [
        f"SET {name} = {value}" for name, value in PLANS["nested, unsorted"].items()
    ]
    assert "plan:" not in function.sql


def test_the_columns_that_a_run_keeps_are_written_out() -> None:
    (function,) = parse("numbers", answering("one", 1).replace("RETURN 1", "SELECT {m.kept} INTO {kept}"))

    assert f"SELECT {', '.join('m.' + name for name in KEPT)} INTO {', '.join(KEPT)};" in function.sql


@pytest.mark.postgres
async def test_a_run_keeps_all_columns_but_those_of_its_progress(database: Database) -> None:
    await PostgresSchema(database).migrate()
    live, settled = await columns(database, "runs"), await columns(database, "history")

    told = {"attempt", "state", "failures", "losses", "token", "session", "reason", "input"}
    assert (live & settled) - set(KEPT) == told
    assert set(KEPT) <= live & settled


def test_what_is_no_function_is_refused(folder: Path) -> None:
    with pytest.raises(SchemaError, match="no such plan: guessed"):
        list(parse("numbers", answering("one", 1, "-- plan: guessed\n")))
    with pytest.raises(SchemaError, match=r"functions/numbers\.sql: not a function: DROP TABLE runs;"):
        list(parse("numbers", answering("one", 1) + "\nDROP TABLE runs;\n"))
    write(folder, answering("one", 1), answering("one", 2))
    with pytest.raises(SchemaError, match="defined twice: one"):
        read_functions(folder / "functions")
