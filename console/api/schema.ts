// Written by scripts/write_console_types.py from the OpenAPI document.

export type AcceptBody = {
  "code": string;
  "name"?: string;
  "password": string;
};

export type AcceptedRun = {
  "id": string;
  "existing": boolean;
};

export type AcceptedRuns = {
  "runs": Array<AcceptedRun>;
};

export type AckBody = {
  "note"?: string;
};

export type ActorInfo = {
  "name": string;
  "token": string;
};

export type AddRunsBody = {
  "runs": Array<BatchRunBody>;
  "at"?: number | null;
};

export type AddedRuns = {
  "before": number;
  "runs": Array<string>;
};

export type AddressBookInfo = {
  "source": string;
  "entries": number;
  "answered_at": string | null;
  "trouble": string;
};

export type AddressBookList = {
  "server": string;
  "books": Array<AddressBookInfo>;
};

export type AgainInfo = {
  "steps": Array<string>;
  "dry_run": boolean;
};

export type AlertInfo = {
  "id": string;
  "namespace": string;
  "rule": string;
  "subject": string;
  "severity": "info" | "warn" | "page";
  "state": "pending" | "firing" | "resolved";
  "since_at": string;
  "fired_at": string | null;
  "ended_at": string | null;
  "value": number;
  "words": string;
  "run": string;
  "notified_at": string | null;
  "notices": number;
  "escalated_at": string | null;
  "acked_at": string | null;
  "acked_by": string;
  "note": string;
  "rule_deleted": boolean;
};

export type AlertKind = "breaker_open" | "budget_near" | "canary_stopped" | "channel_failed" | "dead_letters" | "executor_lost" | "executors_few" | "expiring" | "failure_rate" | "fires_skipped" | "no_executor" | "queue_age" | "queue_depth" | "run_failed" | "run_long" | "server_lost" | "servers_few" | "slo_budget" | "slo_burn" | "stale" | "store" | "strays" | "trigger_late" | "trigger_paused" | "unwatched" | "workflow_stuck";

export type AlertPage = {
  "alerts": Array<AlertInfo>;
  "next": string | null;
};

export type AlertPlanBody = {
  "owner": string;
  "channels"?: Record<string, ChannelBody>;
  "rules"?: Record<string, AlertRuleBody>;
  "slos"?: Record<string, SloBody>;
  "dry_run"?: boolean;
  "adopt"?: boolean;
};

export type AlertPlanInfo = {
  "owner": string;
  "applied": boolean;
  "kept": number;
  "items": Array<PlannedAlert>;
};

export type AlertRuleBody = {
  "kind": AlertKind;
  "job"?: string;
  "queue"?: string;
  "trigger"?: string;
  "executor"?: string;
  "breaker"?: string;
  "slo"?: string;
  "over"?: number | null;
  "at_least"?: number | null;
  "above"?: number | null;
  "older_than"?: number | null;
  "for"?: number;
  "severity"?: Severity;
  "notify"?: Array<string>;
  "recovery"?: boolean;
  "escalate_to"?: Array<string>;
  "escalate_after"?: number | null;
  "runbook"?: string;
  "quiet"?: Quiet | null;
};

export type AlertRuleInfo = {
  "name": string;
  "namespace": string;
  "version": number;
  "spec": AlertRuleBody;
  "owner": string;
  "author": string;
  "updated_at": string;
};

export type AlertRulePage = {
  "alert_rules": Array<AlertRuleInfo>;
};

export type ApprovalInfo = {
  "run": string;
  "workflow_run": string;
  "step": string;
  "title": string;
  "created_by": string;
  "form": Record<string, unknown>;
  "details": Record<string, unknown>;
  "approvers": Array<string>;
  "approvals": number;
  "four_eyes": boolean;
  "votes": Array<VoteInfo>;
};

export type ApprovalPage = {
  "approvals": Array<ApprovalInfo>;
  "next": string | null;
};

export type ApproveBody = {
  "form"?: Record<string, unknown>;
  "note"?: string;
};

export type At = {
  "kind": "once";
  "at": string;
};

export type AttemptInfo = {
  "number": number;
  "outcome": string;
  "executor": string;
  "started_at": string | null;
  "ended_at": string;
  "error": RunError | null;
  "job": string;
  "host": string;
  "code_version": string;
  "duration": number | null;
  "beside": Array<string>;
};

export type AttemptPage = {
  "attempts": Array<AttemptInfo>;
};

export type AuditEntryInfo = {
  "position": number;
  "at": string;
  "actor": ActorInfo;
  "namespace": string;
  "act": string;
  "kind": string;
  "key": string;
  "details": unknown;
};

export type AuditPage = {
  "entries": Array<AuditEntryInfo>;
  "next": string | null;
};

export type BackfillInfo = {
  "id": string;
  "trigger": string;
  "job": string;
  "state": "running" | "done" | "stopped" | "cancelled";
  "note": string;
  "since": string;
  "until": string;
  "concurrency": number;
  "priority": number;
  "rerun": boolean;
  "reason": string;
  "by": string;
  "expected": number;
  "made": number;
  "passed": number;
  "live": Array<string>;
  "succeeded": number;
  "failed": number;
  "next": string | null;
  "created_at": string;
  "moved_at": string;
};

export type BackfillPage = {
  "backfills": Array<BackfillInfo>;
  "next": string | null;
};

export type BackfillPreview = {
  "since": string;
  "until": string;
  "instants": number;
  "fired": number;
  "runs": number;
  "first": string | null;
  "last": string | null;
  "sample": Array<string>;
  "known_since": string;
};

export type BatchInfo = {
  "id": string;
  "name": string;
  "state": string;
  "size": number;
  "unfinished": number;
  "succeeded": number;
  "failed": number;
  "cancelled": number;
  "progress": number;
  "created_at": string;
  "finished_at": string | null;
  "on_success": string | null;
  "on_failure": string | null;
  "finally": string | null;
};

export type BatchPage = {
  "batches": Array<BatchInfo>;
  "next": string | null;
};

export type BatchRequestBody = {
  "reason"?: string;
};

export type BatchRunBody = {
  "input"?: Record<string, unknown>;
  "queue"?: string | null;
  "executor"?: string | null;
  "route"?: RouteBody | null;
  "priority"?: number | null;
  "due_at"?: string | null;
  "delay"?: number | null;
  "key"?: null;
  "labels"?: Record<string, string>;
  "tags"?: Array<string>;
  "parent"?: string | null;
  "traceparent"?: string | null;
  "deadline"?: string | null;
  "deadline_in"?: number | null;
  "start_within"?: number | null;
  "job": string;
};

export type BatchRunPage = {
  "runs": Array<StepRunInfo>;
  "next": string | null;
};

export type Blackout = {
  "since": string;
  "until": string;
  "name"?: string;
};

export type BlockedInfo = {
  "handler": string;
  "run": string;
  "seconds": number;
  "at": string;
  "place": string;
};

export type Blocking = "discard" | "latest" | "queue" | "replace";

export type BreakerBody = {
  "failures"?: number;
  "slow"?: number | null;
  "slow_after"?: number | null;
  "window"?: number;
  "window_calls"?: number | null;
  "min_calls"?: number;
  "wait"?: number;
  "wait_max"?: number;
  "probes"?: number;
  "probe_within"?: number;
  "witnesses"?: number;
  "record"?: Array<string>;
  "ignore"?: Array<string>;
  "open_on_retry_after"?: boolean;
};

export type BreakerChange = {
  "epoch": number;
  "at": string;
  "was": "closed" | "open" | "half_open" | "forced_open" | "disabled" | "metrics_only";
  "state": "closed" | "open" | "half_open" | "forced_open" | "disabled" | "metrics_only";
  "until": string | null;
  "calls": number;
  "failures": number;
  "slow": number;
  "reason": string;
  "by": string;
};

export type BreakerHistory = {
  "changes": Array<BreakerChange>;
};

