import Records

/// What is seen of the documents of a table before its rows are read.
package struct DocumentCensus: RowCensus {
  package private(set) var rows = 0
  /// How many documents are no objects.
  package private(set) var unreadable = 0
  package private(set) var kinds = MemberKinds()
  private let column: Int
  private var members = DocumentMembers(tellingStructures: false)

  /// Has seen none of a table that has them in its last column.
  package init(of table: PlannedTable) { column = table.columns.count }

  package mutating func count(_ row: borrowing some StoredRow & ~Copyable) {
    rows += 1
    switch StoredDocument(row, at: column, &members) {
    case .none: break
    case .unreadable: unreadable += 1
    case .object: kinds.add(members)
    }
  }

  package mutating func add(_ other: DocumentCensus) {
    rows += other.rows
    unreadable += other.unreadable
    kinds.add(other.kinds)
  }
}

extension PlannedColumn {
  /// A column of the members of a key, at a place behind others.
  package init(member key: String, _ form: DocumentForm, at position: Int) {
    let type: LogicalType =
      switch form {
      case .cast(let type), .content(let type): type
      }
    let decoding: CellDecoding =
      switch type {
      case .integer: .integer
      case .real: .real
      case .boolean: .boolean
      default: .text
      }
    self.init(
      column: Column(name: key, type: type), position: position, expression: "NULL",
      decoding: decoding, member: DocumentMember(key: key, form: form))
  }
}
