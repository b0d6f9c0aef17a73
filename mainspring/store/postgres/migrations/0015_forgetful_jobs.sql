-- Jobs whose ended runs leave no input and result in history: 1 unless they failed, 2 in any case.
ALTER TABLE mainspring.jobs ADD COLUMN forgets smallint NOT NULL DEFAULT 0;
-- Every settlement asks which there are.
CREATE INDEX jobs_forgetful ON mainspring.jobs (id, forgets) WHERE forgets > 0;
