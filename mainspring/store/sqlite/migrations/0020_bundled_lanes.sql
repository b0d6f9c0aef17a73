-- Here runs are kept in no bundles. Keys with a number of their own are found as they are on PostgreSQL.
CREATE INDEX lanes_own ON lanes (gate) WHERE at_once IS NOT NULL;
