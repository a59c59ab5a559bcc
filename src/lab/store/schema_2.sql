-- Version 2 of a results store. The cycles of a run are those in which at least one launch is
-- active. Version 1 had the sum of the launches' cycles, which is more where launches overlap. It
-- is corrected for every run whose launches are all in `kernels`. Other runs (with more than 1,000
-- launches) keep the sum.
CREATE TEMP TABLE elapsed AS
  WITH launches AS (
    SELECT run_id, cycles, start_cycle AS began, start_cycle + cycles AS ended,
           -- Until then the launches that began before it cover the time.
           MAX(start_cycle + cycles) OVER (PARTITION BY run_id ORDER BY start_cycle, launch
             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered
    FROM kernels WHERE start_cycle IS NOT NULL)
  SELECT r.id AS run_id, r.cycles AS before,
         SUM(MAX(0, l.ended - MAX(l.began, IFNULL(l.covered, l.began)))) AS cycles
  FROM runs r JOIN launches l ON l.run_id = r.id
  GROUP BY r.id HAVING SUM(l.cycles) = r.cycles;
DELETE FROM elapsed WHERE cycles = before;

UPDATE runs SET cycles = e.cycles FROM elapsed e WHERE e.run_id = id;
-- Static energy is in proportion to the cycles, and a part of the total.
UPDATE run_values SET value = value - e.saved FROM
  (SELECT v.run_id, v.value * (e.before - e.cycles) / e.before AS saved
   FROM elapsed e JOIN run_values v ON v.run_id = e.run_id
   JOIN statistics s ON s.id = v.statistic_id AND s.name = 'energy.static_nj') e
  WHERE e.run_id = run_values.run_id AND statistic_id IN
    (SELECT id FROM statistics WHERE name IN ('energy.static_nj', 'energy.total_nj'));
UPDATE run_values SET value = e.cycles FROM elapsed e
  WHERE e.run_id = run_values.run_id AND statistic_id IN
    (SELECT id FROM statistics WHERE name = 'cycles');
UPDATE run_values SET value = CAST(r.thread_instructions AS REAL) / r.cycles
  FROM elapsed e JOIN runs r ON r.id = e.run_id
  WHERE e.run_id = run_values.run_id AND statistic_id IN
    (SELECT id FROM statistics WHERE name = 'ipc');
DROP TABLE elapsed;
