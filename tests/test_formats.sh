#!/usr/bin/env bash
# What verbs print for programs: JSON by its schema, JUnit's XML, GitHub's commands; which formats a
# verb refuses; histories of runs that share some jobs; the recipes of TRACKING.md.
# test_formats.sh REPRISE REPRISE-TRIAL REPRISE-PINNED, from anywhere.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") pinned=$(realpath "$3")
here=$(realpath "$(dirname "$0")")
plots=$here/../plots runs=$here/pinned
. "$(dirname "$0")/tap.sh"
cp -r "$runs/base" "$runs/now" "$runs/run" .

# json STATUS PROGRAM VERB...: that status, and JSON that the schema allows, and that says the status
json()
{
    local status=$1
    shift
    gives "$status" "$@" --format json && cp out json.json && python3 "$here/check_json.py" json.json &&
        grep -q "^ \"exit_status\": $status}\$" json.json
}

# has EXPRESSION: true in Python, of the last JSON as `j` and its rows by their jobs as `r`
has()
{
    python3 -c "import json, math, sys
j = json.load(open('json.json', encoding='utf-8'))
r = {row.get('job'): row for row in j['rows']} if 'rows' in j else {}
sys.exit(not ($1))"
}

# --- JSON ---

point 'the words of the schema are the sources' python3 "$here/check_json.py" --words
for what in exhibits families problems variants claims errata machines jobs; do
    for program in "$reprise" "$trial"; do
        point "list $what of ${program##*/}" json 0 "$program" list $what
    done
    point "is refused when it is changed" python3 "$here/check_json.py" --planted json.json
done
"$reprise" list jobs 'bvp2010-table1' --size smoke >jobs
point 'list jobs of a selection' json 0 "$reprise" list jobs 'bvp2010-table1' --size smoke
point 'has the same jobs' has "list(r) == open('jobs').read().split()"
point 'whose parts are fields' has "all(k == '/'.join((v['exhibit'], v['case'], v['variant'],
    v['precision'], str(v['n']))) and type(v['n']) is int for k, v in r.items())"
point 'plan' json 0 "$reprise" plan 'bvp2010-table[13]' --size smoke
point 'has the sum of its rows' has "abs(sum(v['estimate'] for v in r.values()) - j['estimate']) < 1e-9"
point 'env' json 0 "$reprise" env
point 'has the facts as words' has "{'fact': 'schema', 'value': '1'} in j['rows']"

point 'verdict' json 4 "$pinned" verdict run
point 'is refused when it is changed' python3 "$here/check_json.py" --planted json.json
point 'has a row for each line' test "$("$pinned" verdict run | grep -c ': printed ')" = \
    "$(grep -c '"metric": ' json.json)"
point 'prints what is not there as null' has "any(v['metric'] == 'time' and v['here'] is None and
    v['verdict'] == 'NOT MEASURED' and v['printed'] == 16 for v in j['rows'])"
point 'is in SI units where print is not' has "any(v['printed'] == 0.5 and v['job'] ==
    'pinned-times/one/gpu/single/100' for v in j['rows'])"
point 'has the last line' has "j['sum'] == '''$("$pinned" verdict run | tail -n 1)'''"
point 'compare' json 0 "$pinned" compare base now --noise 0
point 'is refused when it is changed' python3 "$here/check_json.py" --planted json.json
point 'has numbers as numbers' has "r['pinned-times/one/cpu/double/100']['ratio'] == 1.125 and
    r['pinned-times/one/cpu/double/100']['verdict'] == 'SLOWER' and j['noise'] == 0 and
    j['means'][0]['jobs'] == 2 and abs(j['means'][0]['ratio'] - 1.5) < 1e-12"
point 'compare unlike machines' json 4 "$pinned" compare base run
point 'NEW over BASE there too' has "r['pinned-times/one/cpu/double/100']['ratio'] == 0.8 and
    r['pinned-times/one/gpu/double/100']['interval'] is None and j['noise'] is None"
