"""Alerts with two holders of the lease that are killed at each step: some seeds in every run, and those that once failed."""

from collections import Counter

import pytest

from proof.sim.alerts_trial import try_alerts

SEEDS = (1, 3)
KEPT = (2, 4, 5)
"""Seeds that once failed: the end of an alert was told before its beginning."""
STEPS = {"killed before a commit", "killed after a commit", "killed while sending", "channel away"}


@pytest.mark.parametrize("seed", [*SEEDS, *KEPT])
def test_each_transition_is_written_once_and_each_notice_is_sent(seed: int) -> None:
    assert try_alerts(seed).broken == []


def test_servers_are_killed_at_each_step() -> None:
    reached: Counter[str] = Counter()
    for seed in (22, 24, 28):
        reached.update(try_alerts(seed).reached)

    assert reached.keys() >= STEPS


def test_a_seed_is_the_same_trial_again() -> None:
    assert try_alerts(6) == try_alerts(6)
