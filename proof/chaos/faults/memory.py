"""A handler in a child that takes more memory than its executor may have: the system ends that child."""

import random
from contextlib import suppress
from pathlib import Path

import psutil

from proof.chaos.burst import enqueue
from proof.chaos.faults.deaths import CHILD_MAX
from proof.chaos.figures import Figure, restarted
from proof.chaos.places import EXECUTORS
from proof.chaos.stage import Stage
from proof.chaos.waiting import until
from proof.records import Execution

GROUPS = Path("/sys/fs/cgroup/memory")
"""Of cgroups' first version; the second has no such folder."""
ROOM = 512 << 20


def groups_permitted() -> bool:
    probe = GROUPS / "mainspring-chaos"
    try:
        probe.mkdir(exist_ok=True)
        probe.rmdir()
    except OSError:
        return False
    return (GROUPS / "cgroup.procs").exists()


async def out_of_memory(stage: Stage, lot: random.Random) -> list[Figure]:
    mark = f"hog-{lot.randrange(1_000_000)}"
    groups = [confine(stage, name) for name in EXECUTORS]
    async with stage.fault("out_of_memory"):
        [run] = await enqueue(stage, "hog", [mark])
        victim = (await until(lambda: begun(stage, run), "the hog's start"))[0]
        await until(lambda: not psutil.pid_exists(victim.pid), "the hog's end")
        since = stage.now()
        found = await restarted(stage, [victim], min(since, victim.at))
        found -= since - victim.at
    for group in groups:
        release(group)
    return [Figure(fault="out_of_memory", what="its run restarted", value=max(found, 0.0), target=CHILD_MAX)]


def begun(stage: Stage, run: str) -> list[Execution]:
    return [line for line in stage.ledger.starts() if line.run == run]


def confine(stage: Stage, name: str) -> Path:
    """Have the executor and its children share so much memory."""
    group = GROUPS / f"mainspring-chaos-{name}"
    stage.ground.leftovers.note("group", str(group))
    group.mkdir(exist_ok=True)
    (group / "memory.limit_in_bytes").write_text(str(ROOM))
    for pid in stage.fleet.executors[name].family():
        move(pid, group)
    return group


def release(group: Path) -> None:
    for pid in (group / "cgroup.procs").read_text().split():
        move(int(pid), GROUPS)
    group.rmdir()


def move(pid: int, group: Path) -> None:
    # A child may have come to its end meanwhile.
    with suppress(ProcessLookupError):
        (group / "cgroup.procs").write_text(str(pid))