parts="math.prod(v[k] or 1 for k in ('by_memory', 'by_arithmetic', 'by_launches', 'rest'))"
point 'whose parts are the ratio' has "all(abs($parts * v['ratio'] - 1) < 1e-12
    for v in [*r.values(), *j['means'], *j['fastest']] if v['ratio'] is not None)"
point 'compare a published machine' json 4 "$pinned" compare published:Old run
point 'whose parts are the ratio' has "all(abs($parts * v['ratio'] - 1) < 1e-12
    for v in [*r.values(), *j['means'], *j['fastest']] if v['ratio'] is not None)"
point 'which has a bandwidth' has "j['sides'][0]['bandwidth'] == 2e9 and j['sides'][0]['gpu'] is None"
for kept in "$plots"/../results/nvidia-h100-80gb-hbm3/*; do :; done
point 'compare a machine with a kept run' json 0 "$reprise" compare published:GTX280 "$kept"
point 'whose parts are the ratio' has "len(r) > 20 and all(abs($parts * v['ratio'] - 1) < 1e-12
    for v in [*r.values(), *j['means'], *j['fastest']] if v['ratio'] is not None)"
point 'an erratum stands in the row' has \
    "all('C23' in v['errata'].split() for k, v in r.items() if k.startswith('cf2011-mcf/') and v['ratio'])"
point 'and the fastest variant in the means' has "any(v['base_variants'] == 'gpu' and
    'gpu' not in v['new_variants'].split('|') for v in j['fastest'])"
point 'which came nearest to what the task takes' has "all(f['new_of_task'] >= m['new_of_task']
    for f in j['fastest'] for m in j['means'] if f['new_of_task'] and f['jobs'] == m['jobs'] and
    f['of'].split('/')[0::3] == m['of'].split('/')[0::3])"
mkdir none
point 'no reference' json 0 "$pinned" compare newest:none now
point 'says so' has "'holds no other run' in j['sum']"
point 'history' json 0 "$pinned" history base now
point 'is refused when it is changed' python3 "$here/check_json.py" --planted json.json
point 'generations' json 0 "$pinned" generations run
point 'is refused when it is changed' python3 "$here/check_json.py" --planted json.json
name=$(printf 'q"\\\t\001\303\251\377\355\240\200')
cp -r run "$name"
point 'a name of all characters' json 4 "$pinned" verdict "$name"
point 'is that name, and what is no UTF-8 is U+FFFD' has 'j["folder"] == "q\"\\\t\x01\u00e9\ufffd\ufffd\ufffd\ufffd"'
point 'a run that failed prints no JSON' refuses 1 'run.csv' "$pinned" verdict nowhere --format json
point 'nothing at all' test ! -s out

# --- JUnit, GitHub ---

# junit STATUS PROGRAM VERB...: that status, and XML whose counts are those of its elements
junit()
{
    local status=$1
    shift
    gives "$status" "$@" --format junit && cp out junit.xml && python3 - <<'PYTHON'
import sys
import xml.etree.ElementTree as xml
root = xml.parse("junit.xml").getroot()
suite = root.find("testsuite")
assert root.tag == "testsuites" and len(suite.findall("testcase")) > 0
for name, element in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
    count = str(sum(1 for _ in suite.iter(element)))
    assert root.get(name) == suite.get(name) == count, (name, count)
for case in suite.iter("testcase"):
    assert case.get("name") and case.get("classname") and len(case) <= 1
    assert float(case.get("time", "0")) >= 0
PYTHON
}

# case_is JOB ELEMENT WORDS: its test case has such an element
case_is()
{
    python3 -c "import sys
import xml.etree.ElementTree as xml
for case in xml.parse('junit.xml').iter('testcase'):
    if case.get('classname') + '/' + case.get('name') == sys.argv[1]:
        one = case.find(sys.argv[2])
        sys.exit(one is None or sys.argv[3] not in one.get('message'))
sys.exit('no such case')" "$@"
}

point 'JUnit of a verdict' junit 4 "$pinned" verdict run
point 'DIFFERS is a failure' case_is 'pinned-times/one/gpu/double/100 iterations' failure 'DIFFERS: 1.08'
point 'NOT MEASURED is skipped' case_is 'pinned-times/one/cores/double/200 time' skipped 'needs 9 GiB'
point 'as many failures as differ' test "$("$pinned" verdict run | grep -c ': DIFFERS')" = \
    "$(grep -c '<failure ' junit.xml)"
point 'a time is there' grep -q 'name="one/cpu/double/100 time" time="8"/>' junit.xml
cp -r run lost && sed -i 's/^\(pinned-counts,.*,status,value,,,\).*/\1crashed: "SIGSEGV" <\&>/' lost/measured.csv
sed -i 's/crashed: "SIGSEGV" <&>/"crashed: ""SIGSEGV"" <\&>"/' lost/measured.csv
point 'a job that crashed' junit 1 "$pinned" verdict lost pinned-counts
point 'is a failure' grep -q '<failure message="NOT MEASURED: [^"]*crashed: &quot;SIGSEGV&quot; &lt;&amp;&gt;' junit.xml
point 'JUnit of a comparison' junit 0 "$pinned" compare base now --noise 0
point 'SLOWER alone is no failure' case_is pinned-times/one/cpu/double/100 skipped \
    'SLOWER: NEW/BASE 1.125 [1.125 to 1.125]; not confirmed yet'
