-- due_triggers
-- Lock the triggers whose time to move has come, the most urgent first.
SELECT t.* FROM mainspring.due_triggers_1($1, $2) AS t

-- hold_triggers
-- Lock triggers by name.
SELECT t.* FROM mainspring.hold_triggers_1($1, $2) AS t

-- add_triggers
-- Insert triggers; a name that somebody has is an error, which costs those that are free nothing.
INSERT INTO mainspring.triggers (
  namespace, name, job, kind, calendar, cohort, owner, spec, applied, revision, next_due, act_at, pending, held, fired,
  failures, last_fire_at, paused_at, paused_by, paused_reason, asked, created_at, updated_at
)
SELECT
  $1, t.name, t.job, t.kind, t.calendar, t.cohort, t.owner, t.spec, t.applied, t.revision, t.next_due, t.act_at,
  t.pending::uuid[], t.held::timestamptz[], t.fired, t.failures, t.last_fire_at, t.paused_at, t.paused_by, t.paused_reason,
  t.asked::timestamptz[], t.created_at, t.updated_at
FROM unnest(
  $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::bytea[], $10::integer[],
  $11::timestamptz[], $12::timestamptz[], $13::text[], $14::text[], $15::bigint[], $16::integer[], $17::timestamptz[],
  $18::timestamptz[], $19::text[], $20::text[], $21::text[], $22::timestamptz[], $23::timestamptz[]
) AS t(
  name, job, kind, calendar, cohort, owner, spec, applied, revision, next_due, act_at, pending, held, fired, failures,
  last_fire_at, paused_at, paused_by, paused_reason, asked, created_at, updated_at
)
ORDER BY t.name COLLATE "C"  -- in one order for all, so that nobody deadlocks over names
RETURNING id, name

-- rewrite_triggers
-- Write all that a move may change.
SELECT mainspring.rewrite_triggers_2(
  $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21
)

-- rule_anew
-- Write when the rules of triggers were changed.
UPDATE mainspring.triggers AS t SET ruled_at = m.ruled_at
FROM unnest($1::bigint[], $2::timestamptz[]) AS m(id, ruled_at)
WHERE t.id = m.id

-- advance_triggers
-- Move triggers on, of which nothing else has changed.
SELECT mainspring.advance_triggers_1($1, $2, $3, $4, $5)

-- delete_triggers
-- Delete triggers; their entries in the ledger stay as long as those of others.
SELECT mainspring.delete_triggers_1($1)

-- fire
-- Enter instants and make their runs; the runs that were not made, because their instants had been entered.
SELECT f.run FROM mainspring.fire_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS f(run)

-- mark_fires
-- Let the runs of triggers be found by their marks.
INSERT INTO mainspring.marks (namespace, mark, run)
SELECT t.namespace, t.mark, t.run FROM unnest(:namespace::text[], :mark::text[], :run::uuid[]) AS t(namespace, mark, run)
ON CONFLICT DO NOTHING

-- skip
-- Enter spans of instants that have no run.
INSERT INTO mainspring.skips (trigger, first_at, last_at, reason, at)
SELECT t.trigger, t.first_at, t.last_at, t.reason, $5
FROM unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::text[]) AS t(trigger, first_at, last_at, reason)

-- withdraw
-- Take back what was prepared for triggers and nobody has begun.
SELECT w.trigger, w.fire_at, w.run, w.last_at FROM mainspring.withdraw_2($1, $2, $3, $4) AS w

-- hold_fired
-- Lock triggers that have fired behind an instant and are not paused, in the order of their ids.
SELECT t.* FROM mainspring.triggers AS t
WHERE t.id > $1 AND t.last_fire_at > $2 AND t.paused_at IS NULL
ORDER BY t.id
LIMIT $3
FOR UPDATE

-- attended
-- When a server was there last.
SELECT a.at FROM mainspring.attendance AS a

-- hold_attended
-- The same, kept from being changed.
SELECT a.at FROM mainspring.attendance AS a FOR UPDATE

-- attend_first
-- Say for the first time that a server is there.
INSERT INTO mainspring.attendance (at) VALUES ($1) ON CONFLICT DO NOTHING

-- attend
-- Say that a server is there, if nobody has said so meanwhile; an instant outside the known years says nothing.
UPDATE mainspring.attendance AS a SET at = $2 WHERE a.at = $1 OR a.at NOT BETWEEN $3 AND $4

-- waiting_until
-- The last of so many triggers behind the one given that wait for runs to end; none if there are fewer.
SELECT mainspring.waiting_until_1($1, $2)