export type BreakerInfo = {
  "name": string;
  "state": "closed" | "open" | "half_open" | "forced_open" | "disabled" | "metrics_only";
  "since": string;
  "until": string | null;
  "reason": string;
  "by": string;
  "streak": number;
  "wave": number;
  "calls": number;
  "failures": number;
  "slow": number;
  "epoch": number;
  "rule": BreakerRule;
};

export type BreakerOpening = {
  "at": string;
  "until": string | null;
  "openings": number;
  "reason": string;
};

export type BreakerPage = {
  "breakers": Array<BreakerInfo>;
};

export type BreakerReasonBody = {
  "reason"?: string;
};

export type BreakerRule = {
  "failures": number;
  "slow": number | null;
  "slow_after": number | null;
  "window": number;
  "window_calls": number | null;
  "min_calls": number;
  "wait": number;
  "wait_max": number;
  "probes": number;
  "probe_within": number;
  "witnesses": number;
  "record": Array<string>;
  "ignore": Array<string>;
  "open_on_retry_after": boolean;
};

export type BreakerTrial = {
  "name": string;
  "jobs": Array<string>;
  "calls": number;
  "failures": number;
  "slow": number;
  "since": string | null;
  "until": string | null;
  "opened": Array<BreakerOpening>;
  "open_seconds": number;
  "held": number;
  "opened_then": number;
  "unknown": Array<"handler_calls" | "held_calls" | "open_then" | "kinds" | "retry_after" | "older_attempts" | "jobs">;
};

export type BreakerTrialBody = {
  "rule"?: BreakerBody;
  "runs"?: number;
};

export type BudgetBody = {
  "max_queued": number | null;
  "new"?: boolean;
};

export type CalendarBody = {
  "name"?: string;
  "description"?: string;
  "zone"?: string;
  "weekdays"?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
  "holidays"?: Array<Holidays>;
  "dates"?: Record<string, string>;
  "counted"?: Array<string>;
  "blackouts"?: Array<Blackout>;
  "daily_blackouts"?: Array<DailyBlackout>;
  "note"?: string;
};

export type CalendarDays = {
  "year": number;
  "days": Record<string, string>;
};

export type CalendarImpact = {
  "trigger": string;
  "changed": boolean;
  "before": Array<string>;
  "after": Array<string>;
  "differs_at": string | null;
  "same_until": string | null;
};

export type CalendarImpactPage = {
  "triggers": Array<CalendarImpact>;
  "next": string | null;
};

export type CalendarInfo = {
  "name": string;
  "namespace": string;
  "version": number;
  "spec": CalendarSpec;
  "holidays_until": number | null;
  "author": string;
  "note": string;
  "updated_at": string;
  "owner": string;
};

export type CalendarPage = {
  "calendars": Array<CalendarInfo>;
  "next": string | null;
};

export type CalendarSpec = {
  "name": string;
  "description"?: string;
  "zone"?: string;
  "weekdays"?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
  "holidays"?: Array<Holidays>;
  "dates"?: Record<string, string>;
  "counted"?: Array<string>;
  "blackouts"?: Array<Blackout>;
  "daily_blackouts"?: Array<DailyBlackout>;
};

export type CalendarVersionPage = {
  "versions": Array<CalendarInfo>;
  "next": string | null;
};

export type CallProblem = {
  "code": string;
  "detail": string;
  "field": string | null;
};

export type CallbackBody = {
  "job": string;
  "input"?: Record<string, unknown>;
};

export type Canary = {
  "version": string;
  "share": number;
  "stop_above"?: number | null;
  "min_runs"?: number;
};

export type CanaryInfo = {
  "job": string;
  "version": string;
  "share": number;
  "stopped": boolean;
  "stop_above": number | null;
  "min_runs": number;
  "since": string;
  "canary": CanarySideInfo;
  "others": CanarySideInfo;
};

export type CanarySideInfo = {
  "runs": number;
  "succeeded": number;
  "failed": number;
  "retrying": number;
  "failure_rate": number;
};

export type CancelBackfillBody = {
  "reason"?: string;
};

export type CancelBody = {
  "reason"?: string;
  "children"?: boolean;
};

export type CancelRunsBody = {
  "runs": Array<string>;
  "reason"?: string;
};

export type CancelSweepBody = {
  "reason"?: string;
};

export type CancelledRun = {
  "id": string;
  "state": string | null;
  "code": string | null;
};

export type CancelledRuns = {
  "runs": Array<CancelledRun>;
};

export type ChangeInfo = {
  "path": string;
  "before"?: unknown;
  "after"?: unknown;
};

export type ChangeRunsBody = {
  "runs": Array<string>;
  "priority"?: number | null;
  "due_at"?: string | null;
  "queue"?: string | null;
  "reason"?: string;
};

export type ChangedRuns = {
  "runs": Array<string>;
};

export type ChannelBody = {
  "kind": ChannelKind;
  "url"?: string;
  "secret"?: string;
  "routing_key"?: string;
  "host"?: string;
  "port"?: number;
  "encryption"?: Encryption;
  "username"?: string;
  "password"?: string;
  "sender"?: string;
  "to"?: Array<string>;
  "at_mobiles"?: Array<string>;
  "per_minute"?: number;
  "details"?: boolean;
  "alive"?: number | null;
  "cluster"?: boolean;
};

export type ChannelInfo = {
  "name": string;
  "namespace": string;
  "version": number;
  "spec": ChannelBody;
  "owner": string;
  "author": string;
  "updated_at": string;
  "warnings": Array<string>;
};

export type ChannelKind = "alertmanager" | "apprise" | "dingtalk" | "email" | "feishu" | "pagerduty" | "slack" | "teams" | "webhook" | "wecom";

export type ChannelPage = {
  "channels": Array<ChannelInfo>;
};

export type CheckInfo = {
  "graph": Array<WorkflowStepInfo>;
  "unchecked": Array<string>;
  "unserved": Array<string>;
};

export type CheckpointInfo = {
  "state": unknown;
  "attempt": number;
  "at": string;
};

export type CordonBody = {
  "reason"?: string;
};

export type CordonInfo = {
  "at": string;
  "actor": string;
  "reason": string;
  "drain_at": string | null;
  "grace": number;
};

export type Cron = {
  "kind": "cron";
  "expressions": Array<string>;
  "zone"?: string;
  "gap"?: Gap;
  "fold"?: Fold;
};

export type CrontabBody = {
  "text": string;
  "zone"?: string;
  "system"?: boolean | null;
  "count"?: number;
};

export type CrontabPreview = {
  "triggers": Array<CrontabTrigger>;
  "refused": Array<CrontabRefusal>;
  "remarks": Array<CrontabRemark>;
  "runnable": boolean;
};

export type CrontabRefusal = {
  "line": number;
  "text": string;
  "reason": string;
};

export type CrontabRemark = {
  "line": number;
  "text": string;
};

export type CrontabTrigger = {
  "line": number;
  "words": string;
  "trigger": TriggerSpec;
  "instants": Array<PreviewedInstant>;
  "notes": Array<string>;
  "exists": boolean;
};

export type DailyBlackout = {
  "opens": string;
  "closes": string;
  "zone"?: string;
  "weekdays"?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
  "name"?: string;
};

export type DatabaseInfo = {
  "product": string;
  "version": string;
  "looked_at": string;
  "size": number;
  "room": number | null;
  "connections": number | null;
  "connections_max": number | null;
  "pool": PoolLoans | null;
  "settings": Record<string, string>;
  "durability": string;
  "replication_lag": number | null;
  "notify_queue": number;
  "dead_rows": Record<string, number>;
  "holder": HolderInfo | null;
  "slots": Array<SlotInfo>;
  "oldest_day": string | null;
  "newest_day": string | null;
  "retention_days": number;
  "days": Array<HistoryDayInfo>;
  "duties": Array<HeldDutyInfo>;
  "leases": LeaseAgesInfo;
};

