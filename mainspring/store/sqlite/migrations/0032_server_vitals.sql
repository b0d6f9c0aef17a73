-- How long a server's commits take and how late its event loop is, as it says with each renewal; null: it has not said.
ALTER TABLE servers ADD COLUMN commit_p99 REAL;
ALTER TABLE servers ADD COLUMN loop_delay REAL;
