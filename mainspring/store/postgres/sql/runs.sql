-- claim
-- Give each slot a due run; one row per session, column by column.
SELECT * FROM mainspring.claim_4($1, $2, $3, $4, $5, $6)

-- claim_bundled
-- The same from a backlog: what is taken is kept in bundles, whose numbers and sizes come with it.
SELECT * FROM mainspring.claim_bundled_1($1, $2, $3, $4, $5, $6, $7)

-- claim_gated
-- The same through gates: the last row says how many slots they left, and when the next may start; 0: not in bundles.
SELECT * FROM mainspring.claim_gated_1($1, $2, $3, $4, $5, $6, $7, $8)

-- claim_ordered
-- The same in the order that a queue wants, through gates if there are any; the last row says what these left; 0: not in bundles.
SELECT * FROM mainspring.claim_ordered_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- claim_lanes
-- Claim from lanes, through gates; the last row says what these left; 0: not in bundles.
SELECT * FROM mainspring.claim_lanes_2($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- claimed_payloads
-- The inputs of claimed runs that are kept apart. A row for each: as an array they would be copied four more times.
SELECT p.run, p.input FROM mainspring.payloads AS p WHERE p.run = ANY ($1) AND p.run >= $2 AND p.run <= $3

-- hand_over
-- Move whole bundles into history and start the next runs of their lanes; the last row says how many were moved, or null.
SELECT * FROM mainspring.hand_over_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

-- succeed_and_claim
-- Move succeeded runs to history and claim from lanes in the same commit; the last row says how many were moved.
SELECT * FROM mainspring.succeed_and_claim_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)

-- succeed
-- Move succeeded runs to history; how many matched.
SELECT mainspring.succeed_2($1, $2, $3, $4, $5, $6)

-- succeed_bundled
-- The same with some of them in bundles; null, and nothing is done, if those are not what they were.
SELECT mainspring.succeed_4($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)

-- take_out
-- Take these runs out of their bundles, which keep the others; how many were in them.
SELECT mainspring.undo_bundles_2($1, $2, $3)

-- unbundle_under
-- Undo the bundles under these tokens; how many attempts were in them.
SELECT mainspring.unbundle_under_1(:tokens)

-- unbundle_of
-- Undo the bundles that these runs are in; how many attempts were in them.
SELECT mainspring.unbundle_1(array_agg(b.token), array_agg(b.part))
FROM mainspring.bundles AS b
WHERE EXISTS (SELECT FROM unnest(b.ids) AS i(id) WHERE i.id = ANY (:ids::uuid[]))

-- left_bundles
-- Bundles made before an instant that could not be undone, and on which nobody works.
SELECT b.token, b.part FROM mainspring.bundles AS b WHERE b.claimed_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED

-- unbundle_old
-- Undo some bundles that were made before an instant; what somebody works on is left to him. How many attempts were in them.
SELECT mainspring.unbundle_1(array_agg(o.token), array_agg(o.part))
FROM (
  SELECT b.token, b.part FROM mainspring.bundles AS b WHERE b.claimed_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
) AS o

-- create
-- Insert plain new runs with one extra for all.
SELECT mainspring.create_3($1, $2, $3, $4, $5, $6, $7, $8)

-- create_one
-- The same for a single run, without a function's call and its arrays, which cost as much as the insert itself.
INSERT INTO mainspring.runs (
  id, job, line, priority, due_at, input, extra, created_at, attempt, state, failures, losses
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 1, 0, 0)