export type DeadGroupInfo = {
  "fingerprint": string;
  "job": string;
  "class": string;
  "message": string;
  "runs": number;
  "more": boolean;
  "first_at": string;
  "last_at": string;
  "example": string;
  "note": string;
  "noted_by": string;
  "noted_at": string | null;
  "mute": MuteInfo | null;
  "muted": boolean;
  "owner": string;
  "owned_by": string;
  "owned_at": string | null;
};

export type DeadGroupPage = {
  "groups": Array<DeadGroupInfo>;
  "next": string | null;
};

export type DeadLetterInfo = {
  "run": string;
  "job": string;
  "queue": string;
  "fingerprint": string;
  "class": string;
  "message": string;
  "reason": string | null;
  "failed_at": string;
  "discarded": RunDiscard | null;
};

export type DeadLetterPage = {
  "letters": Array<DeadLetterInfo>;
  "next": string | null;
};

export type Debounce = {
  "period": number;
  "key"?: Array<string>;
  "at_most"?: number | null;
};

export type DecisionInfo = {
  "run": string;
  "decided": boolean;
  "votes": Array<VoteInfo>;
};

export type Definition = {
  "handler": string;
  "queue": string;
  "priority": number;
  "retry": RetryInfo;
  "description": string;
  "input": Record<string, unknown>;
  "schema": Record<string, unknown>;
  "timeout": number | null;
  "deadline": number | null;
  "start_within": number | null;
  "on_lost": "retry" | "fail" | "ask";
  "losses_max": number;
  "policy": Policy;
};

export type Delay = {
  "kind": "delay";
  "delay": number;
};

export type DiscardBody = {
  "reason"?: string;
};

export type DoctorFinding = {
  "check": string;
  "grade": string;
  "found": string;
  "advice": string;
  "code": string;
  "values": Record<string, string | number>;
};

export type DoctorReport = {
  "server": string;
  "looked_at": string;
  "findings": Array<DoctorFinding>;
};

export type DrainBody = {
  "reason"?: string;
  "grace"?: number;
};

export type DriftInfo = {
  "at": string;
  "by": string;
  "changes": Array<ChangeInfo>;
};

export type EffectInfo = {
  "name": string;
  "done": boolean;
  "result": unknown;
  "attempt": number;
  "at": string;
};

export type EmptyBody = Record<string, unknown>;

export type Encryption = "none" | "starttls" | "tls";

export type EndSignInsBody = {
  "others"?: boolean;
};

export type Event = {
  "kind": "event";
  "type": string;
  "filter"?: Record<string, string | number | boolean | null | Array<unknown> | {
  "eq"?: unknown;
  "in"?: Array<unknown>;
  "prefix"?: string;
  "exists"?: boolean;
  "gt"?: string | number;
  "ge"?: string | number;
  "lt"?: string | number;
  "le"?: string | number;
}>;
  "mapping"?: Record<string, string>;
};

export type EventBody = {
  "type": string;
  "data"?: unknown;
  "id"?: string | null;
};

export type EventRefusal = {
  "event": number;
  "trigger": string;
  "code": string;
  "detail": string;
  "field": string | null;
};

export type EventRun = {
  "event": number;
  "trigger": string;
  "run": string;
  "existing": boolean;
};

export type EventTypeInfo = {
  "type": string;
  "told": number;
  "matched": number;
  "unmatched": number;
  "first_at": string;
  "last_at": string;
};

export type EventTypePage = {
  "types": Array<EventTypeInfo>;
  "next": string | null;
};

export type EventsBody = {
  "events": Array<EventBody>;
};

export type Every = {
  "kind": "interval";
  "every": number;
  "anchor"?: string | null;
};

export type ExecutorInfo = {
  "name": string;
  "namespace": string;
  "session": string;
  "state": string;
  "server": string;
  "host": string;
  "code_version": string;
  "labels": Record<string, string>;
  "resources": Record<string, number>;
  "queues": Array<string>;
  "handlers": number;
  "pools": Array<PoolInfo>;
  "load": LoadInfo | null;
  "opened_at": string;
  "lease_until": string;
  "lease_age": number;
  "blocked": Array<BlockedInfo>;
  "stuck": Array<StuckInfo>;
  "cordon": CordonInfo | null;
};

export type ExecutorPage = {
  "executors": Array<ExecutorInfo>;
  "next": string | null;
};

export type ExecutorSessions = {
  "name": string;
  "namespace": string;
  "cordon": CordonInfo | null;
  "sessions": Array<ExecutorInfo>;
  "handlers": Record<string, string>;
  "runs": Array<HeldRun>;
  "more": boolean;
  "wanted": Array<PoolWishInfo>;
};

export type FailureFigureInfo = {
  "fingerprint": string;
  "hours": Array<number>;
  "more": boolean;
  "versions": Array<string>;
};

export type FailureFigures = {
  "failures": Array<FailureFigureInfo>;
};

export type FailureNoteBody = {
  "note": string;
};

export type FailureNoteInfo = {
  "fingerprint": string;
  "note": string;
  "noted_by": string;
  "noted_at": string | null;
  "mute": MuteInfo | null;
  "owner": string;
  "owned_by": string;
  "owned_at": string | null;
};

export type FailureOwnerBody = {
  "owner": string;
};

export type Fair = {
  "key": Array<string>;
};

export type FilledInstant = {
  "at": string;
  "run": string;
};

export type FilledPage = {
  "instants": Array<FilledInstant>;
  "next": string | null;
};

export type FindingInfo = {
  "kind": "run_failed" | "failure_rate" | "stale" | "trigger_late" | "fires_skipped" | "trigger_paused" | "queue_age" | "queue_depth" | "budget_near" | "no_executor" | "run_long" | "dead_letters" | "executor_lost" | "executors_few" | "servers_few" | "strays" | "server_lost" | "store" | "expiring" | "breaker_open" | "canary_stopped" | "workflow_stuck" | "channel_failed" | "unwatched" | "slo_burn" | "slo_budget";
  "severity": "info" | "warn" | "page";
  "subject": string;
  "words": string;
  "since_at": string | null;
  "remedy": string;
  "run": string;
  "rule": string;
  "alert": string;
  "acked_by": string;
};

export type FindingPage = {
  "findings": Array<FindingInfo>;
  "more": number;
  "taken_at": string;
  "fresh": boolean;
};

export type FiredRun = {
  "id": string;
  "passed_over": Array<"paused" | "ended" | "not_started" | "overlap" | "calendar">;
};

export type FlowPreviewInfo = {
  "run": string;
  "steps": Array<string>;
  "refused": string;
};

export type FlowRequestBody = {
  "reason"?: string;
};

export type FlowTerms = {
  "step"?: string;
  "result"?: unknown;
  "version"?: number | null;
  "redo"?: boolean;
};

export type FlowTermsBody = {
  "step"?: string;
  "result"?: unknown;
  "version"?: number | null;
  "redo"?: boolean;
};

export type Fold = "both" | "first" | "second";

export type ForkBody = {
  "step": string;
  "input"?: Record<string, unknown> | null;
  "version"?: number | null;
  "dry_run"?: boolean;
  "reason"?: string;
};

export type ForkInfo = {
  "run": string | null;
  "steps": Array<string>;
  "dry_run": boolean;
};

export type FoundThing = {
  "kind": "run" | "job" | "workflow" | "trigger" | "queue" | "executor";
  "name": string;
  "note": string;
};

export type Gap = "next_valid" | "skip";

export type GridInfo = {
  "steps": Array<string>;
  "runs": Array<GridRun>;
};

export type GridRun = {
  "id": string;
  "version": number;
  "state": string;
  "began_at": string;
  "finished_at": string | null;
  "cells": string;
};

export type HeldDutyInfo = {
  "duty": string;
  "server": string;
  "until": string;
};

export type HeldRun = {
  "id": string;
  "job": string;
  "attempt": number;
  "claimed_at": string;
  "session": string;
};

