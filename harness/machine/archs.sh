#!/bin/sh
# The GPU architectures that a build is for, in ascending order, a line each; or a sentence, and 1.
# archs.sh NVCC detect|all-major|ARCH...
#
# detect: of the cards that nvidia-smi finds; all-major where it finds none, or one that this nvcc
# has no code for. all-major: 7.5 and the first of each later generation that nvcc knows, whose code
# runs on all of that generation.
set -eu
nvcc=$1
shift
known=$("$nvcc" --list-gpu-arch | sed -n 's/^compute_\([0-9]*\)$/\1/p' | sort -n)

# An architecture of its arguments that nvcc does not know
unknown()
{
    for arch; do
        printf '%s\n' "$known" | grep -qx -e "$arch" || echo "$arch"
    done
}

all_major()
{
    printf '%s\n' "$known" | awk '$1 == 75 || ($1 > 75 && $1 % 10 == 0)'
}

cards()
{
    nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
        sed -n 's/^ *\([0-9][0-9]*\)\.\([0-9]\) *$/\1\2/p'
}

case $* in
detect)
    archs=$(cards)
    # shellcheck disable=SC2086
    if test -z "$archs" || test -n "$(unknown $archs)"; then
        archs=$(all_major)
    fi
    ;;
all-major) archs=$(all_major) ;;
*)
    archs=$(printf '%s\n' "$@")
    strange=$(unknown "$@")
    if test -n "$strange"; then
        # shellcheck disable=SC2086
        echo gpu_arch: $strange "is nothing that nvcc knows; it knows" $known >&2
        exit 1
    fi
    ;;
esac
printf '%s\n' "$archs" | sort -nu
