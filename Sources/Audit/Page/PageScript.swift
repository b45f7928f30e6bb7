/// What makes lists sortable and searchable; the page says the same without it.
enum PageScript {
  static let source: StaticString = """
    'use strict';
    for (const table of document.querySelectorAll('table[data-list]')) {
      const body = table.tBodies[0], rows = [...body.rows];
      if (rows.length > 1) [...table.tHead.rows[0].cells].forEach((cell, place) => {
        const button = document.createElement('button');
        button.textContent = cell.textContent;
        cell.textContent = '';
        cell.append(button);
        let turned = false;
        button.onclick = () => {
          const text = row => row.cells[place].textContent;
          rows.sort((a, b) => text(a).localeCompare(text(b), undefined, {numeric: true}));
          if (turned) rows.reverse();
          for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
          cell.setAttribute('aria-sort', turned ? 'descending' : 'ascending');
          turned = !turned;
          body.append(...rows);
        };
      });
    }
    for (const list of document.querySelectorAll('[data-list],[data-findings]')) {
      const parts = list.tBodies ? [...list.tBodies[0].rows] : [...list.children];
      if (parts.length < 2) continue;
      const input = document.createElement('input');
      input.type = 'search';
      input.placeholder = 'Search this list';
      input.setAttribute('aria-label', 'Search this list');
      input.oninput = () => {
        const wanted = input.value.toLowerCase();
        for (const part of parts) {
          part.hidden = !part.textContent.toLowerCase().includes(wanted);
        }
      };
      (list.tBodies ? list.parentNode : list).before(input);
    }
    """
}
