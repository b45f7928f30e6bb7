package import Bytes

/// Keeps the app's names clear of the names that the canonical store needs for itself.
///
/// SQLite compares table and column names without regard to ASCII case, so twins that differ only
/// in case get a number, too; two spellings of one letter are two names to it. A zero would end the
/// name for the engine, and becomes `_`; bytes that are no UTF-8 become the sign for that.
package struct CatalogueNames: Sendable {
  private var taken: Set<[UInt8]> = []
  /// The next number to try for a name that has twins, so that many twins take no longer each.
  private var nextNumbers: [[UInt8]: Int] = [:]

  /// No name is taken yet.
  package init() {}

  /// A table name that is free: `rehome_x` becomes `app_rehome_x`, a twin gets a number.
  package mutating func claimTable(_ name: String) -> String {
    let name = Self.withoutZeros(name.mended)
    return claim(Self.isReserved(name) ? "app_" + name : name.isEmpty ? "_" : name)
  }

  /// Free names for all tables of a store: what needs no other name keeps its own, wherever it stands.
  package static func tables(_ names: [String]) -> [String] {
    claimed(names) { $0.claimTable($1) }
  }

  /// Free names for all columns of a table, likewise.
  package static func columns(_ names: [String]) -> [String] {
    claimed(names) { $0.claimColumn($1) }
  }

  private static func claimed(
    _ names: [String], _ claim: (inout CatalogueNames, String) -> String
  ) -> [String] {
    var own = CatalogueNames()
    var claimed = names.map { name -> String? in
      // A name that is free when nothing is taken is none that must give way.
      var nothing = CatalogueNames()
      guard hasSameBytes(claim(&nothing, name), name), !own.taken.contains(folded(name)) else {
        return nil
      }
      return claim(&own, name)
    }
    for place in names.indices where claimed[place] == nil {
      claimed[place] = claim(&own, names[place])
    }
    return claimed.compactMap(\.self)
  }

  /// Whether no table of an app can have a name.
  fileprivate static func isReserved(_ name: String) -> Bool {
    let folded = folded(name)
    return folded.starts(with: "rehome_".utf8) || folded.starts(with: "sqlite_".utf8)
  }

  /// What a person may call a table of this name: so, or as reports show it, where that is the name
  /// of no other.
  package static func calls(_ name: String, among all: Set<ExactText>) -> [String] {
    var names = CatalogueNames()
    let shown = names.claimTable(name)
    return all.contains(ExactText(shown)) ? [name] : [name, shown]
  }

  /// A column name that is free: `_pk` becomes `_pk_`, a twin gets a number.
  package mutating func claimColumn(_ name: String) -> String {
    let name = Self.withoutZeros(name.mended)
    return claim(
      Self.folded(name).elementsEqual("_pk".utf8) ? name + "_" : name.isEmpty ? "_" : name)
  }

  private mutating func claim(_ name: String) -> String {
    var candidate = name
    while !taken.insert(Self.folded(candidate)).inserted {
      let number = nextNumbers[Self.folded(name), default: 2]
      candidate = "\(name)_\(number)"
      nextNumbers[Self.folded(name)] = number + 1
    }
    return candidate
  }

  private static func withoutZeros(_ name: String) -> String {
    guard name.utf8.contains(0) else { return name }
    return String(decoding: name.utf8.map { $0 == 0 ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
  }

  /// The name as SQLite compares it: ASCII letters in lower case, all others as they are.
  private static func folded(_ name: String) -> [UInt8] {
    Array(asciiLowercased(name).utf8)
  }
}

extension CatalogueNames {
  /// What each of several things is called where a number that it got here as a twin is left away.
  ///
  /// A number is a twin's only where another one has the name without it; else it is of a person's
  /// choosing, as the year in `sales_2024`.
  fileprivate static func withoutNumbers(
    _ names: [(shown: String, source: String)], besides reserved: [String] = []
  ) -> [String] {
    let hasNumber = names.map { isNumber($0.shown.removing(prefix: $0.source + "_")) }
    guard hasNumber.contains(true) else { return names.map(\.shown) }
    let taken = Set((names.map(\.shown) + reserved).map(folded))
    return zip(names, hasNumber).map { name, hasNumber in
      hasNumber && taken.contains(folded(name.source)) ? name.source : name.shown
    }
  }

  /// Whether it is a number that a twin gets: 2 or more, as it is written.
  fileprivate static func isNumber(_ text: String?) -> Bool {
    guard let text, let first = text.utf8.first, first != UInt8(ascii: "0"), text != "1" else {
      return false
    }
    return text.utf8.allSatisfy { $0 &- 0x30 < 10 }
  }
}

extension [Column] {
  /// Gives way with the names that cannot be beside the others.
  package mutating func claimNames() {
    let names = CatalogueNames.columns(map(\.name))
    for (place, name) in names.enumerated() { self[place].name = name }
  }
}

extension Table {
  /// The names by which the source tells its columns from twins that differ only in letter case.
  package var ownNames: [String] {
    // To the column that a merge adds, one of the app gives way in the same manner.
    var names = CatalogueNames.withoutNumbers(
      columns.map { ($0.name, $0.sourceName) }, besides: [SourceColumn.name])
    for (place, column) in columns.enumerated() {
      let isKnown = column.role == .value || column.role == .id
      if !isKnown || column.type == .reference { names[place] = column.name }
    }
    // A reference is known to its companion by its whole name.
    guard columns.contains(where: { $0.role == .referenceEntity }) else { return names }
    for (place, column) in columns.enumerated() where column.type == .reference {
      guard let entity = entityPlace(ofReferenceAt: place) else { continue }
      names[entity] = column.name + Column.entityEnding
    }
    return names
  }
}

extension Catalogue {
  /// The names by which the source tells its tables from twins that differ only in letter case.
  package var ownNames: [String] {
    CatalogueNames.withoutNumbers(tables.map { ($0.name, $0.sourceName) })
  }

  /// The names that the app has for its tables, which are those of the source where they had to give
  /// way here to another one, of this tool or of a twin.
  package var appNames: [String] {
    zip(tables, ownNames).map { table, ownName in
      let isReserved = CatalogueNames.isReserved(table.sourceName)
      let given = "app_" + table.sourceName
      let gaveWay =
        hasSameBytes(ownName, table.sourceName)
        || isReserved
          && (hasSameBytes(table.name, given)
            || CatalogueNames.isNumber(table.name.removing(prefix: given + "_")))
      return gaveWay ? table.sourceName : table.name
    }
  }
}

extension Catalogue {
  /// The tables to which a person has given other names than the source has.
  package var renamedTables: [String] {
    zip(tables, appNames).filter { !hasSameBytes($0.sourceName, $1) }.map(\.0.name)
  }
}

extension Finding {
  /// A note for a name that had to give way when names were claimed.
  package static func changedName(
    _ what: String, to name: String, inTable table: String
  ) -> Finding {
    Finding("name-changed", .note, table: table, message: "\(what) is called \(name) here")
  }
}
