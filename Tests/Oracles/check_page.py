"""Looks at an audit page as a browser shows it, and prints what is wrong with it.

Usage: check_page.py PAGE [--sheets N] [--seconds S] [--search TEXT] [--nowhere TEXT] [--pictures PREFIX]

Widths, colours, contrast, names for those who cannot see, the order of the keyboard, printing,
links that lead nowhere, complaints of the console, and how long the page lets one wait.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator

from browser import Browser

WIDTHS = [360, 800, 1280]

# What a page must have for everybody, asked of the document itself.
STRUCTURE = r"""
(() => {
  const faults = [], all = (query) => [...document.querySelectorAll(query)];
  const isShown = (element) => element.checkVisibility();
  if (!document.documentElement.lang) faults.push('no language');
  if (document.title.length < 5) faults.push('no title');
  if (all('main').length !== 1) faults.push('not one main');
  if (all('nav').some((nav) => !nav.ariaLabel)) faults.push('a nav without name');
  const headings = all('h1,h2,h3,h4,h5,h6').filter(isShown);
  if (headings.filter((each) => each.tagName === 'H1').length !== 1) faults.push('not one h1');
  let last = 0;
  for (const heading of headings) {
    const level = +heading.tagName[1];
    if (level > last + 1) faults.push('a jump to ' + heading.outerHTML.slice(0, 80));
    if (!heading.textContent.trim()) faults.push('an empty heading');
    last = level;
  }
  const ids = all('[id]').map((each) => each.id);
  for (const id of new Set(ids.filter((id, place) => ids.indexOf(id) !== place))) {
    faults.push('twice the id ' + id);
  }
  const isFleet = document.body.classList.contains('fleet');
  for (const link of all('a[href]')) {
    const id = link.getAttribute('href').slice(1);
    if (/^store-\d+$/.test(id) && isFleet) continue;
    if (!document.getElementById(id)) faults.push('a link to nothing: ' + id);
  }
  for (const table of all('table')) {
    if (!table.caption?.textContent) faults.push('a table without caption');
    for (const cell of table.querySelectorAll('th')) {
      if (!cell.scope) faults.push('a th without scope');
    }
  }
  for (const picture of all('svg')) {
    if (!picture.querySelector('title')?.textContent) faults.push('a picture without title');
  }
  for (const section of all('section[aria-labelledby]')) {
    if (!document.getElementById(section.getAttribute('aria-labelledby'))) {
      faults.push('a section without its heading: ' + section.id);
    }
  }
  for (const card of all('article.item')) {
    for (const link of card.querySelectorAll('a[href^="#f-"]')) {
      const finding = document.getElementById(link.getAttribute('href').slice(1));
      const ops = [card, ...card.querySelectorAll('[id^=op-]')].map((each) => '#' + each.id);
      const links = [...(finding?.parentElement.querySelectorAll('article.finding a') ?? [])];
      if (!links.some((each) => ops.includes(each.getAttribute('href')))) {
        faults.push('no way back from ' + link.getAttribute('href') + ' to ' + ops[0]);
      }
    }
  }
  return faults;
})()
"""

# The contrast of every text that is shown, as WCAG 2 computes it.
CONTRAST = r"""
(() => {
  const faults = new Set();
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return {rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1};
  };
  const light = ([r, g, b]) => {
    const part = (value) => (value /= 255) <= 0.04045
      ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color.alpha > 0.99) return color.rgb;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest('script,style,title,option,.hidden')) continue;
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const isDrawn = element.namespaceURI.endsWith('svg');
    const ink = light(parse(isDrawn ? style.fill : style.color).rgb);
    const paper = light(ground(element.closest('svg')?.parentElement ?? element));
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    const size = parseFloat(style.fontSize), isBold = +style.fontWeight >= 700;
    const needed = size >= 24 || (isBold && size >= 18.66) ? 3 : 4.5;
    if (contrast < needed) {
      faults.add(contrast.toFixed(2) + ' for ' + element.tagName + '.' + element.className
        + ': ' + node.data.trim().slice(0, 30));
    }
  }
  return [...faults];
})()
"""

# What sticks out of the window, and would make it scroll sideways or be cut.
OVERFLOW = r"""
(() => {
  const wide = document.documentElement.clientWidth, faults = [];
  if (document.documentElement.scrollWidth > wide) faults.push('the page scrolls sideways');
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.hidden,.skip,svg *,thead') || !element.checkVisibility()) continue;
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > wide + 1 || box.left < -1)) {
      faults.push('outside: ' + element.outerHTML.slice(0, 80));
    }
    if (element.scrollWidth > element.clientWidth + 1
      && getComputedStyle(element).overflowX !== 'visible') {
      faults.push('cut: ' + element.outerHTML.slice(0, 80));
    }
  }
  return faults.slice(0, 5);
})()
"""

# On a narrow screen each number of a list of stores has its word behind it; a word alone says nothing.
WORDS = r"""
[...document.querySelectorAll('td[data-word]')]
  .filter((cell) => !cell.textContent && cell.checkVisibility()
    && getComputedStyle(cell, '::after').content !== 'none')
  .map((cell) => 'a word without a number: ' + cell.dataset.word)
