-- Version 13. Evaluations over training samples that are held out: they decide which evaluation is the best. NULL: none are.
ALTER TABLE evaluation ADD COLUMN validation_accuracy REAL;
ALTER TABLE evaluation ADD COLUMN validation_loss REAL;

DROP VIEW evaluations_named;
CREATE VIEW evaluations_named AS
SELECT run.id AS run, run.name AS run_name, run.algorithm, run.model, run.dataset, run.partition, run.seed, run.group_hash,
       node.id AS node, node.role, node.rank, node.host, node.device,
       evaluation.seq, evaluation.round, evaluation.t_s, evaluation.accuracy, evaluation.loss, evaluation.samples, evaluation.evaluate_s, evaluation.of, evaluation.consensus,
       evaluation.validation_accuracy, evaluation.validation_loss
FROM evaluation JOIN node ON node.key = evaluation.node JOIN run ON run.key = node.run
WHERE NOT run.trashed;

DROP VIEW runs_flat;
-- The evaluations of a run are those of the mean of all workers if there are any, else those by an evaluator, else the worker's own: of the series with the highest of
-- these the longest, as the program's summaries take them. The best is the one with the best accuracy on what was held out, where samples were, else on the test set.
CREATE VIEW runs_flat AS
WITH series AS (
  SELECT node.run, evaluation.node, node.rank, CASE WHEN evaluation.of = node.id THEN '' ELSE evaluation.of END AS whose, min(evaluation.key) AS first, count(*) AS evaluations,
         CASE WHEN evaluation.of = 'mean' THEN 3 WHEN evaluation.of <> '' AND evaluation.of <> node.id THEN 0 WHEN node.role = 'evaluator' THEN 2 ELSE 1 END AS preference
  FROM evaluation JOIN node ON node.key = evaluation.node
  GROUP BY node.run, evaluation.node, whose
), own AS (
  SELECT *, row_number() OVER (PARTITION BY run ORDER BY preference DESC, evaluations DESC, rank < 0 OR whose <> '', rank, first) AS place FROM series
), accuracy AS (
  SELECT own.run, own.evaluations,
         (SELECT b.accuracy FROM evaluation AS b WHERE b.node = own.node AND b.of IN (own.whose, iif(own.whose = '', node.id, own.whose)) AND typeof(coalesce(b.validation_accuracy, b.accuracy)) = 'real'
          ORDER BY coalesce(b.validation_accuracy, b.accuracy) DESC, b.round, b.key LIMIT 1) AS best_accuracy,
         max(CASE WHEN typeof(e.validation_accuracy) = 'real' THEN e.validation_accuracy END) AS best_validation_accuracy,
         (SELECT l.accuracy FROM evaluation AS l WHERE l.node = own.node AND l.of IN (own.whose, iif(own.whose = '', node.id, own.whose)) ORDER BY l.round DESC, l.key DESC LIMIT 1) AS last_accuracy
  FROM own JOIN node ON node.key = own.node JOIN evaluation AS e ON e.node = own.node AND e.of IN (own.whose, iif(own.whose = '', node.id, own.whose))
  WHERE own.place = 1
  GROUP BY own.run
), work AS (
  SELECT node.run, count(DISTINCT node.key) AS workers, max(round.round) AS rounds, sum(round.samples) AS samples, min(round.t_s - round.total_s) AS began_s, max(round.t_s) AS ended_s,
         sum(round.bytes_sent) AS bytes_sent, sum(round.bytes_received) AS bytes_received
  FROM round JOIN node ON node.key = round.node
  WHERE node.role = 'worker'
  GROUP BY node.run
)
SELECT run.id AS run, run.name, run.state, run.reason, run.error, run.algorithm, run.model, run.dataset, run.partition, run.seed, run.config_hash, run.group_hash, run.tags, run.notes, run.source,
       run.created_utc, run.started_utc, run.ended_utc, work.workers, work.rounds, work.samples, work.ended_s - work.began_s AS window_s, work.bytes_sent, work.bytes_received,
       accuracy.evaluations, accuracy.best_accuracy, accuracy.last_accuracy, accuracy.best_validation_accuracy, run.spec, run.versions
FROM run LEFT JOIN work ON work.run = run.key LEFT JOIN accuracy ON accuracy.run = run.key
WHERE NOT run.trashed;
