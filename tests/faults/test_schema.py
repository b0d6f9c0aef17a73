"""A server whose database does not fit says what to do and ends with exit code 4, before it does anything."""

import asyncpg
import pytest

from tests.acceptance.scene import Scene

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

NEWER = "INSERT INTO mainspring_migrations (version, name, checksum) VALUES (9999, '9999_later', 'x')"


async def test_a_schema_from_the_future_is_refused(scene: Scene, database_url: str) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute(NEWER)
    await connection.close()
    server = scene.fleet.server(database_url)

    assert await server.wait() == 4
    assert "upgrade mainspring" in server.said
    assert "Traceback" not in server.said


async def test_a_database_without_a_schema_is_refused_until_it_is_migrated(scene: Scene, postgres_url: str) -> None:
    server = scene.fleet.server(postgres_url)
    code = await server.wait()
    before = server.said
    unfit = await scene.fleet.command("migrate", "--check", MAINSPRING_DATABASE_URL=postgres_url).wait()
    migrated = await scene.fleet.command("migrate", MAINSPRING_DATABASE_URL=postgres_url).wait()
    fit = await scene.fleet.command("migrate", "--check", MAINSPRING_DATABASE_URL=postgres_url).wait()
    server.start()
    await server.ready()

    assert (code, unfit, migrated, fit) == (4, 4, 0, 0)
    assert "run `mainspring migrate`" in before
    assert "Traceback" not in before


async def test_a_server_may_migrate_by_itself(scene: Scene, postgres_url: str) -> None:
    servers = [scene.fleet.server(postgres_url, home=scene.folder / str(n), migrate=True) for n in range(2)]
    ready = [await server.ready() for server in servers]

    assert sum("migrated: 0001" in server.said for server in ready) == 1
