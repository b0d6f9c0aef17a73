-- Extend the leases of the sessions that are not dead, and keep the loads that their beats brought.
CREATE OR REPLACE FUNCTION mainspring.renew_1(p_sessions uuid[], p_loads bytea[], p_lease_until timestamptz)
RETURNS SETOF uuid
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  RETURN QUERY
  UPDATE mainspring.sessions AS s
  SET lease_until = greatest(s.lease_until, p_lease_until), load = coalesce(b.load, s.load)
  FROM unnest(p_sessions, p_loads) AS b(id, load)
  WHERE s.id = b.id AND s.state <> 2
  RETURNING s.id;
END $$;
