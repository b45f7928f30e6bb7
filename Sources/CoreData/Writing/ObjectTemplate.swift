import Bytes
import Records
import SQLite
import Tables

/// An empty Core Data store of an app as the place for the tables of a catalogue.
struct ObjectTemplate {
  let storage: ObjectStorage
  private let template: AppTemplate
  let catalogue: Catalogue
  /// The largest key that was given out, by the number of the root entity.
  let largestKeys: [Int64: Int64]

  /// Checks that the store is what its model says, and empty.
  ///
  /// - Throws: `StoreError` when it is not, or cannot be read.
  init(
    _ template: AppTemplate, _ catalogue: Catalogue, _ storage: ObjectStorage
  ) throws(StoreError) {
    self.template = template
    self.catalogue = catalogue
    self.storage = storage
    largestKeys = try template.read { (connection) throws(SQLiteError) in
      var keys: [Int64: Int64] = [:]
      var statement = try connection.prepare("SELECT Z_ENT, ifnull(Z_MAX, 0) FROM Z_PRIMARYKEY")
      while try statement.step() { keys[statement.integer(at: 0)] = statement.integer(at: 1) }
      return keys
    }
    if let objection = storage.objections.first {
      throw template.refusal(
        "the template is not what its model says: \(objection)",
        hint: "give a store that the app itself created, or its model with --model")
    }
    if let mirror = template.tables.first(where: { $0.name.uppercased().hasPrefix("ANSCK") }) {
      throw template.refusal(
        "the template is mirrored to iCloud: it has the table \(mirror.name)",
        hint: "give a store that the app has not connected yet")
    }
    try checkTriggers()
    try checkKeys()
    let names = Set(catalogue.tables.map(\.sourceTable)).union(storage.systemTables.values)
    if let name = try template.firstFilled(of: names.sorted()) {
      throw template.refusal(
        "the template is not empty: its table \(name) has rows",
        hint: "let the app create a new store, and give that")
    }
  }

  /// Throws where tables do not fit.
  func check(_ fit: AppFit) throws(StoreError) { try fit.check(template) }

  /// What is added to keys of the rows of a tree, so that no key is given out twice.
  func keyOffset(ofRoot root: Int64?) -> Int64 { root.flatMap { largestKeys[$0] } ?? 0 }

  /// The entity that the app knows under the name of a table; nil where there is none.
  func entity(named name: String) -> String? {
    if let table = table(named: name) { return catalogue.tables[table].sourceName }
    return storage.entities[name] == nil ? nil : name
  }

  /// The tables of entities of which some have no place among these.
  func tables(without plans: [ObjectTable]) -> Set<String> {
    let entities = Set(plans.compactMap(\.storage.entity))
    let rest = zip(catalogue.tables, storage.tables).filter { _, kept in
      kept.entity.map { !entities.contains($0) } ?? false
    }
    return Set(rest.map { $0.0.sourceTable })
  }

  /// The columns that a table of an SDK has; none where there is no such table.
  func columns(ofTable name: String) -> Set<String> {
    Set(template.tables.first { $0.name == name }?.columns.map(\.name) ?? [])
  }

  /// The app's tables for others; `fit` gets those that are missing, lack a column, or need one that
  /// the others do not have.
  ///
  /// Where references may lead to any of `all`, they must lead there in the app, too.
  func tables(
    for others: [Table], among all: [Table] = [], keyedBy keys: ObjectKeys = ObjectKeys(),
    _ fit: inout AppFit
  ) -> [ObjectTable] {
    var owners: [Int: String] = [:]
    var plans: [ObjectTable] = []
    let entities = entities(calledAs: others, besides: keys.strangers)
    let trees = trees(of: all)
    for table in others {
      guard let place = place(of: table) else {
        fit.addUnknown(
          table, nil, "the template has no entity or relationship for the table \(table.name)",
          hint: "leave the table out with --exclude-table")
        continue
      }
      let own = catalogue.tables[place]
      if let first = owners.updateValue(table.name, forKey: place) {
        fit.refuse(table, nil, "\(first) and \(table.name) are both \(own.name) of the template")
      }
      plans.append(plan(table, own, storage.tables[place], entities, keys, &fit))
      checkTargets(of: table, own, storage.tables[place], trees, &fit)
    }
    return plans
  }

  /// The numbers of entities by what others call their tables, and else by their own names; nil for
  /// tables that the app does not know.
  private func entities(
    calledAs others: [Table], besides strangers: [String]
  ) -> [String: Int64?] {
    var numbers: [String: Int64?] = storage.entities
    for name in strangers where numbers[name] == nil { numbers[name] = .some(nil) }
    for table in others {
      guard let number = place(of: table).flatMap({ storage.tables[$0].entity }) else { continue }
      numbers[table.name] = number
    }
    return numbers
  }

