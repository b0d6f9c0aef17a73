// Which fields a kind of alert rule reads; the server refuses others.

/** Its subjects, then its numbers. */
export const READS: Record<string, [subjects: string[], numbers: string[]]> = {
  run_failed: [["job", "queue"], ["over", "at_least"]],
  failure_rate: [["job", "queue"], ["over", "at_least", "above"]],
  stale: [["job", "trigger"], ["older_than"]],
  trigger_late: [["job", "trigger"], ["older_than"]],
  fires_skipped: [["job", "trigger"], ["over", "at_least"]],
  trigger_paused: [["job", "trigger"], ["older_than"]],
  queue_age: [["queue"], ["older_than"]],
  queue_depth: [["queue"], ["at_least"]],
  budget_near: [["queue"], ["above"]],
  no_executor: [["queue"], ["older_than"]],
  run_long: [["job"], ["older_than"]],
  dead_letters: [["job"], ["over", "at_least"]],
  executor_lost: [["executor"], ["over"]],
  executors_few: [["queue"], ["at_least"]],
  strays: [["executor"], ["at_least"]],
  servers_few: [[], ["at_least"]],
  breaker_open: [["breaker"], ["older_than"]],
  canary_stopped: [["job"], ["older_than"]],
  workflow_stuck: [["job"], ["older_than"]],
  slo_burn: [["slo"], []],
  slo_budget: [["slo"], ["above"]],
};
