"""The guides of this part: their Python is that of the examples, which are run, and their SQL is run here."""

import os
import re
from textwrap import dedent

import psycopg
import pytest

from tests.architecture.source import ROOT
from tests.contrib.shop import Onlooker

GUIDES = ROOT / "docs" / "guides"
PAGES = ("transactional-enqueue", "fastapi", "flask", "django")

PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SQL = re.compile(r"^```sql\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_every_python_block_is_taken_from_an_example(page: str) -> None:
    blocks = PYTHON.findall((GUIDES / f"{page}.md").read_text())
    strange = [block for block in blocks if not stands_in_example(block)]

    assert len(blocks) > 2
    assert strange == []


def stands_in_example(block: str) -> bool:
    first, _, code = block.partition("\n")
    wanted = code.splitlines()
    lines = (ROOT / first.removeprefix("# ")).read_text().splitlines()
    places = (lines[start : start + len(wanted)] for start in range(len(lines)))
    return any(dedent("\n".join(place)).splitlines() == wanted for place in places)


@pytest.mark.postgres
def test_every_sql_block_does_what_the_page_says(shop_url: str, onlooker: Onlooker) -> None:
    role = f"webshop_{os.getpid()}"
    blocks = [
        block.replace("webshop", role) for block in SQL.findall((GUIDES / "transactional-enqueue.md").read_text())
    ]
    onlooker.execute(f"CREATE ROLE {role} LOGIN")
    for block in blocks:
        onlooker.execute(block)
    with psycopg.connect(shop_url, user=role) as shop:
        shop.execute("SELECT enqueue_pack(8)")
        shop.execute("SELECT mainspring.enqueue('pack', '{\"order\": 9}')")
    rows = onlooker.all("SELECT convert_from(input, 'UTF8')::json ->> 'order' FROM mainspring.runs ORDER BY id")
    onlooker.execute(f"DROP OWNED BY {role}; DROP ROLE {role}; DROP FUNCTION enqueue_pack")

    assert [int(order) for (order,) in rows] == [4, 5, 6, 7, 8, 9]
    assert onlooker.orders() == [4]


@pytest.mark.postgres
def test_every_state_of_an_error_is_on_the_page() -> None:
    page = (GUIDES / "transactional-enqueue.md").read_text()
    written = "".join(path.read_text() for path in (ROOT / "mainspring/store/postgres/functions").glob("sql_*.sql"))
    raised = set(re.findall(r"ERRCODE = '(MS\w+)'", written))

    assert raised == set(re.findall(r"`(MS[A-Z]{3})`", page))
