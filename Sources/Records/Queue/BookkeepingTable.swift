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
  /// What replays have done, oldest first, which only what was replayed has; `_pk` counts from 1.
  case journal
  /// What people have decided about operations, those of one oldest first, which only stores with
  /// marks have; `_pk` counts from 1.
  case marks

  /// The parts that every export has.
  package static let always: [BookkeepingTable] = [.operations, .errors, .tokens, .rejects]

  /// The columns, named as the fields of the JSON reports.
  package var table: Table {
    Table(name: rawValue, columns: columns)
  }

  /// The same in an export of a store of several sources, where rows tell theirs as those of the app's
  /// tables do.
  package func table(ofSeveral isOfSeveral: Bool) -> Table {
    var table = table
    if isOfSeveral, tellsSources { table.columns.append(SourceColumn.column) }
    return table
  }

  /// Whether its rows tell their sources; those of operations stand among the device items.
  private var tellsSources: Bool {
    switch self {
    case .errors, .tokens, .rejects: true
    case .operations, .deviceItems, .journal, .marks: false
    }
  }

  private var columns: [Column] {
    switch self {
    case .operations: PendingOperation.columns.flatMap(\.columns)
    case .errors: OperationError.fields.flatMap(\.columns)
    case .tokens: DeltaToken.fields.flatMap(\.columns)
    case .rejects: RejectedValue.fields.flatMap(\.columns)
    case .deviceItems: DeviceItem.exportedFields.flatMap(\.columns)
    case .journal: JournalLine.fields.flatMap(\.columns)
    case .marks: NumberedMark.exportedFields.flatMap(\.columns)
    }
  }
}

extension RecordField {
  /// The columns of exports: a value of any class takes two, for its class and its bytes.
  fileprivate var columns: [Column] {
    guard let type else {
      return [
        Column(name: name + "Storage", type: .text), Column(name: name, type: .binary),
      ]
    }
    return [Column(name: name, type: type)]
  }
}
