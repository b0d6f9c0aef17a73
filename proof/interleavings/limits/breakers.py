"""Cases in which servers turn a breaker, operators steer it, and executors ask for its permits at once."""

from collections.abc import Callable
from typing import Any

from mainspring.domain.access.permissions import SYSTEM, AuditEntry
from mainspring.domain.breakers.breaker import Breaker, BreakerState, closed, half_opened, opened, steered
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import NOTHING
from mainspring.domain.limits.gates import breaker_gate
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings.case import Case, Ending
from proof.interleavings.endings import running
from proof.interleavings.stage import LATER, NAMESPACE, Act, Facts, Play, Prepare, Stage

PROBES = 2
SPEC = BreakerSpec(probes=PROBES)

Turn = Callable[[Breaker], Breaker]


async def present(store: Store, facts: Facts) -> Breaker:
    [found] = [one for one in await store.breakers.all() if one.name == facts.name]
    return found


def in_state(*turns: Turn) -> Prepare:
    """A breaker after these turns."""

    async def prepare(store: Store, facts: Facts) -> None:
        await running(store, facts)
        await store.breakers.ensure(NAMESPACE, facts.name, now=START, spec=SPEC)
        for turn in turns:
            before = await present(store, facts)
            assert await store.breakers.turn(turn(before), before=before.revision, counted=NOTHING)
        facts.scene = await present(store, facts)

    return prepare


def fall(breaker: Breaker) -> Breaker:
    return opened(breaker, NOTHING, "too many failed", START, 0.0)


def probe(breaker: Breaker) -> Breaker:
    return half_opened(breaker, START)


def close(breaker: Breaker) -> Breaker:
    return closed(breaker, START)


def turn_to(turn: Turn) -> Act:
    """A server that decided from what it last read."""

    async def act(store: Store, facts: Facts) -> bool:
        before: Breaker = facts.scene
        return await store.breakers.turn(turn(before), before=before.revision, counted=NOTHING)

    return act


async def force(store: Store, facts: Facts) -> Any:
    entry = AuditEntry(
        at=LATER, actor=SYSTEM, namespace=NAMESPACE, act="breaker.force_open", kind="breaker", key=facts.name
    )

    def steer(breaker: Breaker) -> Breaker:
        return steered(breaker, BreakerState.FORCED_OPEN, reason="maintenance", by="anna", now=LATER)

    return await store.breakers.steer(NAMESPACE, facts.name, steer, entry=entry)


async def ask(store: Store, facts: Facts) -> int:
    """An executor asks for all probes there are, in the epoch that it was told of."""
    return (await store.breakers.take_permits(facts.scene.id, facts.scene.epoch, PROBES, now=LATER)).count


async def look(stage: Stage, play: Play) -> tuple[Breaker, int, int]:
    """The breaker, how many changes came after the play began, and what its gate still lets pass."""
    store, before = stage.plain, play.facts.scene
    after = await present(store, play.facts)
    changes = [one for one in await store.breakers.changes(before.id, limit=10) if one.epoch > before.epoch]
    left = await store.breakers.take_permits(after.id, after.epoch, 1_000, now=LATER)
    return after, len(changes), left.count


def one_turned(end: Ending) -> None:
    """Of servers that decide at once one is heard, and the wait begins once."""
    after, changes, left = end.seen
    assert (end.a + end.b, changes, left) == (1, 1, 0)
    assert (after.state, after.epoch, after.revision) == (
        BreakerState.OPEN,
        end.facts.scene.epoch + 1,
        end.facts.scene.revision + 1,
    )


def operator_has_the_last_word(end: Ending) -> None:
    after, changes, _ = end.seen
    assert after.state is BreakerState.FORCED_OPEN
    assert changes == 1 + end.a


def no_probe_too_many(end: Ending) -> None:
    assert (end.a + end.b, end.seen[2]) == (PROBES, 0)


def none_behind_open(end: Ending) -> None:
    """Open again, it lets nothing through, whichever permits were given before."""
    assert (end.b, end.seen[0].state, end.seen[2]) == (True, BreakerState.OPEN, 0)
    assert end.a in (0, PROBES)


def wave_is_whole(end: Ending) -> None:
    """Who asks in the epoch before takes nothing of the wave that follows it."""
    after, _, left = end.seen
    assert (end.b, left) == (True, breaker_gate(after).burst)


CASES = [
    Case("breaker: open x open", in_state(), (turn_to(fall), turn_to(fall)), one_turned, look),
    Case("breaker: open x force open", in_state(), (turn_to(fall), force), operator_has_the_last_word, look),
    Case("breaker: permit x permit", in_state(fall, probe), (ask, ask), no_probe_too_many, look),
    Case("breaker: permit x open again", in_state(fall, probe), (ask, turn_to(fall)), none_behind_open, look),
    Case("breaker: permit x close", in_state(fall, probe), (ask, turn_to(close)), wave_is_whole, look),
]
