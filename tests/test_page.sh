#!/usr/bin/env bash
# What a report writes: the page's structure, its words beside those of the other formats, the same
# bytes elsewhere, LaTeX that compiles, and the page in a browser.
# test_page.sh REPRISE REPRISE-TRIAL, from anywhere. Without Chromium or LaTeX those points are
# skipped; the structure is checked all the same.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") here=$(realpath "$(dirname "$0")")
. "$here/tap.sh"

check_page()
{
    python3 "$here/check_page.py" "$1"
}

# planted FOLDER SED FILE: the check notices a change of the file
planted()
{
    rm -rf planted && cp -r "$1" planted && sed -i "$2" "planted/$3" &&
        ! cmp -s "$1/$3" "planted/$3" && ! check_page planted
}

# --- runs: of the trial, of the real program at small sizes, and those that are kept ---

point 'run of the trial' gives 0 "$trial" run trial-good trial-view trial-digits trial-steps \
    --quick --size smoke --out trial
edited trial
# Whatever a name or a message holds, it is text on the page.
nasty='<script>alert("1")<\/script> \& 50 % of #1 _x_ {y} \\ ~ ^2 | [z]'
sed -i "s/^cpu_model,.*/cpu_model,$nasty/" trial/run.csv
sed -i "/^cpu_model,/s/\"/\"\"/g; /^cpu_model,/s/,\(.*\)/,\"\1\"/" trial/run.csv
sed -i '/^gpu_name,/d' trial/run.csv # the title names the processor, with or without a GPU
sed -i '/^trial-digits,.*,10,status,/s/,[^,]*$/,failed: <b>no<\/b> \& | never [x]/' trial/measured.csv
point 'report of it' gives 4 "$trial" report trial --format latex
point 'its page' check_page trial
point 'what was nasty is there' grep -qF '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; 50' \
    trial/index.html
point 'and in the Markdown' grep -qF '50 % of #1 _x_ {y} \ ~ ^2 \| [z] |' trial/report.md
point 'which has no HTML' sh -c "! sed 's/\\\\<//g' trial/report.md | grep '<'"
point 'run of faults and cheats' gives 1 "$trial" run trial-faults trial-cheats ceilings --quick \
    --size smoke --timeout 2 --out faults
point 'report of it' gives 1 "$trial" report faults --format latex
point 'its page' check_page faults
point 'run of small sizes' gives 0 "$reprise" run 'bvp2010-table[13]*' 'cf2011-figure2' \
    'par-convergence' --size smoke --quick --out small
point 'report of it' gives 0 "$reprise" report small --format latex
point 'its page' check_page small
for run in "$here"/../results/*/*/; do
    test -f "$run/samples.csv.gz" || continue # the user's own runs, perhaps not finished
    name=$(basename "$run")
    mkdir "$name" && cp -r "$run"/{run.csv,samples.csv.gz} "$name"
    test -d "$run/fields" && cp -r "$run/fields" "$name"
    grep -q '^exhibits,.*bvp2010.*cf2011' "$run/run.csv" && whole=$name
    # 0, or 4 where a cell differs
    "$reprise" report "$name" --format latex >out 2>err
    point "report of the kept run $name" test $? -ne 1
    point 'its page' check_page "$name"
done
steps() # STEPS-EXHIBIT VARIANT METRIC: of mean-curvature flow at 1024^2 in double
{
    sed -n "s/^$1,mcf,$2,double,[^,]*,1024,$3,value,\([^,]*\),.*/\1/p" "$whole"/measured.csv
}
projection=$(echo "$(steps cf2011-steps cpu1 time_per_step) $(steps cf2011-mcf gpu steps)" |
    awk 'NF == 2 { printf "%.4g", $1 * $2 }')
point 'what no plan has is projected' grep -qF "| projected $projection |" "$whole"/report.md
point 'and drawn' grep -q "^projected = '.* cpu1,1024,[0-9]" "$whole"/figures/cf2011-table6.gp
point 'steps stand beside right-hand sides' \
    grep -qE '^\|  \| steps_accepted( \| ([0-9]+|-))+ \|$' "$whole"/report.md
for title in "the paper's own" "the paper's own, over other code" limits; do
    point "ten curves: a panel for $title" grep -qF "<text>$title</text>" \
        "$whole"/figures/wr2014-fig4.1.svg
