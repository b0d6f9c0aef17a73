"""What runs remember from attempt to attempt."""

from datetime import timedelta

import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.runs.attempt import Decision, Outcome
from mainspring.domain.runs.checkpoints import MEMORIES_MAX, Kept, Memory, MemoryKind, Pair, Recollection
from mainspring.domain.runs.run import RunState
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, token
from tests.store.scene import Scene

STEP, CHECKPOINT, EFFECT = MemoryKind.STEP, MemoryKind.CHECKPOINT, MemoryKind.EFFECT
LATER = START + timedelta(seconds=1)
NOTHING_LOST = Kept(set(), set())


def memory(pair: Pair, kind: MemoryKind = STEP, name: str = "charge", value: bytes | None = b"1") -> Memory:
    return Memory(*pair, kind, name, value)


async def test_what_an_attempt_wants_remembered_is_told_to_the_next(scene: Scene) -> None:
    [pair] = await scene.started()
    run, mine = pair
    kept = [memory(pair), memory(pair, CHECKPOINT, "", b'{"row":7}'), memory(pair, EFFECT, "mail", None)]

    assert await scene.store.runs.save_checkpoints(kept, now=START) == NOTHING_LOST
    await scene.settle([ended(run, mine, Outcome.FAILED)])
    [again] = await scene.claimed()

    found = await scene.store.runs.load_checkpoints([again])
    assert found == {
        again: [
            Recollection(CHECKPOINT, "", b'{"row":7}', 1, START),
            Recollection(STEP, "charge", b"1", 1, START),
            Recollection(EFFECT, "mail", None, 1, START),
        ]
    }
    assert await scene.store.runs.checkpoints(run) == found[again]


async def test_the_latest_word_under_a_name_counts(scene: Scene) -> None:
    [pair] = await scene.started()
    first, second, third = (memory(pair, CHECKPOINT, "", value) for value in (b"1", b"2", b"3"))

    await scene.store.runs.save_checkpoints([first, second], now=START)
    await scene.store.runs.save_checkpoints([third], now=LATER)

    assert await scene.store.runs.checkpoints(pair[0]) == [Recollection(CHECKPOINT, "", b"3", 1, LATER)]


async def test_that_an_effect_began_does_not_hide_that_it_came_to_pass(scene: Scene) -> None:
    [pair] = await scene.started()
    begun, done = memory(pair, EFFECT, "mail", None), memory(pair, EFFECT, "mail", b"null")
    await scene.store.runs.save_checkpoints([begun], now=START)
    await scene.store.runs.save_checkpoints([done], now=START)

    await scene.store.runs.save_checkpoints([begun], now=LATER)

    assert await scene.store.runs.checkpoints(pair[0]) == [Recollection(EFFECT, "mail", b"null", 1, START)]


async def test_an_older_word_that_comes_late_replaces_nothing(scene: Scene) -> None:
    [pair] = await scene.started()
    old, new = (Memory(*pair, CHECKPOINT, "", value, turn) for value, turn in ((b"1", 4), (b"2", 5)))
    await scene.store.runs.save_checkpoints([new], now=START)

    assert await scene.store.runs.save_checkpoints([old], now=LATER) == NOTHING_LOST
    assert await scene.store.runs.checkpoints(pair[0]) == [Recollection(CHECKPOINT, "", b"2", 1, START)]


async def test_an_attempt_that_was_given_up_adds_nothing(scene: Scene) -> None:
    [(run, mine)] = await scene.started()
    await scene.settle([ended(run, mine, Outcome.LOST)])
    [again] = await scene.claimed()
    late, good = memory((run, mine), value=b'"late"'), memory(again, value=b'"good"')

    assert await scene.store.runs.save_checkpoints([good, late], now=START) == Kept({(run, mine)}, set())
    assert [one.value for one in await scene.store.runs.checkpoints(run)] == [b'"good"']
    assert await scene.store.runs.load_checkpoints([(run, mine)]) == {}


async def test_a_pair_is_compared_as_a_pair(scene: Scene) -> None:
    pairs = [*await scene.started(), *await scene.started()]
    crossed = [(pairs[0][0], pairs[1][1]), (pairs[1][0], pairs[0][1])]

    assert await scene.store.runs.save_checkpoints([memory(pair) for pair in crossed], now=START) == Kept(
        set(crossed), set()
    )
    assert await scene.store.runs.load_checkpoints(crossed) == {}


async def test_a_run_that_remembers_nothing_says_so(scene: Scene) -> None:
    [pair] = await scene.started()

    assert await scene.store.runs.load_checkpoints([pair, (pair[0], token())]) == {pair: []}
    assert await scene.store.runs.save_checkpoints([], now=START) == NOTHING_LOST


async def test_memories_stay_while_their_run_lives_and_go_with_its_history(scene: Scene) -> None:
    old, live = await scene.started(2)
    await scene.store.runs.save_checkpoints([memory(old), memory(live)], now=START)
    await scene.succeed([old])
    long_after = START + timedelta(days=90)

    assert len(await scene.store.runs.checkpoints(old[0])) == 1
    await scene.store.cluster.prune(before=long_after)

    assert await scene.store.runs.checkpoints(old[0]) == []
    assert len(await scene.store.runs.checkpoints(live[0])) == 1


@pytest.mark.parametrize(
    ("outcome", "edited", "left"),
    [
        (Outcome.FAILED, None, ["", "charge", "mail"]),
        (Outcome.FAILED, b'{"order":8}', ["mail"]),
        (Outcome.SUCCEEDED, None, ["mail"]),
    ],
)
async def test_a_run_that_is_run_again_goes_on_unless_it_has_to_start_over(
    scene: Scene, outcome: Outcome, edited: bytes | None, left: list[str]
) -> None:
    [pair] = await scene.started()
    kept = [memory(pair), memory(pair, CHECKPOINT, ""), memory(pair, EFFECT, "mail")]
    await scene.store.runs.save_checkpoints(kept, now=START)
    if outcome is Outcome.FAILED:
        await scene.settle([ended(*pair, outcome)], Decision(RunState.FAILED, failures=1))
    else:
        await scene.succeed([pair])
    by = Actor("anna", "t1")

    await scene.store.runs.retry(NAMESPACE, pair[0], force=True, reason="", actor=by, now=START, input=edited)

    assert [one.name for one in await scene.store.runs.checkpoints(pair[0])] == left


async def test_a_run_keeps_no_more_steps_than_it_may(scene: Scene) -> None:
    [pair, other] = await scene.started(2)
    first = [memory(pair, name=f"step {number}") for number in range(MEMORIES_MAX - 1)]
    await scene.store.runs.save_checkpoints(first, now=START)
    again = memory(pair, name="step 0", value=b"2")
    last = [memory(pair, name="last"), memory(pair, CHECKPOINT, "", b"1"), again]

    assert await scene.store.runs.save_checkpoints(last, now=LATER) == NOTHING_LOST
    over = [memory(pair, EFFECT, "one more"), memory(other)]

    assert await scene.store.runs.save_checkpoints(over, now=LATER) == Kept(set(), {pair})
    assert await scene.store.runs.save_checkpoints([again], now=LATER) == NOTHING_LOST
    assert len(await scene.store.runs.checkpoints(pair[0])) == MEMORIES_MAX + 1
    assert len(await scene.store.runs.checkpoints(other[0])) == 1
