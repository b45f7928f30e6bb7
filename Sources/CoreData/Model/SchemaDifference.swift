import Records

/// A point in which a store is not what its model says, with both sides named.
enum SchemaDifference: Sendable, Hashable {
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

extension SchemaDifference: CustomStringConvertible {
  /// One sentence for a person, with both sides.
  var description: String {
    switch self {
    case .staleEntityName, .entityNumber, .superentity, .entityNotRecorded,
      .recordedEntityUnknown, .entityNotHashed, .hashedEntityUnknown, .repeatedEntityName,
      .cyclicSuperentity:
      entitySentence
    case .destinationUnknown, .inverseUnknown, .inverseNotMutual:
      relationshipSentence
    case .missingTable, .extraTable, .tableSpelling, .tableTaken, .missingJoinTable,
      .severalJoinTables:
      tableSentence
    case .missingLeadingColumn, .missingColumn, .extraColumn, .columnSpelling, .columnType,
      .ambiguousColumn:
      columnSentence
    }
  }

  private var entitySentence: String {
    switch self {
    case .staleEntityName(let number, let recorded, let current):
      "entity \(number) is recorded as \(recorded ?? "nameless") and is now \(current)"
    case .entityNumber(let entity, let predicted, let recorded):
      "\(entity) should have number \(predicted) and is recorded with \(recorded)"
    case .superentity(let entity, let predicted, let recorded):
      "the parent of \(entity) should be \(predicted) and is recorded as \(recorded)"
    case .entityNotRecorded(let entity, let predicted):
      "\(entity), expected as number \(predicted), is not recorded in the store"
    case .recordedEntityUnknown(let number, let name):
      "the store records entity \(number), \(name ?? "nameless"), which the model lacks"
    case .entityNotHashed(let entity):
      "\(entity) has no hash in the store's metadata"
    case .hashedEntityUnknown(let entity):
      "the store's metadata has a hash for \(entity), which is not there"
    case .repeatedEntityName(let name, let number):
      "the name \(name) is recorded again for number \(number)"
    case .cyclicSuperentity(let number, let parent):
      "entity \(number) descends from itself by way of \(parent)"
    default: ""
    }
  }

  private var relationshipSentence: String {
    switch self {
    case .destinationUnknown(let property, let destination):
      "\(property) leads to \(destination), which is not there"
    case .inverseUnknown(let property, let inverse):
      "the inverse \(inverse) of \(property) is not there"
    case .inverseNotMutual(let property, let inverse, let back):
      "the inverse of \(property) is \(inverse), whose own inverse is \(back ?? "none")"
    default: ""
    }
  }

  private var tableSentence: String {
    switch self {
    case .missingTable(let entity, let table): "the table \(table) of \(entity) is not there"
    case .extraTable(let table):
      "the table \(table) belongs to no entity and no relationship"
    case .tableSpelling(let predicted, let actual):
      "the table \(predicted) is there as \(actual)"
    case .tableTaken(let wanting, let table):
      "the table \(table) of \(wanting) already belongs to something else"
    case .missingJoinTable(let property, let inverse, let candidates):
      "no table of \(property) and \(inverse) is there: \(candidates.joined(separator: ", "))"
    case .severalJoinTables(let property, let chosen, let other):
      "\(property) could be in \(chosen) or \(other); the first is used"
    default: ""
    }
  }

  private var columnSentence: String {
    switch self {
    case .missingLeadingColumn(let table, let column):
      "the column \(table).\(column) that every object has is not there"
    case .missingColumn(let property, let table, let column):
      "the column \(table).\(column) of \(property) is not there"
    case .extraColumn(let table, let column):
      "the column \(table).\(column) belongs to no property"
    case .columnSpelling(let property, let table, let predicted, let actual):
      "the column \(table).\(predicted) of \(property) is there as \(actual)"
    case .columnType(let property, let table, let column, let predicted, let actual):
      "the column \(table).\(column) of \(property) is declared \(actual), not \(predicted)"
    case .ambiguousColumn(let property, let table, let column):
      "the column \(table).\(column) was assigned to \(property) but could belong to another"
    default: ""
    }
  }
}

extension SchemaDifference {
  /// A note where everything is read all the same, a warning where something may be left out.
  var severity: Severity {
    switch self {
    case .staleEntityName, .entityNumber, .entityNotHashed, .hashedEntityUnknown, .tableSpelling,
      .columnSpelling, .columnType, .ambiguousColumn, .inverseNotMutual, .severalJoinTables:
      .note
    case .superentity, .entityNotRecorded, .recordedEntityUnknown, .repeatedEntityName,
      .cyclicSuperentity, .destinationUnknown, .inverseUnknown, .missingTable,
      .tableTaken, .missingColumn, .missingLeadingColumn, .missingJoinTable:
      .warning
    case .extraTable, .extraColumn:
      // What is in it is in no table of the output.
      .error
    }
  }
}