done
point 'an occupancy is compared' grep -q \
    '^cf2011-table1-occupancy,mcf,gpu,single,512,occupancy,0.33,1,,,compared,' \
    "$whole"/compared.csv
point 'report without gnuplot' gives 0 env PATH=/nowhere "$reprise" report small
point 'its page' check_page small
fault='gnuplot is not installed; `make setup` installs it.'
if test -e small/figures/roofline.svg; then
    point 'it says so' grep -qF "<p>The figure was not drawn again, and is of an earlier report: $fault" \
        small/index.html
    mv small/figures drawn && mkdir small/figures
    point 'nor are there others' gives 0 env PATH=/nowhere "$reprise" report small
    point 'its page' check_page small
fi
point 'it says so' grep -qF "<p>The figure was not drawn: $fault" small/index.html

# --- a run that was sent around without what can be made of it, to a program that makes another
# measured.csv of its samples ---

if command -v gnuplot >out; then
    point 'errors and surfaces' gives 0 "$reprise" run wr2014-error cf2011-figure2 --size smoke \
        --quick --out sent
    point 'report of it' gives 0 "$reprise" report sent
    point 'keep' gives 0 "$reprise" keep sent
    rm sent/measured.csv && sed -i 's/^measured.csv,.*/measured.csv,12345678/' sent/checksums.csv
    cp -r sent whole
    point 'report again' gives 0 "$reprise" report sent
    for file in figures fields run.csv samples.csv.gz checksums.csv; do
        point "$file is the same" diff -r sent/$file whole/$file
    done
    rm sent/figures/*
    point 'and of that alone' gives 0 "$reprise" report sent
    point 'the figures are the same' diff -r sent/figures whole/figures
    mkdir path && printf '#!/bin/sh\nexit 3\n' >path/gnuplot && chmod +x path/gnuplot
    point 'a gnuplot that fails' gives 0 env PATH="$PWD/path:$PATH" "$reprise" report sent
    point 'takes no figure away' diff -r sent/figures whole/figures
    point 'it says so' grep -q ': 3 figures were not drawn: gnuplot failed, with exit status 3' err
    rm -r sent/fields sent/figures
    point 'without the surfaces' gives 0 "$reprise" report sent
    point 'it says what is missing' grep -q ': 1 figure was not drawn: the answers to draw are not in' err
    point 'the others are the same' cmp {sent,whole}/figures/wr2014-error.svg
fi
point 'without --format no LaTeX is written' sh -c \
    "rm trial/tables/*.tex; '$trial' report trial; ! ls trial/tables/*.tex"
point 'another format is refused' gives 2 "$trial" report trial --format latxe
point 'by a sentence' grep -q 'has one of summary,text,latex' err
point 'report with all again' gives 0 "$reprise" report small --format latex
gives 4 "$trial" report trial --format latex

# --- the check itself ---

point 'a digit that differs is noticed' planted trial '0,/^| 2000 /s//| 2001 /' report.md
point 'so is one in the LaTeX' planted trial '0,/^2000 /s//2001 /' tables/trial-good.tex
point 'so is one in compared.csv' planted trial '2s/,1000,/,1001,/' compared.csv
point 'a link to nothing' planted trial '0,/href="#r/s//href="#s/' index.html
point 'a link to another row' planted trial '0,/href="#r2"/s//href="#r9"/' index.html
point 'a claim that leads to no row' planted trial \
    '0,/<a href="#r[0-9]*">\([0-9]* of [^<]*\)<\/a>/s//\1/' index.html
point 'or to one of another exhibit' planted trial \
    '0,/<a href="#r[0-9]*">\([0-9]* of trial-view\)/s//<a href="#r2">\1/' index.html
point 'an id twice' planted trial 's/id="r3"/id="r2"/' index.html
point 'a row that is missing' planted trial '0,/^<tr>.*<\/tr>$/s///' index.html
point 'a script' planted trial 's/<main>/<main><script>1<\/script>/' index.html
point 'something to fetch' planted trial 's/<main>/<main><img src="x.png"\/>/' index.html
point 'a tag that is not closed' planted trial 's/<main>/<main><p>/' index.html

# --- drawn again elsewhere, from what a run leaves alone ---

mkdir -p elsewhere/deeper
for run in trial small; do
    program=$reprise
    test $run = trial && program=$trial
    mkdir "elsewhere/deeper/$run"
    cp -r $run/{run,measured}.csv "elsewhere/deeper/$run"
    test -d $run/fields && cp -r $run/fields "elsewhere/deeper/$run"
    (
        cd elsewhere/deeper || exit 1
        umask 077
        env -i PATH="$PATH" HOME=/nowhere TZ=Asia/Tokyo LANG=C.UTF-8 COLUMNS=40 SOURCE_DATE_EPOCH=1 \
            "$program" report "$run" --format latex >out 2>err
    )
    point "$run, drawn again elsewhere, has the same bytes" diff -r -x log -x samples.csv \
        -x checksums.csv $run "elsewhere/deeper/$run"
done
if command -v gnuplot >out; then
    point 'a figure is among them' test -s elsewhere/deeper/small/figures/cf2011-figure2.svg
    point 'and a roofline' grep -q '>operations a byte of the least traffic<' \
        elsewhere/deeper/small/figures/roofline.svg
fi

# --- LaTeX ---

if command -v pdflatex >out && kpsewhich longtable.sty booktabs.sty >out; then
    {
        printf '%s\n' '\documentclass{article}' '\usepackage{booktabs,longtable}' '\begin{document}'
        printf '\\input{%s}\n' {trial,small}/tables/*.tex
        printf '%s\n' '\end{document}'
    } >tables.tex
    point 'LaTeX compiles' gives 0 pdflatex -interaction=nonstopmode -halt-on-error tables.tex
else
    points=$((points + 1))
    echo "ok $points - LaTeX compiles # SKIP no LaTeX"
fi

# --- a browser ---

# browse FILE OPTION...: the page as the browser has it at the end
find_browser

# look FOLDER WIDTH COLOURS: what the browser makes of the page, in the file seen; its console in
# err. The probe, which the page has not, writes it down.
look()
{
    local colours=1 # light
    test "$3" = dark && colours=0
    sed "/^<\/body>/e cat '$here/probe.html'" "$1/index.html" >"$1/probed.html"
    browse "$1/probed.html" --blink-settings=preferredColorScheme=$colours --window-size="$2,800" |
        sed -n 's/^<html.* data-seen="\([^"]*\)".*/\1/p' | tr ' ' '\n' >seen
    test -s seen
}

