-- Instants to come that somebody wanted left out, oldest first; in the ledger they are skipped.
ALTER TABLE triggers ADD COLUMN asked TEXT;
