package import Formats
package import Records

/// What tells which members of an item have no value since none could be taken over.
///
/// `ItemBody` spells them otherwise than those that are null.
package struct LostMembers: Sendable {
  private let columns: [(name: String, member: String)]
  private let omitsNulls: Bool

  /// Prepares to look through the items of one table.
  package init(of table: Table, style: SDKStyle) {
    columns = table.columns.filter { $0.role == .value && style.sends($0) }
      .map { ($0.name, $0.sourceName) }
    omitsNulls = style.omitsNulls
  }

  /// The names of such members of an item; `row` is the same as an export shows it, which has the
  /// columns of the device, and no other.
  package func names(
    in item: JSONObject, row: () throws(StoreError) -> JSONObject?
  ) throws(StoreError) -> [String] {
    let suspects = columns.filter { _, member in
      omitsNulls ? item[member] == .null : item[member] == nil
    }
    guard !suspects.isEmpty, !omitsNulls else { return suspects.map(\.member) }
    let row = try row()
    return suspects.filter { row?[$0.name] == .null }.map(\.member)
  }
}
