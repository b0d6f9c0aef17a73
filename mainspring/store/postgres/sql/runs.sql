-- claim
-- Give each slot a due run; one row per session, column by column.
SELECT * FROM mainspring.claim_1($1, $2, $3, $4, $5)

-- succeed
-- Move succeeded runs to history; how many matched.
SELECT mainspring.succeed_1($1, $2, $3, $4, $5, $6)

-- create
-- Insert plain runs; how many were new.
SELECT mainspring.create_1($1, $2, $3, $4, $5, $6, $7)

-- create_claimed
-- Insert runs of which some are born claimed; how many were new.
SELECT mainspring.create_claimed_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- create_full
-- Insert runs with keys, claims or a past to check; how many were new.
SELECT mainspring.create_full_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)

-- key_holders
-- Who holds these keys.
SELECT k.key, k.run, k.digest
FROM mainspring.keys AS k
WHERE k.namespace = $1 AND k.key = ANY ($2::text[])

-- unclaim
-- Put back what one claim took.
UPDATE mainspring.runs AS r
SET state = 1, token = NULL, session = NULL, claimed_at = NULL
WHERE r.state = 2 AND r.session = ANY ($1::uuid[]) AND r.token = $2

-- next_due
-- The first instant after the given one at which a queued run of these lines falls due.
SELECT min(head.due_at)
FROM generate_series(0, 9) AS p(priority)
CROSS JOIN unnest($1::integer[]) AS l(line)
CROSS JOIN LATERAL (
  SELECT r.due_at
  FROM mainspring.runs AS r
  WHERE r.state = 1 AND r.line = l.line AND r.priority = p.priority AND r.due_at > $2
  ORDER BY r.due_at
  LIMIT 1
) AS head

-- hold
-- Lock the rows of attempts that ended, in one order for all.
SELECT r.id, r.token, r.job, r.attempt, r.failures, r.losses, r.session, r.claimed_at
FROM mainspring.runs AS r
WHERE r.id = ANY ($1::uuid[]) AND r.state = 2
ORDER BY r.id
FOR UPDATE

