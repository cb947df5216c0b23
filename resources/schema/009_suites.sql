-- Version 9. Runs that were submitted together are a suite. A cell is one run that was asked for, with its document; a run that was made for it is an attempt. The
-- newest attempt counts, and is there from its submission on, whether it ever begins or not.
CREATE TABLE suite (
  key         INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  created_utc REAL NOT NULL
);
CREATE TABLE suite_cell (
  suite INTEGER NOT NULL,  -- suite.key
  place INTEGER NOT NULL,  -- in the order in which they were asked for
  name  TEXT NOT NULL,
  kind  TEXT NOT NULL,     -- as in queue
  spec  TEXT NOT NULL,
  PRIMARY KEY (suite, place)
);
CREATE TABLE suite_run (
  key   INTEGER PRIMARY KEY AUTOINCREMENT,  -- grows with time
  suite INTEGER NOT NULL,
  place INTEGER NOT NULL,
  run   TEXT NOT NULL UNIQUE                -- id; its row is made when it starts
);
CREATE INDEX suite_run_of ON suite_run(suite, place);
