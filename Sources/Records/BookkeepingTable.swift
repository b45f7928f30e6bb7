/// What a store knows besides its rows, each with the columns under which exports carry it.
package enum BookkeepingTable: String, Sendable, CaseIterable {
  /// The queue in push order; `_pk` is the `sequence`.
  case operations
  /// The failures that were written down; `_pk` counts from 1.
  case errors
  /// How far pulls had come; `_pk` counts from 1.
  case tokens
  /// The values that had no canonical spelling; `_pk` counts from 1.
  case rejects
  /// What devices would send, for each operation of a store of several sources, which alone has
  /// it; `_pk` is the `sequence`.
  case deviceItems

  /// The parts that every export has.
  package static let always: [BookkeepingTable] = [.operations, .errors, .tokens, .rejects]

  /// The columns, named as the fields of the JSON reports.
  package var table: Table {
    Table(name: rawValue, columns: columns)
  }

  private var columns: [Column] {
    switch self {
    case .operations:
      [
        .init("table"), .init("itemId"), .init("kind"), .init("state"), .init("item", .json),
        .init("baseVersion"), .init("rowKey", .integer), .init("rowTable"), .init("originalId"),
        .init("originalCode"), .init("rawStorage"), .init("raw", .binary),
      ]
    case .errors:
      [
        .init("table"), .init("itemId"), .init("kind"), .init("status", .integer), .init("code"),
        .init("message"), .init("item", .json), .init("serverItem", .json),
        .init("operation", .integer), .init("originalId"), .init("originalOperationId"),
        .init("rawStorage"), .init("raw", .binary),
      ]
    case .tokens:
      [.init("table"), .init("query"), .init("updatedAt", .timestamp), .init("raw")]
    case .rejects:
      [
        .init("table"), .init("row", .integer), .init("column"), .init("code"),
        .init("rawStorage"), .init("raw", .binary),
      ]
    case .deviceItems:
      [
        .init("source", .integer), .init("table"), .init("item", .json), .init("body", .json),
        .init("updatedAt"), .init("version"),
      ]
    }
  }
}

extension Column {
  fileprivate init(_ name: String, _ type: LogicalType = .text) {
    self.init(name: name, type: type)
  }
}
