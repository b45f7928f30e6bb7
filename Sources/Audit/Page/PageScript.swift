/// What makes the page searchable, and unpacks what is shown on request.
///
/// The page of one store says the same without it, but for changes beyond the first few hundred.
enum PageScript {
  static let source: StaticString = #"""
    'use strict';
    const one = (query) => document.querySelector(query);
    const all = (query) => [...document.querySelectorAll(query)];
    const make = (name, attributes, ...children) => {
      const element = document.createElement(name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      element.append(...children);
      return element;
    };
    const count = (number, noun) =>
      number.toLocaleString('en') + ' ' + noun + (number === 1 ? '' : 's');

    // Packed parts.
    const unpack = async (element) => {
      const text = element.textContent;
      const packed = Uint8Array.fromBase64
        ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
      return new Response(stream).text();
    };
    const packs = all('script[data-first]').map((element) => (
      {element, first: +element.dataset.first, count: +element.dataset.count}));
    const textOf = async (pack) => pack.text ??= await unpack(pack.element);
    const partsOf = async (pack) => (await textOf(pack)).split('\u001e');
    const partAt = async (number) => {
      const pack = packs.find((p) => number >= p.first && number < p.first + p.count);
      return pack && (await partsOf(pack))[number - pack.first];
    };
    const marks = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};
    const spelled = (text) => text.replace(/[&<>"']/g, (c) => marks[c]);
    const signs = Object.fromEntries(Object.entries(marks).map(([sign, mark]) => [mark, sign]));
    // What people read and search, which is not what it is marked up with.
    const searchable = (text) => text.trim().toLowerCase().replace(/\s+/g, ' ');
    const read = (html) => searchable(html.replace(/<\/?(a|b|code|em|i|span)\b[^>]*>/g, '')
      .replace(/<[^>]*>/g, ' ').replace(/&nbsp;/g, ' ')
      .replace(/&(amp|lt|gt|quot|#39);/g, (mark) => signs[mark]));
    let run = 0;
    // Calls `found` for each packed part that holds the text, until another search begins.
    const searchPacks = async (wanted, found) => {
      const mine = ++run;
      for (const pack of packs) {
        const text = await textOf(pack);
        if (mine !== run) return false;
        pack.words ??= read(text);
        if (!pack.words.includes(wanted)) continue;
        const parts = text.split('\u001e');
        pack.words.split('\u001e').forEach((words, place) => {
          if (words.includes(wanted)) found(pack.first + place, parts[place]);
        });
      }
      return true;
    };

    // One field for searching, with what it found.
    const status = make('p', {role: 'status', class: 'dim', id: 'status'});
    const input = make('input', {
      type: 'search', id: 'query', autocomplete: 'off', spellcheck: 'false'});
    const label = make('label', {for: 'query'});
    let timer;
    const tellDone = (wanted) => { status.dataset.text = wanted; };
    const onSearch = (body) => {
      input.addEventListener('input', () => {
        clearTimeout(timer);
        timer = setTimeout(() => body(searchable(input.value)), 150);
      });
    };

    // Whoever prints the page reads how many are left; a button has no use on paper.
    const tellLeft = (place, left) => {
      place.dataset.left = left.toLocaleString('en');
      place.hidden = left <= 0;
    };

    const openStorePage = () => {
      const parts = all('article.item, article.finding');
      if (parts.length + packs.length === 0) return;
      label.textContent = 'Search changes and findings';
      input.placeholder = 'id, value, table or code';
      one('#search').append(label, input, status);
      const found = one('#found');
      onSearch(async (wanted) => {
        found.querySelectorAll('article').forEach((element) => element.remove());
        found.hidden = true;
        let shown = 0;
        for (const part of parts) {
          if (wanted) part.words ??= read(part.innerHTML);
          part.hidden = wanted !== '' && !part.words.includes(wanted);
          if (!part.hidden) shown += 1;
        }
        for (const section of all('main > section')) {
          const inside = [...section.querySelectorAll('article')];
          if (inside.length) section.hidden = inside.every((part) => part.hidden);
        }
        ++run;
        status.textContent = wanted ? count(shown, 'match') .replace('matchs', 'matches') : '';
        if (!wanted || !packs.length) return tellDone(wanted);
        let more = 0;
        const isDone = await searchPacks(wanted, (number, part) => {
          more += 1;
          if (more > 100) return;
          found.hidden = false;
          found.insertAdjacentHTML('beforeend', part);
        });
        if (!isDone) return;
        status.textContent = count(shown + more, 'match').replace('matchs', 'matches')
          + (more > 100 ? '; the first ' + (shown + 100).toLocaleString('en') + ' are shown' : '');
        tellDone(wanted);
      });
      for (const place of all('p.more')) {
        let next = +place.dataset.from;
        const end = +place.dataset.to;
        const button = make('button', {type: 'button'});
        const tell = () => {
          button.textContent = 'Show ' + count(Math.min(100, end - next), 'more change')
            .replace('more changes', 'more') + ' of ' + (end - next).toLocaleString('en');
          tellLeft(place, end - next);
        };
        button.addEventListener('click', async () => {
          const last = Math.min(end, next + 100);
          for (; next < last; next += 1) {
            const part = await partAt(next);
            if (part) place.previousElementSibling.insertAdjacentHTML('beforeend', part);
          }
          tell();
        });
        place.replaceChildren(button);
        tell();
      }
    };

    // Leads to a part that is folded away, hidden by a search, or still packed.
    const reveal = async (id) => {
      let target = document.getElementById(id);
      if (!target && /^op-\d+$/.test(id) && !one('body.fleet')) {
        const mark = ' id=' + id + '>';
        for (const pack of packs) {
          if (!(await textOf(pack)).includes(mark)) continue;
          const part = (await partsOf(pack)).find((each) => each.includes(mark));
          one('#found').hidden = false;
          one('#found').insertAdjacentHTML('beforeend', part);
          break;
        }
        target = document.getElementById(id);
      }
      if (!target) return;
      for (let at = target; at; at = at.parentElement) {
        at.hidden = false;
        if (at.tagName === 'DETAILS') at.open = true;
      }
      target.scrollIntoView();
    };

    const openFleetPage = async () => {
      const records = (await unpack(one('script[data-rows]'))).split('\u001e').filter(Boolean);
      const rows = records.map((record) => {
        const [number, codes, layout, needs, year, html] = record.split('\u001f');
        return {
          number: +number, codes: codes ? codes.split(' ') : [], layout,
          needs: needs ? needs.split(' ') : [], year: year || 'not known', html};
      });
      const choices = {
        finding: {title: 'Finding', of: (row) => row.codes},
        layout: {title: 'Layout', of: (row) => [row.layout]},
        need: {title: 'State', of: (row) => row.needs, words: {
          decide: 'needs a decision', lost: 'has lost changes', failed: 'has failures',
          unread: 'could not be read', fine: 'without problems'}},
        year: {title: 'Last heard of', of: (row) => [row.year]},
      };
      const text = (html) => {
        const element = document.createElement('textarea');
        element.innerHTML = html;
        return element.value;
      };
      const facets = make('div', {class: 'facets'});
      for (const name in choices) {
        const choice = choices[name];
        const numbers = new Map();
        for (const row of rows) {
          for (const value of choice.of(row)) numbers.set(value, (numbers.get(value) ?? 0) + 1);
        }
        choice.select = make('select', {id: 'by-' + name}, make('option', {value: ''}, 'all'));
        const values = [...numbers].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
        for (const [value, number] of values) {
          choice.select.append(make('option', {value}, (choice.words?.[value] ?? text(value))
            + ' (' + number.toLocaleString('en') + ')'));
        }
        facets.append(make('span', {}, make('label', {for: 'by-' + name}, choice.title),
          choice.select));
      }
      label.textContent = 'Search devices, stores, codes and items';
      input.placeholder = 'name, code, item id or value';
      one('#search').append(label, input, facets, status);
      const body = one('#rows'), more = one('#more');
      const button = make('button', {type: 'button'});
      more.replaceChildren(button);
      let chosen = rows, shown = 0;
      const showMore = () => {
        body.insertAdjacentHTML(
          'beforeend', chosen.slice(shown, shown + 100).map((row) => row.html).join(''));
        shown = Math.min(chosen.length, shown + 100);
        button.textContent = 'Show 100 more of ' + (chosen.length - shown).toLocaleString('en');
        tellLeft(more, chosen.length - shown);
      };
      const show = (isDone) => {
        body.replaceChildren();
        shown = 0;
        status.textContent = count(chosen.length, 'store') + (isDone ? '' : ', still looking …');
        if (isDone) tellDone(searchable(input.value));
        showMore();
      };
      button.addEventListener('click', showMore);
      const update = async () => {
        const wanted = searchable(input.value);
        const fits = rows.filter((row) => Object.values(choices).every((choice) =>
          !choice.select.value || choice.of(row).includes(choice.select.value)));
        ++run;
        if (!wanted) {
          chosen = fits;
          return show(true);
        }
        const matches = new Set();
        for (const row of fits) {
          row.words ??= read(row.codes.join(' ') + ' ' + row.html);
          if (row.words.includes(wanted)) matches.add(row.number);
        }
        const choose = (isDone) => {
          chosen = fits.filter((row) => matches.has(row.number));
          show(isDone);
        };
        choose(false);
        const isDone = await searchPacks(wanted, (number) => matches.add(number + 1));
        if (isDone) choose(true);
      };
      onSearch(update);
      for (const name in choices) choices[name].select.addEventListener('change', update);
      document.addEventListener('click', (event) => {
        const link = event.target.closest('a[data-finding],a[data-layout]');
        if (!link) return;
        for (const name in choices) choices[name].select.value = '';
        const [name, value] = link.dataset.finding
          ? ['finding', link.dataset.finding] : ['layout', spelled(link.dataset.layout)];
        choices[name].select.value = value;
        update();
      });
      show(true);
      if (rows.length === 1 && !location.hash) location.replace('#store-1');
    };

    const title = document.title;
    const showStore = async (number) => {
      const part = await partAt(number - 1);
      const section = one('#store');
      const back = make('a', {href: '#stores'}, '← all stores');
      section.replaceChildren(make('p', {}, back));
      section.insertAdjacentHTML(
        'beforeend', part ?? '<p>There was no room for this store on the page.</p>');
      section.hidden = false;
      one('#overview').hidden = true;
      const heading = section.querySelector('h2');
      document.title = (heading ? heading.textContent + ' – ' : '') + title;
      scrollTo(0, 0);
      if (heading) heading.focus();
    };
    const route = () => {
      const id = decodeURIComponent(location.hash.slice(1));
      const store = /^store-(\d+)$/.exec(id);
      if (store && one('body.fleet')) return showStore(+store[1]);
      const section = one('#store');
      const target = id && document.getElementById(id);
      if (section && !section.hidden && !(target && section.contains(target))) {
        section.hidden = true;
        one('#overview').hidden = false;
        document.title = title;
      }
      if (id) return reveal(id);
    };
    addEventListener('hashchange', route);
    (async () => {
      if (one('body.fleet')) await openFleetPage(); else openStorePage();
      await route();
      document.documentElement.dataset.ready = 'yes';
    })();
    """#
}
