/// The column by which the rows of a store of several sources know theirs.
package enum SourceColumn {
  /// Its name; it stands behind the columns of the app and is none of them.
  package static let name = "_source"

  /// The column, behind all others of a table.
  package static var column: Column { Column(name: name, type: .integer, role: .source) }
}

/// A record that knows its source by a number; 0 where there is only one, or nobody knows which.
package protocol Sourced: Sendable {
  /// The number of the source.
  var source: Int32 { get set }
}

extension RecordField where Record: Sourced {
  /// The column as a field of records, which is empty where nobody knows the source.
  fileprivate static var source: Self {
    Self(
      SourceColumn.name, .integer,
      value: { $0.source == 0 ? .null : .integer(Int64($0.source)) },
      take: { $1.source = Int32(clamping: $0.integer ?? 0) })
  }
}

extension Array {
  /// The fields of records of a store of several sources, which know theirs, or those of one.
  package func ofSeveral<Record: Sourced>(_ isOfSeveral: Bool) -> Self
  where Element == RecordField<Record> {
    isOfSeveral ? self + [.source] : self
  }
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
