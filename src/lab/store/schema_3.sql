-- Version 3 of a results store. Runs may be sampled: then their values are estimates.
-- Statistics of a sampled run that have an error bar. Runs without rows were measured whole.
CREATE TABLE estimates(
  run_id       INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  statistic_id INTEGER NOT NULL REFERENCES statistics(id),
  bar          REAL NOT NULL,  -- half the width of the interval of 95 %, in the statistic's unit
  PRIMARY KEY(run_id, statistic_id)
) WITHOUT ROWID;
