import Records

extension PlannedTable {
  /// Whether columns are members of a document.
  var hasMembers: Bool { columns.contains { $0.member != nil } }

  /// The columns that are stored and behind them the document; nil where there is none.
  package var withDocumentAsColumn: PlannedTable? {
    guard let document else { return nil }
    var table = self
    table.document = nil
    table.columns.removeAll { $0.member != nil }
    table.columns.append(
      PlannedColumn(
        column: Column(name: "document", type: .json), position: table.columns.count,
        expression: document, decoding: .text))
    return table
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
