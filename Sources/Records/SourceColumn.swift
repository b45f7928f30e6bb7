/// The column by which the rows of a store of several sources know theirs.
package enum SourceColumn {
  /// Its name; it stands behind the columns of the app and is none of them.
  package static let name = "_source"

  /// The column, behind all others of a table.
  package static var column: Column { Column(name: name, type: .integer, role: .source) }
}

extension Table {
  /// Where the number of a row's source stands: in the last column, if anywhere.
  package var sourcePlace: Int? {
    columns.last?.role == .source ? columns.count - 1 : nil
  }

  /// The table with nothing but what the app or its SDK has put into it.
  package var withoutSource: Table {
    var table = self
    if sourcePlace != nil { table.columns.removeLast() }
    return table
  }
}

extension Catalogue {
  /// The catalogue for the store of one device, whose rows need no source.
  package var withoutSources: Catalogue {
    Catalogue(tables: tables.map(\.withoutSource), nameOrigin: nameOrigin)
  }
}
