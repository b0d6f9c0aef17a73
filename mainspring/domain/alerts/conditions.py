"""Whether the condition of a rule holds, and on which subjects. Pure: findings in, breaches out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

from mainspring.domain.alerts.alert import Breach
from mainspring.domain.alerts.findings import EndedRuns, Fault, Findings, Place, Since
from mainspring.domain.alerts.fleet_conditions import executor_lost, server_lost, servers_few, strays
from mainspring.domain.alerts.matching import matching, said
from mainspring.domain.alerts.notice import counted
from mainspring.domain.alerts.queue_conditions import budget_near, executors_few, no_executor, queue_age, queue_depth
from mainspring.domain.alerts.rule import AlertKind, AlertRule, AlertSpec, Severity, number, subject_field
from mainspring.domain.alerts.trigger_conditions import fires_skipped, stale, trigger_late, trigger_paused
from mainspring.domain.slos.budget import FAST, SLOW, BudgetState

Condition = Callable[[AlertRule, Findings], Sequence[Breach] | None]
"""None: the facts are too old to say."""
NOTHING: Mapping[Place, EndedRuns] = {}
USUAL_TIMES = 3.0
HALF = 0.5
OF_SLO = "slo."
"""Begins the names of the rules that come with an SLO."""


def breaches(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    """The subjects on which a rule's condition holds; None if the facts are too old to say."""
    return CONDITIONS[rule.spec.kind](rule, findings)


def ended_runs(rule: AlertRule, findings: Findings) -> Iterator[tuple[str, EndedRuns]]:
    field, over = subject_field(rule.spec), number(rule.spec, "over")
    source = findings.queues_ended if field == "queue" else findings.jobs
    return matching(rule, source.get(over, NOTHING), getattr(rule.spec, field))


