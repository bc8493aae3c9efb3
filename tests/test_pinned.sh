#!/usr/bin/env bash
# Numbers of reports, verdicts and comparisons, digit by digit, of runs that were written by hand
# (pinned/run, base, now, rounds) with what the paper prints in pinned.csv; pinned/expected holds
# what has to come out, computed by hand as the comments here say. Then the worker's rules, on
# variants that break them by a little. test_pinned.sh REPRISE-PINNED, from anywhere.
set -u
reprise=$(realpath "$1") pinned=$(realpath "$(dirname "$0")/pinned") expected=$pinned/expected
. "$(dirname "$0")/tap.sh"
cp -r "$pinned"/{run,base,now} .

# shows STATUS FILE COMMAND...: that status, and the expected file on standard output
shows()
{
    local status=$1 file=$2
    shift 2
    gives "$status" "$@" && diff "$expected/$file" out
}

# ends STATUS LINE COMMAND...: that status, and that last line on standard output
ends()
{
    local status=$1 line=$2
    shift 2
    gives "$status" "$@" && diff <(echo "$line") <(tail -n 1 out)
}

# rounded DIGITS FIRST LAST FILE: numbers of these columns to so many digits, since the last bits of
# exp and log are the library's; what is quoted stands before as Q, so that commas are columns
rounded()
{
    sed 's/,"[^"]*",/,Q,/' "$4" | awk -F, -v OFS=, -v form="%.$1g" -v first="$2" -v last="$3" \
        'NR > 1 { for (k = first; k <= last; k++) if ($k != "") $k = sprintf(form, $k) } { print }'
}

# --- the report ---

# Intervals of times reach from 1/8 to 8 times the time on the CPU, 1/16 to 16 times on the GPU: in
# logarithms 3 and 4 times log 2 to either side, so those of speed-ups 5 times: 1/32 to 32. In
# hundreds of n, with times cpu 8, 32; cores 4; gpu 1 (single), 2, 4, 15 (double):
#   speed-ups    over cpu 8/1 = 8, 8/2 = 4, 32/4 = 8; over cores 4/1 = 4, 4/2 = 2
#   their means  (4 + 8) / 2 = 6, of 4 at least and 8 at most, in double
#   ratios       printed 16/8 = 2, 6/4 = 1.5, 0.5/1 (500 ms), 3/2; 64/32, 24/4; of the speed-ups
#                5/4 = 1.25 and 4/2, of the means 9/6, 2/4 and 8.8/8
#   projected    a step of cpu takes 0.75, and the whole of gpu 30 steps: 22.5 (where cpu was asked
#                for steps it took 4 of them)
#   end to end   1 + 0.5 + 0.25 = 1.75; 2 + 0.5 = 2.5; 4 + 1 = 5; where no part is known, the time
#   rates        1e4 points in 2 ms are 5e6 a second, 6e6 operations in them 3 Gflop/s; 1e4 in 40 us
#                2.5e8, with 1.2e7 operations 300; 16384 in 4 ms 4.096e6, 1.5 Gflop/s; in 1 us
#                1.6384e10, in four digits 16380, and 12000 Gflop/s; speed-ups 2e-3/4e-5 = 50,
#                4e-3/1e-6 = 4000; printed 10/5 = 2, 2000/250 = 8 (2e9 points/s are 2000
#                Mpoint/s), 8.192/4.096 and 32768/16384 = 2; of steps 1.5/0.75, 0.75/0.125 = 6
#   orders       errors 0.1, 0.025, 0.0125, 0.0015625, where h is halved each time: 4, 2, 8 times
#                as small, so 2, 1, 3
#   verdicts     0.11 for 0.1, 12 for 13, order 2 for 3, a whole unit off: DIFFERS; 0.03 for 0.025,
#                half a unit: SAME, and void (E3); 1.30e-02 for 0.0125, 4 % of the 5 % allowed:
#                CLOSE; 2.0e-03, and a correct program gives what we have: EXPLAINED (E1); 128
#                blocks, and this machine has 132: compared
point 'report' gives 4 env PATH=/nowhere "$reprise" report run
for exhibit in times steps rate view mean errors orders counts; do
    point "the tables of pinned-$exhibit" \
        diff "$expected/pinned-$exhibit.txt" "run/tables/pinned-$exhibit.txt"
