-- Version 3. What a worker trains on: samples of each class in its share, as a JSON array.
CREATE TABLE labels (
  key    INTEGER PRIMARY KEY,
  node   INTEGER NOT NULL,
  seq    INTEGER NOT NULL,
  counts TEXT NOT NULL
);
CREATE UNIQUE INDEX labels_once ON labels(node, seq);
