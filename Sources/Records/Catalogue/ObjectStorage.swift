/// Where a store keeps the objects of a model: what a writer must know beside the catalogue.
package struct ObjectStorage: Sendable, Equatable {
  /// How each table of the catalogue is kept, in its order.
  package var tables: [TableStorage] = []
  /// The numbers of all entities by their names, abstract ones and those of an SDK included.
  package var entities: [String: Int64] = [:]
  /// The tables of the entities that are an SDK's own, by the names of these.
  package var systemTables: [String: String] = [:]
  /// Whether the SDK spells what it keeps in an item as it did before 3.0.
  package var hasOldSpelling = false
  /// Why nothing may be written, a sentence each.
  package var objections: [String] = []

  /// A store of which nothing is known yet.
  package init() {}
}

/// How one table of a catalogue is kept.
package struct TableStorage: Sendable, Equatable {
  /// The number of the entity; nil for the pairs of a relationship.
  package var entity: Int64?
  /// The number of the entity at the root of its tree, which shares the table and its keys.
  package var root: Int64?
  /// How each column of the catalogue is kept, in its order.
  package var columns: [ColumnStorage]

  /// A table that is kept like this.
  package init(entity: Int64?, root: Int64?, columns: [ColumnStorage]) {
    self.entity = entity
    self.root = root
    self.columns = columns
  }
}

/// How one column of a catalogue is kept.
package struct ColumnStorage: Sendable, Equatable {
  /// How values are stored.
  package enum Form: Sendable, Equatable {
    case integer(bits: Int)
    case boolean
    case real
    /// A number of 32 bits, as the nearest double.
    case float
    case decimal
    case text
    /// Seconds since 2001; an SDK has got them by taking the distance from those since 1970.
    case date(isFrom1970: Bool)
    /// The 16 bytes of a UUID.
    case uuid
    /// Bytes, behind a tag where they could also be in a file of their own.
    case binary(isTagged: Bool)
    /// The key of another row.
    case reference
    /// The number of the entity of that row.
    case referenceEntity
    /// A place in an order.
    case position
    case nothing
  }

  /// How values are stored.
  package var form: Form
  /// Whether the model allows that there is no value.
  package var isOptional = true
  /// Whether the engine computes it by triggers.
  package var isDerived = false
  /// What new objects have, as it is stored.
  package var defaultValue: RawValue?
  /// Where a reference leads.
  package var link: Link?

  /// Where a reference leads, and what is kept with it.
  package struct Link: Sendable, Equatable {
    /// The table of the rows that the key names.
    package var table: String
    /// The number of the entity at the root of their tree.
    package var root: Int64
    /// The number of their entity; nil where there may be rows of several.
    package var entity: Int64?
    /// The column with the number of their entity.
    package var entityColumn: String?
    /// The column with the place among the rows that refer to the same one.
    package var positionColumn: String?
    /// The column over there that must lead back, of a one-to-one relationship.
    package var inverseColumn: String?

    /// A link to the rows of a table.
    package init(table: String, root: Int64) {
      self.table = table
      self.root = root
    }
  }

  /// A column with values of a form.
  package init(_ form: Form) {
    self.form = form
  }
}
