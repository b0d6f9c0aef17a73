-- A list of runs is read in the order of their ids, from one job, line and state after the other. Running runs are found by
-- their session instead: so a claim adds to no further index, and a run that is born claimed to none at all.
CREATE INDEX runs_listed ON runs (job, line, state) WHERE state < 2;
