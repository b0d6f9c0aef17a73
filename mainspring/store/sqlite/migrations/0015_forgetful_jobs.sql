-- Jobs whose ended runs leave no input and result in history: 1 unless they failed, 2 in any case.
ALTER TABLE jobs ADD COLUMN forgets INTEGER NOT NULL DEFAULT 0;
-- Every settlement asks which there are.
CREATE INDEX jobs_forgetful ON jobs (forgets) WHERE forgets > 0;
