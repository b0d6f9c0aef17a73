-- The newest calls of each webhook, and why one was refused: notes, bounded by the statement that writes them.
CREATE TABLE mainspring.hook_calls (
  trigger bigint NOT NULL REFERENCES mainspring.triggers (id) ON DELETE CASCADE,
  number bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  existing boolean NOT NULL,
  run text,
  code text,
  detail text,
  PRIMARY KEY (trigger, number)
);