export type HerdInfo = {
  "at": string;
  "step": number;
  "runs": number;
  "triggers": Array<HerdMember>;
  "more": number;
  "complete": boolean;
};

export type HerdMember = {
  "name": string;
  "job": string;
  "words": string;
  "runs": number;
  "spread": number;
};

export type HistogramStep = {
  "at": string;
  "states": Record<string, number>;
};

export type HistoryDayInfo = {
  "day": string;
  "size": number | null;
  "rows": number | null;
  "drops_on": string;
};

export type HolderInfo = {
  "kind": string;
  "name": string;
  "pid": number | null;
  "user": string;
  "state": string;
  "seconds": number;
  "remedy": string;
  "is_trouble": boolean;
};

export type Holidays = {
  "country"?: string;
  "subdivision"?: string;
  "market"?: string;
};

export type HookAuth = "bearer" | "hmac";

export type HookCallInfo = {
  "at": string;
  "run": string | null;
  "existing": boolean;
  "code": string | null;
  "detail": string | null;
};

export type HookCallList = {
  "calls": Array<HookCallInfo>;
};

export type HookInfo = {
  "path": string;
  "auth": "hmac" | "bearer";
  "made_at": string;
  "old_until": string | null;
};

export type HookSecret = {
  "secret": string;
  "hook": HookInfo;
};

export type IcsBody = {
  "ics": string;
  "zone"?: string;
  "replace"?: boolean;
  "note"?: string;
};

export type Indicator = "duration" | "fired" | "fresh" | "start" | "success";

export type InstantInfo = {
  "at": string;
  "outcome": "fired" | "skipped" | "prepared" | "held" | "paused" | "expected" | "missing";
  "reason": "missed" | "too_late" | "too_many" | "overlap" | "held_full" | "paused" | "asked" | "calendar" | "replaced" | "job_gone" | "deleted" | null;
  "run": string | null;
  "backfill": string | null;
  "last": string | null;
};

export type InstantPage = {
  "instants": Array<InstantInfo>;
  "next": string | null;
};

export type InvariantInfo = {
  "name": string;
  "says": string;
  "holds": boolean;
  "examples": Array<string>;
};

export type InvariantsInfo = {
  "invariants": Array<InvariantInfo>;
};

export type InvitationBody = {
  "code": string;
};

export type InvitationInfo = {
  "name": string;
  "expires_at": string;
};

export type InvitedUser = {
  "user": UserInfo;
  "code": string;
  "expires_at": string;
};

export type IssuedToken = {
  "text": string;
  "token": TokenInfo;
};

export type JobBody = {
  "handler": string;
  "queue"?: string;
  "priority"?: number;
  "retry"?: RetryPolicyBody;
  "description"?: string;
  "input"?: Record<string, unknown>;
  "timeout"?: number | null;
  "deadline"?: number | null;
  "start_within"?: number | null;
  "on_lost"?: OnLost;
  "losses_max"?: number;
  "policy"?: Policy;
  "note"?: string;
};

export type JobChangesBody = {
  "handler"?: string;
  "queue"?: string;
  "priority"?: number;
  "retry"?: RetryPolicyChangesBody;
  "description"?: string;
  "input"?: Record<string, unknown>;
  "timeout"?: number | null;
  "deadline"?: number | null;
  "start_within"?: number | null;
  "on_lost"?: OnLost;
  "losses_max"?: number;
  "policy"?: Policy;
  "note"?: string;
};

export type JobDiff = {
  "from": number;
  "to": number;
  "changes": Array<ChangeInfo>;
};

export type JobFigure = {
  "job": string;
  "succeeded": number;
  "failed": number;
  "cancelled": number;
  "skipped": number;
  "wait": SpreadInfo | null;
  "duration": SpreadInfo | null;
};

export type JobFigures = {
  "since": string | null;
  "until": string | null;
  "jobs": Array<JobFigure>;
};

export type JobInfo = {
  "name": string;
  "namespace": string;
  "version": number;
  "handler": string;
  "queue": string;
  "priority": number;
  "retry": RetryInfo;
  "description": string;
  "input": Record<string, unknown>;
  "schema": Record<string, unknown>;
  "timeout": number | null;
  "deadline": number | null;
  "start_within": number | null;
  "on_lost": "retry" | "fail" | "ask";
  "losses_max": number;
  "policy": Policy;
  "origin": string;
  "drifted": boolean;
  "updated_at": string;
  "paused": QueuePause | null;
  "code"?: Definition | null;
};

export type JobPage = {
  "jobs": Array<JobInfo>;
  "next": string | null;
};

export type JobPython = {
  "code": string;
};

export type JobRuns = {
  "job": string;
  "runs": Array<RunInfo>;
};

export type JobRunsList = {
  "jobs": Array<JobRuns>;
};

export type JobVersionInfo = {
  "version": number;
  "at": string;
  "source": SourceInfo;
  "note": string;
  "definition": Definition;
};

export type JobVersionPage = {
  "versions": Array<JobVersionInfo>;
  "next": string | null;
};

export type KeptHistory = "all" | "failures" | "none";

export type KeyBody = {
  "at_once"?: number | null;
  "weight"?: number;
};

export type KeyInfo = {
  "key": string;
  "at_once": number | null;
  "weight": number;
  "held": number;
  "waiting": number;
};

export type KeyPage = {
  "keys": Array<KeyInfo>;
};

export type LeaseAgesInfo = {
  "lasts": number;
  "ages": Array<number>;
  "oldest": number | null;
};

export type Limit = {
  "at_once"?: number | null;
  "key"?: Array<string>;
  "name"?: string;
};

export type LimitBody = {
  "at_once"?: number | null;
  "rate"?: string | null;
  "burst"?: number | null;
  "key"?: Array<string>;
};

export type LimitInfo = {
  "scope": "queue" | "namespace" | "limit";
  "name": string;
  "at_once": number | null;
  "rate": string | null;
  "burst": number | null;
  "key": Array<string>;
  "held": number;
  "opens_at": string | null;
  "revision": number;
  "updated_at": string | null;
};

export type LimitPage = {
  "limits": Array<LimitInfo>;
};

export type ListedWorkflowRun = {
  "id": string;
  "version": number | null;
  "state": string;
  "paused": boolean;
  "created_at": string;
  "began_at": string | null;
  "finished_at": string | null;
  "failed": Array<string>;
  "under_way": Array<string>;
  "waiting_for": Array<string>;
};

export type LivenessInfo = {
  "alive": boolean;
};

export type LoadInfo = {
  "cpu": number;
  "memory": number;
  "running": number;
  "waiting": number;
  "at": string;
  "strays": number;
};

export type LoadedTriggers = {
  "triggers": number;
};

export type LogLine = {
  "at": string;
  "level": number;
  "message": string;
  "seq": number;
};

export type LogPage = {
  "logs": Array<LogLine>;
  "next": number;
};

export type MaintenanceBody = {
  "reason"?: string;
  "lasts"?: number | null;
  "on": boolean;
};

export type MarkBody = {
  "step": string;
  "result"?: unknown;
  "dry_run"?: boolean;
  "reason"?: string;
};

export type MarkInfo = {
  "at": string;
  "kind": "change" | "pause" | "resume" | "drain" | "guard";
  "subject": string;
  "act": string;
  "by": string;
};

export type MarkList = {
  "marks": Array<MarkInfo>;
  "complete": boolean;
};

export type Misfire = "all" | "once" | "skip";

export type MoveBody = {
  "version"?: number;
  "dry_run"?: boolean;
  "reason"?: string;
};

export type MuteBody = {
  "until"?: string | null;
  "reason"?: string;
};

export type MuteInfo = {
  "at": string;
  "until": string | null;
  "by": string;
  "reason": string;
};

