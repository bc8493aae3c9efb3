"""What a report wrote, read back: check_page.py FOLDER. Prints one line for each fault, and at the
end how many tables, rows, links and figures it saw; exits 1 if there is a fault or too little.

index.html is well-formed, is whole in itself, its links and ids resolve, its tables are for those
too who hear them; it has the words of report.md, the LaTeX those of tables/*.md, and a number leads
to the row of compared.csv that it is from.
"""
import csv
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

folder = pathlib.Path(sys.argv[1])
faults = []


def expect(good, fault):
    if not good:
        faults.append(fault)


def words_of(element):
    return " ".join("".join(element.itertext()).split())


def local(name):
    return name.rpartition("}")[2]


def table_words(table):
    """Rows of words; what spans several rows stands in the first of them."""
    rows, spans = [], 0
    for tr in table.iter("tr"):
        cells = [words_of(cell) for cell in tr]
        if spans > 0:
            cells.insert(0, "")
            spans -= 1
        elif len(tr) > 0:
            spans = int(tr[0].get("rowspan", 1)) - 1
        rows.append(cells)
    return rows


def markdown_tables(text):
    tables, inside = [], False
    for line in text.split("\n"):
        if line.startswith("| "):
            if not inside:
                tables.append([])
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            if not set(line) <= set("|-: "):
                tables[-1].append([" ".join(c.replace("\\|", "|").split()) for c in cells])
        inside = line.startswith("| ")
    return tables


def latex_tables(text):
    tables = []
    for body in re.findall(r"\\toprule\n(.*?)\\bottomrule", text, re.S):
        rows = re.findall(r"^(.*)\\\\$", body, re.M)
        tables.append([[plain(c) for c in re.split(r"(?<!\\)&", row)] for row in rows])
    return tables


def plain(latex):
    for tex, character in (("{[}", "["), (r"\textasciicircum{}", "^"), (r"\textasciitilde{}", "~"),
                           (r"\textbackslash{}", "\0")):
        latex = latex.replace(tex, character)
    return " ".join(re.sub(r"\\([{}$&#%_])", r"\1", latex).replace("\0", "\\").split())


text = (folder / "index.html").read_text(encoding="utf-8")
page = tree.fromstring(text)
elements = list(page.iter())
main = page.find("body/main")
rows_section = main.find("section[@class='rows']")
tables = [t for t in main.iter("table")]
listed = [t for t in rows_section.iter("table")]
shown = [t for t in tables if t not in listed]

# One file that fetches nothing and runs nothing.
for element in elements:
    name = local(element.tag)
    expect(name not in ("script", "link", "iframe", "object", "embed", "base"), f"a <{name}>")
    for key, value in element.attrib.items():
        key = local(key)
        expect(not key.startswith("on"), f"a handler: {key}")
        expect(key != "src" or value.startswith("data:"), f"src={value}")
        expect(key != "href" or value.startswith(("#", "data:")), f"href={value}")
expect("@import" not in text and not re.search(r"url\((?![\"']?(#|data:))", text), "url(...)")

# Ids and what refers to them.
ids = [e.get("id") for e in elements if e.get("id") is not None]
expect(len(ids) == len(set(ids)), f"ids twice: {sorted({i for i in ids if ids.count(i) > 1})[:5]}")
links = [v[1:] for e in elements for k, v in e.attrib.items() if local(k) == "href" and v[0] == "#"]
uses = re.findall(r"url\([\"']?#([^)\"']*)", text)
for link in set(links + uses) - set(ids):
    faults.append(f"nothing has the id {link}")
sections = [h.get("id") for h in main.iter("h2")]
contents = [a.get("href") for a in page.find("body/nav").iter("a")]
expect(contents == ["#" + s for s in sections], "the contents are not the sections")

# Tables.
for table in tables:
    caption = table.find("caption")
    name = words_of(caption) if caption is not None else "?"
    expect(name not in ("", "?"), "a table without caption")
    widths = {len(row) for row in table_words(table)}
    expect(len(widths) == 1, f"{name}: rows of {widths} columns")
    for th in table.find("thead").iter("th"):
        expect(th.get("scope") == "col", f"{name}: a head without scope")
    for body in table.findall("tbody"):
        for row in body:
            heads = [c.get("scope") for c in row if c.tag == "th"]
            expect(heads and set(heads) <= {"row", "rowgroup"}, f"{name}: a row without head")
        groups = [c for c in body.iter("th") if c.get("scope") == "rowgroup"]
        expect(len(groups) <= 1 and all(int(g.get("rowspan")) == len(body) for g in groups),
               f"{name}: a group that is no body")

