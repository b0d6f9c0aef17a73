"""Random workflows end as an oracle says that looks at final states alone, whatever the order of ends."""

from functools import partial

import pytest

from mainspring.domain.workflows.advance import advance, start
from mainspring.domain.workflows.flow import CANCELLED, FlowRequest
from mainspring.domain.workflows.graph import MAIN
from proof.graphs.trial import Trial, try_one

SEEDS = 2_000


@pytest.mark.parametrize("part", range(4))
def test_states_are_the_oracle_s_in_any_order(part: int) -> None:
    begun = [try_one(seed) for seed in range(part, SEEDS, 4)]

    assert sum(begun) > SEEDS


@pytest.mark.parametrize("now", [False, True])
def test_a_cancel_lets_nothing_more_begin_but_endings(now: bool) -> None:
    for seed in range(300):
        trial = Trial(seed)
        flow, moved = start(trial.graph, lambda _: None)
        live = list(moved.begins)
        flow.requests |= FlowRequest.CANCEL | (FlowRequest.NOW if now else 0)
        while True:
            moved = advance(trial.graph, flow, trial.ends(live), partial(trial.read, flow), look=True)
            live = moved.begins
            assert all(trial.graph.steps[begin.step].stage != MAIN for begin in live)
            assert not now or live == []
            if not live:
                break
        endings_failed = any(flow.state(n) in (4, 5) for n, step in enumerate(trial.graph.steps) if step.stage != MAIN)
        assert moved.end == (4 if endings_failed else CANCELLED), seed
