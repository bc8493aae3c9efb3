#!/bin/sh
# What objects and libraries call in BLAS, LAPACK, SUNDIALS, MPI and CUDA and none of them has, for absent.c.
# absent.sh HEADER OBJECT...
set -e
out=$1
shift
LC_ALL=C nm "$@" | awk '
    NF == 2 { called[$2] }
    NF == 3 { had[$3] }
    END {
        for (name in called)
            if (!(name in had) && name ~ /^(cblas_.*|LAPACKE_.*|openblas_.*|(ARK|ERK|N_V|SUN).*|MPI_.*|ompi_mpi_.*|[a-z0-9]+_|cu[a-z]*[A-Z].*)$/)
                print "ABSENT(" name ")"
            else if (!(name in had) && name ~ /^__cuda/)
                print "IDLE(" name ")"
    }' | sort >"$out"
