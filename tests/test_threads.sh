#!/usr/bin/env bash
# Workers bind their threads, each to a core, and say so; the user's word counts more.
# test_threads.sh REPRISE, from anywhere.
set -u
reprise=$(realpath "$1")
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
unset OMP_PROC_BIND OMP_PLACES OMP_NUM_THREADS GOMP_CPU_AFFINITY KMP_AFFINITY

# bound WORDS COMMAND...: what `env` says of the threads
bound()
{
    local words=$1
    shift
    gives 0 "$@" "$reprise" env && grep -qE "^threads_bound +$words" out
}

# Masks of the threads of all workers of process $1, one a line, while it runs
masks()
{
    local worker
    while kill -0 "$1" 2>/dev/null; do
        for worker in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
            grep -h Cpus_allowed_list "/proc/$worker/task/"*/status 2>/dev/null |
                cut -f2 | sort | paste -sd ' '
        done
        sleep 0.05
    done
}

# Looks that found two threads on a core each outnumber those that found two on one, as a thread is
# where it was made until it has been bound.
each_on_its_own()
{
    local own one
    own=$(grep -cx '[0-9]* [0-9]*' masks)
    one=$(grep -cE '(^| )([0-9]+) (.* )?\2( |$)' masks)
    test $((own - one)) -gt "$one"
}

if ! grep -q . /sys/devices/system/cpu/cpu0/topology/thread_siblings_list 2>/dev/null; then
    echo '1..0 # skip this system does not say what its cores are'
    exit 0
fi
first=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
point 'threads are bound' bound '[0-9]+ threads on [0-9]+ places( of node [0-9 ]+)?, OMP_PLACES=cores close$' env
point 'to what they may use' bound '1 threads on 1 places' taskset -c "$first"
point 'as many as were asked for' bound '1 threads on' env OMP_NUM_THREADS=1
point 'or not, as the user wants' bound no env OMP_PROC_BIND=false
point 'places of the user' bound "[0-9]+ threads on 1 places.* OMP_PLACES=\\{$first\\} \$" env "OMP_PLACES={$first}"
point 'a run' gives 0 "$reprise" run bvp2010-table1 --size smoke --quick --out run
point 'says so' grep -q '^threads_bound,"*[0-9]* threads on' run/run.csv
# places_of FOLDER: how many places the threads of its workers had
places_of()
{
    sed -n 's/^threads_bound,"*[0-9]* threads on \([0-9]*\) places.*/\1/p' "$1/run.csv"
}
point 'close, as the user wants' gives 0 env OMP_PROC_BIND=close OMP_PLACES=cores \
    "$reprise" run bvp2010-table1 --size smoke --quick --out close
point 'but not all on one core' test "$(places_of close)" = "$(places_of run)"
point 'two programs' gives 0 "$reprise" run bvp2010-table1 --size smoke --quick --against "$reprise" --out both
point 'are bound alike' test "$(places_of both)" = "$(places_of both/base)"
point 'as one is' test "$(places_of both)" = "$(places_of run)"

two=$(cat /sys/devices/system/cpu/cpu*/topology/thread_siblings_list | sort -u | sed 's/[-,].*//' | sort -n | head -n 2 | paste -sd ,)
if taskset -c "$two" true 2>/dev/null && test "${two#*,}" != "$two"; then
    # look JOB...: the masks while these run
    look()
    {
        rm -rf two
        taskset -c "$two" "$reprise" run "$@" --size quick --rounds 1 --samples 40 --out two >out 2>err &
        masks $! >masks
    }
    for job in 'ceilings/*/host-fma' 'wr2014-dense/*/*-blas/double/256'; do
        look "$job"
        point "$job: a thread a core" each_on_its_own
    done
    if "$reprise" env | grep -q '^device *emulated'; then
        look 'par2011-table1/model1/GPU/double/*'
        point 'threads of the emulated device: anywhere' grep -qE "(^| )${two/,/[-,]}( |\$)" masks
    fi
fi
finish
