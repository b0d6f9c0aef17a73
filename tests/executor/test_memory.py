"""What attempts want remembered, between handlers and the server: durable before anybody counts on it."""

from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.checkpoints import Memory, MemoryKind
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.link.checkpoints import BATCH_BYTES, CheckpointQueue, Known
from mainspring.testing.clock import FakeClock
from mainspring.wire.base import Message
from mainspring.wire.messages import (
    CheckpointsLoaded,
    CheckpointsSaved,
    Holding,
    LoadCheckpoints,
    Outcomes,
    Room,
    SaveCheckpoints,
    Stale,
    Suspend,
)
from tests.executor.fakes import GRACE, TOKEN, Line, Rig, pass_time, run_id, settle_down, start
from tests.executor.test_telemetry import attempt

STEP, CHECKPOINT = MemoryKind.STEP, MemoryKind.CHECKPOINT
ONE = [Holding(TOKEN, [run_id(1)])]


class Waiting:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.answers: list[bool] = []
        self.known: list[Known | None] = []

    def done(self, durable: bool) -> None:
        self.answers.append(durable)

    def loaded(self, known: Known | None) -> None:
        self.known.append(known)


def quiet() -> CheckpointQueue:
    return CheckpointQueue(lambda: None)


def taken(memories: CheckpointQueue) -> list[Message]:
    return [message for frame in memories.take() for message in frame]


def memory(kind: MemoryKind, name: str, value: bytes, turn: int = 1) -> Memory:
    return Memory(run_id(1), TOKEN, kind, name, value, turn)


def test_a_step_is_answered_once_it_is_durable() -> None:
    memories, waiting = quiet(), Waiting()
    memories.save(attempt(), STEP, "charge", b"1", waiting.done)

    assert taken(memories) == [SaveCheckpoints(1, [memory(STEP, "charge", b"1")])]
    assert (taken(memories), waiting.answers) == ([], [])
    memories.saved(1, [])
    memories.saved(1, [])
    assert (waiting.answers, memories.idle) == ([True], True)


def test_what_was_not_answered_is_sent_again_on_the_next_connection() -> None:
    memories, waiting = quiet(), Waiting()
    memories.save(attempt(), STEP, "charge", b"1", waiting.done)
    memories.load(attempt(2), waiting.loaded)
    before = taken(memories)

    memories.resend()

    assert (
        taken(memories)
        == before
        == [LoadCheckpoints([Holding(TOKEN, [run_id(2)])]), SaveCheckpoints(1, [memory(STEP, "charge", b"1")])]
    )


def test_only_the_latest_checkpoint_goes_out_and_one_at_a_time() -> None:
    memories, mine = quiet(), attempt()
    for value in (b"1", b"2"):
        memories.save(mine, CHECKPOINT, "", value, None)
    first = taken(memories)
    for value in (b"3", b"4"):
        memories.save(mine, CHECKPOINT, "", value, None)
    meanwhile = taken(memories)
    memories.saved(1, [])

    assert (first, meanwhile) == ([SaveCheckpoints(1, [memory(CHECKPOINT, "", b"2", 2)])], [])
    assert taken(memories) == [SaveCheckpoints(2, [memory(CHECKPOINT, "", b"4", 4)])]
    assert memories.holds_back(mine)
    memories.saved(2, [])
    assert not memories.holds_back(mine)


