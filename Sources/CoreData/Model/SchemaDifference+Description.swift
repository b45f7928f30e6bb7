extension SchemaDifference: CustomStringConvertible {
  /// One sentence for a person, with both sides.
  package var description: String {
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
    case .extraTable(let table): "the table \(table) belongs to nothing in the model"
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