done
rounded 12 8 10 run/compared.csv >compared.csv
point 'compared.csv' diff "$expected/compared.csv" compared.csv

# The claims in print: cpu takes 16/0.5 = 32, 16/3 = 5.33, 64/1 = 64, 64/24 = 2.67 times as long as
# gpu, one of four from 4 to 8, one of four reaches 64; here 8, 4, 8 times, all within, none reaches
# it. Intervals overlap in all of them, and in none of the steps: gpu to 0.25, cpu from 0.5. `cores`
# at 200 was skipped here, so that its claim has no row; gpu has three, at 100 in single and double and
# at 200 in double. The new machine's 20 Mpts/s reach 2e7, the old one's 8.192 do not.
# Ceilings: 2e10 B in 1 s are 0.02 TB/s, 1e13 operations in 0.5 s 20 Tflop/s, 1000 launches in 2 ms
# 2 us each; half of the host's lie 0.4 of their median apart, more than a tenth.
sed -n '/^## Printed cells/,/^A. Nobody/p; /^## Ceilings/,/^## The run/p' run/report.md >sections.md
point 'printed cells, ceilings, claims, errata, what is missing' \
    diff "$expected/sections.md" sections.md

# reaches-printed is of the new machine's 33.40, over the 33 that it names; here 8 is the most.
# The headline. gpu beside the old machine: single 0.5/1, double 3/2 and 24/4, their product 4.5, of
# which the third root is 1.65; beside the new one 1.5/2 = 0.75. cpu 16/8 and 64/32, cores 6/4. The
# memory copies 2e10 B/s here and the CPU's 1e10; the old machine's, 2e9. In print 64/1 is the largest,
# which was not measured here; then the new machine's 33.40, more than 16/0.5: as it is printed, here
# 8, the most of 8/2 and 32/4. At 200 the fastest on the CPU, `within`, is in another exhibit, 5/4; of
# GPU codes gpu itself, for in single it is less precise. 1.30e-02 for 0.0125 is 4 % off.
point 'the headline' grep -qxF "Table 1: 1 of 2 iteration counts, 1 differs. Table 4: 1 of 5 numbers \
to the digit printed, 1 within 4 %, 1 explained by erratum E1, 1 differs, 1 not measured. Table 5: 1 of \
2 orders to all 2 digits, 1 differs. gpu is 1.65 times as fast as on the Old; the memory is 10 times as \
fast. gpu is 0.75 times as fast as on the New. cpu is 2 and cores 1.5 times as fast as on the Old; the \
memory is 5 times as fast. The largest speed-up in print, 64, was not measured; the largest that was, 33.40 \
of gpu over cpu on the New, is 8 here (Table 3, one, double, max 100-200); at n = 200, over the fastest CPU \
code of today that is no less precise, within in double, it is 1.25. Of 13 claims 7 hold, 1 is tied, 4 do \
not hold, 1 was not measured." run/report.md
point 'a site' gives 0 env PATH=/nowhere "$reprise" site run --out site
point 'a claim, and what is printed by its own digits' grep -qF 'here it does not hold (0 of 1, at most 8); \
in print it holds (1 of 1, at most 33.4).' site/pinned.html
# A run that has nothing of what is printed, but a task of the other's: 2.5 s there, and here 5.
mkdir other
sed 's/^gpu_name,.*/gpu_name,Other card/; s/^exhibits,.*/exhibits,pinned-rules/' run/run.csv >other/run.csv
sed -n 's/^pinned-errors,one,within/pinned-rules,one,within/; s/time,value,5,/time,value,2.5,/
    1p; /^ceilings/p; /,one,within/p' run/measured.csv >other/measured.csv
