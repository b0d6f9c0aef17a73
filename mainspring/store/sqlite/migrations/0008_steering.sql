-- A run whose attempt is to be cancelled shows the reason `cancelling`; what whoever asked for it said is kept beside. It
-- stands behind the input and is read only where that reason is, so that no other run pays for it.
ALTER TABLE runs ADD COLUMN cancel_reason TEXT;
CREATE INDEX runs_cancelling ON runs (session) WHERE state = 2 AND reason = 'cancelling';