  /// How the table that takes the rows of another is kept; nil where there is none.
  func storage(of other: Table) -> TableStorage? { place(of: other).map { storage.tables[$0] } }

  /// The place of the table that takes the rows of another.
  func place(of other: Table) -> Int? {
    table(named: other.name) ?? table(named: other.sourceName)
  }

  private func table(named name: String) -> Int? {
    Self.place(of: name, in: catalogue.tables.map(\.name))
  }

  /// The place of a name, or of the only one that differs from it in case.
  private static func place(of name: String, in names: [String]) -> Int? {
    if let exact = names.firstIndex(of: name) { return exact }
    let folded = name.lowercased()
    let similar = names.indices.filter { names[$0].lowercased() == folded }
    return similar.count == 1 ? similar[0] : nil
  }

  /// New keys follow those that were given out, so these must be known and leave room.
  private func checkKeys() throws(StoreError) {
    for root in storage.tables.compactMap(\.root) where largestKeys[root] == nil {
      throw template.refusal("Z_PRIMARYKEY of the template does not know the entity \(root)")
    }
    for (entity, key) in largestKeys.sorted(by: { $0.key < $1.key })
    where key != 0 && !Self.possibleKeys.contains(key) {
      throw template.refusal(
        "Z_PRIMARYKEY of the template says that \(key) is the largest key of the entity \(entity)")
    }
  }

  /// The keys of rows: nothing refers to the object zero, and room is left behind the last.
  static let possibleKeys: ClosedRange<Int64> = 1...(.max - 1 << 32)

  private func checkTriggers() throws(StoreError) {
    let names = try template.read { (connection) throws(SQLiteError) in
      var names: [String] = []
      var statement = try connection.prepare(
        "SELECT name FROM sqlite_schema WHERE \(SchemaKind.trigger.condition()) ORDER BY name")
      while try statement.step() { names.append(statement.text(at: 0) ?? "") }
      return names
    }
    let known = ["Z_DA_", "ZT_", "Z_RT_"]
    guard let other = names.first(where: { name in !known.contains { name.hasPrefix($0) } }) else {
      return
    }
    throw template.refusal("the template has a trigger that Core Data does not make: \(other)")
  }
}

extension ObjectTemplate {
  private func plan(
    _ source: Table, _ own: Table, _ storage: TableStorage, _ entities: [String: Int64?],
    _ keys: ObjectKeys, _ fit: inout AppFit
  ) -> ObjectTable {
    var plan = ObjectTable(source: source, name: own.sourceTable, storage: storage, columns: [])
    if let entity = storage.entity {
      plan.key = "Z_PK"
      plan.keyOffset =
        keys.offset(ofTable: source.name) ?? keyOffset(ofRoot: storage.root)
      plan.columns = [.constant("Z_ENT", entity), .constant("Z_OPT", 1)]
    }
    var rest = Set(own.columns.indices)
    let places = Self.places(of: source.columns, in: own.columns)
    for (place, column) in source.columns.enumerated() {
      let found = places[place]
      if let found { rest.remove(found) }
      guard let found, storage.columns[found].form != .nothing else {
        // The row itself tells its entity to the app; here it only tells which row is meant.
        if let found, own.columns[found].role == .referenceEntity, column.type == .text { continue }
        leaveOut(column, place, of: source, own, from: &plan, &fit)
        continue
      }
      // In a plain file it is a column like others.
      let entityPlace =
        source.entityPlace(ofReferenceAt: place)
        ?? own.entityPlace(ofReferenceAt: found).flatMap { places.firstIndex(of: $0) }
      let shift = storage.columns[found].link.map { link in
        keys.shift(
          ofReferenceAt: place, of: source, to: link, otherwise: keyOffset(ofRoot: link.root),
          entityAt: entityPlace)
      }
      add(
        column, place, own.columns[found], storage.columns[found], entities, shift, of: source,
        to: &plan, &fit)
    }
    for place in rest.sorted() {
      addMissing(own.columns[place], storage.columns[place], of: own, to: &plan, &fit)
    }
    for (column, kept) in zip(own.columns, storage.columns) {
      guard let link = kept.link else { continue }
      plan.links.append(
        ObjectLink(
          property: column, isOptional: kept.isOptional, target: link))
    }
    return plan
  }

