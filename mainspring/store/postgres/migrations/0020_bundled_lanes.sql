-- Bundles of runs from lanes: a claim counts the attempts of its lanes in them, and the settlement of a bundle starts the next runs of
-- the same lanes.
ALTER TABLE mainspring.bundles ADD COLUMN lanes bigint[];  -- one for each run; null where no lane counts them
ALTER TABLE mainspring.bundles ALTER COLUMN lanes SET STORAGE EXTERNAL;
CREATE INDEX bundles_laned ON mainspring.bundles (session) WHERE lanes IS NOT NULL;
-- Keys with a number of their own, for which attempts are counted even where the rule of their lane has none.
CREATE INDEX lanes_own ON mainspring.lanes (gate) WHERE at_once IS NOT NULL;

-- Every live run, wherever it is kept; a run of a bundle waits for nothing any more.
CREATE OR REPLACE VIEW mainspring.live AS
SELECT
  r.id, r.due_at, r.created_at, r.claimed_at, r.line, r.job, r.attempt, r.priority, r.state, r.failures, r.losses, r.token,
  r.session, r.reason, r.key, r.input, r.deadline_at, r.extra, r.cancel_reason, r.first_started_at
FROM mainspring.runs AS r
UNION ALL
SELECT
  h.id, h.due_at, h.created_at, b.claimed_at, h.line, h.job, h.attempt + 1, h.priority, 2::smallint, h.failures, h.losses,
  b.token, b.session, nullif(h.reason, 'limit'), h.key, h.input, h.deadline_at, h.extra, h.cancel_reason, h.first_started_at
FROM mainspring.bundles AS b
CROSS JOIN LATERAL unnest(b.held) AS h;
