-- Version 1. Files here are numbered without gaps and never change once released; PRAGMA user_version says how many a store has had.
-- 'PcLn': tells a Paceline store from any other SQLite file.
PRAGMA application_id = 1348684910;

CREATE TABLE run (
  key         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  state       TEXT NOT NULL,
  error       TEXT NOT NULL,
  reason      TEXT NOT NULL,
  spec        TEXT NOT NULL,
  algorithm   TEXT NOT NULL,
  model       TEXT NOT NULL,
  dataset     TEXT NOT NULL,
  partition   TEXT NOT NULL,
  seed        INTEGER NOT NULL,  -- the 64 bits of an unsigned number
  config_hash TEXT NOT NULL,
  group_hash  TEXT NOT NULL,
  tags        TEXT NOT NULL,     -- JSON array of texts
  notes       TEXT NOT NULL,
  created_utc REAL NOT NULL,     -- Unix seconds, 0: not yet
  started_utc REAL NOT NULL,
  ended_utc   REAL NOT NULL,
  source      TEXT NOT NULL,
  trashed     INTEGER NOT NULL,
  owner_pid   INTEGER NOT NULL,
  owner_start INTEGER NOT NULL,
  versions    TEXT NOT NULL
);
CREATE INDEX run_by_name ON run(name);

CREATE TABLE node (
  key      INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL,     -- run.key
  id       TEXT NOT NULL,
  role     TEXT NOT NULL,
  host     TEXT NOT NULL,
  device   TEXT NOT NULL,
  rank     INTEGER NOT NULL,     -- of workers, else -1
  declared INTEGER NOT NULL,     -- 0: only named by a record (a host, the supervisor)
  UNIQUE (run, id)
);

-- The four record tables share one plan. key = run.key * 2^32 + order of arrival: the rows of a run lie together, "newer than what I
-- have" is one range scan. (node, seq) is unique: a record that comes twice is stored once. A REAL that holds a text ('NaN', 'Infinity',
-- '-Infinity') is a number that is not finite.
CREATE TABLE round (
  key               INTEGER PRIMARY KEY,
  node              INTEGER NOT NULL,  -- node.key
  seq               INTEGER NOT NULL,
  round             INTEGER NOT NULL,
  t_s               REAL NOT NULL,
  fetch_s           REAL NOT NULL,
  compute_s         REAL NOT NULL,
  update_s          REAL NOT NULL,
  send_s            REAL NOT NULL,
  wait_s            REAL NOT NULL,
  receive_s         REAL NOT NULL,
  query_s           REAL NOT NULL,
  evaluate_s        REAL NOT NULL,
  total_s           REAL NOT NULL,
  local_steps       INTEGER NOT NULL,
  samples           INTEGER NOT NULL,
  bytes_sent        INTEGER NOT NULL,
  bytes_received    INTEGER NOT NULL,
  messages_sent     INTEGER NOT NULL,
  messages_received INTEGER NOT NULL,
  staleness         REAL NOT NULL,
  loss              REAL NOT NULL,
  learning_rate     REAL NOT NULL,
  kept              REAL               -- NULL: a dense method
);
CREATE UNIQUE INDEX round_once ON round(node, seq);

CREATE TABLE evaluation (
  key        INTEGER PRIMARY KEY,
  node       INTEGER NOT NULL,
  seq        INTEGER NOT NULL,
  round      INTEGER NOT NULL,
  t_s        REAL NOT NULL,
  accuracy   REAL NOT NULL,
  loss       REAL NOT NULL,
  samples    INTEGER NOT NULL,
  evaluate_s REAL NOT NULL
);
CREATE UNIQUE INDEX evaluation_once ON evaluation(node, seq);

CREATE TABLE event (
  key    INTEGER PRIMARY KEY,
  node   INTEGER NOT NULL,
  seq    INTEGER NOT NULL,
  kind   TEXT NOT NULL,
  text   TEXT NOT NULL,
  level  TEXT NOT NULL,
  reason TEXT NOT NULL,
  code   INTEGER NOT NULL,
  unix_s REAL NOT NULL
);
CREATE UNIQUE INDEX event_once ON event(node, seq);

CREATE TABLE host_load (
  key                    INTEGER PRIMARY KEY,
  node                   INTEGER NOT NULL,
  seq                    INTEGER NOT NULL,
  unix_s                 REAL NOT NULL,
  cpu                    REAL NOT NULL,
  memory_used_bytes      INTEGER NOT NULL,
  memory_total_bytes     INTEGER NOT NULL,
  network_sent_bytes     INTEGER NOT NULL,
  network_received_bytes INTEGER NOT NULL
);
CREATE UNIQUE INDEX host_load_once ON host_load(node, seq);