-- followed_triggers
-- Lock triggers of a range of whose pending runs some are not live any more.
SELECT t.* FROM mainspring.followed_triggers_1($1, $2, $3) AS t

-- ended_runs
-- Of these runs those that are not live, and what is known of them.
SELECT e.run, e.state, e.finished_at FROM mainspring.ended_runs_1($1, $2) AS e

-- pending_runs
-- Runs whose ends triggers wait for.
SELECT p.run FROM mainspring.pending_runs_1($1) AS p(run)

-- next_act
-- When the first trigger is to be moved.
SELECT t.act_at FROM mainspring.triggers AS t WHERE t.act_at IS NOT NULL ORDER BY t.act_at LIMIT 1

-- overdue_triggers
-- Triggers that should have been moved by then.
SELECT t.* FROM mainspring.triggers AS t WHERE t.act_at < $1 ORDER BY t.act_at LIMIT $2

-- touch_triggers
-- Have the triggers of a calendar looked at again, those too that it left nothing to come; what happened once is over.
WITH held AS (
  SELECT c.id FROM mainspring.triggers AS c
  WHERE c.namespace = :namespace AND c.calendar = :calendar AND c.calendar <> '' AND c.paused_at IS NULL
    AND (c.next_due IS NOT NULL OR c.last_fire_at > :now OR c.kind <> 'once' OR c.fired = 0)
  ORDER BY c.name
  FOR UPDATE
)
UPDATE mainspring.triggers AS t SET touched = true, act_at = least(t.act_at, :now) FROM held WHERE t.id = held.id

-- count_fires
-- Count fires of triggers that others call.
SELECT mainspring.count_fires_1($1, $2, $3)

-- get_trigger
-- One trigger by name.
SELECT t.* FROM mainspring.triggers AS t WHERE t.namespace = $1 AND t.name = $2

-- list_triggers
-- Triggers that meet the conditions, by name.
SELECT t.* FROM mainspring.triggers AS t
WHERE t.namespace = $2 AND t.name > $3 AND {conditions}
ORDER BY t.name
LIMIT $1

-- trigger_reach
-- The name of the trigger that so many come before.
SELECT t.name FROM mainspring.triggers AS t
WHERE t.namespace = $2 AND t.name > $3 AND {conditions}
ORDER BY t.name
OFFSET $1
LIMIT 1

-- rule_triggers
-- Active timed triggers in the order of their ids, those too whose next instant depends on a run that is under way.
SELECT t.* FROM mainspring.triggers AS t
WHERE t.id > $2 AND ($1::text IS NULL OR t.namespace = $1) AND t.paused_at IS NULL
  AND (t.next_due IS NOT NULL OR t.pending IS NOT NULL)
ORDER BY t.id
LIMIT $3

-- newest_trigger
-- The highest id of a trigger.
SELECT coalesce(max(t.id), 0) FROM mainspring.triggers AS t

-- list_fires
-- Instants of a trigger with a run, oldest first.
SELECT f.fire_at, f.run FROM mainspring.fires AS f
WHERE f.trigger = $1 AND f.fire_at >= $2 AND f.fire_at < $3
ORDER BY f.fire_at
LIMIT $4

-- list_skips
-- Spans of a trigger without one that touch a range, oldest first.
SELECT s.first_at, s.last_at, s.reason FROM mainspring.skips AS s
WHERE s.trigger = $1 AND s.last_at >= $2 AND s.first_at < $3
ORDER BY s.last_at
LIMIT $4

-- triggers_of_job
-- Some triggers that start a job.
SELECT t.name FROM mainspring.triggers AS t WHERE t.namespace = :namespace AND t.job = :job ORDER BY t.name LIMIT :limit

-- prune_fires
-- Delete a batch of entries that are on no day of their own, and whose runs are as old as what is dropped.
DELETE FROM mainspring.fires_default AS f
WHERE f.ctid = ANY (ARRAY(
  SELECT o.ctid FROM mainspring.fires_default AS o WHERE o.fire_at < $1 AND o.run < $2 LIMIT $3
))

-- prune_skips
-- Delete a batch of spans that were entered long ago.
DELETE FROM mainspring.skips AS s
WHERE s.ctid = ANY (ARRAY(SELECT o.ctid FROM mainspring.skips AS o WHERE o.at < $1 LIMIT $2))

-- put_off_triggers
-- Have triggers looked at later that could not be moved.
UPDATE mainspring.triggers AS t SET act_at = $2 WHERE t.id = ANY ($1::bigint[])
