#!/usr/bin/env bash
# One byte of a run's files is another, at places that nobody chose: each time the run is refused by
# file, or reads as before. Then the same without its checksums: it is refused by file and line, or
# the byte lies within a value and there are as many jobs as before; never fewer.
#   tests/damage.sh PROGRAM RUN [COUNT [SEED]]
# RUN is a run that ended, kept or not; nothing is written to it. The program is the one that can read
# it: for a run of the papers build/reprise.
set -u
program=$(realpath "$1") run=$(realpath "$2") count=${3:-200} seed=${4:-${REPRISE_SEED:-2010}}
. "$(dirname "$0")/tap.sh"
files=()
for file in run.csv samples.csv samples.csv.gz measured.csv checksums.csv; do
    test -f "$run/$file" && files+=("$file")
done
mkdir whole && cp "${files[@]/#/$run/}" whole

# "FILE PLACE BYTE" a line; half of the bytes are those that mean something.
places()
{
    python3 - "$count" "$seed" "${files[@]}" <<'PYTHON'
import random, sys
random.seed(int(sys.argv[2]))
names = sys.argv[3:]
texts = {name: open("whole/" + name, "rb").read() for name in names}
for i in range(int(sys.argv[1])):
    name = names[i % len(names)]
    place = random.randrange(len(texts[name]))
    byte = random.choice(b'\0",\n\r') if i % 2 else random.randrange(256)
    if byte == texts[name][place]:
        byte ^= 1
    print(name, place, byte)
PYTHON
}

# refused PATTERN COMMAND...: by its status and one line that has the pattern
refused()
{
    local pattern=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    test $status -eq 1 -o $status -eq 2 && test "$(wc -l <err)" -eq 1 && grep -qE "$pattern" err
}

# How many jobs the last line of compare counts, timed or not.
jobs_in()
{
    tail -n 1 "$1" | sed 's/;.*//' | grep -o '[0-9]\+' | awk '{ sum += $1 } END { print sum + 0 }'
}

# In a folder of the same name, so that what is printed can be compared.
fresh()
{
    rm -rf one && cp -r whole one
}

fresh
"$program" verdict one >verdict.txt 2>err
"$program" compare one one >compare.txt 2>err
all=$(jobs_in compare.txt)
tried=0 by_file=0 harmless=0 unseen=0 by_line=0 within=0 shorter=0
while read -r file place byte; do
    tried=$((tried + 1))
    fresh
    printf "\\x$(printf %02x "$byte")" | dd of="one/$file" bs=1 seek="$place" conv=notrunc status=none
    if refused "one/$file|checksums.csv" "$program" verdict one; then
        by_file=$((by_file + 1))
    elif cmp -s out verdict.txt; then
        harmless=$((harmless + 1))
    else
        unseen=$((unseen + 1))
        echo "# not seen: $file, byte $place is $byte" >&2
    fi
    edited one
    if refused "one/$file(, line [0-9]+)?[: ]" "$program" compare one one; then
        by_line=$((by_line + 1))
    elif test "$(jobs_in out)" -ge "$all"; then
        within=$((within + 1))
    else
        shorter=$((shorter + 1))
        echo "# shorter without checksums: $file, byte $place is $byte" >&2
    fi
done < <(places)
echo "# ${files[*]}, seed $seed: $tried changes, $by_file refused by the file's name, $harmless" \
    "harmless, $unseen not seen; without checksums $by_line refused with file and line, $within" \
    "within a value, $shorter shorter"
point "$count bytes, seed $seed: all tried" test "$tried" -eq "$count" -a "$all" -gt 0
# Without checksums there is nothing that could see a digit that is another.
test -f whole/checksums.csv && point 'none is passed over' test $unseen -eq 0
point 'none gives a shorter run' test $shorter -eq 0
finish
