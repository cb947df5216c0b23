-- Version 7. Who waits for whom: the longest wait of a round and whose it was, when its exchange was under way, how busy servers and evaluators are, and how
-- the clocks of nodes and hosts are related.
ALTER TABLE round ADD COLUMN longest_wait_for TEXT NOT NULL DEFAULT '';
ALTER TABLE round ADD COLUMN longest_wait_s REAL;
ALTER TABLE round ADD COLUMN exchange_begin_s REAL;
ALTER TABLE round ADD COLUMN exchange_end_s REAL;
CREATE TABLE busy (
  key            INTEGER PRIMARY KEY,
  node           INTEGER NOT NULL,
  seq            INTEGER NOT NULL,
  t_s            REAL NOT NULL,
  span_s         REAL NOT NULL,
  busy_s         REAL NOT NULL,
  queue_s        REAL NOT NULL,
  messages       INTEGER NOT NULL,
  longest_queue  INTEGER NOT NULL,
  bytes_received INTEGER NOT NULL,
  bytes_sent     INTEGER NOT NULL
);
CREATE UNIQUE INDEX busy_once ON busy(node, seq);
CREATE TABLE clock (
  key      INTEGER PRIMARY KEY,
  node     INTEGER NOT NULL,
  seq      INTEGER NOT NULL,
  unix_s   REAL NOT NULL,
  t_s      REAL,
  offset_s REAL,
  error_s  REAL NOT NULL
);
CREATE UNIQUE INDEX clock_once ON clock(node, seq);
