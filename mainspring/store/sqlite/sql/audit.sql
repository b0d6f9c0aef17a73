-- read_in_order
-- SQLite reads by an index in its order without being told to.
SELECT 1
