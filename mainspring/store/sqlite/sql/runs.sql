-- seen
-- Which of these runs are in one day's history.
SELECT group_concat(hex(h.id), '')
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)

-- take_keys
-- Give each key that is free to its run.
INSERT INTO keys (namespace, key, run, digest, created_at)
SELECT
  :namespace,
  e.value ->> 0,
  substr(:ids, 16 * e.key + 1, 16),
  substr(:digests, (e.value ->> 1) + 1, e.value ->> 2),
  :now
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT DO NOTHING

-- key_holders
-- Who holds these keys, in their order.
SELECT group_concat(hex(k.run), ''), group_concat(hex(k.digest), ',')
FROM json_each(:rows) AS e
CROSS JOIN keys AS k ON k.namespace = :namespace AND k.key = e.value ->> 0

-- create
-- Insert runs, queued or born claimed, all with one extra; one that exists already stays as it is.
INSERT INTO runs (
  id, line, job, priority, due_at, state, attempt, failures, losses, token, session, created_at, claimed_at, key, input,
  extra
)
SELECT
  substr(:ids, 16 * e.key + 1, 16),
  e.value ->> 0,
  e.value ->> 1,
  e.value ->> 2,
  e.value ->> 3,
  1 + (e.value ->> 4),
  e.value ->> 4,
  0,
  0,
  CASE WHEN e.value ->> 4 THEN substr(:tokens, 16 * e.key + 1, 16) END,
  CASE WHEN e.value ->> 4 THEN substr(:sessions, 16 * e.key + 1, 16) END,
  :now,
  CASE WHEN e.value ->> 4 THEN :now END,
  e.value ->> 5,
  substr(:inputs, (e.value ->> 6) + 1, e.value ->> 7),
  :extra
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (id) DO NOTHING

-- create_full
-- The same with a deadline and an extra for each.
INSERT INTO runs (
  id, line, job, priority, due_at, state, attempt, failures, losses, token, session, created_at, claimed_at, key, input,
  extra, deadline_at
)
SELECT
  substr(:ids, 16 * e.key + 1, 16),
  e.value ->> 0,
  e.value ->> 1,
  e.value ->> 2,
  e.value ->> 3,
  1 + (e.value ->> 4),
  e.value ->> 4,
  0,
  0,
  CASE WHEN e.value ->> 4 THEN substr(:tokens, 16 * e.key + 1, 16) END,
  CASE WHEN e.value ->> 4 THEN substr(:sessions, 16 * e.key + 1, 16) END,
  :now,
  CASE WHEN e.value ->> 4 THEN :now END,
  e.value ->> 5,
  substr(:inputs, (e.value ->> 6) + 1, e.value ->> 7),
  CASE WHEN e.value ->> 9 THEN substr(:extras, (e.value ->> 8) + 1, e.value ->> 9) END,
  e.value ->> 10
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (id) DO NOTHING

-- add_marks
-- Let runs be found by their marks.
INSERT INTO marks (namespace, mark, run)
SELECT :namespace, e.value, substr(:ids, 16 * e.key + 1, 16)
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT DO NOTHING

-- living
-- Which of these sessions take new work.
SELECT group_concat(hex(s.id), '')
FROM json_each(:rows) AS e
CROSS JOIN sessions AS s ON s.id = substr(:ids, 16 * e.key + 1, 16)
WHERE s.state = 0

-- due
-- The most urgent due runs. The nesting is the order: sorting would read everything that is due.
SELECT
  group_concat(hex(d.id), ''),
  json_group_array(d.line),
  json_group_array(d.job),
  json_group_array(d.attempt + 1),
  max(d.deadline_at IS NOT NULL OR substr(d.extra, 1, 6) <> :maker_only),
  group_concat(CASE WHEN length(d.input) BETWEEN 1 AND :input_inline THEN hex(d.input) ELSE '-' END, ',')
FROM (
  SELECT r.id, r.line, r.job, r.attempt, r.deadline_at, r.extra, r.input
  FROM json_each('[9,8,7,6,5,4,3,2,1,0]') AS p
  CROSS JOIN json_each(:lines) AS l
  CROSS JOIN runs AS r INDEXED BY runs_claimable
  WHERE r.state = 1
    AND r.line = l.value ->> 0
    AND r.priority = p.value
    AND r.due_at >= l.value ->> 1
    AND r.due_at <= :now
    AND (r.deadline_at IS NULL OR r.deadline_at > :now)
  LIMIT :slots
) AS d

-- due_aged
-- The oldest due runs of one line and priority.
SELECT r.id, r.due_at
FROM runs AS r INDEXED BY runs_claimable
WHERE r.state = 1 AND r.line = :line AND r.priority = :priority AND r.due_at <= :until
  AND (r.deadline_at IS NULL OR r.deadline_at > :now)
