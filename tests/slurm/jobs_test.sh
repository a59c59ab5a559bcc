#!/usr/bin/env bash
# heddle sweep --executor slurm with a real Slurm: jobs_test.sh BUILD_FOLDER [PROGRAMS].
set -u
here=$(cd "$(dirname "$0")" && pwd)
heddle=$1/bin/heddle programs=${2:-$1/workloads}
work=$(mktemp -d) || exit 1
trap '"$here/one_node.sh" stop "$work/slurm"; rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  sed 's/^/  stderr: /' "$work/stderr" 2>/dev/null | head -20
  exit 1
}

lines=$("$here/one_node.sh" start "$work/slurm" 4 2>"$work/stderr") ||
  fail "Slurm does not start"
eval "$lines"
cd "$work" || exit 1

cat >study.toml <<'TOML'
title = "jobs"
gpus = ["gtx480", "ipaws"]
schedulers = ["lrr", "gto", "oldest"]
[[case]]
programs = ["patterns/row_walk", "patterns/stream", "vecadd"]
sizes = ["tiny"]
[[case]]
name = "a worker searches the best limit"
program = ["patterns/row_walk", "tiny"]
gpus = ["ipaws"]
also = ["swl:best"]
TOML

# sweep STORE ARGUMENT...
sweep() {
  local store=$1
  shift
  "$heddle" sweep study.toml --out "$store" --programs "$programs" --poll 0.2 "$@" \
    >stdout 2>stderr
}

equal() { "$heddle" results local.sqlite --compare "$1" >stdout 2>stderr || fail "$2"; }

sweep local.sqlite || fail "local: exit code $?"

# Several runs per task; the options of sbatch reach Slurm.
sweep array.sqlite --executor slurm --runs-per-task 4 --partition batch --time 10:00 \
  --sbatch=--comment=study || fail "slurm: exit code $?"
grep -q 'submitted 19 runs in 5 tasks as heddle-study-' stderr || fail "not five tasks"
grep -q '19 runs, 0 kept in array.sqlite' stderr || fail "not 19 runs"
equal array.sqlite "results of jobs differ from local ones"
[ ! -e array.sqlite-slurm ] || fail "the folder of the jobs is left"

# What Slurm refuses is one diagnostic, and nothing remains.
sweep refused.sqlite --executor slurm --partition nosuch && fail "a missing partition is accepted"
[ "$(grep -c 'error: sbatch refuses the jobs: .*nvalid partition' stderr)" = 1 ] ||
  fail "no diagnostic"
[ ! -e refused.sqlite-slurm ] || fail "the folder of refused jobs is left"

# Slurm that does not answer: its own message, and no claim about jobs.
kill "$(cat slurm/slurmctld.pid)"
"$heddle" sweep study.toml --out ended.sqlite --programs "$programs" --executor slurm \
  >/dev/null 2>ended &
ended=$!
sweep silent.sqlite --executor slurm --no-wait --runs-per-task 4 && fail "silent Slurm is a success"
grep -q 'heddle: Slurm does not answer: sbatch: error: .*Unable to contact' stderr ||
  fail "not the message of sbatch"
grep -q 'error: Slurm did not say whether it has the jobs' stderr || fail "no diagnostic"
grep -q 'sbatch has not answered for 5 s' ended || fail "nothing is printed while sbatch waits"
kill -TERM $ended
wait $ended
[ $? -eq 143 ] || fail "SIGTERM while Slurm is silent: another exit code"
cat ended >>stderr
grep -q 'interrupted; Slurm did not say whether it has the jobs' ended || fail "no diagnostic"
! grep -qE 'submitted|jobs go on' stderr || fail "a claim about jobs that Slurm may not have"
"$here/one_node.sh" controller "$work/slurm"
sweep silent.sqlite --executor slurm --runs-per-task 4 || fail "after the silence: exit code $?"
equal silent.sqlite "results after a silence of Slurm differ"
[ ! -e silent.sqlite-slurm ] || fail "the folder of the jobs is left"

# Submitted and left alone; held jobs are shown, cancelled, and submitted again.
sweep later.sqlite --executor slurm --no-wait --runs-per-task 3 --sbatch=--hold || fail "no-wait"
grep -q '`heddle sweep status later.sqlite` shows them' stderr || fail "no hint"
"$heddle" sweep status later.sqlite >stdout 2>stderr || fail "status"
grep -q 'study study: 0 of 19 runs done' stdout || fail "status counts no runs"
grep -q ', 7 tasks: 7 PENDING; 19 runs without a result' stdout || fail "status shows no tasks"
sweep later.sqlite && fail "a local sweep runs what jobs run"
grep -q 'jobs of Slurm are at work for it' stderr || fail "no diagnostic"
"$heddle" sweep cancel later.sqlite >stdout 2>stderr || fail "cancel"
grep -q 'cancelled 1 jobs, gathered 0 results' stderr || fail "nothing was cancelled"
[ -z "$(squeue --noheader)" ] || fail "jobs are left"
"$heddle" sweep cancel later.sqlite 2>stderr || fail "cancel without jobs"
grep -q 'no jobs are at work' stderr || fail "cancelled twice"
sweep later.sqlite --executor slurm --runs-per-task 3 || fail "sweep after cancel"
equal later.sqlite "results after cancel differ"

