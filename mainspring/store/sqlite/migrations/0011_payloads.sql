-- Inputs that are too large to travel. A run's row is copied into history and back; a large input is written once, here, and an
-- empty one stands for it in the row.
CREATE TABLE payloads (
  run BLOB NOT NULL PRIMARY KEY,
  input BLOB NOT NULL
);

-- In a trigger, so that no way to make a run can forget it. The pages that the row had for its input are given up in the same
-- transaction, so that they are never written.
CREATE TRIGGER runs_payload AFTER INSERT ON runs WHEN length(NEW.input) > 1000
BEGIN
  INSERT INTO payloads (run, input) VALUES (NEW.id, NEW.input) ON CONFLICT (run) DO NOTHING;
  UPDATE runs SET input = x'' WHERE id = NEW.id;
END;
CREATE TRIGGER runs_payload_edited AFTER UPDATE OF input ON runs WHEN length(NEW.input) > 1000
BEGIN
  INSERT INTO payloads (run, input) VALUES (NEW.id, NEW.input) ON CONFLICT (run) DO NOTHING;
  UPDATE runs SET input = x'' WHERE id = NEW.id;
END;
