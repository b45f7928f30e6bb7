import Exports
import Records
import Tables

extension Column {
  /// The part that a column plays towards the server, by its role or by a name that some SDK or
  /// service gives it, in a table whose items have ids; nil for a column of the app.
  ///
  /// A name without prefix is the app's own, unless `counterpart` is the other store's column of
  /// that part.
  func systemRole(beside counterpart: Table) -> ColumnRole? {
    switch role {
    case .version, .createdAt, .updatedAt, .deleted: return role
    case .id, .reference, .referenceEntity, .position, .source: return nil
    case .value: break
    }
    let folded = asciiLowercased(name)
    let prefix = ["__", "ms_"].first { folded.hasPrefix($0) }
    guard let found = Self.systemRoles[String(folded.dropFirst(prefix?.count ?? 0))],
      prefix != nil || counterpart.index(of: found) != nil
    else { return nil }
    return found
  }

  private static let systemRoles: [String: ColumnRole] = [
    "version": .version, "createdat": .createdAt, "updatedat": .updatedAt, "deleted": .deleted,
  ]
}

extension Table {
  /// The column with the items' ids, by its role or its name.
  var idPlace: Int? {
    index(of: .id) ?? columns.firstIndex { asciiLowercased($0.name) == "id" }
  }
}