# A sweep that was submitted and left alone is gathered by resume, also from another terminal.
sweep left.sqlite --executor slurm --no-wait --runs-per-task 6 || fail "no-wait"
"$heddle" sweep resume left.sqlite >stdout 2>stderr || fail "resume: exit code $?"
equal left.sqlite "results of resume differ"

# running_task: waits for a task that runs, and prints its number.
running_task() {
  local task
  for _ in $(seq 100); do
    task=$(squeue --noheader --format=%i --states=RUNNING | head -n 1)
    [ -z "$task" ] || break
    sleep 0.1
  done
  echo "$task"
}

# wait_for_restart TASK: Slurm has started the task again, or will.
wait_for_restart() {
  for _ in $(seq 100); do
    scontrol show job "$1" 2>/dev/null | grep -q 'Restarts=1' && return
    sleep 0.1
  done
  fail "task $1 was not requeued"
}

# Requeued tasks skip finished runs and do the others.
sweep requeued.sqlite --executor slurm --no-wait --runs-per-task 6 || fail "no-wait"
task=$(running_task)
scontrol requeue "$task" || fail "task $task cannot be requeued"
wait_for_restart "$task"
"$heddle" sweep resume requeued.sqlite >stdout 2>stderr || fail "resume: exit code $?"
equal requeued.sqlite "results of requeued tasks differ"

# A task that takes the node is preempted by a job of a partition with higher priority.
sweep preempted.sqlite --executor slurm --no-wait --runs-per-task 19 --sbatch=--cpus-per-task=4 ||
  fail "no-wait"
task=$(running_task)
sbatch --quiet --partition=urgent --cpus-per-task=4 --output=/dev/null --wrap='sleep 0.5' ||
  fail "no urgent job"
wait_for_restart "$task"
"$heddle" sweep resume preempted.sqlite >stdout 2>stderr || fail "resume: exit code $?"
equal preempted.sqlite "results of a preempted task differ"

# Some tasks of an array are cancelled: their runs are submitted again.
sweep partial.sqlite --executor slurm --no-wait --runs-per-task 2 || fail "no-wait"
scancel "$(squeue --noheader --format=%F | head -n 1)_[3-5]" 2>/dev/null
"$heddle" sweep resume partial.sqlite >stdout 2>stderr || fail "resume: exit code $?"
equal partial.sqlite "results of a partial array differ"

# The node fails while its tasks run.
sweep node.sqlite --executor slurm --no-wait --runs-per-task 6 || fail "no-wait"
task=$(running_task)
scontrol update "nodename=$(hostname -s)" state=down reason=test
wait_for_restart "$task"
for _ in $(seq 50); do
  sinfo --noheader --format=%T | grep -Eq 'idle|mixed|allocated|completing' && break
  scontrol update "nodename=$(hostname -s)" state=resume 2>/dev/null
  sleep 0.2
done
"$heddle" sweep resume node.sqlite >stdout 2>stderr || fail "resume: exit code $?"
equal node.sqlite "results after a node failure differ"
# A run in parts: each part is a job, and a part whose job was cancelled is submitted again.
steps=("$programs/rodinia/hotspot" 40 80 2)
"$heddle" run -q --out whole "${steps[@]}" >stdout 2>stderr || fail "whole run: exit code $?"
parts() {
  "$heddle" run -q --parts 4 --executor slurm --poll 0.2 --out parts "$@" "${steps[@]}" \
    >stdout 2>stderr
}
parts --no-wait || fail "parts: exit code $?"
[ ! -e parts/run.json ] || fail "results of parts that run"
scancel "$(squeue --noheader --format=%F | head -n 1)_[2-3]" 2>/dev/null
parts || fail "parts, resumed: exit code $?"
[ "$(grep -c '"first_launch"' parts/run.json)" = 4 ] || fail "not four parts"
[ ! -e parts/parts ] || fail "the folder of the parts is left"
grep -o '"thread_instructions": [0-9]*' whole/run.json | sort >instructions
grep -o '"thread_instructions": [0-9]*' parts/run.json | sort | cmp - instructions ||
  fail "parts execute something else"
echo "job arrays: submitted, refused, shown, cancelled, resumed, requeued, preempted, partial," \
  "node failure, parts of a run"
