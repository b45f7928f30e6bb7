import Records
import SQLite

/// An app's empty store as the place for the tables of a catalogue.
struct ToolkitTemplate {
  private let template: AppTemplate
  private let tables: [String: SchemaTable]

  /// Checks that it is a store of the toolkit without anything in its queue.
  ///
  /// - Throws: `StoreError` when it is not, or cannot be read.
  init(_ template: AppTemplate) throws(StoreError) {
    self.template = template
    tables = Dictionary(
      template.tables.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    for (name, columns) in [
      (ToolkitNames.queue, ToolkitNames.queueColumns),
      (ToolkitNames.tokens, ToolkitNames.tokenColumns),
    ] {
      guard let table = tables[name.lowercased()] else {
        throw template.refusal(
          "the template has no table \(name), so no app of the toolkit made it",
          hint: "give a store that the app itself created, and that is empty")
      }
      try check(table, has: columns)
    }
  }

  /// How many triggers the app has, which do not run while its tables are filled.
  func countTriggers() throws(StoreError) -> Int {
    try template.read { (connection) throws(SQLiteError) in
      Int(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"))
    }
  }

  /// The app's tables for those of a catalogue.
  ///
  /// - Throws: `StoreError` when one is missing, is not empty, lacks a column, or needs one that the
  ///   catalogue does not have.
  func tables(for catalogue: Catalogue, types: [String: String]) throws(StoreError)
    -> [ToolkitTable]
  {
    var owners: [String: String] = [:]
    var plans: [ToolkitTable] = []
    for table in catalogue.tables {
      let found = try self.table(for: table, type: types[table.name])
      if let other = owners.updateValue(table.name, forKey: found.name) {
        throw template.refusal(
          "the tables \(other) and \(table.name) are both the template's \(found.name)")
      }
      plans.append(try plan(table, found))
    }
    let names = [ToolkitNames.queue, ToolkitNames.tokens] + plans.map(\.name)
    if let name = try template.firstFilled(of: names) {
      throw template.refusal(
        "the template is not empty: its table \(name) has rows",
        hint: "let the app create a new store, and give that")
    }
    return plans
  }

  /// The table that is called like one of the catalogue, like its type, or like a plural of either.
  private func table(for table: Table, type: String?) throws(StoreError) -> SchemaTable {
    let names = [table.name, type.map(ToolkitTypes.simpleName)].compactMap(\.self)
    for name in names {
      let found = ToolkitNames.setNames(ofType: name.lowercased()).filter {
        !ToolkitNames.isReserved($0) && tables[$0] != nil
      }
      if let first = found.first, let table = tables[first] { return table }
    }
    throw template.refusal(
      "the template has no table for \(table.name)",
      hint: "leave the table out with --exclude-table, or name its type with --entity-type")
  }

  private func plan(_ source: Table, _ table: SchemaTable) throws(StoreError) -> ToolkitTable {
    var rest = Dictionary(
      table.columns.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    var plan = ToolkitTable(source: source, name: table.name, columns: [])
    for (place, column) in source.columns.enumerated() {
      let name = [column.name, column.sourceName].map { $0.lowercased() }
        .first { rest[$0]?.isGenerated == false }
      guard let name, let found = rest.removeValue(forKey: name) else {
        // The toolkit itself knows nothing of the first, and may do without the second.
        if [.createdAt, .deleted].contains(column.role) {
          plan.leftOut.append((place, column.name))
          continue
        }
        throw template.refusal(
          "the table \(table.name) of the template has no column for \(source.name).\(column.name)",
          hint: "the app's model and the data must be of one version")
      }
      plan.columns.append(try self.column(column, place, found, of: source))
    }
    for column in table.columns where rest[column.name.lowercased()] != nil && column.isRequired {
      guard column.name.lowercased() == "deleted" else {
        if table.rowIDAlias == column.name { continue }
        throw template.refusal(
          "the column \(table.name).\(column.name) of the template must have a value, and the data "
            + "have none for it", hint: "the app's model and the data must be of one version")
      }
      plan.columns.append(
        ToolkitColumn(
          name: column.name, role: .deleted, type: .boolean, form: .integer, isZeroWhenNull: true))
    }
    plan.key = key(of: table, writing: plan.columns)
    return plan
  }

  private func column(
    _ column: Column, _ place: Int, _ found: SchemaColumn, of source: Table
  ) throws(StoreError) -> ToolkitColumn {
    guard let form = ToolkitForm(column, declared: found.declaredType) else {
      throw template.refusal(
        "the column \(found.name) of the template is \(found.declaredType), and "
          + "\(source.name).\(column.name) is \(column.type.rawValue)",
        hint: "say what it is with --type when the data are plain files")
    }
    return ToolkitColumn(
      name: found.name, place: place, role: column.role, type: column.type, form: form,
      isZeroWhenNull: column.role == .deleted && found.isRequired)
  }

  /// The name of the row's number, unless a column that is written is just that.
  private func key(of table: SchemaTable, writing columns: [ToolkitColumn]) -> String? {
    if table.isWithoutRowID { return nil }
    if let alias = table.rowIDAlias, columns.contains(where: { $0.name == alias }) { return nil }
    return ToolkitTable.rowIDName(besides: table.columns.map(\.name))
  }

  private func check(_ table: SchemaTable, has columns: [String]) throws(StoreError) {
    let names = Set(table.columns.map { $0.name.lowercased() })
    for column in columns where !names.contains(column.lowercased()) {
      throw template.refusal("the table \(table.name) of the template has no column \(column)")
    }
    let known = Set(columns.map { $0.lowercased() })
    for column in table.columns where column.isRequired && !known.contains(column.name.lowercased())
    {
      throw template.refusal(
        "the column \(table.name).\(column.name) of the template must have a value, and this "
          + "rehome does not know which")
    }
  }
}

extension SchemaTable {
  /// The column that is another name of the row's number, as far as its declaration tells.
  fileprivate var rowIDAlias: String? {
    let keys = columns.filter { $0.keyPlace > 0 }
    guard !isWithoutRowID, keys.count == 1, keys[0].declaredType.uppercased() == "INTEGER" else {
      return nil
    }
    return keys[0].name
  }
}
