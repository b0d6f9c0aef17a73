-- When a server was there last, in one row: instants that passed while none was are decided anew.
CREATE TABLE attendance (
  one INTEGER PRIMARY KEY DEFAULT 1 CHECK (one = 1),
  at INTEGER NOT NULL
);
