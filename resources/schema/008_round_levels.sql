-- Version 8. Rounds at lower levels of detail, so that a view of a million rounds reads a screen's width of them: row `place` of a level of a node stands for 2^level
-- rounds and is like one of them. It is written as rounds come and can always be made again from them.
CREATE TABLE round_level (
  node              INTEGER NOT NULL,
  level             INTEGER NOT NULL,  -- from 3 on
  place             INTEGER NOT NULL,  -- from 0 on
  seq               INTEGER NOT NULL,  -- of the last round
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
  kept              REAL,
  longest_wait_for  TEXT NOT NULL,
  longest_wait_s    REAL,
  exchange_begin_s  REAL,
  exchange_end_s    REAL,
  PRIMARY KEY (node, level, place)
) WITHOUT ROWID;
