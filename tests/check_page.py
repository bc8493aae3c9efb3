"""What a report wrote, read back: check_page.py FOLDER. Prints one line for each fault, and at the
end how many tables, rows, links and figures it saw; exits 1 if there is a fault or too little.

index.html is well-formed, is whole in itself, its links and ids resolve, its tables are for those
too who hear them; it has the words of report.md, the LaTeX those of tables/*.md, and a number leads
to the row of compared.csv that it is from, a claim to those that it was judged on.
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
                tables[-1].append([" ".join(c.replace("\\|", "|").replace("\\<", "<").split()) for c in cells])
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
    # A head without scope is one of a column, or of a row, where nothing else is in its row, or in
    # its column.
    expect({c.tag for c in table.find("thead/tr")} == {"th"}, f"{name}: a column without head")
    for body in table.findall("tbody"):
        for row in body:
            tags = "".join(c.tag for c in row)
            expect(re.fullmatch("(th)+(td)+", tags), f"{name}: a row without head")
        groups = [c for c in body.iter("th") if c.get("scope") == "rowgroup"]
        expect(len(groups) <= 1 and all(int(g.get("rowspan")) == len(body) for g in groups),
               f"{name}: a group that is no body")

# The same words as in the other formats.
markdown = (folder / "report.md").read_text(encoding="utf-8")
expect([table_words(t) for t in shown] == markdown_tables(markdown), "tables unlike report.md's")
for title in re.findall(r"^##? (.*)$", markdown, re.M):
    heads = [words_of(h) for tag in ("h1", "h2") for h in page.iter(tag)]
    expect(" ".join(title.replace("\\<", "<").split()) in heads, f"no section {title}")
figures = re.findall(r"!\[.*\]\(figures/(.*)\.svg\)", markdown)
expect(len(main.findall(".//figure")) == len(figures), "figures unlike report.md's")
last_line = markdown.rstrip("\n").split("\n")[-1]
expect(words_of(page.find("body/header/p[@class='verdict']")) == last_line.replace("\\<", "<"), "it does not begin by the verdict")
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
head = compared[0]
expected = {f"r{i + 2}" for i, row in enumerate(compared[1:]) if row[7]}
rows = {} # by id, as fields of compared.csv; those that a table has not are the same in all its rows
for details in rows_section.findall("details"):
    table = details.find(".//table")
    common = details.find("p")
    common = words_of(common) if common is not None else ""
    names = [words_of(c) for c in table.find("thead/tr")]
    exhibit = words_of(table.find("caption"))
    for tr in table.findall("tbody/tr"):
        cells = dict(zip(names, [words_of(c) for c in tr]))
        # The first is a job's name, of what is not the same in all rows; a variant A/B has a slash.
        parts, keys = cells[names[0]].split("/"), names[0].split("/")
        if "variant" in keys:
            k = keys.index("variant")
            parts[k:len(parts) - len(keys) + k + 1] = ["/".join(parts[k:len(parts) - len(keys) + k + 1])]
        cells.update(zip(keys, parts))
        for name in set(head[1:]) - set(names[1:]) - set(keys):
            said = re.search(f"(?:^|; ){name}: (.*?)(?=$|; (?:{'|'.join(head)}): )", common)
            cells[name] = said.group(1) if said else ""
        cells["exhibit"] = exhibit
        rows[tr.get("id")] = cells
expect(set(rows) == expected, f"{len(rows)} rows, compared.csv has {len(expected)} that were measured")


def same_field(name, there, here):
    digits = {"reproduced": 1e-9, "ci_lo": 1e-5, "ci_hi": 1e-5}.get(name)
    if digits is None or "" in (there, here):
        return there == here
    return abs(float(here) - float(there)) <= digits * abs(float(there))


for name, cells in rows.items():
    row = [" ".join(field.split()) for field in compared[int(name[1:]) - 1]]
    for field, there in zip(head, row):
        expect(same_field(field, there, cells[field]), f"row {name} is not that of compared.csv")
    for first, last in re.findall(r"(\d+)-(\d+)", cells["lines of measured.csv"]):
        job = measured[int(first) - 1:int(last)]
        n = {r[5] for r in job}
        expect({r[1] for r in job} == {row[1]} and (n == {row[4]} or " " in row[4]) and
               job[-1][6] == "status" and {r[2] for r in job} <= set(row[2].split("/")),
               f"row {name}: lines {first}-{last} of measured.csv are of another job")
# A claim leads to as many rows as it was judged on, by exhibit.
for claims in [t for t in shown if words_of(t.find("caption")) == "Claims"]:
    for tr in claims.findall("tbody/tr"):
        claim, here = words_of(tr[0]), re.search(r", \d+ of (\d+)", words_of(tr[3]))
        there = {words_of(a): rows.get(a.get("href")[1:], {}) for a in tr[4].iter("a")}
        expect(sum(int(said.split()[0]) for said in there) == (int(here.group(1)) if here else 0),
               f"{claim}: {words_of(tr[3])}, but it leads to {list(there)}")
        for said, row in there.items():
            expect(row.get("exhibit") == said.split()[-1], f"{claim}: {said} leads elsewhere")
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
    n, above = "", {}
    rate = re.search(r" in ([GM])\S+/s ", words_of(table.find("caption"))) # rows have SI units
    unit = {"G": 1e9, "M": 1e6}[rate.group(1)] if rate else 1
    for tr, row in zip(table.iter("tr"), words):
        n = row[0] or n
        above = {} if row[0] else above
        name = next((a for th in tr.findall("th") for a in th.iter("a")), None)
        for k, cell in enumerate(reversed(list(tr))):
            said = words_of(cell)
            head = words[0][len(words[0]) - 1 - k]
            # What was printed leads nowhere, nor does what was not measured.
            if cell.tag == "th" or not re.search(r"\d", said) or \
               re.search("(^|, )printed($|, )", head) or \
               re.search("^projected|NOT MEASURED$", said) and cell.find("a") is None:
                continue
            numbers += 1
            # Itself, or the row's name, or the number above that it is made of.
            a = next((a for a in (cell.find("a"), name) if a is not None), above.get(k))
            above[k] = a
            target = rows.get(a.get("href")[1:]) if a is not None else None
            expect(target is not None and target["n"] == n,
                   f"{words_of(table.find('caption'))}, n = {n}: {said} leads elsewhere")
            if target is None or row[1] != "reproduced":
                continue
            expect(cell.find("a") is not None, f"{said} leads nowhere")
            expect(abs(float(said.split()[0]) * unit / float(target["reproduced"]) - 1) < 1e-3,
                   f"{said} is not what is in its row: {target['reproduced']}")
expect(not [t for t in main.iter() if t.tag.endswith("title")], "a figure says gnuplot's titles")
# Small enough to send: gnuplot's figures, of which surfaces are the largest, and little beside them.
drawn = [file.stat().st_size for file in (folder / "figures").glob("*.svg")]
most = 100e3 + sum(drawn) + 230 * len(list(main.iter("tr")))
expect(max(drawn, default=0) < 600e3, f"a figure of {max(drawn, default=0)} bytes")
expect(len(text) < most, f"{len(text)} bytes, more than {most:.0f}")
for fault in faults[:20]:
    print(fault)
print(f"{len(shown)} tables with {sum(len(list(t.iter('tr'))) for t in shown)} rows, {latex} in "
      f"LaTeX, {numbers} numbers, {len(links)} links, {len(figures)} figures, {len(rows)} rows of "
      f"compared.csv, {len(text)} bytes")
sys.exit(1 if faults or len(tables) == 0 or len(links) == 0 else 0)
