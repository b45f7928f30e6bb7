import Bytes

/// The tables and columns that there are, for a person who has named one that is not there.
package struct KnownNames {
  /// A table by all the names that a person may give it, the first of which is shown, and its columns.
  package typealias KnownTable = (names: [String], columns: [String])

  private var tables: [KnownTable]

  /// How many names a message holds.
  private static let most = 20

  /// Tables that may have several names.
  package init(_ tables: [KnownTable]) {
    self.tables = tables
  }

  /// The tables of one catalogue or of several, those of one name as one.
  package init(_ tables: [Table]) {
    self.tables = []
    var places: [ExactText: Int] = [:]
    for table in tables {
      let columns = table.columns.map(\.name)
      if let place = places[ExactText(table.name)] {
        self.tables[place].names.append(table.sourceName)
        self.tables[place].columns += columns
      } else {
        places[ExactText(table.name)] = self.tables.count
        self.tables.append(([table.name, table.sourceName], columns))
      }
    }
  }

  /// What there is in place of `TABLE.COLUMN`: the columns of the table, or else the tables.
  package func hint(for place: String) -> String {
    if let hint = columnsOfTable(in: place) { return hint }
    if let owner = tables.first(where: { $0.columns.contains { hasSameBytes($0, place) } }) {
      return "name its table, too: \(owner.names.first ?? "").\(place)"
    }
    return namesOfTables
  }

  /// Which tables there are.
  package var namesOfTables: String { Self.tables(tables.compactMap(\.names.first)) }

  /// The same for `TABLE.COLUMN=WORD`, or `TABLE=WORD`.
  package func hint(forCorrection text: String) -> String {
    hint(for: text.lastIndex(of: "=").map { String(text[..<$0]) } ?? text)
  }

  /// What there is in place of `COLUMN`, in whatever table it may be, or of `TABLE.COLUMN`.
  package func hint(forColumn name: String) -> String {
    columnsOfTable(in: name) ?? Self.columns(tables.flatMap(\.columns), of: nil)
  }

  /// The columns of the table that a place begins with; nil where it begins with none.
  private func columnsOfTable(in place: String) -> String? {
    var meant: (name: String, columns: [String])?
    for table in tables {
      // A name may hold a dot itself, so the longest one that fits is meant.
      for name in table.names
      where place.removing(prefix: name + ".") != nil
        && name.utf8.count > meant?.name.utf8.count ?? -1
      {
        meant = (name, table.columns)
      }
    }
    return meant.map { Self.columns($0.columns, of: $0.name) }
  }

  private static func columns(_ columns: [String], of table: String?) -> String {
    var seen: Set<ExactText> = []
    let names = columns.filter { seen.insert(ExactText($0)).inserted }
    let owner = table.map { " of \($0)" } ?? ""
    guard !names.isEmpty else { return "there are no columns\(owner)" }
    let rest = names.count > most ? "; the first line of an export to csv has all" : ""
    return "the columns\(owner) are: \(list(names))\(rest)"
  }

  /// Tells which tables there are.
  package static func tables(_ names: [String]) -> String {
    names.isEmpty ? "there are no tables" : "the tables are: \(list(names))"
  }

  /// As many of the names as a message may hold.
  package static func list(_ names: [String]) -> String {
    names.prefix(most).joined(separator: ", ") + (names.count > most ? " …" : "")
  }
}
