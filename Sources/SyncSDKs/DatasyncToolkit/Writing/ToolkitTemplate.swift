import Bytes
import Records
import SQLite
import Tables

/// An app's empty store as the place for the tables of a catalogue.
struct ToolkitTemplate {
  private let template: AppTemplate
  private let tables: [ExactText: SchemaTable]

  /// Checks that it is a store of the toolkit without anything in its queue.
  ///
  /// - Throws: `StoreError` when it is not, or cannot be read.
  init(_ template: AppTemplate) throws(StoreError) {
    self.template = template
    tables = Dictionary(keepingFirst: template.tables.map { (ExactText(folding: $0.name), $0) })
    for (name, columns) in [
      (DatasyncToolkit.operations, ToolkitNames.queueColumns),
      (DatasyncToolkit.tokens, ToolkitNames.tokenColumns),
    ] {
      guard let table = tables[ExactText(folding: name)] else {
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
      let condition = SchemaKind.trigger.condition()
      return Int(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE \(condition)"))
    }
  }

  /// The app's tables for others; `fit` gets those that are missing, lack a column, or need one that
  /// the others do not have.
  ///
  /// Where references may lead to any of `all`, they must lead there in the app, too.
  ///
  /// - Throws: `StoreError` when one is not empty.
  func tables(
    for others: [Table], among all: [Table] = [], types: [ExactText: String], _ fit: inout AppFit
  ) throws(StoreError) -> [ToolkitTable] {
    var owners: [ExactText: String] = [:]
    var plans: [ToolkitTable] = []
    let targets = targets(of: all, types)
    for table in others {
      guard let found = self.table(for: table, type: types[ExactText(table.name)]) else {
        fit.addUnknown(
          table, nil, "the template has no table for \(table.name)",
          hint: "leave the table out with --exclude-table, or name its type with --entity-type")
        continue
      }
      if let other = owners.updateValue(table.name, forKey: ExactText(found.name)) {
        fit.refuse(
          table, nil, "the tables \(other) and \(table.name) are both the template's \(found.name)")
      }
      var plan = plan(table, found, &fit)
      try addFallbacks(to: &plan)
      try checkTargets(of: plan, targets, &fit)
      plans.append(plan)
    }
    let names = [DatasyncToolkit.operations, DatasyncToolkit.tokens] + plans.map(\.name)
    if let name = try template.firstFilled(of: names) {
      throw template.refusal(
        "the template is not empty: its table \(name) has rows",
        hint: "let the app create a new store, and give that")
    }
    return plans
  }

  /// What the app itself writes for nothing is no row that it refuses.
  private func addFallbacks(to plan: inout ToolkitTable) throws(StoreError) {
    let name = plan.name
    let fallbacks = try template.read { (connection) throws(SQLiteError) in
      try connection.valuesForNothing(inTable: name)
    }
    for place in plan.columns.indices where plan.columns[place].place != nil {
      plan.columns[place].fallback = fallbacks[ExactText(plan.columns[place].name)]
    }
  }

  /// The table that is called like one of the catalogue, like its type, or like a plural of either.
  private func table(for table: Table, type: String?) -> SchemaTable? {
    let names = [table.name, type.map(ToolkitTypes.simpleName)].compactMap(\.self)
    for name in names {
      let found = setNames(ofType: name.lowercased()).filter {
        !ToolkitNames.isReserved($0) && tables[ExactText($0)] != nil
      }
      if let first = found.first, let table = tables[ExactText(first)] { return table }
    }
    return nil
  }

  /// The tables that take the rows of others, by the names that references have for these.
  private func targets(
    of others: [Table], _ types: [ExactText: String]
  ) -> [ExactText: SchemaTable] {
    Catalogue(tables: others, nameOrigin: .schema).placesOfTargets.compactMapValues {
      table(for: others[$0], type: types[ExactText(others[$0].name)])
    }
  }

  /// Refuses columns whose values would name rows of another table than the one that they are from.
  private func checkTargets(
    of plan: ToolkitTable, _ targets: [ExactText: SchemaTable], _ fit: inout AppFit
  ) throws(StoreError) {
    for own in plan.columns {
      guard let column = own.place.map({ plan.source.columns[$0] }), let target = column.target,
        let found = targets[ExactText(target)],
        case let there = try tables(ofKey: own.name, in: plan.name), let other = there.first
      else { continue }
      let names = try tables(above: found)
      guard !there.contains(where: { names.contains(ExactText(folding: $0)) }) else { continue }
      fit.refuse(
        plan.source, column, leadingTo: target, as: "the column \(plan.name).\(own.name)",
        to: other)
    }
  }

  /// A table and those above it: a row of an entity below another has its id from the row there.
  private func tables(above table: SchemaTable) throws(StoreError) -> Set<ExactText> {
    var names: Set<ExactText> = []
    var waiting = [table]
    while let table = waiting.popLast() {
      guard names.insert(ExactText(folding: table.name)).inserted else { continue }
      for key in table.columns where key.keyPlace > 0 {
        for name in try tables(ofKey: key.name, in: table.name) {
          if let above = tables[ExactText(folding: name)] { waiting.append(above) }
        }
      }
    }
    return names
  }

  /// The tables whose rows a column names by a foreign key of its own.
  private func tables(ofKey column: String, in table: String) throws(StoreError) -> [String] {
    try template.read { (connection) throws(SQLiteError) in
      let own = try connection.foreignKeys(ofTable: table).filter { key in
        key.columns.count == 1
          && ExactText(folding: key.columns[0].own) == ExactText(folding: column)
      }
      return own.map(\.target).sorted()
    }
  }

  /// Throws where tables do not fit.
  func check(_ fit: AppFit) throws(StoreError) { try fit.check(template) }

  /// The names of the app's columns for those of a source; nil where there is none.
  ///
  /// What a column is called now goes before what another one was called in its source, and who gave one
  /// another name than that of the SDK's meant it not to be that one.
  private static func places(of columns: [Column], in table: SchemaTable) -> [ExactText?] {
    let own = Set(table.columns.filter { !$0.isGenerated }.map { ExactText(folding: $0.name) })
    var taken: Set<ExactText> = []
    var places = columns.map { column -> ExactText? in
      let name = ExactText(folding: column.name)
      return own.contains(name) && taken.insert(name).inserted ? name : nil
    }
    let system = Set((["id"] + ToolkitTable.systemNames.values).map { ExactText(folding: $0) })
    for (place, column) in columns.enumerated() where places[place] == nil {
      let name = ExactText(folding: column.sourceName)
      let isSystem = column.role == .value && system.contains(name)
      if !isSystem, own.contains(name), taken.insert(name).inserted { places[place] = name }
    }
    return places
  }

  private func plan(
    _ source: Table, _ table: SchemaTable, _ fit: inout AppFit
  ) -> ToolkitTable {
    var rest = Dictionary(keepingFirst: table.columns.map { (ExactText(folding: $0.name), $0) })
    var plan = ToolkitTable(source: source, name: table.name, columns: [])
    let places = Self.places(of: source.columns, in: table)
    for (place, column) in source.columns.enumerated() {
      guard let name = places[place], let found = rest.removeValue(forKey: name) else {
        // The toolkit itself knows nothing of the first, and may do without the second.
        plan.leftOut.append((place, column.name))
        if [.createdAt, .deleted].contains(column.role) { continue }
        fit.addUnknown(
          source, column,
          "the table \(table.name) of the template has no column for \(source.name).\(column.name)",
          hint: AppFit.hintOfNames)
        continue
      }
      if let own = self.column(column, place, found, of: source, &fit) {
        plan.columns.append(own)
      }
    }
    for column in table.columns
    where rest[ExactText(folding: column.name)] != nil && column.isRequired {
      guard column.name.lowercased() == "deleted" else {
        if hasSameBytes(table.rowIDAlias, column.name) { continue }
        fit.refuse(
          source, Column(name: column.name, type: .text),
          "the column \(table.name).\(column.name) of the template must have a value, and the data "
            + "have none for it", hint: AppFit.hintOfNames)
        continue
      }
      plan.columns.append(
        ToolkitColumn(
          name: column.name, role: .deleted, type: .boolean, form: .integer, isZeroWhenNull: true))
    }
    plan.rowNumberPlace = table.rowIDAlias.flatMap { alias in
      plan.columns.firstIndex { hasSameBytes($0.name, alias) }
    }
    // Where a column that is written is the row's number, there is no other name for it.
    if !table.isWithoutRowID, plan.rowNumberPlace == nil {
      plan.key = ToolkitTable.rowIDName(besides: table.columns.map(\.name))
    }
    return plan
  }

  private func column(
    _ column: Column, _ place: Int, _ found: SchemaColumn, of source: Table,
    _ fit: inout AppFit
  ) -> ToolkitColumn? {
    guard let form = ToolkitForm(column, declared: found.declaredType) else {
      fit.refuse(
        source, column,
        "the column \(found.name) of the template is \(found.declaredType), and "
          + "\(source.name).\(column.name) is \(column.type.rawValue)",
        hint: "say what it is with --type when the data are plain files")
      return nil
    }
    return ToolkitColumn(
      name: found.name, place: place, role: column.role, type: column.type, form: form,
      isZeroWhenNull: column.role == .deleted && found.isRequired)
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
