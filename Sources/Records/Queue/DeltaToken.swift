/// How far an incremental pull of one query had come.
package struct DeltaToken: Sourced, Sendable, Equatable {
  /// The canonical name of the table.
  package var table: String?
  /// The query's id.
  package var query: String?
  /// The time in canonical spelling; nil when the stored value cannot be read.
  package var updatedAt: String?
  /// The value as stored, as text.
  package var raw: String?
  /// The number of its source in a store of several sources; 0 in others.
  package var source: Int32 = 0

  /// A token about which nothing is known yet.
  package init() {}
}

extension DeltaToken {
  /// What is kept of a token, in the order of its columns.
  package static let fields: [RecordField<Self>] = [
    .text("table", \.table), .text("query", \.query),
    .text("updatedAt", \.updatedAt, .timestamp), .text("raw", \.raw),
  ]
}
