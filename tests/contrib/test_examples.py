"""The examples do what their pages say, started as their pages say."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
import pytest_asyncio

from tests.contrib.stage import Stage, answer
from tests.support.limits import HANG
from tests.support.postgres import Postgres
from tests.support.processes import EXECUTOR_TOKEN

pytestmark = [pytest.mark.slow]

Play = Callable[..., Awaitable[Stage]]


@pytest_asyncio.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    stages: list[Stage] = []

    async def start(example: str, database_url: str = "", **env: str) -> Stage:
        stages.append(Stage(example, tmp_path, database_url, **env))
        await stages[0].open()
        return stages[0]

    try:
        yield start
    finally:
        for stage in stages:
            stage.close()
            with suppress(OSError):
                print(stage.logs)


@pytest.fixture
async def migrated_url(postgres: Postgres) -> AsyncIterator[str]:
    url = await postgres.create_migrated()
    yield url
    await postgres.drop_database(url)


async def test_fastapi(play: Play) -> None:
    stage = await play("fastapi_app")
    await stage.executor("jobs:app")
    async with await stage.web("uvicorn", "main:web", "--port", "0") as web:
        first = await web.post("/signups", json={"email": "anna@example.com"})
        again = await web.post("/signups", json={"email": "anna@example.com"})
        done = await answer(web, f"/signups/{first.json()['run']}", until="succeeded")
        letters = await web.get("/letters/bo@example.com")
        missing = await web.get("/signups/01900000-0000-7000-8000-000000000000")

    assert (first.status_code, again.json()) == (202, first.json())
    assert done["result"] == "sent to anna@example.com"
    assert letters.json() == 14
    assert missing.status_code == 404


async def test_fastapi_with_an_executor_inside(play: Play) -> None:
    stage = await play("fastapi_app")
    inside = {
        "EXECUTOR_INSIDE": "1",
        "MAINSPRING_EXECUTOR_SERVERS": stage.server.url,
        "MAINSPRING_EXECUTOR_TOKEN": EXECUTOR_TOKEN,
    }
    async with await stage.web("uvicorn", "main:web", "--port", "0", **inside) as web:
        await stage.server.ready(executors=1)
        letters = await web.get("/letters/anna@example.com")

    assert letters.json() == 16


async def test_flask(play: Play) -> None:
    stage = await play("flask_app")
    await stage.executor("jobs:app")
    # Flask's own names for the settings; without them the environment counts, as everywhere.
    own = {"FLASK_MAINSPRING_URL": stage.server.url, "MAINSPRING_URL": "http://127.0.0.1:9"}
    async with await stage.web("flask", "--app", "guestbook", "run", "--port", "0", **own) as web:
        entry = await web.post("/entries", data={"text": "What a lovely place"})
        done = await answer(web, f"/entries/{entry.json()['run']}", until="succeeded")
        missing = await web.get("/entries/01900000-0000-7000-8000-000000000000")

    assert entry.status_code == 202
    assert done["result"] == {"words": 4}
    assert missing.status_code == 404


async def test_django(play: Play, tmp_path: Path) -> None:
    stage = await play(
        "django_site", DJANGO_SETTINGS_MODULE="mysite.settings", SQLITE_FILE=str(tmp_path / "db.sqlite3")
    )
    await stage.runs("manage.py", "migrate")
    await stage.executor("mainspring.contrib.django:app")
    async with await stage.web("uvicorn", "mysite.asgi:application", "--port", "0", "--lifespan", "off") as web:
        order = (await web.post("/orders", data={"customer": "anna@example.com"})).json()
        done = await answer(web, f"/results/{order['result']}", until="SUCCESSFUL", field="status")
        counted = (await web.get("/orders")).json()
        count = await answer(web, f"/results/{counted['result']}", until="SUCCESSFUL", field="status")
        missing = await web.get("/results/01900000-0000-7000-8000-000000000000")

    assert (done["value"], done["attempts"]) == ("order 1 of anna@example.com is confirmed", 1)
    assert count["value"] == 1
    assert missing.status_code == 404


@pytest.mark.postgres
async def test_django_in_one_transaction(play: Play, migrated_url: str) -> None:
    stage = await play("django_site", migrated_url, DJANGO_SETTINGS_MODULE="mysite.settings", DATABASE_URL=migrated_url)
    await stage.runs("manage.py", "migrate")
    await stage.executor("mainspring.contrib.django:app")
    async with await stage.web("uvicorn", "mysite.asgi:application", "--port", "0", "--lifespan", "off") as web:
        failed = (await web.post("/orders", data={"customer": "bert@example.com", "fail": "1"})).json()
        order = (await web.post("/orders", data={"customer": "anna@example.com"})).json()
        done = await answer(web, f"/results/{order['result']}", until="SUCCESSFUL", field="status")
        gone = await web.get(f"/results/{failed['result']}")
    with psycopg.connect(migrated_url) as connection:
        customers = connection.execute("SELECT customer, confirmed FROM shop_order").fetchall()

    assert done["value"] == f"order {order['order']} of anna@example.com is confirmed"
    assert gone.status_code == 404
    assert customers == [("anna@example.com", True)]


@pytest.mark.postgres
async def test_transactional(play: Play, migrated_url: str) -> None:
    stage = await play("transactional", migrated_url, DATABASE_URL=migrated_url)
    await stage.executor("jobs:app")
    placed = [
        await stage.runs("place_order.py", "1"),
        await stage.runs("place_order.py", "2", "--fail"),
        await stage.runs("place_order.py", "3", "--with", "sqlalchemy"),
        await stage.runs("place_order.py", "6", "--with", "psycopg"),
    ]
    script = (stage.folder / "place_order.sql").read_text().replace(":number", "5")
    with psycopg.connect(migrated_url, autocommit=True) as connection:
        connection.execute(script.encode())
        orders = connection.execute("SELECT number FROM orders ORDER BY number").fetchall()
    async with stage.server.client() as client:
        listed = [run.id for run in (await client.list()).runs]
        packed = [(await client.wait(run, timeout=HANG)).result for run in listed]

    refused = "out of stock: no order, and nothing to pack"
    assert placed == ["packed 1", refused, "packed 3", "packed 6"]
    assert orders == [(1,), (3,), (5,), (6,)]
    assert sorted(packed) == ["packed 1", "packed 3", "packed 5", "packed 6"]


@pytest.mark.postgres
async def test_exactly_once(play: Play, migrated_url: str) -> None:
    stage = await play("exactly_once", migrated_url, DATABASE_URL=migrated_url)
    await stage.executor("jobs:app")
    said = await stage.runs("play.py")
    async with stage.server.client() as client:
        [booked] = [run async for run in client.iterate(job="book", bodies=True)]
        [mailed] = [run async for run in client.iterate(job="send_mail")]
        memory = await client.memory(mailed.id)

    assert said.splitlines() == [
        "set_price: succeeded, attempt 2",
        "pay: succeeded, attempt 2",
        "send_mail: succeeded, attempt 2",
        "book: succeeded, attempt 2",
        "prices: 1",
        "payments: 1",
        "outbox: 1",
        "bookings: 1",
    ]
    assert booked.result == "booked 7"
    assert [(one.name, one.done) for one in memory.effects] == [("mail", True)]
