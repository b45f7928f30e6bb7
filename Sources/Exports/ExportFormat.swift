package import Records

/// The formats that exports come in.
package enum ExportFormat: String, Sendable, CaseIterable {
  case json
  case ndjson
  case csv
  case xml
  case postgresql

  /// Whether one file or stream can carry several tables.
  package var hasDocuments: Bool { self == .json || self == .xml || self == .postgresql }

  /// Whether a folder can hold a file for each table.
  package var hasBundles: Bool { self != .postgresql }

  /// The name as people write it.
  package var title: String { self == .postgresql ? "PostgreSQL" : rawValue.uppercased() }

  /// What the names of its files end in.
  package var ending: String { self == .postgresql ? "sql" : rawValue }

  /// The format that a file is of by its name, packed or not, with the ending that says so.
  package static func named(by path: String) -> (format: ExportFormat, ending: String)? {
    let name = path.lowercased()
    for format in allCases {
      let endings = [".\(format.ending)", ".\(format.ending).gz"]
      if let ending = endings.first(where: name.hasSuffix) { return (format, ending) }
    }
    return nil
  }

  /// How many columns a table can have besides its key; nil where any number will do.
  package var mostColumns: Int? { self == .postgresql ? 1599 : nil }

  /// Where exports keep the values that no column could take.
  package var nameOfRejects: String { self == .postgresql ? "rehome_reject" : "rejects" }

  /// The spelling of one table in a file of its own; `part` as in `ExportDestination`.
  package func spelling(
    of table: Table, as part: BookkeepingTable? = nil, csv style: CSVStyle = .plain
  ) -> any TableSpelling {
    switch self {
    case .json: JSONRows(of: table)
    case .ndjson: NDJSONRows(of: table)
    case .csv: CSVRows(of: table, style: style)
    case .xml: XMLFile(of: table, as: part)
    case .postgresql:
      PostgreSQLRows(PostgreSQLTable(table, schema: "public", name: table.name), head: [])
    }
  }
}

extension ExportFormat {
  /// The spelling of documents, in formats that have them.
  ///
  /// `schema` is what a script for a database makes.
  func document(schema: String) -> (any DocumentSpelling)? {
    switch self {
    case .postgresql: PostgreSQLScript(schema: schema)
    case .json: JSONDocument()
    case .xml: XMLDocument()
    case .csv, .ndjson: nil
    }
  }
}
