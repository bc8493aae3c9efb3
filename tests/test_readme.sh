#!/bin/sh
# README commands that nobody runs rot. This runs each command of the README's sh blocks in TAP form:
# test_readme.sh PROGRAM, from anywhere. Five things are changed, to take seconds and leave nothing: the
# program's path, `--size paper` becomes smoke with a scratch folder for results, results/MACHINE/RUN
# becomes the folder of that run, of that alone there is a site, and a plot goes into the scratch folder,
# if gnuplot is there. The make commands are only looked up in
# .ci/run, which runs them.
set -u
program=$(realpath "$1")
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d)
plot=--plot
command -v gnuplot >"$scratch/gnuplot" || plot='--dump'
trap 'rm -rf "$scratch"' EXIT
folder=no-run-yet
points=0 failures=0

# point STATUS NAME
point()
{
    points=$((points + 1))
    if test "$1" -eq 0; then
        echo "ok $points - $2"
    else
        echo "not ok $points - $2"
        echo "not ok $points - $2" >&2
        cat "$scratch/err" >&2
        failures=$((failures + 1))
    fi
}

awk '/^```/ { inside = $0 == "```sh"; next } inside && NF && !/^ *#/' README.md >"$scratch/commands"
while IFS= read -r command; do
    status=0
    : >"$scratch/err"
    # The words as the README's reader types them, without a comment behind.
    command=$(printf '%s\n' "$command" | sed 's/  *#.*$//')
    case $command in
    make\ *)
        grep -qF -e "$command" .ci/run || status=1
        point "$status" "in .ci/run: $command"
        ;;
    ./build/reprise\ *)
        shown=$(printf '%s\n' "$command" | sed "s|--size paper|--size smoke --out '$scratch/results'|
            s|results/MACHINE/RUN|'$folder'|g
            s|site results --out site|site '$folder' --out '$scratch/site'|
            s|--plot |$plot $scratch/|")
        # eval: quotes and globs mean what they mean to the reader's shell
        eval "'$program' ${shown#./build/reprise }" </dev/null >"$scratch/out" 2>"$scratch/err" ||
            status=$?
        case $command in
        *' run '*) folder=$(tail -n 1 "$scratch/out") ;;
        esac
        point "$status" "$command"
        ;;
    *)
        point 1 "neither make nor ./build/reprise: $command"
        ;;
    esac
done <"$scratch/commands"
echo "1..$points"
test "$points" -gt 0 && test "$failures" -eq 0
