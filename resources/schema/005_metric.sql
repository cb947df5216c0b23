-- Version 5. Named metrics of methods' own: one long table, so that a new one needs no migration.
CREATE TABLE metric (
  key   INTEGER PRIMARY KEY,
  node  INTEGER NOT NULL,
  seq   INTEGER NOT NULL,
  round INTEGER NOT NULL,
  t_s   REAL NOT NULL,
  name  TEXT NOT NULL,
  value REAL NOT NULL
);
CREATE UNIQUE INDEX metric_once ON metric(node, seq);
