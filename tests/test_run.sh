#!/usr/bin/env bash
# The whole program from outside: runs, their files, cheats, crashes, kill -9 and resume, exit
# statuses, sentences. test_run.sh REPRISE REPRISE-TRIAL, from anywhere; the trial is trial.c.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") plots=$(realpath "$(dirname "$0")/../plots")
. "$(dirname "$0")/tap.sh"
RANDOM=2010 # the moments of the kills

# says STATUS WORDS COMMAND...: that status, and the words somewhere on standard error
says()
{
    local expected=$1 words=$2
    shift 2
    gives "$expected" "$@" && grep -qF -e "$words" err
}

# Which rows there are, without the hardware and the numbers.
keys()
{
    tail -n +2 "$1/measured.csv" | sed 's/"[^"]*"/Q/g' | cut -d, -f1-4,6-8 | sort
}

same_keys()
{
    diff <(keys "$1") <(keys "$2")
}

none_doubled()
{
    test -z "$(keys "$1" | uniq -d)" && test -z "$(
        tail -n +2 "$1/samples.csv" | sed 's/"[^"]*"/Q/g' | cut -d, -f1-4,6-9 | sort | uniq -d
    )"
}

# status FOLDER VARIANT REGEX [COUNT]: so many jobs of the variant end in such a word
status_is()
{
    local count
    count=$(grep -cE "^[^,]*,[^,]*,$2,.*,status,value,,,\"?($3)" "$1/measured.csv")
    test "$count" -eq "${4:-1}"
}

# Rows of times belong to good answers only.
no_times()
{
    ! grep -qE "^[^,]*,[^,]*,$2,.*,(time|time_[a-z]*|fraction|limit),(value|model)," \
        "$1/measured.csv"
}

whole()
{
    test "$(tail -c 1 "$1" | wc -l)" -eq 1 && tail -n 1 "$1" | grep -q ',status,'
}

worker_of()
{
    cut -d' ' -f1 "/proc/$1/task/$1/children" 2>/dev/null
}

is_gone()
{
    local i
    for ((i = 0; i < 50; i++)); do
        kill -0 "$1" 2>/dev/null || return 0
        grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null && return 0
        sleep 0.1
    done
    return 1
}

# --- a good run, its files, report and verdict ---

point 'run trial-good' gives 0 "$trial" run trial-good --size smoke --precise 0 --out good
point 'the last line on standard output is the folder' test "$(tail -n 1 out)" = good
point 'overhead is printed' grep -q 's outside the jobs' err
point 'run.csv has schema 1 first' grep -qx 'schema,1' <(sed -n 2p good/run.csv)
point 'measured.csv ends with a status row' whole good/measured.csv
point 'samples.csv ends with a status row' whole good/samples.csv
# In a round whose first solve was stopped, fewer are taken.
samples=$(sed 's/"[^"]*"/Q/g' good/samples.csv | awk -F, '
    /^trial-good,sums,good,/ && $6 == 1000 && $9 == "time" { of[$7]++ }
    END { for (round in of) { rounds++; sevens += (of[round] == 7); more += (of[round] > 7) }
          print (rounds == 7 && sevens >= 4 && more == 0) }')
point 'seven rounds of seven samples' test "$samples" -eq 1
point 'an interval' grep -qE '^trial-good,sums,slow,.*,2000,time,ci_hi,[0-9.e-]+,s,$' good/measured.csv
point 'no row twice' none_doubled good
point 'all jobs are ok' status_is good '(good|slow)' 'ok$' 4
point 'no empty log is left' test -z "$(ls good/log)"
point 'verdict of trial-good' gives 0 "$trial" verdict good
point 'all times were compared' grep -q '^COMPARED (.* 6 times compared; of 5 claims .*)$' out
point 'report of trial-good' gives 0 "$trial" report good
point 'the report ends with the verdict' \
    test "$(tail -n 1 good/report.md)" = "$("$trial" verdict good | tail -n 1)"
cp -r good/report.md first.md
point 'it prints a summary' grep -q '^trial[^ ]*: of [0-9]* printed cells .*; of [0-9]* claims [0-9]* hold$' out
point 'and no tables' sh -c 'test "$(wc -l <out)" -lt 12'
point 'which are printed if asked for' gives 0 "$trial" report good --format text
point 'all of the exhibit' sh -c 'grep -q "fraction of limit" out && grep -q "^good/report.md$" out'
point 'report again' gives 0 "$trial" report good
point 'the same bytes' cmp first.md good/report.md
point 'trial-digits' gives 0 "$trial" run trial-digits --out digits
point 'a cell differs: 4' gives 4 "$trial" verdict digits
point 'one of each verdict' \
    test "$(grep -cE ': (SAME|CLOSE|EXPLAINED\(T1\)|DIFFERS)' out)" -eq 4
point 'report of a difference' gives 4 "$trial" report digits
point 'names what differs' grep -qE '^differs: .* printed .*, here [0-9.e+-]+$' out
point 'the difference is in the last line' grep -q '^REPRODUCED WITH 1 DIFFERENCE ' digits/report.md
cp -r digits cut
head -c "$(($(wc -c <digits/measured.csv) - 17))" digits/measured.csv >cut/measured.csv
point 'a measured.csv that is cut off' refuses 1 'cut/measured.csv is not what the run wrote' \
    "$trial" report cut
edited cut
point 'without checksums too' refuses 1 "cut/measured.csv, line $(wc -l <digits/measured.csv): it is cut off" \
    "$trial" report cut
killed cut
point 'report of a run that was killed as it wrote' gives 4 "$trial" report cut
point 'it is INCOMPLETE' grep -q '^INCOMPLETE (interrupted after 1 of 7 rounds: ' out

# --- what two exhibits have in common ---

gives 0 "$reprise" run bvp2010-table3 'bvp-limit/p1' --size smoke --rounds 2 --out both
of_both()
{
    grep -E "^$1,p1,A1D,double," both/samples.csv | cut -d, -f2- | sort
}
in_common()
{
    test -n "$(of_both bvp-limit)" && diff <(of_both bvp-limit) <(of_both bvp2010-table3) >apart
}
point 'one measurement has rows in both exhibits' in_common
"$reprise" plan bvp2010-table3 'bvp-limit/p1' --size smoke >planned
point 'and a plan counts it once' grep -q '^bvp-limit/p1/A1D/double/1024 .* as above *$' planned
grep -v '^bvp-limit,p1,A1D,double,' both/samples.csv >fewer && mv fewer both/samples.csv
rm both/checksums.csv
point 'one of them is lost' gives 0 "$reprise" run bvp2010-table3 'bvp-limit/p1' --size smoke \
    --rounds 2 --out both --resume
point 'it is measured' test -n "$(of_both bvp-limit)"
point 'by itself' gives 1 in_common

# --- steps, what is left out, fields of figures ---

# value FOLDER METRIC STATISTIC: of trial-steps, good, 200
value()
{
    sed -n "s/^trial-steps,sums,good,.*,200,$2,$3,\([^,]*\),.*/\1/p" "$1/measured.csv"
}

# agree NUMBER NUMBER: to rounding
agree()
{
    awk "BEGIN { exit !($1 > 0 && ($1) / ($2) > 0.999999 && ($1) / ($2) < 1.000001) }"
}

point 'what is left out is no job' test "$("$trial" list jobs trial-steps | wc -l)" -eq 5
point 'run trial-steps' gives 0 "$trial" run trial-steps --quick --out steps
point 'a time of a step' agree "$(value steps time_per_step value)" "$(value steps time value) / 4"
point 'work is scaled to the steps' agree "$(value steps flops model)" 400
point 'the judge says what is useful' agree "$(value steps performance value)" \
    "1e6 / $(value steps time value)"
point 'fields of a figure' test "$(ls steps/fields | tr '\n' ' ')" = \
    "$(printf 'trial-steps.sums.good.double.%d.csv ' 100 200 400)"
point 'a field is the dump' test "$(sed -n '1p;$p' steps/fields/*.200.csv | cut -d, -f1 | tr '\n' ' ')" = 'i 199 '
point 'a published machine against them' gives 0 "$trial" compare published:Machine steps
point 'a printed time of a view is that of the job' \
    grep -q '^trial-steps/sums/good/double/200  *3  *[0-9]' out
point 'unlike machines' gives 0 "$trial" compare published:Machine steps --confirm
point 'confirm nothing' grep -q '^--confirm: unlike machines have no verdict, so nothing ' out
point 'report of trial-steps' gives 0 "$trial" report steps
point 'the report says what was left out' grep -q 'left out: too slow' steps/report.md

# --- cheats, faults ---

point 'cheats fail the run' gives 1 "$trial" run trial-cheats --quick --size smoke --out cheats
for cheat in nothing stale cached; do
    point "$cheat is wrong" status_is cheats $cheat 'wrong: |impossible: '
    point "$cheat has no time" no_times cheats $cheat
done
point 'hasty is impossible' status_is cheats hasty 'impossible: '
point 'hasty has no time' no_times cheats hasty
point 'hasty was impossible twice' status_is cheats hasty \
    'impossible: .* s where the limit is .* s; in another worker .* s where the limit is .* s'
point 'impossible once is not written down' gives 0 env TRIAL_SEEN="$PWD/seen" "$trial" \
    run trial-doubted --rounds 2 --size smoke --out doubted
point 'it was seen, and two workers said ok' \
    [ -f seen -a "$(grep -c ',doubted,.*,status,,,ok$' doubted/samples.csv)" = 2 ]
point 'good is good beside them' status_is cheats good 'quick$'

# Work of a millisecond or so: what takes microseconds may be what the calls take that are timed.
point 'clever cheats fail the run' gives 1 "$trial" run trial-clever trial-untimed -a n=100000 \
    --quick --size smoke --out clever
for cheat in patient patient-copy half first-data-only; do
    point "$cheat is wrong, timed and untimed" status_is clever $cheat 'wrong: ' 2
    point "$cheat has no time" no_times clever $cheat
done
point 'who computes late is told so' status_is clever patient-copy 'wrong: computed after the clock' 2
point 'so is one whose only sample was stopped' says 1 'computed after the clock stopped' \
    env TRIAL_STOPPED=9000 "$trial" run 'trial-clever/*/patient-copy/*' -a n=100000 --quick --size smoke \
    --out stopped-once
for cheat in nothing stale cached counting; do
    point "$cheat is wrong where nothing is timed" test \
        "$(grep -cE "^trial-untimed,sums,$cheat,.*,status,value,,,\"?wrong: " clever/measured.csv)" -eq 1
