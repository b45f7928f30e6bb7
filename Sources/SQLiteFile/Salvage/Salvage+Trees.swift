extension Salvage {
  /// Reads the rows of a table's tree; what it does not find is noted as missing.
  mutating func walk<Failure: Error>(
    _ table: Int, _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    let whole = TreePart(page: search.tables[table].root, keys: .all, level: 1)
    try walk(whole, table, &search, sink)
  }

  private mutating func walk<Failure: Error>(
    _ part: TreePart, _ table: Int, _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    guard isFree(part.page), part.level <= TreeProof.deepest else {
      return search.missing[table].append(part.keys)
    }
    let facts = survey.facts(part.page)
    guard let kind = facts.kind, kind.isTable == search.tables[table].hasRowIDs else {
      noteBroken(part.page)
      return search.missing[table].append(part.keys)
    }
    if facts.fault != nil { noteBroken(part.page) }
    guard kind.isLeaf || leadsOn(part.page) || leadsOutside(part.page) else {
      return search.missing[table].append(part.keys)
    }
    // Without row ids, the pages above the leaves have rows as well.
    if kind != .tableInterior {
      guard try walkRows(part, kind, table, &search, sink) else { return }
    }
    if !kind.isLeaf { try walkChildren(part, table, &search, sink) }
  }

  /// Whether a page above others leads to one that has no owner; else it is a copy of the page that
  /// does, and has come here by mistake.
  func leadsOn(_ page: UInt32) -> Bool {
    let links = links(of: page)
    return links.isEmpty || links.contains { isFree($0.child) }
  }

  /// Whether all that a page above others leads to lies behind the end of the file, which owns nothing.
  private func leadsOutside(_ page: UInt32) -> Bool {
    links(of: page).allSatisfy { Int($0.child) > survey.pageCount }
  }

  /// Reads the rows of one page; false when they are not those of the table.
  private mutating func walkRows<Failure: Error>(
    _ part: TreePart, _ kind: PageKind, _ table: Int, _ search: inout TableSearch,
    _ sink: Sink<Failure>
  ) throws(Failure) -> Bool {
    let isSound = survey.facts(part.page).fault == nil
    isUsed[Int(part.page)] = true
    let isReadable = readRows(of: part.page, kind, sharing: true)
    let held = rows(heldBy: table, search, isSound: isSound)
    let fitting = held.filter { part.keys.contains(page.rows[$0].key) }
    if isReadable, isSound, fitting.count < held.count {
      search.strays.append(
        Stray(page: part.page, table: table, keys: part.keys, isWhole: fitting.isEmpty))
    }
    // Below the root no page is empty unless it has lost its rows.
    let mayBeEmpty = part.level == 1 && isSound
    guard isReadable, !fitting.isEmpty || (page.rows.isEmpty && mayBeEmpty) else {
      // The page of another table may have come here; it is looked at again as an orphan.
      if isSound { release(part.page) }
      search.missing[table].append(part.keys)
      return false
    }
    search.accounts[table].lost += page.unreadable + page.rows.count - fitting.count
    search.accounts[table].doubtful += doubtfulChains
    search.accounts[table].doubtfulPages += mayHideRows ? 1 : 0
    try emit(fitting, of: part.page, table, &search, sink)
    return true
  }

  /// The rows of the page at hand that a tree which leads to it has: those that fit its table, or all
  /// of a sound page whose rows are not those of another, nor of an index.
  func rows(heldBy table: Int, _ search: TableSearch, isSound: Bool) -> [Int] {
    let profile = search.tables[table]
    let fitting = page.rows.indices.filter { profile.mayHold(page.values(ofRow: $0)) }
    guard isSound, fitting.count < page.rows.count,
      profile.hasRowIDs || search.indexes.isEmpty, !fitsAnother(than: table, search)
    else {
      return fitting
    }
    return Array(page.rows.indices)
  }

  /// Gives rows of the page at hand away.
  mutating func emit<Failure: Error>(
    _ rows: [Int], of number: UInt32, _ table: Int, _ search: inout TableSearch,
    _ sink: Sink<Failure>
  ) throws(Failure) {
    if let found = foundPage(number, rows) { search.given[table].append(found) }
    for row in rows {
      let key = page.rows[row].key
      try sink(table, key, Array(page.values(ofRow: row)), page.arena)
      search.accounts[table].recovered += 1
    }
  }

  private mutating func walkChildren<Failure: Error>(
    _ part: TreePart, _ table: Int, _ search: inout TableSearch, _ sink: Sink<Failure>
  ) throws(Failure) {
    isUsed[Int(part.page)] = true
    var lower = part.keys.lower
    for link in links(of: part.page) {
      var keys = KeyRange(lower: lower, upper: link.key ?? part.keys.upper)
      if let key = link.key {
        if keys.contains(key), part.keys.contains(key) {
          lower = key
        } else {
          // Keys that go backwards are damage, and say nothing about the page below.
          keys = part.keys
        }
      }
      try walk(
        TreePart(page: link.child, keys: keys, level: part.level + 1), table, &search, sink)
    }
    let facts = survey.facts(part.page)
    let isEmptied = facts.cellCount == 0 && part.level > 1
    let isBroken = facts.fault != nil && cellCount(of: part.page)?.setsRight != true
    if isBroken || isEmptied { search.missing[table].append(part.keys) }
  }

  /// Marks the pages of a tree that nobody reads, as far as they lead, as nobody else's.
  mutating func setAside(_ part: TreePart, isIndex: Bool) {
    guard isFree(part.page), part.level <= TreeProof.deepest,
      let kind = survey.facts(part.page).kind, !(isIndex && kind.isTable)
    else {
      return noteMissingPart(isIndex: isIndex)
    }
    isUsed[Int(part.page)] = true
    if survey.facts(part.page).fault != nil { noteMissingPart(isIndex: isIndex) }
    guard !kind.isLeaf else { return }
    for link in links(of: part.page) {
      setAside(TreePart(page: link.child, keys: .all, level: part.level + 1), isIndex: isIndex)
    }
  }

  private mutating func noteMissingPart(isIndex: Bool) {
    if isIndex { lacksIndexParts = true } else { lacksOtherParts = true }
  }

  /// The pages below a page of a tree, as far as it can be read.
  func links(of page: UInt32) -> [(child: UInt32, key: Int64?)] {
    guard let kind = survey.facts(page).kind, !kind.isLeaf else { return [] }
    var bytes: [UInt8] = []
    let usableSize = file.header.usableSize
    // A page that cannot be read has no links, and its part is noted as missing.
    guard (try? file.read(page: page, appendingTo: &bytes)) != nil else { return [] }
    let offset = page == 1 ? FileHeader.size : 0
    let sizes = PayloadSizes(usableSize: usableSize, isTable: kind.isTable)
    let span = bytes.span.extracting(0..<usableSize)
    let stored = span.extracting(0..<min(usableSize, file.storedBytes(of: page)))
    let listed = cellCount(of: page)?.count ?? halfWord(span, at: offset + 3)
    let count = min(listed, (usableSize - offset - 12) / 2)
    var links: [(child: UInt32, key: Int64?)] = []
    for index in 0..<count {
      let place = file.cellPlace(listed: halfWord(span, at: offset + 12 + 2 * index))
      guard let cell = BTreeCell(stored, at: place, kind: kind, sizes: sizes) else { continue }
      links.append((cell.child, cell.key))
    }
    links.append((word(span, at: offset + 8), nil))
    return links
  }
}
