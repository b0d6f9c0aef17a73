-- trigger_row
-- A trigger as one value.
json_array(
  t.id, t.namespace, t.spec, t.revision, t.next_due, t.act_at, hex(t.pending), CASE WHEN json_valid(t.held) THEN json(t.held) ELSE t.held END, t.fired, t.failures,
  t.last_fire_at, t.paused_at, t.paused_by, t.paused_reason, t.owner, t.applied, t.created_at, t.updated_at, t.touched,
  CASE WHEN json_valid(t.asked) THEN json(t.asked) ELSE t.asked END,
  t.ruled_at
)

-- due_triggers
-- The triggers whose time to move has come, the most urgent first.
SELECT json_group_array({row})
FROM (SELECT * FROM triggers INDEXED BY triggers_act WHERE act_at <= :now ORDER BY act_at LIMIT :limit) AS t

-- hold_triggers
-- Triggers by name.
SELECT json_group_array({row})
FROM json_each(:rows) AS e
CROSS JOIN triggers AS t ON t.namespace = :namespace AND t.name = e.value

-- add_triggers
-- Insert triggers.
INSERT INTO triggers (
  namespace, name, job, kind, calendar, cohort, owner, spec, applied, revision, next_due, act_at, pending, held, fired,
  failures, last_fire_at, paused_at, paused_by, paused_reason, created_at, updated_at, asked
)
SELECT
  :namespace, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5, e.value ->> 6, e.value ->> 7,
  e.value ->> 8, e.value ->> 9, e.value ->> 10, e.value ->> 11,
  CASE WHEN e.value ->> 13 THEN substr(:pending, (e.value ->> 12) + 1, e.value ->> 13) END,
  e.value ->> 14, e.value ->> 15, e.value ->> 16, e.value ->> 17, e.value ->> 18, e.value ->> 19, e.value ->> 20,
  e.value ->> 21, e.value ->> 22, e.value ->> 23
FROM json_each(:rows) AS e

-- trigger_numbers
-- The ids of triggers by name, in that order.
SELECT json_group_array(t.id)
FROM json_each(:rows) AS e
CROSS JOIN triggers AS t ON t.namespace = :namespace AND t.name = e.value

-- rewrite_triggers
-- Write all that a move may change.
UPDATE triggers
SET
  job = e.value ->> 2, kind = e.value ->> 3, calendar = e.value ->> 4, cohort = e.value ->> 5, owner = e.value ->> 6,
  spec = e.value ->> 7, applied = e.value ->> 8, revision = e.value ->> 9, next_due = e.value ->> 10,
  act_at = e.value ->> 11,
  pending = CASE WHEN e.value ->> 13 THEN substr(:pending, (e.value ->> 12) + 1, e.value ->> 13) END,
  held = e.value ->> 14, fired = e.value ->> 15, failures = e.value ->> 16, last_fire_at = e.value ->> 17,
  paused_at = e.value ->> 18, paused_by = e.value ->> 19, paused_reason = e.value ->> 20, updated_at = e.value ->> 22,
  touched = 0, asked = e.value ->> 23, ruled_at = e.value ->> 24
FROM json_each(:rows) AS e
WHERE triggers.id = e.value ->> 0

-- trigger_id
-- The id of a trigger, whatever else its row holds.
SELECT id FROM triggers WHERE namespace = :namespace AND name = :name

-- delete_triggers
-- Delete triggers; their entries in the ledger stay as long as those of others.
DELETE FROM triggers WHERE id IN (SELECT value FROM json_each(:rows))

-- entered
-- Which of these instants, by position, are in the ledger.
SELECT json_group_array(e.key)
FROM json_each(:rows) AS e
CROSS JOIN fires AS f ON f.trigger = e.value ->> 0 AND f.fire_at = e.value ->> 1

-- enter
-- Enter instants with their runs.
INSERT INTO fires (trigger, fire_at, run)
SELECT e.value ->> 0, e.value ->> 1, substr(:ids, 16 * e.key + 1, 16)
FROM json_each(:rows) AS e

-- skip
-- Enter spans of instants that have no run.
INSERT INTO skips (trigger, first_at, last_at, reason, at)
SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, :now
FROM json_each(:rows) AS e

-- prepared
-- What was prepared for triggers from an instant on and nobody has begun; of instants that have passed, what was made ahead of them.
SELECT json_group_array(json_array(f.trigger, f.fire_at)), group_concat(hex(f.run), '')
FROM json_each(:rows) AS e
CROSS JOIN fires AS f ON f.trigger = e.value AND f.fire_at > :since
CROSS JOIN runs AS r ON r.id = f.run
WHERE r.state = 1 AND r.attempt = 0 AND (f.fire_at > :now OR r.created_at < f.fire_at)

-- hold_fired
-- Triggers that have fired behind an instant and are not paused, in the order of their ids.
SELECT json_group_array({row})
FROM (
  SELECT * FROM triggers WHERE id > :after AND last_fire_at > :since AND paused_at IS NULL ORDER BY id LIMIT :limit
) AS t

-- attended
-- When a server was there last.
SELECT at FROM attendance

-- attend_first
-- Say for the first time that a server is there.
INSERT INTO attendance (one, at) VALUES (1, :now) ON CONFLICT DO NOTHING

-- attend
-- Say that a server is there, if nobody has said so meanwhile; an instant outside the known years says nothing.
UPDATE attendance SET at = :now
WHERE at = :before OR typeof(at) <> 'integer' OR at NOT BETWEEN :first AND :last