  /// The places of the app's columns for those of a source; nil where there is none.
  ///
  /// What an SDK keeps of an item goes where the app's SDK keeps the same, whatever either calls it:
  /// a property of the source's app with such a name would be sent as the version of the item.
  static func places(of columns: [Column], in own: [Column]) -> [Int?] {
    var places = columns.map { column in
      systemRoles.contains(column.role) ? own.firstIndex { $0.role == column.role } : nil
    }
    var taken: Set<Int> = []
    for (place, found) in places.enumerated() {
      if let found, !taken.insert(found).inserted { places[place] = nil }
    }
    // What a column is called now goes before what another one was called in its source.
    let names = own.map(\.name)
    for (place, column) in columns.enumerated() where places[place] == nil {
      if let found = self.place(of: column.name, in: names), taken.insert(found).inserted {
        places[place] = found
      }
    }
    for (place, column) in columns.enumerated() where places[place] == nil {
      // Who gave a property another name than that of the SDK's meant it not to be that one.
      if let found = self.place(of: column.sourceName, in: names),
        !systemRoles.contains(own[found].role), taken.insert(found).inserted
      {
        places[place] = found
      }
    }
    return places
  }

  private static let systemRoles: Set<ColumnRole> = [
    .id, .version, .createdAt, .updatedAt, .deleted,
  ]

  private func add(
    _ column: Column, _ place: Int, _ own: Column, _ storage: ColumnStorage,
    _ entities: [String: Int64?], _ shift: KeyShift?, of source: Table,
    to plan: inout ObjectTable, _ fit: inout AppFit
  ) {
    // A column without a value is of any type.
    guard storage.form.accepts(column.type) || column.isUndecided else {
      let isLink = storage.form == .reference
      return fit.refuse(
        source, column,
        "\(plan.source.name).\(own.name) of the template is \(own.type.rawValue), and "
          + "\(source.name).\(column.name) is \(column.type.rawValue)",
        hint: isLink
          ? Self.hintOfReferences
          : "say what it is with --type when the data are plain files")
    }
    plan.columns.append(
      ObjectColumn(
        name: own.sourceColumn, place: place, label: own.name, form: storage.form,
        isOptional: storage.isOptional, isFilledLater: storage.link?.inverseColumn != nil,
        fallback: storage.defaultValue, shift: shift,
        entities: storage.form == .referenceEntity ? entities : nil))
  }

  /// Leaves out a column that other columns tell, or that belongs to the SDK and not to the app.
  private func leaveOut(
    _ column: Column, _ place: Int, of source: Table, _ own: Table, from plan: inout ObjectTable,
    _ fit: inout AppFit
  ) {
    switch column.role {
    case .referenceEntity, .source: return
    case .value where column.name == column.sourceName + "_decoded" && column.type == .json: return
    case .version, .createdAt, .updatedAt, .deleted, .position:
      plan.leftOut.append((place, column.name))
    case .value, .id, .reference:
      plan.leftOut.append((place, column.name))
      if let found = Self.place(of: column.sourceName, in: own.columns.map(\.name)),
        Self.systemRoles.contains(own.columns[found].role)
      {
        plan.foreignNames.insert(column.sourceName)
      }
      fit.addUnknown(
        source, column,
        "the entity \(own.name) of the template has nothing for \(source.name).\(column.name)",
        hint: AppFit.hintOfNames)
    }
  }

  /// Refuses tables whose objects must have partners that neither side of the data names.
  ///
  /// The tables of all sources are looked at, since the other side may come from any.
  func checkPartners(of plans: [ObjectTable], _ fit: inout AppFit) {
    for plan in plans {
      for link in plan.links where !link.isOptional && !plan.fills(link.column) {
        guard let inverse = link.target.inverseColumn,
          !plans.contains(where: { $0.name == link.target.table && $0.fills(inverse) })
        else { continue }
        Self.refuseGap(plan.source, link.property, &fit)
      }
    }
  }

  private static func refuseGap(_ table: Table, _ property: Column, _ fit: inout AppFit) {
    fit.refuse(
      table, property,
      "\(table.name).\(property.name) of the template must have a value, and the data have none",
      hint: AppFit.hintOfNames)
  }

  /// Adds what new objects have in a column of which the source knows nothing.
  private func addMissing(
    _ column: Column, _ storage: ColumnStorage, of own: Table, to plan: inout ObjectTable,
    _ fit: inout AppFit
  ) {
    guard !storage.isOptional, !storage.isDerived, storage.form != .nothing else { return }
    guard storage.defaultValue != nil || storage.link?.inverseColumn != nil else {
      return Self.refuseGap(plan.source, column, &fit)
    }
    guard let value = storage.defaultValue else { return }
    plan.columns.append(
      ObjectColumn(
        name: column.sourceColumn, label: column.name, form: storage.form, isOptional: false,
        fallback: value))
  }
}
