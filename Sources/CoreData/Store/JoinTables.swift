import Records
import SQLite
import Tables

/// Plans one table of pairs for each many-to-many relationship.
struct JoinTables {
  let resolution: SchemaResolution

  /// The tables whose pairs can be read.
  func plan() -> [PlannedTable] {
    resolution.joinTables.compactMap(plan)
  }

  private func plan(_ join: ResolvedJoinTable) -> PlannedTable? {
    guard let table = join.table, let owner = join.ownerColumn, let target = join.targetColumn
    else { return nil }
    let isUndirected = join.isReflexive && join.positionColumn == nil
    let pairs =
      isUndirected
      ? Self.undirected(table, owner, target) : quoted(table) + " NOT INDEXED"
    var columns =
      plan("owner", end: join.owner, column: owner)
      + plan("target", end: join.target, column: target)
    for (name, position) in [
      ("position", join.positionColumn), ("owner_position", join.reversePositionColumn),
    ] {
      guard let position else { continue }
      columns.append(
        PlannedColumn(
          column: Column(
            name: name, sourceColumn: position.name, type: .integer, role: .position),
          position: position.position, expression: quoted(position.name), decoding: .integer))
    }
    return PlannedTable(
      name: join.name, sourceName: join.name, sourceTable: table, columns: columns,
      origin: pairs, key: nil, order: "\(quoted(owner.name)), \(quoted(target.name))")
  }

  /// Each pair once, the smaller key first: stores hold one direction or both.
  private static func undirected(
    _ table: String, _ owner: ActualColumn, _ target: ActualColumn
  ) -> String {
    let (left, right) = (quoted(owner.name), quoted(target.name))
    return """
      (SELECT DISTINCT min(\(left), \(right)) AS \(left), max(\(left), \(right)) AS \(right) \
      FROM \(quoted(table)) NOT INDEXED)
      """
  }

  private func plan(
    _ name: String, end: ResolvedEnd, column: ActualColumn
  ) -> [PlannedColumn] {
    var columns = [
      PlannedColumn(
        column: Column(
          name: name, sourceColumn: column.name, type: .reference, role: .reference,
          isNullable: false, target: end.isPolymorphic ? nil : end.entity),
        position: column.position, expression: quoted(column.name),
        decoding: .reference(otherSide: [:]), targetTable: end.table)
    ]
    if end.isPolymorphic, let table = end.table {
      let names = Dictionary(
        resolution.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
      columns.append(
        PlannedColumn(
          column: Column(
            name: name + "_entity", sourceColumn: "Z_ENT", type: .text, role: .referenceEntity),
          position: column.position,
          expression: EntityTables.entity(of: quoted(column.name), in: table),
          decoding: .entityName(names)))
    }
    return columns
  }
}
