package import Bytes
package import Formats
package import Records

/// The members that items of a table lack because they have the default values of their types, as
/// the Community Toolkit's have (`azure-mobile-other-sdks.md`, section 8.2).
///
/// Whether such a value is null or zero, the row beside the item tells, else the column's type.
package struct LeftOutMembers: Sendable {
  private struct Member: Sendable {
    let column: Int
    let name: String
    let type: LogicalType
    /// What the type begins with, where the row does not tell.
    let zero: JSONValue
  }

  private let members: [Member]

  /// Prepares to look for what items of a table lack; some members, by their names, are known to be
  /// truth values, whatever their columns are.
  package init(of table: Table, style: SDKStyle, truths: Set<ExactText>) {
    var taken: Set<ExactText> = []
    members = table.columns.enumerated().compactMap { place, column in
      guard column.role == .value, style.sends(column) else { return nil }
      let name = ToolkitNames.memberName(of: column.sourceName)
      // Of several devices the table may have two columns for one member.
      guard taken.insert(ExactText(folding: name)).inserted else { return nil }
      let isTruth = column.type == .boolean || truths.contains(ExactText(folding: name))
      let zero: JSONValue =
        switch column.type {
        case .boolean, .integer, .real, .decimal:
          isTruth ? .boolean(false) : .number(JSONNumber(0))
        default: .null
        }
      return Member(column: place, name: name, type: column.type, zero: zero)
    }
  }

  /// What an item lacks, with the values that it stands for; its row may be gone.
  package func members(missingIn item: JSONObject, row: [RawValue?]?) -> [JSONObject.Member] {
    let present = Set(item.members.map { ExactText(folding: $0.key) })
    return members.filter { !present.contains(ExactText(folding: $0.name)) }.map { member in
      JSONObject.Member(key: member.name, value: value(of: member, row))
    }
  }

  private func value(of member: Member, _ row: [RawValue?]?) -> JSONValue {
    guard let row, member.column < row.count else { return member.zero }
    switch row[member.column] {
    case nil: return .null
    case .text(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      // Only zero may be lacking, which Entity Framework keeps as the text of a decimal.
      if let number = JSONNumber(text), number.real == 0 { return .number(JSONNumber(0)) }
      return isEmptyText(text) ? .string(text) : member.zero
    case .integer, .real, .binary: return member.zero
    }
  }
}
