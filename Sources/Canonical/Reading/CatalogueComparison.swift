import Bytes
import Records
import SQLite

/// Holds what a canonical store has against what its catalogue names: anyone may open it with any
/// tool, and change it.
struct CatalogueComparison {
  /// What is there, and in no catalogue, so that nothing reads it.
  private(set) var findings: [Finding] = []
  /// A table of the catalogue, or a column of one, that is not there.
  private(set) var missing: (table: String, column: String?)?

  init(_ catalogue: Catalogue, _ tables: [SchemaTable]) {
    var listed: [ExactText: Table] = [:]
    for table in catalogue.tables { listed[ExactText(folding: table.name)] = table }
    for stored in tables where !stored.isBookkeeping {
      guard let table = listed.removeValue(forKey: ExactText(folding: stored.name)) else {
        findings.append(.notInCatalogue(stored.name, column: nil))
        continue
      }
      compare(table, stored)
    }
    if missing == nil,
      let gone = catalogue.tables.first(where: { listed[ExactText(folding: $0.name)] != nil })
    {
      missing = (gone.name, nil)
    }
  }

  private mutating func compare(_ table: Table, _ stored: SchemaTable) {
    var columns: [ExactText: String] = [:]
    for column in stored.columns { columns[ExactText(folding: column.name)] = column.name }
    columns[ExactText(folding: "_pk")] = nil
    for column in table.columns
    where columns.removeValue(forKey: ExactText(folding: column.name)) == nil {
      missing = missing ?? (table.name, column.name)
    }
    for column in stored.columns where columns[ExactText(folding: column.name)] != nil {
      findings.append(.notInCatalogue(stored.name, column: column.name))
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
}

extension StoreError {
  /// A table of the catalogue, or a column of one, is not there.
  static func missing(
    _ missing: (table: String, column: String?), at path: String
  ) -> StoreError {
    let column = missing.column.map { "a column \($0) of the table" } ?? "a table"
    return StoreError(
      .damaged, path: path,
      "the catalogue of the store names \(column) \(missing.table), which is not there",
      hint:
        "whoever changed the store has its former name; give it that again, or convert the original anew"
    )
  }
}
