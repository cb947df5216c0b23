-- Version 2. An evaluation may be of another node's parameters or of the mean of all; a decentralised run records its edges.
ALTER TABLE evaluation ADD COLUMN of TEXT NOT NULL DEFAULT '';  -- '': the node's own, a worker's id, or 'mean'
ALTER TABLE evaluation ADD COLUMN consensus REAL;               -- with 'mean': root of the mean squared distance to it; NULL: not measured

-- What a worker of a decentralised method exchanged with one neighbour since its last record of that edge.
CREATE TABLE edge (
  key            INTEGER PRIMARY KEY,
  node           INTEGER NOT NULL,
  seq            INTEGER NOT NULL,
  round          INTEGER NOT NULL,
  t_s            REAL NOT NULL,
  peer           TEXT NOT NULL,
  exchanges      INTEGER NOT NULL,
  age            REAL NOT NULL,
  bytes_sent     INTEGER NOT NULL,
  bytes_received INTEGER NOT NULL,
  lost           INTEGER NOT NULL   -- 1: unreachable, its last vector stands in
);
CREATE UNIQUE INDEX edge_once ON edge(node, seq);