point 'a site of two machines' gives 0 env PATH=/nowhere "$reprise" site run other --out both
point 'has both side by side' grep -qF \
    'pinned: the fastest variants of Other card, and here of Test card' both/machines.html
point 'and says where there is one' grep -qF 'No two of them have a task in common.' site/machines.html

# --- the verdict ---

# Of 33 printed cells 15 are in Table 1, 1 in 2, 4 in Figure 1, 2 in 2, 3 in Table 3, 5 in 4, 2 in
# 5, 1 in 6. Same: 12 iterations, 0.03, order 2.0. Compared: 8 + 1 + 4 + 2 + 3 + 1. Not measured:
# what was skipped (2), emulated, not in the run; what nobody waits for: a time and its iterations.
point 'verdict' shows 4 verdict.txt "$reprise" verdict run
point 'verdict of two differences' ends 4 "REPRODUCED WITH 2 DIFFERENCES (2 same, 1 close, \
1 explained, 2 differ; 0 times compared; of 1 claims 1 hold, 0 partly, 0 tied, 0 reversed)" \
    "$reprise" verdict run pinned-errors pinned-orders -x '*/160'
point 'verdict of one difference' ends 4 "REPRODUCED WITH 1 DIFFERENCE (1 same, 1 close, \
1 explained, 1 differ; 0 times compared; of 1 claims 1 hold, 0 partly, 0 tied, 0 reversed)" \
    "$reprise" verdict run pinned-errors -x '*/160'
point 'verdict of none, skipped jobs beside it' ends 0 \
    'COMPARED (the paper prints nothing here that must agree; 5 times compared)' \
    "$reprise" verdict run pinned-view pinned-mean pinned-counts -x '*/max *'
point 'verdict of a skipped cell' ends 0 "INCOMPLETE (nothing that the papers print was measured)" \
    "$reprise" verdict run pinned-errors/one/cpu/double/160
cp -r run failed
edited failed
sed -i '/^pinned-counts.*,status,/s/ok$/"wrong: error 2, allowed 1"/' failed/measured.csv
point 'verdict beside a failed job' ends 1 "INCOMPLETE (parts are missing: 0 of 2 printed cells \
are accuracy and were checked: 0 same, 0 close, 0 explained, 0 differ; 2 times were compared; \
0 cells were not measured; jobs failed)" "$reprise" verdict failed pinned-view
sed -i 's/^device,.*/device,emulated/; s/^size,.*/size,quick/' failed/run.csv
point 'verdict without a GPU' ends 1 "INCOMPLETE (no GPU, not all sizes: 0 of 3 printed cells are \
accuracy and were checked: 0 same, 0 close, 0 explained, 0 differ; 2 times were compared; 1 cells \
were not measured; jobs failed)" "$reprise" verdict failed pinned-counts pinned-mean -x '*/max *'

# --- comparisons ---