export type NamedWorkflowBody = {
  "steps": Record<string, unknown>;
  "result"?: string;
  "on_success"?: Record<string, unknown> | null;
  "on_failure"?: Record<string, unknown> | null;
  "finally"?: Record<string, unknown> | null;
  "fail_fast"?: boolean;
  "steps_at_once"?: number | null;
  "schema"?: Record<string, unknown>;
  "returns"?: Record<string, unknown>;
  "input"?: Record<string, unknown>;
  "queue"?: string;
  "priority"?: number;
  "deadline"?: number | null;
  "start_within"?: number | null;
  "runs_at_once"?: number | null;
  "policy"?: Policy;
  "description"?: string;
  "note"?: string;
  "name": string;
};

export type NamespaceBudget = {
  "namespace": string;
  "max_queued": number | null;
};

export type NamespaceBudgetBody = {
  "max_queued": number | null;
};

export type NamespaceInfo = {
  "name": string;
  "description": string;
  "created_at": string | null;
  "weight": number | null;
};

export type NamespacePage = {
  "namespaces": Array<NamespaceInfo>;
};

export type NamespacePolicyBody = {
  "blackout"?: string;
  "when_full"?: WhenFull;
  "weight"?: number | null;
};

export type NamespacePolicyInfo = {
  "namespace": string;
  "blackout": string;
  "when_full": "refuse" | "wait" | "shed";
  "weight": number | null;
};

export type NewBackfillBody = {
  "since": string;
  "until"?: string | null;
  "concurrency"?: number;
  "priority"?: number;
  "rerun"?: boolean;
  "dry_run"?: boolean;
  "reason"?: string;
};

export type NewBatchBody = {
  "name": string;
  "runs"?: Array<BatchRunBody>;
  "close"?: boolean;
  "on_success"?: CallbackBody | null;
  "on_failure"?: CallbackBody | null;
  "finally"?: CallbackBody | null;
  "deadline"?: string | null;
};

export type NewExecutorTokenBody = {
  "name": string;
  "namespace"?: string | null;
  "expires_in"?: number | null;
  "role": "executor";
  "queues"?: Array<string>;
};

export type NewNamespaceBody = {
  "name": string;
  "description"?: string;
};

export type NewRunBody = {
  "input"?: Record<string, unknown>;
  "queue"?: string | null;
  "executor"?: string | null;
  "route"?: RouteBody | null;
  "priority"?: number | null;
  "due_at"?: string | null;
  "delay"?: number | null;
  "key"?: string | null;
  "labels"?: Record<string, string>;
  "tags"?: Array<string>;
  "parent"?: string | null;
  "traceparent"?: string | null;
  "deadline"?: string | null;
  "deadline_in"?: number | null;
  "start_within"?: number | null;
  "job": string;
};

export type NewRunsBody = {
  "runs": Array<NewRunBody>;
};

export type NewSweepBody = {
  "act": SweepAct;
  "filter"?: SweepFilterBody;
  "all"?: boolean;
  "terms"?: FlowTermsBody;
  "canaries"?: number;
  "reason"?: string;
  "hold"?: number;
};

export type NewTokenBody = {
  "name": string;
  "namespace"?: string | null;
  "expires_in"?: number | null;
  "role": "admin" | "editor" | "operator" | "viewer";
};

export type NewUserBody = {
  "name": string;
  "display_name"?: string;
  "roles": Record<string, "admin" | "editor" | "operator" | "viewer">;
};

export type NextFire = {
  "trigger": string;
  "job": string;
  "at": string;
  "words": string;
};

export type NoticeInfo = {
  "id": string;
  "channel": string;
  "kind": "fire" | "repeat" | "recover" | "escalate" | "acknowledge" | "refresh" | "digest" | "test" | "alive";
  "rule": string;
  "alerts": Array<string>;
  "state": "waiting" | "sending" | "sent" | "failed" | "merged";
  "tries": number;
  "made_at": string;
  "next_at": string;
  "sent_at": string | null;
  "answer": string;
};

export type NoticePage = {
  "notices": Array<NoticeInfo>;
  "next": string | null;
};

export type ObstacleInfo = {
  "code": string;
  "text": string;
  "remedy": string;
  "since": string | null;
  "until": string | null;
  "facts": Record<string, unknown>;
};

export type OnAbsent = "fail" | "reroute" | "wait";

export type OnLost = "ask" | "fail" | "retry";

export type Overlap = "allow" | "cancel_previous" | "queue_all" | "queue_one" | "skip";

export type OverviewInfo = {
  "taken_at": string;
  "totals": OverviewTotals;
  "maintenance": PauseInfo;
  "pause": PauseInfo;
  "findings": Array<FindingInfo>;
  "findings_more": number;
  "queues": Array<QueueInfo>;
  "executors": Array<ExecutorInfo>;
  "rates": RatesInfo;
  "failing": Array<DeadGroupInfo>;
  "failing_groups": number;
  "failing_more": boolean;
  "next_fires": Array<NextFire>;
  "approvals": Array<ApprovalInfo>;
  "approvals_more": boolean;
};

export type OverviewTotals = {
  "queues": number;
  "paused_queues": number;
  "queued": number;
  "later": number;
  "waiting": number;
  "running": number;
  "oldest_seconds": number | null;
  "finished": number;
  "failed": number;
  "executors": number;
  "executors_more": boolean;
  "slots": number;
};

export type PasswordBody = {
  "old": string;
  "new": string;
};

export type PauseBody = {
  "reason"?: string;
  "lasts"?: number | null;
  "new"?: boolean;
};

export type PauseInfo = {
  "paused": boolean;
  "reason": string | null;
  "by": string | null;
  "since": string | null;
  "until": string | null;
};

export type PauseTriggerBody = {
  "reason"?: string;
};

export type PlanBody = {
  "owner": string;
  "triggers": Array<TriggerSpec>;
  "calendars"?: Array<CalendarSpec>;
  "workflows"?: Array<NamedWorkflowBody>;
  "code"?: boolean;
  "dry_run"?: boolean;
  "adopt"?: boolean;
  "based_on"?: string | null;
  "note"?: string;
};

export type PlanInfo = {
  "owner": string;
  "applied": boolean;
  "based_on": string;
  "kept": number;
  "calendars": Array<PlannedCalendar>;
  "workflows": Array<PlannedWorkflow>;
  "triggers": Array<PlannedTrigger>;
};

export type PlannedAlert = {
  "noun": string;
  "name": string;
  "act": "add" | "change" | "remove" | "conflict";
  "fields": Array<string>;
  "owner": string;
};

export type PlannedCalendar = {
  "name": string;
  "act": "add" | "change" | "remove" | "keep" | "conflict" | "blocked";
  "changes": Array<ChangeInfo>;
  "drift": DriftInfo | null;
  "reason": string;
  "triggers": Array<CalendarImpact>;
};

export type PlannedTrigger = {
  "name": string;
  "act": "add" | "change" | "remove" | "keep" | "conflict" | "blocked";
  "job": string;
  "words": string;
  "changes": Array<ChangeInfo>;
  "drift": DriftInfo | null;
  "next_before": Array<string>;
  "next_after": Array<string>;
  "reason": string;
};

export type PlannedWorkflow = {
  "name": string;
  "act": "add" | "change" | "remove" | "keep" | "conflict" | "blocked";
  "version": number | null;
  "steps": number;
  "changes": Array<ChangeInfo>;
  "drift": DriftInfo | null;
  "reason": string;
};

export type Policy = {
  "at_once"?: number | null;
  "limit_key"?: Array<string>;
  "limits"?: Array<Limit>;
  "rate"?: Rate | null;
  "blocking"?: Blocking;
  "debounce"?: Debounce | null;
  "throttle"?: Throttle | null;
  "executor_limit"?: number | null;
  "fair"?: Fair | null;
  "weight"?: number | null;
  "route"?: Route;
  "requires"?: Array<string>;
  "prefers"?: Array<string>;
  "uses"?: Record<string, number | string>;
  "runs_on"?: string;
  "breaker"?: string;
  "stop_when_open"?: boolean;
  "blackout"?: string;
  "canary"?: Canary | null;
  "history"?: KeptHistory;
  "slices"?: number | null;
  "settle_by"?: string | number;
};