def run_failed(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    least = number(rule.spec, "at_least")
    found = [
        Breach(f"{subject_field(rule.spec)} {name}", runs.failed, failed_words(rule, runs))
        for name, runs in ended_runs(rule, findings)
        if runs.failed >= least
    ]
    # Failures are known at once; that there are none is known only from fresh counts.
    return found if found or findings.counts_are_fresh else None


def failed_words(rule: AlertRule, runs: EndedRuns) -> str:
    words = f"{counted(runs.failed, 'run')} failed for good in {said(number(rule.spec, 'over'))}"
    return f"{words}: {runs.error}" if runs.error else words


def failure_rate(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    if not findings.counts_are_fresh:
        return None
    noun, least, above = subject_field(rule.spec), number(rule.spec, "at_least"), number(rule.spec, "above")
    return [
        Breach(
            f"{noun} {name}", share, f"{share:.0%} of {runs.judged} runs failed in {said(number(rule.spec, 'over'))}"
        )
        for name, runs in ended_runs(rule, findings)
        if runs.judged >= least and (share := runs.failed / runs.judged) > above
    ]


def run_long(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    found: list[Breach] = []
    for name, fact in matching(rule, findings.running, rule.spec.job):
        age = (findings.now - fact.at).total_seconds()
        usual = USUAL_TIMES * findings.usual.get((rule.namespace, name), float("inf"))
        limit = usual if rule.spec.older_than is None else rule.spec.older_than
        if age > limit:
            words = f"a run has taken {said(age)}, longer than {said(limit)}"
            found.append(Breach(f"job {name}", age, words, fact.about, fact.at))
    return found


def dead_letters(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    least = rule.spec.at_least
    if least is not None:
        return [
            Breach(f"job {name}", count, f"{counted(count, 'dead letter')} to look at")
            for name, count in matching(rule, findings.dead_open, rule.spec.job)
            if count >= least
        ]
    facts = findings.dead_new.get(number(rule.spec, "over"), {})
    return [
        Breach(
            f"job {name} {one.fingerprint}",
            one.runs,
            f"a new kind of failure, {counted(one.runs, 'time')}: {one.error}",
            since=one.first_at,
        )
        for name, kinds in matching(rule, facts, rule.spec.job)
        for one in kinds
    ]


def open_for(
    rule: AlertRule, facts: Mapping[Place, Since], name: str, noun: str, verb: str, now: datetime
) -> list[Breach]:
    limit = number(rule.spec, "older_than")
    return [
        Breach(
            f"{noun} {each}",
            age,
            f"{verb} for {said(age)}: {fact.about}",
            fact.about if noun == "workflow" else "",
            fact.at,
        )
        for each, fact in matching(rule, facts, name)
        if (age := (now - fact.at).total_seconds()) >= limit
    ]


def breaker_open(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    return open_for(rule, findings.breakers, rule.spec.breaker, "breaker", "has been open", findings.now)


def canary_stopped(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    return open_for(rule, findings.canaries, rule.spec.job, "job", "its canary has been stopped", findings.now)


def workflow_stuck(rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    return open_for(rule, findings.stuck, rule.spec.job, "workflow", "has not moved", findings.now)


def faults_of(faults: Sequence[Fault]) -> list[Breach]:
    return [Breach(one.subject, one.value, one.words) for one in faults]


def unwatched(_rule: AlertRule, findings: Findings) -> Sequence[Breach]:
    counts = findings.counted_until is not None and not findings.counts_are_fresh
    survey = findings.surveyed_at is not None and not findings.survey_is_fresh
    old = [name for name, is_old in (("counts of runs", counts), ("the look at queues", survey)) if is_old]
    words = f"nobody knows how things are: {' and '.join(old)} stopped coming; no alert ends until they are back"
    return [Breach("cluster", len(old), words)] if old else []


def slo_burn(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    if not findings.counts_are_fresh:
        return None
    pairs = FAST if rule.spec.severity is Severity.PAGE else SLOW
    found: list[Breach] = []
    for name, standing in matching(rule, findings.slos, rule.spec.slo):
        rate = standing.burns_at(pairs)
        if standing.is_few:
            # A job that runs once a day has no rate to speak of: its bad runs are counted.
            if standing.whole.bad and standing.budget_left < HALF and is_told_by(rule, standing):
                words = f"{standing.whole.bad} of {standing.whole.total} runs were bad: {left(standing)}"
                found.append(Breach(f"slo {name}", standing.whole.bad, words))
        elif rate is not None:
            words = f"the error budget is spent {rate:.1f} times too fast: {left(standing)}"
            found.append(Breach(f"slo {name}", rate, words))
    return found


def is_told_by(rule: AlertRule, standing: BudgetState) -> bool:
    """Of the two rules that come with an SLO the page tells of a budget that is spent, the warning of one that soon is."""
    return not rule.name.startswith(OF_SLO) or (standing.budget_left <= 0) == (rule.spec.severity is Severity.PAGE)


def slo_budget(rule: AlertRule, findings: Findings) -> Sequence[Breach] | None:
    if not findings.counts_are_fresh:
        return None
    return [
        Breach(f"slo {name}", 1 - standing.budget_left, left(standing))
        for name, standing in matching(rule, findings.slos, rule.spec.slo)
        if 1 - standing.budget_left > number(rule.spec, "above")
    ]


def left(standing: BudgetState) -> str:
    return f"{max(standing.budget_left, 0):.0%} of the error budget is left"


CONDITIONS: dict[AlertKind, Condition] = {
    AlertKind.RUN_FAILED: run_failed,
    AlertKind.FAILURE_RATE: failure_rate,
    AlertKind.STALE: stale,
    AlertKind.TRIGGER_LATE: trigger_late,
    AlertKind.FIRES_SKIPPED: fires_skipped,
    AlertKind.TRIGGER_PAUSED: trigger_paused,
    AlertKind.QUEUE_AGE: queue_age,
    AlertKind.QUEUE_DEPTH: queue_depth,
    AlertKind.BUDGET_NEAR: budget_near,
    AlertKind.NO_EXECUTOR: no_executor,
    AlertKind.RUN_LONG: run_long,
    AlertKind.DEAD_LETTERS: dead_letters,
    AlertKind.EXECUTOR_LOST: executor_lost,
    AlertKind.EXECUTORS_FEW: executors_few,
    AlertKind.SERVERS_FEW: servers_few,
    AlertKind.STRAYS: strays,
    AlertKind.SERVER_LOST: server_lost,
    AlertKind.STORE: lambda _, findings: faults_of(findings.faults),
    AlertKind.EXPIRING: lambda _, findings: faults_of(findings.expiring),
    AlertKind.BREAKER_OPEN: breaker_open,
    AlertKind.CANARY_STOPPED: canary_stopped,
    AlertKind.WORKFLOW_STUCK: workflow_stuck,
    AlertKind.CHANNEL_FAILED: lambda _, findings: faults_of(findings.failing),
    AlertKind.UNWATCHED: unwatched,
    AlertKind.SLO_BURN: slo_burn,
    AlertKind.SLO_BUDGET: slo_budget,
}
BUILT_IN = {
    "mainspring.store": AlertSpec(kind=AlertKind.STORE),
    "mainspring.servers": AlertSpec(kind=AlertKind.SERVER_LOST),
    "mainspring.expiring": AlertSpec(kind=AlertKind.EXPIRING),
    "mainspring.channels": AlertSpec(kind=AlertKind.CHANNEL_FAILED),
    "mainspring.unwatched": AlertSpec(kind=AlertKind.UNWATCHED, for_=60.0),
}
"""Rules about the cluster that are always there."""