"""

# Words in a picture that are on top of others.
OVERLAP = r"""
[...document.querySelectorAll('svg')].flatMap((picture) => {
  const words = [...picture.querySelectorAll('text')].map((each) => (
    {text: each.textContent, box: each.getBoundingClientRect()})).filter((each) => each.box.width);
  const meet = (a, b) => a.left < b.right && b.left < a.right
    && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2;
  return words.flatMap((one, place) => words.slice(place + 1)
    .filter((other) => meet(one.box, other.box))
    .map((other) => one.text + ' is on top of ' + other.text));
})
"""

FOCUSED = r"""
(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const order = [...document.querySelectorAll('*')].indexOf(element);
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  return {
    order, name: element.outerHTML.slice(0, 80), outline: style.outlineStyle,
    isSeen: box.width > 0 && box.bottom > 0 && box.top < innerHeight};
})()
"""


def looks(browser: Browser, page: str, pictures: str | None) -> Iterator[str]:
    """Widths and colours."""
    for width in WIDTHS:
        for dark in (False, True):
            browser.view(width, dark=dark)
            browser.open(page)
            where = f"{width}{' dark' if dark else ''}"
            for script in (OVERFLOW, CONTRAST, WORDS, OVERLAP):
                yield from (f"{where}: {fault}" for fault in browser.run(script))
            if pictures:
                browser.picture(f"{pictures}{where.replace(' ', '-')}.png")


def names(browser: Browser) -> Iterator[str]:
    """What those hear who cannot see: everything that can be used has a name and a role."""
    browser.call("Accessibility.enable")
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    browser.call("Accessibility.disable")
    roles = set()
    for node in nodes:
        role = node.get("role", {}).get("value", "")
        roles.add(role)
        name = node.get("name", {}).get("value", "").strip()
        needs = {"link", "button", "searchbox", "textbox", "combobox", "heading", "navigation"}
        if not node.get("ignored") and role in needs and not name:
            yield f"a {role} without a name"
    for role in ("main", "navigation", "heading", "table", "rowheader", "searchbox"):
        if role not in roles:
            yield f"no {role} in the tree"


def keyboard(browser: Browser, page: str) -> Iterator[str]:
    """The tabulator goes through the page in its order, and one sees where it is."""
    browser.view(800)
    browser.open(page)
    last, count = -1, 0
    for _ in range(60):
        browser.press("Tab", 9)
        at = browser.run(FOCUSED)
        if at is None:
            break
        count += 1
        if count == 1 and "skip" not in at["name"]:
            yield f"the first stop is {at['name']}"
        if at["order"] < last:
            break  # Around the end.
        if not at["isSeen"]:
            yield f"not seen when it has the focus: {at['name']}"
        if at["outline"] == "none":
            yield f"not marked when it has the focus: {at['name']}"
        last = at["order"]
    if count < 5:
        yield f"only {count} stops"
    browser.open(page)
    browser.press("Tab", 9)
    browser.run("document.activeElement.click()")
    if browser.run("location.hash") != "#main":
        yield "the skip link does not lead to main"


def search(browser: Browser, page: str, text: str, seconds: float) -> Iterator[str]:
    """A search finds a text and hides what does not have it, and the text is shown."""
    browser.open(page)
    start = time.monotonic()
    type_in(browser, text)
    if not re.match("[1-9]", searched(browser, text)):
        yield f"{text} is not found"
        return
    if (took := time.monotonic() - start) > seconds:
        yield f"a search took {took:.2f} s"
    if browser.run("document.body.classList.contains('fleet')"):
        browser.run("document.querySelector('#rows a').click()")
        browser.wait("!document.querySelector('#store').hidden")
    shown = browser.run("document.querySelector('main').innerText.toLowerCase()")
    shown = " ".join(shown.split())
    if " ".join(text.lower().split()) not in shown:
        yield f"{text} is not shown after the search"


def nowhere(browser: Browser, page: str, text: str) -> Iterator[str]:
    """A search finds nothing where there is nothing."""
    browser.open(page)
    type_in(browser, text)
    if (found := searched(browser, text)) and found[0] != "0":
        yield f"{text} is nowhere, and is found: {found}"


def searched(browser: Browser, text: str) -> str:
    """Waits until the search for a text is done, and returns what the page says of it."""
    wanted = json.dumps(" ".join(text.lower().split()))
    browser.wait(f"document.querySelector('#status').dataset.text === {wanted}")
    return browser.run("document.querySelector('#status').textContent")


def type_in(browser: Browser, text: str) -> None:
    """Types a text into the field for searching."""
    browser.run("document.querySelector('#query').focus()")
    browser.call("Input.insertText", text=text)


def check(arguments: argparse.Namespace) -> Iterator[str]:
    """All that is wrong."""
    with Browser() as browser:
        page = arguments.page
        browser.view(1280)
        if (took := browser.open(page)) > arguments.seconds:
            yield f"ready after {took:.2f} s"
        yield from browser.run(STRUCTURE)
        yield from names(browser)
        yield from looks(browser, page, arguments.pictures)
        yield from keyboard(browser, page)
        for text in arguments.search:
            yield from search(browser, page, text, arguments.seconds)
        for text in ["no such text anywhere", *arguments.nowhere]:
            yield from nowhere(browser, page, text)
        browser.open(page)
        if arguments.sheets and (sheets := browser.print()) > arguments.sheets:
            yield f"{sheets} sheets of paper"
        yield from (f"console: {each}" for each in browser.complaints())


def main() -> None:
    """Prints the faults, or that there are none."""
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--sheets", type=int)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--search", action="append", default=[])
    parser.add_argument("--nowhere", action="append", default=[])
    parser.add_argument("--pictures")
    faults = list(dict.fromkeys(check(parser.parse_args())))
    print("\n".join(faults) if faults else "nothing is wrong")


if __name__ == "__main__":
    main()
