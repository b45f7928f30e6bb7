/// A point in which a store is not what its model says, with both sides named.
package enum SchemaDifference: Sendable, Hashable {
  /// The store still has an earlier name for the entity with this number.
  case staleEntityName(number: Int64, recorded: String?, current: String)
  /// The store numbers an entity in another way; its own number is used.
  case entityNumber(entity: String, predicted: Int64, recorded: Int64)
  /// The store names another parent, 0 meaning none.
  case superentity(entity: String, predicted: Int64, recorded: Int64)
  /// The store does not list an entity.
  case entityNotRecorded(entity: String, predicted: Int64)
  /// The store lists an entity that the model does not have.
  case recordedEntityUnknown(number: Int64, name: String?)
  /// The store's metadata has no hash for an entity.
  case entityNotHashed(entity: String)
  /// The store's metadata has a hash for an entity that is not there.
  case hashedEntityUnknown(entity: String)
  /// Two rows of the store claim one name; the second is called by its number as well.
  case repeatedEntityName(name: String, number: Int64)
  /// Entities descend from each other in a circle in the store; this one counts as a root.
  case cyclicSuperentity(number: Int64, parent: Int64)

  /// A relationship leads to an entity that is not there.
  case destinationUnknown(PropertyName, destination: String)
  /// A relationship names an inverse that is not there.
  case inverseUnknown(PropertyName, inverse: String)
  /// A relationship's inverse leads back to something else.
  case inverseNotMutual(PropertyName, inverse: PropertyName, leadsBackTo: String?)

  /// An entity's table is not there.
  case missingTable(entity: String, table: String)
  /// A table belongs to nothing known.
  case extraTable(table: String)
  /// A table was found under a name that differs in case or digits.
  case tableSpelling(predicted: String, actual: String)
  /// Two entities or relationships want one table; this one does not get it.
  case tableTaken(wantedBy: String, table: String)
  /// One of the three columns that every table of objects has is not there.
  case missingLeadingColumn(table: String, column: String)
  /// A property's column is not there.
  case missingColumn(PropertyName, table: String, column: String)
  /// A column belongs to no property.
  case extraColumn(table: String, column: String)
  /// A column was found under a name that differs in case or digits.
  case columnSpelling(PropertyName, table: String, predicted: String, actual: String)
  /// A column is declared with another type.
  case columnType(PropertyName, table: String, column: String, predicted: String, actual: String)
  /// A column's number might as well belong to a property whose name ends in that digit.
  case ambiguousColumn(PropertyName, table: String, column: String)
  /// Neither possible table of a many-to-many relationship is there.
  case missingJoinTable(PropertyName, inverse: PropertyName, candidates: [String])
  /// Both possible tables of a many-to-many relationship are there.
  case severalJoinTables(PropertyName, chosen: String, other: String)
}
