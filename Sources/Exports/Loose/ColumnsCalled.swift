import Bytes
import Records

/// The columns of plain tables by what a person may call them.
struct ColumnsCalled {
  /// The columns of the pages of one table that are called so.
  struct Found {
    let table: Int
    /// The name without that of the table.
    let name: ExactText
    var places: [(page: Int, column: Int)]
    /// Whether they are called by the name of the table, and not by that of a page.
    let isOfTable: Bool
    /// Whether none of the pages that are meant has them, but others of their table.
    let isElsewhere: Bool
    /// Whether they are called so only since they were renamed.
    let isRenamed: Bool
  }

  /// The columns of one page.
  private struct PageNames {
    private var read: [ExactText: Int] = [:]
    private var told: [ExactText: Int] = [:]
    /// The columns by their names as SQLite compares them; nil for several.
    private var folded: [ExactText: Int?] = [:]

    init(_ page: PlainTable.Page) {
      // What stands in the file goes before what had to give way to it.
      for (place, column) in page.columns.enumerated() { read[ExactText(column.name)] = place }
      for (place, column) in page.columns.enumerated() {
        read[ExactText(column.sourceName)] = place
        let name = ExactText(sqlName: column.sourceName)
        folded.updateValue(folded.keys.contains(name) ? nil : place, forKey: name)
      }
    }

    /// The only column that is called so but for the case of its letters.
    func onlyColumn(calledLike name: ExactText) -> Int? {
      folded[ExactText(sqlName: name.wrappedValue)] ?? nil
    }

    func column(_ name: ExactText, isRenamed: Bool) -> Int? {
      isRenamed ? told[name] : read[name]
    }

    mutating func rename(_ column: Int, from old: String, to name: String) {
      if told[ExactText(old)] == column { told[ExactText(old)] = nil }
      told[ExactText(name)] = column
    }
  }

  /// Which table, or which page of it, has a name.
  private var owners: [ExactText: [(table: Int, page: Int?)]] = [:]
  private var pages: [[PageNames]]

  /// Knows the tables, whose names in the store are these, with their columns as they are read.
  init(_ tables: [PlainTable], called names: [String]) {
    pages = tables.map { $0.pages.map(PageNames.init) }
    for (place, table) in tables.enumerated() {
      for name in Set([names[place], table.name].map { ExactText($0) }) {
        owners[name, default: []].append((place, nil))
      }
      for (page, calls) in table.calls.enumerated() {
        for name in calls { owners[ExactText(name), default: []].append((place, page)) }
      }
    }
  }

  /// The table of which `TABLE=NAME` tells the name; nil where none is called so.
  func table(renamedBy text: String) -> Int? {
    text.cuts(at: "=").lazy.compactMap { owners[$0.head]?.first?.table }.first
  }

  /// What `TABLE.COLUMN` means; an old name goes before a new one.
  func find(_ text: String) -> Found? {
    for isElsewhere in [false, true] {
      for isRenamed in [false, true] {
        let found = find(text, isRenamed: isRenamed, isElsewhere: isElsewhere)
        if let found { return found }
      }
    }
    return nil
  }

  private func find(_ text: String, isRenamed: Bool, isElsewhere: Bool) -> Found? {
    var best: Found?
    for (head, name) in text.cuts(at: ".") {
      for (table, page) in owners[head] ?? [] where table <= best?.table ?? table {
        let meant = isElsewhere ? nil : page.map { $0..<$0 + 1 }
        let places = (meant ?? pages[table].indices).compactMap { page in
          pages[table][page].column(name, isRenamed: isRenamed).map { (page: page, column: $0) }
        }
        guard !places.isEmpty else { continue }
        let alike =
          page == nil && !isRenamed && !isElsewhere
          ? placesAlike(name, besides: places.map(\.page), inTable: table) : []
        let found = Found(
          table: table, name: name, places: places + alike, isOfTable: page == nil,
          isElsewhere: isElsewhere, isRenamed: isRenamed)
        best = best.map { $0.joined(with: found) } ?? found
      }
    }
    return best
  }

  /// The columns of other pages that are one with those of this name in the table.
  private func placesAlike(
    _ name: ExactText, besides known: [Int], inTable table: Int
  ) -> [(page: Int, column: Int)] {
    let known = Set(known)
    return pages[table].indices.lazy.filter { !known.contains($0) }.compactMap { page in
      pages[table][page].onlyColumn(calledLike: name).map { (page: page, column: $0) }
    }
  }

  /// The first page beside those that are meant that has a column of the same name in its file.
  func page(beside found: Found, having name: String) -> Int? {
    guard !found.isElsewhere else { return found.places.first?.page }
    let own = Set(found.places.map(\.page))
    return pages[found.table].indices.first { page in
      !own.contains(page)
        && pages[found.table][page].column(ExactText(name), isRenamed: false) != nil
    }
  }

  /// Takes that a column of a page is called otherwise.
  mutating func rename(
    _ column: Int, ofPage page: Int, inTable table: Int, from old: String, to name: String
  ) {
    pages[table][page].rename(column, from: old, to: name)
  }
}

extension ColumnsCalled.Found {
  /// Both, where they are of one table; else that of the first table.
  fileprivate func joined(with other: Self) -> Self {
    guard table == other.table, !isOfTable else { return table <= other.table ? self : other }
    guard !other.isOfTable else { return other }
    var both = self
    let pages = Set(places.map(\.page))
    both.places += other.places.filter { !pages.contains($0.page) }
    return both
  }
}
