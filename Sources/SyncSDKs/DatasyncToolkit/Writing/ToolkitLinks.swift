import Bytes
import Records
import SQLite
import SQLiteFile
import Tables

/// A reference of a toolkit's store that must lead to a row.
private struct ToolkitLink {
  /// The app's table to which it leads; nil where that is none of the data, or differs from row to row.
  let target: String?
  /// The condition of rows, called `mine`, that refer by it to no row.
  let isLoose: String
  /// The columns that are nothing where it leads to no row; none where the store then refuses the row.
  let emptied: [String]
  /// The rule by which the store refuses a row that must refer to one and does not, and its columns.
  let rule: (name: String, columns: [String])

  /// Whether the store refuses a row where it leads to none.
  var isRequired: Bool { emptied.isEmpty }
}

/// The columns of a table's keys, by what can become nothing.
private struct LooseColumns {
  /// Those that must have a value.
  let fixed: Set<ExactText>
  /// Those of several foreign keys.
  let shared: Set<ExactText>

  /// The column that takes a key away and as little as can be besides; nil where all must have a value.
  func best(of columns: [String]) -> String? {
    let loose = columns.filter { !fixed.contains(ExactText(folding: $0)) }
    // The first column of a key mostly says whose the row is.
    return loose.last { !shared.contains(ExactText(folding: $0)) } ?? loose.last
  }
}

/// References that must lead to rows of the store: those for which the app declares a foreign key, and
/// numbers of rows, which the app would give to other rows.
///
/// The id of an item that is not there stays where no key is declared, since the server has the item.
/// There may be thousands of sources, so what is known of their tables grows from one to the next.
struct ToolkitLinks {
  /// The changes that were taken back, counted below zero.
  private(set) var changes = QueueCounts()
  private let tables: AppTables<ToolkitTable>
  private var types: ToolkitTypes
  /// Whether the rows of all sources are there; until then, tables may be still to come.
  private var isComplete = false
  /// The app's tables that rows of the sources so far go into.
  private var loaded: Set<ExactText> = []
  /// The places of the tables by the names that they have in the sources' files.
  private var places: [ExactText: Int] = [:]
  private var tableCount = 0

  init(tables: AppTables<ToolkitTable>, types: ToolkitTypes) {
    (self.tables, self.types) = (tables, types)
  }

  /// Takes in the tables of a further source, whose changes are counted anew.
  mutating func begin(_ types: ToolkitTypes, isComplete: Bool) {
    (self.types, self.isComplete, changes) = (types, isComplete, QueueCounts())
    for place in tableCount..<tables.plans.count {
      let plan = tables.plans[place]
      loaded.insert(ExactText(folding: plan.name))
      let name = ExactText(plan.source.sourceName)
      places[name] = places[name] ?? place
    }
    tableCount = tables.plans.count
  }

  /// The table to which references of a name lead.
  private func target(called name: String) -> ToolkitTable? {
    tables.plan(ofTable: name) ?? places[ExactText(name)].map { tables.plans[$0] }
  }

  /// Takes rows of some tables out that must refer to a row and do not; what waits for them must not be
  /// written.
  mutating func takeOutRows(
    _ places: Range<Int>, _ connection: borrowing Connection, _ losses: inout Losses
  ) throws(SQLiteError) {
    try loosen(links(ofTables: places, connection).filter(\.link.isRequired), connection, &losses)
  }

  /// Takes references of some tables away that lead to no row.
  ///
  /// What waits keeps them, if it is written before: the server, to which it goes, may have the items.
  mutating func takeAway(
    _ places: Range<Int>, _ connection: borrowing Connection, _ losses: inout Losses
  ) throws(SQLiteError) {
    let links = try links(ofTables: places, connection)
    var hasTakenOut = false
    for (plan, link) in links where !link.isRequired {
      if try loosen(link, of: plan, connection, &losses) { hasTakenOut = true }
    }
    if hasTakenOut { try loosen(links, connection, &losses) }
  }

  private mutating func loosen(
    _ links: [(plan: ToolkitTable, link: ToolkitLink)], _ connection: borrowing Connection,
    _ losses: inout Losses
  ) throws(SQLiteError) {
    // Others may refer to a row that was taken out.
    var hasTakenOut = true
    while hasTakenOut {
      hasTakenOut = false
      for (plan, link) in links where try loosen(link, of: plan, connection, &losses) {
        hasTakenOut = true
      }
    }
  }

