-- Lanes: the runs of one key, under a limit, a rate or a share of its own. A run of a keyed job enters its line like any other and
-- is then put into its lane, where it waits with the reason `limit`; it is claimed from there. A running run holds its lane's limit by
-- being there: nothing else counts it.
ALTER TABLE runs ADD COLUMN lane INTEGER;
CREATE INDEX runs_laned ON runs (lane, priority DESC, due_at, id)
WHERE state = 0 AND lane IS NOT NULL AND reason = 'limit';
CREATE INDEX runs_lane_held ON runs (lane) WHERE state = 2 AND lane IS NOT NULL;

CREATE TABLE lanes (
  id INTEGER PRIMARY KEY,  -- of the limit and the key: equal on every server
  gate INTEGER NOT NULL,  -- the row of `gates` that has its numbers
  key TEXT NOT NULL,
  at_once INTEGER,  -- of this key alone; null: the limit's
  weight REAL NOT NULL DEFAULT 1,
  full_at INTEGER NOT NULL DEFAULT 0,  -- of its rate
  pass INTEGER NOT NULL DEFAULT 0,  -- virtual time, where keys take turns by weight
  used_at INTEGER NOT NULL
);
CREATE INDEX lanes_gate ON lanes (gate, id);

-- Lanes to be looked at, in order: one is added in the transaction that puts a run into a lane, or ends an attempt of it. Being a
-- hint, one too many does no harm.
CREATE TABLE turns (
  turn INTEGER NOT NULL,  -- when it came (microseconds), or virtual time; of priority -1: when its rate has a token again
  lane INTEGER NOT NULL,
  line INTEGER NOT NULL,
  priority INTEGER NOT NULL
);
CREATE INDEX turns_order ON turns (line, priority, turn, lane);
CREATE INDEX turns_lane ON turns (lane);
