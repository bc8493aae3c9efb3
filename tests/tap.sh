# shellcheck shell=bash
# TAP for shell tests, to be sourced: point, gives, and at the end `finish`. They work in a scratch
# folder of their own, which goes when the test ends.
scratch=$(mktemp -d)
cd "$scratch" || exit 1
trap 'rm -rf "$scratch"' EXIT
exec </dev/null
# Tests run beside each other: bound threads would all be on the first cores.
export OMP_WAIT_POLICY=passive OMP_PROC_BIND=false LC_ALL=C
points=0 failures=0

# point NAME COMMAND...: good if the command succeeds
point()
{
    local name=$1
    shift
    points=$((points + 1))
    if "$@" >point.out 2>&1; then
        echo "ok $points - $name"
    else
        echo "not ok $points - $name"
        {
            echo "not ok $points - $name: $*"
            tail -n 5 point.out
            for file in out err; do
                test -s $file && echo "# last $file:" && tail -n 12 $file
            done
        } >&2
        failures=$((failures + 1))
    fi
}

# gives STATUS COMMAND...: runs it, output in the files out and err
gives()
{
    local expected=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    test "$status" -eq "$expected" || {
        echo "status $status, expected $expected: $*"
        return 1
    }
}

# refuses STATUS WORDS COMMAND...: that status and one line on standard error, with the words
refuses()
{
    local expected=$1 words=$2
    shift 2
    gives "$expected" "$@" && test "$(wc -l <err)" -eq 1 && grep -qF -e "$words" err
}

# begun FOLDER [REGEX]: waits until samples.csv has such a line, else one of a job that ended. A busy
# machine, or a sanitizer, can take half a minute until its first.
begun()
{
    local i
    for ((i = 0; i < 1200; i++)); do
        grep -qs "${2:-,status,}" "$1/samples.csv" && return 0
        sleep 0.1
    done
    return 1
}

# in_part FOLDER COMMAND...: a run into it with a budget that leaves each job some of its rounds, and
# not all: from a second on half as long where it has them all, and twice as long where one has none
in_part()
{
    local folder=$1 milliseconds=1000 try
    shift
    for ((try = 0; try < 8; try++)); do
        rm -rf "$folder"
        if ! gives 0 "$@" --out "$folder" --budget "${milliseconds}e-3s" ||
            grep -q ',skipped: the budget of ' "$folder/samples.csv"; then
            milliseconds=$((2 * milliseconds))
        elif grep -qF 'the budget of ' err; then
            return
        else
            milliseconds=$((milliseconds / 2))
        fi
    done
    return 1
}

# edited FOLDER...: a test changes what is in it, so it has no checksums any more
edited()
{
    local folder
    for folder; do
        rm -f "$folder/checksums.csv"
    done
}

# killed FOLDER...: as a run leaves it that was killed in its second round
killed()
{
    local folder
    edited "$@"
    for folder; do
        sed -i '/^end,/d; s/^state,[a-z]* after [0-9]*/state,running after 1/' "$folder/run.csv"
        rm -f "$folder/measured.csv"
    done
}

# browse FILE OPTION...: the page as Chromium has it when it is loaded; what it logs in err
browse()
{
    local file=$PWD/$1
    shift
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --enable-logging=stderr --virtual-time-budget=20000 "$@" --dump-dom "file://$file" 2>err
}

# find_browser: sets browser, "" if there is none, or to no use: sanitizers read our code alone. Some
# that are installed do not start.
find_browser()
{
    browser=
    test -z "${UBSAN_OPTIONS:-}" || return 0
    echo '<p>here</p>' >plain.html
    for browser in chromium-headless-shell chromium chromium-browser google-chrome; do
        command -v $browser >out && browse plain.html | grep -q '<p>here' && return
    done
    browser=
}

finish()
{
    echo "1..$points"
    test "$failures" -eq 0
}
