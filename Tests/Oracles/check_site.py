"""Looks at the manual as a site, and prints what is wrong with it.

Usage: check_site.py FOLDER [--browser] [--pictures PREFIX]

Every page is well-formed, has its headings in order and names for all pictures, leads nowhere that
is not there, and asks for nothing from elsewhere. With --browser Chromium opens pages from the
folder: widths, both colours, the search, the console.
"""

from __future__ import annotations

import argparse
import json
import re
import xml.etree.ElementTree as tree
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from browser import Browser

OVERFLOW = """
(() => {
  const width = document.documentElement.clientWidth;
  return document.documentElement.scrollWidth > width
    ? ['wider than the window: ' + document.documentElement.scrollWidth + ' of ' + width] : [];
})()
"""
ENTITIES = '<!DOCTYPE html [<!ENTITY nbsp "&#160;"><!ENTITY shy "&#173;">]>'


def parsed(path: Path) -> tree.Element:
    """The page, if it is well-formed as XML, too."""
    text = path.read_text(encoding="utf-8")
    return tree.fromstring(text.replace("<!DOCTYPE html>", ENTITIES, 1))


def faults_of(path: Path, page: tree.Element) -> Iterator[str]:
    """What is wrong with one page by itself."""
    if page.get("lang") != "en":
        yield "no language"
    if len(page.findtext("head/title") or "") < 5:
        yield "no title"
    elements = list(page.iter())
    ids = [each.get("id") for each in elements if each.get("id")]
    yield from (f"twice the id {name}" for name in sorted({n for n in ids if ids.count(n) > 1}))
    main = [each for each in elements if each.tag == "main"]
    if len(main) != 1:
        yield "not one main"
        return
    last = 0
    for each in main[0].iter():
        if match := re.fullmatch(r"h([1-6])", each.tag):
            level = int(match[1])
            if level > last + 1:
                yield f"a jump from h{last} to h{level}: {''.join(each.itertext())}"
            if not "".join(each.itertext()).strip():
                yield "an empty heading"
            if level == 1 and last:
                yield "two h1"
            last = level
    if not last:
        yield "no heading"
    for each in elements:
        if each.tag == "img" and len(each.get("alt") or "") < 10:
            yield f"a picture without words: {each.get('src')}"
        if each.tag in ("script", "style") and (each.text or "").strip():
            yield f"a {each.tag} within the page"
        for name in ("src", "href", "srcset", "action"):
            value = each.get(name)
            is_link = each.tag == "a" and name == "href"
            if value and re.match(r"(?:[a-z]+:|//)", value) and not is_link:
                yield f"something from elsewhere: {value}"


def leads(folder: Path, pages: dict[str, tree.Element]) -> Iterator[str]:
    """What leads to something that is not there."""
    ids = {name: {each.get("id") for each in page.iter()} for name, page in pages.items()}
    for name, page in pages.items():
        for each in page.iter():
            for attribute in ("href", "src"):
                value = each.get(attribute)
                if not value or re.match(r"[a-z]+:", value):
                    continue
                target, _, part = value.partition("#")
                target = unquote(target) or name
                if not (folder / target).is_file():
                    yield f"{name}: no {value}"
                elif part and target in ids and unquote(part) not in ids[target]:
                    yield f"{name}: no such place: {value}"


def words(folder: Path, pages: dict[str, tree.Element]) -> Iterator[str]:
    """What the search lists and is not there, or the other way round."""
    text = (folder / "words.js").read_text().removeprefix("const words = ").rstrip(";\n")
    entries = json.loads(text)
    listed = {entry[0].partition("#")[0] for entry in entries}
    missing = set(pages) - listed - {"index.html"}
    yield from (f"the search does not know {name}" for name in sorted(missing))
    for address, _, _, _ in entries:
        name, _, part = address.partition("#")
        if name not in pages:
            yield f"the search leads to {address}"
        elif part and not any(each.get("id") == part for each in pages[name].iter()):
            yield f"the search leads to no place: {address}"


def reached(pages: dict[str, tree.Element]) -> Iterator[str]:
    """The pages to which none leads from the first."""
    seen, waiting = set(), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in seen or name not in pages:
            continue
        seen.add(name)
        main = pages[name].find("body//main")
        hrefs = [each.get("href") or "" for each in (main if main is not None else []).iter()]
        waiting += [href.partition("#")[0] for href in hrefs]
    yield from (f"nothing leads to {name}" for name in sorted(set(pages) - seen))


def look(folder: Path, pictures: str | None) -> Iterator[str]:
    """What a browser has to say."""
    with Browser() as browser:
        for name in ("index.html", "rehome-replay.1.html", "ContentHash.html", "WalkThrough.html",
                     "rehome-findings.7.html", "rehome-store.5.html", "ChangeLog.html"):
            for width, dark in ((360, False), (800, True), (1280, False)):
                browser.view(width, dark=dark)
                browser.open(folder / name)
                where = f"{name}, {width}"
                yield from (f"{where}: {fault}" for fault in browser.run(OVERFLOW))
                if pictures:
                    browser.picture(f"{pictures}{Path(name).stem}-{width}.png", whole=False)
        browser.view(1280)
        for text, wanted in (("error-conflict", "rehome-findings.7.html#error-conflict"),
                             ("replay", "rehome-replay.1.html"), ("limits", "rehome-options.7.html"),
                             ("content hash", "ContentHash.html")):
            browser.open(folder / "index.html")
            browser.run(f"query.value = {json.dumps(text)}; query.dispatchEvent(new Event('input'))")
            links = browser.run("[...found.querySelectorAll('a')].slice(0, 3).map(a => a.getAttribute('href'))")
            if not any(link.startswith(wanted) for link in links):
                yield f"searching {text} finds {links}"
        browser.run("query.value = '<b>zzqx'; query.dispatchEvent(new Event('input'))")
        if "Nothing has all" not in browser.run("found.textContent"):
            yield "searching for nothing finds something"
        yield from (f"console: {each}" for each in browser.complaints())


def check(folder: Path, *, browser: bool, pictures: str | None) -> Iterator[str]:
    """All faults of the site."""
    pages: dict[str, tree.Element] = {}
    for path in sorted(folder.glob("*.html")):
        try:
            pages[path.name] = parsed(path)
        except tree.ParseError as error:
            yield f"{path.name}: not well-formed: {error}"
            continue
        yield from (f"{path.name}: {fault}" for fault in faults_of(path, pages[path.name]))
    if "index.html" not in pages:
        yield "no index.html"
        return
    yield from leads(folder, pages)
    yield from words(folder, pages)
    yield from reached(pages)
    for path in folder.rglob("*"):
        if path.suffix in (".css", ".js") and re.search(r"url\(|@import|https?://", path.read_text()):
            if path.name != "words.js":
                yield f"{path.name} asks for something from elsewhere"
    if browser:
        yield from look(folder, pictures)


def main() -> None:
    """Prints the faults, or that there are none."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("--pictures")
    arguments = parser.parse_args()
    faults = list(
        check(arguments.folder, browser=arguments.browser, pictures=arguments.pictures))
    print("\n".join(faults) if faults else "nothing is wrong")


if __name__ == "__main__":
    main()