point 'UNCLEAR is skipped' case_is pinned-times/one/cpu/double/200 skipped 'UNCLEAR: '
point 'FASTER passed' grep -q 'name="one/gpu/double/100" time="1"/>' junit.xml
point 'JUnit where NEW differs from the paper' junit 4 "$pinned" compare base run
point 'has those cells' test "$(grep -c '<failure ' junit.xml)" = 3
point 'but not where they are not asked for' junit 0 "$pinned" compare base run --gate wrong
point 'none' sh -c '! grep -q "<failure " junit.xml'
cp -r now again && cp -r now again/confirmation
point 'confirmed' junit 3 "$pinned" compare base again --noise 0
point 'is a failure' case_is pinned-times/one/cpu/double/100 failure 'CONFIRMED: '
cp -r now bad && sed -i 's/^\(pinned-times,one,gpu,.*,status,value,,,\).*/\1wrong: 50 %/' bad/measured.csv
sed -i 's/^\(pinned-times,one,gpu,.*,status,,,\).*/\1wrong: 50 %/' bad/samples.csv
point 'wrong' junit 1 "$pinned" compare base bad --noise 0
point 'is a failure, too' case_is pinned-times/one/gpu/double/100 failure 'WRONG: NEW: wrong: 50 %'

unset GITHUB_STEP_SUMMARY
point 'GitHub, no summary asked for' gives 1 "$pinned" compare base bad --noise 0 --format github
point 'the failure is first' test "$(head -n 1 out)" = \
    '::error title=pinned-times/one/gpu/double/100::WRONG: NEW: wrong: 50 %25'
point 'then what somebody should look at' sh -c 'sed -n 2p out | grep -q \
    "^::warning title=pinned-times/one/cpu/double/100::SLOWER: NEW/BASE 1.125 "'
point 'last the sum, and commands alone' test "$(sed -n '$p' out | cut -c1-31)$(grep -vc '^::' out)" = \
    '::notice title=reprise compare:0'
export GITHUB_STEP_SUMMARY=$PWD/summary.md
echo 'from the step before' >summary.md
for verb in 'compare base bad --noise 0' 'verdict run'; do
    # shellcheck disable=SC2086
    "$pinned" $verb --format markdown >markdown
    cp summary.md before
    # shellcheck disable=SC2086
    "$pinned" $verb --format github >out
    point "the Markdown of $verb is appended" sh -c 'cat before markdown | cmp - summary.md && test -s markdown'
done
point 'a title has no colon or comma' sh -c "! grep -vE '^::(error|warning|notice) title=[^:,]*::' out"
GITHUB_STEP_SUMMARY=$PWD/no/such/file
point 'a summary that cannot be written' refuses 1 'GITHUB_STEP_SUMMARY' "$pinned" compare base now \
    --noise 0 --format github
