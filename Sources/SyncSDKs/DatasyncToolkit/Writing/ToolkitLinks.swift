import Bytes
import Records
import SQLite
import Tables

/// A reference of a toolkit's store that must lead to a row.
private struct ToolkitLink {
  /// The columns that hold it.
  let columns: [String]
  /// The app's table to which it leads; nil where that is none of the data, or differs from row to row.
  let target: String?
  /// The condition of rows, called `mine`, that refer by it to no row.
  let isLoose: String
  /// The columns that are nothing where it leads to no row; none where the row itself is nothing then.
  let emptied: [String]
  /// The rule by which the store refuses a row that must refer to one and does not.
  let rule: String
}

/// References that must lead to rows of the store: those for which the app declares a foreign key, and
/// numbers of rows, which the app would give to other rows.
///
/// The id of an item that is not there stays where no key is declared, since the server has the item.
struct ToolkitLinks {
  let tables: AppTables<ToolkitTable>
  /// Whether the rows of all sources are there; until then, tables may be still to come.
  let isComplete: Bool

  /// Takes references of some tables away that lead to no row, and rows that must not be without theirs.
  func loosen(
    _ places: Range<Int>, _ connection: borrowing Connection, _ losses: inout Losses
  ) throws(SQLiteError) {
    var links: [(plan: ToolkitTable, link: ToolkitLink)] = []
    for plan in tables.plans[places] {
      for link in try self.links(of: plan, connection)
      where isComplete || link.target.map(isLoaded) == true {
        links.append((plan, link))
      }
    }
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
  private func loosen(
    _ link: ToolkitLink, of plan: ToolkitTable, _ connection: borrowing Connection,
    _ losses: inout Losses
  ) throws(SQLiteError) -> Bool {
    let table = "main.\(quoted(plan.name)) AS mine"
    let counting = "SELECT count(*) FROM \(table) WHERE \(link.isLoose)"
    let count = try connection.integer(counting)
    guard count > 0 else { return false }
    var refused = count
    if !link.emptied.isEmpty {
      try noteGaps(link, of: plan, connection)
      let changes = link.emptied.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
      // What the app's rules do not let go stays for now.
      try connection.execute("UPDATE OR IGNORE \(table) SET \(changes) WHERE \(link.isLoose)")
      refused = try connection.integer(counting)
    }
    let name = plan.source.name
    let rows = isLeftOut(link.target) ? "were left out" : "are not there"
    losses.add(
      .warning, table: name, "references of \(name) to rows that \(rows), which became NULL",
      count: Int(count - refused))
    guard refused > 0 else { return false }
    try connection.execute("DELETE FROM \(table) WHERE \(link.isLoose)")
    tables.takeOutRefused(Int(refused), of: plan)
    let columns = link.columns.map { "\(plan.name).\($0)" }.joined(separator: ", ")
    losses.addRefusedRows(
      table: name, "\(link.rule) constraint failed: \(columns)", count: Int(refused))
    return true
  }

  /// Whether a table of the app lacks rows of the sources.
  private func isLeftOut(_ target: String?) -> Bool {
    guard let target, isLoaded(target) else { return true }
    return tables.incomplete.contains { ExactText(folding: $0) == ExactText(folding: target) }
  }

  private func isLoaded(_ target: String) -> Bool {
    tables.plans.contains { ExactText(folding: $0.name) == ExactText(folding: target) }
  }

  /// The app would send null where a value of the app's becomes nothing.
  private func noteGaps(
    _ link: ToolkitLink, of plan: ToolkitTable, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let sent = plan.columns.filter { column in
      link.emptied.contains(column.name) && column.place.map(plan.sentPlaces.contains) == true
    }
    // Items of the toolkit have texts for ids, so that rows of theirs have numbers besides.
    guard !sent.isEmpty, let key = plan.key else { return }
    var rows = try connection.prepare(
      "SELECT mine.\(key) FROM main.\(quoted(plan.name)) AS mine WHERE \(link.isLoose)")
    while try rows.step() { tables.addGap(row: rows.integer(at: 0), of: plan) }
  }

  private func links(
    of plan: ToolkitTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [ToolkitLink] {
    let own = try connection.table(named: plan.name)?.columns ?? []
    let identity = Set(own.filter { $0.keyPlace > 0 }.map { ExactText(folding: $0.name) })
    var links: [ToolkitLink] = []
    var keyed: Set<ExactText> = []
    for key in try connection.foreignKeys(ofTable: plan.name) {
      guard let link = try link(by: key, of: plan, besides: identity, connection) else { continue }
      links.append(link)
      if link.columns.count == 1 { keyed.insert(ExactText(folding: link.columns[0])) }
    }
    for column in plan.columns where !keyed.contains(ExactText(folding: column.name)) {
      if let link = numberLink(column, of: plan, besides: identity) { links.append(link) }
    }
    return links
  }

  /// What a foreign key of the app's says of columns that are written; nil for another one, and where
  /// the app has no such columns.
  private func link(
    by key: ForeignKey, of plan: ToolkitTable, besides identity: Set<ExactText>,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> ToolkitLink? {
    let written = Set(
      plan.columns.filter { $0.place != nil }.map { ExactText(folding: $0.name) })
    let ownColumns = key.columns.map { ExactText(folding: $0.own) }
    // A row of an entity below another has its own id by such a key, and refers to nothing.
    guard Set(ownColumns) != identity, ownColumns.allSatisfy(written.contains),
      let target = try connection.table(named: key.target)
    else { return nil }
    guard let matches = try key.matches(in: target, connection) else { return nil }
    let isThere = matches.map { own, other in
      // As the engine compares them; a number would not be looked up among texts by their index.
      let isText = other.declaredType.uppercased().contains("TEXT")
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
      columns: columns, target: target.name,
      isLoose: (isGiven + ["NOT " + isFound]).joined(separator: " AND "),
      emptied: columns.filter { !identity.contains(ExactText(folding: $0)) }, rule: "FOREIGN KEY")
  }

  /// What a column with numbers of rows says; nil for other columns, and where rows have no numbers.
  private func numberLink(
    _ column: ToolkitColumn, of plan: ToolkitTable, besides identity: Set<ExactText>
  ) -> ToolkitLink? {
    guard column.role == .reference, column.type == .reference, let place = column.place else {
      return nil
    }
    var emptied = [column.name]
    var target: ToolkitTable?
    let isFound: String
    if let name = plan.source.columns[place].target {
      let places = Catalogue(tables: tables.plans.map(\.source), nameOrigin: .schema)
        .placesOfTargets
      target = places[ExactText(name)].map { tables.plans[$0] }
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
    return ToolkitLink(
      columns: [column.name], target: target?.name,
      isLoose: "mine.\(quoted(column.name)) IS NOT NULL AND NOT \(isFound)",
      emptied: identity.contains(ExactText(folding: column.name)) ? [] : emptied, rule: "NOT NULL")
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
