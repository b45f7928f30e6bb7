import Bytes
import Records
import SQLite
import Tables

/// Holds what a canonical store has against what its catalogue names: anyone may open it with any
/// tool, and change it.
struct CatalogueComparison {
  /// What is there and in no catalogue, so that nothing reads it, and what only the catalogue knows.
  private(set) var findings: [Finding] = []
  /// The catalogue without what is not there.
  private(set) var catalogue: Catalogue
  /// Whether a merge has given each table a column for the source, which it does also where only one of
  /// several could be read.
  private let isMerged: Bool

  /// Names count as the engine tells them apart.
  init(_ catalogue: Catalogue, _ tables: [SchemaTable]) {
    self.catalogue = catalogue
    isMerged = tables.contains(where: \.isOfMerge)
    var places: [ExactText: Int] = [:]
    for (place, table) in catalogue.tables.enumerated() {
      places[ExactText(sqlName: table.name)] = place
    }
    for stored in tables where !stored.isBookkeeping {
      if let place = places.removeValue(forKey: ExactText(sqlName: stored.name)) {
        compare(place, stored)
      } else {
        findings.append(.notInCatalogue(stored.name, column: nil))
      }
    }
    let missing = places.values.sorted()
    findings += missing.map { .notInStore(catalogue.tables[$0].name, column: nil) }
    for place in missing.reversed() { self.catalogue.tables.remove(at: place) }
  }

  private mutating func compare(_ place: Int, _ stored: SchemaTable) {
    let table = catalogue.tables[place]
    let own = isMerged ? ["_pk", SourceColumn.name] : ["_pk"]
    let listed = Set((table.columns.map(\.name) + own).map { ExactText(sqlName: $0) })
    let there = Set(stored.columns.map { ExactText(sqlName: $0.name) })
    for column in stored.columns where !listed.contains(ExactText(sqlName: column.name)) {
      findings.append(.notInCatalogue(stored.name, column: column.name))
    }
    for column in table.columns where !there.contains(ExactText(sqlName: column.name)) {
      findings.append(.notInStore(table.name, column: column.name))
    }
    catalogue.tables[place].columns.removeAll { !there.contains(ExactText(sqlName: $0.name)) }
  }
}

extension SchemaTable {
  /// Whether it is one of those by which a store knows what it has.
  fileprivate var isBookkeeping: Bool { asciiLowercased(name).hasPrefix("rehome_") }

  /// Whether it is one that only a merge makes so.
  fileprivate var isOfMerge: Bool {
    let findings = CanonicalSchema.mergedRows
    return name == CanonicalSchema.deviceItems.name
      || name == findings.name && columns.contains { $0.name == "item" }
  }
}

extension Finding {
  fileprivate static func notInCatalogue(_ table: String, column: String?) -> Finding {
    let what = column.map { "the column \($0)" } ?? "the table"
    return Finding(
      "not-in-catalogue", .warning, table: table,
      message: "\(what) is not in the catalogue of the store and is left out")
  }

  fileprivate static func notInStore(_ table: String, column: String?) -> Finding {
    let what = column.map { "the column \($0)" } ?? "the table"
    return Finding(
      "not-in-store", .error, table: table,
      message: "\(what) is in the catalogue of the store, and is not there; the rest is read")
  }
}
