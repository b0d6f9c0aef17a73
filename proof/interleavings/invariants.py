"""What must be true of the tables whatever met whatever, in whichever order."""

from collections import Counter

from mainspring.domain.runs.run import RunState, WaitReason
from mainspring.domain.runs.suspension import SUSPENDING
from proof.interleavings.stage import Play, Stage

SET_ASIDE = frozenset({WaitReason.SUSPENDED.value, SUSPENDING})
LIVE = """
SELECT r.id, r.state, r.token, r.session, r.attempt, r.reason, s.state AS session_state, s.reclaimed
FROM mainspring.live AS r LEFT JOIN mainspring.sessions AS s ON s.id = r.session
WHERE r.line = $1
"""
PAST = "SELECT h.id, h.state, h.token, h.attempt FROM mainspring.history AS h WHERE h.line = $1"
ATTEMPTS = "SELECT a.run, a.number, a.outcome FROM mainspring.attempts AS a WHERE a.run = ANY ($1::uuid[])"
KEYS = """
SELECT k.key, k.run, (SELECT count(*) FROM mainspring.live AS r WHERE r.key = k.key AND r.line = $1 AND r.id >= k.run)
  + (SELECT count(*) FROM mainspring.history AS h WHERE h.key = k.key AND h.line = $1 AND h.id >= k.run) AS found
FROM mainspring.keys AS k
WHERE k.key LIKE $2
"""


async def check(stage: Stage, play: Play) -> None:
    """Raise an AssertionError that says which invariant does not hold."""
    facts = play.facts
    live = await stage.control.fetch(LIVE, facts.line)
    past = await stage.control.fetch(PAST, facts.line)
    copies = Counter(row["id"] for row in [*live, *past])
    assert copies == Counter(facts.runs), f"runs are lost or doubled: {len(facts.runs)} made, found {copies}"
    for row in live:
        owned = row["state"] == RunState.RUNNING
        assert (row["token"] is not None, row["session"] is not None) == (owned, owned), f"half an owner: {row}"
        assert not (owned and row["session_state"] is None), f"owned by a session that is gone: {row}"
        assert not (owned and row["reclaimed"]), f"owned by a session that nobody will reclaim from any more: {row}"
        aside = row["reason"] in SET_ASIDE
        assert not (aside and row["state"] == RunState.QUEUED), f"in its line, and set aside: {row}"
    for row in past:
        assert row["state"] >= RunState.SUCCEEDED, f"in history without an end: {row}"
    await check_attempts(stage, play, {row["id"]: row["attempt"] for row in [*live, *past]})
    for row in await stage.control.fetch(KEYS, facts.line, f"{facts.name}%"):
        assert row["found"] <= 1, f"one key, {row['found']} runs: {row['key']}"
    if not facts.revives:
        ended = {run: state for run, state in play.seen[0].items() if state >= RunState.SUCCEEDED}
        assert ended.items() <= play.seen[-1].items(), "a run that had ended did not stay as it was"


async def check_attempts(stage: Stage, play: Play, reached: dict[bytes, int]) -> None:
    rows = await stage.control.fetch(ATTEMPTS, play.facts.runs)
    numbers = Counter((row["run"], row["number"]) for row in rows)
    assert all(found == 1 for found in numbers.values()), f"an attempt is recorded twice: {rows}"
    assert all(1 <= row["number"] <= reached[row["run"]] for row in rows), (
        f"a record of an attempt that never was: {rows}"
    )