# Medians of the rounds, neither the least nor the mean of the samples, of cpu at 100: 10, 10, 10
# and 11.25, 11.25, 11.25; at 200: 3.2, 6.4, 12.8 and 6.4, 12.8, 25.6; of gpu: 4, 4, 4 and 1, 1, 1.
# Where rounds do not vary the interval is the ratio. At 200 both logarithms deviate by log 2 =
# 0.693, the error of their difference is 0.693 sqrt(2/3) = 0.566, Student's t of 4 degrees and 99.5
# % is 4.604: 2 exp(+-2.606) = 0.1477, 27.08. The geometric mean of 1.125 and 2 is the root of 2.25.
point 'one machine' shows 0 compare-one.txt "$reprise" compare base now --noise 0
# 10/8 = 1.25, 6.4/32 = 0.2, 4/2 = 2; the intervals of base are 1/16 to 16 times: 1/32 to 32 again.
# The mean is the root of 1.25 * 0.2 = 0.25. Bytes over time over bandwidth: 8e9/10/4e10 = 0.02,
# 8e9/8/1e10 = 0.1; 3.2e10/6.4/4e10 = 0.125, 3.2e10/32/1e10 = 0.1. What memory explains there is
# 1e10/4e10 = 0.25, and the rest 1.25/0.25 = 5, 0.2/0.25 = 0.8. On the GPU the bytes take 3e9/5e9 =
# 0.6 and 3e9/2e10 = 0.15 s, the operations 6e12/2e13 = 0.3 s on both: 0.6/4 = 0.15, 0.3/2 = 0.15.
# On the way from 0.6 to 0.15, log 4, memory is the limit down to 0.3, in half of it: the root of 4;
# arithmetic, which stays as it is, then has the way and no part. The fastest on the CPU alone: 10/4
# by cores, 6.4/5 by `within`, the root of 2.5 * 1.28 = 3.2; over 0.25 that is 7.155; cores'
# 1.2e10/4/1e10 = 0.3, the other's 5e9/5/1e10 = 0.1.
point 'two machines' shows 4 compare-two.txt "$reprise" compare base run
# The old one copies 2e9 B/s. Its rates become times: 1e4/10e6, 1e4/2e9, 16384/8.192e6,
# 16384/32.768e9 s. Means: sqrt(0.5 * 0.125) = 0.25, sqrt(1.5 * 6) = 3. Memory is 2e10/2e9 = 10
# times as fast, on the CPU 1e10/2e9 = 5, arithmetic 2e13/2e12 = 10 times, in double alone, since
# this machine has none in single: 3e9 B and 6e12 operations take 1.5 and 3 s there, 0.15 and 0.3
# here, so that arithmetic has all of it; of 200 and 2.4e10 B memory, and of both each the root of 10.
point 'a published machine' shows 4 compare-published.txt "$reprise" compare published:Old run
# 10/11.25 = 0.8889, 6.4/12.8, 4/1; the verdicts are those above: 1.125 and 0.25 are beyond any
# noise, and of 200 the rounds say nothing.
point 'history' shows 0 history.txt "$reprise" history base now --noise 0.7
# The same in means: 16/8 and 64/32, 6/4, 0.5/1, sqrt(3/2 * 24/4) = 3; 0.5 and 0.5, sqrt(1/8 * 1/2)
# = 1/4; on the new machine 1.5/2, and by rates 5/20 and 250/1000. Of that one nothing is known, and
# all is left. The fastest on the CPU in print take 6, 16 and 40 s, here 4, 5 and 3, of which the third
# root is 4.
point 'generations' shows 0 generations.txt "$reprise" generations run

# --- the worker's rules ---

# The error that is nobody's fault is 1, so 1.05 is allowed, and where 1 is tolerated 2.05.
cat >rules.txt <<'END'
beyond status "wrong: error 1.06, allowed 1.05"
cpu repeatable 1
cpu status ok
gpu status skipped: only its records are there
not-tolerated status "wrong: error 2.06, allowed 2.05"
other repeatable 0
other status ok
other-wrong repeatable 0
other-wrong status "wrong: error 2, allowed 1.05"
tolerated repeatable 1
tolerated status ok
unwritten status "wrong: error nan, allowed 1.05"
within repeatable 1
within status ok
written-once repeatable 0
written-once status "wrong: error nan, allowed 1.05"
END
protocol=(--size smoke --rounds 3 --samples 3 --precise 0)
point 'wrong answers fail the run' gives 1 "$reprise" run pinned-rules "${protocol[@]}" --out rules
point 'and are named at its end' grep -qx \
    'pinned-rules/one/other-wrong/double/[0-9]*: wrong: error 2, allowed 1.05' err
