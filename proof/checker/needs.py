"""What each check looks at: where the records hold nothing of the kind, nothing was checked."""

from collections.abc import Callable, Iterable, Iterator

from proof.checker import (
    accounting,
    blocking,
    breakers,
    effects,
    endings,
    flow,
    flows,
    limits,
    liveness,
    memories,
    outcomes,
    places,
    rules,
    suspensions,
    sweeps,
)
from proof.checker.endings import PUT_OFF
from proof.checker.liveness import DEATHS, OUTAGES, ROLL
from proof.checker.story import Story
from proof.checker.verdict import Violation
from proof.records import JobRule, Transition

Check = Callable[[Story], Iterator[Violation]]
Need = Callable[[Story], bool]


def anything(_story: Story) -> bool:
    """It looks at what every trial has, or its verdict is unknown."""
    return True


def lines(channel: str) -> Need:
    return lambda story: bool(getattr(story.records, channel))


def act(*names: str, state: str = "") -> Need:
    """Something that was asked for and answered, with that state if one is said."""
    return lambda story: any(state in ("", answer.state) for _, answer in story.answered(*names))


def event(*names: str) -> Need:
    return lambda story: any(line.event in names for line in story.records.executions)


def outcome(*names: str) -> Need:
    return lambda story: any(line.event == "end" and line.outcome in names for line in story.records.executions)


def change(is_such: Callable[[Transition], object]) -> Need:
    return lambda story: any(is_such(line) for line in story.records.transitions if not line.lost)


def fault(names: Iterable[str]) -> Need:
    wanted = frozenset(names)
    return lambda story: any(line.fault in wanted for line in story.records.faults)


def job(is_such: Callable[[JobRule], object]) -> Need:
    return lambda story: any(is_such(rule) for rule in story.setup.jobs.values())


def both(*needs: Need) -> Need:
    return lambda story: all(need(story) for need in needs)


def nothing_forgotten(story: Story) -> bool:
    return not story.setup.failovers


def keyed(story: Story) -> bool:
    return any(line.key for line in story.invocations) or any(row.key for row in story.records.run_rows)


def under_limit(is_such: Callable[[JobRule], object]) -> Need:
    """Changes of runs whose job has such a limit."""
    return lambda story: any(is_such(story.setup.jobs[line.job]) for line in limits.limited_changes(story))


def of_job(is_such: Callable[[JobRule], object]) -> Need:
    """Changes of runs whose job is such a one."""
    return lambda story: any(
        is_such(rule)
        for line in story.records.transitions
        if not line.lost and (rule := story.setup.jobs.get(line.job)) is not None
    )


def breaker(kind: str) -> Need:
    """A breaker that came into such a state."""
    return lambda story: any(line.kind == kind and line.on and not line.lost for line in story.records.rules)


NEEDS: dict[Check, Need] = {
    blocking.skipped_wrongly: change(lambda line: line.reason in (blocking.BLOCKED, blocking.SUPERSEDED)),
    blocking.too_many_wait: of_job(lambda rule: rule.blocking != "queue"),
    blocking.replaced_goes_on: of_job(lambda rule: rule.blocking == "replace"),
    breakers.started_while_open: breaker("open"),
    breakers.too_many_probes: breaker("probing"),
    breakers.left_open: breaker("open"),
    places.over_booked: of_job(lambda rule: rule.licences),
    places.on_another: of_job(lambda rule: rule.executor),
    flows.misdecided: lines("flow_rows"),
    flows.unknown_step: lines("step_rows"),
    flows.begun_early: lines("step_rows"),
    flows.outlives: lines("step_rows"),
    flows.goes_on_cancelled: both(lines("flow_rows"), act("cancel")),
    limits.over_limit: under_limit(lambda rule: rule.at_once),
    limits.over_rate: under_limit(lambda rule: rule.rate),
    limits.overtaken: under_limit(lambda rule: rule.keyed),
    accounting.key_twice: keyed,
    endings.early_again: outcome(*PUT_OFF),
    endings.snooze_charged: outcome("snoozed"),
    endings.gave_up_again: outcome("gave_up"),
    endings.over_budget: job(lambda rule: rule.budget),
    endings.lost_again: job(lambda rule: rule.on_lost != "retry"),
    endings.overtime: job(lambda rule: rule.timeout),
    endings.cut_short: job(lambda rule: rule.timeout),
    outcomes.late_start: change(lambda line: line.deadline_at is not None),
    outcomes.overstays: change(lambda line: line.deadline_at is not None),
    rules.cancelled_runs_on: act("cancel"),
    rules.cancelled_goes_on: act("cancel", state="running"),
    rules.wish_forgotten: change(lambda line: line.wish),
    rules.paused_claims: lines("rules"),
    rules.bad_taker: lines("sessions"),
    sweeps.children_run_on: act("cancel_below"),
    sweeps.canaries_ignored: both(lines("sweep_rows"), nothing_forgotten),
    flow.over_credit: lines("frames"),
    flow.log_repeats: lines("log_rows"),
    flow.time_goes_back: change(lambda line: line.instant is not None),
    memories.step_again: event("stepped"),
    effects.effect_again: event("applied"),
    suspensions.claimed_although_suspended: act("suspend"),
    suspensions.suspension_forgotten: change(suspensions.is_to_yield),
    suspensions.set_going: change(suspensions.is_aside),
    suspensions.suspension_charged: outcome(*suspensions.SET_ASIDE),
    suspensions.never_yields: both(change(suspensions.is_to_yield), event(*suspensions.PASSED)),
    suspensions.overslept: change(suspensions.is_aside),
    liveness.hasty: both(fault(OUTAGES), lambda story: not story.setup.slack),
    liveness.slow_start: lambda story: story.setup.calm,
    liveness.slow_reclaim: fault(DEATHS),
    liveness.slow_recovery: fault(OUTAGES),
    liveness.stuck: lambda story: story.setup.drained,
    liveness.leaked: both(lines("session_rows"), lambda story: story.setup.drained),
    liveness.charged: lambda story: bool(story.setup.sessions_left),
    liveness.idle_room: lambda story: any(line.mark.startswith(ROLL) for line in story.invocations),
}
OF_TRIGGERS = ".fires"
"""What the modules have in their names whose checks look at triggers."""


def need_of(check: Check) -> Need:
    return NEEDS.get(check) or (lines("triggers") if OF_TRIGGERS in check.__module__ else anything)
