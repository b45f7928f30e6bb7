/// What the schema says about the records of a table, as far as reading them depends on it.
package struct TableShape: Sendable, Equatable {
  /// Whether the affinity is REAL, for each stored column in its order.
  ///
  /// Such a column keeps whole numbers as integers, which the engine gives back as floating point
  /// numbers.
  package let isReal: [Bool]
  /// The column that stands for the row id and is stored as NULL; nil when there is none.
  package let rowIDColumn: Int?

  /// A table of as many columns as `isReal` has entries; computed columns that are not stored do
  /// not count.
  package init(isReal: [Bool], rowIDColumn: Int?) {
    self.isReal = isReal
    self.rowIDColumn = rowIDColumn
  }

  /// How many values a row has.
  package var columnCount: Int { isReal.count }

  /// Whether a declared type gives its column REAL affinity.
  package static func isReal(declaredType: String) -> Bool {
    Affinity(declaredType: declaredType) == .real
  }
}
