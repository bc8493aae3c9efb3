#!/usr/bin/env bash
# Several ranks in jobs of Slurm's, by the batch script of TRACKING.md: on two nodes, which are this
# machine twice, with daemons of the test's own, which end with it. A rank that dies or hangs, or a
# job that is cancelled, leaves no process.
# test_slurm.sh REPRISE REPRISE-TRIAL, from anywhere.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") root=$(realpath "$(dirname "$0")/..")
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch srun setpriv; do
    command -v $program >/dev/null || {
        echo "1..0 # skip no Slurm ($program; Debian: slurmctld slurmd slurm-client munge)"
        exit 0
    }
done
. "$(dirname "$0")/tap.sh"
daemons=()
stop_daemons()
{
    local i
    for ((i = 0; i < 100; i++)); do
        kill "${daemons[@]}" 2>/dev/null || break # until none is there
        sleep 0.1
    done
    kill -KILL "${daemons[@]}" 2>/dev/null
    rm -rf "$scratch"
}
trap stop_daemons EXIT
# Open MPI's own, and not what is left of it at the end.
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
# Two nodes of one machine.
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo

# daemon NAME COMMAND...: ends with this process, whatever ends that
daemon()
{
    setpriv --pdeathsig KILL "${@:2}" >"$1.out" 2>&1 &
    daemons+=($!)
}
chmod 755 "$scratch"
mkdir state nodes
port=$((20000 + $$ % 10000 * 3))
(umask 077 && head -c 128 /dev/urandom >munge.key)
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$scratch/munge.sock
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort=$port
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd-%n.pid
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/nodes/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=3
GresTypes=gpu
SlurmdParameters=config_overrides
NodeName=one NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=4 Gres=gpu:2
NodeName=two NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=4 Gres=gpu:2
PartitionName=main Nodes=one,two Default=YES State=UP
END
# Cards that nobody looks at.
printf 'NodeName=one,two Name=gpu File=/dev/%s\n' null zero >gres.conf
export SLURM_CONF=$scratch/slurm.conf
daemon munged munged -F --key-file="$scratch/munge.key" --socket="$scratch/munge.sock" \
    --pid-file="$scratch/munged.pid" --log-file="$scratch/munged.log" --seed-file="$scratch/munge.seed"
for ((i = 0; i < 100; i++)); do test -S munge.sock && break || sleep 0.1; done
daemon slurmctld slurmctld -D
for node in one two; do # they would use the same folder in /tmp
    mkdir -p nodes/$node.conf nodes/$node.tmp
    cp slurm.conf gres.conf nodes/$node.conf
    echo "PMIxCliTmpDirBase=$scratch/nodes/$node.tmp" >nodes/$node.conf/mpi.conf
    daemon slurmd-$node env SLURM_CONF="$scratch/nodes/$node.conf/slurm.conf" slurmd -D -N $node
done
for ((i = 0; i < 1200; i++)); do
    test "$(sinfo -h -N -o %T 2>/dev/null | grep -c idle)" -eq 2 && break || sleep 0.2
done
if test $i -eq 300; then
    echo "1..0 # skip no Slurm that starts: $(grep -h error ./*.out | tail -n 1)"
    exit 0
fi