done
point 'good is good beside them, too' status_is clever good '(ok|quick)$' 2

point 'faults fail the run' gives 1 "$trial" run trial-faults --quick --size smoke --timeout 6 \
    --order plan --out faults
# Under AddressSanitizer the signal becomes an exit.
point 'crash' status_is faults crash 'crashed: SIGSEGV|failed: '
point 'hang' status_is faults hang 'timeout'
point 'nan is wrong' status_is faults nan 'wrong: error'
point 'failing' status_is faults failing 'failed: this variant'
point 'skipped' status_is faults skipped 'skipped: no build has it'
point 'the others are there' status_is faults '(good|slow)' 'quick$' 2
# The worker that takes over measures the ceilings too.
point 'a limit after a crash' grep -q '^trial-faults,sums,slow,.*,limit,model,[0-9]' faults/measured.csv
point 'impossible after a crash' status_is faults hasty 'impossible: '
for fault in crash hang nan failing skipped; do
    point "$fault has no time" no_times faults $fault
done
point 'report of faults' gives 1 "$trial" report faults
point 'names the jobs' grep -qE '^trial-faults/sums/crash/.*: [a-z]+: ' out
point 'all skipped: 1' gives 1 "$trial" run 'trial-faults/*/skipped/*' --out skipped
point 'all skipped: the row is there' status_is skipped skipped 'skipped: '

# --- retry ---

point 'fragile' gives 0 "$trial" run trial-fragile --out fragile
for word in FAIL CRASH; do
    point "fragile, $word" gives 1 env "TRIAL_$word=1" "$trial" run trial-fragile --out "f$word"
    point "fragile, $word: two rows" status_is "f$word" fragile 'failed|crashed' 2
    point "fragile, $word: resume alone repeats nothing" \
        gives 1 "$trial" run trial-fragile --out "f$word" --resume
    point "fragile, $word: still two" status_is "f$word" fragile 'failed|crashed' 2
    point "fragile, $word: retry" \
        gives 0 "$trial" run trial-fragile --out "f$word" --resume --retry failed,crashed
    point "fragile, $word: the rows of a good run" same_keys fragile "f$word"
done

# --- kill -9 and resume ---

hundred=(run trial-hundred --rounds 8 --precise 0 --samples 2 --size smoke)
begin=$(date +%s%N)
point 'a hundred jobs' gives 0 "$trial" "${hundred[@]}" --out undisturbed
milliseconds=$((($(date +%s%N) - begin) / 1000000))
hits=0 left_over=0
for kill in 1 2 3 4 5 6 7 8; do
    "$trial" "${hundred[@]}" --out killed --resume >out 2>err &
    pid=$!
    # 3 to 13 % of a run's time: it is not done before the last kill
    sleep "$(awk "BEGIN { print 1e-3 * $milliseconds * (0.03 + 0.1 * $RANDOM / 32767) }")"
    worker=$(worker_of $pid)
    if ((kill % 2 == 0)) && test -n "$worker"; then
        kill -9 "$worker" 2>/dev/null && sleep "0.0$((1 + RANDOM % 8))"
        worker=$(worker_of $pid)
    fi
    kill -9 $pid 2>/dev/null && hits=$((hits + 1))
    wait $pid 2>/dev/null
    if test -n "$worker" && ! is_gone "$worker"; then
        left_over=$((left_over + 1))
    fi
done
point "kills that hit a run: $hits of 8" test $hits -ge 1
point 'no worker outlives its parent' test $left_over -eq 0
point 'resume after 8 kills' gives 0 "$trial" "${hundred[@]}" --out killed --resume --retry crashed,failed
point 'the rows of an undisturbed run' same_keys undisturbed killed
point 'none doubled' none_doubled killed
point 'resume of a whole run' gives 0 "$trial" "${hundred[@]}" --out killed --resume
point 'it changes no row' same_keys undisturbed killed
printf 'trial-hundred,sums,good,double,"half' >>killed/samples.csv
killed killed
point 'resume with half-written rows' gives 0 "$trial" "${hundred[@]}" --out killed --resume
point 'half-written rows are gone' same_keys undisturbed killed
point 'and kept in a file that is named' grep -q '0 rows and a line .* killed/samples.csv.before has' err


