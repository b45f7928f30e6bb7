package import Records

extension SchemaDifference {
  /// A note where everything is read all the same, a warning where something may be left out.
  package var severity: Severity {
    switch self {
    case .staleEntityName, .entityNumber, .entityNotHashed, .hashedEntityUnknown, .tableSpelling,
      .columnSpelling, .columnType, .ambiguousColumn, .inverseNotMutual, .severalJoinTables:
      .note
    case .superentity, .entityNotRecorded, .recordedEntityUnknown, .repeatedEntityName,
      .cyclicSuperentity, .destinationUnknown, .inverseUnknown, .missingTable,
      .tableTaken, .missingColumn, .missingLeadingColumn, .extraColumn, .missingJoinTable:
      .warning
    case .extraTable:
      // Its rows are in no table of the output.
      .error
    }
  }
}