def test_a_frame_carries_only_so_much() -> None:
    memories, waiting = quiet(), Waiting()
    half = b"0" * (BATCH_BYTES // 2)
    for number in range(5):
        memories.save(attempt(number), STEP, "big", half, waiting.done)

    assert [len(frame.entries) for frame in taken(memories) if isinstance(frame, SaveCheckpoints)] == [2, 2, 1]


def test_what_a_run_remembers_comes_in_parts_and_is_told_to_all_who_ask() -> None:
    memories, waiting = quiet(), Waiting()
    for _ in range(2):
        memories.load(attempt(), waiting.loaded)
    asked = taken(memories)
    memories.loaded(CheckpointsLoaded(run_id(1), TOKEN, [STEP], ["a"], [b"1"], more=True))
    assert waiting.known == []
    memories.loaded(CheckpointsLoaded(run_id(1), TOKEN, [STEP], ["b"], [b"2"]))
    memories.loaded(CheckpointsLoaded(run_id(1), TOKEN, [], [], []))

    assert asked == [LoadCheckpoints(ONE)]
    assert waiting.known == [{(STEP, "a"): b"1", (STEP, "b"): b"2"}] * 2


def test_whoever_waits_is_told_that_the_attempt_is_anothers() -> None:
    memories, waiting = quiet(), Waiting()
    memories.save(attempt(), STEP, "sent", b"1", waiting.done)
    taken(memories)
    memories.save(attempt(), STEP, "fresh", b"1", waiting.done)
    memories.load(attempt(), waiting.loaded)
    memories.save(attempt(2), STEP, "other", b"1", waiting.done)

    memories.forget(ONE)

    assert (waiting.answers, waiting.known) == ([False, False], [None])
    assert [frame.entries[0].name for frame in taken(memories) if isinstance(frame, SaveCheckpoints)] == ["other"]
    memories.forget_all()
    assert (waiting.answers, memories.idle) == ([False] * 3, True)


def test_a_question_of_another_attempt_is_still_asked_when_one_is_forgotten() -> None:
    memories, forgotten, waiting = quiet(), Waiting(), Waiting()
    memories.load(attempt(1), forgotten.loaded)
    memories.load(attempt(2), waiting.loaded)
    memories.forget(ONE)

    assert (forgotten.known, waiting.known) == ([None], [])
    assert taken(memories) == [LoadCheckpoints([Holding(TOKEN, [run_id(2)])])]


def test_a_stale_answer_is_no_success() -> None:
    memories, waiting = quiet(), Waiting()
    memories.save(attempt(), STEP, "a", b"1", waiting.done)
    memories.load(attempt(), waiting.loaded)
    taken(memories)
    memories.saved(1, ONE)
    memories.loaded(CheckpointsLoaded(run_id(1), TOKEN, [], [], [], stale=True))

    assert (waiting.answers, waiting.known) == ([False], [None])


async def working(rig: Rig) -> tuple[Line, Attempt]:
    line, _ = await rig.servers.welcome(lease=1_000.0)
    await line.hear(Room)
    line.say(start(1))
    await settle_down()
    rig.loop_pool.begin()
    return line, rig.runner.holdings.all()[0]


async def test_a_failure_waits_for_the_checkpoint_before_it(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, mine = await working(rig)
        rig.telemetry.save(mine, CHECKPOINT, "", b"7", None)
        rig.loop_pool.end(1, outcome=Outcome.FAILED)
        frame = await line.hear(SaveCheckpoints)
        await settle_down()
        before = line.heard(Outcomes)
        line.say(CheckpointsSaved(frame.seq, []))

        assert (before, not rig.runner.idle.is_set()) == ([], False)
        assert [one.outcome for one in (await line.hear(Outcomes)).ended] == [Outcome.FAILED]


async def test_a_success_waits_for_nothing(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, mine = await working(rig)
        for value in (b"7", b"8"):
            rig.telemetry.save(mine, CHECKPOINT, "", value, None)
            await settle_down()
        rig.loop_pool.end(1)

        assert (await line.hear(Outcomes)).runs == [run_id(1)]
        line.say(CheckpointsSaved(1, ONE))
        await settle_down()
        assert line.heard(SaveCheckpoints) == []


async def test_an_attempt_that_is_anothers_is_stopped(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, mine = await working(rig)
        waiting = Waiting()
        rig.telemetry.save(mine, STEP, "charge", b"1", waiting.done)
        frame = await line.hear(SaveCheckpoints)
        line.say(CheckpointsSaved(frame.seq, ONE))
        await settle_down()

        assert waiting.answers == [False]
        assert rig.loop_pool.abandoned == [mine]


async def test_a_stale_attempt_waits_for_nothing_more(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, mine = await working(rig)
        waiting = Waiting()
        rig.telemetry.save(mine, STEP, "charge", b"1", waiting.done)
        line.say(Stale(ONE))
        await settle_down()

        assert waiting.answers == [False]


async def test_a_suspended_attempt_is_asked_to_yield_and_never_interrupted(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, mine = await working(rig)
        line.say(Suspend(ONE))
        await settle_down()
        await pass_time(clock, 2 * GRACE)

        assert mine.suspending
        assert (rig.loop_pool.suspended, rig.loop_pool.interrupted) == ([mine], [])


async def test_what_has_not_begun_is_handed_back_as_suspended(clock: FakeClock) -> None:
    async with Rig(clock) as rig:
        line, _ = await rig.servers.welcome(lease=1_000.0)
        await line.hear(Room)
        line.say(start(1))
        await settle_down()
        line.say(Suspend([Holding(TOKEN, [run_id(1), run_id(2)])]))

        ended = {one.run: one.outcome for one in (await line.hear(Outcomes)).ended}
        assert ended == {run_id(1): Outcome.SUSPENDED, run_id(2): Outcome.SUSPENDED}
        line.say(start(2, part=1))
        await settle_down()
        assert rig.loop_pool.attempts == []