has()
{
    grep -qx -e "$1" seen
}

if test -n "$browser"; then
    for run in small "$whole"; do
        for width in 390 1280; do
            for colours in light dark; do
                name="$run, $width pixels, $colours"
                point "$name: opens" look $run $width $colours
                # Chromium with a window has none below 500.
                point "$name: that wide" has "width=\($width\|500\)"
                point "$name: those colours" has "dark=$(test $colours = dark && echo true ||
                    echo false)"
                point "$name: its rows" has "rows=$(grep -o '<tr\>' $run/index.html | wc -l)"
                point "$name: no link leads nowhere" has dangling=0
                point "$name: the page is not wider than the screen" has wider=false
                point "$name: nothing is pale" has pale=0
                point "$name: its figures" has "figures=$(grep -c '^!\[' $run/report.md)"
                point "$name: all are drawn" has undrawn=0
                point "$name: with their marks" has unused=0
                point "$name: on a light card" has card=true
                point "$name: nothing is fetched" has fetched=0
                point "$name: a link unfolds its row" has unfolded=true
                point "$name: a silent console" sh -c '! grep CONSOLE err'
            done
        done
    done
    rm -rf planted && cp -r small planted
    sed -i 's/^<main>/<main><p style="width:2000px;color:#bbb">wide<\/p><script>missing()<\/script>/
        0,/href="#r/s//href="#s/' planted/index.html
    point 'what is planted' look planted 390 light
    point 'is noticed: a link to nothing' has dangling=1
    point 'is noticed: a wide page' has wider=true
    point 'is noticed: pale words' has pale=1
    point 'is noticed: an error on the console' grep -q 'CONSOLE.*missing is not defined' err
else
    points=$((points + 1))
    echo "ok $points - the page in a browser # SKIP no Chromium that starts"
fi

finish
