-- The tables of a results store, version 1. docs/results-store.md explains them.
-- Times are UTC, "2026-01-31T12:00:00Z". JSON columns hold the text of a JSON value. Hashes are
-- hexadecimal.

-- 'created': time; 'heddle': the version that created the store.
CREATE TABLE meta(
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Effective GPUs: every parameter of a GPU after overrides.
CREATE TABLE configurations(
  hash       TEXT PRIMARY KEY,
  gpu        TEXT NOT NULL,   -- its name
  parameters TEXT NOT NULL,   -- JSON object: "sm.l1d.size" -> number or text
  toml       TEXT NOT NULL    -- a file for heddle run --gpu FILE
) WITHOUT ROWID;

-- One row per simulated run. `key` is a hash of everything that determines the result.
CREATE TABLE runs(
  id                  INTEGER PRIMARY KEY,
  key                 TEXT NOT NULL UNIQUE,
  program             TEXT NOT NULL,   -- as the study names it
  arguments           TEXT NOT NULL,   -- JSON array of texts
  program_hash        TEXT NOT NULL,   -- of the file's content
  input_hash          TEXT,            -- of the content of all input files; NULL: there are none
  gpu                 TEXT NOT NULL,   -- preset or file, as the study names it
  overrides           TEXT NOT NULL,   -- JSON array of "key=value"; registers.KERNEL=N, too
  configuration_hash  TEXT NOT NULL,   -- of the effective GPU, in configurations
  scheduler           TEXT NOT NULL,   -- warp scheduler
  cta_scheduler       TEXT NOT NULL,
  share               TEXT NOT NULL,   -- share policy
  plugins             TEXT NOT NULL,   -- JSON array: hashes of the plug-ins' content
  seed                INTEGER NOT NULL,
  limit_cycles        INTEGER NOT NULL,  -- the rest ran functionally; 0: no limit
  version             TEXT NOT NULL,   -- of Heddle
  simulator_hash      TEXT NOT NULL,   -- of the content of Heddle's runtime library
  status              TEXT NOT NULL CHECK(status IN
                        ('completed', 'failed', 'fault', 'time limit', 'memory limit', 'killed')),
  problem             TEXT,            -- in one line; NULL when completed
  exit_code           INTEGER NOT NULL,  -- 128 + signal when a signal ended the program
  host                TEXT NOT NULL,
  started             TEXT NOT NULL,
  wall_seconds        REAL NOT NULL,   -- on the host, with earlier runs that a scheduler needs
  user_seconds        REAL NOT NULL,   -- user and system time of all processes of the run
  peak_memory_bytes   INTEGER NOT NULL,
  time_limit_seconds  REAL,            -- under which it ran; NULL: none
  memory_limit_bytes  INTEGER,         -- under which it ran; NULL: none
  launches            INTEGER,         -- this and the following: NULL unless completed
  timed_share         REAL,            -- of thread instructions: 1 when every launch was timed
  cycles              INTEGER,         -- core cycles of all timed launches
  warp_instructions   INTEGER,
  thread_instructions INTEGER
);
CREATE INDEX runs_by_program ON runs(program, arguments, gpu, scheduler);

-- One row per launch of a run; launches after the 1,000th have none, but are in the run's sums.
CREATE TABLE kernels(
  id                   INTEGER PRIMARY KEY,
  run_id               INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  launch               INTEGER NOT NULL,  -- counts from 1, as in heddle run --kernels
  name                 TEXT NOT NULL,     -- demangled
  simulated            TEXT NOT NULL,     -- timed, truncated, functional
  grid                 TEXT NOT NULL,     -- CTAs, "16x1x1"
  block                TEXT NOT NULL,     -- threads of a CTA, "256x1x1"
  registers_per_thread INTEGER NOT NULL,
  shared_bytes         INTEGER NOT NULL,  -- of a CTA
  ctas_per_sm          INTEGER,           -- limit of resident CTAs; NULL when functional
  warps_per_sm         INTEGER,
  occupancy_limiter    TEXT,
  start_cycle          INTEGER,
  cycles               INTEGER NOT NULL,
  warp_instructions    INTEGER NOT NULL,
  thread_instructions  INTEGER NOT NULL,
  UNIQUE(run_id, launch)
);

-- Names, units and meanings, as in heddle list stats.
CREATE TABLE statistics(
  id      INTEGER PRIMARY KEY,
  name    TEXT NOT NULL UNIQUE,   -- the path in run.json: "l1d.hits", "slots.scoreboard"
  unit    TEXT NOT NULL,
  meaning TEXT NOT NULL
);

-- Every number of a run's totals. Counters are INTEGER, means and rates are REAL.
CREATE TABLE run_values(
  run_id       INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  statistic_id INTEGER NOT NULL REFERENCES statistics(id),
  value        NOT NULL,
  PRIMARY KEY(run_id, statistic_id)
) WITHOUT ROWID;

-- Leading statistics of a launch: issue slots, L1D, L2, DRAM, rates, read times, energy.
CREATE TABLE kernel_values(
  kernel_id    INTEGER NOT NULL REFERENCES kernels(id) ON DELETE CASCADE,
  statistic_id INTEGER NOT NULL REFERENCES statistics(id),
  value        NOT NULL,
  PRIMARY KEY(kernel_id, statistic_id)
) WITHOUT ROWID;

-- Files of a run, if the sweep keeps them: 'run.json' (with --details).
CREATE TABLE documents(
  id      INTEGER PRIMARY KEY,
  run_id  INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE(run_id, name)
);

CREATE TABLE studies(
  id       INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,  -- of the file, without folder and extension
  title    TEXT NOT NULL,
  file     TEXT NOT NULL,         -- absolute path when it was swept
  document TEXT NOT NULL,         -- the file's content
  options  TEXT NOT NULL,         -- JSON object: how it was swept
  baseline TEXT NOT NULL,         -- the row over which speed-ups are
  margin   REAL NOT NULL,         -- ">" means faster by more than this share
  near     REAL NOT NULL,         -- "~" means equal within this share
  swept    TEXT NOT NULL          -- time of the last sweep
);

-- Rows of a study's table. A row takes the fewest cycles of its members.
CREATE TABLE study_rows(
  study_id INTEGER NOT NULL REFERENCES studies(id) ON DELETE CASCADE,
  ordinal  INTEGER NOT NULL,
  name     TEXT NOT NULL,   -- "gto", "gto + mapped", "swl, best"
  members  TEXT NOT NULL,   -- JSON array: names of rows in case_runs
  PRIMARY KEY(study_id, ordinal),
  UNIQUE(study_id, name)
) WITHOUT ROWID;

-- A case: a workload on a GPU with values of parameters.
CREATE TABLE cases(
  id         INTEGER PRIMARY KEY,
  study_id   INTEGER NOT NULL REFERENCES studies(id) ON DELETE CASCADE,
  ordinal    INTEGER NOT NULL,   -- counts from 0
  name       TEXT NOT NULL,
  group_name TEXT,
  workload   TEXT NOT NULL,      -- the case's name in the file, with its size
  gpu        TEXT NOT NULL,
  parameters TEXT NOT NULL,      -- JSON object: values of the grid, "sm.l1d.ways" -> "8"
  winners    TEXT NOT NULL,      -- JSON array: rows that are expected to win
  UNIQUE(study_id, ordinal),
  UNIQUE(study_id, name)
);

-- The run of each scheduler of a case. The run may be missing from `runs`: it is not finished.
CREATE TABLE case_runs(
  case_id INTEGER NOT NULL REFERENCES cases(id) ON DELETE CASCADE,
  row     TEXT NOT NULL,    -- warp scheduler, CTA scheduler and share policy
  run_key TEXT NOT NULL,
  PRIMARY KEY(case_id, row)
) WITHOUT ROWID;
CREATE INDEX case_runs_by_key ON case_runs(run_key);

CREATE TABLE expectations(
  id      INTEGER PRIMARY KEY,
  case_id INTEGER NOT NULL REFERENCES cases(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  text    TEXT NOT NULL,    -- "ccws > gto > lrr"
  reason  TEXT,             -- why it does not hold, from the study; NULL: none is given
  verdict TEXT NOT NULL CHECK(verdict IN ('holds', 'fails', 'unknown')),
  UNIQUE(case_id, ordinal)
);

-- Runs that a sweep still has to do. Not for readers.
CREATE TABLE queue(
  run_key          TEXT PRIMARY KEY,
  expected_seconds REAL,              -- NULL: nothing similar was measured
  attempts         INTEGER NOT NULL,  -- that were killed
  submission       TEXT,              -- who runs it: a row of submissions, 'local'; NULL: waits
  request          TEXT NOT NULL      -- JSON object
) WITHOUT ROWID;
CREATE INDEX queue_longest_first ON queue(submission, IFNULL(expected_seconds, 1e9) DESC);

-- Job arrays of the Slurm executor that are not known to have ended. Not for readers.
CREATE TABLE submissions(
  name      TEXT PRIMARY KEY,   -- the job's name, unique
  study_id  INTEGER NOT NULL REFERENCES studies(id) ON DELETE CASCADE,
  folder    TEXT NOT NULL,      -- on the shared file system
  tasks     INTEGER NOT NULL,
  submitted TEXT NOT NULL
) WITHOUT ROWID;

-- Values with the names and units of their statistics.
CREATE VIEW run_statistics AS
  SELECT v.run_id, s.name AS statistic, s.unit, v.value
  FROM run_values v JOIN statistics s ON s.id = v.statistic_id;
CREATE VIEW kernel_statistics AS
  SELECT k.run_id, k.launch, k.name AS kernel, s.name AS statistic, s.unit, v.value
  FROM kernel_values v JOIN kernels k ON k.id = v.kernel_id
  JOIN statistics s ON s.id = v.statistic_id;

-- Every run of every study: one row per case and scheduler. run_id is NULL while it is missing.
CREATE VIEW study_runs AS
  SELECT s.id AS study_id, s.name AS study, c.id AS case_id, c.ordinal AS case_ordinal,
         c.name AS case_name, c.group_name, c.workload, c.gpu, c.parameters, cr.row, cr.run_key,
         r.id AS run_id, r.scheduler, r.cta_scheduler, r.share, r.status, r.problem, r.cycles,
         r.warp_instructions, r.thread_instructions, r.wall_seconds, r.peak_memory_bytes
  FROM studies s JOIN cases c ON c.study_id = s.id JOIN case_runs cr ON cr.case_id = c.id
  LEFT JOIN runs r ON r.key = cr.run_key;

-- The cycles of every row of a study's table in every case; NULL: not measured.
CREATE VIEW row_cycles AS
  SELECT c.study_id, c.id AS case_id, c.ordinal AS case_ordinal, c.name AS case_name, c.group_name,
         c.workload, c.gpu, c.parameters, sr.ordinal AS row_ordinal, sr.name AS row,
         (SELECT MIN(r.cycles) FROM json_each(sr.members) m
            JOIN case_runs cr ON cr.case_id = c.id AND cr.row = m.value
            JOIN runs r ON r.key = cr.run_key AND r.status = 'completed') AS cycles
  FROM cases c JOIN study_rows sr ON sr.study_id = c.study_id;

-- Speed-ups over the study's first row.
CREATE VIEW speedups AS
  SELECT s.name AS study, x.*, b.cycles AS baseline_cycles,
         CAST(b.cycles AS REAL) / x.cycles AS speedup
  FROM studies s JOIN row_cycles x ON x.study_id = s.id
  JOIN row_cycles b ON b.case_id = x.case_id AND b.row = s.baseline
  WHERE x.cycles > 0 AND b.cycles > 0;

-- The fastest row of every case; the first of several that are equal.
CREATE VIEW best_rows AS
  SELECT study, study_id, case_id, case_ordinal, case_name, group_name, workload, gpu, parameters,
         row, cycles, speedup
  FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY case_id ORDER BY cycles, row_ordinal) AS place
        FROM speedups)
  WHERE place = 1;

-- Geometric means of the speed-ups of a row over the cases of a GPU that measured it.
CREATE VIEW geometric_means AS
  SELECT study, study_id, gpu, row_ordinal, row, COUNT(*) AS cases,
         EXP(AVG(LN(speedup))) AS speedup
  FROM speedups GROUP BY study_id, gpu, row_ordinal, row;
