-- Inputs that are too large to travel. A run's row moves into a bundle, into history and back; a large input is written once, here,
-- and an empty one stands for it in the row. Ids grow with time, so the payloads of a day are one table, dropped when that day is.
CREATE TABLE mainspring.payloads (
  run uuid NOT NULL PRIMARY KEY,
  input bytea NOT NULL
) PARTITION BY RANGE (run);

-- Compressed by lz4, which costs a tenth of what pglz does; where the server was built without it, nothing is compressed.
DO $$
BEGIN
  ALTER TABLE mainspring.payloads ALTER COLUMN input SET COMPRESSION lz4;
  ALTER TABLE mainspring.history ALTER COLUMN result SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  ALTER TABLE mainspring.payloads ALTER COLUMN input SET STORAGE EXTERNAL;
END $$;

-- The payloads of days that have no table: of runs that outlived theirs, and of clocks that are wrong.
CREATE TABLE mainspring.payloads_default PARTITION OF mainspring.payloads DEFAULT;

-- In a trigger, so that no way to make a run can forget it; a run with a small input pays for one comparison.
CREATE FUNCTION mainspring.keep_payload() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO mainspring.payloads (run, input) VALUES (NEW.id, NEW.input) ON CONFLICT (run) DO NOTHING;
  NEW.input := '';
  RETURN NEW;
END $$;
CREATE TRIGGER runs_payload BEFORE INSERT ON mainspring.runs
FOR EACH ROW WHEN (octet_length(NEW.input) > 1000) EXECUTE FUNCTION mainspring.keep_payload();
CREATE TRIGGER runs_payload_edited BEFORE UPDATE OF input ON mainspring.runs
FOR EACH ROW WHEN (octet_length(NEW.input) > 1000) EXECUTE FUNCTION mainspring.keep_payload();
