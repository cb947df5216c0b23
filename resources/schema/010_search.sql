-- Version 10. A suite that is searched: its document, from which every point follows, and the points that were tried, each with why it was and what it gave.
CREATE TABLE search (
  suite    INTEGER PRIMARY KEY,  -- suite.key
  document TEXT NOT NULL,
  kind     TEXT NOT NULL,     -- of its runs, as in queue
  context  TEXT NOT NULL,     -- as in queue
  now      INTEGER NOT NULL,  -- as in queue
  held     INTEGER NOT NULL,  -- 1: no run begins until a person lets it go on
  boot     TEXT NOT NULL,     -- as in queue
  state    TEXT NOT NULL,     -- 'going', 'ended'
  result   TEXT NOT NULL      -- what came out, a sentence; '': it goes on
);
CREATE TABLE search_trial (
  suite  INTEGER NOT NULL,  -- suite.key
  number INTEGER NOT NULL,  -- in the order in which they were chosen; its runs are those of the cells number * seeds ...
  trial  TEXT NOT NULL,     -- JSON
  PRIMARY KEY (suite, number)
);