ORDER BY r.due_at, r.id
LIMIT :limit

-- due_urgent
-- The due runs of one line and priority whose deadline comes soon, the earliest first.
SELECT r.id, r.deadline_at
FROM runs AS r INDEXED BY runs_urgent
WHERE r.state = 1 AND r.line = :line AND r.priority = :priority AND r.deadline_at > :now AND r.deadline_at <= :urgent
  AND r.due_at <= :now
ORDER BY r.deadline_at, r.id
LIMIT :limit

-- due_plain
-- The other due runs of one line and priority.
SELECT r.id
FROM runs AS r INDEXED BY runs_claimable
WHERE r.state = 1 AND r.line = :line AND r.priority = :priority AND r.due_at BETWEEN :since AND :now
  AND (r.deadline_at IS NULL OR r.deadline_at > :urgent)
ORDER BY r.due_at, r.id
LIMIT :limit

-- extras
-- What is known of these runs besides their input.
SELECT json_group_array(r.deadline_at), json_group_array(hex(r.extra))
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)

-- due_of
-- When a run fell due.
SELECT due_at
FROM runs
WHERE id = :id

-- input
-- One run's input.
SELECT CASE WHEN r.input = x'' THEN coalesce((SELECT p.input FROM payloads AS p WHERE p.run = r.id), x'') ELSE r.input END
FROM runs AS r
WHERE r.id = :id

-- claim
-- Give each of these runs to the session of its position.
UPDATE runs
SET
  state = 2,
  attempt = attempt + 1,
  token = :token,
  session = substr(:sessions, 16 * e.key + 1, 16),
  claimed_at = :now
FROM json_each(:rows) AS e
WHERE runs.id = substr(:ids, 16 * e.key + 1, 16)

-- unclaim
-- Put back what one claim took, but for what somebody wants cancelled or suspended: that never goes back into a line.
UPDATE runs INDEXED BY runs_held
SET state = 1, token = NULL, session = NULL, claimed_at = NULL
WHERE state = 2
  AND session IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
  AND token = :token
  AND (reason IS NULL OR reason NOT IN ('cancelling', 'suspending'))

-- next_due
-- The first instant after the given one at which a queued run of these lines falls due.
SELECT min(h.due_at)
FROM (
  SELECT (
    SELECT r.due_at
    FROM runs AS r INDEXED BY runs_claimable
    WHERE r.state = 1 AND r.line = l.value AND r.priority = p.value AND r.due_at > :after
    ORDER BY r.due_at
    LIMIT 1
  ) AS due_at
  FROM json_each('[9,8,7,6,5,4,3,2,1,0]') AS p
  CROSS JOIN json_each(:lines) AS l
) AS h

-- held_by
-- Attempts that a session has, claimed before an instant.
SELECT id, token, job, attempt, failures, losses
FROM runs INDEXED BY runs_held
WHERE state = 2 AND session = :session AND claimed_at < :before
LIMIT :limit

-- tally
-- How many attempts a session has under each token.
SELECT token, count(*)
FROM runs INDEXED BY runs_held
WHERE state = 2 AND session = :session
GROUP BY token

-- held_under
-- Attempts that a session has under these tokens.
SELECT id, token, job, attempt, failures, losses
FROM runs INDEXED BY runs_held
WHERE state = 2 AND session = :session AND hex(token) IN (SELECT value FROM json_each(:tokens))

-- live_states
-- The states of live runs.
SELECT group_concat(hex(r.id), ''), json_group_array(r.state)
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)

-- past_states
-- The states of runs settled on one day.
SELECT group_concat(hex(h.id), ''), json_group_array(h.state)
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)

-- unbundle_under
-- SQLite has no bundles.
SELECT 1

-- unbundle_of
-- SQLite has no bundles.
SELECT 1

-- gate_room
-- How many of these gates there are, and how many more runs all of them let start.
SELECT
  count(*),
  min(
    min(
      coalesce(g.at_once - (
        SELECT count(*)
        FROM gate_lines AS l
        CROSS JOIN runs AS r INDEXED BY runs_held ON r.line = l.line
        WHERE l.gate = g.id AND r.state = 2
      ), 1000000),
      coalesce(g.burst - max(0, (g.full_at - :now + g.gap - 1) / g.gap), 1000000)
    )
  )
FROM gates AS g
WHERE g.id IN (SELECT e.value FROM json_each(:gates) AS e)

-- gates_open
-- When the rates of these gates let the next run start.
SELECT max(full_at - (burst - 1) * gap)
FROM gates
WHERE id IN (SELECT e.value FROM json_each(:gates) AS e)

-- pass_gates
-- Take the tokens of runs that were started through these gates.
UPDATE gates
SET full_at = max(full_at, :now) + :taken * coalesce(gap, 0)
WHERE id IN (SELECT e.value FROM json_each(:gates) AS e)