# A worker that died in a ceiling has cost that one, and not those of the other workers.
cp -r undisturbed ceiling && killed ceiling
grep '^ceilings,.*,status,' ceiling/samples.csv | tail -n 1 |
    sed 's/,[0-9]*,0,status,.*/,99,0,status,,,crashed/' >>ceiling/samples.csv
point 'resume, retry crashed' gives 0 "$trial" "${hundred[@]}" --out ceiling --resume --retry crashed
point 'the crashed ceiling is left out' grep -q 'left out of ceiling/samples.csv: 1 rows' err
point 'and the others are not' same_keys undisturbed ceiling

point 'another seed is refused' says 2 seed "$trial" "${hundred[@]}" --out killed --resume --seed 2
point 'a folder in use is refused' says 2 'holds a run already' "$trial" "${hundred[@]}" --out killed

# --- interrupt, two at once ---

sleepy=(trial-sleepy --order plan)
: >hold
"$trial" run "${sleepy[@]}" --out sleepy >out 2>err &
pid=$!
begun sleepy
status=0
"$trial" run "${sleepy[@]}" --out sleepy --resume >out2 2>err2 || status=$?
point 'two runs on one folder' grep -q 'another run is writing' err2
point 'the second one fails' test $status -eq 1
kill -INT $pid
rm hold
status=0
wait $pid || status=$?
point 'interrupted: 130' test $status -eq 130
point 'the folder is valid' whole sleepy/samples.csv
point 'two jobs are there' status_is sleepy sleepy 'ok$' 2
point 'resume, as the run has said' gives 0 "$trial" run --out sleepy --resume
point 'all jobs are there' status_is sleepy sleepy 'ok$' 20
point 'and no others' test "$(grep -c '^trial.*,status,' sleepy/measured.csv)" -eq 20
point 'none doubled after the interrupt' none_doubled sleepy

# Of several rounds, those that there are count.
"$trial" run trial-hundred --rounds 40 --precise 0 --size smoke --out rounds >out 2>err &
pid=$!
begun rounds '^trial.*,status,'
kill -INT $pid
wait $pid
ended_jobs()
{
    grep '^trial.*,status,' "$1" | cut -d, -f1-4,6 | sort -u
}
point 'what has a round is recorded' test -n "$(ended_jobs rounds/samples.csv)" -a \
    "$(ended_jobs rounds/samples.csv)" = "$(ended_jobs rounds/measured.csv)"

# A signal to the whole process group, as timeout(1) and batch systems send it, costs no job.
: >hold
setsid "$trial" run "${sleepy[@]}" --out group >out 2>err &
pid=$!
begun group
kill -TERM -- -$pid
rm hold
status=0
wait $pid || status=$?
point 'a signal to the group: 130' test $status -eq 130
point 'resume after it' gives 0 "$trial" run "${sleepy[@]}" --out group --resume
point 'no job was lost to it' status_is group sleepy 'ok$' 20

# --- selection, budget ---

point '-a' gives 0 "$trial" run trial-good -a n=500,600 --quick --size smoke --out axis
point 'resume names nothing' gives 0 "$trial" run --quick --size smoke --out axis --resume
point '-a: those sizes' test "$(grep -c '^trial-good,.*,[56]00,status,' axis/measured.csv)" -eq 4
point 'and no others' test "$(grep -c '^trial.*,status,' axis/measured.csv)" -eq 4
point '-x' gives 0 "$trial" run trial-good -x '*/slow/*' --quick --size smoke --out without
point '-x: left out' no_times without slow
point 'verdict with a glob' gives 0 "$trial" verdict axis trial-good
point 'the budget ends the run' in_part budget "$trial" run trial-good --rounds 60 --precise 0 --size smoke
point 'jobs are recorded with the rounds they have' status_is budget '(good|slow)' 'ok$' 4
point 'resume after a budget' gives 0 "$trial" run trial-good --rounds 60 --precise 0 --size smoke \
    --out budget --resume
point 'adds the rounds that were cut' test \
    "$(grep -c '^trial-good,.*,time,rounds,60,' budget/measured.csv)" -eq 4
point 'none doubled after it' none_doubled budget
judged=$(sed 's/"[^"]*"/Q/g' budget/samples.csv | grep '^trial-good,' |
    awk -F, '$7 > 1 && $9 == "wrong_values"' | wc -l)
point 'later rounds are judged as well' test "$judged" -eq 236
point 'a budget for nothing' gives 1 "$trial" run trial-good --size smoke --budget 0.001s --out nothing
point 'each job says so' status_is nothing '(good|slow)' 'skipped: the budget of 0.001 s' 4
point 'and is run when there is time' gives 0 "$trial" run trial-good --size smoke --out nothing --resume
point 'all of them' status_is nothing '(good|slow)' 'ok$' 4
point 'a job that hangs does not outlast the budget' gives 1 \
    timeout 40 "$trial" run 'trial-faults/*/hang/*' --quick --size smoke --budget 1.5s --out hung
point 'it says so' status_is hung hang 'skipped: the budget of 1.5 s' 1

# --- rounds ---

# Of microseconds three rounds can be too far apart on a busy machine, of this one's 0.4 s they are not.
point 'precise enough after three rounds' gives 0 env TRIAL_TIMES=0.4 "$trial" run trial-planted \
    trial-hundred --size smoke --precise 100% --out precise
point 'is one whose times are alike' grep -q '^trial-planted,.*,time,rounds,3,' precise/measured.csv
point 'every job has its first round before any has its second' \
    sh -c "sed '1d; /^ceilings/d; s/\"[^\"]*\"//g' precise/samples.csv | cut -d, -f7 |
        sed 's/[2-9]/2/' | sort -nC"
point 'a size named twice is one job' gives 0 "$trial" run trial-good -a n=500,500 --quick \
    --size smoke --out twice
point 'none doubled there' none_doubled twice
point 'a folder takes another exhibit' gives 0 "$trial" run trial-digits --quick --size smoke \
    --out twice --resume
point 'both are reported' sh -c "'$trial' verdict twice | grep -q '^trial-good/' &&
    '$trial' verdict twice | grep -q '^trial-digits/'"
point 'verdict of some cells' gives 0 "$trial" verdict axis 'trial-good/sums/good'
point 'verdict of some cells: those' sh -c 'grep -q /good/ out && ! grep -q sums/slow/ out'
point 'verdict -x' gives 0 "$trial" verdict axis -x '*/slow/*'
point 'verdict -x: left out' sh -c '! grep -q ^trial-good/sums/slow/ out'
point '-x of all' refuses 2 "-x leaves no job that 'trial-good/*' matches" \
    "$trial" run 'trial-good/*' trial-steps -x trial-good --out no
point '-x of nothing' refuses 2 'leaves out no job' "$trial" run trial-good -x '*/slwo/*' --out no
point '--retry of nothing' refuses 2 failed "$trial" run trial-good --resume --retry faild --out no
point '--out without a name' refuses 2 '--out' "$trial" run trial-good --size smoke --out ''
cp -r axis empty && : >empty/samples.csv && : >empty/measured.csv
point 'files that the disk left empty' gives 0 "$trial" run trial-good -a n=500,600 --quick \
    --size smoke --out empty --resume
point 'are filled' same_keys axis empty
point 'nothing printed was measured' gives 0 "$trial" run ceilings --size smoke --quick --out ceil
point 'is not called reproduced' sh -c "'$trial' verdict ceil | tail -n 1 | grep -q ^INCOMPLETE"
cp -r ceil ours && rm ours/checksums.csv && sed -i 's/^device,.*/device,cuda/
    s/^gpu_name,.*/gpu_name,a GPU/; s/^size,.*/size,paper/' ours/run.csv
