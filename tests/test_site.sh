#!/usr/bin/env bash
# A site over runs: its pages and links, its sentences, what it refuses and keeps, and how it looks in
# a browser at two widths, light and dark.
# test_site.sh REPRISE REPRISE-TRIAL, from anywhere. Without Chromium those points are skipped, and
# without axe-core (npm install axe-core, here or globally) what that checks.
set -u
reprise=$(realpath "$1") trial=$(realpath "$2") here=$(realpath "$(dirname "$0")")
. "$here/tap.sh"

check_site()
{
    python3 "$here/check_site.py" "$@"
}

# planted SED FILE: the check notices a change of the file
planted()
{
    rm -rf planted && cp -r site planted && sed -i "$1" "planted/$2" &&
        ! cmp -s "site/$2" "planted/$2" && ! check_site planted
}

# --- a site of two runs of the trial ---

mkdir -p runs/machine
point 'a run' gives 0 "$trial" run trial-good trial-view trial-digits trial-steps --quick \
    --size smoke --out runs/machine/one
point 'another one' gives 1 "$trial" run trial-faults --quick --size smoke --timeout 6 --out runs/two
point 'a site over the folder above them' gives 0 "$trial" site runs --out site
point 'it names its front page' grep -qx 'site/index.html' out
point 'its pages' check_site site
point 'the front page leads to both runs' sh -c \
    'test "$(grep -o "href=\"./[^\"]*/index.html\"" site/index.html | sort -u | wc -l)" -eq 2'
point 'and has the paper by its title' grep -q '>trial: On Sums<' site/index.html
point 'a page is named after the paper' grep -qF '<title>On Sums</title>' site/trial.html
point 'nothing is written into a run' sh -c '! ls runs/two/index.html runs/two/figures'
point 'no fields are left' sh -c 'test -z "$(find site -type l)"'
nasty='<script>alert("1")<\/script> \& 50 % of #1 _x_ {y} \\ ~ ^2 | [z]'
edited runs/two
sed -i "s/^cpu_model,.*/cpu_model,$nasty/" runs/two/run.csv
sed -i "/^cpu_model,/s/\"/\"\"/g; /^cpu_model,/s/,\(.*\)/,\"\1\"/" runs/two/run.csv
point 'whatever a name holds' gives 0 "$trial" site runs/two --out nasty
point 'is text' check_site nasty
strange='run#2 "<b onclick=1>'"'"'%41?&.ü|:'
cp -r runs/two "$strange"
point 'a folder of any name' gives 0 "$trial" site runs/machine/one "$strange" --out strange
point 'is linked to, and its name is text' check_site strange
point 'it has a page' test -s strange/*/"$strange"/index.html
point 'its name is on the front page' grep -qF 'run#2 &quot;&lt;b onclick=1&gt;&#39;%41?&amp;.ü|:' strange/index.html
# Alike but for the machine's name, whose order does not tell, and the time.
for name in Aa Zz; do
    mkdir -p lead && cp -r runs/machine/one lead/$name
    edited lead/$name
    sed -i "s/^cpu_model,.*/cpu_model,$name/; s/^gpu_name,..*/gpu_name,emulated on $name/" \
        lead/$name/run.csv
done
sed -i 's/^start,.*/start,2020-01-01T00:00:00Z/' lead/Aa/run.csv
point 'of two machines' gives 0 "$trial" site lead --out leading
point 'the one with the newest run has the sentences' grep -q 'On Sums</a>, on [^.]*Zz' leading/index.html
cp -r runs/machine/one '<b>one'
point 'comparison of one, in Markdown' gives 4 "$trial" compare '<b>one' runs/machine/one --format markdown
point 'names it' grep -qF 'b>one' out
point 'and has no HTML' sh -c "! sed 's/\\\\<//g' out | grep '<'"

# --- the check itself ---

point 'a link to nothing is noticed' planted '0,/href="\.\//s//href=".\/x/' index.html
point 'a page that is not well-formed' planted 's/<main>/<main><p>/' trial.html
point 'something to fetch' planted 's/<main>/<main><img alt="" src="https:\/\/x.org\/x.png"\/>/' \
    trial.html
