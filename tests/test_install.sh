#!/usr/bin/env bash
# What is installed: found from anywhere and moved anywhere, used by who may not write there; its man
# page and completions; which card is used; and what others install it by.
# test_install.sh REPRISE SOURCE_FOLDER, from anywhere.
set -u
reprise=$(realpath "$1") source=$(realpath "$2") here=$(realpath "$(dirname "$0")")
build=$(dirname "$reprise")
# shellcheck source=tests/tap.sh
. "$here/tap.sh"

# --- installed, and moved ---

point 'installed' env DESTDIR="$PWD/stage" meson install -C "$build" --no-rebuild
mkdir elsewhere path built 'a folder'
mv "$(dirname "$(find stage -path '*/bin/reprise' -exec dirname {} +)")" elsewhere/prefix
prefix=$PWD/elsewhere/prefix
ln -s ../elsewhere/prefix/bin/reprise path/reprise
ln -s "$reprise" built/reprise
(cd "$prefix" && find . -type f -exec cksum {} + | sort) >before
chmod -R a-w elsewhere
# The superuser can write everywhere: then somebody else does what follows.
other=()
if test "$(id -u)" = 0; then
    other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod 711 . && chown 65534:65534 'a folder'
fi
# there COMMAND...: by that user, from another folder, the program on the path as a link
there()
{
    (cd 'a folder' && exec env PATH="$scratch/path:$PATH" HOME=/nonexistent "${other[@]}" "$@")
}

