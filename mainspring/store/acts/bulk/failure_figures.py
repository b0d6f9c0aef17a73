"""When failures of a kind happened lately, and which code versions they have."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.cluster.session import Abilities
from mainspring.domain.ids import RunId
from mainspring.domain.runs.dead_letter import HOURS, RECENT_MAX, VERSIONS_OF, FailureFigure
from mainspring.store.tx import Acts, Row, Tx, reads_together

HOUR = timedelta(hours=1)


class FailureFigureActs(Acts):
    """The contracts are in `store/interface/bulk.py`."""

    @reads_together
    async def failure_figures(
        self, tx: Tx, namespace: str, fingerprints: Sequence[bytes], *, now: datetime
    ) -> list[FailureFigure]:
        if not fingerprints:
            return []
        await tx.run("pin_plans")
        kinds = {"namespace": namespace, "fingerprints": list(fingerprints)}
        recent = await tx.all("recent_dead", **kinds, since=now - HOURS * HOUR, most=RECENT_MAX + 1)
        hours = {row["fingerprint"]: msgspec.json.decode(row["hours"], type=list[int]) for row in recent}
        samples = await tx.all("sample_dead", **kinds, most=VERSIONS_OF)
        versions = await versions_of(tx, [row["run"] for row in samples])
        found: defaultdict[bytes, set[str]] = defaultdict(set)
        for row in samples:
            found[row["fingerprint"]] |= versions[row["run"]]
        return [figure_of(kind, hours.get(kind, []), found[kind]) for kind in fingerprints]


async def versions_of(tx: Tx, runs: Sequence[RunId]) -> defaultdict[RunId, set[str]]:
    found: defaultdict[RunId, set[str]] = defaultdict(set)
    for row in await tx.past("versions_of_dead", runs) if runs else ():
        if version := version_row(row):
            found[row["run"]].add(version)
    return found


def version_row(row: Row) -> str:
    """Of the code that made the attempt; empty: it is not known any more, or what is written of it cannot be read."""
    if row["abilities"] is None:
        return row["code_version"] or ""
    try:
        return msgspec.json.decode(row["abilities"], type=Abilities).code_version
    except msgspec.MsgspecError:
        return ""


def figure_of(kind: bytes, hours: Sequence[int], versions: set[str]) -> FailureFigure:
    counts = [0] * HOURS
    for hour in hours[:RECENT_MAX]:
        # One that failed at this very moment is in the last hour.
        counts[min(max(hour, 0), HOURS - 1)] += 1
    return FailureFigure(
        fingerprint=kind, hours=tuple(counts), more=len(hours) > RECENT_MAX, versions=tuple(sorted(versions))
    )
