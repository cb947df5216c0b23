-- Version 11. The order in which servers applied messages, and what they answered to questions: what a replay of a run needs. And what crossed each link.
CREATE TABLE applied (
  key   INTEGER PRIMARY KEY,
  node  INTEGER NOT NULL,
  seq   INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  place INTEGER NOT NULL,
  nodes TEXT NOT NULL
);
CREATE UNIQUE INDEX applied_once ON applied(node, seq);
CREATE TABLE answer (
  key     INTEGER PRIMARY KEY,
  node    INTEGER NOT NULL,
  seq     INTEGER NOT NULL,
  peer    TEXT NOT NULL,
  place   INTEGER NOT NULL,
  answers TEXT NOT NULL
);
CREATE UNIQUE INDEX answer_once ON answer(node, seq);
CREATE TABLE link (
  key               INTEGER PRIMARY KEY,
  node              INTEGER NOT NULL,
  seq               INTEGER NOT NULL,
  round             INTEGER NOT NULL,
  t_s               REAL NOT NULL,
  peer              TEXT NOT NULL,
  messages_sent     INTEGER NOT NULL,
  messages_received INTEGER NOT NULL,
  values_sent       INTEGER NOT NULL,
  values_received   INTEGER NOT NULL,
  bytes_sent        INTEGER NOT NULL,
  bytes_received    INTEGER NOT NULL,
  shared_sent       INTEGER NOT NULL,
  framed_sent       INTEGER NOT NULL,
  kernel_sent       REAL,
  retransmitted     REAL
);
CREATE UNIQUE INDEX link_once ON link(node, seq);
