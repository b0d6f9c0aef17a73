-- Lanes: the runs of one key, under a limit, a rate or a share of its own. A run of a keyed job enters its line like any other and
-- is then put into its lane, where it waits with the reason `limit`; it is claimed from there. A running run holds its lane's limit by
-- being there: nothing else counts it.
ALTER TABLE mainspring.runs ADD COLUMN lane bigint;
CREATE INDEX runs_laned ON mainspring.runs (lane, priority DESC, due_at, id)
WHERE state = 0 AND lane IS NOT NULL AND reason = 'limit';
CREATE INDEX runs_lane_held ON mainspring.runs (lane) WHERE state = 2 AND lane IS NOT NULL;

CREATE TABLE mainspring.lanes (
  id bigint PRIMARY KEY,  -- of the limit and the key: equal on every server
  gate bigint NOT NULL,  -- the row of `gates` that has its numbers
  key text NOT NULL,
  at_once integer,  -- of this key alone; null: the limit's
  weight real NOT NULL DEFAULT 1,
  full_at bigint NOT NULL DEFAULT 0,  -- of its rate
  pass bigint NOT NULL DEFAULT 0,  -- virtual time, where keys take turns by weight
  used_at timestamptz NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX lanes_gate ON mainspring.lanes (gate, id);

-- Lanes to be looked at, in order: one is added in the transaction that puts a run into a lane, or ends an attempt of it. Being a
-- hint, one too many does no harm.
CREATE TABLE mainspring.turns (
  turn bigint NOT NULL,  -- when it came (microseconds), or virtual time; of priority -1: when its rate has a token again
  lane bigint NOT NULL,
  line integer NOT NULL,
  priority smallint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX turns_order ON mainspring.turns (line, priority, turn, lane);
CREATE INDEX turns_lane ON mainspring.turns (lane);