-- withdraw_runs
-- Delete runs as if they had never been.
DELETE FROM runs WHERE id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- withdraw_marks
-- Delete what they are found by.
DELETE FROM marks INDEXED BY marks_run
WHERE run IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- withdraw_fires
-- Delete their entries in the ledger.
DELETE FROM fires WHERE (trigger, fire_at) IN (SELECT e.value ->> 0, e.value ->> 1 FROM json_each(:rows) AS e)

-- last_fires
-- The latest instant of each trigger that has a run.
SELECT json_group_array(json_array(e.value, (SELECT max(f.fire_at) FROM fires AS f WHERE f.trigger = e.value)))
FROM json_each(:rows) AS e

-- followed_triggers
-- Triggers of whose pending runs some are not live any more.
SELECT json_group_array({row})
FROM (
  WITH RECURSIVE part (id, pending, start) AS (
    SELECT o.id, o.pending, 1 FROM triggers AS o INDEXED BY triggers_pending WHERE o.pending IS NOT NULL
    UNION ALL
    SELECT p.id, p.pending, p.start + 16 FROM part AS p WHERE p.start + 16 < length(p.pending)
  )
  SELECT DISTINCT p.id
  FROM part AS p
  WHERE NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.id = substr(p.pending, p.start, 16))
  LIMIT :limit
) AS f
CROSS JOIN triggers AS t ON t.id = f.id

-- ended_on
-- What is known of those of these runs that ended on one day.
SELECT group_concat(hex(h.id), ''), json_group_array(json_array(h.state, h.finished_at))
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)

-- pending_runs
-- Runs whose ends triggers wait for, several in each.
SELECT group_concat(hex(pending), '')
FROM (SELECT pending FROM triggers INDEXED BY triggers_pending WHERE pending IS NOT NULL LIMIT :limit)

-- next_act
-- When the first trigger is to be moved.
SELECT act_at FROM triggers INDEXED BY triggers_act WHERE act_at IS NOT NULL ORDER BY act_at LIMIT 1

-- overdue_triggers
-- Triggers that should have been moved by then.
SELECT json_group_array({row})
FROM (SELECT * FROM triggers INDEXED BY triggers_act WHERE act_at < :before ORDER BY act_at LIMIT :limit) AS t

-- touch_triggers
-- Have the triggers of a calendar looked at again, those too that it left nothing to come; what happened once is over.
UPDATE triggers SET touched = 1, act_at = min(coalesce(act_at, :now), :now)
WHERE namespace = :namespace AND calendar = :calendar AND calendar <> '' AND paused_at IS NULL
  AND (next_due IS NOT NULL OR last_fire_at > :now OR kind <> 'once' OR fired = 0)

-- count_fires
-- Count fires of triggers that others call.
UPDATE triggers SET fired = fired + (e.value ->> 1), last_fire_at = max(coalesce(last_fire_at, 0), :now)
FROM json_each(:rows) AS e
WHERE triggers.id = e.value ->> 0

-- get_trigger
-- One trigger by name.
SELECT json_group_array({row}) FROM triggers AS t WHERE t.namespace = :namespace AND t.name = :name

-- list_triggers
-- Triggers that meet the conditions, by name.
SELECT json_group_array({row})
FROM (
  SELECT * FROM triggers AS t WHERE t.namespace = :namespace AND {conditions} ORDER BY t.name LIMIT :limit
) AS t

-- trigger_reach
-- The name of the trigger that so many come before.
SELECT t.name FROM triggers AS t WHERE t.namespace = :namespace AND {conditions} ORDER BY t.name LIMIT 1 OFFSET :before

-- newest_trigger
-- The highest id of a trigger.
SELECT coalesce(max(id), 0) FROM triggers

-- rule_triggers
-- Active timed triggers in the order of their ids, those too whose next instant depends on a run that is under way.
SELECT json_group_array({row})
FROM (
  SELECT * FROM triggers
  WHERE id > :after AND (:namespace IS NULL OR namespace = :namespace) AND paused_at IS NULL
    AND (next_due IS NOT NULL OR pending IS NOT NULL)
  ORDER BY id
  LIMIT :limit
) AS t

-- list_fires
-- Instants of a trigger with a run, oldest first.
SELECT fire_at, run FROM fires
WHERE trigger = :trigger AND fire_at >= :since AND fire_at < :until
ORDER BY fire_at
LIMIT :limit

-- list_skips
-- Spans of a trigger without one that touch a range, oldest first.
SELECT first_at, last_at, reason FROM skips
WHERE trigger = :trigger AND last_at >= :since AND first_at < :until
ORDER BY last_at
LIMIT :limit

-- triggers_of_job
-- Some triggers that start a job.
SELECT name FROM triggers INDEXED BY triggers_job WHERE namespace = :namespace AND job = :job ORDER BY name LIMIT :limit

-- prune_fires
-- Delete a batch of entries of instants long past whose runs are as old as what is dropped.
DELETE FROM fires
WHERE (trigger, fire_at) IN (
  SELECT o.trigger, o.fire_at FROM fires AS o INDEXED BY fires_age WHERE o.fire_at < :before AND o.run < :first LIMIT :batch
)

-- prune_skips
-- Delete a batch of spans that were entered long ago.
DELETE FROM skips
WHERE rowid IN (SELECT o.rowid FROM skips AS o INDEXED BY skips_age WHERE o.at < :before LIMIT :batch)

-- put_off_triggers
-- Have triggers looked at later that could not be moved.
UPDATE triggers SET act_at = :until WHERE id IN (SELECT value FROM json_each(:rows))