-- finish
-- Move runs to history in a final state.
SELECT mainspring.finish_1($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- requeue
-- Put runs back into their line.
SELECT mainspring.requeue_1($1, $2, $3, $4, $5, $6, $7)

-- record_attempts
-- Keep what is known about attempts that did not succeed.
INSERT INTO mainspring.attempts (run, number, outcome, token, session, started_at, ended_at, error, message, traceback)
SELECT t.run, t.number, t.outcome, t.token, t.session, t.started_at, $10, t.error, t.message, t.traceback
FROM unnest($1::uuid[], $2::integer[], $3::smallint[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::text[], $8::text[], $9::text[])
  AS t(run, number, outcome, token, session, started_at, error, message, traceback)

-- applied
-- Under which tokens these runs were settled; an attempt given up as lost was not settled by its executor.
SELECT h.id, h.token
FROM mainspring.history AS h
WHERE h.id = ANY ($1::uuid[]) AND h.finished_at >= $2
  AND NOT EXISTS (
    SELECT FROM mainspring.attempts AS a
    WHERE a.run = h.id AND a.token = h.token AND a.outcome = 5 AND a.ended_at >= $2
  )
UNION ALL
SELECT a.run, a.token
FROM mainspring.attempts AS a
WHERE a.run = ANY ($1::uuid[]) AND a.outcome <> 5 AND a.ended_at >= $2

-- held_by
-- Attempts that a session has, claimed before an instant.
SELECT r.id, r.token, r.job, r.attempt, r.failures, r.losses
FROM mainspring.runs AS r
WHERE r.state = 2 AND r.session = $1 AND r.claimed_at < $2
LIMIT $3

-- tally
-- How many attempts a session has under each token.
SELECT r.token, count(*) AS held
FROM mainspring.runs AS r
WHERE r.state = 2 AND r.session = $1
GROUP BY r.token

-- held_under
-- Attempts that a session has under these tokens.
SELECT r.id, r.token, r.job, r.attempt, r.failures, r.losses
FROM mainspring.runs AS r
WHERE r.state = 2 AND r.session = $1 AND r.token = ANY ($2::uuid[])

-- live_states
-- The states of live runs.
SELECT r.id, r.state FROM mainspring.runs AS r WHERE r.id = ANY ($1::uuid[])

-- past_states
-- The states of settled runs.
SELECT h.id, h.state FROM mainspring.history AS h WHERE h.id = ANY ($1::uuid[]) AND h.finished_at >= $2

-- get_live
-- One live run of a namespace.
SELECT r.id, l.namespace, j.name AS job, l.queue, l.handler, r.priority, r.state, r.reason, r.attempt, r.failures, r.losses,
  r.due_at, r.created_at, r.claimed_at AS started_at, NULL::timestamptz AS finished_at, s.executor, r.input, NULL::bytea AS result, r.key
FROM mainspring.runs AS r
JOIN mainspring.lines AS l ON l.id = r.line
JOIN mainspring.jobs AS j ON j.id = r.job
LEFT JOIN mainspring.sessions AS s ON s.id = r.session
WHERE r.id = $1 AND l.namespace = $2

-- get_past
-- One settled run of a namespace; it cannot have finished before it was born.
SELECT h.id, l.namespace, j.name AS job, l.queue, l.handler, h.priority, h.state, h.reason, h.attempt, h.failures, h.losses,
  h.due_at, h.created_at, h.started_at, h.finished_at, s.executor, h.input, h.result, h.key
FROM mainspring.history AS h
JOIN mainspring.lines AS l ON l.id = h.line
JOIN mainspring.jobs AS j ON j.id = h.job
LEFT JOIN mainspring.sessions AS s ON s.id = h.session
WHERE h.id = $1 AND h.finished_at >= $3 AND l.namespace = $2

-- list_live
-- A page of live runs, newest first.
SELECT r.id, l.namespace, j.name AS job, l.queue, l.handler, r.priority, r.state, r.reason, r.attempt, r.failures, r.losses,
  r.due_at, r.created_at, r.claimed_at AS started_at, NULL::timestamptz AS finished_at, s.executor, r.input, NULL::bytea AS result, r.key
FROM mainspring.runs AS r
JOIN mainspring.lines AS l ON l.id = r.line
JOIN mainspring.jobs AS j ON j.id = r.job
LEFT JOIN mainspring.sessions AS s ON s.id = r.session
WHERE l.namespace = $1
  AND ($2::text IS NULL OR j.name = $2)
  AND ($3::text IS NULL OR l.queue = $3)
  AND (cardinality($4::smallint[]) = 0 OR r.state = ANY ($4::smallint[]))
  AND ($5::uuid IS NULL OR r.id < $5)
ORDER BY r.id DESC
LIMIT $6

-- list_past
-- A page of settled runs, newest first.
SELECT h.id, l.namespace, j.name AS job, l.queue, l.handler, h.priority, h.state, h.reason, h.attempt, h.failures, h.losses,
  h.due_at, h.created_at, h.started_at, h.finished_at, s.executor, h.input, h.result, h.key
FROM mainspring.history AS h
JOIN mainspring.lines AS l ON l.id = h.line
JOIN mainspring.jobs AS j ON j.id = h.job
LEFT JOIN mainspring.sessions AS s ON s.id = h.session
WHERE l.namespace = $1
  AND ($2::text IS NULL OR j.name = $2)
  AND ($3::text IS NULL OR l.queue = $3)
  AND (cardinality($4::smallint[]) = 0 OR h.state = ANY ($4::smallint[]))
  AND ($5::uuid IS NULL OR h.id < $5)
ORDER BY h.id DESC
LIMIT $6

-- attempts
-- The attempts of a run that did not succeed, oldest first.
SELECT a.run, a.number, a.outcome, s.executor, a.started_at, a.ended_at, a.error, a.message, a.traceback
FROM mainspring.attempts AS a
LEFT JOIN mainspring.sessions AS s ON s.id = a.session
WHERE a.run = $1 AND a.ended_at >= $2
ORDER BY a.number

-- last_failures
-- The last failure of each of these runs.
SELECT DISTINCT ON (a.run) a.run, a.error, a.message, a.traceback
FROM mainspring.attempts AS a
WHERE a.run = ANY ($1::uuid[])
ORDER BY a.run, a.number DESC
