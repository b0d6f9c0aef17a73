-- How long a server's commits take and how late its event loop is, as it says with each renewal; null: it has not said.
ALTER TABLE mainspring.servers
  ADD COLUMN commit_p99 double precision,
  ADD COLUMN loop_delay double precision;
