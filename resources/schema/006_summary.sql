-- Version 6. What a run that has ended amounts to, so that many runs can be compared without reading their records again. It can always be made
-- again from the records, and goes when another record of the run comes.
CREATE TABLE summary (
  key      INTEGER PRIMARY KEY AUTOINCREMENT,
  run      INTEGER NOT NULL UNIQUE,  -- run.key
  formulas INTEGER NOT NULL,         -- of which version
  numbers  BLOB NOT NULL             -- all but the columns
);
CREATE TABLE summary_column (
  summary INTEGER NOT NULL,          -- summary.key
  name    TEXT NOT NULL,             -- 'curve/accuracy'
  cells   BLOB NOT NULL,             -- little-endian, 8 bytes each; more than two that grow by one step: the first and the step
  PRIMARY KEY (summary, name)
);