export type Pool = "loop" | "processes" | "threads";

export type PoolInfo = {
  "pool": string;
  "core": number;
  "max": number;
  "queue": number;
  "room": number;
  "taken": number | null;
};

export type PoolLoans = {
  "busy": number;
  "idle": number;
};

export type PoolSizeBody = {
  "core": number;
  "max": number;
  "queue": number;
};

export type PoolWishInfo = {
  "pool": string;
  "core": number;
  "max": number;
  "queue": number;
  "at": string;
  "actor": string;
  "reason": string;
};

export type PreferencesBody = {
  "language"?: "en" | "zh" | null;
  "theme"?: "auto" | "dark" | "light" | null;
  "density"?: "compact" | "regular" | "roomy" | null;
  "zone"?: string | null;
  "own_zone"?: string | null;
  "keys"?: boolean | null;
  "range"?: "15m" | "1h" | "24h" | "7d" | null;
};

export type PreferencesInfo = {
  "language": "en" | "zh" | null;
  "theme": "auto" | "light" | "dark" | null;
  "density": "compact" | "regular" | "roomy" | null;
  "zone": string | null;
  "own_zone": string | null;
  "keys": boolean | null;
  "range": "15m" | "1h" | "24h" | "7d" | null;
};

export type PreviewBody = {
  "when": Cron | Every | Delay | At | Windows | Webhook | Event;
  "name"?: string;
  "start_at"?: string | null;
  "end_at"?: string | null;
  "calendar"?: string;
  "roll"?: Roll;
  "after"?: string | null;
  "count"?: number;
};

export type PreviewedInstant = {
  "at": string;
  "local": string;
  "note": string;
  "spread": number;
  "jitter": number;
};

export type Problem = {
  "type": string;
  "title": string;
  "status": number;
  "code": string;
  "detail": string;
  "field"?: string | null;
  "kind"?: string | null;
  "key"?: string | null;
  "depth"?: number | null;
  "limit"?: number | null;
  "retry_after"?: number | null;
};

export type ProviderInfo = {
  "name": string;
  "title": string;
};

export type ProviderList = {
  "providers": Array<ProviderInfo>;
};

export type Published = {
  "told": number;
  "matched": number;
  "waits": number;
  "runs": Array<EventRun>;
  "refused": Array<EventRefusal>;
};

export type QueueInfo = {
  "name": string;
  "namespace": string;
  "queued": number;
  "later": number;
  "waiting": number;
  "running": number;
  "oldest_seconds": number | null;
  "taken_at": string | null;
  "executors": number;
  "slots": number;
  "paused": QueuePause | null;
  "max_queued": number | null;
  "policy": QueuePolicyInfo;
  "rates": QueueRates | null;
};

export type QueuePage = {
  "queues": Array<QueueInfo>;
  "next": string | null;
};

export type QueuePause = {
  "reason": string;
  "by": string;
  "since": string;
  "until": string | null;
};

export type QueuePolicyBody = {
  "ageing"?: number | null;
  "hurry"?: number | null;
  "late_after"?: number | null;
  "blackout"?: string;
  "when_full"?: WhenFull;
  "weight"?: number | null;
  "new"?: boolean;
};

export type QueuePolicyInfo = {
  "ageing": number | null;
  "hurry": number | null;
  "late_after": number | null;
  "blackout": string;
  "when_full": "refuse" | "wait" | "shed";
  "weight": number | null;
};

export type QueueRates = {
  "finished": number;
  "succeeded": number;
  "failed": number;
  "recent": Array<number>;
  "until": string;
};

export type QueueScaling = {
  "depth": number;
  "oldest_seconds": number;
  "running": number;
  "slots": number;
  "load": number;
  "wanted": number;
  "arrivals": number;
  "duration": number | null;
};

export type Quiet = {
  "calendar": string;
};

export type Rate = {
  "of": string;
  "key"?: Array<string>;
  "burst"?: number | null;
};

export type RateStep = {
  "at": string;
  "succeeded": number;
  "failed": number;
  "cancelled": number;
  "skipped": number;
  "wait": SpreadInfo | null;
  "duration": SpreadInfo | null;
};

export type RatesInfo = {
  "step": string;
  "until": string | null;
  "steps": Array<RateStep>;
};

export type ReadinessInfo = {
  "ready": boolean;
  "reason": string;
  "executors"?: number | null;
  "durability"?: string | null;
};

export type RejectBody = {
  "note"?: string;
};

export type ResizeBody = {
  "pools": Record<string, PoolSizeBody | null>;
  "reason"?: string;
};

export type ResumeBody = {
  "redo"?: boolean;
  "version"?: number | null;
  "dry_run"?: boolean;
  "reason"?: string;
};

export type ResumeRunBody = {
  "reason"?: string;
};

export type RetriedBatch = {
  "runs": number;
  "dry_run": boolean;
};

export type RetryBatchBody = {
  "dry_run"?: boolean;
  "reason"?: string;
};

export type RetryBody = {
  "input"?: Record<string, unknown>;
  "force"?: boolean;
  "reason"?: string;
};

export type RetryInfo = {
  "attempts": number;
  "backoff": number;
  "backoff_max": number;
  "multiplier": number;
  "retry_on": Array<string>;
  "give_up_on": Array<string>;
  "budget": number | null;
};

export type RetryPolicyBody = {
  "attempts"?: number;
  "backoff"?: number;
  "backoff_max"?: number;
  "multiplier"?: number;
  "retry_on"?: Array<string>;
  "give_up_on"?: Array<string>;
  "budget"?: number | null;
};

export type RetryPolicyChangesBody = {
  "attempts"?: number;
  "backoff"?: number;
  "backoff_max"?: number;
  "multiplier"?: number;
  "retry_on"?: Array<string>;
  "give_up_on"?: Array<string>;
  "budget"?: number | null;
};

export type Roll = "next" | "previous" | "skip";

export type RollbackBody = {
  "version": number;
  "note"?: string;
};

export type RotateBody = {
  "overlap"?: number;
};

export type Route = {
  "strategy"?: Strategy;
  "executors"?: Array<string>;
  "key"?: Array<string>;
  "on_absent"?: OnAbsent | null;
  "patience"?: number;
};

export type RouteBody = {
  "strategy": Strategy;
  "executors"?: Array<string>;
  "key"?: Array<string>;
  "on_absent"?: OnAbsent | null;
  "patience"?: number;
};

export type RunBody = {
  "input"?: Record<string, unknown>;
  "queue"?: string | null;
  "executor"?: string | null;
  "route"?: RouteBody | null;
  "priority"?: number | null;
  "due_at"?: string | null;
  "delay"?: number | null;
  "key"?: string | null;
  "labels"?: Record<string, string>;
  "tags"?: Array<string>;
  "parent"?: string | null;
  "traceparent"?: string | null;
  "deadline"?: string | null;
  "deadline_in"?: number | null;
  "start_within"?: number | null;
};

export type RunCount = {
  "count": number;
  "is_complete": boolean;
  "states": Record<string, number>;
};

export type RunDiscard = {
  "at": string;
  "by": string;
  "reason": string;
};

export type RunError = {
  "class": string;
  "message": string;
  "traceback": string;
  "code": string;
};

export type RunHistogram = {
  "by": "finished" | "created";
  "since": string;
  "until": string;
  "step_seconds": number;
  "steps": Array<HistogramStep>;
  "count": number;
  "is_complete": boolean;
  "reached": string;
};

