"""A site that `reprise site` wrote, read back: check_site.py FOLDER. Prints one line for each fault,
and at the end how many pages, links, claims, images and tables it saw; exits 1 if there is a fault.

Every page is well-formed, small, fetches nothing but files of the site, and says all without the
one script; links lead to pages that are there, and to ids that these have; a claim leads to rows of
each exhibit that it was judged on.
"""
import pathlib
import re
import sys
import urllib.parse
import xml.etree.ElementTree as tree

MOST = 1e6 # bytes of a page
site = pathlib.Path(sys.argv[1]).resolve()
faults, pages = [], {}
links = claims = images = tables = 0


def expect(good, fault):
    if not good:
        faults.append(fault)


for path in sorted(site.rglob("*.html")):
    name, text = str(path.relative_to(site)), path.read_text(encoding="utf-8")
    expect(len(text) < MOST, f"{name}: {len(text)} bytes")
    try:
        pages[path] = tree.fromstring(text)
    except tree.ParseError as error:
        faults.append(f"{name}: {error}")
ids = {path: [e.get("id") for e in page.iter() if e.get("id")] for path, page in pages.items()}


def check_target(path, name, value):
    where = urllib.parse.urlsplit(value)
    expect(where.scheme == "" and where.netloc == "", f"{name}: leads out: {value}")
    target = (path.parent / urllib.parse.unquote(where.path)).resolve() if where.path else path
    expect(target.is_file() and target.is_relative_to(site), f"{name}: nothing is at {value}")
    if where.fragment and target.is_file():
        expect(where.fragment in ids.get(target, ()), f"{name}: no id at {value}")


def words_of(element):
    return " ".join("".join(element.itertext()).split())


def row_words(path, row):
    """Of a row, and what all those beside it have in common."""
    for details in pages[path].iter("details") if path in pages else ():
        for tr in details.iter("tr"):
            if tr.get("id") == row:
                return "".join(map(words_of, details.findall("p"))) + " " + words_of(tr)
    return ""


def check_claim(path, name, claim, here, where):
    """Judged on so many rows of a variant; each link says how many of them are in the exhibit there."""
    judged = re.search(r"\b\d+ of (\d+)", here)
    variant = re.search(r" Rows of (\S+?)(:| beside )", claim)
    count = 0
    for a in where.iter("a"):
        said = re.fullmatch(r"(\d+) of (\S+)", words_of(a))
        target = urllib.parse.urlsplit(a.get("href"))
        page = (path.parent / urllib.parse.unquote(target.path)).resolve()
        row = row_words(page, target.fragment)
        expect(said and page.stem == said.group(2) and row and
               (not variant or variant.group(1) in row),
               f"{name}: {claim}: no such row at {a.get('href')}")
        count += int(said.group(1)) if said else 0
    expect(count == (int(judged.group(1)) if judged else 0), f"{name}: {claim}: leads to {count} rows")


for path, page in pages.items():
    name = str(path.relative_to(site))
    for item in page.iter("li"):
        said = re.search('": here it (.*?); in print it', words_of(item))
        if said:
            claims += 1
            check_claim(path, name, words_of(item), said.group(1), item)
    for table in page.iter("table"):
        for tr in table.findall("tbody/tr") if words_of(table.find("caption")) == "Claims" else ():
            claims += 1
            check_claim(path, name, words_of(tr[0]), words_of(tr[3]), tr[4])
    expect(len(ids[path]) == len(set(ids[path])), f"{name}: an id twice")
    expect(page.findtext("head/title", "").strip() == page.findtext("body/header/h1", "").strip()
           != "", f"{name}: no title")
    for element in page.iter():
        expect(element.tag not in ("iframe", "object", "embed", "base", "style"),
               f"{name}: a <{element.tag}>")
        if element.tag == "script":
            expect(not element.text and element.get("src", "").endswith("tables.js"),
                   f"{name}: a script")
        for key, value in element.attrib.items():
            expect(not key.startswith("on"), f"{name}: a handler: {key}")
            if key in ("href", "src"):
                links += key == "href"
                check_target(path, name, value)
        if element.tag == "img":
            images += 1
            expect(element.get("alt"), f"{name}: an image without words")
    for table in page.iter("table"):
        tables += 1
        head = len(table.find("thead/tr"))
        spans = 0
        for row in table.iter("tr"):
            width = len(row) + (spans > 0)
            spans = spans - 1 if spans > 0 else int(row[0].get("rowspan", 1)) - 1
            expect(width == head, f"{name}: a row of {width} in a table of {head} columns")
for path in [site / "style.css", site / "tables.js"]:
    expect(path.is_file() and "http" not in path.read_text(), f"{path.name} fetches, or is missing")
front = site / "index.html"
reached, left = set(), [front]
while left:
    path = left.pop()
    if path in reached or path not in pages:
        continue
    reached.add(path)
    for a in pages[path].iter("a"):
        target = urllib.parse.unquote(urllib.parse.urlsplit(a.get("href")).path)
        left += [(path.parent / target).resolve()] if target else []
for path in set(pages) - reached:
    faults.append(f"no link leads to {path.relative_to(site)}")
for fault in faults[:20]:
    print(fault)
largest = max((len(path.read_bytes()), str(path.relative_to(site))) for path in pages)
print(f"{len(pages)} pages, the largest {largest[1]} with {largest[0]} bytes, {links} links, "
      f"{claims} claims, {images} images, {tables} tables")
sys.exit(1 if faults or not pages else 0)
