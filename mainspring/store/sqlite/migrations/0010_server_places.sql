-- Where a server is reached, and what operators want of it (state: 0 live, 1 draining).
ALTER TABLE servers ADD COLUMN url TEXT NOT NULL DEFAULT '';
ALTER TABLE servers ADD COLUMN zone TEXT NOT NULL DEFAULT '';
ALTER TABLE servers ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE servers ADD COLUMN protocol INTEGER NOT NULL DEFAULT 1;
ALTER TABLE servers ADD COLUMN joined_at INTEGER;
ALTER TABLE servers ADD COLUMN attached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE servers ADD COLUMN state INTEGER NOT NULL DEFAULT 0;
