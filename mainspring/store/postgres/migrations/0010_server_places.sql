-- Where a server is reached, and what operators want of it (state: 0 live, 1 draining).
ALTER TABLE mainspring.servers
  ADD COLUMN url text NOT NULL DEFAULT '',
  ADD COLUMN zone text NOT NULL DEFAULT '',
  ADD COLUMN version text NOT NULL DEFAULT '',
  ADD COLUMN protocol smallint NOT NULL DEFAULT 1,
  ADD COLUMN joined_at timestamptz,
  ADD COLUMN attached integer NOT NULL DEFAULT 0,
  ADD COLUMN state smallint NOT NULL DEFAULT 0;
