import Records
import Tables

/// What is seen of the documents of a table before its rows are read.
struct DocumentCensus: RowCensus {
  private(set) var rows = 0
  /// How many documents are no objects.
  private(set) var unreadable = 0
  private(set) var kinds = MemberKinds()
  private let column: Int
  private var members = DocumentMembers(tellingStructures: false)

  /// Has seen none of a table that has them in its last column.
  init(of table: PlannedTable) { column = table.columns.count }

  mutating func count(_ row: borrowing some StoredRow & ~Copyable) {
    rows += 1
    switch StoredDocument(row, at: column, &members) {
    case .none: break
    case .unreadable: unreadable += 1
    case .object: kinds.add(members)
    }
  }

  mutating func add(_ other: DocumentCensus) {
    rows += other.rows
    unreadable += other.unreadable
    kinds.add(other.kinds)
  }
}
