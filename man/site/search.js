"use strict";

// What is searched lies in words.js, so that it works on pages that come from a folder.
const query = document.getElementById("site-query");
const found = document.getElementById("site-found");
const limit = 30;
const texts = words.map(([, page, title, text]) => `${page} ${title} ${text}`.toLowerCase());

/** How well a section fits: where a term stands in a heading counts more than where in a text. */
function weigh(entry, text, terms) {
  const [, page, title] = entry.map((each) => each.toLowerCase());
  const phrase = terms.join(" ");
  let weight = (title.includes(phrase) ? 5 : 0) + (page.includes(phrase) ? (title ? 5 : 40) : 0);
  for (const term of terms) {
    if (!text.includes(term)) return 0;
    weight += 1;
    if (page.includes(term)) weight += title ? 3 : 12;
    if (title.includes(term)) weight += 8;
    if (title === term || page === term || page === `rehome-${term}(1)`) weight += 30;
  }
  return weight;
}

/** The words around the first term, the terms marked. */
function excerpt(text, terms) {
  const lower = text.toLowerCase();
  const place = Math.max(0, Math.min(...terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0), text.length) - 60);
  const part = text.slice(place, place + 200);
  const paragraph = document.createElement("p");
  paragraph.append(place > 0 ? "…" : "");
  const pattern = new RegExp(`(${terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  part.split(pattern).forEach((piece, at) => {
    if (at % 2) {
      const mark = document.createElement("mark");
      mark.textContent = piece;
      paragraph.append(mark);
    } else {
      paragraph.append(piece);
    }
  });
  paragraph.append(place + 200 < text.length ? "…" : "");
  return paragraph;
}

/** Shows what fits the words that were typed. */
function search() {
  const terms = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  found.hidden = terms.length === 0;
  if (terms.length === 0) return;
  const hits = words
    .map((entry, place) => ({ entry, weight: weigh(entry, texts[place], terms) }))
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight);
  const heading = document.createElement("p");
  heading.textContent = hits.length === 0
    ? "Nothing has all of these words. Try fewer, or the beginning of one."
    : `${hits.length} ${hits.length === 1 ? "place" : "places"}${hits.length > limit ? `, the best ${limit} of them` : ""}`;
  const list = document.createElement("ol");
  for (const { entry: [address, page, title, text] } of hits.slice(0, limit)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = address;
    link.textContent = title ? `${page}: ${title}` : page;
    link.addEventListener("click", () => { query.value = ""; search(); });
    item.append(link, excerpt(text, terms));
    list.append(item);
  }
  found.append(heading, list);
}

query.addEventListener("input", search);
document.getElementById("site-search").addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  } else if (event.key === "Escape" && document.activeElement === query) {
    query.value = "";
    search();
  }
});
// Where there is room, the list of pages is open.
const pages = document.querySelector(".pages-of");
const isWide = matchMedia("(min-width: 60.01rem)");
const show = () => { pages.open = isWide.matches; };
isWide.addEventListener("change", show);
show();
document.documentElement.dataset.ready = "yes";
