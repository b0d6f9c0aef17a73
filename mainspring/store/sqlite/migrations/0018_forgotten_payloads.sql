-- Ended runs whose payload is not to be kept; a duty deletes it. To delete payloads in the settlement itself would cost more than
-- all the rest of it.
CREATE TABLE forgotten (
  run BLOB NOT NULL PRIMARY KEY
) WITHOUT ROWID;
