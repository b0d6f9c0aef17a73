"""Many runs at once, to measure how fast they are done; asked for like all others, and so part of the records."""

from itertools import count

import msgspec

from proof.chaos.stage import Stage
from proof.chaos.waiting import until
from proof.records import Operation, encode

NUMBERS = count(10_000_000)
"""Ids of operations, far from those of the client."""
BACKLOG = 2_000
"""Runs: more than all executors have room for."""


async def enqueue(stage: Stage, job: str, marks: list[str]) -> list[str]:
    """Ask for runs by SQL, which needs no network, and note it in channel C; the runs."""
    at = stage.now()
    calls = msgspec.json.encode([{"job": job, "input": {"payload": mark}} for mark in marks]).decode()
    [row] = await stage.ask_once("SELECT mainspring.enqueue_many($1::json) AS runs", calls)
    runs = [answer["id"] for answer in msgspec.json.decode(row["runs"])]
    record(stage, at, dict(zip(marks, runs, strict=True)), job=job)
    return runs


async def pile_up(stage: Stage) -> None:
    """More than can be done at once, begun but not over: what is claimed of it is kept in bundles."""
    first = next(NUMBERS)
    wanted = set(await enqueue(stage, "quick", [f"p{first}-{number}" for number in range(BACKLOG)]))
    since = stage.now() - 1
    await until(lambda: any(line.run in wanted for line in stage.ledger.starts(since=since)), "the start of a backlog")


async def drain_burst(stage: Stage, runs: int) -> float:
    """Runs done per second, from the commit of the request until the last of them is settled."""
    first = next(NUMBERS)
    wanted = await enqueue(stage, "quick", [f"b{first}-{number}" for number in range(runs)])
    since = stage.now()

    async def settled() -> bool:
        return not await stage.ask("SELECT FROM mainspring.live WHERE id = ANY ($1::text[]::uuid[]) LIMIT 1", wanted)

    await until(settled, f"the end of {runs} runs", within=120)
    return runs / (stage.now() - since)


def record(stage: Stage, at: float, runs: dict[str, str], *, job: str) -> None:
    """Channel C of what the harness itself asks for, in a file of its own."""
    with (stage.ground.folder / "bursts.jsonl").open("ab") as file:
        for mark, run in runs.items():
            asked = Operation(
                at=at,
                id=next(NUMBERS),
                client="harness",
                act="enqueue",
                phase="invoke",
                job=job,
                digest=mark,
                mark=mark,
            )
            told = {"at": stage.now(), "phase": "ok", "run": run}
            file.write(encode(asked) + encode(msgspec.structs.replace(asked, **told)))