point 'of the sizes of the paper on a GPU it is measured' sh -c \
    "'$trial' verdict ours | tail -n 1 | grep -q '^MEASURED (the paper prints no numbers'"
sed -i 's/^device,.*/device,emulated/' ours/run.csv
point 'and without a GPU it is not' sh -c \
    "'$trial' verdict ours | tail -n 1 | grep -q '^INCOMPLETE (no GPU: the paper prints no'"
point 'plan' gives 0 "$trial" plan trial-good --size smoke
point 'plan: four jobs' test "$(grep -c '^trial-good/' out)" -eq 4
point 'plan: a sum' grep -q '^4 jobs, 0 to be skipped' out
point 'plan: what is skipped' gives 0 "$trial" plan trial-faults
point 'plan: and why' grep -q 'skipped: no build has it' out
for what in exhibits families problems variants claims errata jobs; do
    point "list $what" gives 0 "$trial" list $what
    point "list $what: something" test -s out
    point "list $what of the real program" gives 0 "$reprise" list $what
done
point 'list jobs of a glob' test "$("$trial" list jobs trial-good | wc -l)" -eq 4
point 'env' gives 0 "$trial" env
point 'env: the CPU' grep -q '^cpu_model' out
point '--help' gives 0 "$trial" --help
# help_is_true: each verb that takes an option stands in what the help says of it, and a heading names
# none that does not.
help_is_true()
{
    local verb
    "$trial" complete '' | cut -f 1 | while read -r verb; do
        "$trial" complete "$verb" - | cut -f 1 | tr -d = | sed "s/^/$verb /"
    done >of_verbs
    ARGP_HELP_FMT=rmargin=2000 "$trial" --help >help || return 1
    awk 'NR == FNR { takes[$1 " " $2]; verbs[$1]; next }
         /:$/ { heading = $0 }
         !/^ +-/ || !match($0, /--[a-z-]+/) { next }
         { option = substr($0, RSTART, RLENGTH) }
         option ~ /^--(help|usage|version)$/ { next }
         { for (verb in verbs) {
               word = "(^|[^a-z])" verb "([^a-z]|$)"
               taken = verb " " option in takes
               if (taken ? heading $0 !~ word : heading ~ word) {
                   print verb, option
                   bad = 1
               }
           } }
         END { exit bad }' of_verbs help
}
point 'its headings are true' help_is_true
point '--version' gives 0 "$trial" --version
point '--version: the commit' grep -Eq '^reprise [0-9.]+, commit [0-9a-f]+' out

# --- what is refused: status, words, arguments ---

while IFS='|' read -r status words arguments; do
    eval "set -- $arguments"
    point "reprise $arguments" says "$status" "$words" "$trial" "$@"
done <<'END'
2|trial-good|run trial-goood --out no
2|'good'|run 'trial-good/*/goood/*' --out no
2|'sums'|run 'trial-good/sumz' --out no
2|'run'|rnu
2|'exhibits'|list exhibts
2|unrecognized option|run --nothing
2|--out|plan --out no
2|--dump|run --dump no
2|--profile|run --profile --out no
2|--rounds|report good --rounds 3
2|'smoke'|run --size smok --out no
2|--rounds|run --rounds 0 --out no
2|--samples|run --samples x --out no
2|--timeout|run --timeout -1 --out no
2|--budget|run --budget soon --out no
2|'random'|run --order randon --out no
2|-a|run -a 100 --out no
2|'trial-good'|list exhibits trial-goood
2|'trial-good'|list exhibits trial-digits trial-goood
2|'trial'|list families trail
2|'trial/sums'|list problems trial/sumz
2|'trial/good'|list variants trial/goood
2|'below'|list claims belwo
2|'trial/T1'|list errata trial/T
2|'Machine'|list machines Machin --format json
2|list exhibits takes no --exclude|list exhibits -x trial-good
2|list exhibits takes no --size|list --size smoke
2|list variants takes no --axis|list variants -a n=100
2|env takes no word|env extra
2|published: is BASE only|compare good published:Machine
2|newest: is BASE only|compare good newest:.
2|--quick is one round|run trial-good --quick --rounds 3 --out no
2|--quick is one round|run trial-good --quick --samples 3 --out no
2|list of sizes|run trial-good -a n=10:1 --out no
2|out of range|run trial-good -a n=2^30 --out no
2|--retry|run --retry failed --out no
2|no job|run trial-good -x 'trial-good' --out no
2|folder of a run|verdict
2|folder of a run|report
2|solve takes|solve
1|run.csv|report nothing-there
1|run.csv|verdict nothing-there
END
point 'nothing was written' test ! -e no
touch file
point 'a folder below a file' says 1 'file' "$trial" run trial-digits --out file/run
point 'a folder that is a file' says 1 'cannot open the folder file: Not a directory' "$trial" run \
    trial-digits --out file
ln -s nowhere dangling
point 'a link to nothing' says 1 'cannot open the folder dangling: No such file' "$trial" run \
    trial-digits --out dangling
point 'what is not there is not listed' sh -c '! "$1" list exhibits trial-digits zzz >out 2>err &&
    test ! -s out' sh "$trial"
point 'standard output is full' refuses 1 'standard output' bash -c "'$trial' list exhibits >/dev/full"

# --- the disk fills up: a file may not grow beyond 24 kB ---

full()
{
    (
        trap '' XFSZ
        ulimit -f 24
        exec "$trial" "${hundred[@]}" --out full --resume
    )
}
point 'no space: 1' gives 1 full
point 'no space: one sentence' test "$(grep -c '^reprise: cannot write' err)" -eq 1
point 'no space: samples.csv is whole' whole full/samples.csv
point 'no space: something was kept' test "$(wc -l <full/samples.csv)" -gt 50
point 'space again: resume' gives 0 "$trial" "${hundred[@]}" --out full --resume
point 'space again: all rows' same_keys undisturbed full

# --- solve ---

seq 10 >ten
seq 5 >five
printf '1\n2\nx\n' >letters
while IFS='|' read -r status words arguments; do
    eval "set -- $arguments"
    point "reprise solve $arguments" refuses "$status" "$words" "$reprise" solve "$@"