# The same words as in the other formats.
markdown = (folder / "report.md").read_text(encoding="utf-8")
expect([table_words(t) for t in shown] == markdown_tables(markdown), "tables unlike report.md's")
for title in re.findall(r"^##? (.*)$", markdown, re.M):
    heads = [words_of(h) for tag in ("h1", "h2") for h in page.iter(tag)]
    expect(" ".join(title.split()) in heads, f"no section {title}")
figures = re.findall(r"!\[.*\]\(figures/(.*)\.svg\)", markdown)
expect(len(main.findall(".//figure")) == len(figures), "figures unlike report.md's")
last_line = markdown.rstrip("\n").split("\n")[-1]
expect(words_of(page.find("body/header/p[@class='verdict']")) == last_line, "it does not begin by the verdict")
latex = 0
for path in sorted((folder / "tables").glob("*.tex")):
    ours = latex_tables(path.read_text(encoding="utf-8"))
    latex += len(ours)
    same = path.with_suffix(".md").read_text(encoding="utf-8")
    expect(ours == markdown_tables(same), f"{path.name} is unlike the Markdown")

# A number leads to its row; a row is that of compared.csv, and of jobs of measured.csv.
with open(folder / "compared.csv", encoding="utf-8", newline="") as file:
    compared = list(csv.reader(file))
with open(folder / "measured.csv", encoding="utf-8", newline="") as file:
    measured = list(csv.reader(file))
rows = {tr.get("id"): tr for t in listed for tr in t.iter("tr") if tr.get("id")}
expect(len(rows) == len(compared) - 1, f"{len(rows)} rows, compared.csv has {len(compared) - 1}")
for name, tr in rows.items():
    cells = [words_of(c) for c in tr]
    row = [" ".join(field.split()) for field in compared[int(name[1:]) - 1]]
    expect(cells[1:-1] == row[1:], f"row {name} is not that of compared.csv")
    for first, last in re.findall(r"(\d+)-(\d+)", cells[-1]):
        job = measured[int(first) - 1:int(last)]
        n = {r[5] for r in job}
        expect({r[1] for r in job} == {row[1]} and (n == {row[4]} or " " in row[4]) and
               job[-1][6] == "status" and {r[2] for r in job} <= set(row[2].split("/")),
               f"row {name}: lines {first}-{last} of measured.csv are of another job")
numbers = 0
for table in shown:
    words = table_words(table)
    if words[0][-1] == "line of measured.csv":
        for row in words[1:]:
            there = measured[int(row[-1]) - 1]
            job = there[:4] + there[5:6]
            right = (job[2:] == row[:3] and there[6:8] == ["time", "value"] if words[0][0] == "ceiling"
                     else job == row[:5] and there[6:8] == ["energy", "value"])
            expect(right, f"line {row[-1]} of measured.csv is not of {row[0]}")
    if words[0][0] != "n":
        continue # not of an exhibit
    n = ""
    rate = re.search(r" in ([GM])\S+/s ", words_of(table.find("caption"))) # rows have SI units
    unit = {"G": 1e9, "M": 1e6}[rate.group(1)] if rate else 1
    for tr, row in zip(table.iter("tr"), words):
        n = row[0] or n
        for cell in tr.iter("td"):
            a = cell.find("a")
            if not re.search(r"\d", words_of(cell)):
                continue
            numbers += 1
            target = rows.get(a.get("href")[1:]) if a is not None else None
            expect(target is not None and words_of(target[4]) == n,
                   f"{words_of(table.find('caption'))}, n = {n}: {words_of(cell)} leads elsewhere")
            if target is None or row[1] not in ("published", "reproduced"):
                continue
            there = words_of(target[6 if row[1] == "published" else 7])
            if words_of(cell).startswith("projected "):
                expect(not re.search(r"\d", there), f"{there} was measured, not projected")
                continue
            expect(abs(float(words_of(cell).split()[0]) * unit / float(there) - 1) < 1e-3,
                   f"{words_of(cell)} is not what is in its row: {there}")
expect(len(text) < 4.2e6, f"{len(text)} bytes")
for fault in faults[:20]:
    print(fault)
print(f"{len(shown)} tables with {sum(len(list(t.iter('tr'))) for t in shown)} rows, {latex} in "
      f"LaTeX, {numbers} numbers, {len(links)} links, {len(figures)} figures, {len(rows)} rows of "
      f"compared.csv, {len(text)} bytes")
sys.exit(1 if faults or len(tables) == 0 or len(links) == 0 else 0)