export type RunInfo = {
  "id": string;
  "namespace": string;
  "job": string;
  "queue": string;
  "priority": number;
  "state": string;
  "reason": string | null;
  "attempt": number;
  "failures": number;
  "losses": number;
  "due_at": string;
  "created_at": string;
  "started_at": string | null;
  "finished_at": string | null;
  "executor": string | null;
  "error": RunError | null;
  "key": string | null;
  "deadline": string | null;
  "start_by": string | null;
  "labels": Record<string, string>;
  "tags": Array<string>;
  "created_by": string | null;
  "parent": string | null;
  "trigger": string | null;
  "fire_at": string | null;
  "backfill": string | null;
  "trace": string | null;
  "trace_url": string | null;
  "workflow": string | null;
  "step": string | null;
  "item": number | null;
  "why": string | null;
  "until": string | null;
  "progress": RunProgress | null;
  "suspension": RunSuspension | null;
  "discarded": RunDiscard | null;
  "input"?: unknown;
  "result"?: unknown;
};

export type RunMemory = {
  "checkpoint": CheckpointInfo | null;
  "steps": Array<StepInfo>;
  "effects": Array<EffectInfo>;
};

export type RunPage = {
  "runs": Array<RunInfo>;
  "next": string | null;
};

export type RunProgress = {
  "fraction": number;
  "note": string;
};

export type RunSuspension = {
  "reason": string;
  "resume_at": string | null;
};

export type SavedViewInfo = {
  "name": string;
  "q": string;
  "shared": boolean;
  "author": string;
  "updated_at": string;
};

export type SavedViewList = {
  "views": Array<SavedViewInfo>;
};

export type SearchInfo = {
  "found": Array<FoundThing>;
};

export type SecretBody = {
  "grace"?: number;
  "new_address"?: boolean;
};

export type ServerInfo = {
  "name": string;
  "url": string;
  "zone": string;
  "version": string;
  "protocol": number;
  "executors": number;
  "joined_at": string | null;
  "lease_until": string;
  "state": string;
  "commit_p99": number | null;
  "loop_delay": number | null;
};

export type ServerList = {
  "servers": Array<ServerInfo>;
};

export type ServerReasonBody = {
  "reason"?: string;
};

export type SettingInfo = {
  "name": string;
  "value": string;
  "origin": string;
  "variable": string;
};

export type SettingList = {
  "settings": Array<SettingInfo>;
};

export type Severity = "info" | "page" | "warn";

export type SignInBody = {
  "name"?: string;
  "password"?: string;
  "token"?: string;
};

export type SignInInfo = {
  "id": string;
  "state": "active" | "ended" | "expired";
  "address": string;
  "browser": string;
  "created_at": string;
  "seen_at": string;
  "expires_at": string;
  "is_own": boolean;
};

export type SignInPage = {
  "sign_ins": Array<SignInInfo>;
};

export type SignedInInfo = {
  "name": string;
  "csrf": string;
  "expires_at": string;
};

export type SilenceBody = {
  "rule"?: string;
  "subject"?: string;
  "until": string;
  "reason"?: string;
};

export type SilenceInfo = {
  "id": string;
  "rule": string;
  "subject": string;
  "until": string;
  "author": string;
  "reason": string;
  "made_at": string;
};

export type SilencePage = {
  "silences": Array<SilenceInfo>;
};

export type SkippedInstant = {
  "skipped": string;
  "trigger": TriggerInfo;
};

export type SloBody = {
  "job"?: string;
  "trigger"?: string;
  "indicator"?: Indicator;
  "objective"?: number;
  "window_days"?: number;
  "within"?: number | null;
  "notify"?: Array<string>;
};

export type SloDayInfo = {
  "day": string;
  "good": number;
  "bad": number;
};

export type SloInfo = {
  "name": string;
  "namespace": string;
  "version": number;
  "spec": SloBody;
  "within": number | null;
  "good": number;
  "bad": number;
  "budget_left": number | null;
  "few": boolean;
  "burn_1h": number;
  "burn_6h": number;
  "burn_3d": number;
  "worst": Array<SloDayInfo>;
  "owner": string;
  "author": string;
  "updated_at": string;
};

export type SloPage = {
  "slos": Array<SloInfo>;
};

export type SlotInfo = {
  "name": string;
  "kept": number;
  "lost": boolean;
};

export type SourceInfo = {
  "origin": string;
  "author": string;
  "code_version": string;
};

export type SpreadBefore = {
  "name": string;
  "spread": number;
  "group": string;
};

export type SpreadBody = {
  "names": Array<string>;
  "over": number;
  "group"?: string;
  "at"?: string | null;
  "dry_run"?: boolean;
  "note"?: string;
};

export type SpreadInfo = {
  "p50": number;
  "p95": number;
  "p99": number;
  "mean": number;
  "max": number;
};

export type StepBody = {
  "step": string;
  "dry_run"?: boolean;
  "reason"?: string;
};

export type StepInfo = {
  "name": string;
  "result": unknown;
  "attempt": number;
  "at": string;
};

export type StepRunInfo = {
  "step": string;
  "item": number | null;
  "run": string;
  "state": string | null;
  "created_at": string | null;
  "started_at": string | null;
  "finished_at": string | null;
  "executor": string | null;
};

export type StepRunPage = {
  "runs": Array<StepRunInfo>;
  "next": string | null;
};

export type StepStateInfo = {
  "name": string;
  "job": string;
  "state": string;
  "why": string | null;
  "parents": Array<string>;
  "size": number | null;
  "begun": number | null;
  "succeeded": number | null;
  "failed": number | null;
};

export type StopBody = {
  "reason"?: string;
};

export type StopNamespaceBody = {
  "reason"?: string;
  "lasts"?: number | null;
};

export type Strategy = "any" | "broadcast" | "failover" | "first" | "fixed" | "hash" | "last" | "least_loaded" | "least_recent" | "least_used" | "random" | "round_robin";

export type StuckInfo = {
  "pool": string;
  "strays": number;
  "waits": number;
};

export type SuspendBody = {
  "reason"?: string;
  "resume_at"?: string | null;
};

export type SweepAct = "cancel" | "discard" | "mark" | "move" | "pause" | "resume" | "retry" | "retry_step" | "skip" | "unpause";

export type SweepFilter = {
  "fingerprint"?: string | null;
  "job"?: string | null;
  "queue"?: string | null;
  "states"?: Array<string>;
  "tags"?: Array<string>;
  "labels"?: Record<string, string>;
  "since"?: string | null;
  "until"?: string | null;
  "below"?: Array<string>;
  "failed_step"?: string | null;
};

export type SweepFilterBody = {
  "fingerprint"?: string | null;
  "job"?: string | null;
  "queue"?: string | null;
  "states"?: Array<string>;
  "tags"?: Array<string>;
  "labels"?: Record<string, string>;
  "since"?: string | null;
  "until"?: string | null;
  "failed_step"?: string | null;
};

export type SweepInfo = {
  "id": string;
  "act": string;
  "state": string;
  "note": string;
  "filter": SweepFilter;
  "terms": FlowTerms;
  "reason": string;
  "by": string;
  "canaries": number;
  "tried": Array<string>;
  "changed": number;
  "passed": number;
  "steps": number;
  "expected": number | null;
  "created_at": string;
  "moved_at": string;
  "held_until": string | null;
};

export type SweepPage = {
  "sweeps": Array<SweepInfo>;
  "next": string | null;
};

export type SweepPreview = {
  "count": number;
  "is_complete": boolean;
  "sample": Array<string>;
  "flows": Array<FlowPreviewInfo>;
};

export type SweepPreviewBody = {
  "act": SweepAct;
  "filter"?: SweepFilterBody;
  "all"?: boolean;
  "terms"?: FlowTermsBody;
};

export type TestedChannel = {
  "ok": boolean;
  "answer": string;
};

export type TextFault = {
  "line": number;
  "column": number;
  "field": string;
  "reason": string;
  "code": string;
};

export type Throttle = {
  "of": string;
  "key"?: Array<string>;
  "burst"?: number | null;
};

export type TokenInfo = {
  "id": string;
  "name": string;
  "role": "viewer" | "operator" | "editor" | "admin" | "executor";
  "namespace": string;
  "queues": Array<string>;
  "state": string;
  "created_by": string;
  "created_at": string;
  "expires_at": string | null;
  "last_used_at": string | null;
  "rotated_at": string | null;
  "overlap_until": string | null;
  "revoked_at": string | null;
};