done <<'END'
2|'bvp/p1'|bvpp/p1 --variant A1D
2|'bvp/p|bvp/p9 --variant A1D
2|'A1|bvp/p1 --variant A1X
2|--variant|bvp/p1
2|it is in double|bvp/p1 --variant A1D --precision single
2|'n'|bvp/p1 --variant A1D --set m=5
2|out of range|bvp/p1 --variant A1D --set n=1
2|not a number|bvp/p1 --variant A1D --set n=abc
2|whole number|bvp/p1 --variant A1D --set n=10.5
2|out of range|bvp/p1 --variant A1D --set n=1e30
2|NAME=VALUE|bvp/p1 --variant A1D --set n
2|do not fit|bvp/p1 --variant A1D --set n=100 --set r=20 --set s=20
2|is not one of ieee|bvp/p1 --variant A1D --set arithmetic=odd
2|no input 'g'|bvp/p1 --variant A1D --set n=10 --input g=ten
2|NAME=FILE|bvp/p1 --variant A1D --set n=10 --input f
1|cannot read|bvp/p1 --variant A1D --set n=10 --input f=no-file
2|has 5 values|bvp/p1 --variant A1D --set n=10 --input f=five
2|more than 5 values|bvp/p1 --variant A1D --set n=5 --input f=ten
2|line 3|bvp/p1 --variant A1D --set n=3 --input f=letters
2|not both|bvp/p1 --variant A1D --set n=10 --profile --time
2|--energy with --time|bvp/p1 --variant A1D --set n=10 --energy
1|cannot write|bvp/p1 --variant A1D --set n=10 --dump no-folder/file
1|cannot write|bvp/p1 --variant A1D --set n=10 --dump /dev/full
END
point 'solve' gives 0 "$reprise" solve bvp/p1 --variant A1D --set n=10 --input f=ten --dump dumped --time
point 'solve: ok' grep -q ',status,value,,,ok$' out
point 'solve: a time' grep -q ',time,value,[0-9]' out
point 'solve: the dump' test "$(wc -l <dumped)" -eq 11
point 'solve: all digits' awk -F, 'NR > 1 && $2 != sprintf("%.17g", $2) { exit 1 }' dumped
echo old >dumped
point 'solve: joules are of GPUs alone' says 0 'no energy: it is told of what runs on one GPU' \
    "$reprise" solve bvp/p1 --variant A1D --set n=10 --time --energy
point 'solve: for a profiler' gives 0 "$reprise" solve bvp/p1 --variant A1D --set n=10 --profile
point 'solve: which is judged' grep -q ',status,value,,,ok$' out
# The run that warms up is of other data, so that no answer can be kept from it.
point 'solve: a cheat before a profiler' says 1 error "$trial" solve trial/sums --variant cached \
    --profile
point 'solve: a refusal' gives 2 "$reprise" solve bvp/p1 --variant A1X --dump dumped
point 'leaves no old file' test ! -e dumped
point 'solve: what fails' gives 1 "$trial" solve trial/sums --variant failing --dump dumped
point 'leaves none either' test ! -e dumped
point 'solve: a wrong answer' gives 1 "$trial" solve trial/sums --variant half --dump dumped
point 'is dumped' test "$(wc -l <dumped)" -eq 1001
point 'solve: a diverged one' says 1 'overflow' "$reprise" solve recurrence/user \
    --variant SEQ --precision single --set a=2 --set n=300 --dump dumped
point 'is dumped, too' test "$(tail -n 1 dumped)" = 300,inf
point 'no half-written file is left' test -z "$(ls | grep 'dumped.')"
mkfifo pipe
cat pipe >piped &
point 'solve: into a pipe' gives 0 "$reprise" solve bvp/p1 --variant A1D --set n=10 --dump pipe
wait $!
point 'which stays one' test -p pipe -a "$(wc -l <piped)" -eq 11
point 'solve: to standard output' gives 0 "$reprise" solve bvp/p1 --variant A1D --set n=10 --dump -
point 'goes the answer alone' cmp out piped
point 'and the metrics elsewhere' grep -q ',status,value,,,ok$' err
point 'solve: standard output is full' says 1 'standard output' bash -c \
    "'$reprise' solve bvp/p1 --variant A1D --set n=10 --dump - >/dev/full"
# Nobody's data are written over, by whatever name.
mkdir data && cp ten data/mine && cp ten data/mine.svg && ln -s data/mine linked && ln -s data same
own=("$reprise" solve bvp/p1 --variant A1D --set n=10)
while IFS='|' read -r words arguments; do
    eval "set -- $arguments"
    point "reprise solve ... $arguments" refuses 2 "$words" "${own[@]}" "$@"
    point 'the data are there' sh -c 'cmp ten data/mine && cmp ten data/mine.svg'
done <<'END'
--dump data/mine would overwrite the file of --input f=data/mine|--input f=data/mine --dump data/mine
would overwrite the file|--input f=data/mine --dump "$PWD/data/mine"
would overwrite the file|--input f=data/mine --dump ./same/mine
would overwrite the file|--input f=data/mine --dump linked
would overwrite the file|--input f=linked --dump data/mine
--plot data/mine.svg would overwrite the file|--input f=data/mine.svg --plot data/mine.svg
are one file|--dump data/mine.svg --plot data/mine.svg
are one file|--dump data/mine.svg --plot same/mine.svg
are one file|--dump new.svg --plot new.svg
are one file|--dump new.svg --plot ./new.svg
are one file|--dump data/new.svg --plot same/new.svg
END
point 'a file of that name elsewhere is another' gives 0 "${own[@]}" --input f=data/mine --dump mine
point 'and is written' test "$(wc -l <mine)" -eq 11
# A figure: what is amiss with it takes nothing from the rest.
figure=("$reprise" solve bvp/p1 --variant A1D --set n=10)
while IFS='|' read -r status words arguments; do
    eval "set -- $arguments"
    point "reprise solve ... $arguments" refuses "$status" "$words" "${figure[@]}" "$@"
done <<'END'
2|--plot a.jpg: a figure's name ends in .svg, .png or .pdf|--plot a.jpg
2|ends in .svg|--plot -
2|ends in .svg|--plot .svg
2|ends in .svg|--plot a.svg/b
2|ends in .svg|--plot a.SVG
END
point 'solve: there is nothing to draw' refuses 2 'the answer of ceilings/machine' "$reprise" solve \
    ceilings/machine --variant copy --plot a.svg
point 'or to write' refuses 2 'the answer of ceilings/machine' "$reprise" solve ceilings/machine \
    --variant copy --dump dumped
# all_but_figure: the metrics, the times and the dump are there, no figure, and nothing half done
all_but_figure()
{
    grep -q ',time,value,[0-9]' out && grep -q ',status,value,,,ok$' out &&
        test "$(wc -l <dumped)" -eq 11 -a ! -e a.svg -a -z "$(ls -A temporary)"
}
mkdir temporary
echo old >a.svg
point 'solve: no gnuplot' refuses 1 'gnuplot is not installed; it is in the package' env PATH=/nowhere \
    TMPDIR="$PWD/temporary" "${figure[@]}" --time --dump dumped --plot a.svg
point 'costs the figure alone' all_but_figure
mkdir bin
printf '#!/bin/sh\nexit 3\n' >bin/gnuplot && chmod +x bin/gnuplot
point 'solve: gnuplot fails' refuses 1 'gnuplot failed, with exit status 3' env PATH="$PWD/bin" \
    TMPDIR="$PWD/temporary" "${figure[@]}" --time --dump dumped --plot a.svg
point 'costs it too' all_but_figure
# as one that finds no room, and says nothing
printf '#!/bin/sh\nprintf "<svg>" >"$6"\n' >bin/gnuplot
point 'solve: half a figure' refuses 1 'is cut off' env PATH="$PWD/bin" TMPDIR="$PWD/temporary" \
    "${figure[@]}" --time --dump dumped --plot a.svg
point 'is none' all_but_figure
printf '#!/bin/sh\nprintf "<svg></svg>" >"$6"\n' >bin/gnuplot
point 'solve: no folder for it' refuses 1 'cannot write no-folder/a.svg: No such file' env \
    PATH="$PWD/bin" TMPDIR="$PWD/temporary" "${figure[@]}" --time --dump dumped --plot no-folder/a.svg
point 'costs the figure' all_but_figure
ln -s /dev/full full.svg
point 'solve: a full disk' refuses 1 'cannot write full.svg: No space left' env PATH="$PWD/bin" \
    TMPDIR="$PWD/temporary" "${figure[@]}" --time --dump dumped --plot full.svg