point 'what was skipped is not good' grep -q '^4 jobs good, 5 failed, 1 skipped in ' err
sed -n 's/^pinned-rules,one,\([^,]*\),.*,repeatable,value,\(.*\),1,$/\1 repeatable \2/p
    s/^pinned-rules,one,\([^,]*\),.*,status,value,,,\(.*\)$/\1 status \2/p' rules/measured.csv |
    sort >judged.txt
point 'which answers are good' diff rules.txt judged.txt
point 'a run of what is skipped' gives 1 "$reprise" run 'pinned-rules/*/gpu/*' --out skipped
point 'says so' grep -q '^0 jobs good, 0 failed, 1 skipped in ' err

# --- from samples to what is measured, and resume ---

# A run that has all its rounds: what is measured of them is written again. Medians 1, 2, 4, whose
# logarithms are 0, log 2, 2 log 2: of mean log 2 and deviation log 2, so with Student's t of 2
# degrees and 97.5 %, 4.30265: 2 exp(+-4.30265 * 0.69315 / sqrt(3)) = 0.35746, 11.190. 100 points
# over these are 50, 8.9366, 279.75 a second, 1000 are 500, 89.366, 2797.5; a fifth of them are
# steps of 0.4, 0.071493, 2.2380. The 9 samples: 0.5 1 1.5 2 3 4 8 9 16, and 0.5 1 1 2 2 2 4 8 9.
# Parts: 0.5 in every round; 0.125, 0.25, 0.5, an eighth of the times. Limits 0.25, 0.5, 1: 0.5, of
# 2 a fourth. Clocks 1000, 2000, 1200, one in three held down. Work is 16 n bytes, 8 n operations, 4
# launches in 2 steps, of which gpu takes 5: 2.5 times as much; 24 n bytes are held.
jobs=(pinned-times/one/cpu/double/100 pinned-steps/one/gpu/double/400)
cp -r rules rounds
cp "$pinned/rounds/samples.csv" rounds
edited rounds
rm rounds/measured.csv
resume=(run "${jobs[@]}" "${protocol[@]}" --out rounds --resume)
point 'resume of a whole run' gives 0 "$reprise" "${resume[@]}"
point 'does no round again' cmp "$pinned/rounds/samples.csv" rounds/samples.csv
rounded 5 9 9 rounds/measured.csv >measured.csv
point 'what the samples amount to' diff "$expected/rounds.csv" measured.csv

rm -r rounds
cp -r rules rounds
sed '/^pinned-times.*,100,3,/d' "$pinned/rounds/samples.csv" >rounds/samples.csv
cp rounds/samples.csv two-rounds.csv
edited rounds
rm rounds/measured.csv
rounds_of()
{
    sed -n "s/^pinned-$1,.*,\([0-9]*\),0,status,.*/\1/p" rounds/samples.csv | tr '\n' ' '
}
point 'resume after two rounds of three' gives 0 "$reprise" "${resume[@]}"
point 'keeps both' cmp two-rounds.csv <(head -c "$(wc -c <two-rounds.csv)" rounds/samples.csv)
point 'and does the third one, once' test "$(rounds_of times)" = '1 2 3 '
point 'of the job that lacks it' test "$(rounds_of steps)" = '1 2 3 '

# --- the plan ---

cat >plan.txt <<'END'
pinned-times/one/cpu/double/100
pinned-times/one/cores/double/100
pinned-times/one/gpu/single/100
pinned-times/one/gpu/double/100
pinned-times/one/cpu/double/200
pinned-times/one/cores/double/200
pinned-times/one/gpu/single/200
pinned-times/one/gpu/double/200
pinned-times/one/cores/double/400
pinned-times/one/gpu/single/400
pinned-times/one/gpu/double/400
END
point 'jobs without what would take too long' gives 0 "$reprise" list jobs pinned-times
point 'are 11' diff plan.txt out

finish
