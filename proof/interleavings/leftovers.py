"""What a piece of work that failed half-way leaves behind on its connection: nothing."""

from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.store.postgres.store import PostgresStore
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.endings import running
from proof.interleavings.stage import NAMESPACE, Stage


class Stumble(Exception):  # noqa: N818 it is thrown on purpose
    """Thrown from inside a transaction."""


def stumble(_held: Held, _end: Ended) -> Decision:
    raise Stumble


async def check_leftovers(stage: Stage) -> None:
    """A settlement fails inside its transaction; the next one to use that connection must not end up in there too."""
    facts = await stage.new_facts()
    await running(stage.plain, facts)
    store = PostgresStore(stage.url, listen_url="off", pool_size=1)
    try:
        await store.runs.settle(acts.ends(facts.pairs, Outcome.FAILED), stumble, now=START)
    except Stumble:
        run = facts.new_run()
        await store.runs.create(NAMESPACE, [run], now=START)
        facts.runs.append(run.id)
    finally:
        await store.close()
    states = await stage.states(facts.runs)

    assert len(states) == 3, "a run that was accepted is gone"