point 'costs the figure, too' all_but_figure
point 'solve: nowhere to draw' refuses 1 'cannot write /nowhere/reprise-' env PATH="$PWD/bin" \
    TMPDIR=/nowhere "${figure[@]}" --time --dump dumped --plot a.svg
point 'costs no more' all_but_figure
point 'solve: a figure' gives 0 env PATH="$PWD/bin" TMPDIR="$PWD/temporary" "${figure[@]}" --plot a.svg
point 'is what gnuplot made' grep -qx '<svg></svg>' a.svg
point 'and nothing else is left' test -z "$(ls -A temporary)"
if command -v gnuplot >out; then
    point 'solve: a diverged answer' says 1 'overflow' "$reprise" solve recurrence/user \
        --variant SEQ --precision single --set a=2 --set n=300 --plot a.svg
    point 'is drawn as one' grep -q 'Not to be trusted, diverged: overflow' a.svg
    point 'without what is not finite' grep -q '173 of the values are not finite' a.svg
    point 'solve: a right one' gives 0 "${figure[@]}" --plot a.svg
    point 'is drawn without a doubt' test "$(grep -c 'bvp/p1: \|Not to be trusted' a.svg)" -eq 1
fi
point 'solve: a time that is none' says 1 'after the clock stopped' "$trial" solve trial/sums \
    --variant patient-copy --set n=100000 --time
point 'solve: a wrong answer is 1' says 1 error "$trial" solve trial/sums --variant nothing
point 'solve: nan is 1' says 1 error "$trial" solve trial/sums --variant nan
point 'solve: what fails is 1' says 1 'always fails' "$trial" solve trial/sums --variant failing

# --- cases and views ---

point 'a view is chosen' gives 0 "$trial" run 'trial-view/two/*' --quick --size smoke --out view
point 'its jobs are those that it shows' test "$(grep -c '^trial-cases,two,.*,status,' \
    view/samples.csv)" -eq 4
point 'and no others' test "$(grep -c ',status,' view/samples.csv)" -eq \
    "$(grep -cE '^(trial-cases,two|ceilings),.*,status,' view/samples.csv)"
point 'the parameters of a case' gives 0 "$trial" list jobs 'trial-cases/t*/good'
point 'two cases of two sizes' test "$(wc -l <out)" -eq 4
point 'report of a view' gives 0 "$trial" report view
point 'performance is in a table' grep -q 'Gflop.s, all operations' view/tables/trial-cases.txt
point 'and the speed-up in that of the view' grep -q 'good/slow' view/tables/trial-view.txt
point 'and in compared.csv' grep -q \
    '^trial-view,two,good/slow,double,1000,speedup,,[0-9.e+-]*,,,not printed' view/compared.csv

# --- two runs side by side ---

# A run that may be compared with in earnest, whatever the sources are, and by another program.
as_reference()
{
    edited "$1"
    sed -i 's/^dirty,.*/dirty,0/; s/^build_type,.*/build_type,release/
        s/^code,.*/code,another/' "$1/run.csv"
}

# no_ratio VARIANT: its row has neither times nor a ratio
no_ratio()
{
    grep "/$1/" out | grep -qE "^[^ ]+ +- +- +- +- +(not compared|WRONG)"
}

for i in 1 2; do
    point "cheats in rounds, run $i" gives 1 "$trial" run trial-cheats --rounds 3 --samples 3 \
        --size smoke --out "cheats$i"
done
point 'a run whose first solve was stopped' gives 0 env TRIAL_FIRST=0.3 "$trial" run trial-planted \
    --rounds 1 --size smoke --out stopped
point 'the job is not called slow for it' test \
    "$(awk -F, '$9 == "time" && $10 < 0.1' stopped/samples.csv | grep -c ^trial-planted,)" -eq 7
# A process that has just begun takes longer for its first run than a round of seven may last.
point 'rounds whose first solve takes longer' gives 0 env TRIAL_TIMES=0 TRIAL_ASLEEP=0.16 "$trial" run \
    trial-planted --rounds 2 --precise 0 --size smoke --out asleep
point 'all have as many samples' test \
    "$(awk -F, '$9 == "time"' asleep/samples.csv | grep -c ^trial-planted,)" -eq 14
point 'a run of a job that takes so long twice' gives 0 env TRIAL_TIMES=0.3 "$trial" run trial-planted \
    --rounds 1 --size smoke --out lasting
point 'that one is' test \
    "$(awk -F, '$9 == "time" && $10 > 0.3' lasting/samples.csv | grep -c ^trial-planted,)" -eq 1

# sizes so small that all are timed in batches, on a slow machine and under sanitizers too
point 'a run against itself' gives 0 "$trial" run trial-good --rounds 3 --samples 3 -a n=100,200 \
    --size smoke --self --out itself
point 'its folder is said once' test "$(cat out)" = itself
point 'the noise is said' grep -q "^noise from run to run of 4 jobs bound by .* of 4 jobs$" err
point 'it can be compared' gives 0 "$trial" compare itself itself/self # the reason, if the next fails
point 'both have the same jobs' same_keys itself itself/self
point 'and the same machine code' sh -c "'$trial' compare itself itself/self | grep -q 'same machine code'"
printf '#!/bin/sh\nTRIAL_TIMES=3 exec "%s" "$@"\n' "$trial" >slow-trial && chmod +x slow-trial
point 'a run against another program' gives 0 "$trial" run trial-planted --size smoke \
    --against ./slow-trial --out duel
point 'both have all rounds' test "$(cat duel/samples.csv duel/base/samples.csv |
    grep -c 'planted.*,status,')" -eq 14
point 'it goes on so' gives 0 "$trial" run trial-planted --size smoke --against ./slow-trial --out duel --resume
point 'and not alone' refuses 2 'duel was measured with --against; resume it so' "$trial" run trial-planted \
    --size smoke --out duel --resume
cp -r duel torn && rm -r torn/base
point 'nor with another base' gives 2 "$trial" run trial-planted --size smoke --against ./slow-trial \
    --out torn --resume
point 'and says so' grep -q 'torn/base is no run that took turns with torn; choose another --out$' err
gives 0 "$trial" run trial-good/sums/good --rounds 2 --size smoke --out alone
point 'nor does one that began alone' refuses 2 'alone was measured without --against' "$trial" run \
    trial-good/sums/good --rounds 2 --size smoke --against ./slow-trial --out alone --resume
as_reference duel/base
point 'side by side' gives 0 "$trial" compare duel/base duel
point 'turns leave no noise from run to run' grep -q '; no noise from run to run: their rounds took turns' out
point 'and the better one is found' grep -q '/planted/.* FASTER ' out
point 'against no program of ours' refuses 2 'no reprise that tells' "$trial" run trial-planted \
    --size smoke --against /bin/true --out never
cp -r duel/base older && cp -r duel newer && edited older newer && rm -r newer/base
code=$(sed -n 's/^code,//p' newer/run.csv)
sed -i "s/^code,.*/code,$code/" older/run.csv
sed -i '/^turns,/d' newer/run.csv
point 'so much noise leaves it unclear' gives 0 "$trial" compare older newer --noise 50
point 'and more rounds would not help' grep -q 'no number of rounds would tell: .* 50 %' out
point 'nor are they run' gives 0 "$trial" compare older newer --noise 50 --confirm --budget 600s
point 'which leaves nothing behind' test ! -e newer/more
point 'a budget for nothing' refuses 2 'takes --against with --budget' "$trial" compare older newer \
    --budget 600s