point 'the other user cannot write there' gives 1 there touch "$prefix/bin/new"
point 'list' gives 0 there reprise list exhibits 'bvp*'
point 'prints exhibits' grep -q '^bvp2010-table1 ' out
point 'plan' gives 0 there reprise plan bvp2010-table1 --size smoke
point 'env' gives 0 there reprise env
device=$(awk '$1 == "device" { print $2 }' out) card=$(awk '$1 == "gpu_name" { print $2 }' out)
point 'run' gives 0 there reprise run 'bvp2010-table1/*/A1*' --size smoke --quick
run=$(tail -n 1 out)
point 'goes into results/ of the folder at hand' test -f "a folder/${run#./}/run.csv" -a "${run%%/*}" = results
point 'verdict' gives 0 there reprise verdict "$run"
point 'report' gives 0 there reprise report "$run"
point 'draws, by scripts that it has in itself' sh -c "! command -v gnuplot || test -s '$PWD/a folder/$run/figures/bvp2010-table1.svg'"
point 'compare' gives 0 there reprise compare "$run" "$run"
point 'by its whole name' gives 0 there "$prefix/bin/reprise" env
point 'of a build, by a link' gives 0 env PATH="$PWD/built:$PATH" reprise env
point 'of a build, beside a file of that name' gives 0 sh -c "cd '$build' && PATH=.:\$PATH reprise env"
examples=$prefix/share/doc/reprise/examples
point 'an example, on the CPU' gives 0 there reprise solve bvp/stored --variant A1D --set n=64 --input "f=$examples/heat.txt" --dump u.csv
point 'has 64 values' test "$(wc -l <'a folder/u.csv')" -eq 65
if test -n "$card"; then
    cp "$examples"/* 'a folder'
    grep '^reprise ' "$examples/README.md" >commands
    point 'the examples are there' test "$(wc -l <commands)" -eq 5
    while IFS= read -r command; do
        point "$command" gives 0 there sh -c "$command"
    done <commands
fi
point 'where nothing can be written' refuses 1 'cannot make the folder results: Permission denied; choose another --out' \
    there sh -c "cd '$prefix' && exec reprise run bvp2010-table1 --size smoke --quick"
point 'nothing there has changed' sh -c "cd '$prefix' && find . -type f -exec cksum {} + | sort | cmp - '$PWD/before'"
for file in bin/reprise libexec/reprise/reprise-worker; do
    # Sanitizers name the files of what they watch; lines for debuggers are loaded by none.
    nm -D "$prefix/$file" | grep -q __asan ||
        point "$file names no folder of the build" sh -c "! strings -d '$prefix/$file' | grep -F -e '$build' -e '$source'"
    point "$file looks for no library there" sh -c "! readelf -d '$prefix/$file' | grep PATH | grep -F -e '$build' -e '$source'"
done
for name in doc/reprise/README.md doc/reprise/results/README.md doc/reprise/results/reprise.schema.json \
    doc/reprise/LICENSE doc/reprise/CITATION.cff reprise/plots/history.gp; do
    point "share/$name" test -s "$prefix/share/$name"
done
mkdir -p alone/bin && cp "$prefix/bin/reprise" alone/bin
point 'one file alone' refuses 1 "cannot open $PWD/alone/bin/reprise-worker, a part of this program" alone/bin/reprise env

# --- the man page ---

page=$prefix/share/man/man1/reprise.1
if test -f "$build/packaging/reprise.1"; then
    tr -d '\\' <"$page" >plain
    for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES; do
        point "man page: $section" grep -qE "^\.SH \"?$section\"?\$" plain
    done
    "$reprise" complete '' | cut -f 1 >verbs
    "$reprise" complete - | cut -f 1 | tr -d = >options
    point 'of each verb' sh -c 'while read -r verb; do grep -qxF ".B $verb" plain || exit 1; done <verbs'
    point 'of each option' sh -c 'while read -r option; do grep -qF -e "$option" plain || exit 1; done <options'
    point 'no build in its header' sh -c "grep '^\.TH' plain | grep -q '\"reprise 0' && ! grep commit plain"
    if command -v man >/dev/null; then
        point 'man reads it without a warning' sh -c "MANWIDTH=80 man --warnings -l '$page' >shown 2>warned && test ! -s warned"
        point 'in lines that fit' test "$(wc -L <shown)" -le 80
    fi
fi

# --- completions ---

# answers WORDS COMMAND...: prints them, each on a line, whatever others there are
answers()
{
    local word wanted=$1
    shift
    gives 0 "$@" || return 1
    for word in $wanted; do
        grep -qxF -e "$word" out || {
            echo "no $word"
            return 1
        }
    done
}
offers()
{
    local wanted=$1
    shift
    answers "$wanted" there sh -c '"$@" | cut -f 1' sh reprise complete "$@"
}
point 'verbs' offers 'list plan run solve verdict report site compare history generations keep env' ''
point 'no others' test "$(wc -l <out)" -eq 12
point 'options of a verb' offers '--size= --out= --resume --device= --help' run --
point 'and none of another' sh -c '! grep -e --variant out'
point 'exhibits' offers 'bvp2010-table1 wr2014-fig4.1' run ''
point 'what can be listed' offers 'exhibits families problems variants jobs claims errata machines' list ''
point 'families' offers 'bvp curvature' list families ''
point 'problems' offers 'bvp/p1 recurrence/user' solve ''
point 'variants of the problem' offers 'A1D A2-limit' solve bvp/p1 --variant ''
point 'and of no other family' sh -c '! grep SEQ out'
point 'each once' sh -c 'test -z "$(sort out | uniq -d)"'
point 'parameters' offers 'n= arithmetic=' solve bvp/p1 --set ''
point 'their choices' offers '--set=arithmetic=ieee --set=arithmetic=historical' solve bvp/p1 --set=arithmetic=
point 'inputs' offers 'f=' solve bvp/stored --input ''
point 'values of an option' offers 'smoke quick paper' run --size ''
point 'with =' offers '--size=smoke --size=quick --size=paper' run bvp2010-table1 --size=
point 'formats of a verb' offers 'summary text latex' report x --format ''
point 'words of options' offers '--gate=wrong --gate=slower' compare --gate=
point 'the last word of a list' offers 'wrong,missing wrong,slower' compare --gate wrong,mi
point 'behind =' offers '--gate=wrong,missing,slower' compare --gate=wrong,missing,
point 'which words are' offers 'failed,timeout' run --retry failed,ti
point 'and a size is no list' offers 'smoke quick' run --size smoke,q
point 'runs' offers "$run" verdict ''
point 'runs, and machines' offers "$run published:GTX260 newest:" compare ''
point 'behind a run its exhibits' offers 'bvp2010-table1' verdict "$run" ''
point 'any number of runs' offers "$run" history "$run" "$run" ''
point 'nothing behind the last word' sh -c "'$reprise' complete keep x '' >out && test ! -s out"
for words in '' '-' '--' '=' '--=' '-x' '-x -x' 'nothing -' 'solve x/y --set' 'solve --set=a=b=' 'list nothing'; do
    # shellcheck disable=SC2086
    point "complete $words" gives 0 "$reprise" complete $words ''
done
point 'complete, without a word' gives 0 "$reprise" complete

cat >ask.bash <<'BASH'
source "$1"
COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=(reprise '') COMP_CWORD=1 COMPREPLY=()
_reprise
printf '%s\n' "${COMPREPLY[@]}"
BASH
cat >ask.zsh <<'ZSH'
compadd() { print -lr -- ${(P)@[-1]} }
compset() { }
_files() { print -r -- files "$@" }
words=("${@:2}") CURRENT=$(($# - 1)) PREFIX=${@[-1]}
source "$1"
ZSH
printf 'source "$argv[1]"; complete -C "$argv[2]"\n' >ask.fish
share=$prefix/share/
in_bash()
{
    answers "$2" there bash "$scratch/ask.bash" "$share/bash-completion/completions/reprise" "$1"
}
point 'bash: a verb' in_bash 'reprise ru' run
point 'bash: none other' test "$(cat out)" = run
point 'bash: an option' in_bash 'reprise run --si' '--size='
point 'bash: behind =, which has cut the word' in_bash 'reprise run --size=q' quick
point 'bash: the last of a list' in_bash 'reprise compare --gate wrong,mi' 'wrong,missing'
point 'bash: and behind =' in_bash 'reprise run --retry=failed,ti' 'failed,timeout'
point 'bash: behind :' in_bash 'reprise compare published:GTX2' 'GTX260 GTX280'
point 'bash: a choice' in_bash 'reprise solve bvp/p1 --set arithmetic=h' historical
point 'bash: a run' in_bash 'reprise report res' "$run results/"
point 'bash: a file' in_bash 'reprise solve bvp/stored --input f=u' u.csv
point 'bash: a figure' in_bash 'reprise solve bvp/stored --plot u' u.csv
point 'bash: in the middle of a line' in_bash 'reprise solve recurrence/user --variant S' SEQ
if command -v zsh >/dev/null; then
    in_zsh()
    {
        local wanted=$1
        shift
        answers "$wanted" there zsh -f "$scratch/ask.zsh" "$share/zsh/site-functions/_reprise" "$@"
    }
    point 'zsh: options' in_zsh '--size= --quick' reprise run --
    point 'zsh: a choice' in_zsh 'arithmetic=ieee' reprise solve bvp/p1 --set arithmetic=
    point 'zsh: runs and folders' in_zsh "$run" reprise report ''
    point 'zsh: its folders' grep -qx 'files -/' out
fi
if command -v fish >/dev/null; then
    in_fish()
    {
        answers "$2" there sh -c 'fish --no-config "$@" | cut -f 1' sh "$scratch/ask.fish" \
            "$share/fish/vendor_completions.d/reprise.fish" "$1"
    }
    point 'fish: options' in_fish 'reprise run --' '--size= --quick'
    point 'fish: a choice' in_fish 'reprise solve bvp/p1 --set=arith' '--set=arithmetic='
    point 'fish: a run' in_fish 'reprise report results/' "$run"
    point 'fish: a file' in_fish 'reprise solve bvp/p1 --dump u' u.csv
fi

# --- which card ---

# A worker that tells of cards: of two, or of those that CUDA_VISIBLE_DEVICES names.
mkdir -p cards/bin cards/libexec/reprise
cp "$prefix/bin/reprise" cards/bin
cat >cards/libexec/reprise/reprise-worker <<'SH'
#!/bin/sh
seen=${CUDA_VISIBLE_DEVICES-0,1}
echo "${CUDA_VISIBLE_DEVICES-any}" >>asked
count=$(printf '%s\n' "$seen" | awk -F, '{ print NF }')
case $1 in
worker)
    printf 'device,cuda\ngpu_name,%s\ngpu_why_not,no GPU is visible\n' "${seen:+A Card}"
    printf 'gpu_cards,%d\nenv_CUDA_VISIBLE_DEVICES,"%s"\n\n' "$count" "$seen"
    ;;
esac
SH
chmod +x cards/libexec/reprise/reprise-worker
unset CUDA_VISIBLE_DEVICES
sees() # CARD COMMAND...: the last worker that it started saw that card alone
{
    local card=$1
    shift
    rm -f asked
    gives 0 "$@" && test "$(tail -n 1 asked)" = "$card"
}
cards=cards/bin/reprise
point 'no --device: any card' sees 'any' $cards env
for verb in env 'plan bvp2010-table1 --size smoke'; do
    # shellcheck disable=SC2086
    point "$verb --device 1" sees '1' $cards $verb --device 1
done
point 'is a fact of a run' sh -c "$cards env --device 1 | grep -q '^env_CUDA_VISIBLE_DEVICES  *1$'"
point 'solve --device=1' sees '1' $cards solve bvp/p1 --variant A2D --device=1
point 'of those that Slurm gave' sees '5' env CUDA_VISIBLE_DEVICES=3,5 $cards env --device 1
point 'by name' sees 'GPU-ab' env CUDA_VISIBLE_DEVICES=GPU-ab,GPU-cd $cards env --device 0
for verb in env plan 'run bvp2010-table1 --out never' 'solve bvp/p1 --variant A2D'; do
    # shellcheck disable=SC2086
    point "$verb --device 2" gives 2 $cards $verb --device 2
    point 'says how many there are' test "$(head -n 1 err)" = 'reprise: --device=2: CUDA can use 2 cards here, 0 to 1'
done
point 'one card' gives 2 env CUDA_VISIBLE_DEVICES=7 $cards env --device 1
point 'is 0' grep -q 'CUDA can use 1 card here, 0$' err
point 'no card' gives 2 env CUDA_VISIBLE_DEVICES= $cards env --device 0
point 'says why' grep -q -e '--device=0: no GPU is visible' err
point 'nothing was run' test ! -e never
point 'no number' gives 2 $cards env --device first
point 'not of verdict' gives 2 $cards verdict x --device 0
# One rank beside several, and a worker that tells of two cards: the first one in the first round.
cat >turns <<SH
#!/bin/sh
echo "\${CUDA_VISIBLE_DEVICES-any}" >>"$PWD/asked"
case \$2 in
--facts) "$prefix/libexec/reprise/reprise-worker" "\$@" | sed -u 's/^\$/gpu_cards,2\n/' ;;
*) exec "$prefix/libexec/reprise/reprise-worker" "\$@" ;;
esac
SH
chmod +x turns && mkdir -p turning/bin turning/libexec/reprise
cp "$prefix/bin/reprise" turning/bin && mv turns turning/libexec/reprise/reprise-worker
turning=turning/bin/reprise
# used_card JOBS: of the last worker, which was asked to run something
used_card()
{
    rm -f asked
    "$turning" run "$1" --size smoke --quick --out "turns-$RANDOM" >/dev/null 2>&1
    tail -n 1 asked
}
point 'one rank: the first card in the first round' test "$(used_card 'scale-recurrence/ranks=1/*')" = 0
point 'of those that Slurm gave' test \
    "$(CUDA_VISIBLE_DEVICES=3,5 used_card 'scale-recurrence/ranks=1/*')" = 3
point 'others: any' test "$(used_card 'rec2011-fig5/*/limit/*')" = any
if test "$device" != cuda; then
    point 'the device of this build is 0' gives 0 "$reprise" env --device 0
    point 'and no other' gives 2 "$reprise" env --device 1
    point 'which it says' grep -q "the device of this build is '$device', which is 0" err
elif test -z "$card"; then
    point 'no GPU here' gives 2 "$reprise" env --device 0
    point 'is said' grep -q -e '--device=0: no GPU that CUDA can use' err
fi

# --- what others install it by ---

point 'citation, Spack, container' python3 "$here/check_packaging.py" "$source"
mkdir -p bare
for tool in sh sed tr awk mktemp rm sort head id; do
    ln -s "$(command -v $tool)" bare/$tool
done
# set_up FILE: of such a system, with none of the tools
set_up()
{
    printf '%b' "$1" >os-release
    gives 1 env PATH="$PWD/bare" OS_RELEASE=os-release CC=no-cc CXX=no-c++ sh "$source/setup.sh"
}
point 'make setup on Fedora' set_up 'NAME="Fedora Linux"\nID=fedora\n'
point 'says what to type' grep -qE '^    sudo dnf install gcc .*gcc-c\+\+ .*zlib-devel .*openmpi-devel' out
point 'and what is needed' grep -q 'cannot go without: gcc glibc-devel gcc-c++ meson ninja-build zlib-devel$' err
point 'what is like it' set_up 'ID="rocky"\nID_LIKE="rhel centos fedora"\n'
point 'as well' grep -q 'sudo dnf install' out
point 'make setup on Arch' set_up 'ID=arch\n'
point 'says what to type there' grep -qE '^    sudo pacman -S --needed gcc glibc meson ninja zlib' out
point 'on any other' set_up 'ID=other\n'
point 'it names packages of Debian' grep -q 'apt-get install --no-install-recommends gcc libc6-dev g++' out
chmod -R u+w elsewhere

finish
