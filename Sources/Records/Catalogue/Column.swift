package import Bytes

/// The part that a column plays in synchronisation, or that it points to another table.
package enum ColumnRole: String, CaseIterable, Sendable {
  /// An ordinary value of the app.
  case value
  /// The item's identity towards the server.
  case id
  /// The server's version of the item, for conditions.
  case version
  /// When the server made the item.
  case createdAt
  /// When the server last changed the item.
  case updatedAt
  /// Whether the server has deleted the item.
  case deleted
  /// The key of a row of another table.
  case reference
  /// The table name that goes with a polymorphic reference.
  case referenceEntity
  /// The place of the row among its owner's ordered rows.
  case position
  /// The number of the row's source, in a store of several.
  case source

  /// Whether it tells of other rows of the store, which is nothing that a server knows.
  package var isOfLinks: Bool {
    self == .reference || self == .referenceEntity || self == .position
  }
}

/// One column of the catalogue.
package struct Column: Sendable, Equatable {
  /// The name in the canonical store and in exports.
  @ExactText package var name: String
  /// The name as the app or its SDK spelled it.
  @ExactText package var sourceName: String
  /// The physical column of the source.
  @ExactText package var sourceColumn: String
  /// What its values mean.
  package var type: LogicalType { didSet { isUndecided = false } }
  /// Whether the source has no value that would tell the type, so that any other would do as well.
  package var isUndecided = false
  /// What part it plays.
  package var role: ColumnRole
  /// Whether the source's model allows NULL; true where no model says otherwise.
  package var isNullable: Bool
  /// The table that a reference points to, where it is always the same.
  package var target: String?

  /// A column; what is not given is taken from the name, or is ordinary.
  package init(
    name: String, sourceName: String? = nil, sourceColumn: String? = nil, type: LogicalType,
    role: ColumnRole = .value, isNullable: Bool = true, target: String? = nil
  ) {
    self.name = name
    self.sourceName = sourceName ?? name
    self.sourceColumn = sourceColumn ?? name
    self.type = type
    self.role = role
    self.isNullable = isNullable
    self.target = target
  }

  /// Whether the name is that of a column of Core Data, in upper case, as the store spells none.
  package var hasNameOfColumn: Bool { hasSameBytes(sourceColumn, "Z" + sourceName) }

  /// What stands behind the name of a reference in that of the column with the names of tables.
  package static let entityEnding = "_entity"
}