point 'a script of its own' planted 's/<main>/<main><script>1<\/script>/' trial.html
point 'a claim that leads to no row' planted 's/<a href="[^"]*">\([0-9]* of [^<]*\)<\/a>/\1/' trial.html
point 'or to one of another exhibit' planted 's/trial-view\.html#r[0-9]*">/trial-good.html#r2">/' trial.html
point 'or to one of another variant' planted 's/\(Rows of \)good /\1slow /' trial.html
page=$(cd site && echo */one/index.html)
point 'or that of a run' planted 's/<a href="[^"]*">\([0-9]* of [^<]*\)<\/a>/\1/' "$page"

# --- what is refused, and what stays ---

point 'no folder' refuses 2 'takes folders of runs' "$trial" site
point 'no name to write to' refuses 2 '--out needs the name of a folder' "$trial" site nowhere --out ''
point 'none of that name' refuses 2 'nowhere is no folder' "$trial" site nowhere --out new
mkdir empty
point 'an empty one' refuses 2 'empty has no runs' "$trial" site empty --out new
point 'a folder of another kind' refuses 2 'is not empty, and no site' "$trial" site runs --out runs
point 'a file in its place' refuses 2 'out is no folder' "$trial" site runs --out out
point 'nothing was made' sh -c '! ls -d new *.part-* *.old-*'
echo mine >site/CNAME
cp -r runs more && cp site/index.html before.html
point 'a site is written anew' gives 0 "$trial" site more/machine/one --out site/
point 'its old pages are gone' sh -c 'test "$(find site -name run.csv -o -name two | wc -l)" -eq 0'
point 'what is the owner'"'"'s stays' grep -qx mine site/CNAME
point 'its pages' check_site site
point 'into an empty folder' gives 0 "$trial" site runs --out empty
sed -i '2s/,.*/,/' more/machine/one/samples.csv
edited more/machine/one
rm -f more/machine/one/measured.csv
point 'a run that cannot be read is left out' gives 0 "$trial" site more --out site
point 'and that is said' grep -q '^left out: more/machine/one' err
point 'on the front page too' grep -q 'Left out, because' site/index.html
point 'alone it is refused' gives 1 "$trial" site more/machine/one --out site
point 'by a sentence' test "$(wc -l <err)" -eq 1
point 'and the site is as it was' check_site site
# As if the disk were full after so many bytes of a file.
point 'a full disk' sh -c "ulimit -f 8; trap '' XFSZ; ! '$trial' site runs --out site >out 2>err"
point 'by a sentence' grep -q '^reprise' err
point 'and the site is as it was' check_site site
point 'nothing is left beside it' sh -c '! ls -d *.part-* *.old-*'
point 'without gnuplot' gives 0 env PATH=/nowhere "$trial" site runs --out site
point 'its pages' check_site site

# --- of the real papers ---

point 'run of small sizes' gives 0 "$reprise" run 'bvp2010-table[13]*' 'cf2011-figure2' \
    'par-convergence' --size smoke --quick --out small

# --- one that is ended before it is there, and what it leaves ---

# gone FILE...: within some seconds
gone()
{
    local i
    for ((i = 0; i < 200; i++)); do
        test ! -e "$1" && return
        sleep 0.05
    done
    return 1
}

point 'a site of small sizes' gives 0 "$reprise" site small --out stopped
mkdir path
printf '#!/bin/sh\n: >%s/begun-to-draw\nexec sleep 1000\n' "$PWD" >path/gnuplot && chmod +x path/gnuplot
for signal in TERM INT HUP KILL; do
    rm -f begun-to-draw
    # a shell's own children in the background do not hear of Ctrl-C, nor those of nohup of HUP
    env --default-signal=INT --default-signal=HUP PATH="$PWD/path:$PATH" "$reprise" site small --out stopped >out 2>err &
    pid=$!
    for ((i = 0; i < 600; i++)); do
        test -e begun-to-draw && break
        sleep 0.05
    done
    point "$signal: it is being made" test -d stopped.part-$pid
    point "$signal: another one does not take it away" gives 0 "$reprise" site small --out stopped
    point "$signal: it is there" test -d stopped.part-$pid
    kill -s $signal $pid
    wait $pid 2>/dev/null
    point "$signal: ends it" test $? -gt 128
    point "$signal: nothing is left of it" gone stopped.part-$pid
    point "$signal: the site is as it was" check_site stopped