point 'hides no worse status' gives 4 "$pinned" verdict run --format github
unset GITHUB_STEP_SUMMARY

# --- formats that do not fit ---

while IFS='|' read -r verb words; do
    for format in xml TEXT text,json ''; do
        # shellcheck disable=SC2086
        point "$verb --format=$format" refuses 2 "--format=$format: '${verb%% *}' has one of $words" \
            "$pinned" $verb "--format=$format"
    done
done <<'VERBS'
list|text,json
plan|text,json
env|text,json
verdict run|text,markdown,json,junit,github
compare base now|text,markdown,json,junit,github
history base now|text,markdown,csv,json
generations run|text,markdown,csv,json
report run|summary,text,latex
VERBS
point 'run has none' refuses 2 "'run' does not take --format" "$pinned" run --format json

# --- history ---

# only FOLDER REGEX: what is left of its jobs
only()
{
    edited "$1"
    sed -i -E "2,\$ { /$2/! d }" "$1/measured.csv" "$1/samples.csv"
}
cp -r base first && only first 'cpu,double,[^,]*,100,'
cp -r now second && only second 'gpu,|cpu,double,[^,]*,200,'
cp -r now third && only third 'gpu,|cpu,double,[^,]*,100,'
sed -i 's/^start,.*/start,2003-01-01T00:00:00Z/; s/^commit,.*/commit,fedcba9/' third/run.csv
point 'runs that share some jobs' gives 0 "$pinned" history first second third --noise 0.7 --format csv
cp out history.csv
point 'all jobs, their verdicts and intervals' test "$(head -n 1 history.csv | tr ',' '\n' | grep -c .)" -eq 14
point 'what is not there is empty' sh -c 'sed -n 2p history.csv | grep -q \
    "^2001-01-01T00:00:00Z,0123456,10,,0.625,160,,,,,,,,$"'
point 'beside the last run that has the job' sh -c 'sed -n 4p history.csv | grep -q \
    "^2003-01-01T00:00:00Z,fedcba9,11.25,SLOWER,11,11.5,,,,,1,SAME,,$"'
if command -v gnuplot >gnuplot-path; then
    point 'is drawn' gives 0 gnuplot -c "$plots/history.gp" history.csv history.svg
    for words in pinned-times/one/cpu/double/100 pinned-times/one/gpu/double/100 SLOWER \
        'fedcba9, 2003-01-01'; do
        point "with $words" grep -qF "$words" history.svg
    done
    point 'with the colour of what is slower' grep -qi "'#d55e00'\|rgb(213, *94, *0)" history.svg
fi
if command -v gnuplot >gnuplot-path; then
    awk 'BEGIN { printf "time,commit"; for (i = 0; i < 61 * 4; i++) printf ",%d", i
                 printf "\n2001-01-01T00:00:00Z,a"; for (i = 0; i < 61; i++) printf ",1,SAME,1,1"
                 print "" }' >many.csv
    point 'a figure of too many jobs' gives 1 gnuplot -c "$plots/history.gp" many.csv many.svg
    point 'says so' grep -q '^61 jobs are too many for one figure' err
fi
point 'a run without any of the jobs' gives 0 "$pinned" history first second '*/cpu/*/100' --format csv
point 'is no line' test "$(wc -l <out)" -eq 2
point 'nothing to show' refuses 2 'no job of these runs matches it' "$pinned" history first \
    '*/gpu/*' --format csv
sed -i 's/^dirty,.*/dirty,1/' first/run.csv
point 'no reference, nothing to show' gives 1 "$pinned" history first
point 'and it says why' grep -q 'none of these runs is a reference' err

# --- the recipes ---

page=$here/../TRACKING.md
point 'what TRACKING.md has can be read' python3 "$here/check_recipes.py" "$page" "$reprise"
point 'its ReFrame check takes what is good' gives 0 python3 "$here/check_recipes.py" --reframe "$page" \
    "$pinned" base now --noise 0
point 'and not what became slower' gives 3 python3 "$here/check_recipes.py" --reframe "$page" \
    "$pinned" base again --noise 0

finish
