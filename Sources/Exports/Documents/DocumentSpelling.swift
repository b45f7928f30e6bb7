package import Records

/// Spells a whole store as one document that is written from front to back.
package protocol DocumentSpelling: Sendable {
  /// Appends what stands before the first table.
  mutating func appendStart(_ head: ExportHead, to output: inout [UInt8])

  /// Appends what stands between the table before and this one.
  ///
  /// - Returns: the spelling of the table itself.
  mutating func appendSeparator(
    before table: Table, as part: BookkeepingTable?, to output: inout [UInt8]
  ) -> any TableSpelling

  /// Appends what stands behind the last table.
  mutating func appendEnd(_ tail: ExportTail, to output: inout [UInt8])
}

extension ExportFormat {
  /// The spelling of documents, in formats that have them.
  ///
  /// `schema` is what a script for a database makes.
  package func document(schema: String) -> (any DocumentSpelling)? {
    switch self {
    case .postgresql: PostgreSQLScript(schema: schema)
    case .json: JSONDocument()
    case .xml: XMLDocument()
    case .csv, .ndjson: nil
    }
  }
}
