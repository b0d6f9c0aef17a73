"""What is there before attempts in bundles meet something, and what only bundles can meet."""

from datetime import timedelta
from typing import Any

import msgspec

from mainspring.clock import SystemClock
from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Outcome
from mainspring.errors import StoreUnavailableError
from mainspring.store.interface import Store
from mainspring.store.postgres.hot.bundles import LIFE, Bundles
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.stage import LATER, NAMESPACE, Act, Facts, ids
from proof.interleavings.stepping import SteppedDatabase


async def bundled(store: Store, facts: Facts) -> None:
    """Two runs of one claim, in one bundle."""
    facts.bundles = remember_afresh(store)
    facts.pairs = await bundle_of_two(store, facts, ids.token())


async def bundled_today(store: Store, facts: Facts) -> None:
    """As where a handler settles in its own transaction, at the database's time."""
    await store.cluster.prepare_history(now=SystemClock().now(), days=1)
    await bundled(store, facts)


async def whole_and_torn(store: Store, facts: Facts) -> None:
    """Two bundles: one attempt of the first is still under way, those of the second have all ended."""
    facts.bundles = remember_afresh(store)
    first, second = sorted([ids.token(), ids.token()])
    torn = await bundle_of_two(store, facts, first)
    whole = await bundle_of_two(store, facts, second)
    facts.pairs = [*whole, torn[0]]


async def bundle_of_two(store: Store, facts: Facts, token: Token) -> list[tuple[RunId, Token]]:
    runs = [facts.new_run(), facts.new_run()]
    await store.runs.create(NAMESPACE, runs, now=START)
    claims = await store.runs.claim([facts.line], [facts.sessions[0]] * 2, token=token, now=START, bundled=True)
    assert sum(map(len, claims)) == 2
    facts.runs += [run.id for run in runs]
    return [(run.id, token) for run in runs]


def remember_afresh(store: Store, bundles: Bundles | None = None) -> Bundles:
    """Have the store know of these bundles only, or of none."""
    known = bundles or Bundles()
    vars(store.runs)["bundles"] = known
    return known


def own(act: Act) -> Act:
    """By the server that made the bundles, which remembers them; any other does not."""

    async def by_who_knows(store: Store, facts: Facts) -> object:
        remember_afresh(store, facts.bundles)
        return await act(store, facts)

    return by_who_knows


async def undo(store: Store, _facts: Facts) -> int:
    """What every server does to bundles that have lasted too long."""
    remember_afresh(store)
    return await store.runs.unbundle(now=LATER + LIFE)


async def create_again(store: Store, facts: Facts) -> object:
    """By a call that is repeated so late that its ids are not fresh any more."""
    again = msgspec.structs.replace(facts.new_run(), id=facts.runs[0])
    return await store.runs.create(NAMESPACE, [again], now=LATER + timedelta(minutes=1))


async def fail_first(store: Store, facts: Facts) -> object:
    return await store.runs.settle(acts.ends(facts.pairs[:1], Outcome.FAILED), acts.decide, now=LATER)


async def fail_second(store: Store, facts: Facts) -> object:
    return await store.runs.settle(acts.ends(facts.pairs[1:], Outcome.FAILED), acts.decide, now=LATER)


async def succeed_first(store: Store, facts: Facts) -> int:
    return await store.runs.succeed(acts.successes(facts.pairs[:1]), now=LATER)


async def succeed_second(store: Store, facts: Facts) -> int:
    return await store.runs.succeed(acts.successes(facts.pairs[1:]), now=LATER)


async def falter(store: Store, facts: Facts) -> None:
    """A session that has the bundle of the last attempt, and fails before the commit."""
    database: SteppedDatabase = vars(store.runs)["_database"]

    async def work(connection: Any) -> None:
        await connection.fetch("SELECT FROM mainspring.bundles WHERE token = $1 FOR UPDATE", facts.pairs[-1][1])
        await connection.fetch("SELECT")
        raise StoreUnavailableError("gone in the middle")

    await database.run(work)
