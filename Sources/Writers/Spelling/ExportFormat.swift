package import Records

/// The formats that exports come in.
package enum ExportFormat: String, Sendable, CaseIterable {
  case json
  case ndjson
  case csv
  case xml

  /// Whether one file or stream can carry several tables.
  package var hasDocuments: Bool { self == .json || self == .xml }

  /// The name as people write it.
  package var title: String { rawValue.uppercased() }

  /// The spelling of one table in a file of its own; `part` as in `ExportDestination`.
  package func spelling(
    of table: Table, as part: BookkeepingTable? = nil, isSafe: Bool
  ) -> any TableSpelling {
    switch self {
    case .json: JSONRows(of: table)
    case .ndjson: NDJSONRows(of: table)
    case .csv: CSVRows(of: table, isSafe: isSafe)
    case .xml: XMLFile(of: table, as: part)
    }
  }
}
