"""The pages of the manual, and what leads from one to the other."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path

from markdown import Article, Reader

MARK = "made-by-man-make-site"
SECTIONS = {"1": "Commands", "5": "Formats of files", "7": "Background"}
REFERENCE = re.compile(r"\b(rehome(?:-[a-z]+)*)\((\d)\)")


@dataclass
class Page:
    """One page: where it is, what it is called, and what stands on it."""

    address: str
    title: str
    group: str
    html: str
    sections: list[tuple[int, str, str]] = field(default_factory=list)


class Site:
    """All pages of a project's manual."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.articles = project / "Sources" / "rehome" / "rehome.docc"
        self.manual = {
            path.name: path
            for path in sorted((project / "man").iterdir(), key=lambda each: each.stem)
            if re.fullmatch(r".*\.[1-8]", path.name)
        }
        self.titles = {
            path.stem: path.read_text().split("\n", 1)[0].removeprefix("# ")
            for path in sorted(self.articles.glob("*.md"))
        }
        self.pictures: set[str] = set()
        self.codes = self.finding_codes()

    def finding_codes(self) -> set[str]:
        """The codes of findings, each of which has a section in rehome-findings(7)."""
        text = (self.project / "man" / "rehome-findings.7").read_text()
        return {line[5:-1].replace("\\-", "-") for line in text.splitlines() if line.startswith('.SS "')}

    def write(self, folder: Path) -> int:
        """Writes all pages; nothing is there before all of it is."""
        if folder.exists() and not (folder / MARK).exists():
            sys.exit(f"{folder} exists and was not made by this command; name another folder")
        if shutil.which("mandoc") is None:
            sys.exit("mandoc is not installed; on Debian: apt-get install mandoc")
        pages = self.pages()
        new = folder.with_name(folder.name + ".new")
        shutil.rmtree(new, ignore_errors=True)
        (new / "pictures").mkdir(parents=True)
        for page in pages:
            (new / page.address).write_text(self.document(page, pages))
        index = json.dumps(list(entries(pages)), ensure_ascii=False, separators=(",", ":"))
        (new / "words.js").write_text(f"const words = {index};\n")
        here = Path(__file__).resolve().parent
        for name in ("style.css", "search.js"):
            shutil.copyfile(here / name, new / name)
        for name in sorted(self.pictures):
            shutil.copyfile(self.articles / "Resources" / name, new / "pictures" / name)
        (new / MARK).touch()
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
        return len(pages)

    def pages(self) -> list[Page]:
        """All pages, in the order in which they are listed."""
        order = self.order()
        articles = {name: self.article(name, group) for group, names in order for name in names}
        manual = [self.manual_page(name) for name in self.manual]
        first = [articles[name] for name in order[0][1]]
        rest = [articles[name] for _, names in order[1:] for name in names]
        return [self.start(first + manual + rest), *first, *manual, *rest]

    def order(self) -> list[tuple[str, list[str]]]:
        """The articles by the headings of the overview, in its order; none is left out."""
        groups: list[tuple[str, list[str]]] = []
        for line in (self.articles / "rehome.md").read_text().splitlines():
            if line.startswith("### "):
                groups.append((line[4:], []))
            elif groups and (match := re.fullmatch(r"- <doc:(\w+)>", line)):
                groups[-1][1].append(match[1])
        listed = {name for _, names in groups for name in names} | {"rehome"}
        if missing := set(self.titles) - listed:
            sys.exit(f"rehome.md does not list {', '.join(sorted(missing))}")
        return groups

    def address(self, article: str) -> tuple[str, str]:
        """Where an article is, and what it is called."""
        if article not in self.titles:
            sys.exit(f"there is no article {article}")
        return ("index.html" if article == "rehome" else f"{article}.html"), self.titles[article]

    def read(self, name: str) -> Article:
        """An article as HTML."""
        article = Reader((self.articles / f"{name}.md").read_text(), self.address).read()
        self.pictures.update(article.pictures)
        return article

    def article(self, name: str, group: str) -> Page:
        """The page of an article."""
        article = self.read(name)
        html = self.linked("\n".join(article.html), f"{name}.html")
        return Page(f"{name}.html", article.title, group, html, article.sections)

    def manual_page(self, name: str) -> Page:
        """A page of the manual, as mandoc spells it."""
        html = subprocess.run(
            ["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", str(self.manual[name])],
            check=True, capture_output=True, text=True).stdout
        html = re.sub(r'<table class="(?:head|foot)">.*?</table>', "", html, flags=re.S)
        # The title of the page is above its sections.
        html = re.sub(r"<(/?)h([1-5])\b", lambda m: f"<{m[1]}h{int(m[2]) + 1}", html)
        html = re.sub(r"<br>", "<br/>", html)
        html = html.replace('class="permalink"', 'class="here"')
        # A page of another program is not here.
        html = re.sub(
            r'<a class="Xr" href="([^"]+)\.html">(.*?)</a>',
            lambda m: m[0] if m[1] in self.manual else m[2], html)
        # A finding is known by its code, which mandoc leaves out where another heading begins alike.
        html = re.sub(
            r'<h3 class="Ss"[^>]*>(?:<a[^>]*>)?\s*([a-z-]+)\s*(?:</a>)?</h3>',
            lambda m: f'<h3 class="Ss" id="{m[1]}"><a class="here" href="#{m[1]}">{m[1]}</a></h3>'
            if m[1] in self.codes else m[0], html)
        html = self.linked(self.with_ids(html), f"{name}.html")
        sections = [
            (int(m[1]), unescape(m[2]), " ".join(text_of(m[3]).split()))
            for m in re.finditer(r'<h([23])[^>]* id="([^"]+)"[^>]*>(.*?)</h\1>', html, flags=re.S)
        ]
        title = f"{name[:-2]}({name[-1]})"
        return Page(f"{name}.html", title, SECTIONS[name[-1]], html, sections)

    @staticmethod
    def with_ids(html: str) -> str:
        """Gives each finding the name by which links know it, and none of the names twice."""
        seen: set[str] = set()

        def named(match: re.Match[str]) -> str:
            name = match[1]
            if name in seen:
                return ""
            seen.add(name)
            return match[0]

        return re.sub(r' id="([^"]+)"', named, html)

    def linked(self, html: str, own: str) -> str:
        """Makes links of manual pages and of the codes of findings, where there are none yet."""
        pieces = re.split(r"(<[^>]+>)", html)
        inside = 0
        code = False
        for place, piece in enumerate(pieces):
            if place % 2:
                inside += piece.startswith("<a ") - (piece == "</a>")
                code = piece == "<code>"
            elif not inside and code and piece in self.codes:
                pieces[place] = f'<a href="rehome-findings.7.html#{piece}">{piece}</a>'
            elif not inside:
                pieces[place] = REFERENCE.sub(lambda m: self.reference(m, own), piece)
        return "".join(pieces)

    def reference(self, match: re.Match[str], own: str) -> str:
        """A link to a page of the manual; a page does not lead to itself."""
        name = f"{match[1]}.{match[2]}"
        if name not in self.manual or f"{name}.html" == own:
            return match[0]
        return f'<a href="{name}.html">{match[0]}</a>'

    def start(self, pages: list[Page]) -> Page:
        """The page on which one begins."""
        overview = self.read("rehome")
        paragraphs = [piece for piece in overview.html if piece.startswith("<p>")]
        html = [self.linked("\n".join(paragraphs), "index.html")]
        for group in dict.fromkeys(page.group for page in pages):
            html.append(f"<h2>{escape(group)}</h2>\n<ul class=\"pages\">")
            html += [
                f'<li><a href="{page.address}">{escape(page.title)}</a> {summary(page)}</li>'
                for page in pages if page.group == group
            ]
            html.append("</ul>")
        return Page("index.html", "The manual of rehome", "Start", "\n".join(html))

    def document(self, page: Page, pages: list[Page]) -> str:
        """A page with everything around it."""
        contents = "\n".join(
            f'<li class="level{level}"><a href="#{escape(name)}">{escape(title)}</a></li>'
            for level, name, title in page.sections if level == 2 or len(page.sections) < 120)
        aside = (
            f'<nav class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>{contents}</ul></nav>'
            if len(page.sections) > 1 else "")
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{escape(page.title)}{"" if page.address == "index.html" else " – rehome"}</title>
<link rel="stylesheet" href="style.css"/>
<script src="words.js" defer="defer"></script>
<script src="search.js" defer="defer"></script>
</head>
<body>
<a class="skip" href="#site-main">Skip to the text</a>
<header><a class="home" href="index.html">rehome</a>
<form role="search" id="site-search"><label for="site-query">Search</label>
<input id="site-query" type="search" autocomplete="off" placeholder="a command, a finding, a word"/></form>
</header>
<div id="site-found" role="region" aria-label="Found" aria-live="polite" hidden="hidden"></div>
<div class="columns">
<details class="pages-of"><summary>All pages</summary>
<nav aria-label="All pages">{menu(page, pages)}</nav></details>
<main id="site-main">
<h1>{escape(page.title)}</h1>
{page.html}
</main>
{aside}
</div>
</body>
</html>
"""


def menu(page: Page, pages: list[Page]) -> str:
    """All pages by their groups, the shown one marked."""
    html = []
    for group in dict.fromkeys(each.group for each in pages[1:]):
        html.append(f'<p>{escape(group)}</p>\n<ul>')
        for each in pages:
            if each.group == group:
                here = ' aria-current="page"' if each is page else ""
                html.append(f'<li><a href="{each.address}"{here}>{escape(each.title)}</a></li>')
        html.append("</ul>")
    return "\n".join(html)


def text_of(html: str) -> str:
    """What HTML says, without its marks."""
    return unescape(re.sub(r"<[^>]+>", " ", html))


def summary(page: Page) -> str:
    """What a page is about: its NAME, or its first sentence."""
    match = re.search(r"<p[^>]*>(.*?)</p>", page.html, flags=re.S)
    text = " ".join(text_of(match[1]).split()) if match else ""
    text = re.sub(r"^rehome[a-z-]* [-—–] ", "", text)
    return f"<span>{escape(text[:200])}</span>"


def entries(pages: list[Page]) -> list[list[str]]:
    """What is searched: for each section its address, page, title and words."""
    found = []
    for page in pages[1:]:
        marks = list(re.finditer(r'<h[2-6][^>]* id="([^"]+)"[^>]*>(.*?)</h\d>', page.html, flags=re.S))
        ends = [mark.start() for mark in marks] + [len(page.html)]
        found.append([page.address, page.title, "", words(page.html[: ends[0]])])
        for place, mark in enumerate(marks):
            title = " ".join(text_of(mark[2]).split())
            text = words(page.html[mark.end() : ends[place + 1]])
            found.append([f"{page.address}#{mark[1]}", page.title, title, text])
    return found


def words(html: str) -> str:
    """A text as it is searched."""
    return " ".join(text_of(html).split())
