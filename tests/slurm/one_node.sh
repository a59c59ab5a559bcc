#!/usr/bin/env bash
# A Slurm of one node for tests, as the current user, with all its files in one folder:
#   one_node.sh start FOLDER [CPUS]    prints "export ..." lines for clients
#   one_node.sh controller FOLDER      starts slurmctld again
#   one_node.sh stop FOLDER
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin

command=$1 folder=$2 cpus=${3:-4}
for program in munged slurmctld slurmd sbatch; do
  if ! command -v "$program" >/dev/null; then
    echo "there is no $program: install slurm-wlm and munge" >&2
    exit 1
  fi
done

free_ports() {
  python3 -c 'import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in sockets])'
}

wait_for() { # SECONDS COMMAND...
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.1
  done
}

write_configuration() {
  local host ports
  host=$(hostname -s)
  read -r -a ports < <(free_ports)
  cat >"$folder/slurm.conf" <<CONF
ClusterName=heddle
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
MaxArraySize=2001
JobRequeue=1
MinJobAge=10
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=batch Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP
PartitionName=urgent Nodes=ALL PriorityTier=2 PreemptMode=OFF MaxTime=INFINITE State=UP
CONF
}

end() { # NAME: ends the process of a file of process ids
  [ -s "$folder/$1.pid" ] || return 0
  local pid
  pid=$(cat "$folder/$1.pid")
  kill "$pid" 2>/dev/null || return 0
  wait_for 5 bash -c "! kill -0 $pid" || kill -9 "$pid" 2>/dev/null || true
}

case $command in
  start)
    mkdir -p "$folder/state" "$folder/spool"
    chmod 755 "$folder"
    head -c 1024 /dev/urandom >"$folder/munge.key"
    chmod 600 "$folder/munge.key"
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
      --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" \
      --seed-file="$folder/munge.seed" 2>>"$folder/munged.err"
    write_configuration
    export SLURM_CONF=$folder/slurm.conf
    slurmctld 2>>"$folder/slurmctld.err"
    slurmd -N "$(hostname -s)" 2>>"$folder/slurmd.err"
    wait_for 30 bash -c 'sinfo --noheader --format=%T | grep -Eq "idle|mixed|allocated"' || {
      echo "Slurm does not start:" >&2
      tail -n 5 "$folder"/*.log "$folder"/*.err >&2
      exit 1
    }
    echo "export SLURM_CONF=$folder/slurm.conf"
    ;;
  controller)
    SLURM_CONF=$folder/slurm.conf slurmctld 2>>"$folder/slurmctld.err"
    ;;
  stop)
    for daemon in slurmctld slurmd munged; do end "$daemon"; done
    ;;
esac