point 'turns without a budget' refuses 2 'takes --against with --budget' "$trial" compare older \
    newer --confirm --against ./slow-trial
point 'by turns with no other program' refuses 2 'no reprise that tells' "$trial" compare older \
    newer --noise 50 --confirm --budget 600s --against /bin/true
cp -r newer stored && "$trial" keep stored
point 'nor into a kept one' refuses 2 '--confirm: stored is kept' "$trial" compare older stored \
    --noise 50 --confirm --budget 600s --against ./slow-trial
point 'where nothing is left' sh -c 'test ! -e stored/more && test -e stored/samples.csv.gz'
point 'by turns with the other one' gives 0 "$trial" compare older newer --noise 50 --confirm \
    --budget 600s --against ./slow-trial
point 'it tells' grep -q '/planted/.* FASTER ' out
point 'both have rounds there' test -s newer/more/samples.csv -a -s newer/more/base/samples.csv
point 'and it is told again' gives 0 "$trial" compare older newer --noise 50
point 'from the same rounds' grep -q '/planted/.* FASTER ' out
point 'two jobs' gives 0 "$trial" run trial-planted --size smoke -a n=500,1000 --against ./slow-trial \
    --out pair
as_reference pair/base
cp -r pair/base older2 && cp -r pair newer2 && edited older2 newer2 && rm -r newer2/base
code=$(sed -n 's/^code,//p' newer2/run.csv)
sed -i "s/^code,.*/code,$code/" older2/run.csv
sed -i '/^turns,/d' newer2/run.csv
# The times of the first one jump from round to round.
awk -F, -v OFS=, '$3 == "planted" && $6 == 500 && $7 % 2 == 0 && $9 == "time" { $10 *= 4 } 1' \
    newer2/samples.csv >jumping && mv jumping newer2/samples.csv
point 'more rounds of both' gives 0 "$trial" compare older2 newer2 --noise 50 --confirm --budget 600s \
    --against ./slow-trial
# rounds_of N FOLDER
rounds_of()
{
    grep -c "planted.*,$1,[0-9]*,[0-9]*,status," "$2/samples.csv"
}
point 'each has as many as it needs' test "$(rounds_of 500 newer2/more)" -gt "$(rounds_of 1000 newer2/more)" -a \
    "$(rounds_of 1000 newer2/more)" -ge 3
# One program's rounds jump between one and three seconds: three rounds of 2.8 look as if they told,
# and twelve as if they did, and neither does.
cat >jumping-trial <<END
#!/bin/sh
case \$2 in
--facts) ;;
*)
    echo >>jumps
    export TRIAL_TIMES=\$((1 + 2 * ((\$(wc -l <jumps) + 1) % 2)))
    ;;
esac
exec "$trial" "\$@"
END
chmod +x jumping-trial && rm -rf newer/more
point 'rounds in turns as long as they leave a doubt' gives 0 env TRIAL_TIMES=2.8 "$trial" compare \
    older newer --noise 50 --confirm --budget 600s --against ./jumping-trial --format json
point 'are more than one look has' test "$(rounds_of 1000 newer/more)" -gt 15
point 'and tell: slower, of one machine code' grep -q '"verdict": "ENVIRONMENT"' out
point 'which says how many they are' grep -q "\"new_rounds\": $(rounds_of 1000 newer/more)," out
point 'of either side' grep -q "\"base_rounds\": $(rounds_of 1000 newer/more/base)," out
as_reference cheats1
point 'cheats side by side' gives 0 "$trial" compare cheats1 cheats2
for cheat in nothing stale cached hasty; do
    point "$cheat has no ratio" no_ratio $cheat
done
point 'planted, as it should be' gives 0 "$trial" run trial-planted --size smoke --precise 0 --out planted1
point 'planted, three times as slow' gives 0 env TRIAL_TIMES=3 "$trial" run trial-planted \
    --size smoke --precise 0 --out planted3
as_reference planted1
point 'slower, not yet confirmed' gives 0 "$trial" compare planted1 planted3
point 'it says so' grep -q 'SLOWER.*not confirmed yet' out
cp -r planted3 mended
rm -r stored && cp -r planted3 stored && "$trial" keep stored
point 'nor confirmed into a kept one' refuses 2 '--confirm: stored is kept' "$trial" compare planted1 \
    stored --confirm
point 'where nothing is left' sh -c 'test ! -e stored/confirmation && test -e stored/samples.csv.gz'
point 'which is compared as ever' gives 0 "$trial" compare planted1 stored
point 'confirmed' gives 3 env TRIAL_TIMES=3 "$trial" compare planted1 planted3 --confirm
point 'it says so too' grep -q ' CONFIRMED ' out
point 'confirmed for good' gives 3 "$trial" compare planted1 planted3
cp -r planted3 early && edited early/confirmation
awk -F, 'NR == 1 || $7 == 1' planted3/confirmation/samples.csv >early/confirmation/samples.csv
point 'one that was stopped early does not' gives 0 "$trial" compare planted1 early
point 'and goes on' gives 3 env TRIAL_TIMES=3 "$trial" compare planted1 early --confirm
point 'not confirmed where it was a moment' gives 0 "$trial" compare planted1 mended --confirm
point 'and that is said' grep -q 'SLOWER.*: not confirmed' out
rm -r mended/confirmation && mkdir mended/confirmation
point 'a confirmation that cannot run' gives 1 flock mended/confirmation \
    "$trial" compare planted1 mended --confirm
point 'confirms nothing, and says so' grep -q '^--confirm: the run in mended/confirmation did not end well$' out
point 'what is not slower' gives 0 "$trial" compare planted1 planted1 --confirm
point 'is not run again, and that is said' grep -q '^--confirm: nothing is slower, so nothing ' out
# other_trial TIMES: a program of the code that planted1 has
other_trial()
{
    cat >other-trial <<END
#!/bin/sh
case \$2 in
--facts) "$trial" "\$@" | sed -u 's/^code,.*/code,another/' ;;
*) TRIAL_TIMES=$1 exec "$trial" "\$@" ;;
esac
END
    chmod +x other-trial
}
other_trial 1
rm -r planted3/confirmation && cp -r planted3 taken
point 'confirmed in turns' gives 3 env TRIAL_TIMES=3 "$trial" compare planted1 taken --confirm \
    --budget 600s --against ./other-trial
point 'both have rounds there, too' test -s taken/confirmation/base/samples.csv
# Where its rounds jump, as of a kernel that is faster in some processes, it takes more of them.
edited taken/confirmation taken/confirmation/base
had=$(rounds_of 1000 taken/confirmation)
awk -F, -v OFS=, '$3 == "planted" && $7 % 2 == 0 && $9 == "time" { $10 /= 3 } 1' \
    taken/confirmation/samples.csv >jumping && mv jumping taken/confirmation/samples.csv
point 'jumping rounds do not' gives 0 env TRIAL_TIMES=3 "$trial" compare planted1 taken
point 'but more of them' gives 3 env TRIAL_TIMES=3 "$trial" compare planted1 taken --confirm \
    --budget 600s --against ./other-trial
point 'are run' test "$(rounds_of 1000 taken/confirmation)" -gt "$had"
other_trial 3
point 'where that is as slow' gives 0 env TRIAL_TIMES=3 "$trial" compare planted1 planted3 --confirm \
    --budget 600s --against ./other-trial
