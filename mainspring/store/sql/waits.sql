-- set_aside
-- Have the run of a step wait.
UPDATE mainspring.runs AS r
SET state = 0, reason = :reason, attempt = r.attempt + 1, claimed_at = :now, deadline_at = :deadline_at
WHERE r.id = :run

-- begin_wait
-- A run that waits.
INSERT INTO mainspring.waits (run, namespace, kind, type, places, match, since_at, wake_at, looked, about)
VALUES (:run, :namespace, :kind, :type, :places, :match, :since_at, :wake_at, :looked, :about)

-- know_shape
-- Places by which an event is looked up.
INSERT INTO mainspring.wait_shapes (namespace, type, places) VALUES (:namespace, :type, :places)
ON CONFLICT DO NOTHING

-- shapes_of
-- The places by which events of a type are looked up.
SELECT s.namespace, s.type, s.places FROM mainspring.wait_shapes AS s WHERE s.namespace = :namespace AND s.type = :type

-- waits_for
-- The runs that wait for an event.
SELECT w.run
FROM mainspring.waits AS w
WHERE w.namespace = :namespace AND w.type = :type AND w.match = :match AND w.kind = 'event'
LIMIT :limit

-- forget_wait
-- Delete a wait.
DELETE FROM mainspring.waits AS w WHERE w.run = :run

-- lock_waiting
-- Lock a run that waits.
SELECT r.id FROM mainspring.runs AS r WHERE r.id = :run AND r.state = 0 FOR UPDATE

-- due_waits
-- Runs that have slept long enough.
SELECT w.run FROM mainspring.waits AS w WHERE w.wake_at <= :now ORDER BY w.wake_at LIMIT :limit

-- next_wake
-- When the next run has slept long enough.
SELECT w.wake_at FROM mainspring.waits AS w WHERE w.wake_at IS NOT NULL ORDER BY w.wake_at LIMIT 1

-- unlooked_waits
-- Waits for events that may have been published before.
SELECT w.run, w.namespace, w.type, w.places, w.match, w.since_at
FROM mainspring.waits AS w
WHERE NOT w.looked
LIMIT :limit

-- looked
-- Note that a look back was made.
UPDATE mainspring.waits AS w SET looked = :looked WHERE w.run = :run

-- tell
-- Keep an event for waits that look back.
INSERT INTO mainspring.told (namespace, type, told_at, data) VALUES (:namespace, :type, :now, :data)

-- told_since
-- Events of a type, the earliest first.
SELECT t.namespace, t.type, t.told_at, t.data
FROM mainspring.told AS t
WHERE t.namespace = :namespace AND t.type = :type AND t.told_at >= :since
ORDER BY t.told_at
LIMIT :limit

-- forget_told
-- Delete events that no wait looks back for any more.
DELETE FROM mainspring.told AS t WHERE t.told_at < :before

-- forget_ended_waits
-- Delete waits whose runs were cancelled, or came to their deadline.
DELETE FROM mainspring.waits AS w
WHERE w.run IN (
  SELECT o.run
  FROM mainspring.waits AS o
  WHERE NOT EXISTS (SELECT 1 FROM mainspring.runs AS r WHERE r.id = o.run)
  LIMIT :limit
)

-- awaited
-- What a run that sleeps or waits for an event waits for.
SELECT w.run, w.type, w.places, w.wake_at FROM mainspring.waits AS w WHERE w.run = :run AND w.kind IN ('sleep', 'event')

-- open_approvals
-- Approvals that are asked for, in the order in which they began.
SELECT w.run, w.about
FROM mainspring.waits AS w
WHERE w.namespace = :namespace AND w.kind = 'approval' AND w.run > :after
  AND EXISTS (SELECT 1 FROM mainspring.runs AS r WHERE r.id = w.run)
ORDER BY w.run
LIMIT :limit

-- lock_approval
-- An approval that is asked for.
SELECT w.run, w.about
FROM mainspring.waits AS w
WHERE w.run = :run AND w.namespace = :namespace AND w.kind = 'approval'
FOR UPDATE OF w

-- votes
-- The answers of approvers so far.
SELECT v.run, v.actor, v.voted_at, v.approved, v.form, v.note
FROM mainspring.votes AS v
WHERE v.run = :run
ORDER BY v.voted_at, v.actor

-- vote
-- An approver's answer.
INSERT INTO mainspring.votes (run, actor, voted_at, approved, form, note)
VALUES (:run, :actor, :now, :approved, :form, :note)

-- forget_votes
-- Delete the answers to an approval that is asked for anew.
DELETE FROM mainspring.votes AS v WHERE v.run = :run

-- delete_namespace_votes
-- Delete the answers to approvals of a namespace,
DELETE FROM mainspring.votes AS v
WHERE v.run IN (SELECT w.run FROM mainspring.waits AS w WHERE w.namespace = :name)

-- delete_namespace_waits
-- its waits,
DELETE FROM mainspring.waits AS w WHERE w.namespace = :name

-- delete_namespace_shapes
-- the places by which its events are looked up,
DELETE FROM mainspring.wait_shapes AS s WHERE s.namespace = :name

-- delete_namespace_told
-- and the events that are kept for looks back.
DELETE FROM mainspring.told AS t WHERE t.namespace = :name
