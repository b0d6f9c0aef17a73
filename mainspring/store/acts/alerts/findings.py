"""Facts for alert rules: each question is asked once for all rules of its kind."""

from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.store.interface.alerts.findings import EndedCount, ExpiringToken, NewFingerprint, StillFlow, TriggerFact
from mainspring.store.loads import read_load
from mainspring.store.tx import Acts, Tx, reads


class FindingActs(Acts):
    """The contracts are in `store/interface/`."""

    @reads
    async def ended(self, tx: Tx, *, since: datetime) -> list[EndedCount]:
        rows = await tx.all("ended_since", since=since)
        return [EndedCount(row["line"], row["job"], row["state"], row["runs"]) for row in rows]

    @reads
    async def dead(self, tx: Tx, *, since: datetime) -> list[EndedCount]:
        rows = await tx.all("dead_since", since=since)
        return [EndedCount(row["line"], row["job"], None, row["runs"], row["error"]) for row in rows]

    @reads
    async def new_fingerprints(self, tx: Tx, *, since: datetime, now: datetime) -> list[NewFingerprint]:
        rows = await tx.all("new_fingerprints", since=since, now=now)
        return [
            NewFingerprint(row["job"], row["fingerprint"].hex(), row["runs"], row["error"], row["first_at"])
            for row in rows
        ]

    @reads
    async def open_dead(self, tx: Tx) -> dict[int, int]:
        return {row["job"]: row["runs"] for row in await tx.all("open_dead")}

    @reads
    async def marks(self, tx: Tx) -> dict[int, datetime | None]:
        return {row["job"]: row["succeeded_at"] for row in await tx.all("job_marks")}

    @reads
    async def late(self, tx: Tx, *, before: datetime) -> list[TriggerFact]:
        rows = await tx.all("late_triggers", before=before)
        return [TriggerFact(row["namespace"], row["name"], row["job"], row["act_at"]) for row in rows]

    @reads
    async def paused(self, tx: Tx) -> list[TriggerFact]:
        rows = await tx.all("paused_triggers")
        return [TriggerFact(row["namespace"], row["name"], row["job"], row["paused_at"]) for row in rows]

    @reads
    async def triggers(self, tx: Tx, *, overdue: datetime) -> Sequence[tuple[str, str, int]]:
        rows = await tx.all("trigger_states", overdue=overdue)
        return [(row["namespace"], row["state"], row["triggers"]) for row in rows]

    @reads
    async def skips(self, tx: Tx, *, since: datetime) -> Sequence[tuple[str, str, str, int]]:
        rows = await tx.all("skips_since", since=since)
        return [(row["namespace"], row["name"], row["job"], row["skips"]) for row in rows]

    @reads
    async def fired(
        self, tx: Tx, namespace: str, trigger: str, *, since: datetime, until: datetime
    ) -> list[tuple[datetime, RunId]]:
        rows = await tx.all("fired_since", namespace=namespace, trigger=trigger, since=since, until=until)
        return [(row["fire_at"], row["run"]) for row in rows]

    @reads
    async def skipped(self, tx: Tx, namespace: str, trigger: str, *, since: datetime) -> list[datetime]:
        rows = await tx.all("skipped_since", namespace=namespace, trigger=trigger, since=since)
        return [row["last_at"] for row in rows]

    @reads
    async def running(self, tx: Tx, *, before: datetime) -> list[StillFlow]:
        rows = await tx.all("longest_running", before=before)
        return [StillFlow(row["job"], row["id"], row["claimed_at"]) for row in rows]

    @reads
    async def lost(self, tx: Tx, *, since: datetime) -> list[TriggerFact]:
        rows = await tx.all("lost_sessions", since=since)
        return [TriggerFact(row["namespace"], row["executor"], "", row["closed_at"]) for row in rows]

    @reads
    async def strays(self, tx: Tx) -> Sequence[tuple[str, str, int]]:
        found = [(row, read_load(row["load"])) for row in await tx.all("session_loads")]
        return [(row["namespace"], row["executor"], load.strays) for row, load in found if load is not None]

    @reads
    async def stuck(self, tx: Tx, *, before: datetime) -> list[StillFlow]:
        rows = await tx.all("still_flows", before=before)
        return [StillFlow(row["job"], row["run"], row["touched_at"]) for row in rows]

    @reads
    async def expiring(self, tx: Tx, *, now: datetime, until: datetime) -> list[ExpiringToken]:
        rows = await tx.all("expiring_tokens", now=now, until=until)
        return [ExpiringToken(row["id"], row["name"], row["namespace"], row["expires_at"]) for row in rows]