# submit PROGRAM NODES WORD...: a job of the batch script, which runs that program; prints its number
submit()
{
    sed "s|\./build/reprise|$1|" recipe >job.sh
    sbatch --parsable --nodes="$2" job.sh "${@:3}"
}
# state JOB: and its exit status, within some time at its end
state()
{
    local i state
    for ((i = 0; i < 900; i++)); do
        state=$(scontrol -o show job "$1" | sed 's/.*JobState=\([A-Z]*\) .*ExitCode=\([0-9:]*\) .*/\1 \2/')
        case $state in
        PENDING* | RUNNING* | COMPLETING* | CONFIGURING*) sleep 0.2 ;;
        *) break ;;
        esac
    done
    echo "$state"
}
# run PROGRAM NODES WORD...: the number of such a job, which has ended. It is submitted again if a rank
# died in MPI_Init, as one of some hundreds does on a busy machine: another one's message comes before
# Open MPI knows what to call, because it does not look whether the fence before succeeded (its issue
# 5086). Nothing of ours has run by then, and a call of no address is seen by that.
run()
{
    local tries job
    for ((tries = 0; tries < 5; tries++)); do
        job=$(submit "$@")
        state "$job" >/dev/null
        grep -qs 'Failing at address: (nil)' results/ranks/"$job"/log/* || break
    done
    echo "$job"
}
# ends JOB STATE [EXIT]: so
ends()
{
    local state
    state=$(state "$1")
    [[ $state == "$2 ${3:-}"* ]] || {
        echo "job $1: $state"
        tail -n 5 "ranks-$1.txt" results/ranks/"$1"/log/*
        return 1
    }
}
# status JOB VARIANT REGEX: the note of its status rows in that job's run
status()
{
    local notes
    notes=$(sed -n "s|^[^,]*,[^,]*,$2,double,.*,1,0,status,,,||p" "results/ranks/$1/samples.csv")
    grep -qxE "$3" <<<"$notes" && ! grep -qvxE "$3" <<<"$notes" || {
        echo "$2: $notes"
        return 1
    }
}
# Processes of this test: they have its folder in their environment.
left()
{
    grep -lsz "^SLURM_TEST=$scratch\$" /proc/[0-9]*/environ 2>/dev/null |
        sed 's|[^0-9]||g' | xargs -r ps -o stat=,args= -p | grep -v '^Z' | grep -E 'worker|srun|reprise.* run'
}
export SLURM_TEST=$scratch
none_left()
{
    local i
    for ((i = 0; i < 100; i++)); do
        left >/dev/null || return 0
        sleep 0.1
    done
    left
    return 1
}

# shellcheck disable=SC2016
sed -n '/^## Slurm/,/^## ReFrame/p' "$root/TRACKING.md" |
    awk '/^```sh/ { inside = 1; text = ""; next } /^```/ { if (text ~ /--launcher/) printf "%s", text; inside = 0 }
        inside { text = text $0 "\n" }' >recipe
sed -i 's/ --gpus-per-node=4/ --gpus-per-node=2/' recipe
point 'there is a batch script for ranks' grep -q '^srun=.*{ranks}' recipe

# A real card would be one for both.
"$reprise" solve bvp/stored --variant A2-limit-ranks --precision double --set n=100 >out 2>err
if grep -q ',emulated on .*,ok$' out; then
    job=$(run "$reprise" 2 'scale-bvp/ranks=2/*' --size smoke)
    point 'two ranks, on two nodes' ends "$job" COMPLETED 0:0
    point 'which are right' status "$job" A2-limit-ranks 'ok|quick|emulated'
    point 'each of them has one' grep -qs "launch task StepId=$job\.0 " slurmd-one.out
    point 'and the other' grep -qs "launch task StepId=$job\.0 " slurmd-two.out
fi

job=$(run "$trial" 2 trial-ranks -a n=2 --rounds 1 --samples 1 --timeout 8)
point 'three, of which one fails' ends "$job" FAILED 1:0
point 'good' status "$job" rank-good 'ok|quick'
point 'one has no memory' grep -qF 'failed: rank 2: no memory for this one' "results/ranks/$job/samples.csv"
point 'one dies, which is not waited for' grep -qF 'crashed: SIGKILL' "results/ranks/$job/samples.csv"
point 'one hangs' grep -qF 'timeout: no answer within 8 s' "results/ranks/$job/samples.csv"
point 'no process is left' none_left

job=$(submit "$trial" 2 'trial-ranks/three/rank-hangs/*' -a n=2 --rounds 1 --timeout 300)
ranks_run()
{
    local i
    for ((i = 0; i < 1200; i++)); do
        test "$(left | grep -c '^[^ ]* *[^ ]*-worker worker ')" -eq 3 && return
        sleep 0.1
    done
    return 1
}
point 'three ranks run' ranks_run
scancel "$job"
point 'a job that is cancelled' ends "$job" CANCELLED
point 'leaves no process, either' none_left
finish
