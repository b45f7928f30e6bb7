import Records

extension Table {
  /// What the columns of items are called, and the type that each must have; an id may have any.
  private static let system: [(role: ColumnRole, name: String, type: LogicalType?)] = [
    (.id, "id", nil), (.version, "version", .text), (.createdAt, "createdAt", .timestamp),
    (.updatedAt, "updatedAt", .timestamp), (.deleted, "deleted", .boolean),
  ]

  /// Gives the columns of a plain table the parts that their names and types tell, once both are what
  /// a person wants them to be; without an id, its rows are no items.
  ///
  /// Letter case does not matter: .NET and SQL Server write `Id` and `UpdatedAt`. `dropped` are the
  /// places of columns that are left out.
  mutating func giveRoles(besides dropped: Set<Int>) {
    var roles: [Int: ColumnRole] = [:]
    for (role, name, type) in Self.system {
      guard let place = place(called: name, besides: dropped) else {
        if role == .id { return }
        continue
      }
      if type == nil || type == columns[place].type { roles[place] = role }
    }
    for (place, role) in roles { columns[place].role = role }
  }

  /// The place of the column with a name, or else of one that differs from it in letter case.
  private func place(called name: String, besides dropped: Set<Int>) -> Int? {
    let places = columns.indices.filter {
      !dropped.contains($0) && columns[$0].name.utf8.count == name.utf8.count
    }
    return places.first { columns[$0].name == name }
      ?? places.first { columns[$0].name.lowercased() == name.lowercased() }
  }
}
