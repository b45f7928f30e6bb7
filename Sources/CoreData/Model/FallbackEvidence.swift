/// What a store without a model still tells about its schema.
struct FallbackEvidence: Sendable {
  /// The entities the store lists.
  var rows: [PrimaryKeyRow]
  /// The tables it has.
  var tables: [ActualTable]
  /// The entities that the metadata has hashes for, if known.
  var hashedNames: Set<String>?
  /// Columns that are the only one of an index named after them, by table.
  var indexedColumns: [String: Set<String>] = [:]
  /// Where rows have content, if that was looked up; nil means nobody looked.
  var occupied: Set<OccupiedColumn>?
}

/// A column in which rows of an entity have something other than NULL.
struct OccupiedColumn: Sendable, Hashable {
  /// The entity's number.
  let entity: Int64
  /// The name of the column.
  let column: String
}

/// How a property is truly spelled, and what it holds if that is known too.
package struct KnownSpelling: Sendable, Equatable {
  /// The name of the property.
  package var name: String
  /// The type of the attribute; nil leaves it to the column's declaration.
  package var type: AttributeType?

  /// Takes all its parts.
  package init(name: String, type: AttributeType? = nil) {
    self.name = name
    self.type = type
  }
}
