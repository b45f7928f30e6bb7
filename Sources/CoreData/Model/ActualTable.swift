/// A table as it stands in the store.
struct ActualTable: Sendable, Equatable {
  /// Its name.
  let name: String
  /// Its columns in their order.
  let columns: [ActualColumn]

  /// Describes a table by the names and declared types of its columns.
  init(name: String, columns: [(name: String, declaredType: String)]) {
    self.name = name
    self.columns = columns.enumerated().map {
      ActualColumn(name: $1.name, declaredType: $1.declaredType, position: $0)
    }
  }
}

/// A column as it stands in the store.
package struct ActualColumn: Sendable, Hashable {
  /// Its name.
  package let name: String
  /// What it is declared with, as the schema spells it.
  package let declaredType: String
  /// Its place in the table, from 0.
  package let position: Int
}
