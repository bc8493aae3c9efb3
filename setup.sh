#!/bin/sh
# What `make setup` runs: finds out which tools the build needs and this machine lacks, says so, and
# installs them from the Debian or Ubuntu archive, as root or through a sudo that asks nothing.
# Where it may not install, and on Fedora, Arch and what is like them, it prints the command for a
# person, and fails only if the build cannot go without what is missing.
# OS_RELEASE=file: takes that for /etc/os-release.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

has()
{
    command -v "$1" >/dev/null 2>&1
}

# links COMPILER SUFFIX SOURCE [LIBRARY...]: a compiler without headers is no compiler
links()
{
    compiler=$1 file=$scratch/probe.$2
    printf '%s\n' "$3" >"$file"
    shift 3
    # $compiler may hold options, as in CC="ccache gcc"
    # shellcheck disable=SC2086
    $compiler "$file" -o "$scratch/probe" "$@" >/dev/null 2>&1
}

has_c()
{
    links "${CC:-cc}" c '#include <stdio.h>
int main(void) { return puts("") < 0; }'
}

has_cpp()
{
    links "${CXX:-c++}" cpp '#include <cstdio>
int main() { return std::puts("") < 0; }'
}

has_zlib()
{
    links "${CC:-cc}" c '#include <zlib.h>
int main(void) { return zlibVersion()[0] == 0; }' -lz
}

has_openblas()
{
    links "${CC:-cc}" c 'void dptsv_(void), cblas_dgemm(void);
int main(void) { dptsv_(), cblas_dgemm(); return 0; }' -lopenblas
}

has_arkode()
{
    links "${CC:-cc}" c '#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_openmp.h>
int main(void) { SUNContext context = 0; return ERKStepCreate(0, 0, 0, context) == 0; }' \
        -lsundials_arkode -lsundials_nvecopenmp
}

# Several GPUs: to build with, and to start processes with.
has_mpi()
{
    has mpirun && { has mpicc || pkg-config --exists ompi-c 2>/dev/null; }
}

has_meson()
{
    has meson &&
        test "$(printf '1.0.1\n%s\n' "$(meson --version)" | sort -V | head -n 1)" = 1.0.1
}

has_ninja()
{
    has ninja || has ninja-build || has samu
}

# What this system is like: debian, fedora, arch or unknown.
system()
{
    words=$(sed -n 's/^ID=//p; s/^ID_LIKE=//p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d "\"'")
    for word in $words; do
        case $word in
        debian | ubuntu) echo debian ;;
        fedora | rhel | centos) echo fedora ;;
        arch) echo arch ;;
        *) continue ;;
        esac
        return
    done
    echo unknown
}

# Debian's package, Fedora's, Arch's.
names='gcc gcc gcc
libc6-dev glibc-devel glibc
g++ gcc-c++ gcc
meson meson meson
ninja-build ninja-build ninja
zlib1g-dev zlib-devel zlib
gnuplot-nox gnuplot gnuplot
pkg-config pkgconf-pkg-config pkgconf
libopenblas-dev openblas-devel openblas
libsundials-dev sundials-devel sundials
libopenmpi-dev openmpi-devel openmpi
openmpi-bin openmpi openmpi
help2man help2man help2man'

# named PACKAGE...: Debian's packages as this system names them, each once
named()
{
    case $(system) in
    fedora) column=2 ;;
    arch) column=3 ;;
    *) column=1 ;;
    esac
    printf '%s\n' "$@" | awk -v names="$names" -v column=$column '
        BEGIN {
            for (n = split(names, line, "\n"); n > 0; n--) {
                split(line[n], word, " ")
                of[word[1]] = word[column]
            }
        }
        !seen[of[$1]]++ { printf "%s%s", between, of[$1]; between = " " }'
}

# What installs packages here.
installer()
{
    case $(system) in
    fedora) echo 'sudo dnf install' ;;
    arch) echo 'sudo pacman -S --needed' ;;
    *) echo 'sudo apt-get update && sudo apt-get install --no-install-recommends' ;;
    esac
}

# Sets needed (nothing builds without) and useful (plots, peers), as Debian's package names.
look()
{
    needed='' useful=''
    has_c || needed="$needed gcc libc6-dev"
    has_cpp || needed="$needed g++"
    if ! has_meson; then
        needed="$needed meson"
        has meson && echo "setup: meson $(meson --version) is here and 1.0.1 is needed"
    fi
    has_ninja || needed="$needed ninja-build"
    has_zlib || needed="$needed zlib1g-dev"
    has gnuplot || useful="$useful gnuplot-nox"
    has pkg-config || useful="$useful pkg-config"
    # Without a compiler the probe says nothing; the library is then asked for as well.
    has_openblas || useful="$useful libopenblas-dev"
    has_mpi || useful="$useful libopenmpi-dev openmpi-bin"
    has help2man || useful="$useful help2man"
    packages=$needed$useful
    packages=${packages# }
}

say_rest()
{
    if has nvcc || test -x /usr/local/cuda/bin/nvcc; then
        echo 'setup: nvcc is there (CUDA Toolkit)'
    else
        echo 'setup: no nvcc (CUDA Toolkit): the kernels run on the emulated device, on the CPU'
    fi
    # It brings some hundred packages with it, for one comparison: a person decides.
    has_arkode ||
        echo "setup: no SUNDIALS: its ARKODE is compared with where $(named libsundials-dev) is"
}

# Ends the script after a look that found something missing. The sets hold several words each.
# shellcheck disable=SC2086
give_up()
{
    echo "setup: $1; a person can install what is missing by"
    echo "    $(installer) $(named $packages)"
    case $(system)$packages in
    fedora*mpi*) echo 'setup: mpirun is on the path after: module load mpi/openmpi-x86_64' ;;
    esac
    if test -n "$needed"; then
        echo "setup: the build cannot go without: $(named $needed)" >&2
        exit 1
    fi
    echo "setup: goes on without: $(named $useful)"
    say_rest
    exit 0
}

look
if test -z "$packages"; then
    echo 'setup: all there'
    say_rest
    exit 0
fi

case $(system) in
fedora | arch) give_up 'it installs by itself on Debian and Ubuntu alone' ;;
esac
has apt-get || give_up 'no apt-get here'
if test "$(id -u)" = 0; then
    as_root=''
elif has sudo && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    give_up 'neither root nor a sudo without password'
fi

echo "setup: installs: $packages"
install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q"
# The two hold several words each.
# shellcheck disable=SC2086
{ $install update && $install install -y --no-install-recommends $packages; } ||
    echo 'setup: apt-get failed' >&2

look
test -z "$packages" || give_up 'not everything is there now'
echo 'setup: all there'
say_rest
