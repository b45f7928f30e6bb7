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
  /// Letter case does not matter: .NET and SQL Server write `Id` and `UpdatedAt`. The first version of
  /// the table service writes `__version`, which is called as the others call it, unless the app has
  /// a `version` of its own. `dropped` are the places of columns that are left out, and `named` those
  /// to which a person gives their names.
  mutating func giveRoles(besides dropped: Set<Int>, named: Set<Int>) {
    var roles: [Int: ColumnRole] = [:]
    for (role, name, type) in Self.system {
      let ofApp = place(called: name, besides: dropped)
      let ofFirstService = role == .id ? nil : place(called: "__" + name, besides: dropped)
      guard let place = ofFirstService ?? ofApp else {
        if role == .id { return }
        continue
      }
      guard type == nil || type == columns[place].type else { continue }
      roles[place] = role
      if place == ofFirstService, ofApp == nil, !named.contains(place) {
        columns[place].name = name
      }
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
