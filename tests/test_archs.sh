#!/usr/bin/env bash
# Which GPU architectures a build is for, with tools that say what a machine has.
# test_archs.sh ARCHS.SH, from anywhere.
set -u
archs=$(realpath "$1")
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
PATH=$PWD:$PATH

# machine ARCHS-OF-NVCC CARDS: what the tools print, a line each
machine()
{
    printf '#!/bin/sh\nprintf "compute_%%s\\n" %s\n' "$1" >nvcc
    printf '#!/bin/sh\nprintf "%s"\nexit %d\n' "$2" "$(test -z "$2" && echo 9 || echo 0)" >nvidia-smi
    chmod +x nvcc nvidia-smi
}

# are ARCHS ASKED...
are()
{
    local expected=$1
    shift
    gives 0 "$archs" nvcc "$@" && test "$(paste -sd ' ' out)" = "$expected"
}

machine '75 80 86 87 89 90 100 110 103 120' '8.6\n'
point 'one card' are 86 detect
point 'asked for' are '80 90' 90 80
point 'every generation' are '75 80 90 100 110 120' all-major
point 'none that nvcc knows' refuses 1 'gpu_arch: 70 90a is nothing that nvcc knows; it knows 75 80 86' "$archs" nvcc 70 90 90a
machine '75 80 86 87 89 90 100 110 103 120' '10.0\n9.0\n10.0\n'
point 'several cards' are '90 100' detect
machine '50 52 60 70 72 75 80 86 87 89 90' '12.0\n9.0\n'
point 'a card that is newer than nvcc' are '75 80 90' detect
machine '75 80 86 87 89 90' '7.0\n'
point 'a card that is too old' are '75 80 90' detect
machine '50 52 60 70 72 75 80 86 87 89 90' '7.0\n'
point 'an old card that nvcc knows' are 70 detect
machine '75 80 86 87 89 90' ''
point 'no card' are '75 80 90' detect
machine '75 80 86 87 89 90' 'Field \"compute_cap\" is not a valid field to query.\n\n'
point 'an old driver' are '75 80 90' detect
rm nvidia-smi
PATH=$PWD:/usr/bin:/bin
command -v nvidia-smi >/dev/null || point 'no driver' are '75 80 90' detect
finish
