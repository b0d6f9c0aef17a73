"""Calls that breakers let through one by one, and runs that wait for them."""

from datetime import UTC, datetime, timedelta

from mainspring.domain.breakers.window import Permits
from mainspring.domain.ids import RunId
from mainspring.domain.limits.bucket import Bucket
from mainspring.domain.runs.run import Parking
from mainspring.store.acts.runs.park import unpark
from mainspring.store.tx import Acts, Tx, reads, writes

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class PermitActs(Acts):
    """The contracts are in `store/interface/`."""

    @writes
    async def take_permits(self, tx: Tx, breaker: int, epoch: int, count: int, *, now: datetime) -> Permits:
        row = await tx.one("lock_permits", id=breaker, epoch=epoch)
        if row is None or row["gap"] is None:
            # Open, it lets none through; without a rate nobody has to ask.
            return Permits()
        micros = (now - EPOCH) // MICROSECOND
        bucket = Bucket(row["gap"], row["burst"])
        taken = max(0, min(count, bucket.tokens(row["full"], micros)))
        full = bucket.taken(row["full"], micros, taken)
        if taken:
            await tx.run("take_permits", id=breaker, full=full)
        opens = EPOCH + bucket.opens_at(full) * MICROSECOND
        return Permits(taken, opens if row["at_once"] is None and opens > now else None)

    @reads
    async def parked(self, tx: Tx) -> list[tuple[str, str]]:
        return [(row["namespace"], row["breaker"]) for row in await tx.all("parked_places")]

    @writes
    async def unpark(
        self, tx: Tx, namespace: str, name: str, *, epoch: int | None, now: datetime, limit: int, held: bool
    ) -> dict[RunId, int]:
        return await unpark(tx, (namespace, name), epoch=epoch, now=now, limit=limit, held=held)

    @reads
    async def parking(self, tx: Tx, run: RunId) -> Parking | None:
        row = await tx.one("parking_of", run=run)
        return None if row is None else Parking(row["breaker"], row["epoch"], row["until"])