  /// - Returns: whether rows were taken out.
  private mutating func loosen(
    _ link: ToolkitLink, of plan: ToolkitTable, _ connection: borrowing Connection,
    _ losses: inout Losses
  ) throws(SQLiteError) -> Bool {
    let table = "main.\(quoted(plan.name)) AS mine"
    let counting = "SELECT count(*) FROM \(table) WHERE \(link.isLoose)"
    let count = try connection.integer(counting)
    guard count > 0 else { return false }
    var refused = count
    if !link.isRequired {
      let changes = link.emptied.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
      // What other rules of the app's do not let go stays for now.
      try connection.execute("UPDATE OR IGNORE \(table) SET \(changes) WHERE \(link.isLoose)")
      refused = try connection.integer(counting)
    }
    let name = plan.source.name
    if refused < count { tables.noteLostValues(of: plan, in: link.emptied) }
    losses.add(
      .warning, table: name,
      "references of \(name) to rows that the store does not have, which became NULL",
      count: Int(count - refused))
    guard refused > 0 else { return false }
    try takeBackChanges(of: plan, where: link.isLoose, connection, &losses)
    try connection.execute("DELETE FROM \(table) WHERE \(link.isLoose)")
    tables.takeOutRefused(Int(refused), of: plan)
    let columns = link.rule.columns.map { "\(plan.name).\($0)" }.joined(separator: ", ")
    losses.addRefusedRows(
      table: name, "\(link.rule.name) constraint failed: \(columns)", count: Int(refused))
    return true
  }

  /// Takes changes back that send rows which go, where they wait already: those of an earlier source,
  /// and those of rows whose reference the app's rules let neither go nor stay.
  private mutating func takeBackChanges(
    of plan: ToolkitTable, where isLoose: String, _ connection: borrowing Connection,
    _ losses: inout Losses
  ) throws(SQLiteError) {
    guard let id = plan.id.map({ "mine.\(quoted($0.name))" }) else { return }
    let table = "main.\(quoted(plan.name)) AS mine"
    let type = types.type(ofTable: plan.source.name)
    for kind in OperationKind.allCases where kind != .delete {
      // A payload may spell the id in another letter case than the row.
      try connection.execute(
        """
        DELETE FROM main.\(quoted(DatasyncToolkit.operations)) AS queue
        WHERE "EntityType" = \(quotedLiteral(type)) AND "Kind" = \(ToolkitQueueWriter.code(of: kind))
          AND "State" <> \(ToolkitQueueWriter.code(of: .completed))
          AND "ItemId" COLLATE NOCASE IN (SELECT \(id) FROM \(table) WHERE \(isLoose))
          AND NOT EXISTS
            (SELECT 1 FROM \(table) WHERE \(id) = queue."ItemId" AND (\(isLoose)) IS NOT TRUE)
        """)
      let count = Int(try connection.integer("SELECT changes()"))
      changes.addOperation(kind, count: -count)
      losses.addLeftOutOperations(
        of: plan.source.name, "whose row is not in the store", count: count)
    }
  }

