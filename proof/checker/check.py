"""All checks, and the verdict they come to."""

from proof.checker import (
    accounting,
    effects,
    endings,
    executions,
    fires,
    fires_calendar,
    fires_liveness,
    fires_policy,
    flow,
    flows,
    life,
    limits,
    liveness,
    memories,
    outcomes,
    rules,
    suspensions,
    sweeps,
)
from proof.checker.needs import Check, need_of
from proof.checker.story import Story
from proof.checker.verdict import Verdict
from proof.records import Records

CHECKS: tuple[tuple[str, Check], ...] = (
    ("S1", accounting.lost),
    ("S2", accounting.phantom),
    ("S3", life.illegal),
    ("S4", life.gap),
    ("S5", life.two_owners),
    ("S6", life.token_twice),
    ("S7", outcomes.stale),
    ("S8", life.ended_twice),
    ("S8", executions.unheard),
    ("S9", executions.overlaps),
    ("S16", executions.groundless),
    ("S11", fires.misaccounted),
    ("S11", fires.forgotten_while_held),
    ("S11", fires.fired_although_skipped),
    ("S11", fires.twice),
    ("S11", fires.executed_twice),
    ("S11", fires.unledgered),
    ("S11", fires_calendar.left_out_wrongly),
    ("S11", fires_calendar.left_out_untold),
    ("S12", rules.early),
    ("S12", fires.early_fire),
    ("S13", fires_policy.misdecided),
    ("S13", fires_policy.started_although_missed),
    ("S13", fires_policy.overlapping),
    ("S13", fires_policy.needless),
    ("S13", fires_policy.not_cancelled),
    ("S13", fires_policy.goes_on_failing),
    ("S13", fires_policy.hasty_delay),
    ("S14", flows.misdecided),
    ("S14", flows.unknown_step),
    ("S14", flows.begun_early),
    ("S14", flows.outlives),
    ("S14", flows.goes_on_cancelled),
    ("S15", accounting.key_twice),
    ("S16", outcomes.over_policy),
    ("S16", outcomes.unfounded),
    ("S16", endings.early_again),
    ("S16", endings.snooze_charged),
    ("S16", endings.gave_up_again),
    ("S16", endings.over_budget),
    ("S16", endings.lost_again),
    ("S17", endings.overtime),
    ("S17", endings.cut_short),
    ("S17", outcomes.late_start),
    ("S17", outcomes.overstays),
    ("S18", rules.cancelled_runs_on),
    ("S18", rules.wish_forgotten),
    ("S18", rules.cancelled_goes_on),
    ("S18", sweeps.children_run_on),
    ("S19", rules.paused_claims),
    ("S19", fires.fired_while_paused),
    ("S19", fires.left_prepared),
    ("S20", flow.over_credit),
    ("S21", rules.bad_taker),
    ("S26", flow.log_repeats),
    ("S27", accounting.fold),
    ("S28", accounting.refused_exists),
    ("S28", accounting.refused_wrongly),
    ("S29", flow.time_goes_back),
    ("S31", memories.step_again),
    ("S32", effects.effect_again),
    ("S33", sweeps.canaries_ignored),
    ("S34", liveness.hasty),
    ("S35", suspensions.claimed_although_suspended),
    ("S35", suspensions.suspension_forgotten),
    ("S35", suspensions.set_going),
    ("S35", suspensions.suspension_charged),
    ("S35", suspensions.never_yields),
    ("S35", suspensions.overslept),
    ("S37", limits.over_limit),
    ("S39", limits.over_rate),
    ("S40", limits.overtaken),
    ("L1", liveness.slow_start),
    ("L2", liveness.slow_reclaim),
    ("L3", fires_liveness.late_fire),
    ("L3", fires_liveness.left_behind),
    ("L4", liveness.slow_recovery),
    ("L5", liveness.stuck),
    ("L6", liveness.leaked),
    ("L10", liveness.charged),
    ("L11", liveness.idle_room),
)
NEED_AUDIT = frozenset(
    {
        *(
            "S3",
            "S4",
            "S5",
            "S7",
            "S8",
            "S11",
            "S13",
            "S14",
            "S16",
            "S17",
            "S18",
            "S19",
            "S21",
            "S27",
            "S29",
            "S33",
            "S34",
            "S35",
            "S37",
            "S39",
            "S40",
        ),
        *("L1", "L2", "L3", "L4", "L10", "L11"),
    }
)
"""What cannot be told from the tables as they are in the end."""
CHANNELS = {"C": "operations", "T": "executions", "A": "transitions", "D": "run_rows"}


def check(records: Records) -> Verdict:
    """Apply every check; a channel without a line makes the verdict unknown, and what has nothing to look at is idle."""
    missing = [name for name, field in CHANNELS.items() if not getattr(records, field)]
    if not records.setup.audit and "A" in missing:
        missing.remove("A")
    if missing:
        return Verdict(verdict="unknown", missing=tuple(missing))
    story = Story(records)
    applied = [(name, each) for name, each in CHECKS if records.setup.audit or name not in NEED_AUDIT]
    found = [violation for _, each in applied for violation in each(story)]
    checked = dict.fromkeys(name for name, each in applied if need_of(each)(story))
    return Verdict(
        verdict="invalid" if found else "valid",
        violations=tuple(found),
        checked=tuple(checked),
        idle=tuple(dict.fromkeys(name for name, _ in CHECKS if name not in checked)),
    )