-- create_claimed
-- Insert plain new runs of which some are born claimed.
SELECT mainspring.create_claimed_3($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- create_full
-- Insert runs with keys, attributes, claims or a past to check; how many were new.
SELECT mainspring.create_full_3($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)

-- key_holders
-- Who holds these keys.
SELECT k.key, k.run, k.digest
FROM mainspring.keys AS k
WHERE k.namespace = $1 AND k.key = ANY ($2::text[])

-- unclaim
-- Put back what one claim took, but for what is to be cancelled or suspended: that never goes back into a line. How many.
WITH moved AS (
  UPDATE mainspring.runs AS r
  SET state = 1, token = NULL, session = NULL, claimed_at = NULL
  WHERE r.state = 2 AND r.session = ANY ($1::uuid[]) AND r.token = $2
    AND (r.reason IS NULL OR r.reason NOT IN ('cancelling', 'suspending'))
  RETURNING r.line, r.priority, r.lane
), freed AS (
  INSERT INTO mainspring.exits (gate, ended)
  SELECT g.gate, count(*) FROM moved AS m JOIN mainspring.gate_lines AS g ON g.line = m.line GROUP BY g.gate
), turned AS (
  INSERT INTO mainspring.turns (line, priority, turn, lane)
  SELECT m.line, max(m.priority), coalesce(nullif((SELECT l.pass FROM mainspring.lanes AS l WHERE l.id = m.lane), 0), 1), m.lane
  FROM moved AS m
  WHERE m.lane IS NOT NULL
  GROUP BY m.line, m.lane
)
SELECT count(*) FROM moved

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
SELECT r.id, r.token, r.line, r.job, r.attempt, r.failures, r.losses, r.session, r.claimed_at, r.deadline_at,
  r.first_started_at, (SELECT s.executor FROM mainspring.sessions AS s WHERE s.id = r.session) AS executor,
  substring(encode(r.extra, 'escape') FROM '"traceparent":"([0-9a-f-]+)"') AS traceparent,
  CASE WHEN r.deadline_at IS NOT NULL THEN r.extra END AS extra,
  CASE WHEN r.reason = 'cancelling' THEN r.cancel_reason END AS cancel, coalesce(r.reason = 'suspending', false) AS suspend
FROM mainspring.runs AS r
WHERE r.id = ANY (:ids::uuid[]) AND r.state = 2
ORDER BY r.id
FOR UPDATE

-- finish
-- Move runs to history in a final state.
SELECT mainspring.finish_2($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- requeue
-- Put runs back into their line.
SELECT mainspring.requeue_2($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- record_attempts
-- Keep what is known about attempts that did not succeed; with a lost one, some of what else its executor had.
-- What that had is looked up once for each session: it may have had thousands, and they may all be lost.
WITH given AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $1::uuid[], $2::integer[], $3::smallint[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::text[], $8::text[], $9::text[],
    $11::text[], $12::bigint[]
  ) AS t(run, number, outcome, token, session, started_at, error, message, traceback, code, duration)
), executors AS MATERIALIZED (
  SELECT
    g.session,
    ARRAY(SELECT o.id FROM mainspring.live AS o WHERE o.state = 2 AND o.session = g.session LIMIT 21) AS runs
  FROM (SELECT DISTINCT session FROM given WHERE outcome = 5) AS g
)
INSERT INTO mainspring.attempts (
  run, number, outcome, token, session, started_at, ended_at, error, message, traceback, code, duration, beside
)
SELECT
  g.run, g.number, g.outcome, g.token, g.session, g.started_at, $10, g.error, g.message, g.traceback, g.code, g.duration,
  CASE WHEN g.outcome = 5 THEN (array_remove(e.runs, g.run))[1:20] END
FROM given AS g
LEFT JOIN executors AS e ON e.session = g.session

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
(
  SELECT r.id, r.token, r.job, r.attempt, r.failures, r.losses
  FROM mainspring.runs AS r
  WHERE r.state = 2 AND r.session = $1 AND r.claimed_at < $2
  ORDER BY r.id
  LIMIT $3
)
UNION ALL
(
  SELECT h.id, b.token, h.job, h.attempt + 1, h.failures, h.losses
  FROM mainspring.bundles AS b
  CROSS JOIN LATERAL unnest(b.held) AS h
  WHERE b.session = $1 AND b.claimed_at < $2
  ORDER BY h.id
  LIMIT $3
)
ORDER BY id
LIMIT $3

-- tally
-- How many attempts a session has under each token.
SELECT r.token, count(*) AS held
FROM mainspring.live AS r
WHERE r.state = 2 AND r.session = $1
GROUP BY r.token

-- held_under
-- Attempts that a session has under these tokens.
SELECT r.id, r.token, r.job, r.attempt, r.failures, r.losses
FROM mainspring.live AS r
WHERE r.state = 2 AND r.session = $1 AND r.token = ANY ($2::uuid[])
