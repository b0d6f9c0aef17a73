-- The newest calls of each webhook, and why one was refused: notes, bounded by the statement that writes them.
CREATE TABLE hook_calls (
  number INTEGER PRIMARY KEY,
  trigger INTEGER NOT NULL REFERENCES triggers (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  existing INTEGER NOT NULL,
  run TEXT,
  code TEXT,
  detail TEXT
);
CREATE INDEX hook_calls_trigger ON hook_calls (trigger, number);