  private func links(
    ofTables places: Range<Int>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [(plan: ToolkitTable, link: ToolkitLink)] {
    var links: [(plan: ToolkitTable, link: ToolkitLink)] = []
    for plan in tables.plans[places] {
      for link in try self.links(of: plan, connection)
      where isComplete || link.target.map({ loaded.contains(ExactText(folding: $0)) }) == true {
        links.append((plan, link))
      }
    }
    return links
  }

  private func links(
    of plan: ToolkitTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [ToolkitLink] {
    let own = try connection.table(named: plan.name)?.columns ?? []
    let identity = Set(own.filter { $0.keyPlace > 0 }.map { ExactText(folding: $0.name) })
    let required = own.filter(\.isNeverNull).map { ExactText(folding: $0.name) }
    let keys = try connection.foreignKeys(ofTable: plan.name)
    let parts = keys.flatMap { $0.columns.map { ExactText(folding: $0.own) } }
    let counts = Dictionary(parts.map { ($0, 1) }, uniquingKeysWith: +)
    let loose = LooseColumns(
      fixed: identity.union(required), shared: Set(counts.filter { $0.value > 1 }.keys))
    var links: [ToolkitLink] = []
    var keyed: Set<ExactText> = []
    // A row of an entity below another has its own id by a key, and refers to nothing.
    for key in keys where Set(key.columns.map { ExactText(folding: $0.own) }) != identity {
      guard let link = try link(by: key, of: plan, loose, connection) else { continue }
      links.append(link)
      if key.columns.count == 1 { keyed.insert(ExactText(folding: key.columns[0].own)) }
    }
    for column in plan.columns where !keyed.contains(ExactText(folding: column.name)) {
      if let link = numberLink(column, of: plan, loose) { links.append(link) }
    }
    return links
  }

  /// What a foreign key of the app's says of columns that are written; nil for another one, and where
  /// the app has no such columns.
  private func link(
    by key: ForeignKey, of plan: ToolkitTable, _ loose: LooseColumns,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> ToolkitLink? {
    let written = Set(
      plan.columns.filter { $0.place != nil }.map { ExactText(folding: $0.name) })
    guard key.columns.allSatisfy({ written.contains(ExactText(folding: $0.own)) }),
      let target = try connection.table(named: key.target),
      let matches = try key.matches(in: target, connection)
    else { return nil }
    let isThere = matches.map { own, other in
      // As the engine compares them; a number would not be looked up among texts by their index.
      let isText = Affinity(declaredType: other.declaredType) == .text
      let value = "mine.\(quoted(own))"
      return "other.\(quoted(other.name)) = " + (isText ? "CAST(\(value) AS TEXT)" : value)
    }
    let isGiven = key.columns.map { "mine.\(quoted($0.own)) IS NOT NULL" }
    let isFound =
      "EXISTS (SELECT 1 FROM main.\(quoted(target.name)) AS other"
      + " WHERE \(isThere.joined(separator: " AND ")))"
    let columns = key.columns.compactMap { column in
      plan.columns.first { ExactText(folding: $0.name) == ExactText(folding: column.own) }?.name
    }
    return ToolkitLink(
      target: target.name, isLoose: (isGiven + ["NOT " + isFound]).joined(separator: " AND "),
      emptied: loose.best(of: columns).map { [$0] } ?? [], rule: ("FOREIGN KEY", columns))
  }

  /// What a column with numbers of rows says; nil for other columns, and where rows have no numbers.
  private func numberLink(
    _ column: ToolkitColumn, of plan: ToolkitTable, _ loose: LooseColumns
  ) -> ToolkitLink? {
    guard column.role == .reference, column.type == .reference, let place = column.place else {
      return nil
    }
    var emptied = [column.name]
    var target: ToolkitTable?
    let isFound: String
    if let name = plan.source.columns[place].target {
      target = self.target(called: name)
      guard let found = target.map({ $0.hasRow(numbered: column) }) ?? "0" else { return nil }
      isFound = found
    } else {
      let entityPlace = plan.source.entityPlace(ofReferenceAt: place)
      guard let entityPlace, let entity = plan.columns.first(where: { $0.place == entityPlace })
      else { return nil }
      emptied.append(entity.name)
      let cases = tables.plans.map { other in
        "WHEN \(quotedLiteral(other.source.name)) THEN \(other.hasRow(numbered: column) ?? "1")"
      }
      isFound =
        "CASE mine.\(quoted(entity.name)) \(cases.joined(separator: " ")) ELSE 0 END"
    }
    let fixed = emptied.filter { loose.fixed.contains(ExactText(folding: $0)) }
    return ToolkitLink(
      target: target?.name,
      isLoose: "mine.\(quoted(column.name)) IS NOT NULL AND NOT \(isFound)",
      emptied: fixed.isEmpty ? emptied : [], rule: ("NOT NULL", fixed))
  }
}

extension ToolkitTable {
  /// What is true where it has the row whose number another table's row holds in a column; nil where
  /// its rows have no numbers of their own.
  fileprivate func hasRow(numbered column: ToolkitColumn) -> String? {
    key.map { key in
      "EXISTS (SELECT 1 FROM main.\(quoted(name)) AS other"
        + " WHERE other.\(key) = mine.\(quoted(column.name)))"
    }
  }
}
