"""The part of Markdown in which the articles are written, as HTML that is XML as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

ITEM = re.compile(r"(?:([-*])|(\d+)\.) +(.*)")
HEADING = re.compile(r"(#{1,6}) +(.*)")


@dataclass
class Article:
    """One text: its title, its HTML, and the sections for the table of contents."""

    title: str = ""
    html: list[str] = field(default_factory=list)
    sections: list[tuple[int, str, str]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)


def anchor(title: str, taken: set[str]) -> str:
    """A name for a heading that no other one has."""
    base = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "section"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    taken.add(name)
    return name


class Reader:
    """Turns one article into HTML; `link` says where an article is, and what it is called."""

    def __init__(self, text: str, link: Callable[[str], tuple[str, str]]) -> None:
        self.lines = text.splitlines()
        self.link = link
        self.place = 0
        self.taken: set[str] = set()
        self.article = Article()

    def read(self) -> Article:
        """The whole article."""
        while self.place < len(self.lines):
            self.block()
        return self.article

    def block(self) -> None:
        """The next heading, list, table, code or paragraph."""
        line = self.lines[self.place]
        if not line.strip():
            self.place += 1
        elif line.startswith("@"):
            self.directive()
        elif match := HEADING.fullmatch(line):
            self.heading(len(match[1]), match[2])
        elif line.startswith("```"):
            self.code(line[3:].strip())
        elif line.startswith("|"):
            self.table()
        elif ITEM.match(line):
            self.items()
        else:
            self.add(f"<p>{self.inline(self.paragraph())}</p>")

    def add(self, html: str) -> None:
        """Appends HTML."""
        self.article.html.append(html)

    def directive(self) -> None:
        """What only docc is told."""
        depth = 0
        while self.place < len(self.lines):
            depth += self.lines[self.place].count("{") - self.lines[self.place].count("}")
            self.place += 1
            if depth <= 0:
                return

    def heading(self, level: int, text: str) -> None:
        """A heading; that of the article itself is its title."""
        self.place += 1
        plain = re.sub(r"[`*]", "", text)
        if level == 1:
            self.article.title = plain
            return
        name = anchor(plain, self.taken)
        self.article.sections.append((level, name, plain))
        self.add(
            f'<h{level} id="{name}"><a class="here" href="#{name}">{self.inline(text)}</a></h{level}>')

    def code(self, language: str) -> None:
        """Lines that are shown as they are."""
        self.place += 1
        start = self.place
        while self.place < len(self.lines) and not self.lines[self.place].startswith("```"):
            self.place += 1
        text = "\n".join(self.lines[start:self.place])
        self.place += 1
        kind = f' class="{escape(language)}"' if language else ""
        self.add(f'<pre tabindex="0"><code{kind}>{escape(text)}</code></pre>')

    def table(self) -> None:
        """A table, whose first line is its head."""
        rows = []
        while self.place < len(self.lines) and self.lines[self.place].startswith("|"):
            rows.append(cells(self.lines[self.place]))
            self.place += 1
        head, body = rows[0], rows[2:]
        html = ['<div class="wide" tabindex="0"><table><thead><tr>']
        html += [f'<th scope="col">{self.inline(cell)}</th>' for cell in head]
        html.append("</tr></thead><tbody>")
        for row in body:
            row = (row + [""] * len(head))[: len(head)]
            html.append("<tr>" + "".join(f"<td>{self.inline(cell)}</td>" for cell in row) + "</tr>")
        self.add("".join(html) + "</tbody></table></div>")

    def items(self) -> None:
        """A list; lines that are moved in belong to the item before them."""
        match = ITEM.match(self.lines[self.place])
        assert match is not None
        is_ordered = match[2] is not None
        items: list[list[str]] = []
        while self.place < len(self.lines):
            line = self.lines[self.place]
            match = ITEM.match(line)
            if match and (match[2] is not None) == is_ordered:
                items.append([match[3]])
            elif items and line.startswith("  ") and line.strip():
                items[-1].append(line.strip())
            elif not line.strip() and self.goes_on(is_ordered):
                pass
            else:
                break
            self.place += 1
        tag = "ol" if is_ordered else "ul"
        html = "\n".join(f"<li>{self.inline(' '.join(item))}</li>" for item in items)
        self.add(f"<{tag}>\n{html}\n</{tag}>")

    def goes_on(self, is_ordered: bool) -> bool:
        """Whether the list goes on behind an empty line."""
        following = self.lines[self.place + 1 : self.place + 2]
        match = ITEM.match(following[0]) if following else None
        return bool(match) and (match[2] is not None) == is_ordered

    def paragraph(self) -> str:
        """Lines up to the next block."""
        lines = []
        while self.place < len(self.lines):
            line = self.lines[self.place]
            if not line.strip() or line.startswith(("```", "|")) or HEADING.fullmatch(line):
                break
            if lines and ITEM.match(line):
                break
            lines.append(line.strip())
            self.place += 1
        return " ".join(lines)

    def inline(self, text: str) -> str:
        """Code, links, pictures and emphasis within a text."""
        pieces = re.split(r"(``[^`]+``|`[^`]+`)", text)
        return "".join(
            f"<code>{escape(piece.strip('`'))}</code>" if place % 2 else self.plain(piece)
            for place, piece in enumerate(pieces))

    def plain(self, text: str) -> str:
        """A text without code."""
        text = escape(text, quote=False)
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", self.picture, text)
        text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", r'<a href="\2">\1</a>', text)
        text = re.sub(r"&lt;doc:(\w+)&gt;", self.reference, text)
        text = re.sub(r"&lt;(https?://[^&\s]+)&gt;", r'<a href="\1">\1</a>', text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", text)

    def picture(self, match: re.Match[str]) -> str:
        """A picture, which lies beside the page."""
        self.article.pictures.append(match[2])
        return f'<img src="pictures/{match[2]}" alt="{match[1]}" loading="lazy"/>'

    def reference(self, match: re.Match[str]) -> str:
        """A link to another article."""
        address, title = self.link(match[1])
        return f'<a href="{address}">{escape(title)}</a>'


def cells(line: str) -> list[str]:
    """The cells of a line of a table; a bar within code or behind a backslash is none."""
    line = line.strip().removeprefix("|").removesuffix("|")
    found, cell, is_code = [], "", False
    for place, character in enumerate(line):
        if character == "`":
            is_code = not is_code
        if character == "|" and not is_code and line[place - 1 : place] != "\\":
            found.append(cell.strip())
            cell = ""
        else:
            cell += character
    return [each.replace("\\|", "|") for each in [*found, cell.strip()]]
