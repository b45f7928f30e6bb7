import Bytes
import Records
import SQLite
import Tables

/// What a canonical store says about itself.
struct RehomeBookkeeping {
  let source: SourceDescription
  let catalogue: Catalogue
  let findings: Findings

  init(reading connection: borrowing Connection, name: String) throws(SQLiteError) {
    var source = SourceDescription(name: name, layout: .rehome, evidence: ["application_id RHM1"])
    let stores = try EarlierSource.all(in: connection)
    source.earlier = stores
    for store in stores {
      let generation = store.source.generation.map { " \($0)" } ?? ""
      let name = store.source.path ?? store.source.name
      source.evidence.append(
        "converted from \(name), \(store.source.layout.rawValue)\(generation)")
      source.metadata += store.source.metadata.filter(\.isType)
    }
    let layouts = Set(stores.map(\.source.layout.rawValue))
    source.origin = layouts.count == 1 ? layouts.first : nil
    self.source = source
    catalogue = Catalogue(
      tables: try Self.tables(connection, ofSeveral: source.isOfSeveral),
      nameOrigin: NameOrigin(worstOf: stores.map(\.nameOrigin)))
    findings = try Self.findings(connection, ofSeveral: source.isOfSeveral)
  }

  private static func tables(
    _ connection: borrowing Connection, ofSeveral: Bool
  ) throws(SQLiteError) -> [Table] {
    let knowingSource = ofSeveral ? try tablesKnowingSource(connection) : []
    var columns: [ExactText: [Column]] = [:]
    try connection.forEachRecord(of: CanonicalSchema.columns, by: "position") { stored in
      columns[ExactText(stored.table), default: []].append(stored.column)
    }
    var facts: [ExactText: String] = [:]
    try connection.forEachRecord(of: CanonicalSchema.facts, by: "key") {
      facts[ExactText($0.key)] = $0.value
    }
    var tables: [Table] = []
    try connection.forEachRecord(of: CanonicalSchema.tables, by: "position, name") { stored in
      var table = stored.table
      table.columns = columns[ExactText(table.name)] ?? []
      let undecided = BookkeepingJSON.texts(
        facts[ExactText(CanonicalSchema.undecided + table.name)] ?? "[]")
      for place in table.columns.indices where undecided.contains(table.columns[place].name) {
        table.columns[place].isUndecided = table.columns[place].type == .text
      }
      let isListed = table.columns.contains { $0.name == SourceColumn.name }
      if !isListed, knowingSource.contains(ExactText(table.name)) {
        table.columns.append(SourceColumn.column)
        table.nextKey = facts[ExactText(CanonicalSchema.nextKey + table.name)].flatMap(Int64.init)
      }
      tables.append(table)
    }
    return tables
  }

  /// The tables with a column for the source, be it that of an app; behind it are columns that were
  /// added since.
  private static func tablesKnowingSource(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<ExactText> {
    Set(
      try connection.tables().filter { $0.columns.contains { $0.name == SourceColumn.name } }
        .map { ExactText($0.name) })
  }

  private static func findings(
    _ connection: borrowing Connection, ofSeveral: Bool
  ) throws(SQLiteError) -> Findings {
    var findings = Findings()
    // Of rows that gave way there may be as many as there are rows; the first ones are told.
    var listed: [ExactText?: Int] = [:]
    try connection.forEachRecord(of: CanonicalSchema.findings) { finding in
      if finding.followsFromRejects { return }
      if finding.code == MergedRow.code {
        let table = finding.table.map { ExactText($0) }
        listed[table, default: 0] += 1
        if listed[table, default: 0] > MergedRow.mostListed { return }
      }
      var known = finding.known(toBeOfSeveral: ofSeveral)
      // It had to be written beside some source, and is about none of them.
      if known.code == "store-left-out" { known.source = 0 }
      findings.append(known)
    }
    let rest = listed.filter { $0.value > MergedRow.mostListed }
      .sorted { ($0.key ?? "") < ($1.key ?? "") }
    return findings
      + rest.map { MergedRow.rest($0.value - MergedRow.mostListed, ofTable: $0.key?.wrappedValue) }
  }
}
