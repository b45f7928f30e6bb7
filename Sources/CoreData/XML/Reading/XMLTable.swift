import Records

/// A table of the catalogue together with where its rows are.
struct XMLTable {
  /// Where the rows are.
  enum Rows {
    /// They are objects, in key order, with the column of each name of a value.
    case objects([Int], columnsByName: [Int: Int])
    /// They are pairs of a relationship, in key order.
    case pairs([XMLJoinRow])
  }

  /// Where a cell comes from.
  enum Content {
    /// From a value of the object.
    case value(XMLValueForm)
    /// From a relationship of the object, by its place among all.
    case reference(Int)
    case referenceEntity(Int)
    case referencePosition(Int)
    /// From a relationship that leads to the object.
    case owner(Int)
    case ownerEntity(Int)
    case ownerPosition(Int)
    /// From the pair.
    case pairOwner
    case pairOwnerEntity
    case pairTarget
    case pairTargetEntity
    case pairPosition
    case pairOwnerPosition
  }

  /// A column and where its cells come from.
  package struct PlannedColumn {
    package var column: Column
    package let content: Content

  }

  /// The table's name before it is claimed.
  let name: String
  /// The columns in their order.
  var columns: [PlannedColumn]
  /// The rows.
  let rows: Rows

  /// How many rows there are.
  var rowCount: Int {
    switch rows {
    case .objects(let objects, _): objects.count
    case .pairs(let pairs): pairs.count
    }
  }
}

extension [XMLTable] {
  /// The catalogue, with every name made unique and clear of reserved ones.
  func catalogue(origin: NameOrigin) -> Catalogue {
    var tableNames = CatalogueNames()
    return Catalogue(
      tables: map { table in
        var columnNames = CatalogueNames()
        return Table(
          name: tableNames.claimTable(table.name), sourceName: table.name,
          sourceTable: table.name.uppercased(),
          columns: table.columns.map { planned in
            var column = planned.column
            column.name = columnNames.claimColumn(column.name)
            return column
          })
      }, nameOrigin: origin)
  }
}
