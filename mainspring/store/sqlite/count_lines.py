"""Counts the live runs of each line."""

from datetime import datetime

from mainspring.store.tx import Transactions, Tx


async def count_lines(transactions: Transactions, now: datetime) -> None:
    """Counting is a reader's work, so that the writer goes on meanwhile."""

    async def count(tx: Tx) -> list[dict[str, object]]:
        return [dict(row) for row in await tx.all("count_lines", now=now)]

    rows = await transactions.read(count)

    async def store(tx: Tx) -> None:
        if await tx.run("date_survey", now=now):
            await tx.run("clear_depths")
            await tx.run("put_depths", rows=rows)

    await transactions.write(store)