export type TokenPage = {
  "tokens": Array<TokenInfo>;
  "next": string | null;
};

export type TriedCall = {
  "would_run": boolean;
  "signed": boolean | null;
  "matched": boolean | null;
  "unmet": string | null;
  "input": Record<string, unknown> | null;
  "key": string | null;
  "problem": CallProblem | null;
};

export type TriggerBody = {
  "name"?: string;
  "job": string;
  "when": Cron | Every | Delay | At | Windows | Webhook | Event;
  "description"?: string;
  "input"?: Record<string, unknown>;
  "queue"?: string | null;
  "priority"?: number | null;
  "labels"?: Record<string, string>;
  "tags"?: Array<string>;
  "start_at"?: string | null;
  "end_at"?: string | null;
  "fires_max"?: number | null;
  "jitter"?: number;
  "group"?: string;
  "spread"?: number;
  "calendar"?: string;
  "roll"?: Roll;
  "misfire"?: Misfire;
  "catch_up_max"?: number;
  "start_deadline"?: number | null;
  "overlap"?: Overlap;
  "overlap_max"?: number;
  "pause_after"?: number | null;
  "note"?: string;
};

export type TriggerFigure = {
  "name": string;
  "instants": Array<InstantInfo>;
};

export type TriggerFigures = {
  "triggers": Array<TriggerFigure>;
};

export type TriggerForecast = {
  "since": string;
  "step": number;
  "counts": Array<number>;
  "total": number;
  "peak": number;
  "triggers": number;
  "complete": boolean;
  "counted_at": string | null;
  "counting": boolean;
  "share": number;
};

export type TriggerInfo = {
  "name": string;
  "namespace": string;
  "revision": number;
  "state": "active" | "paused" | "ended";
  "words": string;
  "spec": TriggerSpec;
  "next_due": string | null;
  "last_fire_at": string | null;
  "fired": number;
  "failures": number;
  "pending": Array<string>;
  "held": Array<string>;
  "skips": Array<string>;
  "paused": TriggerPause | null;
  "owner": string;
  "drifted": boolean;
  "created_at": string;
  "updated_at": string;
};

export type TriggerPage = {
  "triggers": Array<TriggerInfo>;
  "next": string | null;
};

export type TriggerPause = {
  "reason": string;
  "by": string;
  "at": string;
};

export type TriggerPreview = {
  "words": string;
  "instants": Array<PreviewedInstant>;
};

export type TriggerSpec = {
  "name": string;
  "job": string;
  "when": Cron | Every | Delay | At | Windows | Webhook | Event;
  "description"?: string;
  "input"?: Record<string, unknown>;
  "queue"?: string | null;
  "priority"?: number | null;
  "labels"?: Record<string, string>;
  "tags"?: Array<string>;
  "start_at"?: string | null;
  "end_at"?: string | null;
  "fires_max"?: number | null;
  "jitter"?: number;
  "group"?: string;
  "spread"?: number;
  "calendar"?: string;
  "roll"?: Roll;
  "misfire"?: Misfire;
  "catch_up_max"?: number;
  "start_deadline"?: number | null;
  "overlap"?: Overlap;
  "overlap_max"?: number;
  "pause_after"?: number | null;
};

export type TriggerSpread = {
  "applied": boolean;
  "since": string;
  "step": number;
  "before": Array<number>;
  "after": Array<number>;
  "peak_before": number;
  "peak_after": number;
  "triggers": Array<SpreadBefore>;
};

export type TryBody = {
  "headers"?: Record<string, string>;
  "body"?: string;
};

export type UnmuteBody = {
  "reason"?: string;
};

export type UserChangeBody = {
  "display_name"?: string | null;
  "roles"?: Record<string, "admin" | "editor" | "operator" | "viewer"> | null;
  "disabled"?: boolean | null;
};

export type UserInfo = {
  "name": string;
  "display_name": string;
  "roles": Record<string, "viewer" | "operator" | "editor" | "admin" | "executor">;
  "has_password": boolean;
  "is_external": boolean;
  "created_by": string;
  "created_at": string;
  "password_at": string | null;
  "disabled_at": string | null;
};

export type UserPage = {
  "users": Array<UserInfo>;
  "next": string | null;
};

export type VersionInfo = {
  "product": string;
  "version"?: string | null;
  "protocol"?: number | null;
  "python"?: string | null;
};

export type ViewBody = {
  "q": string;
};

export type VoteInfo = {
  "by": string;
  "at": string;
  "approved": boolean;
  "note": string;
};

export type Webhook = {
  "kind": "webhook";
  "auth"?: HookAuth;
  "signature_header"?: string;
  "mapping"?: Record<string, string>;
  "key"?: string;
  "timestamp_header"?: string;
  "tolerance"?: number;
  "remember_calls"?: boolean;
};

export type WhatIfBody = {
  "changes"?: JobChangesBody;
  "runs"?: number;
};

export type WhatIfEffect = {
  "effect": "timed_out" | "too_late" | "not_started" | "failed_instead" | "failed_sooner" | "tried_again" | "waited" | "skipped";
  "runs": number;
  "samples": Array<string>;
  "seconds": number;
  "longest": number;
};

export type WhatIfInfo = {
  "job": string;
  "runs": number;
  "succeeded": number;
  "failed": number;
  "since": string | null;
  "until": string | null;
  "at_once": number;
  "effects": Array<WhatIfEffect>;
  "unjudged": Array<string>;
};

export type WhenFull = "refuse" | "shed" | "wait";

export type WhoamiInfo = {
  "id": string;
  "name": string;
  "role": "viewer" | "operator" | "editor" | "admin" | "executor";
  "namespace": string;
  "permissions": Array<string>;
  "expires_at": string | null;
  "roles": Record<string, "viewer" | "operator" | "editor" | "admin" | "executor">;
  "csrf": string;
};

export type WhyInfo = {
  "of": string;
  "state": string;
  "reasons": Array<ObstacleInfo>;
};

export type Windows = {
  "kind": "windows";
  "every": number;
  "opens": string;
  "closes": string;
  "zone"?: string;
  "weekdays"?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">;
};

export type WorkflowBody = {
  "steps": Record<string, unknown>;
  "result"?: string;
  "on_success"?: Record<string, unknown> | null;
  "on_failure"?: Record<string, unknown> | null;
  "finally"?: Record<string, unknown> | null;
  "fail_fast"?: boolean;
  "steps_at_once"?: number | null;
  "schema"?: Record<string, unknown>;
  "returns"?: Record<string, unknown>;
  "input"?: Record<string, unknown>;
  "queue"?: string;
  "priority"?: number;
  "deadline"?: number | null;
  "start_within"?: number | null;
  "runs_at_once"?: number | null;
  "policy"?: Policy;
  "description"?: string;
  "note"?: string;
};

export type WorkflowInfo = {
  "name": string;
  "version": number;
  "queue": string;
  "priority": number;
  "deadline": number | null;
  "description": string;
  "owner": string;
  "definition": Record<string, unknown>;
  "graph": Array<WorkflowStepInfo>;
};

export type WorkflowRunInfo = {
  "id": string;
  "workflow": string;
  "version": number;
  "state": string;
  "paused": boolean;
  "began_at": string;
  "finished_at": string | null;
  "steps": Array<StepStateInfo>;
};

export type WorkflowRunPage = {
  "runs": Array<ListedWorkflowRun>;
  "next": string | null;
};

export type WorkflowStepInfo = {
  "name": string;
  "job": string;
  "parents": Array<string>;
  "rule": string;
  "each": string;
  "ending": string;
};

export type WorkflowTextBody = {
  "text": string;
};

export type WorkflowTextInfo = {
  "faults": Array<TextFault>;
  "definition": Record<string, unknown> | null;
  "text": string;
  "graph": Array<WorkflowStepInfo>;
  "unchecked": Array<string>;
  "unserved": Array<string>;
};
