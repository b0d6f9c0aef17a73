-- Instants to come that somebody wanted left out, oldest first; in the ledger they are skipped.
ALTER TABLE triggers ADD COLUMN asked TEXT;

-- Events that were told, and for which nobody waited.
ALTER TABLE event_counts ADD COLUMN unmatched INTEGER NOT NULL DEFAULT 0;
