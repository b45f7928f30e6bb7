import Bytes
import Records
import SQLite
import Tables

/// Holds what a canonical store has against what its catalogue names: anyone may open it with any
/// tool, and change it.
struct CatalogueComparison {
  /// What is there and in no catalogue, so that nothing reads it, and what only the catalogue knows.
  private(set) var findings: [Finding] = []

  /// Names count as the engine tells them apart.
  init(_ catalogue: Catalogue, _ tables: [SchemaTable]) {
    var missing: [ExactText: Table] = [:]
    for table in catalogue.tables { missing[ExactText(sqlName: table.name)] = table }
    for stored in tables where !stored.isBookkeeping {
      if let table = missing.removeValue(forKey: ExactText(sqlName: stored.name)) {
        compare(table, stored)
      } else {
        findings.append(.notInCatalogue(stored.name, column: nil))
      }
    }
    for table in catalogue.tables where missing[ExactText(sqlName: table.name)] != nil {
      findings.append(.notInStore(table.name, column: nil))
    }
  }

  private mutating func compare(_ table: Table, _ stored: SchemaTable) {
    let listed = Set(table.columns.map { ExactText(sqlName: $0.name) })
    let there = Set(stored.columns.map { ExactText(sqlName: $0.name) })
    for column in stored.columns
    where !listed.contains(ExactText(sqlName: column.name)) && column.name != "_pk" {
      findings.append(.notInCatalogue(stored.name, column: column.name))
    }
    for column in table.columns where !there.contains(ExactText(sqlName: column.name)) {
      findings.append(.notInStore(table.name, column: column.name))
    }
  }
}

extension SchemaTable {
  /// Whether it is one of those by which a store knows what it has.
  fileprivate var isBookkeeping: Bool { name.lowercased().hasPrefix("rehome_") }
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
      message: "\(what) is in the catalogue of the store, and is not there")
  }
}
