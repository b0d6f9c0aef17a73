-- Ended runs whose payload is not to be kept; a duty deletes it, one row for each settlement. To delete payloads in the settlement
-- itself would cost more than all the rest of it.
CREATE TABLE mainspring.forgotten (runs uuid[] NOT NULL);
-- Ids do not compress.
ALTER TABLE mainspring.forgotten ALTER COLUMN runs SET STORAGE EXTERNAL;
