"""Logs and progress: what handlers say while they run."""

from mainspring.domain.runs.log import Progress
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.factories import log_entry, run_ids, token
from tests.store.scene import Scene
from tests.words import DAY


async def test_log_lines_come_back_in_the_order_they_arrived(store: Store) -> None:
    run, other = run_ids(2)
    mine = token()
    lines = [log_entry(run, mine, 0), log_entry(other, mine, 0), log_entry(run, mine, 1, "ü ☃\n\"'")]
    await store.runs.append_logs(lines[:2], now=START)
    await store.runs.append_logs(lines[2:], now=START)

    found = await store.runs.logs(run, after=0, limit=10)
    assert [entry for _, entry in found] == [lines[0], lines[2]]


async def test_log_pages_follow_each_other_without_gap_or_repeat(store: Store) -> None:
    (run,) = run_ids(1)
    mine = token()
    await store.runs.append_logs([log_entry(run, mine, seq) for seq in range(7)], now=START)
    seqs: list[int] = []
    after = 0
    while page := await store.runs.logs(run, after=after, limit=3):
        seqs += [entry.seq for _, entry in page]
        after = page[-1][0]

    assert seqs == list(range(7))


async def test_log_positions_grow_over_midnight(store: Store) -> None:
    (run,) = run_ids(1)
    mine = token()
    for day in range(3):
        await store.runs.append_logs([log_entry(run, mine, day)], now=START + day * DAY)

    found = await store.runs.logs(run, after=0, limit=10)
    assert [entry.seq for _, entry in found] == [0, 1, 2]
    assert [entry.seq for _, entry in await store.runs.logs(run, after=found[1][0], limit=10)] == [2]


async def test_log_lines_sent_again_are_kept_once(store: Store) -> None:
    (run,) = run_ids(1)
    lines = [log_entry(run, token(), 0), log_entry(run, token(), 0)]
    for _ in range(2):
        await store.runs.append_logs(lines, now=START)

    assert [entry for _, entry in await store.runs.logs(run, after=0, limit=10)] == lines


async def test_a_run_that_said_nothing_has_no_logs(store: Store) -> None:
    (run,) = run_ids(1)
    await store.runs.append_logs([], now=START)

    assert await store.runs.logs(run, after=0, limit=10) == []


async def test_a_log_line_may_hold_a_nul_character(store: Store) -> None:
    (run,) = run_ids(1)
    await store.runs.append_logs([log_entry(run, token(), 0, "a\x00b")], now=START)

    ((_, entry),) = await store.runs.logs(run, after=0, limit=10)
    assert entry.message == "a\ufffdb"


async def test_only_the_latest_progress_counts(scene: Scene) -> None:
    store = scene.store
    run, other = await scene.add(2)
    mine = token()
    await store.runs.report_progress([Progress(run, mine, 0.25, "a"), Progress(other, mine, 0.5)], now=START)
    await store.runs.report_progress([Progress(run, mine, 0.5, "b"), Progress(run, mine, 0.75, "c")], now=START)

    assert (await scene.get(run)).progress == Progress(run, mine, 0.75, "c")
    assert (await scene.get(other)).progress == Progress(other, mine, 0.5)


async def test_no_progress_is_none(scene: Scene) -> None:
    await scene.store.runs.report_progress([], now=START)

    assert (await scene.get((await scene.add())[0])).progress is None
