"""`mainspring migrate`."""

import asyncio
from collections.abc import Awaitable, Callable

import click

from mainspring.cli.options import config_option, home_option
from mainspring.cli.output.progress import spinner
from mainspring.errors import SchemaError
from mainspring.settings import ServerSettings, ensure_home, load
from mainspring.store import open_store
from mainspring.store.interface import Store

Act = Callable[[Store], Awaitable[None]]


@click.command()
@config_option
@home_option
@click.option(
    "--database-url", metavar="URL", help="Database: sqlite:///file.db or postgresql://… [default: SQLite in home]"
)
@click.option("--check", is_flag=True, help="Change nothing; exit 4 unless the schema is up to date.")
@click.option("--sql", is_flag=True, help="Change nothing; print the SQL of the missing migrations.")
def migrate(*, config: str | None, home: str | None, database_url: str | None, check: bool, sql: bool) -> None:
    """Migrate the database's schema to this version."""
    settings = load(ServerSettings, {"home": home, "database_url": database_url}, config=config)
    ensure_home(settings.home)
    act = check_schema if check else print_pending if sql else apply_pending
    asyncio.run(with_store(settings, act))


async def with_store(settings: ServerSettings, act: Act) -> None:
    store = await open_store(settings.store_url)
    try:
        await act(store)
    finally:
        await store.close()


async def apply_pending(store: Store) -> None:
    with spinner(f"applying {len(await store.pending())} files"):
        applied = await store.migrate()
    for name in applied:
        click.echo(f"applied {name}")
    if not applied:
        click.echo("the schema is up to date")


async def print_pending(store: Store) -> None:
    for name, text in (await store.pending()).items():
        click.echo(f"-- {name}\n{text}")


async def check_schema(store: Store) -> None:
    if pending := await store.pending():
        raise SchemaError(f"the database lacks {', '.join(pending)}: run `mainspring migrate`")
    await store.check_schema()
    click.echo("the schema is up to date")