point 'it is not' grep -q 'SLOWER.*: not confirmed' out
edited planted1 planted3 cheats1
sed -i 's/^fingerprint,.*/fingerprint,0/' planted1/run.csv planted3/run.csv
rm -r planted3/confirmation
point 'another machine cannot confirm' refuses 2 '--confirm needs the program and the machine' \
    "$trial" compare planted1 planted3 --confirm
as_reference planted3
sed -i 's/^fingerprint,.*/fingerprint,0/; s/^start,.*/start,2001-01-01T00:00:00Z/' planted1/run.csv
sed -i 's/^start,.*/start,2000-01-01T00:00:00Z/' cheats1/run.csv # not in the second of planted3
point 'history' gives 0 "$trial" history planted1 planted3 cheats1 '*/planted'
point 'names what it leaves out' grep -q 'left out: cheats1: another machine' err
point 'has the older one first' sh -c 'sed -n 2p out | grep -q " 2001-01-01T00:00:00Z .* 1  *-$"'
point 'and how it became slower' sh -c 'sed -n 3p out | grep -q " 0\.[2-5][0-9]*  *ENVIRONMENT$"'
point 'history as CSV' gives 0 "$trial" history planted3 planted1 --format csv
cp out history.csv
point 'has columns for the job' test "$(head -n 1 history.csv | cut -d, -f-4,7-)" = \
    'time,commit,trial-planted/sums/planted/double/1000,trial-planted/sums/planted/double/1000 verdict'
point 'and a row for each run' test "$(wc -l <history.csv)" -eq 3
if command -v gnuplot >gnuplot-path; then
    point 'is drawn' gives 0 gnuplot -c "$plots/history.gp" history.csv history.svg
    point 'with its job' grep -q 'trial-planted/sums/planted' history.svg
fi
point 'generations' gives 0 "$trial" generations steps
point 'a printed machine and the run' grep -Eq '^trial-steps/\*/good/double +Machine +1999 +1 ' out
point 'generations as CSV' gives 0 "$trial" generations steps --format csv
cp out generations.csv
point 'both as rows, the machine as 1' test "$(cut -d, -f1,3,5 generations.csv | sed -n 2p)" = \
    'trial-steps/*/good/double,1999,1'
point 'and the run beneath' test "$(cut -d, -f1,3 generations.csv | sed -n 3p)" = \
    "trial-steps/*/good/double,$(date -u +%Y)"
point 'last the fastest of either' test "$(cut -d, -f1,3 generations.csv | tail -n 1)" = \
    "trial-steps/*/fastest-cpu/double,$(date -u +%Y)"
if command -v gnuplot >/dev/null; then
    point 'is drawn, too' gives 0 gnuplot -c "$plots/generations.gp" generations.csv generations.svg
    point 'with its line' grep -q 'good/double, Machine' generations.svg
fi
point 'generations of what no paper prints' refuses 2 'no job whose time' "$trial" generations digits
point 'and of none that is asked for' refuses 2 'no job of what was asked for' "$trial" generations \
    steps -x '*'
point 'a history of nothing' refuses 2 'no times of what was asked for' "$trial" history planted1 -x '*'
for verb in 'generations steps' 'history planted1'; do
    # shellcheck disable=SC2086 # two words
    point "$verb, and a folder that is none" refuses 2 \
        "'steps/typo' is no folder, and no job of these runs matches it" "$trial" $verb steps/typo
done
printf 'trial-planted/*\ntrial-good/*\n' >globs
point 'globs of a file may be of other runs' gives 0 "$trial" history planted1 @globs
point 'history wants folders' refuses 2 'takes folders' "$trial" history '*/planted'
mkdir -p kept/machine && cp -r planted1 planted3 kept/machine
sed -i 's/^start,.*/start,2001-01-02T00:00:00Z/' kept/machine/planted3/run.csv
point 'the newest reference' gives 0 "$trial" compare newest:kept planted3
point 'is not the oldest' grep -q '^BASE kept/machine/planted3: .* 2001-01-02' out
point 'no reference of this machine' gives 0 "$trial" compare newest:kept cheats1
point 'and that is said' grep -q 'holds no other run of this machine' out
gzip -k cheats2/samples.csv && rm cheats2/samples.csv
point 'compressed samples' gives 0 "$trial" compare cheats1 cheats2
point 'give a verdict' grep -qE '/good/.* (SAME|UNCLEAR|FASTER|SLOWER) ' out
truncate -s 300 cheats2/samples.csv.gz
point 'cut off in the middle' refuses 1 'cut off' "$trial" compare cheats1 cheats2
point 'two runs of other jobs' refuses 2 'steps and digits have no job in common' "$trial" compare steps digits
point 'compare wants two' refuses 2 'two runs' "$trial" compare cheats1
point 'an unknown gate' refuses 2 "did you mean 'slower'" "$trial" compare a b --gate slow

# --- the real program: bits, orders of threads, figures ---

digits()
{
    grep ',value,' "$1/measured.csv" | grep -v ',status,' | sort
}
same_digits()
{
    test -n "$(digits "$1")" && diff <(digits "$1") <(digits "$2")
}

for i in 1 2; do
    point "CPU jobs, run $i" \
        gives 0 "$reprise" run 'bvp2010-table1/*/A1*' --size smoke --out "cpu$i"
done
point 'two runs have the same bits' same_digits cpu1 cpu2
if "$reprise" env | grep -q '^device  *emulated'; then
    for order in ascending descending; do
        point "emulated jobs, threads $order" gives 0 "$reprise" run 'bvp2010-table[12]/*/A2*' \
            --size smoke --thread-order $order --out $order
    done
    point 'both orders have the same bits' same_digits ascending descending
    point 'emulated times do not exist' test -z "$(grep ',time' ascending/measured.csv)"
    "$reprise" plan ceilings >planned
    point 'nor ceilings of the device' grep -q '^ceilings/machine/fma/.*skipped: the device is emulated' planned
fi
point 'report without gnuplot' says 0 gnuplot env PATH=/nowhere "$reprise" report cpu1
if command -v gnuplot >gnuplot-path; then
    point 'report with figures' gives 0 "$reprise" report cpu1
    point 'a figure is there' test -s cpu1/figures/bvp2010-table1.svg
    cp cpu1/figures/bvp2010-table1.svg first.svg
    point 'report with figures again' gives 0 "$reprise" report cpu1
    point 'the figure has the same bytes' cmp first.svg cpu1/figures/bvp2010-table1.svg
    point 'a run of what is not printed' gives 0 "$reprise" run 'rec-small/m=[12]/SEQ/double' \
        --rounds 3 --precise 0 --size smoke --out small
    point 'report of it' gives 0 "$reprise" report small
    point 'its times are held against the task' grep -q "of the task's limit" \
        small/tables/rec-small.txt
    point 'by the fraction that it would take' test 1 -eq "$(awk -F, '
        $6 == 1024 && /^rec-small,m=1,/ { value[$7 " " $8] = $9 }
        END { ratio = value["task_least model"] / value["time value"] / value["of_task value"]
              print (ratio > 0.999999 && ratio < 1.000001) }' small/measured.csv)"
    for panel in 'm=1' 'm=2'; do
        point "has a panel for $panel" grep -q "$panel, double" small/figures/rec-small.svg
    done
    point 'and intervals' grep -q '95 % interval' small/figures/rec-small.svg
fi

finish