done
mkdir stopped.part-{1,2,3x} stopped.part-2/machine other.part-1
: >stopped.part-1/.reprise-site
point 'after all was killed' gives 0 "$reprise" site small --out ./stopped/
point 'what was left is removed' test ! -e stopped.part-2
point 'but for one that may have its owner'"'"'s files' test -d stopped.part-1
point 'and what is another one'"'"'s' test -d stopped.part-3x -a -d other.part-1
rm -r stopped.part-* other.part-1

# --- of a kept run, too ---

kept=
for run in "$here"/../results/*/*/; do
    test -f "$run/samples.csv.gz" || continue # the user's own runs, perhaps not finished
    grep -q '^exhibits,bvp2010' "$run/run.csv" && kept=$run && break
done
point 'site of it and of a kept run' gives 0 "$reprise" site small ${kept:+"$kept"} --out real
point 'its pages' check_site real
if test -n "$kept"; then
    page=real/bvp2010.html
    point 'it says how many digits agree' grep -q 'Table I: [0-9]* of 25 errors to all 7 digits' $page
    point 'and how much faster it is' grep -q 'times as fast as on the GTX260; the memory is' $page
    point 'and over the best CPU code' grep -q 'of today that is no less precise, [^,]*, it is' $page
    point 'claims are sentences' grep -q '&quot;A2D is much faster than A1D&quot;: here it' $page
    point 'which lead to rows, of two tables' grep -q \
        'Rows of A2D beside A1D: <a href="[^"]*">5 of bvp2010-table3</a>, <a [^>]*>5 of bvp2010-table4</a>' $page
    point 'nothing is reproduced where nothing could differ' sh -c \
        '! grep -o "REPRODUCED: [0-9]* times" real/index.html'
fi

# --- a browser ---

find_browser
axe=
for file in "$here/../node_modules" "$(npm root -g 2>/dev/null)"; do
    test -s "$file/axe-core/axe.min.js" && axe=$file/axe-core/axe.min.js && break
done

# look PAGE WIDTH COLOURS: what the browser makes of it in a frame, in the file seen
look()
{
    local colours=1 # light
    test "$3" = dark && colours=0
    {
        test -n "$axe" && { echo '<script>' && cat "$axe" && echo '</script>'; }
        cat "$here/probe_site.html"
    } >injected.html
    sed '/^<\/body>/e cat injected.html' "$1" >"$(dirname "$1")/probed.html"
    sed "s|PAGE|file://$PWD/$(dirname "$1")/probed.html|; s/WIDTH/$2/" "$here/frame.html" >frame.html
    browse frame.html --blink-settings=preferredColorScheme=$colours --window-size=1400,900 |
        sed -n 's/^<html.* data-seen="\([^"]*\)".*/\1/p' | tr ' ' '\n' >seen
    rm "$(dirname "$1")/probed.html"
    test -s seen
}

has()
{
    grep -qx -e "$1" seen
}

if test -n "$browser"; then
    pages=$(cd real && echo index.html machines.html bvp2010.html */*/index.html \
        */*/bvp2010-table3.html)
    for page in $pages; do
        for width in 420 1280; do
            for colours in light dark; do
                name="$page, $width pixels, $colours"
                point "$name: opens" look "real/$page" $width $colours
                point "$name: that wide" has "width=$width"
                point "$name: those colours" has "dark=$(test $colours = dark && echo true ||
                    echo false)"
                point "$name: the page is not wider than the screen" has wider=false
                point "$name: nothing is pale" has pale=0
                point "$name: all figures are drawn" has undrawn=0
                point "$name: none is cut" has cut=0
                point "$name: none is bright in the dark" has bright=0
                point "$name: a wide table keeps its first column" has 'sticks=\(true\|none\)'
                point "$name: tables are sorted" has 'sorted=\(true\|none\)'
                point "$name: and filtered" has 'filtered=\(true\|none\)'
                test -n "$axe" && point "$name: axe-core objects to nothing" has axe=0
            done
        done
    done
    look "real/index.html" 420 light
    point 'a table was sorted' has sorted=true
    test -n "$axe" || {
        points=$((points + 1))
        echo "ok $points - accessibility # SKIP no axe-core"
    }
else
    points=$((points + 1))
    echo "ok $points - the site in a browser # SKIP no Chromium that starts"
fi

finish
