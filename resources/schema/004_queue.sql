-- Version 4. What the store's recorder has to do: runs that wait and runs that are under way. An entry goes when its run has ended.
CREATE TABLE queue (
  entry         INTEGER PRIMARY KEY AUTOINCREMENT,
  position      INTEGER NOT NULL,  -- smaller ones first
  kind          TEXT NOT NULL,     -- 'run', 'simulation', 'attach', 'resume'
  run           TEXT NOT NULL UNIQUE,  -- id; the run's row is made when it starts
  spec          TEXT NOT NULL,     -- the document; '': that of the run's row
  name          TEXT NOT NULL,
  suite         TEXT NOT NULL,
  resumed_from  TEXT NOT NULL,     -- id of the run that this one goes on from
  now           INTEGER NOT NULL,  -- 1: beside what its hosts are training already
  begun         INTEGER NOT NULL,  -- 0: has only been waiting
  held          INTEGER NOT NULL,  -- 1: waits for a person to let it run
  boot          TEXT NOT NULL,     -- of the system that was up when it was last looked at
  context       TEXT NOT NULL,     -- JSON: folder, variables and list of hosts of who submitted it
  submitted_utc REAL NOT NULL
);
