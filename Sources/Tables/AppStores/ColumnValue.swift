package import SQLite

/// What became of a value on its way into a column.
package enum ColumnValue {
  case taken(BoundValue)
  /// The column has no room for all of it.
  case changed(BoundValue)
  /// It is not of the column's type.
  case rejected
}
